#[task(i in 0..100, j in 0..100)]
fn cell(i: usize, j: usize) {}
