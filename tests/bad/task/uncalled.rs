fn unused() {}

#[task]
fn server() {
    accept!(get(i in 0..2));
}

#[task]
fn client() {
    call!(server.get(0));
}
