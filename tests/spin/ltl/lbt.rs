//! lbt's generalised automata.

use super::{Foreign, output, split};
use std::time::Duration;
use trapline::automata::buchi::{Buchi, Edge};
use trapline::automata::ltl::Formula;

/// The automaton that lbt makes of a formula; `None` if there is no lbt, an
/// error if it takes longer than `limit`.
pub fn automaton(formula: &Formula, n_atoms: u32, limit: Duration) -> Option<Result<Foreign, Duration>> {
    let written = output("lbt", &[], &prefix(formula), limit)?;
    Some(written.map(|text| read(&text, n_atoms)))
}

/// The formula with operators before operands.
fn prefix(formula: &Formula) -> String {
    let fold = |operator: &str, empty: &str, parts: &[Formula]| {
        let all = parts.iter().map(prefix).reduce(|left, right| format!("{operator} {left} {right}"));
        all.unwrap_or(empty.to_owned())
    };
    let (operator, parts) = match formula {
        Formula::True => ("t", vec![]),
        Formula::False => ("f", vec![]),
        Formula::Atom(atom) => return format!("p{}", atom.0),
        Formula::And(parts) => return fold("&", "t", parts),
        Formula::Or(parts) => return fold("|", "f", parts),
        Formula::Not(f) => ("!", vec![f]),
        Formula::Next(f) => ("X", vec![f]),
        Formula::Always(f) => ("G", vec![f]),
        Formula::Eventually(f) => ("F", vec![f]),
        Formula::Implies(f, g) => ("i", vec![f, g]),
        Formula::Equivalent(f, g) => ("e", vec![f, g]),
        Formula::Until(f, g) => ("U", vec![f, g]),
        Formula::Release(f, g) => ("V", vec![f, g]),
        Formula::WeakUntil(f, g) => return format!("V {} | {} {}", prefix(g), prefix(f), prefix(g)),
        Formula::StrongRelease(f, g) => return format!("U {} & {} {}", prefix(g), prefix(f), prefix(g)),
    };
    parts.iter().fold(operator.to_owned(), |text, part| text + " " + &prefix(part))
}

/// A guard, and the words behind it.
fn guard<'a>(words: &'a [&'a str]) -> (Formula, &'a [&'a str]) {
    let (first, rest) = words.split_first().expect("a guard is complete");
    match *first {
        "t" => (Formula::True, rest),
        "f" => (Formula::False, rest),
        "!" => {
            let (inner, rest) = guard(rest);
            (inner.negated(), rest)
        }
        "&" | "|" => {
            let (left, rest) = guard(rest);
            let (right, rest) = guard(rest);
            let parts = vec![left, right];
            (if *first == "&" { Formula::And(parts) } else { Formula::Or(parts) }, rest)
        }
        atom => (Formula::atom(atom[1..].parse().expect("a numbered atom")), rest),
    }
}

struct State {
    is_initial: bool,
    /// The acceptance sets it belongs to.
    sets: Vec<usize>,
    edges: Vec<(usize, Formula)>,
}

/// `states sets`, then for each state `number initial sets… -1` and for each
/// transition `target guard`, until `-1`.
fn read(text: &str, n_atoms: u32) -> Foreign {
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let numbers = |words: &[&str]| words.iter().map(|word| word.parse().expect("a number")).collect();
    let head: Vec<usize> = numbers(&lines.next().expect("a first line"));
    let mut states = Vec::new();
    while let Some(line) = lines.next().filter(|line| !line.is_empty()) {
        let sets = numbers(&line[2..line.len() - 1]);
        let mut edges = Vec::new();
        while let Some(line) = lines.next().filter(|line| line[0] != "-1") {
            edges.push((line[0].parse().expect("a state"), guard(&line[1..]).0));
        }
        states.push(State { is_initial: line[1] == "1", sets, edges });
    }
    Foreign {
        n_states: states.len(),
        n_edges: states.iter().map(|state| state.edges.len()).sum(),
        automaton: counted(&states, head[1], n_atoms),
    }
}

/// State `s` awaiting set `k` becomes `1 + s * (sets + 1) + k`, the last of
/// which accepts; state 0 has the transitions of the initial states.
fn counted(states: &[State], n_sets: usize, n_atoms: u32) -> Buchi {
    let number = |state: usize, awaited: usize| 1 + state * (n_sets + 1) + awaited;
    let mut edges: Vec<Vec<Edge>> = vec![Vec::new()];
    let mut accepting = vec![false];
    for state in states {
        for awaited in 0..=n_sets {
            let mut next = if awaited == n_sets { 0 } else { awaited };
            while next < n_sets && state.sets.contains(&next) {
                next += 1;
            }
            let row = state.edges.iter();
            let row = row.flat_map(|(target, guard)| split(guard, n_atoms, number(*target, next) as u32));
            edges.push(row.collect());
            accepting.push(awaited == n_sets);
        }
    }
    for (index, _) in states.iter().enumerate().filter(|(_, state)| state.is_initial) {
        let row = edges[number(index, 0)].clone();
        edges[0].extend(row);
    }
    Buchi::new(accepting, edges)
}
