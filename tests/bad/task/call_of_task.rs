fn helper() {}

#[task]
fn main() {
    other();
    let x = helper;
    let y = other;
}

#[task]
fn other() {}
