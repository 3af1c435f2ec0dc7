const N: usize = 1;
static mut N: bool = false;
enum E {
    A,
    A,
}

fn f(a: usize, a: usize) {}

#[task]
fn f() {}
