static mut x: bool = false;

#[task]
fn t() {
    evnt!(a);
    set_it!(x);
    println!("{}", x);
}
