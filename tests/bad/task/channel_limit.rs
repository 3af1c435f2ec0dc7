static Q: Channel<int!(0..=9)> = Channel::new(4);

#[task]
fn a() {
    Q.send(any!());
}

#[task]
fn b() {
    Q.recv();
}
