//! Büchi automata with several acceptance sets, on transitions.
//!
//! A run is accepted if it takes transitions of every set infinitely often.
//! The same type serves automata whose *states* accept: then there is one set
//! and the transitions that leave a state are all in it or all outside.

use super::guard::{self, Guard};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Edge {
    pub target: u32,
    /// Acceptance sets that contain this transition, as bits.
    pub marks: u64,
    pub guard: Guard,
}

#[derive(Clone, Debug)]
pub(super) struct Generalised {
    pub n_sets: usize,
    pub start: u32,
    /// Transitions by source.
    pub edges: Vec<Vec<Edge>>,
    /// Whether all transitions of a state have the same marks, and must keep
    /// them equal.
    pub state_based: bool,
}

/// Returns the marks of `n_sets` sets.
pub(super) fn all_marks(n_sets: usize) -> u64 {
    u64::MAX.checked_shr(u64::BITS - n_sets as u32).unwrap_or(0)
}

/// The strongly connected components of an automaton.
pub(super) struct Components {
    /// Component of each state; transitions never lead to a higher one.
    pub of: Vec<usize>,
    /// Whether each component contains a cycle.
    pub is_cyclic: Vec<bool>,
    /// Whether each component has a cycle with transitions of every set.
    pub is_accepting: Vec<bool>,
}

impl Components {
    pub fn is_inner(&self, source: usize, edge: &Edge) -> bool {
        self.of[source] == self.of[edge.target as usize]
    }
}

impl Generalised {
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Returns the numbers of states and transitions, which reduction
    /// minimises.
    pub fn size(&self) -> (usize, usize) {
        (self.n_states(), self.edges.iter().map(Vec::len).sum())
    }

    /// Returns the components of the graph that has only the wanted
    /// transitions.
    pub fn components_of(&self, is_wanted: impl Fn(usize, &Edge) -> bool) -> Components {
        let n_states = self.n_states();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(n_states, n_states);
        for _ in 0..n_states {
            graph.add_node(());
        }
        let wanted = || {
            let edges = self.edges.iter().enumerate();
            edges.flat_map(|(source, row)| row.iter().map(move |edge| (source, edge)))
        };
        for (source, edge) in wanted().filter(|(source, edge)| is_wanted(*source, edge)) {
            graph.add_edge(NodeIndex::new(source), NodeIndex::new(edge.target as usize), ());
        }
        let components = kosaraju_scc(&graph);
        let mut of = vec![0; n_states];
        for (component, states) in components.iter().enumerate() {
            for state in states {
                of[state.index()] = component;
            }
        }
        let mut union = vec![0; components.len()];
        let mut is_cyclic = vec![false; components.len()];
        for (source, edge) in wanted().filter(|(source, edge)| is_wanted(*source, edge)) {
            if of[source] == of[edge.target as usize] {
                union[of[source]] |= edge.marks;
                is_cyclic[of[source]] = true;
            }
        }
        let all = all_marks(self.n_sets);
        let is_accepting = (0..components.len()).map(|c| is_cyclic[c] && union[c] == all).collect();
        Components { of, is_cyclic, is_accepting }
    }

    pub fn components(&self) -> Components {
        self.components_of(|_, _| true)
    }

    /// Removes states, transitions and marks that no accepting run needs.
    pub fn tidy(&mut self) {
        let components = self.components();
        self.drop_useless(&components);
        self.widen_sets(&components);
        self.clear_marks(&components);
        self.drop_full_sets(&components);
        self.keep_reachable();
        self.join_guards();
    }

    /// Removes transitions into states from which no word is accepted.
    fn drop_useless(&mut self, components: &Components) {
        let mut is_useful = components.is_accepting.clone();
        let mut states: Vec<usize> = (0..self.n_states()).collect();
        states.sort_by_key(|&state| components.of[state]);
        for state in states {
            let leads_on =
                self.edges[state].iter().any(|edge| is_useful[components.of[edge.target as usize]]);
            is_useful[components.of[state]] |= leads_on;
        }
        for row in &mut self.edges {
            row.retain(|edge| is_useful[components.of[edge.target as usize]]);
        }
    }

    /// Adds all inner transitions of a component to a set if each of its cycles
    /// meets that set anyway, or each of its cycles that meets another needed
    /// set.
    fn widen_sets(&mut self, components: &Components) {
        let mut redundant = vec![0u64; components.is_accepting.len()];
        for set in 0..self.n_sets {
            let bit = 1u64 << set;
            let outside =
                self.components_of(|source, edge| components.is_inner(source, edge) && edge.marks & bit == 0);
            let mut is_met = components.is_accepting.clone();
            for state in 0..self.n_states() {
                is_met[components.of[state]] &= !outside.is_cyclic[outside.of[state]];
            }
            for (component, is_met) in is_met.into_iter().enumerate() {
                redundant[component] |= if is_met { bit } else { 0 };
            }
        }
        self.find_contained_sets(components, &mut redundant);
        for source in 0..self.n_states() {
            let marks = redundant[components.of[source]];
            for edge in &mut self.edges[source] {
                if self.state_based || components.of[source] == components.of[edge.target as usize] {
                    edge.marks |= marks;
                }
            }
        }
    }

    /// Marks as redundant the sets that contain another set that is needed.
    fn find_contained_sets(&self, components: &Components, redundant: &mut [u64]) {
        let mut contains = vec![vec![u64::MAX; self.n_sets]; redundant.len()];
        for (source, row) in self.edges.iter().enumerate() {
            for edge in row.iter().filter(|edge| components.is_inner(source, edge)) {
                let sets = (0..self.n_sets).filter(|set| edge.marks >> set & 1 == 1);
                for set in sets {
                    contains[components.of[source]][set] &= edge.marks;
                }
            }
        }
        for (component, contains) in contains.iter().enumerate() {
            for set in (0..self.n_sets).filter(|_| components.is_accepting[component]) {
                let other_implies = |other: usize| {
                    other != set && redundant[component] >> other & 1 == 0 && contains[other] >> set & 1 == 1
                };
                if (0..self.n_sets).any(other_implies) {
                    redundant[component] |= 1 << set;
                }
            }
        }
    }

    /// Clears marks that a run can meet only finitely often.
    fn clear_marks(&mut self, components: &Components) {
        let state_based = self.state_based;
        for (source, row) in self.edges.iter_mut().enumerate() {
            let component = components.of[source];
            for edge in row {
                let is_inner = state_based || component == components.of[edge.target as usize];
                if !components.is_accepting[component] || !is_inner {
                    edge.marks = 0;
                }
            }
        }
    }

    /// Removes sets that contain every transition that an accepting run can
    /// repeat.
    fn drop_full_sets(&mut self, components: &Components) {
        if self.state_based {
            return;
        }
        let mut needed = 0;
        for (source, row) in self.edges.iter().enumerate() {
            if components.is_accepting[components.of[source]] {
                let inner = row.iter().filter(|edge| components.is_inner(source, edge));
                needed = inner.fold(needed, |needed, edge| needed | !edge.marks);
            }
        }
        let sets: Vec<usize> = (0..self.n_sets).filter(|set| needed >> set & 1 == 1).collect();
        if sets.is_empty() {
            // Without sets every cycle is accepting, so there must be no
            // rejecting cycle.
            let has_rejecting = (0..components.is_cyclic.len())
                .any(|component| components.is_cyclic[component] && !components.is_accepting[component]);
            if has_rejecting {
                return self.keep_sets(&[0]);
            }
        }
        self.keep_sets(&sets);
    }

    fn keep_sets(&mut self, sets: &[usize]) {
        for edge in self.edges.iter_mut().flatten() {
            let bit = |(new, &old): (usize, &usize)| (edge.marks >> old & 1) << new;
            edge.marks = sets.iter().enumerate().map(bit).sum();
        }
        self.n_sets = sets.len();
    }

    /// Removes unreachable states and numbers the others in breadth-first
    /// order.
    pub fn keep_reachable(&mut self) {
        let mut number: HashMap<u32, u32> = HashMap::from([(self.start, 0)]);
        let mut order = vec![self.start];
        let mut edges = Vec::new();
        while edges.len() < order.len() {
            let mut row = std::mem::take(&mut self.edges[order[edges.len()] as usize]);
            for edge in &mut row {
                edge.target = *number.entry(edge.target).or_insert_with(|| {
                    order.push(edge.target);
                    order.len() as u32 - 1
                });
            }
            edges.push(row);
        }
        self.edges = edges;
        self.start = 0;
    }

    /// Joins the guards between two states to a small number of wide ones.
    fn join_guards(&mut self) {
        for row in &mut self.edges {
            let mut guards: BTreeMap<(u32, u64), Vec<Guard>> = BTreeMap::new();
            for edge in row.drain(..) {
                guards.entry((edge.target, edge.marks)).or_default().push(edge.guard);
            }
            for ((target, marks), mut guards) in guards {
                guard::minimise(&mut guards);
                row.extend(guards.into_iter().map(|guard| Edge { target, marks, guard }));
            }
        }
    }

    /// Replaces every target and the start.
    pub fn redirect(&mut self, new: impl Fn(u32) -> u32) {
        self.start = new(self.start);
        for row in &mut self.edges {
            for edge in row.iter_mut() {
                edge.target = new(edge.target);
            }
            row.sort_unstable();
            row.dedup();
        }
    }
}
