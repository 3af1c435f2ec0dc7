//! Readers and writers with priority for writers: no reader begins while a
//! writer waits.

const READERS: usize = 2;
const WRITERS: usize = 2;

static mut reading: int!(0..=READERS) = 0;
static mut waiting: int!(0..=WRITERS) = 0;
static mut writing: bool = false;

/// The shared record. Writers write the same value to both fields.
static mut record: [bool; 2] = [false; 2];

#[task]
fn monitor() {
    loop {
        select! {
            when !writing && waiting == 0 => accept!(start_read) => { reading += 1; }
            accept!(end_read) => { reading -= 1; }
            accept!(announce) => { waiting += 1; }
            when !writing && reading == 0 => accept!(start_write) => {
                waiting -= 1;
                writing = true;
            }
            accept!(end_write) => { writing = false; }
            terminate
        }
    }
}

#[task(r in 0..READERS)]
fn reader(r: usize) {
    while any!() {
        call!(monitor.start_read);
        event!(read_begin[r]);
        let first = record[0];
        if first != record[1] {
            event!(inconsistent[r]);
        }
        event!(read_end[r]);
        call!(monitor.end_read);
    }
}

#[task(w in 0..WRITERS)]
fn writer(w: usize) {
    while any!() {
        call!(monitor.announce);
        event!(ready[w]);
        call!(monitor.start_write);
        event!(write_begin[w]);
        record[0] = !record[0];
        record[1] = record[0];
        event!(write_end[w]);
        call!(monitor.end_write);
    }
}
