#[task]
fn main() {
    event!(a(any!()));
    event!(b(1 +));
    event!();
    accept!(c(any!()));
}
