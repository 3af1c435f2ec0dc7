const N: usize = 2;

fn f(a: usize) {
    a = 1;
}

#[task(i in 0..2)]
fn main(i: usize) {
    i = 3;
    N = 3;
    f(1);
    let x = 1;
    x += 1;
    1 = 2;
}
