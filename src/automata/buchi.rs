//! Büchi automata and their construction from formulas.
//!
//! An automaton reads infinite words whose letters are sets of atoms. Its
//! transitions have [`Guard`]s, and a run is accepted if it visits accepting
//! states infinitely often. [`Buchi::of`] translates a [`Formula`] in steps,
//! each of which keeps its result small:
//!
//! - `ltl::store` simplifies the formula;
//! - `tableau` unfolds it into an automaton with several acceptance sets;
//! - `generalised` and `simulation` remove redundant states, transitions and
//!   marks;
//! - `degeneralise` replaces the sets by a counter, and `simulation` runs
//!   again; finally it removes nondeterminism where that is possible without
//!   new states.
//!
//! The same formula always gives the same automaton.

mod degeneralise;
mod generalised;
mod guard;
mod print;
mod simulation;
mod tableau;

#[cfg(test)]
mod tests;

pub use guard::Guard;

use super::ltl::{AtomId, Formula, Lasso, store::Store};
use super::{State, TooLarge};
use generalised::Generalised;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Maximum number of atoms of a formula.
pub const MAX_ATOMS: u32 = u64::BITS;

/// Why a formula has no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAutomaton {
    /// An atom is not below [`MAX_ATOMS`], so a letter has no bit for it.
    TooManyAtoms(AtomId),
    /// The automaton would be too large.
    TooLarge,
}

impl From<TooLarge> for NoAutomaton {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl std::fmt::Display for NoAutomaton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooManyAtoms(_) => {
                write!(f, "a formula can have at most {MAX_ATOMS} different atoms")
            }
            Self::TooLarge => write!(f, "the automaton of the formula would be too large"),
        }
    }
}

impl std::error::Error for NoAutomaton {}

/// A transition: the letters it reads, and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Letters it reads.
    pub guard: Guard,
    /// Target state.
    pub target: State,
}

/// A Büchi automaton with acceptance on states. State 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    accepting: Vec<bool>,
    edges: Vec<Vec<Edge>>,
}

impl Buchi {
    /// Creates an automaton from the acceptance and the transitions of each
    /// state. State 0 is the start.
    pub fn new(accepting: Vec<bool>, edges: Vec<Vec<Edge>>) -> Self {
        assert!(!accepting.is_empty(), "the start is a state");
        assert_eq!(accepting.len(), edges.len(), "every state has its transitions");
        let targets = edges.iter().flatten().map(|edge| edge.target as usize);
        assert!(targets.max().is_none_or(|target| target < edges.len()), "targets are states");
        Self { accepting, edges }
    }

    /// Returns an automaton that accepts the words that satisfy the formula.
    pub fn of(formula: &Formula) -> Result<Self, NoAutomaton> {
        if let Some(atom) = formula.max_atom().filter(|atom| MAX_ATOMS <= atom.0) {
            return Err(NoAutomaton::TooManyAtoms(atom));
        }
        let mut store = Store::new();
        let formula = store.add(formula);
        let mut automaton = tableau::translate(&mut store, formula)?;
        automaton.reduce();
        let mut automaton = degeneralise::degeneralise(&automaton);
        automaton.sharpen();
        Ok(Self::from_state_based(&automaton))
    }

    fn from_state_based(automaton: &Generalised) -> Self {
        let is_marked = |row: &Vec<generalised::Edge>| row.first().is_some_and(|edge| edge.marks != 0);
        let plain = |edge: &generalised::Edge| Edge { guard: edge.guard, target: edge.target };
        Self::new(
            automaton.edges.iter().map(is_marked).collect(),
            automaton.edges.iter().map(|row| row.iter().map(plain).collect()).collect(),
        )
    }

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    /// Returns the number of transitions. Guards are conjunctions, so there can
    /// be several transitions from one state to another.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Returns whether the state is accepting.
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting[state as usize]
    }

    /// Returns the transitions of a state.
    pub fn edges(&self, state: State) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// Returns whether every state has at most one transition for each letter.
    pub fn is_deterministic(&self) -> bool {
        let has_choice = |row: &Vec<Edge>| {
            row.iter()
                .enumerate()
                .any(|(index, edge)| row[..index].iter().any(|other| edge.guard.and(other.guard).is_some()))
        };
        !self.edges.iter().any(has_choice)
    }

    /// Returns whether the automaton accepts the word.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let n_letters = word.letters().len();
        let place = |state: State, position: usize| state as usize * n_letters + position;
        let mut graph: DiGraph<bool, ()> = DiGraph::new();
        for &is_accepting in &self.accepting {
            for _ in 0..n_letters {
                graph.add_node(is_accepting);
            }
        }
        let mut reached = vec![false; graph.node_count()];
        reached[0] = true;
        let mut pending = vec![(0, 0)];
        while let Some((state, position)) = pending.pop() {
            let (letter, next) = (word.letters()[position], word.next(position));
            for edge in self.edges(state).iter().filter(|edge| edge.guard.allows(letter)) {
                let (from, to) = (place(state, position), place(edge.target, next));
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
                if !std::mem::replace(&mut reached[to], true) {
                    pending.push((edge.target, next));
                }
            }
        }
        let is_cycle = |places: &[NodeIndex]| 1 < places.len() || graph.contains_edge(places[0], places[0]);
        kosaraju_scc(&graph).iter().any(|places| is_cycle(places) && places.iter().any(|&place| graph[place]))
    }
}
