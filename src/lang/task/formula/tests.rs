//! Formulas and their translations, errors and their messages.

mod mistakes;
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

/// Formulas are not about the state before values are chosen.
#[test]
fn formulas_are_about_what_follows_the_choice_of_unknown_values() {
    let model = "static mut x: int!(0..=1) = any!(); #[task] fn t() { wait!(x == 1); }";
    expect!["X ((x == 0) -> [](x == 0))"].assert_eq(&formula_of(model, &[], "x == 0 -> [] (x == 0)"));
    expect!["[](x < 2)"].assert_eq(&formula_of(model, &[], "[] (x < 2)"));
}

/// No text crashes the parser, and deep ones are rejected in time.
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
