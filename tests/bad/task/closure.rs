#[task]
fn main() {
    let f = |x| x + 1;
    (|| event!(a))();
    spawn(async { 1 });
}
