const N: usize = 20000;

#[task(i in 0..3)]
fn t(i: usize) {
    for k in 0..N {
        event!(e);
    }
}
