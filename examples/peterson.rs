//! Peterson's algorithm for N processes: a process climbs N-1 levels and is
//! the last to arrive at each for as long as nobody follows it.

const N: usize = 3;

static mut level: [int!(0..=N - 1); N] = [0; N];
static mut last: [int!(0..=N - 1); N - 1] = [0; N - 1];

#[task(i in 0..N)]
fn process(i: usize) {
    while any!() {
        for j in 1..N {
            level[i] = j;
            last[j - 1] = i;
            for k in 0..N {
                if k != i {
                    choose! {
                        below in 0..j => { wait!(level[k] == below); }
                        { wait!(last[j - 1] != i); }
                    }
                }
            }
        }
        event!(enter[i]);
        event!(leave[i]);
        level[i] = 0;
    }
}
