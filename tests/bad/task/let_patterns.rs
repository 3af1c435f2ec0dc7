#[task]
fn main() {
    let (a, b) = (1, 2);
    let Some(x) = y else { return; };
    let z;
    let mut w: [bool; 2] = [true];
    let mut v = [true];
}
