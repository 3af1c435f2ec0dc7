//! A bounded buffer: producers put items into a ring of slots and consumers
//! take them out, with two counting semaphores and a lock.

const CAPACITY: usize = 2;
const PRODUCERS: usize = 2;
const CONSUMERS: usize = 2;
const ITEMS: usize = 2;

/// What a slot contains: the number of the producer plus one, or 0.
static mut slot: [int!(0..=PRODUCERS); CAPACITY] = [0; CAPACITY];
static mut head: int!(0..CAPACITY) = 0;
static mut tail: int!(0..CAPACITY) = 0;

static MUTEX: Lock = Lock::new();
static FREE: Semaphore = Semaphore::new(CAPACITY);
static FILLED: Semaphore = Semaphore::with_max(0, CAPACITY);

#[task(p in 0..PRODUCERS)]
fn producer(p: usize) {
    for _item in 0..ITEMS {
        FREE.acquire();
        MUTEX.lock();
        put(p + 1);
        MUTEX.unlock();
        FILLED.release();
    }
}

fn put(item: usize) {
    if slot[tail] != 0 {
        event!(overwritten);
    }
    slot[tail] = item;
    event!(put[item - 1]);
    tail = (tail + 1) % CAPACITY;
}

#[task(c in 0..CONSUMERS)]
fn consumer(c: usize) {
    while any!() {
        FILLED.acquire();
        MUTEX.lock();
        let item = slot[head];
        if item == 0 {
            event!(underrun);
        }
        slot[head] = 0;
        head = (head + 1) % CAPACITY;
        event!(got(item));
        MUTEX.unlock();
        FREE.release();
    }
}
