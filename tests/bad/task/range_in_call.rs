#[task]
fn server() {
    accept!(get(0));
}

#[task]
fn client() {
    call!(server.get(i in 0..2));
    event!(got(i in 0..2));
}
