#[task]
fn main() {
    break;
    continue;
    'a: loop {
        break 'b;
    }
}
