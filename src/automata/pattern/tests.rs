//! Patterns and scopes compared with their definitions, which are written over
//! positions of a word, without automata, on every short word.

use super::*;
use crate::automata::testing::words;
use std::ops::Range;

const P: Symbol = 0;
const S: Symbol = 1;
const T: Symbol = 2;
const Z: Symbol = 3;

/// Returns the segments of a word in which the pattern must hold.
fn stretches(word: &[Symbol], scope: &Scope) -> Vec<Range<usize>> {
    let end = word.len();
    let find = |from: usize, symbols: &[Symbol]| (from..end).find(|&at| symbols.contains(&word[at]));
    match scope {
        Scope::Global => std::iter::once(0..end).collect(),
        Scope::Before(close) => find(0, close).map(|at| 0..at).into_iter().collect(),
        Scope::After(open) => find(0, open).map(|at| at + 1..end).into_iter().collect(),
        Scope::Between(open, close) | Scope::AfterUntil(open, close) => {
            let mut stretches = Vec::new();
            let mut from = 0;
            while let Some(opened) = find(from, open) {
                let Some(closed) = find(opened + 1, close) else {
                    if matches!(scope, Scope::AfterUntil(..)) {
                        stretches.push(opened + 1..end);
                    }
                    break;
                };
                stretches.push(opened + 1..closed);
                from = closed + 1;
            }
            stretches
        }
    }
}

/// Returns whether the pattern holds in one segment.
fn holds(pattern: &Pattern, word: &[Symbol], stretch: Range<usize>) -> bool {
    let within = &word[stretch.clone()];
    let all = |symbols: &[Symbol]| -> Vec<usize> {
        (0..within.len()).filter(|&at| symbols.contains(&within[at])).collect()
    };
    // The first of `symbols` strictly after a position.
    let after = |at: usize, symbols: &[Symbol]| all(symbols).into_iter().find(|&later| later > at);
    // No `without` after the first element and before the second, if any.
    let is_pure = |first: usize, second: &[Symbol], without: &[Symbol]| {
        let until = after(first, second).unwrap_or(within.len());
        all(without).into_iter().all(|at| at <= first || at >= until)
    };
    match pattern {
        Pattern::Absence { of } => all(of).is_empty(),
        Pattern::Existence { of } => !all(of).is_empty(),
        Pattern::BoundedExistence { of, at_most } => all(of).len() <= *at_most as usize,
        Pattern::Universality { starts, stops, initially } => (stretch.start..=stretch.end).all(|at| {
            let last =
                word[..at].iter().rev().find(|symbol| starts.contains(symbol) || stops.contains(symbol));
            last.map_or(*initially, |symbol| starts.contains(symbol))
        }),
        Pattern::Precedence { first, before } => {
            all(before).iter().all(|&at| all(first).iter().any(|&earlier| earlier < at))
        }
        Pattern::Response { of, to } => all(of).iter().all(|&at| after(at, to).is_some()),
        Pattern::PrecedenceChain21 { first, second, before, without } => {
            let enabled = |at: usize| {
                all(first).iter().any(|&one| all(second).iter().any(|&two| one < two && two < at))
            };
            let guarded = all(first).first().is_none_or(|&at| {
                // A `before` that occurs too early is already a violation.
                is_pure(at, second, without)
            });
            all(before).into_iter().all(enabled) && guarded
        }
        Pattern::PrecedenceChain12 { required, first, second, without } => {
            let Some(&one) = all(first).first() else { return true };
            let allowed = all(required).iter().any(|&at| at < one);
            allowed || (after(one, second).is_none() && is_pure(one, second, without))
        }
        Pattern::ResponseChain12 { of, first, second, without } => all(of).iter().all(|&at| {
            after(at, first).is_some_and(|one| after(one, second).is_some() && is_pure(one, second, without))
        }),
        Pattern::ResponseChain21 { first, second, to, without } => all(first).iter().all(|&one| {
            let answered = after(one, second).is_none_or(|two| after(two, to).is_some());
            answered && is_pure(one, second, without)
        }),
    }
}

#[track_caller]
fn check(pattern: &Pattern, n_roles: u32, max_length: u32) {
    let (open, close) = (vec![n_roles], vec![n_roles + 1]);
    let scopes = [
        Scope::Global,
        Scope::Before(close.clone()),
        Scope::After(open.clone()),
        Scope::Between(open.clone(), close.clone()),
        Scope::AfterUntil(open, close),
    ];
    for scope in scopes {
        check_scope(pattern, &scope, n_roles + 2, max_length);
    }
}

#[track_caller]
fn check_scope(pattern: &Pattern, scope: &Scope, n_symbols: u32, max_length: u32) {
    let dfa = pattern.compile(scope, n_symbols as usize).expect("small");
    for word in words(n_symbols, max_length) {
        let expected = stretches(&word, scope).into_iter().all(|stretch| holds(pattern, &word, stretch));
        assert_eq!(dfa.accepts(word.iter().copied()), expected, "{pattern:?} {scope:?} on {word:?}");
    }
}

#[test]
fn occurrence() {
    check(&Pattern::Absence { of: vec![P] }, 2, 8);
    check(&Pattern::Existence { of: vec![P] }, 2, 8);
    for at_most in 0..4 {
        check(&Pattern::BoundedExistence { of: vec![P], at_most }, 2, 8);
    }
    for initially in [true, false] {
        check(&Pattern::Universality { starts: vec![P], stops: vec![S], initially }, 2, 8);
    }
}

#[test]
fn order() {
    check(&Pattern::Precedence { first: vec![S], before: vec![P] }, 2, 8);
    check(&Pattern::Response { of: vec![P], to: vec![S] }, 2, 8);
    check(&Pattern::Precedence { first: vec![S], before: vec![P, T] }, 3, 8);
    check(&Pattern::Response { of: vec![P, T], to: vec![S] }, 3, 8);
}

fn chains(first: Symbol, second: Symbol, without: &[Symbol]) -> [Pattern; 4] {
    let (first, second, without) = (vec![first], vec![second], without.to_vec());
    let other = vec![P];
    [
        Pattern::PrecedenceChain21 {
            first: first.clone(),
            second: second.clone(),
            before: other.clone(),
            without: without.clone(),
        },
        Pattern::PrecedenceChain12 {
            required: other.clone(),
            first: first.clone(),
            second: second.clone(),
            without: without.clone(),
        },
        Pattern::ResponseChain12 {
            of: other.clone(),
            first: first.clone(),
            second: second.clone(),
            without: without.clone(),
        },
        Pattern::ResponseChain21 { first, second, to: other, without },
    ]
}

#[test]
fn order_of_three() {
    for pattern in chains(S, T, &[]) {
        check(&pattern, 3, 8);
        check_scope(&pattern, &Scope::Global, 3, 9);
    }
}

#[test]
fn constrained_chains() {
    for pattern in chains(S, T, &[Z]) {
        check(&pattern, 4, 8);
    }
    for pattern in [P, S].into_iter().flat_map(|without| chains(S, T, &[without])) {
        check(&pattern, 3, 8);
    }
}

#[test]
fn a_chain_may_ask_for_the_same_event_twice() {
    for pattern in chains(S, S, &[]) {
        check(&pattern, 2, 8);
    }
}

#[test]
fn the_opening_event_may_be_the_one_that_is_forbidden_inside() {
    let no_double_lock = Pattern::Absence { of: vec![0] };
    for scope in
        [Scope::Between(vec![0], vec![1]), Scope::AfterUntil(vec![0], vec![1]), Scope::After(vec![0])]
    {
        check_scope(&no_double_lock, &scope, 3, 8);
    }
    let alternating = Pattern::Existence { of: vec![1] };
    check_scope(&alternating, &Scope::Between(vec![0], vec![0]), 2, 8);
}

#[test]
fn safety_is_what_the_scope_leaves_of_it() {
    let is_safety = |pattern: &Pattern, scope| pattern.compile(&scope, 4).expect("small").is_safety();
    let absence = Pattern::Absence { of: vec![P] };
    let existence = Pattern::Existence { of: vec![P] };
    assert!(is_safety(&absence, Scope::Global));
    assert!(is_safety(&absence, Scope::Between(vec![2], vec![3])));
    assert!(!is_safety(&existence, Scope::Global));
    assert!(is_safety(&existence, Scope::Before(vec![3])));
    assert!(!is_safety(&existence, Scope::AfterUntil(vec![2], vec![3])));
}

#[test]
fn an_enormous_bound_is_too_large() {
    let pattern = Pattern::BoundedExistence { of: vec![P], at_most: u32::MAX };
    assert_eq!(pattern.compile(&Scope::Global, 1), Err(TooLarge));
}
