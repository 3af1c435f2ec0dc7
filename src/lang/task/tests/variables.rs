//! Declarations and assignments.

use super::{check, check_body};
use expect_test::expect;

#[test]
fn assignments() {
    check_body(
        "B = true; N = 3; P = Phase::Busy; W[1] = 2; B = any!(); N = B as usize;",
        expect![[r#"
        task t: 9 points, 0 to 8
          0 -> 1  B=true
          1 -> 2  N=3
          2 -> 3  P=Busy
          3 -> 4  W[1]=2
          4 -> 5  B=?
          5 -> 6  test B==false
          5 -> 7  test B==true
          6 -> 8  N=0
          7 -> 8  N=1
    "#]],
    );
    check_body(
        "N += 1; N -= 2; N = N + 1; N = 1 + N; N = N - 1; N += 0; N *= 2;",
        expect![[r#"
        task t: 11 points, 0 to 10
          0 -> 1  N+=1
          1 -> 2  N-=2
          2 -> 3  N+=1
          3 -> 4  N+=1
          4 -> 5  N-=1
          5 -> 6  test N==0
          5 -> 7  test N==1
          5 -> 8  test N==2
          5 -> 9  test N==3
          6 -> 10  N=0
          7 -> 10  N=2
          8 -> 10  N=?
          9 -> 10  N=?
    "#]],
    );
}

#[test]
fn a_copy_reads_then_writes() {
    check_body(
        "B = C;",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test C==false
          0 -> 2  test C==true
          1 -> 3  B=false
          2 -> 3  B=true
    "#]],
    );
    check_body(
        "N = N;",
        expect![[r#"
        task t: 6 points, 0 to 5
          0 -> 1  test N==0
          0 -> 2  test N==1
          0 -> 3  test N==2
          0 -> 4  test N==3
          1 -> 5  N=0
          2 -> 5  N=1
          3 -> 5  N=2
          4 -> 5  N=3
    "#]],
    );
    check_body(
        "N = M + 3;",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  N=3
          2 -> 3  N=?
    "#]],
    );
    check_body(
        "M = N;",
        expect![[r#"
        task t: 6 points, 0 to 5
          0 -> 1  test N==0
          0 -> 2  test N==1
          0 -> 3  test N==2
          0 -> 4  test N==3
          1 -> 5  M=0
          2 -> 5  M=1
          3 -> 5  M=?
          4 -> 5  M=?
    "#]],
    );
    check_body(
        "N += M;",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 2  test M==0
          0 -> 1  test M==1
          1 -> 2  N+=1
    "#]],
    );
}

#[test]
fn a_variable_as_index() {
    check_body(
        "W[M] = 1;",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  W[0]=1
          2 -> 3  W[1]=1
    "#]],
    );
    check_body(
        "W[M] += 1;",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  W[0]+=1
          2 -> 3  W[1]+=1
    "#]],
    );
    check_body(
        "W[M] = W[M] + 1;",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  W[0]+=1
          2 -> 3  W[1]+=1
    "#]],
    );
    check_body(
        "W[any!()] = 1;",
        expect![[r#"
            task t: 2 points, 0 to 1
              0 -> 1  W[0]=1
              0 -> 1  W[1]=1
        "#]],
    );
}

#[test]
fn short_circuit_in_values() {
    check_body(
        "B = B && C;",
        expect![[r#"
        task t: 6 points, 0 to 5
          0 -> 1  test B==false
          0 -> 2  test B==true
          2 -> 3  test C==false
          2 -> 4  test C==true
          1 -> 5  B=false
          3 -> 5  B=false
          4 -> 5  B=true
    "#]],
    );
    check_body(
        "B = if C { any!() } else { N > 1 };",
        expect![[r#"
        task t: 6 points, 0 to 5
          0 -> 1  test C==true
          0 -> 2  test C==false
          2 -> 3  test N==0
          2 -> 3  test N==1
          2 -> 4  test N==2
          2 -> 4  test N==3
          1 -> 5  B=?
          3 -> 5  B=false
          4 -> 5  B=true
    "#]],
    );
}

#[test]
fn local_variables() {
    check_body(
        "let mut x: bool = false; let mut x: Phase; loop { let mut y: bool; let mut x: bool = C; }",
        expect![[r#"
        variable t.x: bool = ?
        variable t.x#2: Phase = ?
        variable t.y: bool = ?
        variable t.x#3: bool = ?
        task t: 6 points, 0 to 5
          0 -> 1  t.x=false
          1 -> 2  t.y=?
          2 -> 3  test C==false
          2 -> 4  test C==true
          3 -> 1  t.x#3=false
          4 -> 1  t.x#3=true
    "#]],
    );
    check_body(
        "let k = 2 + 1; event!(e(k)); let c = N; let big = N > 1; let n = M + 5;",
        expect![[r#"
        variable t.c: int!(0..=3) = ?
        variable t.big: bool = ?
        variable t.n: int!(5..=6) = ?
        task t: 15 points, 0 to 14
          0 -> 1  event e(3)
          1 -> 2  test N==0
          1 -> 3  test N==1
          1 -> 4  test N==2
          1 -> 5  test N==3
          2 -> 6  t.c=0
          3 -> 6  t.c=1
          4 -> 6  t.c=2
          5 -> 6  t.c=3
          6 -> 7  test N==0
          6 -> 8  test N==1
          6 -> 9  test N==2
          6 -> 10  test N==3
          7 -> 11  t.big=false
          8 -> 11  t.big=false
          9 -> 11  t.big=true
          10 -> 11  t.big=true
          11 -> 12  test M==0
          11 -> 13  test M==1
          12 -> 14  t.n=5
          13 -> 14  t.n=6
    "#]],
    );
    check_body(
        "let mut a: [bool; 2] = [true, any!()]; let mut b: [[bool; 1]; 2]; a[M] = b[M][0];",
        expect![[r#"
        variable t.a[0]: bool = ?
        variable t.a[1]: bool = ?
        variable t.b[0][0]: bool = ?
        variable t.b[1][0]: bool = ?
        task t: 10 points, 0 to 9
          0 -> 1  t.a[0]=true
          1 -> 2  t.a[1]=?
          2 -> 3  test M==0
          2 -> 4  test M==1
          3 -> 5  test t.b[0][0]==false
          3 -> 6  test t.b[0][0]==true
          4 -> 7  test t.b[1][0]==false
          4 -> 8  test t.b[1][0]==true
          5 -> 9  t.a[0]=false
          6 -> 9  t.a[0]=true
          7 -> 9  t.a[1]=false
          8 -> 9  t.a[1]=true
    "#]],
    );
}

#[test]
fn an_unknown_local_keeps_its_value() {
    check_body(
        "let x: bool = any!(); if x { event!(a); } if x { event!(b); }",
        expect![[r#"
        variable t.x: bool = ?
        task t: 6 points, 0 to 5
          0 -> 1  t.x=?
          1 -> 2  test t.x==true
          1 -> 3  test t.x==false
          2 -> 3  event a
          3 -> 4  test t.x==true
          3 -> 5  test t.x==false
          4 -> 5  event b
    "#]],
    );
    check_body(
        "let x = any!(); if x { event!(a); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  silent
          0 -> 2  silent
          1 -> 2  event a
    "#]],
    );
}

#[test]
fn locals_of_functions_and_families() {
    check(
        "fn f() { let mut x: bool = true; }
        #[task(i in 0..2)] fn t(i: usize) { let mut x: int!(0..=i) = 0; f(); f(); }",
        expect![[r#"
            variable t[0].x: int!(0..=0) = ?
            variable t[0].f.x: bool = ?
            variable t[1].x: int!(0..=1) = ?
            variable t[1].f.x: bool = ?
            task t[0]: 4 points, 0 to 3
              0 -> 1  t[0].x=0
              1 -> 2  t[0].f.x=true
              2 -> 3  t[0].f.x=true
            task t[1]: 4 points, 0 to 3
              0 -> 1  t[1].x=0
              1 -> 2  t[1].f.x=true
              2 -> 3  t[1].f.x=true
        "#]],
    );
}

#[test]
fn nested_arrays_and_initial_values() {
    check(
        "const N: usize = 2;
        enum E { A, B }
        static mut V: [[int!(-1..N); 2]; N] = [[-1, 0], [1; 2]];
        static mut U: [E; 2] = [E::B, any!()];
        static X: bool = !false;
        #[task] fn t() { V[1][0] = -1; if U[0] == E::A { V[0][1] -= 1; } }",
        expect![[r#"
            variable V[0][0]: int!(-1..=1) = -1
            variable V[0][1]: int!(-1..=1) = 0
            variable V[1][0]: int!(-1..=1) = 1
            variable V[1][1]: int!(-1..=1) = 1
            variable U[0]: E = B
            variable U[1]: E = ?
            variable X: bool = true
            task t: 4 points, 0 to 3
              0 -> 1  V[1][0]=-1
              1 -> 2  test U[0]==A
              1 -> 3  test U[0]==B
              2 -> 3  V[0][1]-=1
        "#]],
    );
}
