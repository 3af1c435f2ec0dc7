//! Atomic blocks.

use super::{check, check_body};
use expect_test::expect;

#[test]
fn points_between_the_actions_are_inside() {
    check_body(
        "event!(a); atomic! { wait!(!B); B = true; event!(b); } event!(c);",
        expect![[r#"
        task t: 6 points, 0 to 5
          atomic 2 3
          0 -> 1  event a
          1 -> 2  test B==false
          2 -> 3  B=true
          3 -> 4  event b
          4 -> 5  event c
    "#]],
    );
}

#[test]
fn one_action_needs_no_block() {
    check_body(
        "atomic! { B = true; } atomic! { } event!(c);",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  B=true
          1 -> 2  event c
    "#]],
    );
}

#[test]
fn branches_and_choices() {
    check_body(
        "atomic! { if B { N = 1; } else { N = 2; N = 3; } choose! { { event!(a); } { } } } event!(c);",
        expect![[r#"
            task t: 8 points, 0 to 7
              atomic 1 2 3 4 5
              0 -> 1  test B==true
              0 -> 2  test B==false
              1 -> 4  N=1
              2 -> 3  N=2
              3 -> 4  N=3
              4 -> 5  silent
              5 -> 6  event a
              4 -> 6  silent
              6 -> 7  event c
        "#]],
    );
}

#[test]
fn a_loop_begins_outside() {
    check_body(
        "event!(a); atomic! { while N < 3 { N += 1; } }",
        expect![[r#"
        task t: 5 points, 0 to 4
          atomic 2 3
          0 -> 1  event a
          1 -> 2  silent
          2 -> 3  test N!=3
          2 -> 4  test N==3
          3 -> 2  N+=1
    "#]],
    );
    check_body(
        "atomic! { loop { event!(a); if any!() { break; } } }",
        expect![[r#"
        task t: 4 points, 0 to 3
          atomic 1 2
          0 -> 1  silent
          1 -> 2  event a
          2 -> 3  silent
          2 -> 1  silent
    "#]],
    );
}

#[test]
fn blocks_in_blocks_and_functions() {
    check(
        "static mut X: int!(0..=3) = 0;
        fn twice() { atomic! { X = 1; X = 2; } }
        #[task] fn t() { atomic! { event!(a); twice(); event!(b); } twice(); }",
        expect![[r#"
            variable X: int!(0..=3) = 0
            task t: 7 points, 0 to 6
              atomic 1 2 3 5
              0 -> 1  event a
              1 -> 2  X=1
              2 -> 3  X=2
              3 -> 4  event b
              4 -> 5  X=1
              5 -> 6  X=2
        "#]],
    );
}

#[test]
fn jumps_leave_a_block() {
    check_body(
        "loop { atomic! { event!(a); if B { break; } if C { continue; } event!(b); } event!(c); } event!(end);",
        expect![[r#"
            task t: 7 points, 0 to 6
              atomic 1 2 4
              0 -> 1  event a
              1 -> 3  test B==true
              1 -> 2  test B==false
              2 -> 0  test C==true
              2 -> 4  test C==false
              4 -> 5  event b
              5 -> 0  event c
              3 -> 6  event end
        "#]],
    );
    check_body(
        "atomic! { event!(a); if B { return; } event!(b); } event!(c);",
        expect![[r#"
        task t: 5 points, 0 to 4
          atomic 1 2
          0 -> 1  event a
          1 -> 4  test B==true
          1 -> 2  test B==false
          2 -> 3  event b
          3 -> 4  event c
    "#]],
    );
    check(
        "static mut B: bool = false;
        fn f() -> bool { atomic! { event!(a); if B { return true; } event!(b); } event!(c); false }
        #[task] fn t() { if f() { event!(yes); } }",
        expect![[r#"
            variable B: bool = false
            task t: 6 points, 1 to 5
              atomic 2 3
              1 -> 2  event a
              2 -> 0  test B==true
              2 -> 3  test B==false
              3 -> 4  event b
              4 -> 5  event c
              0 -> 5  event yes
        "#]],
    );
}

#[test]
fn a_block_begins_with_a_rendezvous() {
    check(
        "static mut B: bool = false;
        static M: Lock = Lock::new();
        #[task] fn s() { loop { atomic! { accept!(get(i in 0..2)); event!(got); B = true; } } }
        #[task] fn c() { call!(s.get(0)); call!(s.get(1)); atomic! { M.lock(); event!(locked); } M.unlock(); }",
        expect![[r#"
            variable B: bool = false
            entry s.get(0)
            entry s.get(1)
            entry M.lock
            entry M.unlock
            task s: 4 points, 0 to 3
              atomic 1 2
              0 -> 1  accept s.get(0)
              0 -> 1  accept s.get(1)
              1 -> 2  event got
              2 -> 0  B=true
            task c: 6 points, 0 to 5
              atomic 3
              0 -> 1  call s.get(0)
              1 -> 2  call s.get(1)
              2 -> 3  call M.lock
              3 -> 4  event locked
              4 -> 5  call M.unlock
            task M: 3 points, 0 to 2
              0 -> 2  silent
              1 -> 2  silent
              0 -> 1  accept M.lock
              1 -> 0  accept M.unlock
        "#]],
    );
}
