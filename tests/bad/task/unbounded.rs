static mut COUNT: u8 = 0;

#[task]
fn main() {
    let mut i: usize = 0;
    let mut j = 0;
    i += 1;
    j += 1;
}
