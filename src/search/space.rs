//! Every state seen, once, with the state it was first reached from.
//!
//! States are appended to chunks that never move; an open-addressing table
//! finds them again. A slot holds 32 bits of the hash and the id, so most
//! wrong slots are passed over without a look at the state, and the table
//! grows without one. The table is divided into shards that grow one at a
//! time: the memory for a copy is only ever a fraction of the whole.

use crate::define_id;
use crate::system::Word;

define_id!(
    /// A state of a [`Space`], in the order of arrival.
    StateId
);

const CHUNK_BITS: usize = 14;
const CHUNK: usize = 1 << CHUNK_BITS;
const SHARD_BITS: u32 = 6;
pub(super) const SHARDS: usize = 1 << SHARD_BITS;
const EMPTY: u64 = u64::MAX;
const FIRST_SLOTS: usize = 16;

/// The visited states.
#[derive(Debug)]
pub struct Space {
    width: usize,
    n_states: usize,
    words: Vec<Box<[Word]>>,
    /// Empty where nobody asks for them.
    parents: Vec<Box<[u32]>>,
    has_parents: bool,
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    slots: Vec<u64>,
    n_used: usize,
}

/// What became of a state that was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is there now.
    New(StateId),
    /// It was there.
    Known(StateId),
}

/// A hash of a state, computed once and used twice.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u64);

impl Space {
    /// No state yet; each will have `width` words.
    pub fn new(width: usize) -> Self {
        let shards = (0..1 << SHARD_BITS).map(|_| Shard { slots: vec![EMPTY; FIRST_SLOTS], n_used: 0 });
        Self {
            width,
            n_states: 0,
            words: Vec::new(),
            parents: Vec::new(),
            has_parents: true,
            shards: shards.collect(),
        }
    }

    /// Like [`Space::new`], but where states were reached from is not kept.
    pub fn without_parents(width: usize) -> Self {
        Self { has_parents: false, ..Self::new(width) }
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        self.words.len() * CHUNK * self.width * size_of::<Word>()
            + self.parents.len() * CHUNK * size_of::<u32>()
            + slots * size_of::<u64>()
    }

    /// The words of a state.
    pub fn state(&self, id: StateId) -> &[Word] {
        let chunk = &self.words[id.index() >> CHUNK_BITS];
        &chunk[(id.index() & (CHUNK - 1)) * self.width..][..self.width]
    }

    /// The state before `id` on the way that led there.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.parents[id.index() >> CHUNK_BITS][id.index() & (CHUNK - 1)];
        (parent != u32::MAX).then_some(StateId(parent))
    }

    /// The states from the first one to `id`.
    pub fn path(&self, id: StateId) -> Vec<StateId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// The hash of a state.
    #[inline]
    pub fn hash(state: &[Word]) -> Hash {
        let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
        for &word in state {
            let product = u128::from(word ^ hash) * u128::from(0xa076_1d64_78bd_642f_u64);
            hash = (product as u64) ^ ((product >> 64) as u64);
        }
        Hash(hash)
    }

    /// Reads the slot where the search for a state will begin. Asking for
    /// several states before inserting the first lets the memory answer them
    /// together.
    pub fn touch(&self, hash: Hash) -> u64 {
        let shard = &self.shards[hash.shard()];
        shard.slots[hash.slot(shard.slots.len())]
    }

    /// Reads a word of a state, for the same reason.
    pub fn touch_state(&self, id: StateId) -> u64 {
        self.words[id.index() >> CHUNK_BITS][(id.index() & (CHUNK - 1)) * self.width]
    }

    /// Says that the best way to a state is another one now.
    pub fn set_parent(&mut self, id: StateId, parent: Option<StateId>) {
        if !self.has_parents {
            return;
        }
        self.parents[id.index() >> CHUNK_BITS][id.index() & (CHUNK - 1)] =
            parent.map_or(u32::MAX, |parent| parent.0);
    }

    /// Is a state known?
    pub fn contains(&self, state: &[Word]) -> bool {
        self.find(state).is_some()
    }

    /// A state that is known.
    pub fn find(&self, state: &[Word]) -> Option<StateId> {
        self.find_hashed(Self::hash(state), state)
    }

    /// A state that is known, by its hash.
    pub fn find_hashed(&self, hash: Hash, state: &[Word]) -> Option<StateId> {
        self.look_up(hash, state).ok()
    }

    /// Adds a state unless it is known; only a new one gets the parent.
    pub fn insert(&mut self, hash: Hash, state: &[Word], parent: Option<StateId>) -> Arrival {
        match self.look_up(hash, state) {
            Ok(id) => Arrival::Known(id),
            Err(slot) => {
                let id = self.append(state, parent);
                self.shards[hash.shard()].fill(slot, hash.tag(), id);
                Arrival::New(id)
            }
        }
    }

    /// The id of a state, or the slot of its shard where it belongs.
    #[inline]
    fn look_up(&self, hash: Hash, state: &[Word]) -> Result<StateId, usize> {
        let shard = &self.shards[hash.shard()];
        let mut slot = hash.slot(shard.slots.len());
        loop {
            let entry = shard.slots[slot];
            if entry == EMPTY {
                return Err(slot);
            }
            let id = StateId(entry as u32);
            if (entry >> 32) as u32 == hash.tag() && equal(self.state(id), state) {
                return Ok(id);
            }
            slot += 1;
            if slot == shard.slots.len() {
                slot = 0;
            }
        }
    }

    fn append(&mut self, state: &[Word], parent: Option<StateId>) -> StateId {
        let id = StateId::new(self.n_states);
        assert!(id.0 != u32::MAX, "a space holds fewer than 2^32 - 1 states");
        let (chunk, offset) = (id.index() >> CHUNK_BITS, id.index() & (CHUNK - 1));
        if chunk == self.words.len() {
            self.words.push(vec![0; CHUNK * self.width].into_boxed_slice());
            if self.has_parents {
                self.parents.push(vec![0; CHUNK].into_boxed_slice());
            }
        }
        self.words[chunk][offset * self.width..][..self.width].copy_from_slice(state);
        self.set_parent(id, parent);
        self.n_states += 1;
        id
    }
}

/// States have few words: comparing them here is cheaper than a call.
fn equal(one: &[Word], other: &[Word]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

impl Hash {
    /// All of its bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn shard(self) -> usize {
        (self.0 & ((1 << SHARD_BITS) - 1)) as usize
    }

    #[inline]
    pub(super) fn tag(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub(super) fn slot(self, n_slots: usize) -> usize {
        slot_of(self.tag(), n_slots)
    }
}

/// Spreads tags over any number of slots, not just powers of two.
#[inline]
pub(super) fn slot_of(tag: u32, n_slots: usize) -> usize {
    ((u64::from(tag) * n_slots as u64) >> 32) as usize
}

impl Shard {
    fn fill(&mut self, slot: usize, tag: u32, id: StateId) {
        self.slots[slot] = u64::from(tag) << 32 | u64::from(id.0);
        self.n_used += 1;
        if self.n_used * 5 > self.slots.len() * 4 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() + self.slots.len() / 2;
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; n_slots]);
        for entry in old.into_iter().filter(|&entry| entry != EMPTY) {
            let mut slot = slot_of((entry >> 32) as u32, n_slots);
            while self.slots[slot] != EMPTY {
                slot = if slot + 1 == n_slots { 0 } else { slot + 1 };
            }
            self.slots[slot] = entry;
        }
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
