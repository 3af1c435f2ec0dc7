static mut LOCKED: bool = false;

#[task]
fn main() {
    if LOCKD {
        event!(a);
    }
    COUNT = 1;
}
