enum Phase { Idle, Busy }
static mut X: int!(0..=2) = 0;
static mut P: Phase = Phase::Idle;
static mut B: bool = false;

#[task]
fn main() {
    match (X, P) {
        (0, Phase::Idle) => event!(a),
        (1, _) => event!(b),
    }
    match (X, B) {
        (0, 1) => event!(c),
        _ => {}
    }
    match (X, B) {
        (0, true, true) => event!(d),
        _ => {}
    }
    match (X, B) {
        0 => event!(e),
        _ => {}
    }
    match X {
        (0, 1) => event!(f),
        _ => {}
    }
    match (X, B) {
        both => event!(g),
    }
    match (X, B) {
        (0, ..) => event!(h),
        _ => {}
    }
}
