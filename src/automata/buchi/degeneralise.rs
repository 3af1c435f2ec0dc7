//! Replacement of several acceptance sets on transitions by one set of states.
//!
//! In each accepting component a state counts how many of the sets that matter
//! there have been met, in a fixed order. When all have been met the state is
//! accepting and counting starts again. One transition can meet several sets.
//! Outside accepting components nothing is counted.

use super::generalised::{Components, Edge, Generalised};
use crate::base::cancel::checkpoint;
use std::collections::HashMap;

/// Maximum number of sets for which all orders are tried.
const MAX_PERMUTED: usize = 3;

/// Returns the smallest automaton over several orders of the sets.
pub(super) fn degeneralise(automaton: &Generalised) -> Generalised {
    let results = orders(automaton.n_sets).into_iter().map(|order| {
        let mut result = in_order(automaton, &order);
        result.reduce();
        result
    });
    results.min_by_key(Generalised::size).expect("there is an order even of no sets")
}

fn orders(n_sets: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    if MAX_PERMUTED < n_sets {
        return vec![(0..n_sets).collect(), (0..n_sets).rev().collect()];
    }
    for set in 0..n_sets {
        let insert = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| [&order[..at], &[set], &order[at..]].concat())
        };
        orders = orders.into_iter().flat_map(insert).collect();
    }
    orders
}

/// A state of the original automaton and the number of sets met.
type CountedState = (u32, usize);

struct Counter {
    components: Components,
    /// For each component, the sets to meet, in order.
    awaited: Vec<Vec<usize>>,
}

fn in_order(automaton: &Generalised, order: &[usize]) -> Generalised {
    let counter = Counter::new(automaton, order);
    let start = (automaton.start, 0);
    let mut numbers: HashMap<CountedState, u32> = HashMap::from([(start, 0)]);
    let mut copies = vec![start];
    let mut edges = Vec::new();
    while edges.len() < copies.len() {
        checkpoint();
        let copy = copies[edges.len()];
        let marks = u64::from(counter.is_accepting(copy));
        let mut row = Vec::new();
        for edge in &automaton.edges[copy.0 as usize] {
            let next = (edge.target, counter.met_after(copy, edge));
            let target = *numbers.entry(next).or_insert_with(|| {
                copies.push(next);
                copies.len() as u32 - 1
            });
            row.push(Edge { target, marks, ..*edge });
        }
        edges.push(row);
    }
    let mut result = Generalised { n_sets: 1, start: 0, edges, state_based: true };
    enter_where_it_is_deepest(&mut result, &copies);
    result
}

impl Counter {
    fn new(automaton: &Generalised, order: &[usize]) -> Self {
        let components = automaton.components();
        let mut missed = vec![0u64; components.is_accepting.len()];
        for (source, row) in automaton.edges.iter().enumerate() {
            for edge in row.iter().filter(|edge| components.is_inner(source, edge)) {
                missed[components.of[source]] |= !edge.marks;
            }
        }
        let awaited = missed
            .into_iter()
            .map(|missed| order.iter().copied().filter(|set| missed >> set & 1 == 1).collect())
            .collect();
        Self { components, awaited }
    }

    fn awaited(&self, state: u32) -> &[usize] {
        let component = self.components.of[state as usize];
        if self.components.is_accepting[component] { &self.awaited[component] } else { &[] }
    }

    fn is_accepting(&self, (state, met): CountedState) -> bool {
        let is_counted = self.components.is_accepting[self.components.of[state as usize]];
        is_counted && met == self.awaited(state).len()
    }

    fn met_after(&self, (state, met): CountedState, edge: &Edge) -> usize {
        if !self.components.is_inner(state as usize, edge) {
            return 0;
        }
        let awaited = self.awaited(edge.target);
        let met = if met == awaited.len() { 0 } else { met };
        let more = awaited[met..].iter().take_while(|set| edge.marks >> **set & 1 == 1).count();
        met + more
    }
}

/// Redirects transitions that enter a component. All copies of a state accept
/// the same words, so such a transition can enter any copy; choosing the copy
/// in the deepest component makes others unreachable.
fn enter_where_it_is_deepest(automaton: &mut Generalised, copies: &[CountedState]) {
    let components = automaton.components();
    let mut deepest: HashMap<u32, u32> = HashMap::new();
    for (copy, &(state, _)) in copies.iter().enumerate() {
        let best = deepest.entry(state).or_insert(copy as u32);
        if components.of[copy] < components.of[*best as usize] {
            *best = copy as u32;
        }
    }
    let best = |copy: u32| deepest[&copies[copy as usize].0];
    automaton.start = best(automaton.start);
    for source in 0..automaton.n_states() {
        for edge in &mut automaton.edges[source] {
            if components.of[source] != components.of[edge.target as usize] {
                edge.target = best(edge.target);
            }
        }
    }
    automaton.keep_reachable();
}
