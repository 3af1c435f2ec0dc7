#[task]
fn main() {
    select! {
        accept!(get)
        call!(main.get)
    }
}
