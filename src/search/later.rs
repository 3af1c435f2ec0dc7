//! States that wait for their layer.
//!
//! A step can cost more than one statement. Breadth-first search processes
//! states layer by layer, and the state after such a step belongs to a later
//! layer. Its words are stored in the [`Space`] at once: they will be stored
//! there anyway, and a state reached by many such steps is stored once. Only
//! its id is kept here, in the bucket of its layer. A shorter path moves it to
//! an earlier layer; the old entry stays in its bucket and is ignored later.

use super::memory::make_room;
use super::space::{Arrival, Hash, Space, StateId};
use crate::system::Word;
use std::collections::{BTreeMap, HashMap};

/// Waiting states, by layer.
#[derive(Debug, Default)]
pub(super) struct Later {
    buckets: BTreeMap<u32, Vec<StateId>>,
    /// Marks of the states from `first` to the last one that waits. Most states
    /// that are reached again are older than that, and recent marks fit into
    /// the processor's cache.
    marks: Vec<u8>,
    /// Id of the first mark; no state before it waits.
    first: usize,
    /// Number of marks at the beginning that are all [`ARRIVED`].
    n_arrived: usize,
    /// Layers of states that are marked as [`FAR`].
    far: HashMap<StateId, u32>,
    n_waiting: usize,
    n_entries: usize,
}

/// Mark of a state that does not wait.
const ARRIVED: u8 = 0;

/// Mark of a state whose layer was at least `NEAR_LAYERS` away when it began to
/// wait. Any other mark is one more than the layer modulo `NEAR_LAYERS`.
const FAR: u8 = u8::MAX;
const NEAR_LAYERS: u32 = 254;

impl Later {
    /// Stores a state reached by a step of some length from a state of the
    /// layer `depth`. Returns it if it belongs to the next layer and is new
    /// there; otherwise it waits, or is known by a path that is not longer.
    #[inline(always)]
    pub fn reach(
        &mut self,
        space: &mut Space,
        depth: u32,
        (length, hash, state): (u32, Hash, &[Word]),
        parent: StateId,
    ) -> Option<StateId> {
        let arrival = space.insert(hash, state, Some(parent));
        if length > 1 {
            self.wait(space, arrival, (depth, depth.saturating_add(length)), parent);
            return None;
        }
        match arrival {
            Arrival::New(id) => Some(id),
            Arrival::Known(id) if self.arrive(id) => {
                space.set_parent(id, Some(parent));
                Some(id)
            }
            Arrival::Known(_) => None,
        }
    }

    /// Makes a state wait for a layer, unless it is known by a path that is not
    /// longer.
    fn wait(&mut self, space: &mut Space, arrival: Arrival, (depth, layer): (u32, u32), parent: StateId) {
        match arrival {
            Arrival::New(id) => {
                if self.marks.is_empty() {
                    self.first = id.index();
                }
                let n_missing = id.index() - self.first + 1 - self.marks.len();
                make_room(&mut self.marks, n_missing);
                self.marks.extend(std::iter::repeat_n(ARRIVED, n_missing));
                self.n_waiting += 1;
                self.put(id, depth, layer);
            }
            Arrival::Known(id) if self.layer(id, depth).is_some_and(|known| layer < known) => {
                space.set_parent(id, Some(parent));
                self.put(id, depth, layer);
            }
            Arrival::Known(_) => {}
        }
    }

    fn put(&mut self, id: StateId, depth: u32, layer: u32) {
        let is_near = layer - depth < NEAR_LAYERS;
        let mark = &mut self.marks[id.index() - self.first];
        if *mark == FAR {
            self.far.remove(&id);
        }
        *mark = if is_near { (layer % NEAR_LAYERS) as u8 + 1 } else { FAR };
        if !is_near {
            self.far.insert(id, layer);
        }
        let bucket = self.buckets.entry(layer).or_default();
        make_room(bucket, 1);
        bucket.push(id);
        self.n_entries += 1;
    }

    /// Returns the layer for which a state waits, after the layer at `depth`.
    fn layer(&self, id: StateId, depth: u32) -> Option<u32> {
        match *self.marks.get(id.index().wrapping_sub(self.first))? {
            ARRIVED => None,
            FAR => self.far.get(&id).copied(),
            mark => {
                let next = depth + 1;
                let ahead = (u32::from(mark) - 1 + NEAR_LAYERS - next % NEAR_LAYERS) % NEAR_LAYERS;
                Some(next + ahead)
            }
        }
    }

    /// Marks a state as arrived. Returns false if it does not wait.
    #[inline]
    fn arrive(&mut self, id: StateId) -> bool {
        match self.marks.get_mut(id.index().wrapping_sub(self.first)) {
            Some(mark) if *mark != ARRIVED => {
                if *mark == FAR {
                    self.far.remove(&id);
                }
                *mark = ARRIVED;
                self.n_waiting -= 1;
                true
            }
            _ => false,
        }
    }

    /// Returns the first layer for which states wait.
    pub fn next_layer(&self) -> Option<u32> {
        self.buckets.first_key_value().map(|(layer, _)| *layer)
    }

    /// Removes and returns the states that wait for the next non-empty layer,
    /// in the order in which they were added. A state that was moved to an
    /// earlier layer is not among them.
    pub fn take(&mut self, layer: u32) -> Vec<StateId> {
        let mut due = self.buckets.remove(&layer).unwrap_or_default();
        self.n_entries -= due.len();
        due.retain(|id| self.arrive(*id));
        self.forget_arrived();
        due
    }

    /// Drops the marks before the first waiting state, when they are at least
    /// half of all marks.
    fn forget_arrived(&mut self) {
        let arrived = self.marks[self.n_arrived..].iter().take_while(|mark| **mark == ARRIVED);
        self.n_arrived += arrived.count();
        if self.n_arrived * 2 >= self.marks.len() {
            self.marks.drain(..self.n_arrived);
            self.first += self.n_arrived;
            self.n_arrived = 0;
        }
    }

    /// Returns the number of entries for a layer, including obsolete ones.
    pub fn n_due(&self, layer: u32) -> usize {
        self.buckets.get(&layer).map_or(0, Vec::len)
    }

    /// Returns the number of waiting states.
    pub fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// Returns the memory in use; buckets reserve an eighth more than they
    /// need.
    pub fn bytes(&self) -> usize {
        let entries = (self.n_entries + self.n_entries / 8) * size_of::<StateId>();
        let far = self.far.capacity() * (size_of::<(StateId, u32)>() + 1);
        self.marks.capacity() + far + entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::strategy::Shorten;
    use crate::search::{End, Limits, Space, Store, Strategy, breadth_first, depth_first, explore};
    use crate::system::{Abort, Step, Successors, TransitionSystem};

    /// Numbers up to a goal, with steps of given lengths.
    #[derive(Clone)]
    struct Edges(Vec<(Word, Word, u32)>);

    impl TransitionSystem for Edges {
        fn width(&self) -> usize {
            1
        }

        fn initial(&self, state: &mut [Word]) {
            state[0] = 0;
        }

        fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
            for &(_, to, length) in self.0.iter().filter(|it| it.0 == state[0]) {
                out.branch(Step::of_cost(length), state)[0] = to;
            }
            Ok(())
        }

        fn is_goal(&self, state: &[Word]) -> bool {
            state[0] == 99
        }
    }

    fn ways_of(system: &Edges) -> [Vec<Word>; 4] {
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
        // The path with the fewest steps is not the shortest.
        let system = Edges(vec![(0, 99, 7), (0, 1, 1), (1, 2, 1), (2, 99, 4), (1, 3, 3), (3, 99, 1)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 3, 99]));
        // Layers without a state are skipped.
        let system = Edges(vec![(0, 1, 9), (1, 99, 9), (0, 2, 8), (2, 99, 11)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 99]));
        // Layers can be far away.
        let system = Edges(vec![(0, 1, 900), (1, 99, 254), (0, 2, 253), (2, 1, 500), (0, 3, 1), (3, 1, 751)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 3, 1, 99]));
        let system = Edges(vec![(0, 1, 2000), (0, 2, 1000), (2, 1, 254), (2, 3, 253), (3, 1, 2), (1, 99, 1)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 2, 1, 99]));
        // A state that is known by a shorter path need not wait.
        let system = Edges(vec![(0, 1, 5), (0, 1, 1), (1, 0, 2), (1, 99, 3)]);
        assert_eq!(ways_of(&system), std::array::from_fn::<_, 4, _>(|_| vec![0, 1, 99]));
    }

    /// Words that go up in long steps and back to zero in one.
    #[derive(Clone)]
    struct Long;

    impl TransitionSystem for Long {
        fn width(&self) -> usize {
            10
        }

        fn initial(&self, state: &mut [Word]) {
            state.fill(0);
        }

        fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
            for index in 0..6 {
                if state[index] < 4 {
                    out.branch(Step::of_cost(7 + 3 * index as u32), state)[index] += 1;
                } else {
                    out.branch(Step::PLAIN, state)[index] = 0;
                }
            }
            Ok(())
        }

        fn is_goal(&self, _state: &[Word]) -> bool {
            false
        }
    }

    #[test]
    fn states_that_wait_are_stored_once() {
        let (limits, none) = (Limits::default(), |_: &str| unreachable!("no heuristic is named"));
        let run = explore(&mut Long, &Strategy::bfs(), none, limits, &mut |_| None);
        let alone = breadth_first(vec![Long], limits, &mut |_| None);
        for counters in [run.counters, alone.counters] {
            assert_eq!(counters.stored, 5_u64.pow(6));
            // Words, parent and slot of each state.
            let bytes = counters.bytes as f64 / counters.stored as f64;
            assert!(bytes < 1.3 * (80.0 + 4.0 + 10.0), "{bytes}");
        }
    }
}
