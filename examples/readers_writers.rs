//! Readers and writers share a document; a controller admits any number of
//! readers or one writer.

const READERS: usize = 2;
const WRITERS: usize = 2;

#[task]
fn controller() {
    let mut readers: int!(0..=READERS) = 0;
    let mut writing: bool = false;
    while any!() {
        select! {
            when !writing => accept!(start_read) => { readers += 1; }
            accept!(stop_read) => { readers -= 1; }
            when !writing && readers == 0 => accept!(start_write) => { writing = true; }
            accept!(stop_write) => { writing = false; }
        }
    }
}

#[task(r in 0..READERS)]
fn reader(r: usize) {
    while any!() {
        call!(controller.start_read);
        event!(read[r]);
        call!(controller.stop_read);
    }
}

#[task(w in 0..WRITERS)]
fn writer(w: usize) {
    while any!() {
        call!(controller.start_write);
        event!(write[w]);
        call!(controller.stop_write);
    }
}
