#[task]
fn server() {
    accept!(get(i in 0..2));
}

#[task]
fn client() {
    call!(server.get(0));
    call!(server.get(1));
    call!(server.get(2));
    call!(server.get);
}
