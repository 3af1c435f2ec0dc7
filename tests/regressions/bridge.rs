// `variable:x` brings a node into the graph that bridges from `a` over `u`
// back to `b`; the proof without it must not be lost.
static mut x: bool = false;

#[task]
fn t1() {
    event!(b);
    event!(a);
}

#[task]
fn t2() {
    x = true;
    call!(t3.u);
}

#[task]
fn t3() {
    accept!(u);
}
