#[task]
fn main() {
    call!(get);
}
