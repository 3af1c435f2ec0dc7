//! Two tasks take two locks in different orders.

static A: Lock = Lock::new();
static B: Lock = Lock::new();
static mut a: bool = false;
static mut b: bool = false;

#[task]
fn one() {
    A.lock();
    a = true;
    B.lock();
    a = false;
    B.unlock();
    A.unlock();
}

#[task]
fn two() {
    B.lock();
    b = true;
    A.lock();
    b = false;
    A.unlock();
    B.unlock();
}
