enum Phase {
    Idle,
    Busy,
}

static mut A: Phase = Phase::Idl;
static mut B: Phas = Phase::Idle;
static mut C: String = 0;
static mut D: Vec<u8> = 0;

#[task]
fn main() {
    let mut x: std::sync::Mutex<bool>;
}
