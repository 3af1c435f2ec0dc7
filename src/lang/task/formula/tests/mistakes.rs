//! Errors in formulas and their messages.

use super::{formula, invariant};
use expect_test::expect;

#[test]
fn mistakes_in_names() {
    formula(
        "[] LOCKD",
        expect![[r#"
        error[formula-name]: no variable or constant is named `LOCKD`
         --> --ltl:1:4
          |
        1 | [] LOCKD
          |    ^^^^^
          |
          = help: did you mean `LOCKED`?
    "#]],
    );
    formula(
        "<> (y == 1)",
        expect![[r#"
        error[formula-name]: no variable or constant is named `y`
         --> --ltl:1:5
          |
        1 | <> (y == 1)
          |     ^
          |
          = help: the variables and constants are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
    "#]],
    );
    formula(
        "[] (state == Phase::Busy)",
        expect![[r#"
        error[formula-name]: several variables are named `state`
         --> --ltl:1:5
          |
        1 | [] (state == Phase::Busy)
          |     ^^^^^
          |
          = help: write one of `customer[0].state`, `customer[1].state`, `customer[2].state`
    "#]],
    );
    formula(
        "[] (light == Color::Red)",
        expect![[r#"
        error[formula-name]: no enum of the model is named `Color`
         --> --ltl:1:14
          |
        1 | [] (light == Color::Red)
          |              ^^^^^
          |
          = help: did you mean `Colour`?
    "#]],
    );
    formula(
        "[] (light == Colour::Grean)",
        expect![[r#"
        error[formula-name]: `Colour` has no variant `Grean`
         --> --ltl:1:22
          |
        1 | [] (light == Colour::Grean)
          |                      ^^^^^
          |
          = help: did you mean `Green`?
    "#]],
    );
    formula(
        "[] (light == Colour::Purple)",
        expect![[r#"
        error[formula-name]: `Colour` has no variant `Purple`
         --> --ltl:1:22
          |
        1 | [] (light == Colour::Purple)
          |                      ^^^^^^
          |
          = help: its variants are `Red`, `Green`
    "#]],
    );
    formula(
        "<> ended(t2)",
        expect![[r#"
        error[formula-name]: no task is named `t2`
         --> --ltl:1:10
          |
        1 | <> ended(t2)
          |          ^^
          |
          = help: did you mean `t1`?
    "#]],
    );
    formula(
        "<> ended(customer)",
        expect![[r#"
        error[formula-name]: `customer` is a family of tasks
         --> --ltl:1:10
          |
        1 | <> ended(customer)
          |          ^^^^^^^^
          |
          = help: write one of `customer[0]`, `customer[1]`, `customer[2]`
    "#]],
    );
    formula(
        "<> ended(customer[7])",
        expect![[r#"
        error[formula-name]: no task is named `customer[7]`
         --> --ltl:1:10
          |
        1 | <> ended(customer[7])
          |          ^^^^^^^^^^^
          |
          = help: did you mean `customer[0]`?
    "#]],
    );
    formula(
        "<> t1",
        expect![[r#"
        error[formula-type]: `t1` is a task, not a variable
         --> --ltl:1:4
          |
        1 | <> t1
          |    ^^
          |
          = help: to test whether the task has ended, write `ended(t1)`
    "#]],
    );
    formula(
        "<> customer[1]",
        expect![[r#"
        error[formula-type]: `customer[1]` is a task, not a variable
         --> --ltl:1:4
          |
        1 | <> customer[1]
          |    ^^^^^^^^^^^
          |
          = help: to test whether the task has ended, write `ended(customer[1])`
    "#]],
    );
    // Both errors are shown.
    formula(
        "<> (a == 1) U [] (b == 2)",
        expect![[r#"
        error[formula-name]: no variable or constant is named `a`
         --> --ltl:1:5
          |
        1 | <> (a == 1) U [] (b == 2)
          |     ^
          |
          = help: the variables and constants are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
        error[formula-name]: no variable or constant is named `b`
         --> --ltl:1:19
          |
        1 | <> (a == 1) U [] (b == 2)
          |                   ^
          |
          = help: the variables and constants are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
    "#]],
    );
}

#[test]
fn mistakes_in_types() {
    formula(
        "[] (LOCKED == 1)",
        expect![[r#"
        error[formula-type]: a `bool` cannot be compared with a number
         --> --ltl:1:4
          |
        1 | [] (LOCKED == 1)
          |    ^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (light == Phase::Idle)",
        expect![[r#"
        error[formula-type]: a value of `Colour` cannot be compared with a value of `Phase`
         --> --ltl:1:4
          |
        1 | [] (light == Phase::Idle)
          |    ^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (light < Colour::Green)",
        expect![[r#"
        error[formula-type]: a value of `Colour` cannot be compared by order
         --> --ltl:1:4
          |
        1 | [] (light < Colour::Green)
          |    ^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: compare with `==` or `!=`
    "#]],
    );
    formula(
        "[] (LOCKED + 1 == 2)",
        expect![[r#"
        error[formula-type]: expected numbers, found a `bool`
         --> --ltl:1:5
          |
        1 | [] (LOCKED + 1 == 2)
          |     ^^^^^^^^^^
    "#]],
    );
    formula(
        "[] x",
        expect![[r#"
        error[formula-type]: expected a condition, found a number
         --> --ltl:1:4
          |
        1 | [] x
          |    ^
          |
          = help: compare it with a value: `x == 1`
    "#]],
    );
    formula(
        "[] !x",
        expect![[r#"
        error[formula-type]: expected a condition after `!`, found a number
         --> --ltl:1:4
          |
        1 | [] !x
          |    ^^
          |
          = help: write `!(x == 1)` or `x != 1`
    "#]],
    );
    formula(
        "[] -LOCKED == 1",
        expect![[r#"
        error[formula-type]: expected a number after `-`, found a `bool`
         --> --ltl:1:4
          |
        1 | [] -LOCKED == 1
          |    ^^^^^^^
    "#]],
    );
    formula(
        "1",
        expect![[r#"
        error[formula-type]: expected a condition, found a number
         --> --ltl:1:1
          |
        1 | 1
          | ^
          |
          = help: write `false` or `true`
    "#]],
    );
    formula(
        "[] (w == 1)",
        expect![[r#"
        error[formula-type]: `w` is an array
         --> --ltl:1:5
          |
        1 | [] (w == 1)
          |     ^
          |
          = help: select an element, such as `w[0]`
    "#]],
    );
    formula(
        "[] (COST == 1)",
        expect![[r#"
        error[formula-type]: this constant is an array
         --> --ltl:1:5
          |
        1 | [] (COST == 1)
          |     ^^^^
          |
          = help: select an element, such as `COST[0]`
    "#]],
    );
    formula(
        "([] LOCKED) == OPEN",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be used inside a condition on one state
         --> --ltl:1:1
          |
        1 | ([] LOCKED) == OPEN
          | ^^^^^^^^^^^
          |
          = help: move the comparison inside: `[] (x == 1)`; an invariant has no temporal operators
    "#]],
    );
    invariant(
        "[] LOCKED",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be used inside a condition on one state
         --> --invariant:1:1
          |
        1 | [] LOCKED
          | ^^^^^^^^^
          |
          = help: move the comparison inside: `[] (x == 1)`; an invariant has no temporal operators
    "#]],
    );
    invariant(
        "LOCKED && (OPEN U LOCKED)",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be used inside a condition on one state
         --> --invariant:1:11
          |
        1 | LOCKED && (OPEN U LOCKED)
          |           ^^^^^^^^^^^^^^^
          |
          = help: move the comparison inside: `[] (x == 1)`; an invariant has no temporal operators
    "#]],
    );
}

#[test]
fn mistakes_in_indices() {
    formula(
        "[] (w[2] == 1)",
        expect![[r#"
        error[formula-index]: `w` has no element 2
         --> --ltl:1:5
          |
        1 | [] (w[2] == 1)
          |     ^^^^
          |
          = help: the elements are `w[0]`, `w[1]`
    "#]],
    );
    formula(
        "[] (w[-1] == 1)",
        expect![[r#"
        error[formula-index]: `w` has no element -1
         --> --ltl:1:5
          |
        1 | [] (w[-1] == 1)
          |     ^^^^^
          |
          = help: the elements are `w[0]`, `w[1]`
    "#]],
    );
    formula(
        "[] (w[x] == 1)",
        expect![[r#"
        error[formula-index]: an index in a formula must be constant
         --> --ltl:1:7
          |
        1 | [] (w[x] == 1)
          |       ^
          |
          = help: write one condition per element: `w[0] == 1 || w[1] == 1`
    "#]],
    );
    formula(
        "[] (w[LOCKED] == 1)",
        expect![[r#"
        error[formula-type]: expected a number as index, found a `bool`
         --> --ltl:1:7
          |
        1 | [] (w[LOCKED] == 1)
          |       ^^^^^^
    "#]],
    );
    formula(
        "[] (x[0] == 1)",
        expect![[r#"
        error[formula-index]: `x` is not an array
         --> --ltl:1:5
          |
        1 | [] (x[0] == 1)
          |     ^^^^
    "#]],
    );
    formula(
        "[] grid[0]",
        expect![[r#"
        error[formula-type]: `grid[0]` is an array
         --> --ltl:1:4
          |
        1 | [] grid[0]
          |    ^^^^^^^
          |
          = help: select an element, such as `grid[0][0]`
    "#]],
    );
    formula(
        "[] grid[0][5]",
        expect![[r#"
        error[formula-index]: `grid[0]` has no element 5
         --> --ltl:1:4
          |
        1 | [] grid[0][5]
          |    ^^^^^^^^^^
          |
          = help: the elements are `grid[0][0]`, `grid[0][1]`
    "#]],
    );
    formula(
        "[] (COST[3] == 1)",
        expect![[r#"
        error[formula-index]: `COST` has no element 3
         --> --ltl:1:5
          |
        1 | [] (COST[3] == 1)
          |     ^^^^^^^
          |
          = help: its indices are 0 to 2
    "#]],
    );
    formula(
        "[] (N[0] == 1)",
        expect![[r#"
        error[formula-index]: `N` is not an array
         --> --ltl:1:5
          |
        1 | [] (N[0] == 1)
          |     ^^^^
    "#]],
    );
    formula(
        "[] (customer[9].count == 1)",
        expect![[r#"
            error[formula-index]: `customer` has no element 9
             --> --ltl:1:5
              |
            1 | [] (customer[9].count == 1)
              |     ^^^^^^^^^^^^^^^^^
              |
              = help: the elements are `customer[0]`, `customer[1]`, `customer[2]`
        "#]],
    );
}

#[test]
fn mistakes_in_values() {
    formula(
        "[] (x == 99999999999)",
        expect![[r#"
        error[formula-value]: the number is too large: the largest value of the explicit engine is 2147483647
         --> --ltl:1:10
          |
        1 | [] (x == 99999999999)
          |          ^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (x == 123456789012345678901234567890)",
        expect![[r#"
        error[formula-value]: the number is too large: the largest value of the explicit engine is 2147483647
         --> --ltl:1:10
          |
        1 | [] (x == 123456789012345678901234567890)
          |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (x == HUGE)",
        expect![[r#"
        error[formula-value]: the constant does not fit in 32 bits: its value is 5000000000
         --> --ltl:1:10
          |
        1 | [] (x == HUGE)
          |          ^^^^
    "#]],
    );
    formula(
        "[] (x * 2147483647 == 1)",
        expect![[r#"
        error[formula-value]: the value may not fit in 32 bits: it is between 0 and 19327352823
         --> --ltl:1:5
          |
        1 | [] (x * 2147483647 == 1)
          |     ^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (2147483647 + x > 0)",
        expect![[r#"
        error[formula-value]: the value may not fit in 32 bits: it is between 2147483647 and 2147483656
         --> --ltl:1:5
          |
        1 | [] (2147483647 + x > 0)
          |     ^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (1 / x == 1)",
        expect![[r#"
        error[formula-value]: the divisor may be 0
         --> --ltl:1:9
          |
        1 | [] (1 / x == 1)
          |         ^
    "#]],
    );
    formula(
        "[] (1 % small == 1)",
        expect![[r#"
        error[formula-value]: the divisor may be 0
         --> --ltl:1:9
          |
        1 | [] (1 % small == 1)
          |         ^^^^^
    "#]],
    );
    formula(
        "[] (x == 1 / 0)",
        expect![[r#"
        error[formula-value]: the divisor may be 0
         --> --ltl:1:14
          |
        1 | [] (x == 1 / 0)
          |              ^
    "#]],
    );
}

#[test]
fn mistakes_in_syntax() {
    formula(
        "",
        expect![[r#"
        error[formula-syntax]: expected a formula, found the end
         --> --ltl:1:1
          |
        1 |
          | ^
          |
          = help: write a condition, such as `x == 1`
    "#]],
    );
    formula(
        "[]",
        expect![[r#"
        error[formula-syntax]: expected a formula, found the end
         --> --ltl:1:3
          |
        1 | []
          |   ^
    "#]],
    );
    formula(
        "[] (LOCKED",
        expect![[r#"
        error[formula-syntax]: expected `)`, found the end
         --> --ltl:1:11
          |
        1 | [] (LOCKED
          |    -      ^
          |    |
          |    opened here
    "#]],
    );
    formula(
        "LOCKED)",
        expect![[r#"
        error[formula-syntax]: this `)` has no matching `(`
         --> --ltl:1:7
          |
        1 | LOCKED)
          |       ^
    "#]],
    );
    formula(
        "LOCKED OPEN",
        expect![[r#"
        error[formula-syntax]: an operator is missing before `OPEN`
         --> --ltl:1:8
          |
        1 | LOCKED OPEN
          |        ^^^^
    "#]],
    );
    formula(
        "LOCKED and OPEN",
        expect![[r#"
        error[formula-syntax]: an operator is missing before `and`
         --> --ltl:1:8
          |
        1 | LOCKED and OPEN
          |        ^^^
          |
          = help: write `&&` instead of `and`
    "#]],
    );
    formula(
        "G (LOCKED)",
        expect![[r#"
        error[formula-syntax]: unknown function `G`
         --> --ltl:1:1
          |
        1 | G (LOCKED)
          | ^
          |
          = help: write `[]` instead of `G`
    "#]],
    );
    formula(
        "x = 1",
        expect![[r#"
        error[formula-syntax]: `=` is not an operator of formulas
         --> --ltl:1:3
          |
        1 | x = 1
          |   ^
          |
          = help: equality is written `==`
    "#]],
    );
    formula(
        "LOCKED & OPEN",
        expect![[r#"
        error[formula-syntax]: `&` is not an operator of formulas
         --> --ltl:1:8
          |
        1 | LOCKED & OPEN
          |        ^
          |
          = help: conjunction is written `&&`
    "#]],
    );
    formula(
        "LOCKED => OPEN",
        expect![[r#"
        error[formula-syntax]: `=>` is not an operator of formulas
         --> --ltl:1:8
          |
        1 | LOCKED => OPEN
          |        ^^
          |
          = help: implication is written `->`
    "#]],
    );
    formula(
        "LOCKED /\\ OPEN",
        expect![[r#"
        error[formula-syntax]: `/\` is not an operator of formulas
         --> --ltl:1:8
          |
        1 | LOCKED /\ OPEN
          |        ^^
          |
          = help: conjunction is written `&&`
    "#]],
    );
    formula(
        "0 < x < 5",
        expect![[r#"
        error[formula-syntax]: comparisons cannot be chained
         --> --ltl:1:7
          |
        1 | 0 < x < 5
          |       ^
          |
          = help: write `a < b && b < c`
    "#]],
    );
    formula(
        "x == 1a",
        expect![[r#"
        error[formula-syntax]: `1a` is not a number
         --> --ltl:1:6
          |
        1 | x == 1a
          |      ^^
    "#]],
    );
    formula(
        "len(x) == 1",
        expect![[r#"
        error[formula-syntax]: unknown function `len`
         --> --ltl:1:1
          |
        1 | len(x) == 1
          | ^^^
          |
          = help: the only function is `ended(task)`
    "#]],
    );
    formula(
        "ended(3)",
        expect![[r#"
        error[formula-syntax]: expected the name of a task, found `3`
         --> --ltl:1:7
          |
        1 | ended(3)
          |       ^
    "#]],
    );
    formula(
        "light == Colour::",
        expect![[r#"
        error[formula-syntax]: expected a variant of `Colour`, found the end
         --> --ltl:1:18
          |
        1 | light == Colour::
          |                  ^
    "#]],
    );
    formula(
        "t1.[0]",
        expect![[r#"
        error[formula-syntax]: expected a name, found `[`
         --> --ltl:1:4
          |
        1 | t1.[0]
          |    ^
    "#]],
    );
    formula(
        "t1.locked#",
        expect![[r#"
        error[formula-syntax]: expected a number after `#`
         --> --ltl:1:11
          |
        1 | t1.locked#
          |           ^
    "#]],
    );
    formula(
        "LOCKED && é",
        expect![[r#"
        error[formula-name]: no variable or constant is named `é`
         --> --ltl:1:11
          |
        1 | LOCKED && é
          |           ^
          |
          = help: the variables and constants are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
    "#]],
    );
    formula(
        &format!("w{}", "[0]".repeat(65)),
        expect![[r#"
        error[formula-limit]: the name has more than 64 parts
         --> --ltl:1:1
          |
        1 | w[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        &format!("[] {}LOCKED", "(".repeat(401)),
        expect![[r#"
        error[formula-limit]: the formula is nested more than 400 levels deep
         --> --ltl:1:404
          |
        1 | ...(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((LOCKED
          |                                                                    ^
          |
          = help: split it into several formulas
    "#]],
    );
    formula(
        "LOCKED ; OPEN",
        expect![[r#"
        error[formula-syntax]: `;` is not an operator of formulas
         --> --ltl:1:8
          |
        1 | LOCKED ; OPEN
          |        ^
    "#]],
    );
    formula(
        "\u{202e}LOCKED",
        expect![[r#"
        error[formula-syntax]: `\u{202e}` is not an operator of formulas
         --> --ltl:1:1
          |
        1 | �LOCKED
          | ^
    "#]],
    );
}
