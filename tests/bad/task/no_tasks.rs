fn main() {
    event!(a);
}
