//! Nobody passes the barrier before everybody has come.
const N: usize = 3;

#[task]
fn barrier() {
    for i in 0..N {
        accept!(arrive);
    }
    for i in 0..N {
        accept!(go);
    }
}

#[task(w in 0..N)]
fn worker(w: usize) {
    event!(before(w));
    call!(barrier.arrive);
    call!(barrier.go);
    event!(after(w));
}
