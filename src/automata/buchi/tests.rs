//! Automata compared with the definition of formulas, and their printed forms.

use super::*;
use crate::automata::ltl::{Letter, ParseError, parse};
use crate::automata::testing::{lassos, random_formula, random_lasso, seeded};
use expect_test::{Expect, expect};

/// Parses a formula over the atoms `a`, `b`, …, each a letter.
fn formula(text: &str) -> Formula {
    let mut atom = |range: std::ops::Range<usize>| -> Result<AtomId, ParseError> {
        Ok(AtomId(u32::from(text.as_bytes()[range.start] - b'a')))
    };
    parse(text, &mut atom).expect("a formula")
}

fn name(atom: AtomId) -> String {
    char::from(b'a' + atom.0 as u8).to_string()
}

/// Returns the automata of the formula and of its negation.
fn both(formula: &Formula) -> [Buchi; 2] {
    [formula.clone(), formula.clone().negated()].map(|formula| Buchi::of(&formula).expect("small"))
}

#[track_caller]
fn check_meaning(formula: &Formula, [positive, negative]: &[Buchi; 2], word: &Lasso) {
    let holds = formula.holds_on(word);
    assert_eq!(positive.accepts(word), holds, "{formula} on {word:?}");
    assert_eq!(negative.accepts(word), !holds, "the negation of {formula} on {word:?}");
}

#[test]
fn automata_accept_what_satisfies_the_formula_and_not_its_negation() {
    seeded(4000, |random| {
        let depth = 3 + random.below(4);
        let n_atoms = 2 + random.below(3);
        let formula = random_formula(random, depth, n_atoms);
        let automata = both(&formula);
        for _ in 0..40 {
            check_meaning(&formula, &automata, &random_lasso(random, n_atoms));
        }
    });
}

#[test]
fn they_agree_on_all_small_words() {
    let words = lassos(2, 2, 2);
    seeded(600, |random| {
        let formula = random_formula(random, 4, 2);
        let automata = both(&formula);
        for word in &words {
            check_meaning(&formula, &automata, word);
        }
    });
}

#[track_caller]
fn check_sizes(formulas: &[&str], expected: Expect) {
    let line = |text: &&str| {
        let buchi = Buchi::of(&formula(text)).expect("small");
        let deterministic = if buchi.is_deterministic() { " deterministic" } else { "" };
        format!("{text}: {} states, {} edges{deterministic}\n", buchi.n_states(), buchi.n_edges())
    };
    expected.assert_eq(&formulas.iter().map(line).collect::<String>());
}

#[test]
fn automata_of_common_formulas_are_small() {
    check_sizes(
        &[
            "true",
            "false",
            "a",
            "X a",
            "[] a",
            "<> a",
            "a U b",
            "a V b",
            "a W b",
            "[]<> a",
            "<>[] a",
            "[](a -> <> b)",
            "!([](a -> <> b))",
            "[]<>a && []<>b",
            "[]<>a && []<>b && []<>c",
            "<>[]a || <>[]b",
            "[]<>a -> []<>b",
            "!([]<>a -> []<>b)",
            "<>[]a -> []<>b",
            "(a U b) U c",
            "a U (b U c)",
            "[](a -> X (b U c))",
            "[](a -> (!b U c))",
            "<>(a && <>(b && <>c))",
            "[](a && !b -> (!b W c))",
        ],
        expect![[r#"
            true: 1 states, 1 edges deterministic
            false: 1 states, 0 edges deterministic
            a: 2 states, 2 edges deterministic
            X a: 3 states, 3 edges deterministic
            [] a: 1 states, 1 edges deterministic
            <> a: 2 states, 3 edges deterministic
            a U b: 2 states, 3 edges deterministic
            a V b: 2 states, 3 edges deterministic
            a W b: 2 states, 3 edges deterministic
            []<> a: 2 states, 4 edges deterministic
            <>[] a: 2 states, 3 edges
            [](a -> <> b): 2 states, 5 edges
            !([](a -> <> b)): 2 states, 3 edges
            []<>a && []<>b: 3 states, 8 edges
            []<>a && []<>b && []<>c: 4 states, 13 edges
            <>[]a || <>[]b: 3 states, 5 edges
            []<>a -> []<>b: 4 states, 8 edges
            !([]<>a -> []<>b): 3 states, 6 edges
            <>[]a -> []<>b: 2 states, 6 edges
            (a U b) U c: 4 states, 10 edges
            a U (b U c): 3 states, 6 edges
            [](a -> X (b U c)): 3 states, 8 edges
            [](a -> (!b U c)): 2 states, 5 edges
            <>(a && <>(b && <>c)): 4 states, 10 edges deterministic
            [](a && !b -> (!b W c)): 2 states, 6 edges
        "#]],
    );
}

#[test]
fn limits_are_errors() {
    let many = Formula::And((0..65).map(Formula::atom).collect());
    assert_eq!(Buchi::of(&many), Err(NoAutomaton::TooManyAtoms(AtomId(64))));
    let until = |atom| Formula::Until(Box::new(Formula::atom(atom)), Box::new(Formula::atom(atom + 20)));
    let untils = Formula::And((0..20).map(until).collect());
    assert_eq!(Buchi::of(&untils), Err(NoAutomaton::TooLarge));
}

#[test]
fn many_fairness_assumptions_are_fine() {
    let fair = |atom| Formula::Always(Box::new(Formula::Eventually(Box::new(Formula::atom(atom)))));
    for n_assumptions in [4, 5, 20, 60] {
        let all = Formula::And((0..n_assumptions).map(fair).collect());
        let buchi = Buchi::of(&all).expect("small");
        assert_eq!(buchi.n_states() as u32, n_assumptions + 1);
        let one_each: Vec<Letter> = (0..n_assumptions).map(|atom| 1 << atom).collect();
        assert!(buchi.accepts(&Lasso::new(&[], &one_each)));
        assert!(buchi.accepts(&Lasso::new(&[0], &[u64::MAX, 0])));
        assert!(!buchi.accepts(&Lasso::new(&one_each, &one_each[1..])));
    }
}

#[test]
fn one_promise_at_a_time_keeps_the_meaning() {
    let fair = |part| Formula::Always(Box::new(Formula::Eventually(Box::new(part))));
    seeded(150, |random| {
        let mut parts = vec![random_formula(random, 2, 4)];
        parts.extend((0..6).map(|_| fair(random_formula(random, 2, 4))));
        let formula = Formula::And(parts);
        let buchi = Buchi::of(&formula).expect("small");
        for _ in 0..60 {
            let word = random_lasso(random, 4);
            assert_eq!(buchi.accepts(&word), formula.holds_on(&word), "{formula} on {word:?}");
        }
    });
}

#[test]
fn the_same_formula_gives_the_same_automaton() {
    seeded(100, |random| {
        let formula = random_formula(random, 5, 3);
        assert_eq!(Buchi::of(&formula), Buchi::of(&formula));
    });
}

#[track_caller]
fn check_claim(text: &str, expected: Expect) {
    expected.assert_eq(&Buchi::of(&formula(text)).expect("small").to_never_claim(text, &name));
}

#[test]
fn never_claims() {
    check_claim(
        "!([](a -> <>b))",
        expect![[r#"
        never {    /* !([](a -> <>b)) */
        T0_init:
        	do
        	:: (1) -> goto T0_init
        	:: (((a) && !(b))) -> goto accept_S1
        	od;
        accept_S1:
        	do
        	:: (!(b)) -> goto accept_S1
        	od;
        }
    "#]],
    );
    check_claim(
        "a U (b && c || d)",
        expect![[r#"
        never {    /* a U (b && c || d) */
        T0_init:
        	do
        	:: (((a) && !(d))) -> goto T0_init
        	:: (((b) && (c)) || (d)) -> goto accept_all
        	od;
        accept_all:
        	skip
        }
    "#]],
    );
    check_claim(
        "true",
        expect![[r#"
        never {    /* true */
        accept_all:
        	skip
        }
    "#]],
    );
    check_claim(
        "false",
        expect![[r#"
        never {    /* false */
        T0_init:
        	false;
        }
    "#]],
    );
    check_claim(
        "[]a",
        expect![[r#"
        never {    /* []a */
        accept_init:
        	do
        	:: ((a)) -> goto accept_init
        	od;
        }
    "#]],
    );
}

#[test]
fn hanoi_format() {
    let buchi = Buchi::of(&formula("[]<>a && (b U !c)")).expect("small");
    let title = "infinitely \"often\"";
    expect![[r#"
        HOA: v1
        name: "infinitely \"often\""
        States: 3
        Start: 0
        AP: 3 "a" "b" "c"
        acc-name: Buchi
        Acceptance: 1 Inf(0)
        properties: trans-labels explicit-labels state-acc deterministic
        --BODY--
        State: 0
        [1&2] 0
        [!2] 1
        State: 1
        [!0] 1
        [0] 2
        State: 2 {0}
        [!0] 1
        [0] 2
        --END--
    "#]]
    .assert_eq(&buchi.to_hoa(title, 3, &name));
}
