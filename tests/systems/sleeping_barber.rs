//! The sleeping barber: customers wait on a few chairs or go away; the barber
//! sleeps until a customer is there.

const CHAIRS: usize = 2;
const CUSTOMERS: usize = 3;

/// How many chairs are taken.
static mut waiting: int!(0..=CHAIRS) = 0;

/// Protects `waiting`.
static MUTEX: Lock = Lock::new();
static ARRIVED: Semaphore = Semaphore::with_max(0, CHAIRS);
static CALLED: Semaphore = Semaphore::with_max(0, 1);
static DONE: Semaphore = Semaphore::with_max(0, 1);

#[task]
fn barber() {
    loop {
        ARRIVED.acquire();
        MUTEX.lock();
        waiting -= 1;
        event!(call);
        MUTEX.unlock();
        CALLED.release();
        event!(cut);
        DONE.release();
    }
}

#[task(c in 0..CUSTOMERS)]
fn customer(c: usize) {
    while any!() {
        if sit_down(c) {
            CALLED.acquire();
            event!(in_chair[c]);
            DONE.acquire();
            event!(leave[c]);
        } else {
            event!(turned_away[c]);
        }
    }
}

/// Is there a chair for customer `c`?
fn sit_down(c: usize) -> bool {
    let mut found: bool = false;
    MUTEX.lock();
    if waiting < CHAIRS {
        waiting += 1;
        found = true;
        event!(sit[c]);
        ARRIVED.release();
    } else {
        event!(full);
    }
    MUTEX.unlock();
    found
}
