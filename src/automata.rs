//! Finite automata over small dense alphabets: made from transitions,
//! regular expressions and specification patterns; determinised, minimised,
//! complemented, intersected and compared.
//!
//! A [`Dfa`] knows symbols and states as numbers only. Names of events belong
//! to whoever built it.

pub mod dfa;

pub use dfa::{Dfa, State, Symbol};
