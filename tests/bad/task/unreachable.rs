#[task]
fn main() {
    loop {
        event!(a);
    }
    event!(b);
}

#[task]
fn other() {
    return;
    event!(c);
}
