#[task]
fn main() {
    event!(a)
    event!(b);
    let x = ;
}
