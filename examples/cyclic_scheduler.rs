//! Milner's cyclic scheduler: cyclers start their customers' jobs in turn,
//! and wait for a job to end before they start it again.

const N: usize = 5;

#[task]
fn starter() {
    while any!() {
        call!(cycler[0].signal);
        accept!(signal);
    }
}

#[task(i in 0..N)]
fn cycler(i: usize) {
    while any!() {
        accept!(signal);
        call!(customer[i].start);
        choose! {
            {
                accept!(finish);
                pass_on(i);
            }
            {
                pass_on(i);
                accept!(finish);
            }
        }
    }
}

fn pass_on(i: usize) {
    if i == N - 1 {
        call!(starter.signal);
    } else {
        call!(cycler[i + 1].signal);
    }
}

#[task(i in 0..N)]
fn customer(i: usize) {
    while any!() {
        accept!(start);
        event!(job[i]);
        call!(cycler[i].finish);
    }
}
