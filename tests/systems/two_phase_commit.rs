//! A two-phase commit: the coordinator asks all participants to prepare,
//! collects their votes, and sends the decision to each of them.

const PARTICIPANTS: usize = 2;

enum Order { Prepare, Commit, Abort }
enum Vote { Yes, No }

static ORDERS: [Channel<Order>; PARTICIPANTS] = [Channel::new(1); PARTICIPANTS];
static VOTES: Channel<Vote> = Channel::new(PARTICIPANTS);

#[task]
fn coordinator() {
    let mut yes: int!(0..=PARTICIPANTS) = 0;
    while any!() {
        event!(begin);
        for p in 0..PARTICIPANTS {
            ORDERS[p].send(Order::Prepare);
        }
        yes = 0;
        for _vote in 0..PARTICIPANTS {
            match VOTES.recv() {
                Vote::Yes => { yes += 1; }
                Vote::No => {}
            }
        }
        if yes == PARTICIPANTS {
            event!(decide_commit);
            send_all(Order::Commit);
        } else {
            event!(decide_abort);
            send_all(Order::Abort);
        }
    }
}

fn send_all(order: Order) {
    for p in 0..PARTICIPANTS {
        ORDERS[p].send(order);
    }
    for _ack in 0..PARTICIPANTS {
        accept!(done);
    }
}

#[task(p in 0..PARTICIPANTS)]
fn participant(p: usize) {
    let mut vote: Vote = Vote::No;
    while any!() {
        match ORDERS[p].recv() {
            Order::Prepare => {
                vote = any!();
                if vote == Vote::Yes {
                    event!(prepared[p]);
                } else {
                    event!(refused[p]);
                }
                VOTES.send(vote);
            }
            Order::Commit => {
                event!(commit[p]);
                call!(coordinator.done);
            }
            Order::Abort => {
                event!(abort[p]);
                call!(coordinator.done);
            }
        }
    }
}
