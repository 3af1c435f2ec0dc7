#[task]
fn server() {
    accept!(lock);
    accept!(unlock);
}

#[task]
fn client() {
    call!(server.lock);
    call!(server.unlok);
    call!(server.unlock);
}
