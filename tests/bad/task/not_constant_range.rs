static mut I: int!(0..=3) = 0;

#[task]
fn main() {
    for i in 0..I {
        event!(a(i));
    }
    for x in items {
        event!(b);
    }
    for x in 0.. {
        event!(c);
    }
    choose! {
        i in Phase => { event!(d(i)); }
    }
}
