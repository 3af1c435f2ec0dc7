#[task]
fn main() {
    // ü
    if x {}
}
