//! A bounded buffer between producers and a consumer.
const CAP: usize = 2;
const PRODUCERS: usize = 2;

static mut n: int!(0..=CAP) = 0;

#[task]
fn buffer() {
    while any!() {
        select! {
            when n < CAP => accept!(put(v in 0..2) => { event!(got(v)); }) => { n += 1; }
            when n > 0 => accept!(get) => { n -= 1; }
        }
    }
}

#[task(i in 0..PRODUCERS)]
fn producer(i: usize) {
    for k in 0..2 {
        call!(buffer.put(i % 2));
    }
}

#[task]
fn consumer() {
    while any!() {
        call!(buffer.get);
    }
}
