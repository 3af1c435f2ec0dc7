#[task]
fn a(i: usize) {}

#[task(i in 0..2)]
fn b() {}

#[task(i in 0..2)]
fn c(i: bool) {}

#[task = 3]
fn d() {}

#[task(i)]
fn e(i: usize) {}
