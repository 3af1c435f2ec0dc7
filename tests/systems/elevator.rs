//! An elevator: passengers press buttons, the cabin moves to the floors where
//! it is wanted, and the motor runs only while the door is closed.

const FLOORS: usize = 3;

enum Door { Open, Closed }
enum Direction { Up, Down }

static mut pressed: [bool; FLOORS] = [false; FLOORS];
static mut door: Door = Door::Closed;

#[task(f in 0..FLOORS)]
fn passenger(f: usize) {
    while any!() {
        event!(press[f]);
        pressed[f] = true;
        accept!(board);
    }
}

#[task]
fn cabin() {
    let mut floor: int!(0..FLOORS) = 0;
    let mut heading: Direction = Direction::Up;
    loop {
        if pressed[floor] {
            call!(gate.open(floor));
            pressed[floor] = false;
            call!(passenger[floor].board);
            call!(gate.close);
        } else {
            match heading {
                Direction::Up => {
                    if wanted(floor + 1, FLOORS) {
                        call!(motor.run(Direction::Up));
                        floor += 1;
                    } else {
                        heading = Direction::Down;
                    }
                }
                Direction::Down => {
                    if wanted(0, floor) {
                        call!(motor.run(Direction::Down));
                        floor -= 1;
                    } else {
                        heading = Direction::Up;
                    }
                }
            }
        }
    }
}

/// Is a button of the floors from `low` to `high - 1` pressed?
fn wanted(low: usize, high: usize) -> bool {
    for f in low..high {
        if pressed[f] {
            return true;
        }
    }
    false
}

#[task]
fn gate() {
    loop {
        select! {
            accept!(open(f in 0..FLOORS) => {
                event!(opened[f]);
                door = Door::Open;
            })
            accept!(close => { door = Door::Closed; })
            terminate
        }
    }
}

#[task]
fn motor() {
    loop {
        select! {
            accept!(run(way in Direction) => {
                wait!(door == Door::Closed);
                event!(start(way));
                event!(stop(way));
            })
            terminate
        }
    }
}
