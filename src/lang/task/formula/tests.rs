//! Formulas and what they become, mistakes and what the user is shown.

mod show;

use super::super::lower::{Lowered, Steps, lower};
use super::super::program::Program;
use super::super::{Setting, load};
use super::{parse_formula, parse_invariant};
use crate::diag::{Diagnostic, Sources};
use expect_test::{Expect, expect};
use show::{show_expr, show_formula};

const MODEL: &str = "
    const N: usize = 3;
    const STRICT: bool = true;
    const COST: [usize; 3] = [1, 4, N];
    const FIRST: Phase = Phase::Idle;
    const HUGE: i64 = 5_000_000_000;
    enum Phase { Idle, Busy, Done }
    enum Colour { Red, Green }
    static mut LOCKED: bool = false;
    static mut OPEN: bool = true;
    static mut x: int!(0..=9) = 0;
    static mut small: int!(-2..=2) = 0;
    static mut w: [int!(0..=N); 2] = [0; 2];
    static mut grid: [[bool; 2]; 2] = [[false; 2]; 2];
    static mut X: int!(0..=1) = 0;
    static mut W: [bool; 2] = [false; 2];
    static mut light: Colour = Colour::Red;
    #[task] fn t1() { let mut locked: bool = false; locked = true; LOCKED = locked; }
    #[task(i in 0..N)] fn customer(i: usize) {
        let mut state: Phase = Phase::Idle;
        let mut count: int!(0..=N) = 0;
        loop { state = Phase::Busy; count = i; }
    }
";

fn prepare(model: &str, settings: &[Setting]) -> (Sources, Program, Lowered) {
    let mut sources = Sources::default();
    let id = sources.add("model.rs", model);
    let program = load(id, &sources, settings).program.expect("the model is right");
    let lowered = lower(&program, &Steps::Actions).expect("the model is small");
    (sources, program, lowered)
}

fn rendered(faults: &[Diagnostic], sources: &Sources) -> String {
    faults.iter().map(|it| it.render(sources, false) + "\n").collect()
}

fn formula_of(model: &str, settings: &[Setting], text: &str) -> String {
    let (mut sources, program, lowered) = prepare(model, settings);
    let source = sources.add("--ltl", text);
    match parse_formula(source, &sources, &program, &lowered) {
        Ok(formula) => show_formula(&formula, &lowered.network),
        Err(faults) => rendered(&faults, &sources),
    }
}

#[track_caller]
fn formula(text: &str, expected: Expect) {
    expected.assert_eq(&formula_of(MODEL, &[], text));
}

#[track_caller]
fn invariant(text: &str, expected: Expect) {
    let (mut sources, program, lowered) = prepare(MODEL, &[]);
    let source = sources.add("--invariant", text);
    let shown = match parse_invariant(source, &sources, &program, &lowered) {
        Ok(expr) => show_expr(&expr, &lowered.network),
        Err(faults) => rendered(&faults, &sources),
    };
    expected.assert_eq(&shown);
}

#[test]
fn values_are_in_the_words_of_the_model() {
    invariant("LOCKED", expect!["LOCKED"]);
    invariant("w[0] == 1", expect!["(w[0] == 1)"]);
    invariant("w[N - 2] + x <= N", expect!["((w[1] + x) <= 3)"]);
    invariant("grid[1][0] == !grid[0][1]", expect!["(grid[1][0] == !grid[0][1])"]);
    invariant("t1.locked", expect!["t1.locked"]);
    invariant("locked", expect!["t1.locked"]);
    invariant("customer[2].state == Phase::Busy", expect!["(customer[2].state == 2)"]);
    invariant("customer[0].state != FIRST", expect!["(customer[0].state != 1)"]);
    invariant("light == Colour::Green", expect!["(light == 2)"]);
    invariant("STRICT -> x < COST[2] * 2", expect!["(!1 || (x < (3 * 2)))"]);
    invariant("LOCKED <-> x % 2 == 0", expect!["(LOCKED == ((x % 2) == 0))"]);
    invariant("small - -1 >= -2 || x / 3 > 1_000", expect!["(((small - -1) >= -2) || ((x / 3) > 1000))"]);
    invariant("X == 1 && W[0]", expect!["((X == 1) && W[0])"]);
}

#[test]
fn settings_are_the_values_of_constants() {
    let setting = |name: &str, value| Setting { name: name.into(), value, span: None };
    let shown = formula_of(MODEL, &[setting("N", 5), setting("STRICT", 0)], "[] (STRICT || x < N + COST[2])");
    expect!["[](0 || (x < (5 + 5)))"].assert_eq(&shown);
}

#[test]
fn operators_bind_as_in_promela() {
    formula("[] LOCKED", expect!["[]LOCKED"]);
    formula("[]<> LOCKED && <>[] OPEN || x == 1", expect!["(([]<>LOCKED and <>[]OPEN) or (x == 1))"]);
    formula("LOCKED -> OPEN -> <> LOCKED", expect!["((!LOCKED || OPEN) -> <>LOCKED)"]);
    formula("LOCKED U OPEN W LOCKED", expect!["((LOCKED U OPEN) W LOCKED)"]);
    formula("LOCKED U OPEN && LOCKED V OPEN", expect!["((LOCKED U OPEN) and (LOCKED V OPEN))"]);
    formula("[] x == 1 U OPEN", expect!["([](x == 1) U OPEN)"]);
    formula("![] LOCKED", expect!["![]LOCKED"]);
    formula("[] (LOCKED -> <> (x + 1 == 2))", expect!["[](LOCKED -> <>((x + 1) == 2))"]);
    formula(
        "always (LOCKED implies eventually OPEN) equivalent (next LOCKED until OPEN)",
        expect!["([](LOCKED -> <>OPEN) <-> (X LOCKED U OPEN))"],
    );
    formula(
        "LOCKED weakuntil OPEN release LOCKED stronguntil OPEN",
        expect!["(((LOCKED W OPEN) V LOCKED) U OPEN)"],
    );
    formula("(LOCKED || OPEN) && true", expect!["((LOCKED || OPEN) && 1)"]);
    formula("[] (ended(t1) || !ended(customer[1]))", expect!["[](t1@end || !0)"]);
}

#[test]
fn words_are_operators_only_where_one_can_be() {
    formula("X LOCKED", expect!["X LOCKED"]);
    formula("X == 1", expect!["(X == 1)"]);
    formula("X X == 1", expect!["X (X == 1)"]);
    formula("X == 1 U W[0]", expect!["((X == 1) U W[0])"]);
    formula("X W[1] W W[0]", expect!["(X W[1] W W[0])"]);
    formula("X [] (X < 1)", expect!["X [](X < 1)"]);
    formula("[] X < 1", expect!["[](X < 1)"]);
    formula("X - 1 == 0", expect!["((X - 1) == 0)"]);
}

/// Before values are chosen nothing has begun.
#[test]
fn formulas_are_about_what_follows_the_choice_of_unknown_values() {
    let model = "static mut x: int!(0..=1) = any!(); #[task] fn t() { wait!(x == 1); }";
    expect!["X ((x == 0) -> [](x == 0))"].assert_eq(&formula_of(model, &[], "x == 0 -> [] (x == 0)"));
    expect!["[](x < 2)"].assert_eq(&formula_of(model, &[], "[] (x < 2)"));
}

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
          = help: the names are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
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
          = help: say which one: `customer[0].state`, `customer[1].state`, `customer[2].state`
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
          = help: it has `Red`, `Green`
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
          = help: say which one: `customer[0]`, `customer[1]`, `customer[2]`
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
          = help: `ended(t1)` is a condition
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
          = help: `ended(customer[1])` is a condition
    "#]],
    );
    // Both are shown.
    formula(
        "<> (a == 1) U [] (b == 2)",
        expect![[r#"
        error[formula-name]: no variable or constant is named `a`
         --> --ltl:1:5
          |
        1 | <> (a == 1) U [] (b == 2)
          |     ^
          |
          = help: the names are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
        error[formula-name]: no variable or constant is named `b`
         --> --ltl:1:19
          |
        1 | <> (a == 1) U [] (b == 2)
          |                   ^
          |
          = help: the names are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
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
        error[formula-type]: a value of `Colour` has no order
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
        error[formula-type]: numbers are needed here, this is a `bool`
         --> --ltl:1:5
          |
        1 | [] (LOCKED + 1 == 2)
          |     ^^^^^^^^^^
    "#]],
    );
    formula(
        "[] x",
        expect![[r#"
        error[formula-type]: a condition is expected here, this is a number
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
        error[formula-type]: `!` negates a condition, this is a number
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
        error[formula-type]: `-` needs a number, this is a `bool`
         --> --ltl:1:4
          |
        1 | [] -LOCKED == 1
          |    ^^^^^^^
    "#]],
    );
    formula(
        "1",
        expect![[r#"
        error[formula-type]: a condition is expected here, this is a number
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
          = help: say which element, such as `w[0]`
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
          = help: say which element, such as `COST[0]`
    "#]],
    );
    formula(
        "([] LOCKED) == OPEN",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be part of a state
         --> --ltl:1:1
          |
        1 | ([] LOCKED) == OPEN
          | ^^^^^^^^^^^
          |
          = help: compare values inside of it: `[] (x == 1)`; in an invariant there is none
    "#]],
    );
    invariant(
        "[] LOCKED",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be part of a state
         --> --invariant:1:1
          |
        1 | [] LOCKED
          | ^^^^^^^^^
          |
          = help: compare values inside of it: `[] (x == 1)`; in an invariant there is none
    "#]],
    );
    invariant(
        "LOCKED && (OPEN U LOCKED)",
        expect![[r#"
        error[formula-type]: a temporal operator cannot be part of a state
         --> --invariant:1:11
          |
        1 | LOCKED && (OPEN U LOCKED)
          |           ^^^^^^^^^^^^^^^
          |
          = help: compare values inside of it: `[] (x == 1)`; in an invariant there is none
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
          = help: there are `w[0]`, `w[1]`
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
          = help: there are `w[0]`, `w[1]`
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
        error[formula-type]: an index is a number, this is a `bool`
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
          = help: say which element, such as `grid[0][0]`
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
          = help: there are `grid[0][0]`, `grid[0][1]`
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
              = help: there are `customer[0]`, `customer[1]`, `customer[2]`
        "#]],
    );
}

#[test]
fn mistakes_in_values() {
    formula(
        "[] (x == 99999999999)",
        expect![[r#"
        error[formula-value]: the number is too large: the explicit engine has values up to 2147483647
         --> --ltl:1:10
          |
        1 | [] (x == 99999999999)
          |          ^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (x == 123456789012345678901234567890)",
        expect![[r#"
        error[formula-value]: the number is too large: the explicit engine has values up to 2147483647
         --> --ltl:1:10
          |
        1 | [] (x == 123456789012345678901234567890)
          |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (x == HUGE)",
        expect![[r#"
        error[formula-value]: the constant is 5000000000, which needs more than 32 bits
         --> --ltl:1:10
          |
        1 | [] (x == HUGE)
          |          ^^^^
    "#]],
    );
    formula(
        "[] (x * 2147483647 == 1)",
        expect![[r#"
        error[formula-value]: the value may need more than 32 bits: it is between 0 and 19327352823
         --> --ltl:1:5
          |
        1 | [] (x * 2147483647 == 1)
          |     ^^^^^^^^^^^^^^
    "#]],
    );
    formula(
        "[] (2147483647 + x > 0)",
        expect![[r#"
        error[formula-value]: the value may need more than 32 bits: it is between 2147483647 and 2147483656
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
        error[formula-syntax]: a formula is expected here, not the end
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
        error[formula-syntax]: a formula is expected here, not the end
         --> --ltl:1:3
          |
        1 | []
          |   ^
    "#]],
    );
    formula(
        "[] (LOCKED",
        expect![[r#"
        error[formula-syntax]: `)` is expected here, not the end
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
        error[formula-syntax]: this `)` closes nothing
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
        error[formula-syntax]: there is no function `G`
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
        error[formula-syntax]: `=` means nothing in a formula
         --> --ltl:1:3
          |
        1 | x = 1
          |   ^
          |
          = help: `==` compares
    "#]],
    );
    formula(
        "LOCKED & OPEN",
        expect![[r#"
        error[formula-syntax]: `&` means nothing in a formula
         --> --ltl:1:8
          |
        1 | LOCKED & OPEN
          |        ^
          |
          = help: `&&` is the conjunction
    "#]],
    );
    formula(
        "LOCKED => OPEN",
        expect![[r#"
        error[formula-syntax]: `=>` means nothing in a formula
         --> --ltl:1:8
          |
        1 | LOCKED => OPEN
          |        ^^
          |
          = help: `->` is the implication
    "#]],
    );
    formula(
        "LOCKED /\\ OPEN",
        expect![[r#"
        error[formula-syntax]: `/\` means nothing in a formula
         --> --ltl:1:8
          |
        1 | LOCKED /\ OPEN
          |        ^^
          |
          = help: `&&` is the conjunction
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
        error[formula-syntax]: there is no function `len`
         --> --ltl:1:1
          |
        1 | len(x) == 1
          | ^^^
          |
          = help: the only one is `ended(task)`
    "#]],
    );
    formula(
        "ended(3)",
        expect![[r#"
        error[formula-syntax]: the name of a task is expected here, not `3`
         --> --ltl:1:7
          |
        1 | ended(3)
          |       ^
    "#]],
    );
    formula(
        "light == Colour::",
        expect![[r#"
        error[formula-syntax]: a variant of `Colour` is expected here, not the end
         --> --ltl:1:18
          |
        1 | light == Colour::
          |                  ^
    "#]],
    );
    formula(
        "t1.[0]",
        expect![[r#"
        error[formula-syntax]: a name is expected here, not `[`
         --> --ltl:1:4
          |
        1 | t1.[0]
          |    ^
    "#]],
    );
    formula(
        "t1.locked#",
        expect![[r#"
        error[formula-syntax]: a number is expected after a name and `#`
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
          = help: the names are `LOCKED`, `OPEN`, `x`, `small`, `w[0]`, `w[1]`, `grid[0][0]`, `grid[0][1]`, …
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
        error[formula-limit]: the formula has more than 400 levels
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
        error[formula-syntax]: `;` means nothing in a formula
         --> --ltl:1:8
          |
        1 | LOCKED ; OPEN
          |        ^
    "#]],
    );
    formula(
        "\u{202e}LOCKED",
        expect![[r#"
        error[formula-syntax]: `\u{202e}` means nothing in a formula
         --> --ltl:1:1
          |
        1 | �LOCKED
          | ^
    "#]],
    );
}

/// No text brings the reader down, and deep ones are refused in time.
#[test]
fn hostile_texts_are_refused_or_read() {
    let (mut sources, program, lowered) = prepare(MODEL, &[]);
    let mut read = |text: &str| {
        let source = sources.add("--ltl", text);
        let formula = parse_formula(source, &sources, &program, &lowered).err();
        let expr = parse_invariant(source, &sources, &program, &lowered).err();
        rendered(&[formula.unwrap_or_default(), expr.unwrap_or_default()].concat(), &sources);
    };
    for piece in
        ["(", "[]", "!", "X ", "-", "w[", "LOCKED && ", "x + ", "<> (", "LOCKED U (", "t1.", "ended("]
    {
        read(&piece.repeat(100_000));
        read(&format!("{}LOCKED", piece.repeat(300)));
    }
    read(&format!("{}t1", "t1.".repeat(100_000)));
    read(&format!("w{}", "[0]".repeat(100_000)));
    read(&"9".repeat(100_000));
    read(&"é".repeat(100_000));
    read(&format!("[] {}", "y".repeat(100_000)));
    let mut pieces: Vec<&str> = "( ) [ ] [] <> <-> -> && || ! == < - * / % . # :: U W V X always until ended true x w \
        LOCKED customer state Phase Busy N COST 0 1 2147483647 99999999999 ' \\ = & @ t1 grid \0 é \u{feff} \u{1F600}"
        .split(' ')
        .collect();
    pieces.extend([" ", "\n", "\""]);
    let mut seed: u64 = 1;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for _ in 0..20_000 {
        let text: String = (0..1 + below(12)).map(|_| pieces[below(pieces.len())]).collect();
        read(&text);
    }
}
