//! The MSI protocol: caches with copies of memory lines agree over a bus on
//! which of them may write.

const CACHES: usize = 2;
const LINES: usize = 2;

enum Copy { Modified, Shared, Invalid }

static mut copy: [[Copy; LINES]; CACHES] = [[Copy::Invalid; LINES]; CACHES];
static mut bus_taken: bool = false;

#[task(c in 0..CACHES)]
fn cache(c: usize) {
    while any!() {
        choose! {
            line in 0..LINES => {
                take_bus();
                if any!() {
                    load(c, line);
                } else {
                    store(c, line);
                }
                bus_taken = false;
            }
        }
    }
}

fn take_bus() {
    atomic! {
        wait!(!bus_taken);
        bus_taken = true;
    }
}

fn load(c: usize, line: usize) {
    if copy[c][line] == Copy::Invalid {
        for other in 0..CACHES {
            if other != c && copy[other][line] == Copy::Modified {
                event!(write_back(other, line));
                copy[other][line] = Copy::Shared;
            }
        }
        event!(fill(c, line));
        copy[c][line] = Copy::Shared;
    }
    event!(read(c, line));
}

fn store(c: usize, line: usize) {
    if copy[c][line] != Copy::Modified {
        for other in 0..CACHES {
            if other != c {
                if copy[other][line] == Copy::Modified {
                    event!(write_back(other, line));
                }
                event!(invalidate(other, line));
                copy[other][line] = Copy::Invalid;
            }
        }
        copy[c][line] = Copy::Modified;
    }
    event!(write(c, line));
}
