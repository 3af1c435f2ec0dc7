static mut X: bool = false;
static mut COUNT: int!(0..=3) = 0;

fn release() {
    event!(released);
}

#[task]
fn main() {
    log::write(X);
    relase();
    X = compute(COUNT);
    if ready() {
        release();
    }
    reset(&mut X);
    println!("{}", X);
    COUNT.push(1);
    let name = "text";
    X = 1.5 > 2.5;
}
