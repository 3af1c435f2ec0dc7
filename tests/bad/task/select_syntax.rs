#[task]
fn main() {
    select! {
        event!(a) => {}
    }
    select! {}
    select! {
        when true accept!(b)
    }
    choose! { event!(c) }
}
