//! Expressions and references.

use super::{check, check_in, check_tree};
use expect_test::expect;

#[test]
fn operators() {
    check_tree(
        r#"int a, b, c;
init { a = a + b * c - -a; a = a | b ^ c & 3 == 4 < 5 << 1; a = !a && ~b || c % 2; a = (a -> b : c); a > 1 && (a -> b : c) }"#,
        expect![[r#"
    int a
    int b
    int c
    init active 1 parameters 0
      a = ((a + (b * c)) - -a)
      a = (a | (b ^ (c & (3 == (4 < (5 << 1))))))
      a = ((!a && ~b) || (c % 2))
      a = (a -> b : c)
      ((a > 1) && (a -> b : c))
"#]],
    );
}

#[test]
fn predefined() {
    check_tree(
        "init { byte x; x = _pid + _nr_pr + _last; timeout; true; false; skip && x; assert x == 1; x = 'a' }",
        expect![[r#"
        init active 1 parameters 0
          byte x
          x#0 = ((_pid + _nr_pr) + _last)
          timeout
          1
          0
          (1 && x#0)
          assert (x#0 == 1)
          x#0 = 97
    "#]],
    );
}

#[test]
fn remote_references() {
    check_tree(
        r#"proctype P() { byte z; int a[2]; L: z++ }
init { P[1]@L; P@L; P[1]:z == 2; P:a[1] > (P[_pid]:z -> 1 : 2) }"#,
        expect![[r#"
    P active 0 parameters 0
      byte z
      int a[2]
      L: z#0 = (z#0 + 1)
    init active 1 parameters 0
      P[1]@L
      P@L
      (P[1]:z#0 == 2)
      (P:a#1[1] > (P[_pid]:z#0 -> 1 : 2))
"#]],
    );
}

#[test]
fn remote_references_can_be_wrong() {
    check(
        r#"proctype P() { byte zoo; Loop: zoo++ }
init { P[1]@Lop; P[1]:zo == 1; Q[1]@Loop }"#,
        expect![[r#"
    error[promela-label]: proctype `P` has no label `Lop`
     --> model.pml:2:13
      |
    2 | init { P[1]@Lop; P[1]:zo == 1; Q[1]@Loop }
      |             ^^^
      |
      = help: did you mean `Loop`?
    error[promela-unknown]: proctype `P` has no variable `zo`
     --> model.pml:2:23
      |
    2 | init { P[1]@Lop; P[1]:zo == 1; Q[1]@Loop }
      |                       ^^
      |
      = help: did you mean `zoo`?
    error[promela-unknown]: no proctype is named `Q`
     --> model.pml:2:32
      |
    2 | init { P[1]@Lop; P[1]:zo == 1; Q[1]@Loop }
      |                                ^"#]],
    );
    check(
        r#"proctype P() { byte a[2]; L: skip }
init { P:a == 1; P@3 }"#,
        expect![[r#"
    error[promela-syntax]: expected a label, found `3`
     --> model.pml:2:20
      |
    2 | init { P:a == 1; P@3 }
      |                    ^
    error[promela-index]: `a` is an array and needs an index
     --> model.pml:2:10
      |
    2 | init { P:a == 1; P@3 }
      |          ^"#]],
    );
}

#[test]
fn references_can_be_wrong() {
    check(
        r#"byte a[3], x;
init { a = 1; x[1] = 2; a[3] = 1; a[-1] = 2 }"#,
        expect![[r#"
    error[promela-index]: `a` is an array and needs an index
     --> model.pml:2:8
      |
    2 | init { a = 1; x[1] = 2; a[3] = 1; a[-1] = 2 }
      |        ^
    error[promela-index]: `x` is not an array
     --> model.pml:2:17
      |
    2 | init { a = 1; x[1] = 2; a[3] = 1; a[-1] = 2 }
      |                 ^
    warning[promela-index]: index 3 is out of range: the array has length 3
     --> model.pml:2:27
      |
    2 | init { a = 1; x[1] = 2; a[3] = 1; a[-1] = 2 }
      |                           ^"#]],
    );
    check(
        r#"typedef R { byte first; byte list[2] }
R r, s[2]; byte x;
init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }"#,
        expect![[r#"
    error[promela-field]: type `R` has no field `frist`
     --> model.pml:3:10
      |
    1 | typedef R { byte first; byte list[2] }
      |         - the type
    2 | R r, s[2]; byte x;
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |          ^^^^^
      |
      = help: did you mean `first`?
    error[promela-field]: `x` is not a record and has no field `first`
     --> model.pml:3:23
      |
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |                       ^^^^^
    error[promela-index]: `list` is an array and needs an index
     --> model.pml:3:36
      |
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |                                    ^^^^
    error[promela-index]: `s` is an array and needs an index
     --> model.pml:3:46
      |
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |                                              ^^^^^^^
    error[promela-index]: `first` is not an array
     --> model.pml:3:70
      |
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |                                                                      ^
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:78
      |
    3 | init { r.frist = 1; x.first = 2; r.list = 3; s.first = 1; s[1].first[2] = 3; r }
      |                                                                              ^"#]],
    );
    check(
        r#"typedef R { byte x }
R r; byte b;
init { b = r + 1; len(r) > 0 }"#,
        expect![[r#"
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:12
      |
    3 | init { b = r + 1; len(r) > 0 }
      |            ^
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:23
      |
    3 | init { b = r + 1; len(r) > 0 }
      |                       ^"#]],
    );
}

#[test]
fn run_can_be_wrong() {
    check(
        r#"proctype P(byte a) { skip }
init { run P(); run P(1, 2) }"#,
        expect![[r#"
    error[promela-arguments]: proctype `P` takes 1 argument, not 0
     --> model.pml:2:8
      |
    1 | proctype P(byte a) { skip }
      |          - declared here
    2 | init { run P(); run P(1, 2) }
      |        ^^^^^^^
    error[promela-arguments]: proctype `P` takes 1 argument, not 2
     --> model.pml:2:17
      |
    1 | proctype P(byte a) { skip }
      |          - declared here
    2 | init { run P(); run P(1, 2) }
      |                 ^^^^^^^^^^^"#]],
    );
    check(
        r#"proctype P(byte a) { skip }
init { byte x; x = run P(1) + 1; run P(run P(2)); !run P(3) }"#,
        expect![[r#"
    error[promela-run]: `run` cannot be an operand, since it changes the state
     --> model.pml:2:20
      |
    2 | init { byte x; x = run P(1) + 1; run P(run P(2)); !run P(3) }
      |                    ^^^^^^^^
      |
      = help: store its result first: `x = run P(…)`
    error[promela-run]: `run` is only allowed as a statement or on the right of `=`
     --> model.pml:2:40
      |
    2 | init { byte x; x = run P(1) + 1; run P(run P(2)); !run P(3) }
      |                                        ^^^^^^^^
    error[promela-run]: `run` cannot be an operand, since it changes the state
     --> model.pml:2:52
      |
    2 | init { byte x; x = run P(1) + 1; run P(run P(2)); !run P(3) }
      |                                                    ^^^^^^^^
      |
      = help: store its result first: `x = run P(…)`"#]],
    );
    check(
        r#"chan q = [1] of {byte}; byte a[9];
proctype P() { skip }
init { q!run P(); a[run P()] = 1 }"#,
        expect![[r#"
    error[promela-run]: `run` is only allowed as a statement or on the right of `=`
     --> model.pml:3:10
      |
    3 | init { q!run P(); a[run P()] = 1 }
      |          ^^^^^^^
    error[promela-run]: `run` is only allowed as a statement or on the right of `=`
     --> model.pml:3:21
      |
    3 | init { q!run P(); a[run P()] = 1 }
      |                     ^^^^^^^"#]],
    );
}

#[test]
fn expressions_can_be_wrong() {
    check(
        r#"byte x;
init { x = !!x }"#,
        expect![[r#"
    error[promela-syntax]: `!!` is the sorted send, not a double negation
     --> model.pml:2:12
      |
    2 | init { x = !!x }
      |            ^^
      |
      = help: write `!(!x)`"#]],
    );
    check(
        r#"byte x;
init { x = (x -> 1) }"#,
        expect![[r#"
    error[promela-syntax]: expected `:`, found `)`
     --> model.pml:2:19
      |
    2 | init { x = (x -> 1) }
      |                   ^"#]],
    );
    check(
        r#"byte x;
init { x = eval(x) }"#,
        expect![[r#"
    error[promela-syntax]: `eval` is only allowed in the arguments of a receive
     --> model.pml:2:12
      |
    2 | init { x = eval(x) }
      |            ^^^^"#]],
    );
    check(
        r#"byte x;
init { np_; enabled(0); pc_value(0) > 1 }"#,
        expect![[r#"
    error[promela-claim]: `np_` is only allowed in claims and formulas
     --> model.pml:2:8
      |
    2 | init { np_; enabled(0); pc_value(0) > 1 }
      |        ^^^
    warning[promela-claim]: `enabled` should only be used in claims and formulas
     --> model.pml:2:13
      |
    2 | init { np_; enabled(0); pc_value(0) > 1 }
      |             ^^^^^^^^^^
    warning[promela-claim]: `pc_value` should only be used in claims and formulas
     --> model.pml:2:25
      |
    2 | init { np_; enabled(0); pc_value(0) > 1 }
      |                         ^^^^^^^^^^^"#]],
    );
    check(
        r#"byte x;
init { len(x) == 0; full(3) }"#,
        expect![[r#"
            error[promela-syntax]: expected a variable, found `3`
             --> model.pml:2:26
              |
            2 | init { len(x) == 0; full(3) }
              |                          ^
            warning[promela-channel]: `x` is not a channel
             --> model.pml:2:12
              |
            2 | init { len(x) == 0; full(3) }
              |            ^
              |
              = help: `len` uses the value as a channel number; a value that is not the number of a channel is a runtime error"#]],
    );
    check(
        r#"byte x;
init { _pid[1] == 2 }"#,
        expect![[r#"
    error[promela-index]: `_pid` has no elements and no fields
     --> model.pml:2:8
      |
    2 | init { _pid[1] == 2 }
      |        ^^^^^^^"#]],
    );
    check(
        r#"byte x;
init { x = 1 2 }"#,
        expect![[r#"
    error[promela-syntax]: expected `;` between statements, found `2`
     --> model.pml:2:14
      |
    2 | init { x = 1 2 }
      |              ^"#]],
    );
}

#[test]
fn in_the_scope_of_a_model() {
    check_in(
        r#"#define big (x > LIMIT)
#define LIMIT 3
mtype = {ack}; byte x; chan q = [1] of {mtype};
active proctype P() { byte n; L: n++ }"#,
        "big && P:n == 1 || q?[ack] || P[0]@L && len(q) < 2",
        expect!["((((x > 3) && (P:n#0 == 1)) || q?[=1]) || (P[0]@L && (len(q) < 2)))"],
    );
    check_in(
        r#"byte count;
init { skip }"#,
        "cuont > 1",
        expect![[r#"
    error[promela-unknown]: `cuont` is not declared
     --> --invariant:1:1
      |
    1 | cuont > 1
      | ^^^^^
      |
      = help: did you mean `count`?"#]],
    );
    check_in(
        r#"byte count;
init { skip }"#,
        "count > ",
        expect![[r#"
    error[promela-syntax]: expected an expression, found the end of the text
     --> --invariant:1:9
      |
    1 | count > 
      |         ^"#]],
    );
    check_in(
        r#"byte count;
init { skip }"#,
        "count > 1 count",
        expect![[r#"
    error[promela-syntax]: expected the end of the expression, found `count`
     --> --invariant:1:11
      |
    1 | count > 1 count
      |           ^^^^^"#]],
    );
    check_in(
        r#"byte count;
init { skip }"#,
        "[] count",
        expect![[r#"
    expression: error[promela-syntax]: expected an expression, found `[`
     --> --invariant:1:1
      |
    1 | [] count
      | ^
    formula: always count"#]],
    );
    check_in(
        r#"byte count;
init { skip }"#,
        "",
        expect![[r#"
    error[promela-syntax]: expected an expression, found the end of the text
     --> --invariant:1:1
      |
    1 |
      | ^"#]],
    );
}

#[test]
fn numbers_that_are_too_large_are_told() {
    check(
        "int x = 4294967295;\ninit { x = 2147483647; x = 007 }",
        expect![[r#"
        warning[promela-range]: this number does not fit in 32 bits
         --> model.pml:1:9
          |
        1 | int x = 4294967295;
          |         ^^^^^^^^^^ treated as -1"#]],
    );
    check(
        "int a[99999999999999999999];\ninit { a[5] = 1 }",
        expect![[r#"
        warning[promela-range]: this number does not fit in 32 bits
         --> model.pml:1:7
          |
        1 | int a[99999999999999999999];
          |       ^^^^^^^^^^^^^^^^^^^^ treated as -1
        error[promela-range]: the length of `a` must be from 1 to 16777216, but is -1
         --> model.pml:1:7
          |
        1 | int a[99999999999999999999];
          |       ^^^^^^^^^^^^^^^^^^^^"#]],
    );
}
