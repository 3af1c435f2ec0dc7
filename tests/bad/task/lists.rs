static mut X: int!(0..=3) = 0;
static mut W: [bool; 2] = [false; 2];

#[task]
fn main() {
    for x in [1, X] {
        event!(a(x));
    }
    for x in W {
        event!(b);
    }
    for x in [1, true] {
        event!(c(x));
    }
    for x in X {
        event!(d);
    }
    for x in [1, 2][0] {
        event!(e);
    }
    for x in [1, 2].iter().skip(1) {
        event!(f);
    }
}
