//! Queries on automata for searches and reports: shortest words, distances, the
//! trap.

use super::{Dfa, State, Symbol};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, VecDeque};

impl Dfa {
    /// Returns the shortest accepted word, the first of them in the order of
    /// symbols; `None` if the language is empty.
    pub fn shortest_word(&self) -> Option<Vec<Symbol>> {
        self.shortest_word_from(self.start(), |state| self.is_accepting(state))
    }

    /// Returns the shortest word from `from` to a state that satisfies
    /// `is_goal`.
    pub fn shortest_word_from(&self, from: State, is_goal: impl Fn(State) -> bool) -> Option<Vec<Symbol>> {
        shortest(from, |&state| is_goal(state), |&state| self.successors(state).collect())
    }

    /// Returns the shortest word that exactly one of the two accepts; `None` if
    /// they are equivalent.
    pub fn distinguishing_word(&self, other: &Dfa) -> Option<Vec<Symbol>> {
        assert_eq!(self.n_symbols(), other.n_symbols(), "only automata over one alphabet compare");
        let (a, b) = (self.minimise(), other.minimise());
        if a == b {
            return None;
        }
        let differ = |&(x, y): &(State, State)| a.is_accepting(x) != b.is_accepting(y);
        shortest((a.start(), b.start()), differ, |&(x, y)| a.successors(x).zip(b.successors(y)).collect())
    }

    /// Returns the state from which no word is accepted; unique in a minimal
    /// automaton, otherwise the lowest one.
    pub fn trap(&self) -> Option<State> {
        self.dead_states().ones().next().map(|state| state as State)
    }

    /// Returns, for each state, the number of symbols that lead directly into
    /// the trap; zero without a trap. For minimal automata.
    pub fn symbols_into_trap(&self) -> Vec<usize> {
        let dead = self.dead_states();
        let into_trap = |state| self.successors(state).filter(|&next| dead.contains(next as usize)).count();
        (0..self.n_states() as State).map(into_trap).collect()
    }

    /// Returns the minimum number of symbols from each state to one of
    /// `targets`; `None` if no word leads there.
    pub fn distances_to(&self, targets: &FixedBitSet) -> Vec<Option<u32>> {
        let mut predecessors = vec![Vec::new(); self.n_states()];
        for state in 0..self.n_states() as State {
            for next in self.successors(state) {
                predecessors[next as usize].push(state);
            }
        }
        let mut distances = vec![None; self.n_states()];
        let mut pending: VecDeque<State> = VecDeque::new();
        for target in targets.ones() {
            distances[target] = Some(0);
            pending.push_back(target as State);
        }
        while let Some(state) = pending.pop_front() {
            let further = distances[state as usize].map(|distance| distance + 1);
            for &before in &predecessors[state as usize] {
                if distances[before as usize].is_none() {
                    distances[before as usize] = further;
                    pending.push_back(before);
                }
            }
        }
        distances
    }
}

/// Searches breadth first for the nearest goal and returns the symbols of the
/// path to it.
fn shortest<S: Ord + Copy>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    successors: impl Fn(&S) -> Vec<S>,
) -> Option<Vec<Symbol>> {
    let mut parents: BTreeMap<S, Option<(S, Symbol)>> = BTreeMap::from([(start, None)]);
    let mut pending = VecDeque::from([start]);
    while let Some(state) = pending.pop_front() {
        if is_goal(&state) {
            let mut word = Vec::new();
            let mut at = state;
            while let Some((before, symbol)) = parents[&at] {
                word.push(symbol);
                at = before;
            }
            word.reverse();
            return Some(word);
        }
        for (symbol, next) in successors(&state).into_iter().enumerate() {
            parents.entry(next).or_insert_with(|| {
                pending.push_back(next);
                Some((state, symbol as Symbol))
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::testing::{random_dfa, seeded, words};

    #[test]
    fn shortest_words_are_those_brute_force_finds_first() {
        seeded(200, |random| {
            let (a, b) = (random_dfa(random, 5, 2), random_dfa(random, 4, 2));
            let accepted = words(2, 6).find(|word| a.accepts(word.iter().copied()));
            assert_eq!(a.shortest_word(), accepted);
            let differing =
                words(2, 9).find(|word| a.accepts(word.iter().copied()) != b.accepts(word.iter().copied()));
            assert_eq!(a.distinguishing_word(&b), differing);
            assert_eq!(a.distinguishing_word(&a.minimise()), None);
        });
    }

    #[test]
    fn distances_and_the_trap_agree_with_brute_force() {
        seeded(200, |random| {
            let dfa = random_dfa(random, 5, 2).minimise();
            let from = |state, word: &[Symbol]| word.iter().fold(state, |at, &symbol| dfa.next(at, symbol));
            let is_dead = |state| words(2, 5).all(|word| !dfa.is_accepting(from(state, &word)));
            let dead: Vec<State> = (0..dfa.n_states() as State).filter(|&state| is_dead(state)).collect();
            assert!(dead.len() <= 1, "minimisation merges traps");
            assert_eq!(dfa.trap(), dead.first().copied());
            let distances = dfa.distances_to(&dfa.dead_states());
            for state in 0..dfa.n_states() as State {
                let nearest = words(2, 5).find(|word| dead.contains(&from(state, word)));
                assert_eq!(distances[state as usize], nearest.map(|word| word.len() as u32));
                let into = (0..2).filter(|&symbol| dead.contains(&dfa.next(state, symbol))).count();
                assert_eq!(dfa.symbols_into_trap()[state as usize], into);
            }
        });
    }
}
