#[task]
fn server() {
    accept!(get);
}

#[task]
fn client() {
    call!(sever.get);
    call!(server.get);
}
