//! A lock with functions and arrays.
const N: usize = 2;
static mut held: [bool; N] = [false; N];
fn take(k: usize) {
    wait!(!held[k]);
    held[k] = true;
}
fn give(k: usize) { held[k] = false; }
fn with_both(id: usize) {
    take(0);
    take(1);
    event!(enter(id));
    event!(leave(id));
    give(1);
    give(0);
}
#[task(id in 0..2)]
fn user(id: usize) { with_both(id); }
