//! A set of keys of a few words, nothing more: their own bytes and the room
//! between them.

use super::space::{Hash, SHARDS, Space, slot_of};
use crate::system::Word;
use std::collections::HashSet;

const EMPTY: Word = Word::MAX;
const FIRST_SLOTS: usize = 16;

/// Keys by open addressing, in shards that grow one at a time so that the
/// memory for a copy is only ever a fraction of the whole.
#[derive(Debug)]
pub(super) struct Keys<const WIDTH: usize> {
    shards: Vec<Shard<WIDTH>>,
    n_keys: usize,
    /// Keys that look like an empty slot.
    odd: HashSet<[Word; WIDTH]>,
}

#[derive(Debug)]
struct Shard<const WIDTH: usize> {
    slots: Vec<[Word; WIDTH]>,
    n_used: usize,
}

impl<const WIDTH: usize> Keys<WIDTH> {
    pub fn new() -> Self {
        let shards = (0..SHARDS).map(|_| Shard { slots: vec![[EMPTY; WIDTH]; FIRST_SLOTS], n_used: 0 });
        Self { shards: shards.collect(), n_keys: 0, odd: HashSet::new() }
    }

    pub fn len(&self) -> usize {
        self.n_keys
    }

    pub fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        (slots + self.odd.capacity()) * size_of::<[Word; WIDTH]>()
    }

    /// Is there a key? The hash is that of [`Space::hash`].
    #[inline]
    pub fn contains(&self, hash: Hash, key: &[Word; WIDTH]) -> bool {
        match key[0] {
            EMPTY => self.odd.contains(key),
            _ => self.shards[hash.shard()].look_up(hash, key).is_ok(),
        }
    }

    /// Adds a key; was it new?
    #[inline]
    pub fn insert(&mut self, hash: Hash, key: &[Word; WIDTH]) -> bool {
        let is_new = match key[0] {
            EMPTY => self.odd.insert(*key),
            _ => self.shards[hash.shard()].insert(hash, key),
        };
        self.n_keys += usize::from(is_new);
        is_new
    }

    /// Reads the slot where the search for a key will begin.
    #[inline]
    pub fn touch(&self, hash: Hash) -> u64 {
        let slots = &self.shards[hash.shard()].slots;
        slots[hash.slot(slots.len())][0]
    }
}

impl<const WIDTH: usize> Shard<WIDTH> {
    /// Where the key is, or where it belongs.
    #[inline]
    fn look_up(&self, hash: Hash, key: &[Word; WIDTH]) -> Result<usize, usize> {
        let mut slot = slot_of(hash.tag(), self.slots.len());
        loop {
            let found = &self.slots[slot];
            if found[0] == EMPTY {
                return Err(slot);
            }
            if found == key {
                return Ok(slot);
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }

    fn insert(&mut self, hash: Hash, key: &[Word; WIDTH]) -> bool {
        let Err(slot) = self.look_up(hash, key) else { return false };
        self.slots[slot] = *key;
        self.n_used += 1;
        if self.n_used * 6 > self.slots.len() * 5 {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() + self.slots.len() / 4;
        let old = std::mem::replace(&mut self.slots, vec![[EMPTY; WIDTH]; n_slots]);
        for key in old.into_iter().filter(|key| key[0] != EMPTY) {
            if let Err(slot) = self.look_up(Space::hash(&key), &key) {
                self.slots[slot] = key;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_kept_once() {
        let mut keys = Keys::<2>::new();
        let mut reference = HashSet::new();
        let mut random = 1_u64;
        for round in 0..300_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let first = if round % 1000 == 0 { EMPTY } else { round / 8 };
            let key = [first, random >> 60];
            assert_eq!(keys.insert(Space::hash(&key), &key), reference.insert(key));
        }
        assert_eq!(keys.len(), reference.len());
        assert!(reference.iter().all(|key| keys.contains(Space::hash(key), key)));
        let stranger = [1 << 60, 0];
        assert!(!keys.contains(Space::hash(&stranger), &stranger));
    }
}
