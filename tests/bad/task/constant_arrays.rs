enum Phase { Idle, Busy }
const A: [usize; 2] = [1, 2, 3];
const B: [usize; 2] = [1, true];
const C: [Phase; 1] = [false];
const D: [[bool; 2]; 2] = [[true, true], [true]];
const E: [usize; 3] = [1, 2, 3];
const F: usize = E[3];
const G: [usize; 100000] = [0; 100000];
const H: [usize; 2] = [H[1], 1];
const I: [f64; 1] = [1.0];
static mut X: int!(0..=5) = 0;
static mut W: [bool; 2] = [E[0] == 1; 2];
static mut V: [bool; 3] = E;

fn first(row: [usize; 2]) {
    event!(first(row[0]));
}

#[task]
fn main() {
    E[0] = 1;
    X = E;
    X = E[true];
    X = E[0][0];
    X = E[X];
    first(E);
    if E == E {
        event!(e);
    }
    event!(len(X.len()));
}
