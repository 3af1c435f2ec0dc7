#[task]
fn server() {
    loop {
        accept!(stop => {
            break;
        });
        accept!(quit => {
            return;
        });
        accept!(ok => {
            loop {
                break;
            }
        });
    }
}

#[task]
fn client() {
    call!(server.stop);
    call!(server.quit);
    call!(server.ok);
}
