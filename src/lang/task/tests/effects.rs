//! Calls with effects inside expressions: each runs when Rust would run it,
//! and unknown values hide none of them.

use super::show;
use expect_test::{Expect, expect};

/// Checks the graph of a task with functions that emit an event, to see what
/// runs.
#[track_caller]
fn check_effects(body: &str, expected: Expect) {
    let source = format!(
        "static mut X: bool = false; static mut Y: bool = false;
        static mut K: int!(0..=3) = 0;
        static mut W: [bool; 2] = [false; 2]; static mut V: [int!(0..=3); 2] = [0; 2];
        static mut A: [[bool; 2]; 2] = [[false; 2]; 2];
        fn g() -> bool {{ event!(g); true }}
        fn h() -> usize {{ event!(h); 1 }}
        fn sets(v: &mut bool) {{ event!(sets); *v = true; }}
        #[task] fn t() {{ {body} }}"
    );
    let shown = show(&source, &[]);
    let (_, graph) = shown.split_once("\ntask t").unwrap_or(("", &shown));
    expected.assert_eq(graph);
}

#[test]
fn effects_before_an_unknown_index_is_written() {
    check_effects(
        "W[any!()] = g();",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  event g
          1 -> 2  W[0]=true
          1 -> 2  W[1]=true
    "#]],
    );
    check_effects(
        "V[any!()] += h();",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  event h
          1 -> 2  V[0]+=1
          1 -> 2  V[1]+=1
    "#]],
    );
    check_effects(
        "W[any!()] |= g();",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  event g
          1 -> 2  W[0]=?
          1 -> 2  W[1]=?
    "#]],
    );
    check_effects(
        "A[any!()][h()] = true;",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  event h
          1 -> 2  A[0][1]=true
          1 -> 2  A[1][1]=true
    "#]],
    );
    check_effects(
        "A[h()][any!()] = g();",
        expect![[r#"
        : 4 points, 0 to 3
          0 -> 1  event h
          1 -> 2  event g
          2 -> 3  A[1][0]=true
          2 -> 3  A[1][1]=true
    "#]],
    );
    check_effects(
        "if A[any!()][h()] { event!(yes); }",
        expect![[r#"
        : 4 points, 1 to 3
          1 -> 2  event h
          2 -> 0  silent
          2 -> 3  silent
          0 -> 3  event yes
    "#]],
    );
    check_effects(
        "V[any!()] = K;",
        expect![[r#"
        : 6 points, 0 to 5
          0 -> 1  test K==0
          0 -> 2  test K==1
          0 -> 3  test K==2
          0 -> 4  test K==3
          1 -> 5  V[0]=0
          1 -> 5  V[1]=0
          2 -> 5  V[0]=1
          2 -> 5  V[1]=1
          3 -> 5  V[0]=2
          3 -> 5  V[1]=2
          4 -> 5  V[0]=3
          4 -> 5  V[1]=3
    "#]],
    );
}

#[test]
fn an_unknown_index_chooses_the_element_passed() {
    check_effects(
        "sets(&mut W[any!()]);",
        expect![[r#"
        : 6 points, 0 to 5
          0 -> 1  silent
          0 -> 2  silent
          2 -> 3  event sets
          3 -> 5  W[0]=true
          1 -> 4  event sets
          4 -> 5  W[1]=true
    "#]],
    );
    check_effects(
        "outside(&mut W[any!()]);",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  event outside()
          1 -> 2  W[0]=?
          1 -> 2  W[1]=?
    "#]],
    );
    check_effects(
        "outside(&mut W[h()]);",
        expect![[r#"
        : 4 points, 0 to 3
          0 -> 1  event h
          1 -> 2  event outside()
          2 -> 3  W[1]=?
    "#]],
    );
    check_effects(
        "outside(&mut V[K]);",
        expect![[r#"
        : 8 points, 0 to 7
          0 -> 1  test K==0
          0 -> 2  test K==1
          0 -> 3  test K==2
          0 -> 4  test K==3
          1 -> 5  event outside()
          5 -> 7  V[0]=?
          2 -> 6  event outside()
          6 -> 7  V[1]=?
    "#]],
    );
}

#[test]
fn unused_lazy_operators_are_control_flow() {
    check_effects(
        "X && g();",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  test X==true
          0 -> 2  test X==false
          1 -> 2  event g
    "#]],
    );
    check_effects(
        "X || g();",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 2  test X==true
          0 -> 1  test X==false
          1 -> 2  event g
    "#]],
    );
    check_effects(
        "false && g();",
        expect![[r#"
        : 1 points, 0 to 0
    "#]],
    );
    check_effects(
        "outside(X && g());",
        expect![[r#"
        : 4 points, 0 to 3
          0 -> 1  test X==true
          0 -> 2  test X==false
          1 -> 2  event g
          2 -> 3  event outside()
    "#]],
    );
    check_effects(
        "(X && g()) == Y;",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  test X==true
          0 -> 2  test X==false
          1 -> 2  event g
    "#]],
    );
    check_effects(
        "X && Y;",
        expect![[r#"
        : 1 points, 0 to 0
    "#]],
    );
    check_effects(
        "(any!() && g()) as usize;",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  silent
          0 -> 2  silent
          1 -> 2  event g
    "#]],
    );
}

#[test]
fn unknown_left_operands_may_leave_the_right_out() {
    check_effects(
        "let b = any!() && g();",
        expect![[r#"
        : 5 points, 0 to 4
          0 -> 2  silent
          0 -> 1  silent
          2 -> 3  event g
          1 -> 4  t.b=false
          3 -> 4  t.b=true
    "#]],
    );
    check_effects(
        "Y = any!() || g();",
        expect![[r#"
        : 5 points, 0 to 4
          0 -> 2  silent
          0 -> 1  silent
          2 -> 3  event g
          1 -> 4  Y=true
          3 -> 4  Y=true
    "#]],
    );
    check_effects(
        "Y |= any!() && g();",
        expect![[r#"
        : 9 points, 0 to 8
          0 -> 4  silent
          0 -> 1  silent
          1 -> 2  test Y==false
          1 -> 3  test Y==true
          4 -> 5  event g
          5 -> 6  test Y==false
          5 -> 7  test Y==true
          2 -> 8  Y=false
          3 -> 8  Y=true
          6 -> 8  Y=true
          7 -> 8  Y=true
    "#]],
    );
    check_effects(
        "Y = any!() && X;",
        expect![[r#"
        : 6 points, 0 to 5
          0 -> 1  silent
          0 -> 2  silent
          1 -> 3  test X==false
          1 -> 4  test X==true
          2 -> 5  Y=false
          3 -> 5  Y=false
          4 -> 5  Y=true
    "#]],
    );
    check_effects(
        "Y = X && g();",
        expect![[r#"
        : 5 points, 0 to 4
          0 -> 1  test X==false
          0 -> 2  test X==true
          2 -> 3  event g
          1 -> 4  Y=false
          3 -> 4  Y=true
    "#]],
    );
    check_effects(
        "V[(any!() && g()) as usize] = 1;",
        expect![[r#"
        : 5 points, 0 to 4
          0 -> 2  silent
          0 -> 1  silent
          2 -> 3  event g
          1 -> 4  V[0]=1
          3 -> 4  V[1]=1
    "#]],
    );
}

#[test]
fn conditions_with_effects_are_tried_again() {
    check_effects(
        "wait!(g());",
        expect![[r#"
        : 2 points, 0 to 1
          0 -> 1  event g
    "#]],
    );
    check_effects(
        "wait!(X || g());",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 2  test X==true
          0 -> 1  silent
          1 -> 2  event g
    "#]],
    );
    check_effects(
        "wait!(X && !g());",
        expect![[r#"
        : 3 points, 0 to 2
          0 -> 1  test X==true
          1 -> 0  event g
    "#]],
    );
}

#[test]
fn a_failed_guard_keeps_the_value() {
    check_effects(
        "match K { 0..=2 if X => event!(a), 0 => event!(b), _ => event!(c) }",
        expect![[r#"
            : 10 points, 0 to 9
              0 -> 1  test K==0
              0 -> 2  test K==1
              0 -> 3  test K==2
              1 -> 4  test X==true
              1 -> 5  test X==false
              4 -> 9  event a
              2 -> 6  test X==true
              2 -> 8  test X==false
              6 -> 9  event a
              3 -> 7  test X==true
              3 -> 8  test X==false
              7 -> 9  event a
              5 -> 9  event b
              0 -> 8  test K==3
              8 -> 9  event c
        "#]],
    );
}
