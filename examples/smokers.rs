//! The cigarette smokers with Parnas' pushers: an agent puts two of three
//! ingredients on the table, the smoker who has the third may smoke.

/// Is the ingredient on the table and not yet spoken for?
static mut there: [bool; 3] = [false; 3];

#[task]
fn agent() {
    while any!() {
        choose! {
            missing in 0..3 => {
                event!(put[(missing + 1) % 3]);
                event!(put[(missing + 2) % 3]);
                call!(pusher[(missing + 1) % 3].signal);
                call!(pusher[(missing + 2) % 3].signal);
                accept!(done);
            }
        }
    }
}

#[task(x in 0..3)]
fn pusher(x: usize) {
    let y = (x + 1) % 3;
    let z = (x + 2) % 3;
    while any!() {
        accept!(signal => {
            if there[y] {
                there[y] = false;
                call!(smoker[z].go);
            } else if there[z] {
                there[z] = false;
                call!(smoker[y].go);
            } else {
                there[x] = true;
            }
        });
    }
}

#[task(x in 0..3)]
fn smoker(x: usize) {
    while any!() {
        accept!(go);
        event!(begin[x]);
        event!(end[x]);
        call!(agent.done);
    }
}
