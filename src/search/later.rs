//! States whose turn comes later.
//!
//! A step may count as several. Breadth-first search takes states layer by
//! layer, and a state behind such a step belongs to a layer further on: it
//! waits here until that layer begins, and only then it counts as seen.

use super::space::{Hash, StateId};
use crate::system::Word;
use std::collections::VecDeque;

/// States on their way into a space, each with its hash and the state that it
/// was reached from.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    words: Vec<Word>,
    pub hashes: Vec<Hash>,
    parents: Vec<StateId>,
}

impl Arrivals {
    pub fn add(&mut self, hash: Hash, state: &[Word], parent: StateId) {
        self.words.extend_from_slice(state);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// All of them, in the order they were added.
    pub fn iter(&self, width: usize) -> impl Iterator<Item = (Hash, &[Word], StateId)> {
        let states = self.words.chunks_exact(width);
        self.hashes
            .iter()
            .zip(states)
            .zip(&self.parents)
            .map(|((&hash, state), &parent)| (hash, state, parent))
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
            + self.hashes.capacity() * size_of::<Hash>()
            + self.parents.capacity() * size_of::<StateId>()
    }
}

/// Arrivals by layer.
#[derive(Debug, Default)]
pub(super) struct Later {
    /// Of the next layer, the one behind it, and so on.
    layers: VecDeque<Arrivals>,
}

impl Later {
    /// Adds a state that a step of `length` leads to from the layer at hand.
    pub fn add(&mut self, length: u32, hash: Hash, state: &[Word], parent: StateId) {
        let index = length.max(1) as usize - 1;
        if self.layers.len() <= index {
            self.layers.resize_with(index + 1, Arrivals::default);
        }
        self.layers[index].add(hash, state, parent);
    }

    /// The next layer begins: its arrivals.
    pub fn begin_layer(&mut self) -> Arrivals {
        self.layers.pop_front().unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.layers.iter().map(Arrivals::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.layers.iter().map(Arrivals::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::strategy::Shorten;
    use crate::search::{End, Limits, Space, Store, Strategy, breadth_first, depth_first, explore};
    use crate::system::{Successors, TransitionSystem};

    /// Numbers up to a goal, with steps of given lengths.
    #[derive(Clone)]
    struct Ways(Vec<(Word, Word, u32)>);

    impl TransitionSystem for Ways {
        fn width(&self) -> usize {
            1
        }

        fn initial(&self, state: &mut [Word]) {
            state[0] = 0;
        }

        fn successors(&mut self, state: &[Word], out: &mut Successors) {
            for &(_, to, length) in self.0.iter().filter(|it| it.0 == state[0]) {
                out.branch(state)[0] = to;
                out.set_length(length);
            }
        }

        fn is_goal(&self, state: &[Word]) -> bool {
            state[0] == 99
        }
    }

    fn ways_of(system: &Ways) -> [Vec<Word>; 4] {
        let (limits, none) = (Limits::default(), |_: &str| unreachable!("no heuristic is named"));
        let run = explore(&mut system.clone(), &Strategy::bfs(), none, limits, &mut |_| None);
        let End::Found(goal) = run.end else { panic!("{:?}", run.end) };
        let path = |space: &Space| space.path(goal).iter().map(|&id| space.state(id)[0]).collect();
        let threads = |n| {
            let layered = breadth_first(vec![system.clone(); n], limits, &mut |_| None);
            layered.path.expect("there is a goal").concat()
        };
        let shorten = Some(Shorten::Exact);
        let descent = depth_first(&mut system.clone(), Store::Exact, shorten, limits, &mut |_| None);
        [path(&run.space), threads(1), threads(3), descent.path.expect("there is a goal").concat()]
    }

    #[test]
    fn long_steps_take_their_time() {
        // The way with the fewest steps is not the shortest.
        let system = Ways(vec![(0, 99, 7), (0, 1, 1), (1, 2, 1), (2, 99, 4), (1, 3, 3), (3, 99, 1)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 3, 99]));
        // Layers without a state are passed.
        let system = Ways(vec![(0, 1, 9), (1, 99, 9), (0, 2, 8), (2, 99, 11)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 99]));
        // What is known by a shorter way need not wait.
        let system = Ways(vec![(0, 1, 5), (0, 1, 1), (1, 0, 2), (1, 99, 3)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 99]));
    }
}
