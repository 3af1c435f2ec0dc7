//! Control flow, rendezvous, functions.

use super::{check, check_body};
use expect_test::expect;

#[test]
fn if_is_two_tests() {
    check_body(
        "if N == 0 { event!(a); } else { event!(b); } event!(c);",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 1  test N==0
          0 -> 2  test N!=0
          1 -> 3  event a
          2 -> 3  event b
          3 -> 4  event c
    "#]],
    );
    check_body(
        "if B { event!(a); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  test B==true
          0 -> 2  test B==false
          1 -> 2  event a
    "#]],
    );
    check_body(
        "if any!() { event!(a); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  silent
          0 -> 2  silent
          1 -> 2  event a
    "#]],
    );
}

#[test]
fn constant_conditions_take_one_branch() {
    check_body(
        "if 1 < 2 { event!(a); } else { event!(b); } while false { event!(c); }",
        expect![[r#"
        task t: 2 points, 0 to 1
          0 -> 1  event a
    "#]],
    );
    check_body(
        "if N <= 3 { event!(a); } else { event!(b); }",
        expect![[r#"
        task t: 2 points, 0 to 1
          0 -> 1  event a
    "#]],
    );
}

#[test]
fn logical_operators_are_control_flow() {
    check_body(
        "if B && !C { event!(a); } else { event!(b); }",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 3  test B==true
          0 -> 2  test B==false
          3 -> 2  test C==true
          3 -> 1  test C==false
          1 -> 4  event a
          2 -> 4  event b
    "#]],
    );
    check_body(
        "if B || C { event!(a); }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test B==true
          0 -> 2  test B==false
          2 -> 1  test C==true
          2 -> 3  test C==false
          1 -> 3  event a
    "#]],
    );
}

#[test]
fn comparison_of_two_variables() {
    check_body(
        "if M < N { event!(a); }",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 2  test M==0
          0 -> 3  test M==1
          2 -> 1  test N!=0
          2 -> 4  test N==0
          3 -> 1  test N>=2
          3 -> 4  test N<2
          1 -> 4  event a
    "#]],
    );
    check_body(
        "if W[M] == 2 { event!(a); }",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 2  test M==0
          0 -> 3  test M==1
          2 -> 1  test W[0]==2
          2 -> 4  test W[0]!=2
          3 -> 1  test W[1]==2
          3 -> 4  test W[1]!=2
          1 -> 4  event a
    "#]],
    );
    check_body(
        "if N == N { event!(a); } else { event!(b); }",
        expect![[r#"
            task t: 2 points, 0 to 1
              0 -> 1  event a
        "#]],
    );
}

#[test]
fn waiting_takes_any_alternative() {
    check_body(
        "wait!(N != 0);",
        expect![[r#"
        task t: 2 points, 0 to 1
          0 -> 1  test N!=0
    "#]],
    );
    check_body(
        "wait!(B || N > 1);",
        expect![[r#"
        task t: 2 points, 0 to 1
          0 -> 1  test B==true
          0 -> 1  test N>=2
    "#]],
    );
    check_body(
        "wait!(!(B || C)); wait!(false);",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 2  test B==false
          2 -> 1  test C==false
    "#]],
    );
}

#[test]
fn tie_breaker_of_three() {
    let source = "const N: usize = 3;
        static mut IN: [int!(0..N); N] = [0; N];
        static mut LAST: [int!(0..N); N] = [any!(); N];
        #[task(i in 0..1)] fn p(i: usize) {
            while any!() {
                for j in 1..N {
                    IN[i] = j;
                    LAST[j] = i;
                    for k in 0..N { if k != i { wait!(IN[k] < j || LAST[j] != i); } }
                }
                event!(enter[i]);
                event!(leave[i]);
                IN[i] = 0;
            }
        }";
    check(
        source,
        expect![[r#"
        variable IN[0]: int!(0..=2) = 0
        variable IN[1]: int!(0..=2) = 0
        variable IN[2]: int!(0..=2) = 0
        variable LAST[0]: int!(0..=2) = ?
        variable LAST[1]: int!(0..=2) = ?
        variable LAST[2]: int!(0..=2) = ?
        task p[0]: 13 points, 0 to 12
          0 -> 1  silent
          0 -> 12  silent
          1 -> 3  IN[0]=1
          3 -> 4  LAST[1]=0
          4 -> 5  test IN[1]==0
          4 -> 5  test LAST[1]!=0
          5 -> 2  test IN[2]==0
          5 -> 2  test LAST[1]!=0
          2 -> 7  IN[0]=2
          7 -> 8  LAST[2]=0
          8 -> 9  test IN[1]!=2
          8 -> 9  test LAST[2]!=0
          9 -> 6  test IN[2]!=2
          9 -> 6  test LAST[2]!=0
          6 -> 10  event enter[0]
          10 -> 11  event leave[0]
          11 -> 0  IN[0]=0
    "#]],
    );
}

#[test]
fn loops_and_jumps() {
    check_body(
        "while any!() { event!(a); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  silent
          0 -> 2  silent
          1 -> 0  event a
    "#]],
    );
    check_body(
        "while B { event!(a); if C { break; } if any!() { continue; } event!(b); }",
        expect![[r#"
        task t: 6 points, 0 to 5
          0 -> 1  test B==true
          0 -> 5  test B==false
          1 -> 2  event a
          2 -> 5  test C==true
          2 -> 3  test C==false
          3 -> 0  silent
          3 -> 4  silent
          4 -> 0  event b
    "#]],
    );
    check_body(
        "'a: loop { loop { if B { break 'a; } event!(x); continue 'a; } } event!(y);",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 2  test B==true
          0 -> 1  test B==false
          1 -> 0  event x
          2 -> 3  event y
    "#]],
    );
    check_body(
        "for i in (0..3).rev() { if i == 1 { continue; } event!(e(i)); if B { break; } }",
        expect![[r#"
            task t: 5 points, 0 to 4
              0 -> 1  event e(2)
              1 -> 4  test B==true
              1 -> 2  test B==false
              2 -> 3  event e(0)
              3 -> 4  test B==true
              3 -> 4  test B==false
        "#]],
    );
    check_body(
        "loop {}",
        expect![[r#"
            task t: 2 points, 0 to 1
              0 -> 0  silent
        "#]],
    );
}

#[test]
fn matching() {
    check_body(
        "match P { Phase::Idle => event!(a), Phase::Busy | Phase::Done => event!(b) }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test P==Idle
          1 -> 3  event a
          0 -> 2  test P!=Idle
          2 -> 3  event b
    "#]],
    );
    check_body(
        "match N { 0 => event!(a), 1..=2 => event!(b), _ => event!(c) }",
        expect![[r#"
        task t: 5 points, 0 to 4
          0 -> 1  test N==0
          1 -> 4  event a
          0 -> 2  test N in {1,2}
          2 -> 4  event b
          0 -> 3  test N==3
          3 -> 4  event c
    "#]],
    );
    check_body(
        "match N { 0..=2 if B => event!(a), 1 => event!(b), k => event!(c(k)) }",
        expect![[r#"
            task t: 12 points, 0 to 11
              0 -> 1  test N==0
              0 -> 2  test N==1
              0 -> 3  test N==2
              1 -> 4  test B==true
              1 -> 5  test B==false
              4 -> 11  event a
              2 -> 6  test B==true
              2 -> 7  test B==false
              6 -> 11  event a
              3 -> 8  test B==true
              3 -> 9  test B==false
              8 -> 11  event a
              7 -> 11  event b
              0 -> 10  test N==3
              10 -> 11  event c(3)
              5 -> 11  event c(0)
              9 -> 11  event c(2)
        "#]],
    );
    check_body(
        "match M + 1 { 1 => event!(a), _ => event!(b) }",
        expect![[r#"
        task t: 4 points, 0 to 3
          0 -> 1  test M==0
          0 -> 2  test M==1
          1 -> 3  event a
          2 -> 3  event b
    "#]],
    );
    check_body(
        "match foo() { 1 => event!(a), _ => loop { event!(b); } }",
        expect![[r#"
        note[task-abstracted]: `foo()` is not defined in the model: it is treated as an event with an unknown result
         --> model.rs:8:32
          |
        8 |         #[task] fn t() { match foo() { 1 => event!(a), _ => loop { event!(b); } } }
          |                                ^^^^^
        task t: 5 points, 0 to 4
          0 -> 1  event foo()
          1 -> 2  silent
          2 -> 4  event a
          1 -> 3  silent
          3 -> 3  event b
    "#]],
    );
    check_body(
        "if matches!(P, Phase::Idle | Phase::Done) { event!(a); }",
        expect![[r#"
        task t: 3 points, 0 to 2
          0 -> 1  test P!=Busy
          0 -> 2  test P==Busy
          1 -> 2  event a
    "#]],
    );
}

#[test]
fn matching_an_unknown_value_with_guards() {
    check_body(
        "match any!() { 0 if B => event!(a), 1 if C => event!(b), _ => event!(c) }",
        expect![[r#"
        task t: 8 points, 0 to 7
          0 -> 1  silent
          1 -> 2  test B==true
          1 -> 3  test B==false
          2 -> 7  event a
          0 -> 3  silent
          3 -> 4  silent
          4 -> 5  test C==true
          4 -> 6  test C==false
          5 -> 7  event b
          3 -> 6  silent
          6 -> 7  event c
    "#]],
    );
    let arms: String = (0..60).map(|value| format!("{value} if B => event!(a), ")).collect();
    let shown = super::show(
        &format!("static B: bool = any!(); #[task] fn t() {{ match any!() {{ {arms} _ => {{}} }} }}"),
        &[],
    );
    assert!(shown.contains("task t: "), "{shown}");
}

#[test]
fn choices() {
    check_body(
        "choose! { { event!(a); } { } i in 0..2, p in Phase => { event!(b(i, p)); } }",
        expect![[r#"
        task t: 9 points, 0 to 8
          0 -> 1  silent
          1 -> 8  event a
          0 -> 8  silent
          0 -> 2  silent
          2 -> 8  event b(0,Idle)
          0 -> 3  silent
          3 -> 8  event b(0,Busy)
          0 -> 4  silent
          4 -> 8  event b(0,Done)
          0 -> 5  silent
          5 -> 8  event b(1,Idle)
          0 -> 6  silent
          6 -> 8  event b(1,Busy)
          0 -> 7  silent
          7 -> 8  event b(1,Done)
    "#]],
    );
}

#[test]
fn rendezvous_with_parameters_and_bodies() {
    check(
        "static mut B: bool = false;
        #[task] fn s() {
            accept!(put[i in 0..2](v in bool) => { B = v; event!(got[i]); });
            accept!(done);
        }
        #[task] fn c() { call!(s.put[0](true)); call!(s.put[1](B)); call!(s.put[0](any!())); call!(s.done); }",
        expect![[r#"
            variable B: bool = false
            entry s.put[0](false)
            entry s.put[0](true)
            entry s.put[1](false)
            entry s.put[1](true)
            entry s.done
            task s: 15 points, 0 to 14
              0 -> 1  accept s.put[0](false) body 2 to 3
              2 -> 4  B=false
              4 -> 3  event got[0]
              0 -> 1  accept s.put[0](true) body 5 to 6
              5 -> 7  B=true
              7 -> 6  event got[0]
              0 -> 1  accept s.put[1](false) body 8 to 9
              8 -> 10  B=false
              10 -> 9  event got[1]
              0 -> 1  accept s.put[1](true) body 11 to 12
              11 -> 13  B=true
              13 -> 12  event got[1]
              1 -> 14  accept s.done
            task c: 7 points, 0 to 6
              0 -> 1  call s.put[0](true)
              1 -> 3  test B==false
              1 -> 4  test B==true
              3 -> 2  call s.put[1](false)
              4 -> 2  call s.put[1](true)
              2 -> 5  call s.put[0](false)
              2 -> 5  call s.put[0](true)
              5 -> 6  call s.done
        "#]],
    );
}

#[test]
fn selecting() {
    check(
        "static mut W: [int!(0..=2); 2] = [0; 2]; static mut B: bool = false;
        #[task] fn s() {
            loop {
                select! {
                    p in 0..2 => when W[p] > 0 => accept!(charge(p) => { event!(body); }) => { W[p] -= 1; }
                    when B && W[0] == 0 => accept!(a),
                    when true => accept!(b) => { break; }
                    when 1 > 2 => accept!(never)
                    call!(log.write) => { event!(logged); }
                    else => { event!(other); }
                    terminate
                }
            }
            event!(end);
        }
        #[task] fn log() { accept!(write); }
        #[task] fn c() { call!(s.charge(0)); call!(s.charge(1)); call!(s.a); call!(s.b); }",
        expect![[r#"
            variable W[0]: int!(0..=2) = 0
            variable W[1]: int!(0..=2) = 0
            variable B: bool = false
            entry s.charge(0)
            entry s.charge(1)
            entry s.a
            entry s.b
            entry log.write
            task s: 15 points, 0 to 14
              0 -> 1  test W[0]!=0
              1 -> 2  accept s.charge(0) body 3 to 4
              3 -> 4  event body
              2 -> 0  W[0]-=1
              0 -> 5  test W[1]!=0
              5 -> 6  accept s.charge(1) body 7 to 8
              7 -> 8  event body
              6 -> 0  W[1]-=1
              0 -> 10  test B==true
              10 -> 9  test W[0]==0
              9 -> 0  accept s.a
              0 -> 11  accept s.b
              0 -> 12  call log.write
              12 -> 0  event logged
              0 -> 13  silent
              13 -> 0  event other
              0 -> 14  silent
              11 -> 14  event end
            task log: 2 points, 0 to 1
              0 -> 1  accept log.write
            task c: 5 points, 0 to 4
              0 -> 1  call s.charge(0)
              1 -> 2  call s.charge(1)
              2 -> 3  call s.a
              3 -> 4  call s.b
        "#]],
    );
}

#[test]
fn a_call_that_depends_on_a_variable_may_block() {
    check(
        "static mut N: int!(0..=3) = 0;
        #[task] fn s() { accept!(get(i in 0..2)); }
        #[task(i in 0..2)] fn w(i: usize) { accept!(go); }
        fn start(i: usize) { call!(w[i].go); }
        #[task] fn c() { call!(s.get(N)); start(N); }",
        expect![[r#"
            variable N: int!(0..=3) = 0
            entry s.get(0)
            entry s.get(1)
            entry w[0].go
            entry w[1].go
            task s: 2 points, 0 to 1
              0 -> 1  accept s.get(0)
              0 -> 1  accept s.get(1)
            task w[0]: 2 points, 0 to 1
              0 -> 1  accept w[0].go
            task w[1]: 2 points, 0 to 1
              0 -> 1  accept w[1].go
            task c: 11 points, 0 to 10
              0 -> 2  test N==0
              0 -> 3  test N==1
              0 -> 4  test N==2
              0 -> 5  test N==3
              2 -> 1  call s.get(0)
              3 -> 1  call s.get(1)
              1 -> 6  test N==0
              1 -> 7  test N==1
              1 -> 8  test N==2
              1 -> 9  test N==3
              6 -> 10  call w[0].go
              7 -> 10  call w[1].go
        "#]],
    );
}

#[test]
fn functions_are_inlined() {
    check_body(
        "",
        expect![[r#"
        task t: 1 points, 0 to 0
    "#]],
    );
    check(
        "static mut N: int!(0..=2) = 0; static mut B: bool = false;
        fn next(n: usize) -> usize { if n == 2 { return 0; } n + 1 }
        fn set(x: &mut bool, to: bool) { *x = to; }
        fn is_low(n: usize) -> bool { n < 2 }
        #[task] fn t() { N = next(N); set(&mut B, true); if is_low(N) { event!(low); } let k = next(1); event!(k(k)); }",
        expect![[r#"
            variable N: int!(0..=2) = 0
            variable B: bool = false
            task t: 9 points, 0 to 8
              0 -> 1  test N==0
              0 -> 2  test N==1
              0 -> 3  test N==2
              1 -> 4  N=1
              2 -> 4  N=2
              3 -> 4  N=0
              4 -> 6  B=true
              6 -> 5  test N==0
              6 -> 5  test N==1
              6 -> 7  test N==2
              5 -> 7  event low
              7 -> 8  event k(2)
        "#]],
    );
}

#[test]
fn an_argument_from_a_variable_may_leave_the_type() {
    check(
        "static mut N: int!(0..=2) = 0;
        fn f(n: int!(0..=1)) -> int!(0..=1) { event!(f(n)); n }
        #[task] fn t() { N = f(N); }",
        expect![[r#"
            variable N: int!(0..=2) = 0
            task t: 8 points, 0 to 7
              0 -> 1  test N==0
              0 -> 2  test N==1
              0 -> 3  test N==2
              1 -> 4  event f(0)
              2 -> 5  event f(1)
              3 -> 6  event f(2)
              4 -> 7  N=0
              5 -> 7  N=1
              6 -> 7  N=2
        "#]],
    );
}

#[test]
fn what_is_not_understood_keeps_its_events() {
    check(
        "static mut B: bool = false;
        fn f() -> bool { event!(f); true }
        #[task] fn t() {
            foo::bar(f(), &mut B);
            println!(\"{}\", f());
            if x.ready(f()) { event!(yes); }
            let v = (f(), 1).0;
            B = f() && v;
            B.toggle();
        }",
        expect![[r#"
            note[task-abstracted]: `foo::bar()` is not defined in the model: it is treated as an event with an unknown result
             --> model.rs:4:13
              |
            4 |             foo::bar(f(), &mut B);
              |             ^^^^^^^^^^^^^^^^^^^^^
            note[task-abstracted]: `println!` is not supported: it is ignored
             --> model.rs:5:13
              |
            5 |             println!("{}", f());
              |             ^^^^^^^^^^^^^^^^^^^
            note[task-abstracted]: `.ready()` is not defined in the model: it is treated as an event with an unknown result
             --> model.rs:6:16
              |
            6 |             if x.ready(f()) { event!(yes); }
              |                ^^^^^^^^^^^^
            note[task-abstracted]: a field is not supported: its value is treated as unknown
             --> model.rs:7:21
              |
            7 |             let v = (f(), 1).0;
              |                     ^^^^^^^^^^
            note[task-abstracted]: `.toggle()` is not defined in the model: it is treated as an event with an unknown result
             --> model.rs:9:13
              |
            9 |             B.toggle();
              |             ^^^^^^^^^^
            variable B: bool = false
            task t: 14 points, 0 to 13
              0 -> 1  event f
              1 -> 2  event foo::bar()
              2 -> 3  B=?
              3 -> 5  event f
              5 -> 6  event f
              6 -> 7  event .ready()
              7 -> 4  silent
              7 -> 8  silent
              4 -> 8  event yes
              8 -> 9  event f
              9 -> 10  event f
              10 -> 11  B=?
              11 -> 12  event .toggle()
              12 -> 13  B=?
        "#]],
    );
}

#[test]
fn accept_in_a_function() {
    check(
        "fn serve(i: usize) { accept!(get(i) => { event!(e(i)); }); }
        #[task(k in 0..2)] fn s(k: usize) { serve(k); }
        #[task] fn c() { call!(s[0].get(0)); call!(s[1].get(1)); }",
        expect![[r#"
            entry s[0].get(0)
            entry s[1].get(1)
            task s[0]: 4 points, 0 to 3
              0 -> 3  accept s[0].get(0) body 1 to 2
              1 -> 2  event e(0)
            task s[1]: 4 points, 0 to 3
              0 -> 3  accept s[1].get(1) body 1 to 2
              1 -> 2  event e(1)
            task c: 3 points, 0 to 2
              0 -> 1  call s[0].get(0)
              1 -> 2  call s[1].get(1)
        "#]],
    );
}
