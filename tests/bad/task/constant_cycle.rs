const A: usize = B + 1;
const B: usize = A;
const C: usize = 1 / 0;
const D: usize = 9223372036854775807 + 1;
const E: f32 = 1.0;
const F: bool = 1;

#[task]
fn main() {}
