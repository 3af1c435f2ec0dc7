const N: usize = 40;

static mut x: int!(0..=N) = 0;
static mut y: int!(0..=N) = 0;

#[task]
fn up() {
    event!(e);
    while any!() {
        x += 1;
    }
}

#[task]
fn down() {
    while any!() {
        y += 1;
    }
}
