//! The dining philosophers after Tanenbaum: a philosopher takes both forks at
//! once, or waits on a private semaphore until a neighbour has finished.

const N: usize = 3;

enum State { Thinking, Hungry, Eating }

static mut state: [State; N] = [State::Thinking; N];

/// Protects `state`.
static MUTEX: Lock = Lock::new();

/// A permit means that the philosopher has both forks.
static MAY_EAT: [Semaphore; N] = [Semaphore::with_max(0, 1); N];

#[task(i in 0..N)]
fn philosopher(i: usize) {
    while any!() {
        event!(hungry[i]);
        take_forks(i);
        event!(eat[i]);
        event!(full[i]);
        put_forks(i);
    }
}

fn take_forks(i: usize) {
    MUTEX.lock();
    state[i] = State::Hungry;
    test(i);
    MUTEX.unlock();
    MAY_EAT[i].acquire();
}

fn put_forks(i: usize) {
    MUTEX.lock();
    state[i] = State::Thinking;
    test(left(i));
    test(right(i));
    MUTEX.unlock();
}

/// Lets philosopher `i` eat if it wants to and no neighbour eats.
fn test(i: usize) {
    if state[i] == State::Hungry
        && state[left(i)] != State::Eating
        && state[right(i)] != State::Eating
    {
        state[i] = State::Eating;
        MAY_EAT[i].release();
    }
}

fn left(i: usize) -> usize {
    (i + N - 1) % N
}

fn right(i: usize) -> usize {
    (i + 1) % N
}
