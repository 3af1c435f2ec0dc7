//! Formulas of linear temporal logic over expressions of a network.

use super::expr::Expr;
use crate::diag::Span;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// The expression is not 0 now. The largest parts without a temporal
    /// operator are atoms.
    Atom(Expr),
    /// `!`
    Not(Box<Formula>),
    /// `&&`
    And(Box<Formula>, Box<Formula>),
    /// `||`
    Or(Box<Formula>, Box<Formula>),
    /// `->`, `implies`
    Implies(Box<Formula>, Box<Formula>),
    /// `<->`, `equivalent`
    Equivalent(Box<Formula>, Box<Formula>),
    /// `[]`, `always`
    Always(Box<Formula>),
    /// `<>`, `eventually`
    Eventually(Box<Formula>),
    /// `X`, `next`
    Next(Box<Formula>),
    /// `U`, `until`, `stronguntil`: the right one comes, the left one holds
    /// before.
    Until(Box<Formula>, Box<Formula>),
    /// `W`, `weakuntil`: the same, or the left one holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `V`, `release`: the right one holds until and including when the left
    /// one does.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The expressions that it is about, in the order of the text.
    pub fn atoms(&self) -> Vec<&Expr> {
        match &self.kind {
            FormulaKind::Atom(expr) => vec![expr],
            FormulaKind::Not(f)
            | FormulaKind::Always(f)
            | FormulaKind::Eventually(f)
            | FormulaKind::Next(f) => f.atoms(),
            FormulaKind::And(f, g)
            | FormulaKind::Or(f, g)
            | FormulaKind::Implies(f, g)
            | FormulaKind::Equivalent(f, g)
            | FormulaKind::Until(f, g)
            | FormulaKind::WeakUntil(f, g)
            | FormulaKind::Release(f, g) => [f.atoms(), g.atoms()].concat(),
        }
    }
}
