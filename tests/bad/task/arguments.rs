fn f(a: usize, b: bool) {
    event!(f(a, b));
}

#[task]
fn main() {
    f(1);
    f(1, 2);
    f(true, true);
    f(1, true);
}
