const N: usize = 2;

#[task(i in 0..N)]
fn node(i: usize) {
    select! {
        accept!(token)
        call!(node[i].token)
    }
}
