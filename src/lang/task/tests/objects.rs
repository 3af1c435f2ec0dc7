//! Locks, semaphores and channels.

use super::{check, show};
use expect_test::expect;

#[test]
fn only_the_holder_unlocks() {
    check(
        "static M: Lock = Lock::new();
        #[task(i in 0..2)] fn t(i: usize) { M.lock(); event!(inside(i)); M.unlock(); }",
        expect![[r#"
            entry M.lock
            entry M.unlock
            entry M.lock
            entry M.unlock
            task t[0]: 4 points, 0 to 3
              0 -> 1  call M.lock
              1 -> 2  event inside(0)
              2 -> 3  call M.unlock
            task t[1]: 4 points, 0 to 3
              0 -> 1  call M.lock
              1 -> 2  event inside(1)
              2 -> 3  call M.unlock
            task M: 4 points, 0 to 3
              0 -> 3  silent
              1 -> 3  silent
              0 -> 1  accept M.lock
              1 -> 0  accept M.unlock
              2 -> 3  silent
              0 -> 2  accept M.lock
              2 -> 0  accept M.unlock
        "#]],
    );
}

#[test]
fn arrays_of_locks() {
    check(
        "const N: usize = 2;
        static FORK: [Lock; N] = [Lock::new(); N];
        static mut I: int!(0..=1) = 0;
        #[task] fn t() { FORK[I].lock(); FORK[any!()].unlock(); event!(n(FORK.len())); }",
        expect![[r#"
            variable I: int!(0..=1) = 0
            entry FORK[0].lock
            entry FORK[0].unlock
            entry FORK[1].lock
            entry FORK[1].unlock
            task t: 6 points, 0 to 5
              0 -> 1  test I==0
              0 -> 2  test I==1
              1 -> 3  call FORK[0].lock
              2 -> 3  call FORK[1].lock
              3 -> 4  call FORK[0].unlock
              3 -> 4  call FORK[1].unlock
              4 -> 5  event n(2)
            task FORK[0]: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept FORK[0].lock
              1 -> 0  accept FORK[0].unlock
            task FORK[1]: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept FORK[1].lock
              1 -> 0  accept FORK[1].unlock
        "#]],
    );
}

#[test]
fn semaphores_count() {
    check(
        "static S: Semaphore = Semaphore::new(2);
        static GO: Semaphore = Semaphore::with_max(0, 1);
        #[task] fn a() { S.acquire(); S.release(); GO.acquire(); }
        #[task] fn b() { GO.release(); }",
        expect![[r#"
            entry S.acquire
            entry S.release
            entry GO.acquire
            entry GO.release
            task a: 4 points, 0 to 3
              0 -> 1  call S.acquire
              1 -> 2  call S.release
              2 -> 3  call GO.acquire
            task b: 2 points, 0 to 1
              0 -> 1  call GO.release
            task S: 4 points, 0 to 3
              0 -> 3  silent
              1 -> 3  silent
              2 -> 3  silent
              2 -> 1  accept S.acquire
              1 -> 2  accept S.release
              0 -> 2  accept S.acquire
              2 -> 0  accept S.release
            task GO: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              1 -> 0  accept GO.acquire
              0 -> 1  accept GO.release
        "#]],
    );
}

#[test]
fn channels_keep_the_order() {
    check(
        "static Q: Channel<int!(0..=3)> = Channel::new(2);
        #[task] fn a() { Q.send(1); Q.send(2); }
        #[task] fn b() { let x = Q.recv(); event!(got(x)); if Q.recv() == 1 { event!(one); } }",
        expect![[r#"
            variable b.x: int!(0..=3) = ?
            entry Q.send(1)
            entry Q.send(2)
            entry Q.recv(1)
            entry Q.recv(2)
            task a: 3 points, 0 to 2
              0 -> 1  call Q.send(1)
              1 -> 2  call Q.send(2)
            task b: 11 points, 0 to 10
              0 -> 1  call Q.recv(1)
              0 -> 2  call Q.recv(2)
              1 -> 3  b.x=1
              2 -> 3  b.x=2
              3 -> 4  test b.x==0
              3 -> 5  test b.x==1
              3 -> 6  test b.x==2
              3 -> 7  test b.x==3
              4 -> 9  event got(0)
              5 -> 9  event got(1)
              6 -> 9  event got(2)
              7 -> 9  event got(3)
              9 -> 8  call Q.recv(1)
              9 -> 10  call Q.recv(2)
              8 -> 10  event one
            task Q: 8 points, 0 to 7
              0 -> 7  silent
              1 -> 7  silent
              0 -> 1  accept Q.send(1)
              2 -> 7  silent
              0 -> 2  accept Q.send(2)
              1 -> 0  accept Q.recv(1)
              3 -> 7  silent
              1 -> 3  accept Q.send(1)
              4 -> 7  silent
              1 -> 4  accept Q.send(2)
              2 -> 0  accept Q.recv(2)
              5 -> 7  silent
              2 -> 5  accept Q.send(1)
              6 -> 7  silent
              2 -> 6  accept Q.send(2)
              3 -> 1  accept Q.recv(1)
              4 -> 2  accept Q.recv(1)
              5 -> 1  accept Q.recv(2)
              6 -> 2  accept Q.recv(2)
        "#]],
    );
}

#[test]
fn messages_of_every_kind() {
    check(
        "enum Kind { Data, Stop }
        static Q: [Channel<Kind>; 1] = [Channel::new(1)];
        static mut K: Kind = Kind::Data;
        #[task] fn a() { Q[0].send(K); Q[0].send(any!()); }
        #[task] fn b() { loop { match Q[0].recv() { Kind::Stop => return, k => { K = k; } } } }",
        expect![[r#"
            variable K: Kind = Data
            entry Q[0].send(Data)
            entry Q[0].send(Stop)
            entry Q[0].recv(Data)
            entry Q[0].recv(Stop)
            task a: 5 points, 0 to 4
              0 -> 1  test K==Data
              0 -> 2  test K==Stop
              1 -> 3  call Q[0].send(Data)
              2 -> 3  call Q[0].send(Stop)
              3 -> 4  call Q[0].send(Data)
              3 -> 4  call Q[0].send(Stop)
            task b: 3 points, 0 to 2
              0 -> 1  call Q[0].recv(Data)
              0 -> 2  call Q[0].recv(Stop)
              1 -> 0  K=Data
            task Q[0]: 4 points, 0 to 3
              0 -> 3  silent
              1 -> 3  silent
              0 -> 1  accept Q[0].send(Data)
              2 -> 3  silent
              0 -> 2  accept Q[0].send(Stop)
              1 -> 0  accept Q[0].recv(Data)
              2 -> 0  accept Q[0].recv(Stop)
        "#]],
    );
}

#[test]
fn objects_are_passed_to_functions() {
    check(
        "static L: [Lock; 2] = [Lock::new(), Lock::new()];
        static Q: Channel<bool> = Channel::new(1);
        fn with(l: &Lock, q: &Channel<bool>) { l.lock(); q.send(true); l.unlock(); }
        #[task] fn a() { for i in 0..2 { with(&L[i], &Q); } }
        #[task] fn b() { Q.recv(); Q.recv(); }",
        expect![[r#"
            entry L[0].lock
            entry L[0].unlock
            entry L[1].lock
            entry L[1].unlock
            entry Q.send(true)
            entry Q.recv(true)
            task a: 7 points, 0 to 6
              0 -> 2  call L[0].lock
              2 -> 3  call Q.send(true)
              3 -> 1  call L[0].unlock
              1 -> 4  call L[1].lock
              4 -> 5  call Q.send(true)
              5 -> 6  call L[1].unlock
            task b: 3 points, 0 to 2
              0 -> 1  call Q.recv(true)
              1 -> 2  call Q.recv(true)
            task L[0]: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept L[0].lock
              1 -> 0  accept L[0].unlock
            task L[1]: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept L[1].lock
              1 -> 0  accept L[1].unlock
            task Q: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept Q.send(true)
              1 -> 0  accept Q.recv(true)
        "#]],
    );
}

#[test]
fn an_enum_may_have_the_name_of_a_lock() {
    let shown =
        show("enum Lock { Open } static mut X: Lock = Lock::Open; #[task] fn t() { X = Lock::Open; }", &[]);
    assert!(!shown.contains("error["), "{shown}");
}
