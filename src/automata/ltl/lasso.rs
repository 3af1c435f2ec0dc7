//! Ultimately periodic words and the evaluation of formulas on them.
//!
//! The evaluator follows the definition, by fixed points over the positions of
//! the word: slow, and independent of the construction of automata.

use super::Formula;

/// The atoms that hold at one position: bit `i` for atom `i`.
pub type Letter = u64;

/// The word `stem · cycle^ω`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    letters: Vec<Letter>,
    /// Position at which the cycle begins.
    entry: usize,
}

impl Lasso {
    /// Creates the word of a stem and a cycle, which has at least one letter.
    pub fn new(stem: &[Letter], cycle: &[Letter]) -> Self {
        assert!(!cycle.is_empty(), "a cycle has a letter");
        Self { letters: [stem, cycle].concat(), entry: stem.len() }
    }

    /// Returns the letters of the stem and the cycle, once each.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Returns the position after `position`; the end of the cycle leads to its
    /// beginning.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.entry }
    }

    /// Returns the least (`from` false) or greatest (`from` true) solution of
    /// `x = step(position, x at the next position)`.
    fn fixed_point(&self, from: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut holds = vec![from; self.letters.len()];
        // The first pass computes the value at the beginning of the cycle, the
        // second propagates it to all positions.
        for _ in 0..2 {
            for position in (0..holds.len()).rev() {
                holds[position] = step(position, holds[self.next(position)]);
            }
        }
        holds
    }
}

impl Formula {
    /// Returns whether the word satisfies the formula.
    pub fn holds_on(&self, word: &Lasso) -> bool {
        self.positions(word)[0]
    }

    /// Returns, for each position of stem and cycle, whether the rest of the
    /// word satisfies the formula.
    fn positions(&self, word: &Lasso) -> Vec<bool> {
        let n_letters = word.letters.len();
        let parts: Vec<Vec<bool>> = self.parts().into_iter().map(|part| part.positions(word)).collect();
        let pointwise = |holds: &dyn Fn(usize) -> bool| (0..n_letters).map(holds).collect();
        match self {
            Self::True => vec![true; n_letters],
            Self::False => vec![false; n_letters],
            Self::Atom(atom) => pointwise(&|at| word.letters[at] >> atom.0 & 1 == 1),
            Self::Not(_) => pointwise(&|at| !parts[0][at]),
            Self::And(_) => pointwise(&|at| parts.iter().all(|part| part[at])),
            Self::Or(_) => pointwise(&|at| parts.iter().any(|part| part[at])),
            Self::Implies(..) => pointwise(&|at| !parts[0][at] || parts[1][at]),
            Self::Equivalent(..) => pointwise(&|at| parts[0][at] == parts[1][at]),
            Self::Next(_) => pointwise(&|at| parts[0][word.next(at)]),
            Self::Until(..) => word.fixed_point(false, |at, next| parts[1][at] || parts[0][at] && next),
            Self::WeakUntil(..) => word.fixed_point(true, |at, next| parts[1][at] || parts[0][at] && next),
            Self::Release(..) => word.fixed_point(true, |at, next| parts[1][at] && (parts[0][at] || next)),
            Self::StrongRelease(..) => {
                word.fixed_point(false, |at, next| parts[1][at] && (parts[0][at] || next))
            }
            Self::Always(_) => word.fixed_point(true, |at, next| parts[0][at] && next),
            Self::Eventually(_) => word.fixed_point(false, |at, next| parts[0][at] || next),
        }
    }
}
