const N: usize = 2;
#[task(f in 0..N)] fn fork(f: usize) { loop { accept!(take); accept!(put); } }
#[task(p in 0..N)]
fn phil(p: usize) {
    loop {
        call!(fork[p].take);
        call!(fork[(p + 1) % N].take);
        event!(eat(p));
        event!(done(p));
        call!(fork[p].put);
        call!(fork[(p + 1) % N].put);
    }
}
