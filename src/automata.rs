//! Finite automata over small dense alphabets: made from transitions,
//! regular expressions and specification patterns; determinised, minimised,
//! complemented, intersected and compared. Infinite words have formulas of
//! linear temporal logic and Büchi automata.
//!
//! A [`Dfa`] knows symbols and states as numbers only. Names of events belong
//! to whoever built it.
//!
//! - [`regex`]: the syntax tree, compiled by way of [`nfa`];
//! - [`pattern`]: specification patterns and their scopes;
//! - [`minimise`]: the smallest automaton, numbered so that equal languages
//!   give equal values;
//! - [`product`]: complement, intersection, union, difference;
//! - [`measure`]: words, distances, the trap;
//! - [`ltl`]: temporal formulas, parsed, printed, simplified, evaluated;
//! - [`buchi`]: their automata, as never claims and in the Hanoi format.
//!
//! Whatever can grow exponentially ends with [`TooLarge`] instead of hanging.

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

/// How many states an automaton may have.
pub const MAX_STATES: usize = 20_000;

/// How many transitions may be drawn while building one automaton.
const MAX_EFFORT: usize = 8_000_000;

/// An automaton would have more than [`MAX_STATES`] states, or as good as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the automaton would have more than {MAX_STATES} states")
    }
}

impl std::error::Error for TooLarge {}
