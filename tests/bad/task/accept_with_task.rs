#[task]
fn main() {
    accept!(main.get);
}
