static mut x: int!(0..=1) = 0;

#[task]
fn t() {
    x += 1;
    x += 1;
    event!(end);
}

#[task]
fn u() {
    if x == 1 {
        event!(one);
    }
}
