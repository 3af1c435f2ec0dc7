static mut A: int!(0..=3) = 0;
const N: usize = 0;

#[task]
fn main() {
    A = 1 / N;
    A = 1 % A;
    A = true + 1;
    A = -true;
    A = !3;
}
