#[task]
fn server() {}

#[task]
fn client() {
    call!(server.get);
}
