enum Phase {
    Idle,
    Busy,
}

static mut PHASE: Phase = Phase::Idle;
static mut N: int!(0..=3) = 0;

fn name(p: Phase, n: int!(0..=1)) -> Phase {
    if n == 0 {
        return Phase::Busy;
    }
    p
}

#[task]
fn main() {
    PHASE = name(PHASE, 0);
    PHASE = name(Phase::Idle, 2);
    PHASE = name(N, 1);
    N = name(PHASE, 1);
    match PHASE {
        Phase::Idle => N = 7,
        Phase::Bsy => {}
        _ => {}
    }
    while PHASE {}
    event!(at(PHASE, N + true));
}
