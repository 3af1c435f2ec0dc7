#[task]
fn a() {
    call!(b.x);
    call!(b.y);
    event!(e);
}

#[task]
fn b() {
    accept!(y);
    accept!(x);
}
