fn f() {
    g();
}

fn g() {
    h();
}

fn h() {
    if any!() {
        g();
    }
}

#[task]
fn main() {
    f();
}
