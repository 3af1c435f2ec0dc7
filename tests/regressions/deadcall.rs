#[task]
fn t() {
    while any!() {
        accept!(e);
    }
    loop {}
    accept!(f);
}

#[task]
fn u() {
    call!(t.e);
    event!(a);
    call!(t.f);
}
