static mut W: [bool; 2] = [false; 2];
static mut I: int!(0..=2) = 0;

#[task]
fn main() {
    W[I] = true;
}
