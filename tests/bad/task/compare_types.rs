enum A {
    X,
    Y,
}

enum B {
    X,
    Y,
}

static mut V: A = A::X;

#[task]
fn main() {
    if V == B::X {
        event!(a);
    }
    if V == 0 {
        event!(b);
    }
    if V < A::Y {
        event!(c);
    }
}
