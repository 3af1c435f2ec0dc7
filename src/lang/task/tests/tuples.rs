//! `match` with several subjects.

use super::{check, check_body};
use expect_test::expect;

#[test]
fn the_last_variable_is_tested_per_arm() {
    check_body(
        "match (B, N) { (true, 0 | 1) => event!(low), (true, _) => event!(high), (false, 3) => {} _ => event!(other) }",
        expect![[r#"
            task t: 7 points, 0 to 6
              0 -> 1  test B==false
              0 -> 2  test B==true
              2 -> 3  test N<2
              3 -> 6  event low
              2 -> 4  test N>=2
              4 -> 6  event high
              1 -> 6  test N==3
              1 -> 5  test N!=3
              5 -> 6  event other
        "#]],
    );
}

#[test]
fn an_arm_is_performed_once() {
    check_body(
        "match (B, C) { (true, true) => event!(both), _ => { N = 1; N = 2; } } event!(end);",
        expect![[r#"
        task t: 7 points, 0 to 6
          0 -> 3  test B==false
          0 -> 1  test B==true
          1 -> 2  test C==true
          2 -> 5  event both
          1 -> 3  test C==false
          3 -> 4  N=1
          4 -> 5  N=2
          5 -> 6  event end
    "#]],
    );
}

#[test]
fn names_and_guards() {
    check_body(
        "match (M, W[0]) { (0, x) if x > 1 => event!(big(x)), (m, 0) => event!(zero(m)), (_, x) => event!(other(x)) }",
        expect![[r#"
            task t: 10 points, 0 to 9
              0 -> 1  test M==0
              0 -> 2  test M==1
              1 -> 3  test W[0]==0
              1 -> 4  test W[0]==1
              1 -> 5  test W[0]==2
              5 -> 9  event big(2)
              2 -> 6  test W[0]==0
              6 -> 9  event zero(1)
              3 -> 9  event zero(0)
              2 -> 7  test W[0]==1
              2 -> 8  test W[0]==2
              7 -> 9  event other(1)
              8 -> 9  event other(2)
              4 -> 9  event other(1)
        "#]],
    );
}

#[test]
fn alternatives_with_names() {
    check_body(
        "match (M, 1, B) { (0, k, b) | (k, 1, b) => event!(e(k, b)), _ => {} }",
        expect![[r#"
        task t: 8 points, 0 to 7
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  test B==false
          1 -> 4  test B==true
          2 -> 5  test B==false
          2 -> 6  test B==true
          3 -> 7  event e(1,false)
          4 -> 7  event e(1,true)
          5 -> 7  event e(1,false)
          6 -> 7  event e(1,true)
    "#]],
    );
}

#[test]
fn a_variable_is_read_once() {
    check_body(
        "match (B, B) { (true, true) => event!(yes), (false, false) => event!(no), _ => event!(never) }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test B==false
          0 -> 2  test B==true
          2 -> 3  event yes
          1 -> 3  event no
    "#]],
    );
}

#[test]
fn constants_and_unknown_values() {
    check_body(
        "match (1, any!()) { (1, true) => event!(a), (2, _) => event!(b), _ => event!(c) }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  silent
          1 -> 3  event a
          0 -> 2  silent
          2 -> 3  event c
    "#]],
    );
    check_body(
        "match (any!(), B) { (true, true) => event!(a), (_, true) => event!(b), (_, false) => {} }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test B==true
          1 -> 3  event a
          0 -> 2  test B==true
          2 -> 3  event b
          0 -> 3  test B==false
    "#]],
    );
}

#[test]
fn values_of_tuple_matches() {
    check_body(
        "N = match (B, C) { (true, true) => 2, (false, false) => 0, _ => 1 };",
        expect![[r#"
        task t: 7 points, 0 to 6
          0 -> 1  test B==false
          0 -> 2  test B==true
          2 -> 3  test C==true
          1 -> 4  test C==false
          1 -> 5  test C==true
          2 -> 5  test C==false
          3 -> 6  N=2
          4 -> 6  N=0
          5 -> 6  N=1
    "#]],
    );
}

#[test]
fn tuples_in_conditions() {
    check_body(
        "if matches!((B, N), (true, 1..=2) | (false, 0)) { event!(e); }",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 2  test B==false
          0 -> 3  test B==true
          2 -> 1  test N==0
          2 -> 4  test N!=0
          3 -> 1  test N in {1,2}
          3 -> 4  test N in {0,3}
          1 -> 4  event e
    "#]],
    );
    check_body(
        "if let (true, _) = (B, N) { event!(e); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 2  test B==false
          0 -> 1  test B==true
          1 -> 2  event e
    "#]],
    );
}

#[test]
fn calls_among_the_subjects_run_first() {
    check(
        "static mut B: bool = false;
        fn ask() -> bool { event!(asked); any!() }
        #[task] fn t() { match (B, ask()) { (true, true) => event!(a), _ => event!(b) } }",
        expect![[r#"
            variable B: bool = false
            task t: 7 points, 0 to 6
              0 -> 1  test B==false
              0 -> 2  test B==true
              1 -> 5  event asked
              2 -> 3  event asked
              3 -> 4  silent
              4 -> 6  event a
              3 -> 5  silent
              5 -> 6  event b
        "#]],
    );
}
