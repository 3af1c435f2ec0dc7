//! A self-service gas station: customers prepay at the operator, pump, and
//! get their change when the pump has reported the charge.

const N: usize = 2;

/// How many customers have paid for each pump and not been charged yet.
static mut waiting: [int!(0..=N); 2] = [0; 2];

#[task(c in 0..N)]
fn customer(c: usize) {
    while any!() {
        choose! {
            p in 0..2 => {
                call!(operator.prepay(c, p));
                call!(pump[p].start(c));
                call!(pump[p].finish(c));
                accept!(change(p));
            }
        }
    }
}

#[task]
fn operator() {
    while any!() {
        select! {
            accept!(prepay(c in 0..N, p in 0..2)) => {
                if waiting[p] == 0 {
                    call!(pump[p].activate);
                }
                waiting[p] += 1;
            }
            accept!(charge(c in 0..N, p in 0..2)) => {
                call!(customer[c].change(p));
                waiting[p] -= 1;
                if waiting[p] != 0 {
                    call!(pump[p].activate);
                } else {
                    event!(idle[p]);
                }
            }
        }
    }
}

#[task(p in 0..2)]
fn pump(p: usize) {
    while any!() {
        accept!(activate);
        select! {
            accept!(start(c in 0..N)) => {
                accept!(finish(c));
                call!(operator.charge(c, p));
            }
        }
    }
}
