//! Accepts within the body of an accept, and a call from there.

#[task]
fn outer() {
    while any!() {
        accept!(req(a in 0..2) => {
            event!(begin(a));
            call!(inner.work(a));
            accept!(sub => { event!(deep); });
            event!(fin(a));
        });
    }
}

#[task]
fn inner() {
    while any!() {
        accept!(work(x in 0..2) => { event!(work(x)); });
    }
}

#[task(i in 0..2)]
fn client(i: usize) {
    call!(outer.req(i));
}

#[task]
fn helper() {
    call!(outer.sub);
    call!(outer.sub);
}
