//! Complement and the products of two automata over one alphabet.

use super::{Dfa, MAX_STATES, State, Symbol, TooLarge};
use crate::base::cancel::checkpoint;
use fixedbitset::FixedBitSet;
use std::collections::HashMap;

impl Dfa {
    /// Returns the automaton of the words that this one rejects.
    #[must_use]
    pub fn complement(&self) -> Dfa {
        let mut accepting = FixedBitSet::with_capacity(self.n_states());
        for state in 0..self.n_states() {
            accepting.set(state, !self.is_accepting(state as State));
        }
        let next = (0..self.n_states() as State).flat_map(|state| self.successors(state)).collect();
        Dfa::new(self.n_symbols(), self.start(), accepting, next)
    }

    /// Returns the minimal automaton of the words in both languages.
    pub fn intersection(&self, other: &Dfa) -> Result<Dfa, TooLarge> {
        self.product(other, |a, b| a && b)
    }

    /// Returns the minimal automaton of the words in at least one of the
    /// languages.
    pub fn union(&self, other: &Dfa) -> Result<Dfa, TooLarge> {
        self.product(other, |a, b| a || b)
    }

    /// Returns the minimal automaton of the words in this language but not in
    /// `other`.
    pub fn difference(&self, other: &Dfa) -> Result<Dfa, TooLarge> {
        self.product(other, |a, b| a && !b)
    }

    /// Iterates over the successors of a state in the order of symbols.
    pub fn successors(&self, state: State) -> impl Iterator<Item = State> + '_ {
        (0..self.n_symbols() as Symbol).map(move |symbol| self.next(state, symbol))
    }

    fn product(&self, other: &Dfa, accept: impl Fn(bool, bool) -> bool) -> Result<Dfa, TooLarge> {
        assert_eq!(self.n_symbols(), other.n_symbols(), "a product needs one alphabet");
        let mut pairs = vec![(self.start(), other.start())];
        let mut ids = HashMap::from([(pairs[0], 0)]);
        let mut next = Vec::new();
        let mut done = 0;
        while done < pairs.len() {
            checkpoint();
            let (a, b) = pairs[done];
            for pair in self.successors(a).zip(other.successors(b)) {
                let id = *ids.entry(pair).or_insert(pairs.len() as State);
                if id as usize == pairs.len() {
                    pairs.push(pair);
                }
                next.push(id);
            }
            if pairs.len() > MAX_STATES {
                return Err(TooLarge);
            }
            done += 1;
        }
        let mut accepting = FixedBitSet::with_capacity(pairs.len());
        for (state, &(a, b)) in pairs.iter().enumerate() {
            accepting.set(state, accept(self.is_accepting(a), other.is_accepting(b)));
        }
        Ok(Dfa::new(self.n_symbols(), 0, accepting, next).minimise())
    }
}

#[cfg(test)]
mod tests {
    use crate::automata::testing::{random_dfa, seeded, words};

    #[test]
    fn products_agree_with_their_factors_on_every_short_word() {
        seeded(200, |random| {
            let (a, b) = (random_dfa(random, 5, 3), random_dfa(random, 4, 3));
            let both = a.intersection(&b).expect("small");
            let either = a.union(&b).expect("small");
            let only = a.difference(&b).expect("small");
            for word in words(3, 6) {
                let accepts = |dfa: &crate::automata::Dfa| dfa.accepts(word.iter().copied());
                assert_eq!(accepts(&both), accepts(&a) && accepts(&b), "{word:?}");
                assert_eq!(accepts(&either), accepts(&a) || accepts(&b), "{word:?}");
                assert_eq!(accepts(&only), accepts(&a) && !accepts(&b), "{word:?}");
                assert_eq!(accepts(&a.complement()), !accepts(&a), "{word:?}");
            }
        });
    }

    #[test]
    fn minimal_automata_of_one_language_are_equal() {
        seeded(200, |random| {
            let (a, b) = (random_dfa(random, 5, 2), random_dfa(random, 5, 2));
            let by_de_morgan = a.complement().union(&b.complement()).expect("small").complement();
            assert_eq!(by_de_morgan, a.intersection(&b).expect("small"));
        });
    }

    /// Minimal means: all states are reachable, and any two are distinguished by
    /// some word; for small automata by a word shorter than the number of
    /// states.
    #[test]
    fn minimal_automata_have_no_equivalent_states() {
        seeded(200, |random| {
            let original = random_dfa(random, 6, 2);
            let (minimal, map) = original.minimise_with_map();
            assert_eq!(minimal.reachable().count_ones(..), minimal.n_states());
            let mut behaviours = std::collections::BTreeSet::new();
            for state in 0..minimal.n_states() as u32 {
                let behaviour: Vec<bool> = words(2, 6)
                    .map(|word| {
                        let end = word.iter().fold(state, |at, &symbol| minimal.next(at, symbol));
                        minimal.is_accepting(end)
                    })
                    .collect();
                assert!(behaviours.insert(behaviour), "two states behave alike");
            }
            for word in words(2, 7) {
                let end = original.run(word.iter().copied());
                assert_eq!(map[end as usize], Some(minimal.run(word.iter().copied())), "{word:?}");
            }
            let reachable = original.reachable();
            assert!(map.iter().enumerate().all(|(state, new)| new.is_some() == reachable.contains(state)));
        });
    }
}
