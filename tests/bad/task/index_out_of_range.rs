const N: usize = 2;
static mut W: [bool; N] = [false; N];

#[task]
fn main() {
    W[N] = true;
    for i in 0..=N {
        W[i] = false;
    }
    W[true] = false;
    W[0][1] = false;
}
