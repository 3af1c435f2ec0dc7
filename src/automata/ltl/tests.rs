//! Parsing, printing and simplifying.

use super::*;
use crate::automata::testing::{random_formula, random_lasso, seeded};
use expect_test::{Expect, expect};

/// Returns the formula as it was parsed, or the error.
fn read(text: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut atom = |range: std::ops::Range<usize>| {
        let name = &text[range];
        let known = names.iter().position(|other| other == name);
        Ok(AtomId::new(known.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        })))
    };
    match parse(text, &mut atom) {
        Ok(formula) => formula.show(&|atom| names[atom.index()].clone()).to_string(),
        Err(error) => {
            let width = text[error.range.clone()].chars().count().max(1);
            let before = text[..error.range.start].chars().count();
            let hint = error.hint.map_or(String::new(), |hint| format!("\nhint: {hint}"));
            format!("{text}\n{}{} {}{hint}", " ".repeat(before), "^".repeat(width), error.message)
        }
    }
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&read(text));
}

#[test]
fn precedence_is_that_of_ltl_blocks() {
    check("a U b U c", expect!["(a U b) U c"]);
    check("a -> b -> c", expect!["(a -> b) -> c"]);
    check("a <-> b -> c", expect!["(a <-> b) -> c"]);
    check("a || b && c", expect!["a || (b && c)"]);
    check("! a U b", expect!["!a U b"]);
    check("[] a U b", expect!["([] a) U b"]);
    check("a && b U c", expect!["a && (b U c)"]);
    check("a W b V c", expect!["(a W b) V c"]);
    check("a U [] b && c", expect!["(a U ([] b)) && c"]);
    check("X a U b -> c", expect!["((X a) U b) -> c"]);
    check("a && b && c || d || e", expect!["(a && b && c) || d || e"]);
}

#[test]
fn words_and_letters_are_operators_too() {
    check("always (a implies eventually b)", expect!["[] (a -> <> b)"]);
    check("G(a -> F b)", expect!["[] (a -> <> b)"]);
    check("a until b equivalent a weakuntil c", expect!["(a U b) <-> (a W c)"]);
    check("next a release b stronguntil c", expect!["((X a) V b) U c"]);
    check("a R b /\\ c V d \\/ e", expect!["((a V b) && (c V d)) || e"]);
    check(
        "[ ] < b",
        expect![[r#"
        [ ] < b
            ^ expected a formula or an expression, found `<`"#]],
    );
    check("true U false", expect!["true U false"]);
    check("1 U 0", expect!["true U false"]);
}

#[test]
fn atoms_are_expressions() {
    check("[] x > 0", expect!["[] (x > 0)"]);
    check("[](x>0 -> <>len(q) == 0)", expect!["[] ((x>0) -> <> (len(q) == 0))"]);
    check("proc[1]@label U (x + 1) * 2 <= y", expect!["(proc[1]@label) U ((x + 1) * 2 <= y)"]);
    check("(x) && ((y))", expect!["x && y"]);
    check("!P[0]:x", expect!["!(P[0]:x)"]);
    check("x<-1 <-> y<1", expect!["(x<-1) <-> (y<1)"]);
    check("q?[msg, 1] -> empty(q)", expect!["(q?[msg, 1]) -> (empty(q))"]);
    check("{ a -> b : c } U {R}", expect!["{a -> b : c} U {R}"]);
    check("x == G && y != X", expect!["(x == G) && (y != X)"]);
    check("a.b[i].c == ~1 & 3", expect!["(a.b[i].c == ~1 & 3)"]);
}

#[test]
fn mistakes_say_where_and_what() {
    check(
        "",
        expect![[r#"

        ^ the formula is incomplete"#]],
    );
    check(
        "a U",
        expect![[r#"
        a U
           ^ the formula is incomplete"#]],
    );
    check(
        "a U U b",
        expect![[r#"
        a U U b
            ^ expected a formula before `U`
        hint: if this is a name, write `{U}`"#]],
    );
    check(
        "(a U b",
        expect![[r#"
        (a U b
        ^ this `(` is not closed"#]],
    );
    check(
        "a)",
        expect![[r#"
        a)
         ^ this `)` has no matching `(`"#]],
    );
    check(
        "(a])",
        expect![[r#"
        (a])
          ^ this `]` has no matching opening bracket"#]],
    );
    check(
        "a b",
        expect![[r#"
        a b
          ^ expected an operator before `b`"#]],
    );
    check(
        "a = 1",
        expect![[r#"
        a = 1
          ^ expected an operator before `=`
        hint: `=` is written `==` here"#]],
    );
    check(
        "a => b",
        expect![[r#"
        a => b
          ^ expected an operator before `=`
        hint: `=>` is written `->` here"#]],
    );
    check(
        "a and b",
        expect![[r#"
        a and b
          ^^^ expected an operator before `and`
        hint: `and` is written `&&` here"#]],
    );
    check(
        "! x > 0",
        expect![[r#"
        ! x > 0
        ^^^^^^^ the operand of this `!` is ambiguous
        hint: write `!(x > 0)` to negate the comparison, or `{!x > 0}` for one expression"#]],
    );
    check(
        "{ } U b",
        expect![[r#"
        { } U b
        ^^^ these braces are empty"#]],
    );
    check(
        "[] && a",
        expect![[r#"
        [] && a
           ^^ expected a formula before `&&`"#]],
    );
    check(
        "a && ?",
        expect![[r#"
        a && ?
             ^ expected a formula or an expression, found `?`"#]],
    );
    check(
        "x == ",
        expect![[r#"
        x == 
             ^ the formula is incomplete"#]],
    );
    check(
        "é = b",
        expect![[r#"
        é = b
          ^ expected an operator before `=`
        hint: `=` is written `==` here"#]],
    );
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let message = |text: String| read(&text).lines().last().unwrap_or_default().trim().to_owned();
    let deep = "^ the formula is nested more than 200 levels deep";
    assert_eq!(message("(".repeat(5000) + "a" + &")".repeat(5000)), deep);
    assert_eq!(message("!".repeat(5000) + "a"), deep);
    assert_eq!(message("a U ".repeat(5000) + "a"), deep);
    assert_eq!(message("a -> ".repeat(5000) + "a"), format!("^{deep}"));
    assert_eq!(read(&("a && ".repeat(5000) + "a")).len(), 5 * 5000 + 1);
}

#[test]
fn the_callers_objection_is_the_error() {
    let mut refuse = |range| Err(ParseError::new(range, "no such name".into()));
    let error = parse("[] missing", &mut refuse).expect_err("refused");
    assert_eq!((error.range, error.message.as_str()), (3..10, "no such name"));
}

#[test]
fn printed_formulas_are_read_back() {
    seeded(500, |random| {
        let formula = random_formula(random, 5, 4).simplified();
        let text = formula.to_string();
        let mut atom = |range: std::ops::Range<usize>| {
            Ok(AtomId(text[range.start + 1..range.end].parse().expect("a number")))
        };
        let back = parse(&text, &mut atom).expect("a formula");
        assert_eq!(back.to_string(), text);
    });
}

#[test]
fn simplifying_keeps_the_meaning() {
    seeded(3000, |random| {
        let formula = random_formula(random, 5, 3);
        let simplified = formula.simplified();
        for _ in 0..30 {
            let word = random_lasso(random, 3);
            assert_eq!(
                formula.holds_on(&word),
                simplified.holds_on(&word),
                "{formula} and {simplified} on {word:?}"
            );
        }
        assert_eq!(simplified.simplified().simplified(), simplified.simplified(), "{formula}");
    });
}

#[track_caller]
fn check_simplified(text: &str, expected: Expect) {
    let mut atom = |range: std::ops::Range<usize>| Ok(AtomId(u32::from(text.as_bytes()[range.start] - b'a')));
    let formula = parse(text, &mut atom).expect("a formula").simplified();
    let name = |atom: AtomId| char::from(b'a' + atom.0 as u8).to_string();
    expected.assert_eq(&formula.show(&name).to_string());
}

#[test]
fn simplification() {
    check_simplified("!(a -> (b <-> c))", expect!["a && (!b || !c) && (b || c)"]);
    check_simplified("a && b && a", expect!["a && b"]);
    check_simplified("a || a && b", expect!["a"]);
    check_simplified("a || !a && b", expect!["a || b"]);
    check_simplified("a U (a U b)", expect!["a U b"]);
    check_simplified("(a U b) U b", expect!["a U b"]);
    check_simplified("!a U a", expect!["<> a"]);
    check_simplified("(a || b) U b", expect!["a U b"]);
    check_simplified("<>a || <>b", expect!["<> (a || b)"]);
    check_simplified("[]a && []b", expect!["[] (a && b)"]);
    check_simplified("[]<>[]<>a", expect!["[] <> a"]);
    check_simplified("<>[]<>[]a", expect!["<> [] a"]);
    check_simplified("[]<>(a U b)", expect!["[] <> b"]);
    check_simplified("[]<>a || []<>b", expect!["[] <> (a || b)"]);
    check_simplified("<>[]a && <>[]b", expect!["<> [] (a && b)"]);
    check_simplified("<>(a && []<>b)", expect!["[] <> b && <> a"]);
    check_simplified("[](a || []<>b)", expect!["[] <> b || [] a"]);
    check_simplified("X []<> a", expect!["[] <> a"]);
    check_simplified("a U []<>b", expect!["[] <> b"]);
    check_simplified("[]a U b", expect!["b || ([] a && <> b)"]);
    check_simplified("X a U X b", expect!["X (a U b)"]);
    check_simplified("[]a && <>a", expect!["[] a"]);
    check_simplified("[]a -> a", expect!["true"]);
    check_simplified("(a U b) && <>b", expect!["a U b"]);
    check_simplified("(a U c) && (b U c)", expect!["(a && b) U c"]);
    check_simplified("<>(a || []b && <>a)", expect!["<> a"]);
    check_simplified("a U (b || c && (a U b))", expect!["a U b"]);
    check_simplified("!(a W b)", expect!["!b U (!a && !b)"]);
    check_simplified("[]<>(a && X b) && <>[]!c", expect!["[] <> (a && X b) && <> [] !c"]);
}
