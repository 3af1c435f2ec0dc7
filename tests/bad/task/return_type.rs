fn f() -> bool {
    3
}

fn g() -> bool {
    return 4;
}

fn h() {}

static mut X: bool = false;

#[task]
fn main() {
    X = f();
    X = g();
    X = h();
}
