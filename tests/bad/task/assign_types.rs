enum Phase {
    Idle,
    Busy,
}

static mut LOCKED: bool = false;
static mut PHASE: Phase = Phase::Idle;
static mut COUNT: int!(0..=3) = 0;

#[task]
fn main() {
    LOCKED = Phase::Idle;
    PHASE = 1;
    COUNT = true;
    COUNT = PHASE;
    LOCKED += 1;
}
