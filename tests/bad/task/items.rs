use std::sync::Mutex;

struct S {
    a: bool,
}

impl S {}

trait T {}

mod m {}

type A = bool;

fn generic<T>(x: T) {}

async fn later() {}

enum Payload {
    A(u8),
    B = 3,
}

macro_rules! m {
    () => {};
}

#[task]
fn main() {}
