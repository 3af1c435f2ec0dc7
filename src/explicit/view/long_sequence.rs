//! States within a long atomic sequence.
//!
//! Short sequences are followed without remembering where they have been. A
//! sequence that repeats a state never becomes short, so it is enough to
//! remember the states of long ones: each is expanded once, and a cycle among
//! them is a run that stays in the sequence for ever.

use crate::system::Word;
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use std::collections::HashMap;

/// Number of a state within a long sequence.
pub(super) type InnerState = u32;

/// The states of a long sequence, with the steps between them.
#[derive(Debug, Default)]
pub(super) struct LongSequence {
    /// Each state with its number.
    numbers: HashMap<Vec<Word>, InnerState>,
    /// Fewest statements that led to each state. Shorter paths are followed
    /// first, so hardly any state is expanded twice.
    costs: Vec<u32>,
    steps: Vec<(InnerState, InnerState)>,
    current: Option<InnerState>,
}

impl LongSequence {
    /// Records that `state` was reached. Returns whether it is new, or reached
    /// by fewer statements than before.
    pub fn is_shorter(&mut self, from: Option<InnerState>, state: &[Word], n_statements: u32) -> bool {
        let known = self.numbers.get(state).copied();
        let number = known.unwrap_or(self.costs.len() as InnerState);
        self.steps.extend(from.map(|from| (from, number)));
        self.current = Some(number);
        match known {
            Some(_) if self.costs[number as usize] <= n_statements => return false,
            Some(_) => self.costs[number as usize] = n_statements,
            None => {
                self.numbers.insert(state.to_vec(), number);
                self.costs.push(n_statements);
            }
        }
        true
    }

    /// Returns the state that was recorded last.
    pub fn current(&self) -> Option<InnerState> {
        self.current
    }

    /// Returns whether some state can be reached from itself.
    pub fn has_cycle(&self) -> bool {
        let steps = DiGraph::<(), ()>::from_edges(&self.steps);
        toposort(&steps, None).is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::LongSequence;
    use crate::system::Word;

    /// Reaches states in the order of the steps, which begin at known states.
    fn has_cycle(steps: &[(Word, Word)]) -> bool {
        let mut sequence = LongSequence::default();
        sequence.is_shorter(None, &[0], 0);
        for &(from, to) in steps {
            let from = sequence.numbers[&vec![from]];
            sequence.is_shorter(Some(from), &[to], 1);
        }
        sequence.has_cycle()
    }

    #[test]
    fn cycles_are_told_from_joins() {
        assert!(!has_cycle(&[]));
        assert!(!has_cycle(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]));
        assert!(has_cycle(&[(0, 0)]));
        assert!(has_cycle(&[(0, 1), (1, 2), (2, 1), (2, 3)]));
        assert!(!has_cycle(&[(0, 1), (0, 1), (1, 2), (1, 2)]));
    }

    #[test]
    fn shorter_paths_are_followed_again() {
        let mut sequence = LongSequence::default();
        assert!(sequence.is_shorter(None, &[7], 5));
        assert!(!sequence.is_shorter(None, &[7], 5));
        assert!(sequence.is_shorter(None, &[7], 4));
        assert_eq!(sequence.current(), Some(0));
    }
}
