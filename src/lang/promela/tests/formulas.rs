//! Formulas of temporal logic.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn operators_bind_as_in_spin() {
    check_tree(
        r#"bool a, b, c;
ltl { [] a U b }
ltl { [] a && b }
ltl { a U b && c }
ltl { a -> b -> c }
ltl { !a U b }
ltl { a U b U c }
ltl { a || b && !c }
ltl { a U [] b && c }
ltl { (a == b) <-> X c }
init { skip }"#,
        expect![[r#"
    bool a
    bool b
    bool c
    init active 1 parameters 0
      skip
    ltl ltl_0 (always a until b)
    ltl ltl_1 (always a and b)
    ltl ltl_2 ((a until b) and c)
    ltl ltl_3 ((a implies b) implies c)
    ltl ltl_4 (!a until b)
    ltl ltl_5 ((a until b) until c)
    ltl ltl_6 (a || (b && !c))
    ltl ltl_7 ((a until always b) and c)
    ltl ltl_8 ((a == b) equivalent next c)
"#]],
    );
    check_tree(
        r#"byte x;
ltl safe { always (x == 1 implies eventually (x == 2)) }
ltl { (x == 1) until (x == 2) weakuntil (x == 3) release next (x == 4) }
ltl { a W b V c stronguntil a equivalent b }
bool a, b, c;
init { skip }"#,
        expect![[r#"
    byte x
    bool a
    bool b
    bool c
    init active 1 parameters 0
      skip
    ltl safe always ((x == 1) implies eventually (x == 2))
    ltl ltl_1 ((((x == 1) until (x == 2)) weakuntil (x == 3)) release next (x == 4))
    ltl ltl_2 ((((a weakuntil b) release c) until a) equivalent b)
"#]],
    );
}

#[test]
fn formulas_name_what_comes_later() {
    check_tree(
        r#"#define p (x > 1)
ltl { [] (P@L -> <> p) && (x -> 1 : 0) }
byte x;
active proctype P() { L: skip }"#,
        expect![[r#"
    byte x
    P active 1 parameters 0
      L: skip
    ltl ltl_0 (always (P@L implies eventually (x > 1)) and (x -> 1 : 0))
"#]],
    );
}

#[test]
fn formulas_can_be_wrong() {
    check(
        r#"byte x;
ltl { <> x == 2 }
init { skip }"#,
        expect![[r#"
    error[promela-formula]: a temporal formula cannot be used as a value
     --> model.pml:2:7
      |
    2 | ltl { <> x == 2 }
      |       ^^^^
      |
      = help: temporal operators bind most tightly: put parentheses around their operand"#]],
    );
    check(
        r#"byte x;
ltl { [] }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `}`
     --> model.pml:2:10
      |
    2 | ltl { [] }
      |          ^"#]],
    );
    check(
        r#"byte x;
ltl { [] (x -> <> y) }
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: `y` is not declared
     --> model.pml:2:19
      |
    2 | ltl { [] (x -> <> y) }
      |                   ^"#]],
    );
    check(
        r#"byte x;
ltl p { x }
ltl p { x }
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: formula `p` is declared twice
     --> model.pml:3:5
      |
    2 | ltl p { x }
      |     - first declared here
    3 | ltl p { x }
      |     ^"#]],
    );
    check(
        r#"byte x;
ltl p [] x
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected `{`, found `[`
     --> model.pml:2:7
      |
    2 | ltl p [] x
      |       ^"#]],
    );
    check(
        r#"byte x;
ltl p { x[] }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected `}`, found `[`
     --> model.pml:2:10
      |
    2 | ltl p { x[] }
      |          ^"#]],
    );
    check(
        r#"byte x;
init { [] x }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `[`
     --> model.pml:2:8
      |
    2 | init { [] x }
      |        ^"#]],
    );
}
