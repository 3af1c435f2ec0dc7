static mut A: int!(3..=2) = 3;
static mut B: int!(0..) = 0;
static mut C: int!(0..N) = 0;
static mut D: int!() = 0;

#[task]
fn main() {}
