//! A set of 64-bit keys, nothing more: eight bytes each and the room between
//! them.

use super::space::{SHARDS, slot_of};

const EMPTY: u64 = u64::MAX;
const FIRST_SLOTS: usize = 16;

/// Keys by open addressing, in shards that grow one at a time so that the
/// memory for a copy is only ever a fraction of the whole.
#[derive(Debug)]
pub(super) struct Keys {
    shards: Vec<Shard>,
    n_keys: usize,
    /// The key that looks like an empty slot.
    has_last: bool,
}

#[derive(Debug)]
struct Shard {
    slots: Vec<u64>,
    n_used: usize,
}

impl Keys {
    pub fn new() -> Self {
        let shards = (0..SHARDS).map(|_| Shard { slots: vec![EMPTY; FIRST_SLOTS], n_used: 0 });
        Self { shards: shards.collect(), n_keys: 0, has_last: false }
    }

    pub fn len(&self) -> usize {
        self.n_keys
    }

    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.slots.capacity() * size_of::<u64>()).sum()
    }

    pub fn contains(&self, key: u64) -> bool {
        match key {
            EMPTY => self.has_last,
            _ => {
                let hash = spread(key);
                self.shards[shard_of(hash)].look_up(hash, key).is_ok()
            }
        }
    }

    /// Adds a key; was it new?
    pub fn insert(&mut self, key: u64) -> bool {
        let is_new = match key {
            EMPTY => !std::mem::replace(&mut self.has_last, true),
            _ => {
                let hash = spread(key);
                self.shards[shard_of(hash)].insert(hash, key)
            }
        };
        self.n_keys += usize::from(is_new);
        is_new
    }
}

/// Keys may be anything: neighbours must not be neighbours.
#[inline]
fn spread(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

fn shard_of(hash: u64) -> usize {
    hash as usize % SHARDS
}

impl Shard {
    /// Where the key is, or where it belongs.
    #[inline]
    fn look_up(&self, hash: u64, key: u64) -> Result<usize, usize> {
        let mut slot = slot_of((hash >> 32) as u32, self.slots.len());
        loop {
            match self.slots[slot] {
                EMPTY => return Err(slot),
                found if found == key => return Ok(slot),
                _ => {
                    slot += 1;
                    if slot == self.slots.len() {
                        slot = 0;
                    }
                }
            }
        }
    }

    fn insert(&mut self, hash: u64, key: u64) -> bool {
        let Err(slot) = self.look_up(hash, key) else { return false };
        self.slots[slot] = key;
        self.n_used += 1;
        if self.n_used * 6 > self.slots.len() * 5 {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() + self.slots.len() / 4 + 1;
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; n_slots]);
        for key in old.into_iter().filter(|&key| key != EMPTY) {
            if let Err(slot) = self.look_up(spread(key), key) {
                self.slots[slot] = key;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_kept_once() {
        let mut keys = Keys::new();
        let mut reference = HashSet::new();
        let mut random = 1_u64;
        for round in 0..300_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = if round % 2 == 0 { round / 8 } else { random >> 46 };
            assert_eq!(keys.insert(key), reference.insert(key));
        }
        assert!(keys.insert(u64::MAX) && !keys.insert(u64::MAX) && keys.contains(u64::MAX));
        assert_eq!(keys.len(), reference.len() + 1);
        assert!(reference.iter().all(|&key| keys.contains(key)));
        assert!(!keys.contains(1 << 60));
    }
}
