enum Phase {
    Idle,
    Busy,
    Done,
}

static mut PHASE: Phase = Phase::Idle;
static mut COUNT: int!(0..=3) = 0;

#[task]
fn main() {
    match PHASE {
        Phase::Idle => {}
    }
    match COUNT {
        0..=1 => {}
        Phase::Idle => {}
        _ => {}
    }
    match (PHASE, COUNT) {
        (Phase::Idle, 0) => {}
        _ => {}
    }
}
