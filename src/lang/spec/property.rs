//! A property or context constraint whose names have been resolved against a
//! model: what the engines read.

use crate::automata::Dfa;

/// A finite automaton over events of a model.
///
/// Symbol `i` of the automaton is event `i`; labels of the model that belong
/// to no event are invisible.
#[derive(Clone, Debug)]
pub struct EventAutomaton {
    /// Indexed by symbol.
    pub events: Vec<Event>,
    /// Deterministic, total and minimal; accepts the *good* sequences: `none`
    /// has been complemented already.
    pub dfa: Dfa,
    /// Names of the states of `dfa`, for reports: those of an explicit
    /// automaton, else numbers; `trap` for the trap state.
    pub state_names: Vec<String>,
}

/// One symbol of an alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name used in the specification.
    pub name: String,
    /// The labels of the model that it matches; the labels of different events
    /// of an alphabet are disjoint.
    pub labels: Vec<String>,
}

/// The executions that a property is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executions {
    /// Those in which every task reaches its end.
    Complete,
    /// Every reachable prefix; for safety properties only.
    Prefixes,
}
