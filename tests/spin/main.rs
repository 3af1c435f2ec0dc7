//! Comparisons with the real SPIN, and with its answers that are recorded here.
//! Tests that need SPIN pass without it and say that they compare nothing.

mod breadth;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod explore;
mod generate;
mod known;
mod ltl;
mod mutate;
mod pan;
mod read;
mod real;

mod automata;
mod claims;
mod cycles;
mod examples;
mod formulas;
mod improved;
mod mutants;
mod numbers;
mod random;
mod reduction;
mod small_models;
mod trails;
mod unreached;
