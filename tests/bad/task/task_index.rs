#[task(i in 0..2)]
fn worker(i: usize) {
    accept!(go);
}

#[task]
fn main() {
    call!(worker[0].go);
    call!(worker[2].go);
    call!(worker.go);
    call!(main[0].go);
    call!(worker[1].go);
}
