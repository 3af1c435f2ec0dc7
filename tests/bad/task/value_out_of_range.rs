static mut COUNT: int!(0..=3) = 4;
static mut OTHER: int!(1..4) = 1;

#[task]
fn main() {
    OTHER = 4;
    OTHER = 2 + 2;
    OTHER = 3;
    let mut x: int!(0..=1) = 2;
    x = 1;
}
