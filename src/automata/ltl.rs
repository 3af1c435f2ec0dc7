//! Formulas of linear temporal logic over numbered atoms.
//!
//! [`parse()`] reads a [`Formula`], [`Formula::show`] prints it with SPIN's
//! operators, and [`Formula::holds_on`] evaluates it on an ultimately periodic
//! word. The meaning of an atom, such as `x > 0` or `sender@waiting`, is known
//! to the caller that reads the texts of atoms.
//!
//! - [`parse()`]: text to formula, with errors as [`ParseError`];
//! - [`lasso`]: words `stem · cycle^ω` and the meaning of formulas on them;
//! - `store`: negation normal form, with each formula stored once and
//!   simplified; [`buchi`](super::buchi) builds automata from it.

mod implication;
pub mod lasso;
mod lex;
mod parse;
mod print;
mod simplify;
pub(in crate::automata) mod store;

#[cfg(test)]
mod tests;

pub use lasso::{Lasso, Letter};
pub use parse::{Atoms, MAX_DEPTH, ParseError, parse};

crate::define_id! {
    /// An atomic proposition; its meaning is known to the creator of the
    /// formula.
    AtomId
}

/// A formula of linear temporal logic.
///
/// Every function here is recursive, so a formula should not nest deeper than
/// [`MAX_DEPTH`], which the parser ensures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// Holds where the atom holds.
    Atom(AtomId),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g && …`; true if there are no parts.
    And(Vec<Formula>),
    /// `f || g || …`; false if there are no parts.
    Or(Vec<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Equivalent(Box<Formula>, Box<Formula>),
    /// `X f`: at the next position.
    Next(Box<Formula>),
    /// `f U g`: `g` holds eventually, and `f` until then.
    Until(Box<Formula>, Box<Formula>),
    /// `f V g`: `g` holds up to and including the first `f`, which need not
    /// occur.
    Release(Box<Formula>, Box<Formula>),
    /// `f W g`: `f` holds until `g`, which need not occur.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `g` holds up to and including the first `f`, which must occur. Printed
    /// as an until, because SPIN has no operator for it.
    StrongRelease(Box<Formula>, Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
}

impl Formula {
    /// Returns the formula of one atom.
    pub fn atom(index: u32) -> Self {
        Self::Atom(AtomId(index))
    }

    /// Returns `!f`, without double negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            Self::True => Self::False,
            Self::False => Self::True,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Returns the direct subformulas.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Self::True | Self::False | Self::Atom(_) => Vec::new(),
            Self::Not(f) | Self::Next(f) | Self::Always(f) | Self::Eventually(f) => vec![f],
            Self::And(parts) | Self::Or(parts) => parts.iter().collect(),
            Self::Implies(f, g)
            | Self::Equivalent(f, g)
            | Self::Until(f, g)
            | Self::Release(f, g)
            | Self::WeakUntil(f, g)
            | Self::StrongRelease(f, g) => vec![f, g],
        }
    }

    /// Returns the highest atom that occurs.
    pub fn max_atom(&self) -> Option<AtomId> {
        match self {
            Self::Atom(atom) => Some(*atom),
            _ => self.parts().into_iter().filter_map(Formula::max_atom).max(),
        }
    }

    /// Returns whether the formula contains `X`. Such a formula depends on the
    /// number of steps of a run, so reductions that omit steps do not preserve
    /// it.
    pub fn has_next(&self) -> bool {
        matches!(self, Self::Next(_)) || self.parts().into_iter().any(Formula::has_next)
    }
}
