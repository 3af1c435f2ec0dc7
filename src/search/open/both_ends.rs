//! Breadth-first and depth-first search in turns.
//!
//! A breadth-first search that takes long is probably far from a violation. So
//! the frontier gets a second end: in an eighth of the turns the search
//! continues depth first from the newest state. Both share the visited set, so
//! each state is expanded once and a proof costs as much as in breadth-first
//! search.

use super::{Fifo, Frontier};
use crate::search::StateId;
use crate::system::{Arrived, TransitionSystem};
use std::collections::VecDeque;

/// Number of consecutive turns of the depth-first end.
const TURNS: u64 = 4096;

/// The depth-first end has one in this number of turns. More would make proofs
/// slower: successors of deep states are rarely in the caches of the processor.
const PARTS: u64 = 8;

/// A queue from which states are taken at both ends.
#[derive(Debug)]
pub struct BothEnds {
    n_taken: u64,
    /// Whether the depth-first end was served last.
    is_deep: bool,
    /// States found breadth first, oldest at the front.
    wide: VecDeque<(StateId, u32)>,
    /// States found depth first, newest at the back.
    deep: VecDeque<(StateId, u32)>,
}

impl BothEnds {
    /// Creates a queue with the waiting states of `layers`.
    pub fn new(mut layers: Fifo) -> Self {
        let mut wide = VecDeque::new();
        wide.reserve_exact(layers.n_waiting());
        wide.extend(std::iter::from_fn(|| layers.pop()));
        Self { n_taken: 0, is_deep: false, wide, deep: VecDeque::new() }
    }
}

/// Appends an entry. The capacity grows by an eighth, so that a memory limit is
/// not exceeded by much.
#[inline]
fn add(queue: &mut VecDeque<(StateId, u32)>, entry: (StateId, u32)) {
    if queue.len() == queue.capacity() {
        queue.reserve_exact((queue.len() / 8).max(16));
    }
    queue.push_back(entry);
}

impl Frontier for BothEnds {
    #[inline]
    fn push<S: TransitionSystem>(&mut self, _system: &S, arrived: &Arrived) -> bool {
        let entry = (arrived.id, arrived.g);
        match self.is_deep {
            true => add(&mut self.deep, entry),
            false => add(&mut self.wide, entry),
        }
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        self.n_taken += 1;
        self.is_deep = (self.n_taken / TURNS).is_multiple_of(PARTS);
        match self.is_deep {
            true => self.deep.pop_back().or_else(|| self.wide.pop_back()),
            false => self.wide.pop_front().or_else(|| self.deep.pop_front()),
        }
    }

    fn upcoming(&self) -> Option<StateId> {
        match self.is_deep {
            // Its first successor, if any is new, comes before this one.
            true => self.deep.back().map(|it| it.0),
            false => self.wide.front().map(|it| it.0),
        }
    }

    fn n_waiting(&self) -> usize {
        self.wide.len() + self.deep.len()
    }

    fn bytes(&self) -> usize {
        (self.wide.capacity() + self.deep.capacity()) * size_of::<(StateId, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Abort, Successors, Word};

    struct Nothing;

    impl TransitionSystem for Nothing {
        fn width(&self) -> usize {
            1
        }

        fn initial(&self, _: &mut [Word]) {}

        fn successors(&mut self, _: &[Word], _: &mut Successors) -> Result<(), Abort> {
            Ok(())
        }

        fn is_goal(&self, _: &[Word]) -> bool {
            false
        }
    }

    /// Returns the order in which the nodes of a binary tree are taken.
    fn order(n_nodes: usize) -> Vec<(usize, u32)> {
        let mut layers = Fifo::default();
        let arrived = |number, g| Arrived { id: StateId::new(number), state: &[0], g, from: None };
        layers.push(&Nothing, &arrived(0, 0));
        let mut frontier = BothEnds::new(layers);
        let (mut taken, mut n_stored) = (Vec::new(), 1);
        while let Some((id, g)) = frontier.pop() {
            taken.push((id.index(), g));
            for _ in 0..2 {
                if n_stored < n_nodes {
                    frontier.push(&Nothing, &arrived(n_stored, g + 1));
                    n_stored += 1;
                }
            }
        }
        taken
    }

    #[test]
    fn every_state_is_taken_once() {
        let mut ids: Vec<usize> = order(50_000).iter().map(|it| it.0).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..50_000));
    }

    #[test]
    fn the_second_end_goes_deep() {
        let taken = order(50_000);
        let deepest = taken.iter().map(|it| it.1).max();
        assert!(deepest > Some(1000), "{deepest:?}");
        // Before the first turn of the second end, the order is that of layers.
        assert!(taken[..100].iter().map(|it| it.1).is_sorted());
    }
}
