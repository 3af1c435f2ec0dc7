static mut A: [int!(0..=15); 4] = [0; 4];

#[task]
fn main() {
    A[0] = A[0] * A[1] * A[2] * A[3];
}
