//! Dekker's algorithm: two processes exclude each other with two flags and a
//! turn. The critical section adds one to a shared counter, modulo `MODULUS`.

const MODULUS: usize = 3;

static mut wants: [bool; 2] = [false; 2];
static mut turn: int!(0..=1) = 0;
static mut counter: int!(0..MODULUS) = 0;

#[task(i in 0..2)]
fn process(i: usize) {
    let other = 1 - i;
    while any!() {
        wants[i] = true;
        while wants[other] {
            if turn != i {
                event!(defer[i]);
                wants[i] = false;
                wait!(turn == i);
                event!(resume[i]);
                wants[i] = true;
            }
        }
        event!(enter[i]);
        increment(i);
        event!(leave[i]);
        turn = other;
        wants[i] = false;
    }
}

fn increment(i: usize) {
    let mut copy: int!(0..MODULUS) = counter;
    copy = (copy + 1) % MODULUS;
    event!(write(i, copy));
    counter = copy;
}
