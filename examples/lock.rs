//! Two tasks and a lock: the smallest example in which a property fails
//! without constraints and holds with one.

#[task]
fn t1() {
    while any!() {
        call!(t2.lock);
        call!(t2.unlock);
    }
}

#[task]
fn t2() {
    let mut locked: bool = false;
    while any!() {
        select! {
            when !locked => accept!(lock) => { locked = true; }
            when locked => accept!(unlock) => { locked = false; }
        }
    }
}
