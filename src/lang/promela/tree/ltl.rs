//! Formulas in the text of a model.

use super::Formula;
use crate::diag::Span;

/// `ltl name { formula }`.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// The name; SPIN calls a block without a name `ltl_0`, `ltl_1`, …
    pub name: String,
    /// Position of the beginning.
    pub span: Span,
    /// The formula, not negated: it must hold on all runs.
    pub formula: Formula,
}
