//! Finite automata over small dense alphabets: built from transitions, regular
//! expressions and specification patterns; determinised, minimised,
//! complemented, intersected and compared. For infinite words there are
//! formulas of linear temporal logic and Büchi automata.
//!
//! A [`Dfa`] has numbers as symbols and states. Its creator keeps the names of
//! events.
//!
//! - [`regex`]: the syntax tree, compiled via [`nfa`];
//! - [`pattern`]: specification patterns and their scopes;
//! - [`minimise`]: the smallest automaton, numbered so that equal languages
//!   give equal values;
//! - [`product`]: complement, intersection, union, difference;
//! - [`measure`]: words, distances, the trap;
//! - [`ltl`]: temporal formulas, parsed, printed, simplified, evaluated;
//! - [`buchi`]: their automata, as never claims and in the Hanoi format.
//!
//! Operations that can grow exponentially return [`TooLarge`] instead of
//! hanging.

pub mod buchi;
pub mod dfa;
pub mod ltl;
pub mod measure;
pub mod minimise;
pub mod nfa;
pub mod pattern;
pub mod product;
pub mod regex;

#[cfg(test)]
mod testing;

pub use dfa::{Dfa, State, Symbol};
pub use regex::Regex;

/// Maximum number of states of an automaton.
pub const MAX_STATES: usize = 20_000;

/// Maximum number of transitions added while one automaton is built.
const MAX_EFFORT: usize = 8_000_000;

/// An automaton would exceed [`MAX_STATES`] or the limit on transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the automaton would have more than {MAX_STATES} states")
    }
}

impl std::error::Error for TooLarge {}
