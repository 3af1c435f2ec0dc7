static mut COUNT: int!(0..=3) = 0;

#[task]
fn main() {
    if COUNT {
        event!(a);
    }
    while 1 {
        event!(b);
    }
    if COUNT == 0 && COUNT {
        event!(c);
    }
    wait!(COUNT);
}
