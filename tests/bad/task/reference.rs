fn set(x: &mut bool, v: bool) {
    *x = v;
}

static mut A: bool = false;
static mut B: int!(0..=3) = 0;

#[task]
fn main() {
    set(&mut A, true);
    set(&mut B, true);
    set(&mut C, true);
}
