//! Constant arrays and lists.

use super::{check, check_body, setting, show};
use expect_test::expect;

#[test]
fn elements_of_constant_arrays() {
    check(
        "enum Phase { Idle, Busy }
        const N: usize = 2;
        const LAST: usize = COST[N - 1] + TABLE[1][0];
        const COST: [usize; N] = [4, 7];
        const TABLE: [[i64; 2]; 2] = [[1, 2], [3; 2]];
        const ON: [bool; 2] = [true, false];
        const ORDER: [Phase; 2] = [Phase::Busy, Phase::Idle];
        const FIRST: Phase = ORDER[0];
        static mut P: Phase = ORDER[1];
        static mut W: [int!(0..=9); N] = COST;
        #[task] fn t() {
            if ON[0] { event!(last(LAST)); }
            P = FIRST;
            event!(len(COST.len(), TABLE[1].len(), W.len()));
        }",
        expect![[r#"
            variable P: Phase = Idle
            variable W[0]: int!(0..=9) = 4
            variable W[1]: int!(0..=9) = 7
            task t: 4 points, 0 to 3
              0 -> 1  event last(10)
              1 -> 2  P=Busy
              2 -> 3  event len(2,2,2)
        "#]],
    );
}

#[test]
fn a_variable_selects_an_element() {
    check_body(
        "N = [3, 1, 0, 2][N]; if [true, false, false, true][N] { event!(edge); } event!(at([5, 7][M]));",
        expect![[r#"
            task t: 11 points, 0 to 10
              0 -> 1  test N==0
              0 -> 2  test N==1
              0 -> 3  test N==2
              0 -> 4  test N==3
              1 -> 5  N=3
              2 -> 5  N=1
              3 -> 5  N=0
              4 -> 5  N=2
              5 -> 6  test N in {0,3}
              5 -> 7  test N in {1,2}
              6 -> 7  event edge
              7 -> 8  test M==0
              7 -> 9  test M==1
              8 -> 10  event at(5)
              9 -> 10  event at(7)
        "#]],
    );
}

#[test]
fn an_unknown_index_gives_an_unknown_value() {
    check_body(
        "N = [3, 1][any!()];",
        expect![[r#"
        task t: 2 points, 0 to 1
          0 -> 1  N=?
    "#]],
    );
}

#[test]
fn for_goes_through_lists() {
    check_body(
        "for x in [1, 4] { event!(e(x)); }
        for p in [Phase::Done, Phase::Idle] { event!(e(p)); }
        for row in [[1, 2], [3, 4]] { for x in row { event!(e(x)); } }
        for x in [7, 8].iter().rev() { event!(e(x)); }
        choose! { x in [true, false] => { event!(e(x)); } }",
        expect![[r#"
            task t: 14 points, 0 to 13
              0 -> 1  event e(1)
              1 -> 2  event e(4)
              2 -> 3  event e(Done)
              3 -> 4  event e(Idle)
              4 -> 6  event e(1)
              6 -> 5  event e(2)
              5 -> 8  event e(3)
              8 -> 7  event e(4)
              7 -> 9  event e(8)
              9 -> 10  event e(7)
              10 -> 11  silent
              11 -> 13  event e(true)
              10 -> 12  silent
              12 -> 13  event e(false)
        "#]],
    );
}

#[test]
fn for_goes_through_constant_arrays() {
    check(
        "const COST: [usize; 2] = [4, 7];
        const ROWS: [[bool; 1]; 2] = [[true], [false]];
        fn total(costs: &[usize; 2], limit: usize) { for c in costs { if c < limit { event!(cheap(c)); } } }
        #[task(c in COST)] fn t(c: usize) {
            for x in COST { event!(e(x, c)); }
            for x in &ROWS[1] { event!(e(x)); }
            for x in COST.iter().rev() { event!(e(x)); }
            total(&COST, 5);
        }",
        expect![[r#"
            task t[4]: 7 points, 0 to 6
              0 -> 1  event e(4,4)
              1 -> 2  event e(7,4)
              2 -> 3  event e(false)
              3 -> 4  event e(7)
              4 -> 5  event e(4)
              5 -> 6  event cheap(4)
            task t[7]: 7 points, 0 to 6
              0 -> 1  event e(4,7)
              1 -> 2  event e(7,7)
              2 -> 3  event e(false)
              3 -> 4  event e(7)
              4 -> 5  event e(4)
              5 -> 6  event cheap(4)
        "#]],
    );
}

#[test]
fn local_arrays_begin_as_constant_ones() {
    check(
        "const START: [usize; 2] = [1, 0];
        #[task] fn t() { let mut w: [int!(0..=1); 2] = START; w[0] = w[1]; let k = START; event!(e(k[0])); }",
        expect![[r#"
            variable t.w[0]: int!(0..=1) = ?
            variable t.w[1]: int!(0..=1) = ?
            task t: 7 points, 0 to 6
              0 -> 1  t.w[0]=1
              1 -> 2  t.w[1]=0
              2 -> 3  test t.w[1]==0
              2 -> 4  test t.w[1]==1
              3 -> 5  t.w[0]=0
              4 -> 5  t.w[0]=1
              5 -> 6  event e(1)
        "#]],
    );
}

#[test]
fn an_unknown_array_is_unknown_in_all_elements() {
    check_body(
        "loop { let mut w: [bool; 2] = any!(); if w[1] { break; } }",
        expect![[r#"
        variable t.w[0]: bool = ?
        variable t.w[1]: bool = ?
        task t: 4 points, 0 to 3
          0 -> 1  t.w[0]=?
          1 -> 2  t.w[1]=?
          2 -> 3  test t.w[1]==true
          2 -> 0  test t.w[1]==false
    "#]],
    );
}

#[test]
fn arrays_and_values_of_enums_cannot_be_set() {
    let source = "enum Phase { Idle, Busy }
        const N: usize = 1;
        const COST: [usize; 2] = [N, 2 * N];
        const FIRST: Phase = Phase::Idle;
        #[task] fn t() { event!(e(COST[1])); if FIRST == Phase::Idle { event!(f); } }";
    expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  event e(8)
          1 -> 2  event f
    "#]]
    .assert_eq(&show(source, &[setting("N", 4)]));
    expect![[r#"
        error[task-setting]: `COST` cannot be set: it is neither an integer nor a `bool`
         |
         = help: define its value by an integer constant, and set that one
        error[task-setting]: `FIRST` cannot be set: it is neither an integer nor a `bool`
         |
         = help: define its value by an integer constant, and set that one
    "#]]
    .assert_eq(&show(source, &[setting("COST", 4), setting("FIRST", 1)]));
}
