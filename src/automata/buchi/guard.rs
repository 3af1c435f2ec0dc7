//! Conjunctions of literals and sets of them.

use crate::automata::ltl::{AtomId, Letter};
use crate::base::cancel::checkpoint;

/// Atoms that must hold and atoms that must not; no atom is both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    positive: u64,
    negative: u64,
}

impl Guard {
    /// The guard that allows every letter.
    pub const TRUE: Guard = Guard { positive: 0, negative: 0 };

    /// Returns the guard of one literal; the atom is one of the first 64.
    pub fn literal(atom: AtomId, positive: bool) -> Self {
        assert!(atom.0 < u64::BITS, "a guard knows 64 atoms");
        let bit = 1 << atom.0;
        if positive { Self { positive: bit, negative: 0 } } else { Self { positive: 0, negative: bit } }
    }

    /// Returns whether a transition with this guard reads the letter.
    pub fn allows(self, letter: Letter) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }

    /// Returns the atoms that must hold, as bits.
    pub fn positive(self) -> u64 {
        self.positive
    }

    /// Returns the atoms that must not hold, as bits.
    pub fn negative(self) -> u64 {
        self.negative
    }

    /// Returns the conjunction, unless it is a contradiction.
    pub fn and(self, other: Guard) -> Option<Guard> {
        let both =
            Guard { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Returns whether `other` allows every letter that this guard allows.
    pub fn is_within(self, other: Guard) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }

    /// Iterates over the literals, by atom.
    pub fn literals(self) -> impl Iterator<Item = (AtomId, bool)> {
        let atoms = self.positive | self.negative;
        (0..u64::BITS)
            .filter(move |atom| atoms >> atom & 1 == 1)
            .map(move |atom| (AtomId(atom), self.positive >> atom & 1 == 1))
    }

    /// Returns a guard for the letters that `other` does not allow, if one
    /// additional literal suffices and the two guards overlap.
    pub(super) fn minus(self, other: Guard) -> Option<Guard> {
        self.and(other)?;
        let mut missing =
            Guard { positive: other.positive & !self.positive, negative: other.negative & !self.negative }
                .literals();
        let (atom, positive) = missing.next()?;
        if missing.next().is_some() {
            return None;
        }
        self.and(Guard::literal(atom, !positive))
    }

    fn without(self, atom: AtomId) -> Guard {
        let bit = 1u64 << atom.0;
        Guard { positive: self.positive & !bit, negative: self.negative & !bit }
    }
}

/// Returns whether every letter that `guard` allows satisfies one of the
/// others.
pub(super) fn is_covered(guard: Guard, others: &[Guard]) -> bool {
    if others.iter().any(|&other| guard.is_within(other)) {
        return true;
    }
    let relevant: Vec<Guard> = others.iter().copied().filter(|&other| guard.and(other).is_some()).collect();
    let Some(first) = relevant.first() else { return false };
    let decides = |atom: AtomId| (guard.positive | guard.negative) >> atom.0 & 1 == 1;
    let (atom, _) = first
        .literals()
        .find(|&(atom, _)| !decides(atom))
        .expect("a guard that does not contain another lacks one of its literals");
    [true, false].into_iter().all(|positive| {
        guard.and(Guard::literal(atom, positive)).is_none_or(|half| is_covered(half, &relevant))
    })
}

/// Maximum number of guards that are minimised; of more, only duplicates are
/// removed.
const MAX_MINIMISED: usize = 64;

/// Replaces guards by fewer and shorter ones for the same letters, without
/// redundant ones.
pub(super) fn minimise(guards: &mut Vec<Guard>) {
    guards.sort_unstable();
    guards.dedup();
    if MAX_MINIMISED < guards.len() {
        return;
    }
    for index in 0..guards.len() {
        checkpoint();
        for (atom, _) in guards[index].literals() {
            let wider = guards[index].without(atom);
            if is_covered(wider, guards) {
                guards[index] = wider;
            }
        }
    }
    guards.sort_unstable();
    guards.dedup();
    let mut index = guards.len();
    while 0 < index {
        index -= 1;
        let others = [&guards[..index], &guards[index + 1..]].concat();
        if is_covered(guards[index], &others) {
            guards.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::testing::{Random, seeded};

    fn random_guard(random: &mut Random) -> Guard {
        let mut guard = Guard::TRUE;
        for atom in 0..4 {
            if random.below(2) == 0 {
                let literal = Guard::literal(AtomId(atom), random.below(2) == 0);
                guard = guard.and(literal).expect("one literal per atom");
            }
        }
        guard
    }

    #[test]
    fn covers_and_minimal_covers_agree_with_all_letters() {
        seeded(2000, |random| {
            let mut guards: Vec<Guard> = (0..random.below(7)).map(|_| random_guard(random)).collect();
            let guard = random_guard(random);
            let allowed = |guards: &[Guard], letter| guards.iter().any(|guard| guard.allows(letter));
            let covered = (0..16).all(|letter| !guard.allows(letter) || allowed(&guards, letter));
            assert_eq!(is_covered(guard, &guards), covered, "{guard:?} by {guards:?}");
            for other in &guards {
                if let Some(rest) = guard.minus(*other) {
                    let is_rest = |letter| guard.allows(letter) && !other.allows(letter);
                    assert!((0..16).all(|letter| rest.allows(letter) == is_rest(letter)));
                }
            }
            let before = guards.clone();
            minimise(&mut guards);
            assert!(guards.len() <= before.len());
            for letter in 0..16 {
                assert_eq!(allowed(&guards, letter), allowed(&before, letter), "{before:?} to {guards:?}");
            }
        });
    }
}
