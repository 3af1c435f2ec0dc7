#[task]
fn main() {
    if x {}
}
