static mut A: bool = false;
static mut B: bool = false;
static mut I: int!(0..=1) = 0;
static M: Lock = Lock::new();

fn take() {
    M.lock();
}

#[task]
fn server() {
    accept!(one);
    atomic! {
        accept!(two);
        A = true;
    }
    atomic! {
        accept!(three => { event!(body); });
    }
    accept!(four[0]);
    accept!(four[1]);
}

#[task]
fn main() {
    atomic! {
        A = true;
        call!(server.one);
    }
    atomic! {
        call!(server.two);
        B = true;
    }
    call!(server.three);
    atomic! {
        event!(first);
        wait!(A);
    }
    atomic! {
        wait!(A && B);
    }
    atomic! {
        wait!(A == B);
        event!(same);
    }
    atomic! {
        call!(server.four[I]);
    }
    atomic! {
        event!(before);
        take();
        M.unlock();
    }
    atomic! {
        select! {
            when A => accept!(five) => {}
            accept!(six) => { accept!(seven); }
        }
    }
    atomic!(let x = );
}

#[task]
fn caller() {
    call!(main.five);
    call!(main.six);
    call!(main.seven);
}
