//! A ring of servers that pass a token round; a user may work while its
//! server holds the token. A monitor starts every round.

const N: usize = 5;

#[task]
fn monitor() {
    while any!() {
        call!(server[0].token);
        accept!(token);
    }
}

#[task(i in 0..N)]
fn server(i: usize) {
    while any!() {
        accept!(token);
        select! {
            accept!(request) => { accept!(release); }
            else => {}
        }
        if i == N - 1 {
            call!(monitor.token);
        } else {
            call!(server[i + 1].token);
        }
    }
}

#[task(i in 0..N)]
fn user(i: usize) {
    while any!() {
        call!(server[i].request);
        event!(enter[i]);
        event!(leave[i]);
        call!(server[i].release);
    }
}
