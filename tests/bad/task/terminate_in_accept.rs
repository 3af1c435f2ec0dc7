#[task]
fn server() {
    accept!(a => {
        select! {
            accept!(b)
            terminate
        }
    });
}

#[task]
fn client() {
    call!(server.a);
}

#[task]
fn other() {
    call!(server.b);
}
