static mut A: int!(0..=1000000) = 0;
static mut B: [bool; 1000000] = [false; 1000000];

#[task]
fn main() {}
