#[task]
fn main() {
    event!(a;
}
