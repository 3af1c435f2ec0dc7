#[task]
fn main() {
    event!(main.get);
}
