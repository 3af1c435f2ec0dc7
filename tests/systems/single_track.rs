//! A single-track railway line with two kinds of protection: a train enters a
//! section after the dispatcher has reserved it, and with its token.

const TRAINS: usize = 3;
const SECTIONS: usize = 2;

enum Signal { Red, Green }

static mut reserved: [bool; SECTIONS] = [false; SECTIONS];
static mut signal: [Signal; SECTIONS] = [Signal::Red; SECTIONS];

static TOKEN: [Semaphore; SECTIONS] = [Semaphore::new(1); SECTIONS];

#[task(t in 0..TRAINS)]
fn train(t: usize) {
    while any!() {
        event!(depart[t]);
        for s in 0..SECTIONS {
            call!(dispatcher.reserve[s](t));
            wait!(signal[s] == Signal::Green);
            pass_through(t, s);
        }
        event!(arrive[t]);
    }
}

fn pass_through(t: usize, s: usize) {
    TOKEN[s].acquire();
    event!(enter(t, s));
    call!(dispatcher.passed[s]);
    event!(exit(t, s));
    TOKEN[s].release();
    call!(dispatcher.free[s](t));
}

#[task]
fn dispatcher() {
    loop {
        select! {
            s in 0..SECTIONS => when !reserved[s] => accept!(reserve[s](t in 0..TRAINS) => {
                reserved[s] = true;
                signal[s] = Signal::Green;
            })
            s in 0..SECTIONS => accept!(passed[s]) => { signal[s] = Signal::Red; }
            s in 0..SECTIONS => accept!(free[s](t in 0..TRAINS)) => { reserved[s] = false; }
            terminate
        }
    }
}
