//! Regular expressions as data.
//!
//! Six forms are enough: `.`, `+`, `?` and `^k` of the notations are
//! abbreviations, created by the functions below.

use super::{Dfa, Symbol, TooLarge, nfa::Nfa};

/// A regular expression over symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regex {
    /// Only the empty word.
    Empty,
    /// One of these symbols; no word if the list is empty.
    OneOf(Vec<Symbol>),
    /// One symbol that is not in the list.
    NoneOf(Vec<Symbol>),
    /// All expressions, one after the other.
    Sequence(Vec<Regex>),
    /// One of the alternatives.
    Alternation(Vec<Regex>),
    /// Repetition.
    Repeat {
        /// The repeated expression.
        body: Box<Regex>,
        /// Minimum number of repetitions.
        at_least: u32,
        /// Maximum number of repetitions; `None` for no bound.
        at_most: Option<u32>,
    },
}

impl Regex {
    /// Returns the expression of one symbol.
    pub fn symbol(symbol: Symbol) -> Self {
        Self::OneOf(vec![symbol])
    }

    /// Returns the expression of any symbol.
    pub fn any() -> Self {
        Self::NoneOf(Vec::new())
    }

    /// Repeats the expression any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        self.repeat(0, None)
    }

    /// Repeats the expression once or more.
    #[must_use]
    pub fn plus(self) -> Self {
        self.repeat(1, None)
    }

    /// Makes the expression optional.
    #[must_use]
    pub fn optional(self) -> Self {
        self.repeat(0, Some(1))
    }

    /// Repeats the expression between `at_least` and `at_most` times.
    #[must_use]
    pub fn repeat(self, at_least: u32, at_most: Option<u32>) -> Self {
        Self::Repeat { body: Box::new(self), at_least, at_most }
    }

    /// Returns the minimal automaton of the language over `n_symbols` symbols.
    pub fn compile(&self, n_symbols: usize) -> Result<Dfa, TooLarge> {
        Ok(Nfa::of(self, n_symbols)?.determinise()?.minimise())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::testing::{Random, seeded, words};
    use std::collections::BTreeSet;

    /// Returns the positions at which a match that began at one of `starts` can
    /// end: a naive matcher to compare with.
    fn ends(regex: &Regex, word: &[Symbol], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        let step = |allowed: &dyn Fn(Symbol) -> bool| {
            starts.iter().filter(|&&at| at < word.len() && allowed(word[at])).map(|at| at + 1).collect()
        };
        match regex {
            Regex::Empty => starts.clone(),
            Regex::OneOf(symbols) => step(&|symbol| symbols.contains(&symbol)),
            Regex::NoneOf(symbols) => step(&|symbol| !symbols.contains(&symbol)),
            Regex::Sequence(parts) => parts.iter().fold(starts.clone(), |at, part| ends(part, word, &at)),
            Regex::Alternation(parts) => parts.iter().flat_map(|part| ends(part, word, starts)).collect(),
            Regex::Repeat { body, at_least, at_most } => {
                let mut at = starts.clone();
                for _ in 0..*at_least {
                    at = ends(body, word, &at);
                }
                let mut all = at.clone();
                // No new positions are found after `word.len() + 1` rounds.
                for _ in 0..at_most.map_or(word.len() as u32 + 1, |max| max.saturating_sub(*at_least)) {
                    at = ends(body, word, &at);
                    all.extend(&at);
                }
                all
            }
        }
    }

    fn matches(regex: &Regex, word: &[Symbol]) -> bool {
        ends(regex, word, &BTreeSet::from([0])).contains(&word.len())
    }

    fn random_regex(random: &mut Random, depth: usize, n_symbols: u32) -> Regex {
        let symbols = |random: &mut Random| (0..random.below(3)).map(|_| random.below(n_symbols)).collect();
        let parts = |random: &mut Random| {
            (0..1 + random.below(3)).map(|_| random_regex(random, depth - 1, n_symbols)).collect()
        };
        match random.below(if depth == 0 { 3 } else { 9 }) {
            0 => Regex::Empty,
            1 => Regex::OneOf(symbols(random)),
            2 => Regex::NoneOf(symbols(random)),
            3 | 4 => Regex::Sequence(parts(random)),
            5 | 6 => Regex::Alternation(parts(random)),
            _ => {
                let at_least = random.below(3);
                let at_most = [None, Some(at_least + random.below(3))][random.below(2) as usize];
                random_regex(random, depth - 1, n_symbols).repeat(at_least, at_most)
            }
        }
    }

    #[test]
    fn compiling_agrees_with_the_naive_matcher() {
        seeded(300, |random| {
            let regex = random_regex(random, 3, 3);
            let dfa = regex.compile(3).expect("small");
            for word in words(3, 6) {
                assert_eq!(
                    dfa.accepts(word.iter().copied()),
                    matches(&regex, &word),
                    "{regex:?} on {word:?}"
                );
            }
        });
    }

    #[test]
    fn long_words_over_two_symbols_agree_too() {
        seeded(60, |random| {
            let regex = random_regex(random, 4, 2);
            let dfa = regex.compile(2).expect("small");
            for word in words(2, 8) {
                assert_eq!(
                    dfa.accepts(word.iter().copied()),
                    matches(&regex, &word),
                    "{regex:?} on {word:?}"
                );
            }
        });
    }

    #[test]
    fn a_blow_up_is_an_error() {
        let a = || Regex::symbol(0);
        let nested = a().repeat(100, Some(100)).repeat(100, Some(100)).repeat(100, Some(100));
        assert_eq!(nested.compile(2), Err(TooLarge));
        let tail = Regex::Sequence(vec![Regex::any().star(), a(), Regex::any().repeat(60, Some(60))]);
        assert_eq!(tail.compile(2), Err(TooLarge));
        let optional = Regex::any().optional().repeat(0, Some(15_000));
        assert_eq!(optional.compile(50), Err(TooLarge));
        assert_eq!(
            Regex::any().repeat(10, None).repeat(10, None).repeat(900, None).compile(200),
            Err(TooLarge)
        );
        assert_eq!(Regex::Empty.repeat(0, Some(u32::MAX)).compile(1), Err(TooLarge));
        assert_eq!(Regex::Empty.repeat(u32::MAX, None).repeat(7, None).compile(1), Err(TooLarge));
    }

    #[test]
    fn large_but_bounded_counts_are_fine() {
        let dfa = Regex::symbol(0).repeat(5_000, Some(5_000)).compile(2).expect("within the limit");
        assert_eq!(dfa.n_states(), 5_002);
        let any = Regex::any().repeat(0, Some(3_000)).compile(50).expect("within the limit");
        assert_eq!(any.n_states(), 3_002);
    }
}
