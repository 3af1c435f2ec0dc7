//! A set of keys of a few words, stored without ids.

use super::space::{Hash, Space};
use super::table::{Table, TableEntry};
use crate::system::Word;
use std::collections::HashSet;

const EMPTY: Word = Word::MAX;

/// Keys in a table with open addressing.
#[derive(Debug)]
pub(super) struct Keys<const WIDTH: usize> {
    table: Table<[Word; WIDTH]>,
    /// Keys that look like an empty slot.
    odd: HashSet<[Word; WIDTH]>,
}

impl<const WIDTH: usize> TableEntry for [Word; WIDTH] {
    const EMPTY: Self = [EMPTY; WIDTH];

    #[inline]
    fn is_empty(&self) -> bool {
        self[0] == EMPTY
    }

    #[inline]
    fn tag(&self) -> u32 {
        Space::hash(self).tag()
    }
}

impl<const WIDTH: usize> Keys<WIDTH> {
    pub fn new() -> Self {
        Self { table: Table::new(4, 5), odd: HashSet::new() }
    }

    pub fn len(&self) -> usize {
        self.table.len() + self.odd.len()
    }

    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.odd.capacity() * size_of::<[Word; WIDTH]>()
    }

    /// Adds a key and returns whether it was new. The hash is that of
    /// [`Space::hash`].
    #[inline]
    pub fn insert(&mut self, hash: Hash, key: &[Word; WIDTH]) -> bool {
        if TableEntry::is_empty(key) {
            return self.odd.insert(*key);
        }
        match self.table.find(hash.tag(), |it| it == key) {
            Ok(_) => false,
            Err(slot) => {
                self.table.fill(slot, *key);
                true
            }
        }
    }

    /// Prefetches the slot of a key with this hash.
    #[inline]
    pub fn prefetch(&self, hash: Hash) {
        self.table.prefetch(hash.tag());
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
        assert!(reference.iter().all(|key| !keys.insert(Space::hash(key), key)));
    }
}
