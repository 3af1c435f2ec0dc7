//! Entries in the order of one or several small keys: a row of buckets for the
//! first key, in each of them a row for the second, and so on.
//!
//! Adding an entry takes constant time. Taking one looks for the first bucket
//! in use in rows of bits, so keys may be sparse, but memory grows with the
//! largest key: keys are path lengths and estimates and stay small.

use crate::search::StateId;
use std::collections::VecDeque;

/// A state and the length of the path it came by.
pub type Entry = (StateId, u32);

/// An emptied bucket that had room for more gives its memory back.
const KEPT_ROOM: usize = 256;

/// Entries by keys; among equals the order of arrival, or its reverse.
#[derive(Debug)]
pub enum Shelf {
    /// No key is left.
    Pile {
        /// The entries, oldest first.
        entries: VecDeque<Entry>,
        /// Is the newest taken first?
        newest_first: bool,
    },
    /// A shelf for every value of the next key.
    Row(Row),
}

/// Shelves by one key.
#[derive(Debug)]
pub struct Row {
    shelves: Vec<Shelf>,
    /// One bit per shelf: does it hold an entry?
    filled: Vec<u64>,
    /// No word of `filled` below this one has a bit.
    lowest: usize,
    n_entries: usize,
    /// Memory of the shelves, without that of the row itself.
    bytes_within: usize,
    /// Keys that are left for each of the shelves.
    n_keys_left: usize,
    newest_first: bool,
}

impl Shelf {
    /// An empty shelf for entries with `n_keys` keys.
    pub fn new(n_keys: usize, newest_first: bool) -> Self {
        match n_keys.checked_sub(1) {
            None => Self::Pile { entries: VecDeque::new(), newest_first },
            Some(n_keys_left) => Self::Row(Row {
                shelves: Vec::new(),
                filled: Vec::new(),
                lowest: 0,
                n_entries: 0,
                bytes_within: 0,
                n_keys_left,
                newest_first,
            }),
        }
    }

    /// Adds an entry with as many keys as the shelf was made for.
    pub fn push(&mut self, keys: &[u32], entry: Entry) {
        match (self, keys) {
            (Self::Row(row), [key, rest @ ..]) => row.push(*key as usize, rest, entry),
            (Self::Pile { entries, .. }, _) => entries.push_back(entry),
            (Self::Row(_), []) => unreachable!("a row has a key"),
        }
    }

    /// Takes an entry with the smallest keys.
    pub fn pop(&mut self) -> Option<Entry> {
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

    /// What [`pop`](Self::pop) would take.
    pub fn peek(&self) -> Option<Entry> {
        match self {
            Self::Row(row) => row.peek(),
            Self::Pile { entries, newest_first: true } => entries.back().copied(),
            Self::Pile { entries, newest_first: false } => entries.front().copied(),
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Row(row) => row.n_entries,
            Self::Pile { entries, .. } => entries.len(),
        }
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Pile { entries, .. } => entries.capacity() * size_of::<Entry>(),
            Self::Row(row) => {
                row.shelves.capacity() * size_of::<Shelf>() + row.filled.capacity() * 8 + row.bytes_within
            }
        }
    }
}

impl Row {
    fn push(&mut self, key: usize, rest: &[u32], entry: Entry) {
        if key >= self.shelves.len() {
            let (n_keys, newest_first) = (self.n_keys_left, self.newest_first);
            self.shelves.resize_with(key + 1, || Shelf::new(n_keys, newest_first));
            self.filled.resize(key / 64 + 1, 0);
        }
        let shelf = &mut self.shelves[key];
        let before = shelf.bytes();
        shelf.push(rest, entry);
        self.bytes_within = self.bytes_within + shelf.bytes() - before;
        self.filled[key / 64] |= 1 << (key % 64);
        self.lowest = self.lowest.min(key / 64);
        self.n_entries += 1;
    }

    fn peek(&self) -> Option<Entry> {
        let word = (self.lowest..self.filled.len()).find(|&word| self.filled[word] != 0)?;
        self.shelves[word * 64 + self.filled[word].trailing_zeros() as usize].peek()
    }

    fn pop(&mut self) -> Option<Entry> {
        while *self.filled.get(self.lowest)? == 0 {
            self.lowest += 1;
        }
        let bit = self.filled[self.lowest].trailing_zeros() as usize;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin: a list that is searched for its smallest entry.
    fn smallest(entries: &[(Vec<u32>, Entry)], newest_first: bool) -> Option<usize> {
        let position = |(index, (keys, _)): (usize, &(Vec<u32>, Entry))| {
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
        for n_keys in 0..4 {
            for newest_first in [false, true] {
                let mut shelf = Shelf::new(n_keys, newest_first);
                let mut naive: Vec<(Vec<u32>, Entry)> = Vec::new();
                for number in 0..4_000 {
                    if next(5) < 3 {
                        let keys: Vec<u32> = (0..n_keys).map(|_| next(9) as u32 * 40).collect();
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
        let mut shelf = Shelf::new(1, false);
        (0..10_000).for_each(|number| shelf.push(&[3], (StateId(number), 0)));
        let full = shelf.bytes();
        while shelf.pop().is_some() {}
        assert!(shelf.is_empty() && shelf.bytes() < full / 100);
    }
}
