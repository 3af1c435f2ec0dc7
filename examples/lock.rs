// A client that locks and unlocks, and a lock that keeps track (figure 1 of
// the paper). Nothing but the loop of t1 or the variable of t2 keeps two
// `lock` without an `unlock` between them from happening.

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
