//! Leader election of Chang and Roberts: every node sends its identity round
//! a ring; an identity is passed on by nodes with lower ones, and its owner
//! becomes leader when it comes back.

const N: usize = 3;

/// The identities of the nodes in the order of the ring, for up to 5 nodes.
const ID: [usize; 5] = [1, 2, 0, 3, 4];

enum Role { Candidate, Follower, Leader }

static mut role: [Role; N] = [Role::Candidate; N];

/// The link from a node to its successor. A message is an identity, or
/// `N` plus the identity of the leader.
static LINK: [Channel<int!(0..2 * N)>; N] = [Channel::new(2); N];

#[task(i in 0..N)]
fn node(i: usize) {
    LINK[i].send(ID[i]);
    'run: loop {
        let message = LINK[(i + N - 1) % N].recv();
        if message >= N {
            if role[i] == Role::Leader {
                event!(finish[i]);
            } else {
                event!(follow[i]);
                LINK[i].send(message);
            }
            break 'run;
        } else if message > ID[i] {
            role[i] = Role::Follower;
            event!(pass_on(i, message));
            LINK[i].send(message);
        } else if message == ID[i] {
            role[i] = Role::Leader;
            event!(lead[i]);
            LINK[i].send(N + ID[i]);
        }
    }
}
