#[task]
fn server() {
    accept!(get(i in 0..K));
    accept!(put(1 2));
}

#[task]
fn client() {
    call!(server.get(0));
    call!(server.put(1));
}
