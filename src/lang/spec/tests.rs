//! Correct specifications and the automata they become.

use super::*;
use crate::automata::Dfa;
use crate::diag::Sources;
use expect_test::{Expect, expect};

const LABELS: &[&str] =
    &["t2.lock", "t2.unlock", "p", "q", "r", "s", "t", "w[1].start", "w[2].start", "w[1].stop"];

fn labels() -> Vec<String> {
    LABELS.iter().map(|label| label.to_string()).collect()
}

#[track_caller]
fn properties(text: &str) -> Vec<Property> {
    let mut sources = Sources::default();
    let source = sources.add("specs/sample.yaml", text);
    let show = |mistakes: Vec<crate::diag::Diagnostic>| {
        mistakes.iter().map(|mistake| mistake.render(&sources, false)).collect::<Vec<_>>().join("\n")
    };
    let file = parse_property_file(source, &sources).map_err(show).expect("the file is right");
    let resolve = |spec: &PropertySpec| spec.resolve(&labels()).map_err(show).expect("the property is right");
    file.properties.iter().map(resolve).collect()
}

#[track_caller]
fn property(text: &str) -> Property {
    let mut properties = properties(text);
    assert_eq!(properties.len(), 1);
    properties.remove(0)
}

/// Shows the alphabet, then a line per state: `>` start, `*` accepting.
fn drawn(property: &Property) -> String {
    let automaton = &property.automaton;
    let dfa = &automaton.dfa;
    let mut lines = Vec::new();
    for event in &automaton.events {
        lines.push(format!("{} = {}", event.name, event.labels.join(" ")));
    }
    for state in 0..dfa.n_states() as u32 {
        let start = if state == dfa.start() { ">" } else { " " };
        let accepting = if dfa.is_accepting(state) { "*" } else { " " };
        let name = |state: u32| automaton.state_names[state as usize].as_str();
        let targets: Vec<&str> = dfa.successors(state).map(name).collect();
        lines.push(format!("{start}{accepting} {}: {}", name(state), targets.join(" ")));
    }
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&drawn(&property(text)));
}

/// Returns the automaton over p, q, r, s, t.
#[track_caller]
fn language(notation: &str) -> Dfa {
    property(&format!("events: [p, q, r, s, t]\n{notation}\n")).automaton.dfa
}

#[test]
fn the_example_of_the_manual() {
    let manual = include_str!("../../../docs/spec-language.md");
    let start = manual.find("```yaml\n").expect("the manual has an example") + 8;
    let end = start + manual[start..].find("```").expect("the example ends");
    let mut sources = Sources::default();
    let source = sources.add("specs/sample.yaml", &manual[start..end]);
    let file = parse_property_file(source, &sources).expect("the file is right");
    let labels = ["pump[0].start(0)", "pump[0].start(1)", "pump[0].finish(0)", "pump[1].start(0)"];
    let labels: Vec<String> = labels.iter().map(|label| label.to_string()).collect();
    let property = file.properties[0].resolve(&labels).expect("the property is right");
    assert_eq!(property.name, "pump-exclusive");
    assert_eq!(property.model.as_ref().map(|model| model.value.as_str()), Some("../examples/gas_station.rs"));
    assert_eq!(property.set[0].0.value, "N");
    assert_eq!(property.set[0].1.value, 3);
    assert_eq!(property.constraints[0].value, "task:pump[0]");
    assert_eq!(property.executions, Some(property::Executions::Prefixes));
    expect![[r#"
        start = pump[0].start(0) pump[0].start(1)
        finish = pump[0].finish(0)
        >* 0: 1 trap
         * 1: trap 0
           trap: trap trap"#]]
    .assert_eq(&drawn(&property));
}

#[test]
fn a_list_makes_an_event_per_label_and_a_map_one_for_all() {
    check(
        "events: ['w[*].start', p]\nall: '{w[*].start}* ; p'",
        expect![[r#"
            w[1].start = w[1].start
            w[2].start = w[2].start
            p = p
            >  0: 0 0 1
             * 1: trap trap trap
               trap: trap trap trap"#]],
    );
    check(
        "events: { begin: 'w[*].start', first: ['w[1].start', p] }\nall: 'begin* ; first'",
        expect![[r#"
        begin = w[2].start
        first = p w[1].start
        >  0: 0 1
         * 1: trap trap
           trap: trap trap"#]],
    );
}

#[test]
fn states_of_an_automaton_keep_their_names() {
    check(
        r"
events: { lock: t2.lock, unlock: t2.unlock }
all:
  automaton:
    start: free
    transitions:
      free: { lock: held, unlock: free }
      held: { unlock: idle }
      idle: { lock: held, unlock: idle }
",
        expect![[r#"
            lock = t2.lock
            unlock = t2.unlock
            >* free/idle: held free/idle
             * held: trap free/idle
               trap: trap trap"#]],
    );
    check(
        r"
events: { lock: t2.lock, unlock: t2.unlock }
none:
  automaton:
    start: free
    accepting: broken
    transitions:
      free: { lock: held, unlock: trap }
      held: { unlock: free, lock: broken }
      broken: {}
    otherwise: stay
",
        expect![[r#"
            lock = t2.lock
            unlock = t2.unlock
            >* free: held safe
             * held: trap free
             * safe: safe safe
               trap: trap trap"#]],
    );
}

#[test]
fn shared_keys_are_defaults() {
    let properties = properties(
        r"
model: a.rs
set: { N: 3, FAST: true }
events: [p, q]
constraints: task:*
properties:
  - all: '[-p]*'
  - name: own
    model: b.rs
    set: { N: 4 }
    events: [r]
    constraints: []
    executions: complete
    none: '.* ; r'
",
    );
    let show = |property: &Property| {
        let set: Vec<String> = property.set.iter().map(|(n, v)| format!("{}={}", n.value, v.value)).collect();
        let constraints: Vec<&str> = property.constraints.iter().map(|c| c.value.as_str()).collect();
        let model = property.model.as_ref().map_or("none", |model| model.value.as_str());
        format!(
            "{} of {model} with {set:?} under {constraints:?}, {:?} executions of {} events",
            property.name,
            property.executions_or_default(),
            property.automaton.events.len()
        )
    };
    expect![[r#"
        sample-1 of a.rs with ["N=3", "FAST=1"] under ["task:*"], Prefixes executions of 2 events
        own of b.rs with ["N=4"] under [], Complete executions of 1 events"#]]
    .assert_eq(&properties.iter().map(show).collect::<Vec<_>>().join("\n"));
}

#[test]
fn quantified_expressions_bring_their_alphabet() {
    check(
        "qre: for events {p},{q} show no executions satisfy .*;{p};{q};.*",
        expect![[r#"
        p = p
        q = q
        >* 0: 1 0
         * 1: 1 trap
           trap: trap trap"#]],
    );
    let of_the_manual = "qre: for events {t2.lock},{t2.unlock} show no executions satisfy .*;{t2.lock};[-{t2.unlock}]*;{t2.lock};.*";
    assert_eq!(property(of_the_manual).automaton.dfa.n_states(), 3);
    let wrapped = property("qre: |\n  for events {{q}, {p}}\n  show all executions\n  satisfy [-q]*;{q}^2");
    let plain = property("events: [q, p]\nall: p* ; q ; q");
    assert_eq!(wrapped.automaton.dfa, plain.automaton.dfa);
    check(
        "events: { begin: 'w[*].start', end: 'w[*].stop' }\nqre: for events {begin},{p} show all executions satisfy (begin;p)*",
        expect![[r#"
            begin = w[1].start w[2].start
            p = p
            >* 0: 1 trap
               1: trap 0
               trap: trap trap"#]],
    );
}

#[test]
fn a_constraint_file() {
    let mut sources = Sources::default();
    let source = sources.add("lib/at-most-two.yaml", "events: [p]\nall: 'p{0,2}'\n");
    let constraint =
        parse_constraint_file(source, &sources).expect("right").resolve(&labels()).expect("right");
    assert_eq!(constraint.name, "at-most-two");
    assert_eq!(constraint.automaton.state_names, ["0", "1", "2", "trap"]);
}

#[test]
fn notations_of_one_language_agree() {
    let same = |a: &str, b: &str| assert_eq!(language(a), language(b), "{a} and {b}");
    same("all: 'p+'", "all: 'p ; p*'");
    same("all: 'p?'", "all: 'p | ()'");
    same("all: 'p^3'", "all: 'p{3}'");
    same("all: 'p{2,}'", "all: { regex: 'p ; p ; p*' }");
    same("all: 'p{2,4}'", "all: 'p;p;p?;p?'");
    same("all: '[p,q]'", "all: 'p|q'");
    same("all: '[-p,q]'", "all: 'r|s|t'");
    same("all: '{*}'", "all: .");
    same("all: 'p ; q | r'", "all: '(p ; q) | r'");
    same("none: '.* ; p ; .*'", "all: '[-p]*'");
    same("all: 'p{2}{3}'", "all: 'p^6'");
    same("all: ' ( p ;q ) * '", "all: (p;q)*");
}

/// The patterns as QREs, after the mappings of Dwyer, Avrunin and Corbett. P
/// and S are distinct from Q and R, which delimit the scopes.
#[test]
fn patterns_agree_with_their_expressions() {
    let scopes =
        ["global", "{ before: r }", "{ after: q }", "{ between: [q, r] }", "{ after-until: [q, r] }"];
    let patterns = [
        (
            "pattern: absence, of: p",
            [
                "[-p]*",
                "[-r]* | ([-p,r]* ; r ; .*)",
                "[-q]* ; (q ; [-p]*)?",
                "([-q]*;q;[-p,r]*;r)*;[-q]*;(q;[-r]*)?",
                "([-q]*;q;[-p,r]*;r)*;[-q]*;(q;[-p,r]*)?",
            ],
        ),
        (
            "pattern: existence, of: p",
            [
                "[-p]* ; p ; .*",
                "[-r]* | ([-p,r]* ; p ; .*)",
                "[-q]* ; (q ; [-p]* ; p ; .*)?",
                "([-q]*;q;[-p,r]*;p;[-r]*;r)*;[-q]*;(q;[-r]*)?",
                "([-q]*;q;[-p,r]*;p;[-r]*;r)*;[-q]*;(q;[-p,r]*;p;[-r]*)?",
            ],
        ),
        (
            "pattern: bounded-existence, of: p, at-most: 2",
            [
                "[-p]* ; (p ; [-p]*){0,2}",
                "[-r]* | ([-p,r]* ; (p ; [-p,r]*){0,2} ; r ; .*)",
                "[-q]* ; (q ; [-p]* ; (p ; [-p]*){0,2})?",
                "([-q]*;q;[-p,r]*;(p;[-p,r]*){0,2};r)*;[-q]*;(q;[-r]*)?",
                "([-q]*;q;[-p,r]*;(p;[-p,r]*){0,2};r)*;[-q]*;(q;[-p,r]*;(p;[-p,r]*){0,2})?",
            ],
        ),
        (
            "pattern: precedence, first: s, before: p",
            [
                "[-p]* | ([-s,p]* ; s ; .*)",
                "[-r]* | ([-p,r]* ; r ; .*) | ([-p,s,r]* ; s ; .*)",
                "[-q]* ; (q ; ([-p]* | ([-s,p]* ; s ; .*)))?",
                "([-q]*;q;([-p,r]* | ([-p,s,r]*;s;[-r]*));r)*;[-q]*;(q;[-r]*)?",
                "([-q]*;q;([-p,r]* | ([-p,s,r]*;s;[-r]*));r)*;[-q]*;(q;([-p,r]* | ([-p,s,r]*;s;[-r]*)))?",
            ],
        ),
        (
            "pattern: response, of: p, to: s",
            [
                "[-p]* ; (p ; [-s]* ; s ; [-p]*)*",
                "[-r]* | ([-p,r]* ; (p ; [-s,r]* ; s ; [-p,r]*)* ; r ; .*)",
                "[-q]* ; (q ; [-p]* ; (p ; [-s]* ; s ; [-p]*)*)?",
                "([-q]*;q;[-p,r]*;(p;[-s,r]*;s;[-p,r]*)*;r)*;[-q]*;(q;[-r]*)?",
                "([-q]*;q;[-p,r]*;(p;[-s,r]*;s;[-p,r]*)*;r)*;[-q]*;(q;[-p,r]*;(p;[-s,r]*;s;[-p,r]*)*)?",
            ],
        ),
    ];
    for (pattern, expressions) in patterns {
        for (scope, expression) in scopes.iter().zip(expressions) {
            let compiled = language(&format!("all: {{ {pattern}, scope: {scope} }}"));
            let expected = language(&format!("all: '{expression}'"));
            let word = compiled.distinguishing_word(&expected);
            assert_eq!(word, None, "{pattern} in {scope}: {expression}");
        }
    }
}

#[test]
fn chains_by_lists() {
    let same = |a: &str, b: &str| assert_eq!(language(a), language(b), "{a} and {b}");
    same(
        "all: { pattern: response-chain, of: p, to: [s, t] }",
        "all: { pattern: response-chain, of: [p], to: [[s], t] }",
    );
    // A pair of responses that may not be interrupted.
    same(
        "all: { pattern: response-chain, of: p, to: [s, t], without: q, scope: { before: r } }",
        "all: '[-r]* | [-p,r]*;(p;[-s,r]*;s;[-t,q,r,p]*;(p;[-s,t,q,r]*;(t;[-s,r]*;s | s);[-t,q,r,p]*)*;t;[-p,r]*)*;r;.*'",
    );
}

#[test]
fn the_schema_has_the_keys_of_the_parser() {
    let keys = |value: &serde_json::Value| -> std::collections::BTreeSet<String> {
        value["properties"].as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    };
    let set = |keys: &[&str]| keys.iter().map(|key| key.to_string()).collect();
    let file = schema(FileKind::Property);
    let types = &file["$defs"];
    assert_eq!(keys(&types["Property"]), set(file::PROPERTY_KEYS));
    assert_eq!(keys(&types["PropertyInList"]), set(file::PROPERTY_KEYS));
    assert_eq!(keys(&types["Properties"]), set(file::SHARED_KEYS));
    assert_eq!(keys(&types["Automaton"]), set(automaton::KEYS));
    let file = schema(FileKind::Constraint);
    assert_eq!(keys(&file["$defs"]["Constraint"]), set(file::CONSTRAINT_KEYS));
    assert_eq!(keys(&file["$defs"]["Sets"]), set(sets::SETS_KEYS));
    let variants = types["Pattern"]["oneOf"].as_array().expect("a pattern is one of several");
    assert_eq!(variants.len(), pattern::PATTERNS.len());
    for (variant, entry) in variants.iter().zip(pattern::PATTERNS) {
        let mut known: Vec<&str> = vec!["pattern", "scope"];
        known.extend(entry.keys.iter().chain(entry.optional));
        assert_eq!(variant["properties"]["pattern"]["const"], entry.name);
        assert_eq!(keys(variant), set(&known), "{}", entry.name);
        let required = variant["required"].as_array().expect("some keys are required");
        assert_eq!(required.len(), entry.keys.len() + 1, "{}", entry.name);
    }
    let scopes = types["Part"].to_string();
    assert!(pattern::SCOPES.iter().all(|scope| scopes.contains(&format!("\"{scope}\""))));
    let notations = types.to_string();
    assert!(body::NOTATION_KEYS.iter().all(|key| notations.contains(&format!("\"{key}\""))));
}
