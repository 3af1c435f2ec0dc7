//! An assembly line: a part goes from station to station, and a foreman gives
//! the order to work at each of them and inspects the result.

const STATIONS: usize = 3;
const PARTS: usize = 2;

enum Quality { Unknown, Good, Bad }

static mut quality: Quality = Quality::Unknown;

/// The belt between a station and the next one; the first and the last belt
/// are the two ends of the line.
static BELT: [Channel<int!(0..PARTS)>; STATIONS + 1] = [Channel::new(1); STATIONS + 1];

#[task]
fn foreman() {
    for part in 0..PARTS {
        quality = Quality::Unknown;
        for s in 0..STATIONS {
            call!(station[s].start);
            accept!(report(s, good in bool) => {
                if !good {
                    quality = Quality::Bad;
                }
            });
        }
        if quality == Quality::Unknown {
            quality = Quality::Good;
            event!(approve(part));
        } else {
            event!(reject(part));
        }
    }
    event!(all_done);
}

#[task]
fn supply() {
    for part in 0..PARTS {
        BELT[0].send(part);
    }
}

#[task(s in 0..STATIONS)]
fn station(s: usize) {
    loop {
        select! {
            accept!(start) => {
                let part = BELT[s].recv();
                event!(work(s, part));
                let good: bool = any!();
                if !good {
                    event!(fault[s]);
                }
                BELT[s + 1].send(part);
                call!(foreman.report(s, good));
            }
            terminate
        }
    }
}

#[task]
fn store() {
    for _part in 0..PARTS {
        let part = BELT[STATIONS].recv();
        event!(stored(part));
    }
}
