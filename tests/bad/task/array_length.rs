static mut A: [bool; 2] = [false, true, false];
static mut B: [bool; 2] = [false; 3];
static mut C: [bool; 2] = false;
static mut D: bool = [false];

#[task]
fn main() {
    A = B;
    if A {
        event!(a);
    }
}
