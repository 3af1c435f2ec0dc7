//! Priority queues with one or several keys: an array of buckets for the first
//! key, in each of them an array for the second key, and so on.
//!
//! Keys are path lengths and estimates and are mostly small. Below `NEAR`,
//! adding an entry takes constant time, and taking one searches bit arrays for
//! the first non-empty bucket. Larger keys, from fine units and large weights,
//! are sparse: their buckets are kept in a tree.

use crate::search::StateId;
use std::collections::{BTreeMap, VecDeque};

/// A state and the length of the path to it.
pub type QueueEntry = (StateId, u32);

/// Bound of small keys: each key below it, up to the largest one seen, has a
/// bucket.
const NEAR: u64 = 1 << 13;

/// Maximum capacity that an emptied bucket keeps.
const KEPT_ROOM: usize = 256;

/// Entries by keys; ties are in the order of arrival or its reverse.
#[derive(Debug)]
pub enum Shelf {
    /// No key is left.
    Pile {
        /// Entries, oldest first.
        entries: VecDeque<QueueEntry>,
        /// Whether the newest entry is taken first.
        newest_first: bool,
    },
    /// A shelf for every value of the next key.
    Row(Row),
}

/// Shelves by one key.
#[derive(Debug)]
pub struct Row {
    shelves: Vec<Shelf>,
    /// One bit per shelf: whether it contains an entry.
    filled: Vec<u64>,
    /// No word of `filled` below this index has a bit set.
    lowest: usize,
    /// Boxed, because few rows have large keys and there can be many rows.
    far: Option<Box<Far>>,
    n_entries: usize,
    /// Memory of the shelves, not counting that of the row itself.
    bytes_within: usize,
    /// Number of keys left for each of the shelves.
    n_keys_left: u32,
    newest_first: bool,
}

/// Shelves of large keys; no shelf is empty.
#[derive(Debug, Default)]
struct Far {
    shelves: BTreeMap<u64, Shelf>,
}

impl Shelf {
    /// Creates an empty shelf for entries with `n_keys` keys.
    pub fn new(n_keys: u32, newest_first: bool) -> Self {
        match n_keys.checked_sub(1) {
            None => Self::Pile { entries: VecDeque::new(), newest_first },
            Some(n_keys_left) => Self::Row(Row {
                shelves: Vec::new(),
                filled: Vec::new(),
                lowest: 0,
                far: None,
                n_entries: 0,
                bytes_within: 0,
                n_keys_left,
                newest_first,
            }),
        }
    }

    /// Adds an entry with the number of keys for which the shelf was created.
    pub fn push(&mut self, keys: &[u64], entry: QueueEntry) {
        match (self, keys) {
            (Self::Row(row), [key, rest @ ..]) => row.push(*key, rest, entry),
            (Self::Pile { entries, .. }, _) => entries.push_back(entry),
            (Self::Row(_), []) => unreachable!("a row has a key"),
        }
    }

    /// Removes and returns an entry with the smallest keys.
    pub fn pop(&mut self) -> Option<QueueEntry> {
        match self {
            Self::Row(row) => row.pop(),
            Self::Pile { entries, newest_first } => {
                let entry = if *newest_first { entries.pop_back() } else { entries.pop_front() };
                if entries.is_empty() && entries.capacity() > KEPT_ROOM {
                    *entries = VecDeque::new();
                }
                entry
            }
        }
    }

    /// Returns the entry that [`pop`](Self::pop) would return.
    pub fn peek(&self) -> Option<QueueEntry> {
        match self {
            Self::Row(row) => row.peek(),
            Self::Pile { entries, newest_first: true } => entries.back().copied(),
            Self::Pile { entries, newest_first: false } => entries.front().copied(),
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Row(row) => row.n_entries,
            Self::Pile { entries, .. } => entries.len(),
        }
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the memory in use.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Pile { entries, .. } => entries.capacity() * size_of::<QueueEntry>(),
            Self::Row(row) => {
                row.shelves.capacity() * size_of::<Shelf>()
                    + row.filled.capacity() * 8
                    + row.far.as_ref().map_or(0, |far| far.shelves.len() * size_of::<(u64, Shelf)>())
                    + row.bytes_within
            }
        }
    }
}

impl Row {
    fn push(&mut self, key: u64, rest: &[u64], entry: QueueEntry) {
        let (n_keys, newest_first) = (self.n_keys_left, self.newest_first);
        let empty = || Shelf::new(n_keys, newest_first);
        let shelf = if key < NEAR {
            let key = key as usize;
            if key >= self.shelves.len() {
                self.shelves.resize_with(key + 1, empty);
                self.filled.resize(key / 64 + 1, 0);
            }
            self.filled[key / 64] |= 1 << (key % 64);
            self.lowest = self.lowest.min(key / 64);
            &mut self.shelves[key]
        } else {
            self.far.get_or_insert_default().shelves.entry(key).or_insert_with(empty)
        };
        let before = shelf.bytes();
        shelf.push(rest, entry);
        self.bytes_within = self.bytes_within + shelf.bytes() - before;
        self.n_entries += 1;
    }

    fn peek(&self) -> Option<QueueEntry> {
        match (self.lowest..self.filled.len()).find(|&word| self.filled[word] != 0) {
            Some(word) => self.shelves[word * 64 + self.filled[word].trailing_zeros() as usize].peek(),
            None => self.far.as_ref()?.shelves.first_key_value()?.1.peek(),
        }
    }

    fn pop(&mut self) -> Option<QueueEntry> {
        while self.filled.get(self.lowest) == Some(&0) {
            self.lowest += 1;
        }
        let Some(filled) = self.filled.get(self.lowest) else { return self.pop_far() };
        let bit = filled.trailing_zeros() as usize;
        let shelf = &mut self.shelves[self.lowest * 64 + bit];
        let before = shelf.bytes();
        let entry = shelf.pop();
        self.bytes_within = self.bytes_within + shelf.bytes() - before;
        if shelf.is_empty() {
            self.filled[self.lowest] &= !(1 << bit);
        }
        self.n_entries -= 1;
        entry
    }

    fn pop_far(&mut self) -> Option<QueueEntry> {
        let mut first = self.far.as_mut()?.shelves.first_entry()?;
        let shelf = first.get_mut();
        let before = shelf.bytes();
        let entry = shelf.pop();
        let after = if shelf.is_empty() {
            first.remove();
            0
        } else {
            shelf.bytes()
        };
        self.bytes_within = self.bytes_within + after - before;
        self.n_entries -= 1;
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A naive implementation to compare with: searches a list for its smallest
    /// entry.
    fn smallest(entries: &[(Vec<u64>, QueueEntry)], newest_first: bool) -> Option<usize> {
        let position = |(index, (keys, _)): (usize, &(Vec<u64>, QueueEntry))| {
            (keys.clone(), if newest_first { usize::MAX - index } else { index })
        };
        (0..entries.len()).min_by_key(|&index| position((index, &entries[index])))
    }

    #[test]
    fn entries_come_in_the_order_of_keys_then_of_arrival() {
        let mut random = 11_u64;
        let mut next = move |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        // Small keys, keys on both sides of the border, and very large ones.
        let spacings = [40, NEAR / 4, 1 << 45];
        for (n_keys, spacing) in (0..4).flat_map(|n_keys| spacings.map(|spacing| (n_keys, spacing))) {
            for newest_first in [false, true] {
                let mut shelf = Shelf::new(n_keys, newest_first);
                let mut naive: Vec<(Vec<u64>, QueueEntry)> = Vec::new();
                for number in 0..2_000 {
                    if next(5) < 3 {
                        let keys: Vec<u64> = (0..n_keys).map(|_| next(9) * spacing).collect();
                        let entry = (StateId(number), next(100) as u32);
                        shelf.push(&keys, entry);
                        naive.push((keys, entry));
                    } else {
                        let expected = smallest(&naive, newest_first).map(|index| naive.remove(index).1);
                        assert_eq!(shelf.peek(), expected);
                        assert_eq!(shelf.pop(), expected);
                    }
                    assert_eq!(shelf.len(), naive.len());
                }
            }
        }
    }

    #[test]
    fn an_emptied_bucket_gives_its_memory_back() {
        for key in [3, NEAR] {
            let mut shelf = Shelf::new(1, false);
            (0..10_000).for_each(|number| shelf.push(&[key], (StateId(number), 0)));
            let full = shelf.bytes();
            while shelf.pop().is_some() {}
            assert!(shelf.is_empty() && shelf.bytes() < full / 100);
        }
    }

    #[test]
    fn a_large_key_takes_no_more_memory_than_a_small_one() {
        let mut shelf = Shelf::new(2, false);
        shelf.push(&[1 << 40, 1 << 30], (StateId(0), 0));
        assert!(shelf.bytes() < 1_000);
        assert_eq!((shelf.pop(), shelf.bytes()), (Some((StateId(0), 0)), 0));
    }
}
