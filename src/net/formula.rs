//! Formulas of linear temporal logic over expressions of a network.

use super::expr::Expr;
use crate::diag::Span;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Operator and operands.
    pub kind: FormulaKind,
    /// Span in the source.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// The expression is not 0 in the current state. Atoms are the largest parts
    /// without a temporal operator.
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
    /// `U`, `until`, `stronguntil`: the right side holds eventually, and the
    /// left side until then.
    Until(Box<Formula>, Box<Formula>),
    /// `W`, `weakuntil`: like `Until`, or the left side holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `V`, `release`: the right side holds up to and including the first
    /// position at which the left side holds, which need not occur.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Returns the expressions of its atoms, in the order of the text.
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
