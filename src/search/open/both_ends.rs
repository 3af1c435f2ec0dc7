//! Breadth-first order, which after a number of turns alternates with
//! depth-first order.
//!
//! A breadth-first search that takes long is probably far from a violation. So
//! states are then taken from both ends of the frontier: a quarter of the turns
//! continues depth first from the newest state. Both ends share the visited
//! set, so each state is expanded once and a proof costs as much as with
//! breadth-first search.

use super::{Fifo, Frontier};
use crate::search::StateId;
use crate::system::{Arrived, TransitionSystem};
use std::collections::VecDeque;

/// Number of consecutive turns of the depth-first end.
const TURNS: u64 = 256;

/// The depth-first end has one in this number of turns. More would make proofs
/// slower: successors of deep states are rarely in the caches of the processor.
const PARTS: u64 = 4;

/// A queue that after a number of turns also returns its newest states.
#[derive(Debug)]
pub struct BothEnds {
    /// The queue of the first phase.
    layers: Fifo,
    /// Number of turns of the first phase.
    after: u64,
    n_taken: u64,
    /// Whether the depth-first end was served last.
    is_deep: bool,
    /// States found breadth first, the oldest at the front.
    wide: VecDeque<(StateId, u32)>,
    /// States found depth first, the newest at the back.
    deep: VecDeque<(StateId, u32)>,
}

impl BothEnds {
    /// Creates a queue that is breadth first for `after` turns.
    pub fn new(after: u64) -> Self {
        Self {
            layers: Fifo::default(),
            after,
            n_taken: 0,
            is_deep: false,
            wide: VecDeque::new(),
            deep: VecDeque::new(),
        }
    }

    fn is_first_phase(&self) -> bool {
        self.n_taken < self.after
    }
}

/// Adds an entry. The capacity grows by an eighth, so that a memory limit is
/// not exceeded by far.
fn add(queue: &mut VecDeque<(StateId, u32)>, entry: (StateId, u32)) {
    if queue.len() == queue.capacity() {
        queue.reserve_exact((queue.len() / 8).max(16));
    }
    queue.push_back(entry);
}

impl Frontier for BothEnds {
    #[inline]
    fn push<S: TransitionSystem>(&mut self, system: &S, arrived: &Arrived) -> bool {
        let entry = (arrived.id, arrived.g);
        match (self.is_first_phase(), self.is_deep) {
            (true, _) => return self.layers.push(system, arrived),
            (false, true) => add(&mut self.deep, entry),
            (false, false) => add(&mut self.wide, entry),
        }
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.is_first_phase() {
            self.n_taken += 1;
            let next = self.layers.pop();
            if !self.is_first_phase() {
                // All waiting states are older than those that the next
                // expansion adds.
                self.wide.reserve_exact(self.layers.n_waiting());
                self.wide.extend(std::iter::from_fn(|| self.layers.pop()));
            }
            return next;
        }
        self.n_taken += 1;
        self.is_deep = ((self.n_taken - self.after) / TURNS).is_multiple_of(PARTS);
        match self.is_deep {
            true => self.deep.pop_back().or_else(|| self.wide.pop_back()),
            false => self.wide.pop_front().or_else(|| self.deep.pop_front()),
        }
    }

    fn upcoming(&self) -> Option<StateId> {
        match (self.is_first_phase(), self.is_deep) {
            (true, _) => self.layers.upcoming(),
            // The first new successor of the state, if there is one, is taken
            // before this one.
            (false, true) => self.deep.back().map(|it| it.0),
            (false, false) => self.wide.front().map(|it| it.0),
        }
    }

    fn ended_layer(&self) -> Option<u32> {
        if self.is_first_phase() { self.layers.ended_layer() } else { None }
    }

    fn skip_to_layer(&mut self, depth: u32) {
        self.layers.skip_to_layer(depth);
    }

    fn is_in_layers(&self) -> bool {
        self.is_first_phase()
    }

    fn n_waiting(&self) -> usize {
        self.layers.n_waiting() + self.wide.len() + self.deep.len()
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

    /// A binary tree: the order in which its nodes are taken.
    fn order(after: u64, n_nodes: usize) -> Vec<(usize, u32)> {
        let mut frontier = BothEnds::new(after);
        let arrived = |number, g| Arrived { id: StateId::new(number), state: &[0], g, from: None };
        frontier.push(&Nothing, &arrived(0, 0));
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
    fn every_state_is_taken_once_and_the_first_ones_in_layers() {
        for after in [0, 1, 7, 400, 100_000] {
            let taken = order(after, 5000);
            let first = taken.iter().take(after as usize).map(|it| it.0);
            assert!(first.eq(0..taken.len().min(after as usize)), "after {after}");
            let mut ids: Vec<usize> = taken.iter().map(|it| it.0).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..5000), "after {after}");
        }
    }

    #[test]
    fn the_second_end_goes_deep() {
        let deepest = |after| order(after, 5000).iter().map(|it| it.1).max();
        assert_eq!(deepest(100_000), Some(12));
        assert!(deepest(100) > Some(200));
    }
}
