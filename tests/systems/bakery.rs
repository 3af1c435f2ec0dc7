//! Lamport's bakery: a customer draws a number higher than all others and
//! waits until no other customer has a lower one. A customer that would draw
//! a number above `LAST` goes home.

const N: usize = 2;
const LAST: usize = 4;

static mut choosing: [bool; N] = [false; N];
static mut number: [int!(0..=LAST); N] = [0; N];

#[task(i in 0..N)]
fn customer(i: usize) {
    while any!() {
        event!(arrive[i]);
        choosing[i] = true;
        let mut highest: int!(0..=LAST) = 0;
        for k in 0..N {
            if number[k] > highest {
                highest = number[k];
            }
        }
        if highest == LAST {
            choosing[i] = false;
            break;
        }
        number[i] = highest + 1;
        choosing[i] = false;
        event!(drawn[i]);
        for k in 0..N {
            if k != i {
                wait!(!choosing[k]);
                while goes_first(k, i) {}
            }
        }
        event!(enter[i]);
        event!(leave[i]);
        number[i] = 0;
    }
}

/// Has `k` a lower number than `i`? If both are equal, the lower index decides.
fn goes_first(k: usize, i: usize) -> bool {
    if k < i {
        number[k] != 0 && number[k] <= number[i]
    } else {
        number[k] != 0 && number[k] < number[i]
    }
}
