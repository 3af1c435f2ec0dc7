//! A reusable barrier with a reversing sense: the last worker to arrive
//! resets the counter and lets the others go on to the next phase.

const N: usize = 3;

/// How many workers have not arrived yet.
static mut missing: int!(0..=N) = N;
static mut sense: bool = false;

#[task(w in 0..N)]
fn worker(w: usize) {
    let mut mine: bool = false;
    loop {
        event!(work[w]);
        mine = !mine;
        if last_to_arrive() {
            event!(open[w]);
            missing = N;
            sense = mine;
        } else {
            match mine {
                true => { wait!(sense); }
                false => { wait!(!sense); }
            }
        }
        event!(pass[w]);
    }
}

fn last_to_arrive() -> bool {
    let mut last: bool = false;
    atomic! {
        missing -= 1;
        last = missing == 0;
    }
    last
}
