#[task]
fn main() {
    for i in 0..1000000000 {
        event!(a);
    }
    for i in 0..60000 {
        for j in 0..60000 {}
    }
}
