//! A processor that polls devices of three levels: a request of a higher
//! level is served before one of a lower level, and a handler is not
//! interrupted by its own level.

const LEVELS: usize = 3;

enum Mode { Idle, Busy }

static mut mode: [Mode; LEVELS] = [Mode::Idle; LEVELS];
static mut masked: [bool; LEVELS] = [false; LEVELS];

#[task(d in 0..LEVELS)]
fn device(d: usize) {
    while any!() {
        event!(raise[d]);
        call!(processor.interrupt(d));
        event!(lowered[d]);
    }
}

#[task]
fn processor() {
    loop {
        select! {
            when !masked[0] => accept!(interrupt(0) => { handle(0); })
            else => {
                select! {
                    when !masked[1] => accept!(interrupt(1) => { handle(1); })
                    else => {
                        select! {
                            when !masked[2] => accept!(interrupt(2) => { handle(2); })
                            else => {}
                        }
                    }
                }
            }
        }
    }
}

/// Runs the handler of a level. The handler of the lowest level can be
/// interrupted once by the highest one.
fn handle(level: usize) {
    masked[level] = true;
    mode[level] = Mode::Busy;
    event!(begin[level]);
    if level == 2 {
        select! {
            when mode[0] == Mode::Idle => accept!(interrupt(0) => {
                event!(nested);
                mode[0] = Mode::Busy;
                event!(begin[0]);
                event!(end[0]);
                mode[0] = Mode::Idle;
            })
            else => {}
        }
    }
    event!(end[level]);
    mode[level] = Mode::Idle;
    masked[level] = false;
}
