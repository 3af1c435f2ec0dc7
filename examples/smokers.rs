//! The cigarette smokers with Parnas' pushers: an agent puts two of three
//! ingredients on the table, a smoker who has the third may smoke.

/// How many smokers have each ingredient; a pusher wakes any one of them.
const SMOKERS: usize = 1;

/// Is the ingredient on the table and not yet spoken for?
static mut there: [bool; 3] = [false; 3];

#[task]
fn agent() {
    while any!() {
        choose! {
            { deal(0, 1); }
            { deal(0, 2); }
            { deal(1, 2); }
        }
    }
}

fn deal(a: usize, b: usize) {
    event!(put[a]);
    event!(put[b]);
    call!(pusher[a].signal);
    call!(pusher[b].signal);
    accept!(done);
}

/// `y` and `z` are the other two ingredients.
#[task(x in 0..3)]
fn pusher(x: usize) {
    let y = if x == 0 { 1 } else { 0 };
    let z = if x == 2 { 1 } else { 2 };
    while any!() {
        accept!(signal => {
            if there[y] {
                there[y] = false;
                wake(z);
            } else if there[z] {
                there[z] = false;
                wake(y);
            } else {
                there[x] = true;
            }
        });
    }
}

fn wake(x: usize) {
    choose! { k in 0..SMOKERS => { call!(smoker[x][k].go); } }
}

#[task(x in 0..3, k in 0..SMOKERS)]
fn smoker(x: usize, k: usize) {
    while any!() {
        accept!(go);
        event!(begin[x]);
        event!(end[x]);
        call!(agent.done);
    }
}
