//! Formulas over the variables of a task model.
//!
//! The operators of temporal logic are those of formulas about Promela models,
//! with the same precedence; everything between them is in the syntax of the
//! task model: `[] (w[0] + w[1] <= N)`,
//! `customer[2].state == Phase::Busy U LOCKED`. From loosest to tightest:
//!
//! | operators | |
//! |---|---|
//! | `->` `implies`, `<->` `equivalent` | from the left |
//! | `\|\|` | |
//! | `&&` | |
//! | `U` `until` `stronguntil`, `W` `weakuntil`, `V` `release` | from the left |
//! | `[]` `always`, `<>` `eventually`, `X` `next` | before a comparison |
//! | `==` `!=` `<` `<=` `>` `>=` | one |
//! | `+` `-`, then `*` `/` `%`, then `!` `-` | as in Rust |
//!
//! `ended(task)` is true once the task has ended. A name may leave out its task
//! where it is unique. A word is an operator only where an operator can be, so
//! `X` and `W` may also be variables: `X == 1 U W[0] == 2`.
//!
//! A run that ends, properly or in a deadlock, stays in its last state for ever,
//! as in SPIN.

mod check;
mod lex;
mod names;
mod parse;
#[cfg(test)]
mod tests;
mod tree;

use super::lower::Lowered;
use super::program::Program;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::net::{Expr, Formula, FormulaKind};
use check::Checker;

/// Reads a formula of linear temporal logic about a lowered model.
///
/// If values are unknown at the start, the network has one state before they
/// are chosen. The formula is about the states after it.
pub fn parse_formula(
    source: SourceId,
    sources: &Sources,
    program: &Program,
    lowered: &Lowered,
) -> Result<Formula, Vec<Diagnostic>> {
    let tree = parse::parse(source, &sources.get(source).text).map_err(|fault| vec![fault])?;
    let formula = Checker::new(program, lowered).formula(&tree)?;
    // The values in the state before are those of one of the states after it.
    let is_invariant =
        matches!(&formula.kind, FormulaKind::Always(it) if matches!(it.kind, FormulaKind::Atom(_)));
    let span = formula.span;
    Ok(match lowered.chooses_values() && !is_invariant {
        true => Formula { kind: FormulaKind::Next(Box::new(formula)), span },
        false => formula,
    })
}

/// Reads an expression that is true or false in a state.
pub fn parse_invariant(
    source: SourceId,
    sources: &Sources,
    program: &Program,
    lowered: &Lowered,
) -> Result<Expr, Vec<Diagnostic>> {
    let tree = parse::parse(source, &sources.get(source).text).map_err(|fault| vec![fault])?;
    Checker::new(program, lowered).state(&tree)
}
