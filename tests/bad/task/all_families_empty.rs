const N: usize = 0;

#[task(i in 0..N)]
fn worker(i: usize) {}
