//! All visited states, each stored once with its parent.
//!
//! States are appended to blocks that never move; a table finds them. A slot
//! holds 32 bits of the hash and the id, so most wrong slots are skipped
//! without reading the state, and the table grows without reading states.

use super::memory::{self, Rows};
use super::table::{Table, TableEntry};
pub use crate::system::StateId;
use crate::system::Word;

/// The visited states.
#[derive(Debug)]
pub struct Space {
    states: Rows<Word>,
    /// Parents; empty if they are not stored.
    parents: Rows<u32>,
    has_parents: bool,
    table: Table<Slot>,
}

/// A tag and an id.
#[derive(Clone, Copy, Debug)]
struct Slot(u64);

impl Slot {
    fn new(tag: u32, id: StateId) -> Self {
        Self(u64::from(tag) << 32 | u64::from(id.0))
    }

    fn id(self) -> StateId {
        StateId(self.0 as u32)
    }
}

impl TableEntry for Slot {
    const EMPTY: Self = Self(u64::MAX);

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == u64::MAX
    }

    #[inline]
    fn tag(&self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Result of adding a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The state was new and has been added.
    New(StateId),
    /// The state was known.
    Known(StateId),
}

/// Hash of a state.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u64);

impl Space {
    /// Creates an empty space for states of `width` words.
    pub fn new(width: usize) -> Self {
        Self { states: Rows::new(width), parents: Rows::new(1), has_parents: true, table: Table::new(4, 5) }
    }

    /// Creates an empty space like [`Space::new`] that does not store parents.
    pub fn without_parents(width: usize) -> Self {
        Self { has_parents: false, ..Self::new(width) }
    }

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// Returns the memory in use.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.parents.bytes() + self.table.bytes()
    }

    /// Returns the words of a state.
    pub fn state(&self, id: StateId) -> &[Word] {
        self.states.row(id.index())
    }

    /// Returns the parent of a state.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.parents.row(id.index())[0];
        (parent != u32::MAX).then_some(StateId(parent))
    }

    /// Returns the states from the initial one to `id`.
    pub fn path(&self, id: StateId) -> Vec<StateId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// Returns the hash of a state.
    #[inline]
    pub fn hash(state: &[Word]) -> Hash {
        let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
        for &word in state {
            let product = u128::from(word ^ hash) * u128::from(0xa076_1d64_78bd_642f_u64);
            hash = (product as u64) ^ ((product >> 64) as u64);
        }
        Hash(hash)
    }

    /// Prefetches the slot of a state with this hash.
    #[inline]
    pub fn prefetch(&self, hash: Hash) {
        self.table.prefetch(hash.tag());
    }

    /// Prefetches the words of a state.
    #[inline]
    pub fn prefetch_state(&self, id: StateId) {
        memory::prefetch(&self.state(id)[0]);
    }

    /// Changes the parent of a state, because a better path was found.
    pub fn set_parent(&mut self, id: StateId, parent: Option<StateId>) {
        if !self.has_parents {
            return;
        }
        self.parents.row_mut(id.index())[0] = parent.map_or(u32::MAX, |parent| parent.0);
    }

    /// Returns whether a state is known.
    pub fn contains(&self, state: &[Word]) -> bool {
        self.find(state).is_some()
    }

    /// Returns the id of a known state.
    pub fn find(&self, state: &[Word]) -> Option<StateId> {
        self.find_hashed(Self::hash(state), state)
    }

    /// Returns the id of a known state, given its hash.
    pub fn find_hashed(&self, hash: Hash, state: &[Word]) -> Option<StateId> {
        self.look_up(hash, state).ok()
    }

    /// Adds a state unless it is known; only a new one gets the parent.
    pub fn insert(&mut self, hash: Hash, state: &[Word], parent: Option<StateId>) -> Arrival {
        match self.look_up(hash, state) {
            Ok(id) => Arrival::Known(id),
            Err(slot) => {
                let id = self.append(state, parent);
                self.table.fill(slot, Slot::new(hash.tag(), id));
                Arrival::New(id)
            }
        }
    }

    /// Returns the id of a state, or the slot where it belongs.
    #[inline]
    fn look_up(&self, hash: Hash, state: &[Word]) -> Result<StateId, usize> {
        let tag = hash.tag();
        let is_wanted = |slot: &Slot| slot.tag() == tag && equal(self.state(slot.id()), state);
        self.table.find(tag, is_wanted).map(Slot::id)
    }

    fn append(&mut self, state: &[Word], parent: Option<StateId>) -> StateId {
        let id = StateId::new(self.states.len());
        assert!(id.0 != u32::MAX, "a space holds fewer than 2^32 - 1 states");
        self.states.push(state);
        if self.has_parents {
            self.parents.push(&[parent.map_or(u32::MAX, |parent| parent.0)]);
        }
        id
    }
}

/// Compares states. They have few words, so this is cheaper than a call.
fn equal(one: &[Word], other: &[Word]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

impl Hash {
    /// Returns all bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn tag(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_state_is_kept_once_and_found_again() {
        for width in 1..=3 {
            let mut space = Space::new(width);
            let mut reference: HashMap<Vec<Word>, StateId> = HashMap::new();
            let mut random = 7_u64;
            for _ in 0..200_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let state: Vec<Word> = (0..width).map(|i| (random >> 40) % (50_000 >> i)).collect();
                let parent = space.n_states().checked_sub(1).map(StateId::new);
                match space.insert(Space::hash(&state), &state, parent) {
                    Arrival::New(id) => assert!(reference.insert(state, id).is_none()),
                    Arrival::Known(id) => assert_eq!(reference.get(&state), Some(&id)),
                }
            }
            assert_eq!(space.n_states(), reference.len());
            assert!(reference.iter().all(|(state, &id)| space.state(id) == state && space.contains(state)));
            assert!(!space.contains(&vec![50_000; width]));
        }
    }

    #[test]
    fn a_path_follows_parents() {
        let mut space = Space::new(1);
        let mut last = None;
        for state in 0..5 {
            match space.insert(Space::hash(&[state]), &[state], last) {
                Arrival::New(id) => last = Some(id),
                Arrival::Known(_) => panic!("the states differ"),
            }
        }
        let path = space.path(last.expect("there are states"));
        assert_eq!(path, (0..5).map(StateId).collect::<Vec<_>>());
    }
}
