//! A hash table with open addressing that grows in place.
//!
//! The home slot of an entry is proportional to its tag, so entries are nearly
//! in the order of their tags: each is in its home slot or, if that was taken,
//! in the next free one. In a larger table every home slot has a higher index.
//! So the table grows by appending slots and moving entries up, the last ones
//! first; it is never copied. Slots after the last home slot are added when
//! they are needed: probing does not wrap around.

use super::memory::{self, Rows};

/// Contents of a slot.
pub(super) trait TableEntry: Copy {
    /// An empty slot.
    const EMPTY: Self;

    fn is_empty(&self) -> bool;

    /// Returns a tag; tags should be evenly distributed over all values.
    fn tag(&self) -> u32;
}

/// Entries by tag.
#[derive(Debug)]
pub(super) struct Table<E> {
    /// At least `n_homes` slots, more if entries overflow at the end.
    slots: Rows<E>,
    n_homes: usize,
    n_entries: usize,
    /// Maximum load: `.0` entries per `.1` slots.
    fill: (usize, usize),
}

const FIRST_HOMES: usize = 256;

impl<E: TableEntry> Table<E> {
    /// Creates an empty table with a maximum load of `most` entries per `of`
    /// slots.
    pub fn new(most: usize, of: usize) -> Self {
        let mut slots = Rows::new(1);
        slots.extend_to(FIRST_HOMES, E::EMPTY);
        Self { slots, n_homes: FIRST_HOMES, n_entries: 0, fill: (most, of) }
    }

    pub fn len(&self) -> usize {
        self.n_entries
    }

    /// Returns the memory in use.
    pub fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// Prefetches the home slot of an entry with this tag.
    #[inline]
    pub fn prefetch(&self, tag: u32) {
        if let Some(entry) = self.slots.rest(self.home_slot(tag)).first() {
            memory::prefetch(entry);
        }
    }

    /// Returns an entry with this tag that `is_wanted`, or the slot where it
    /// belongs.
    #[inline]
    pub fn find(&self, tag: u32, is_wanted: impl Fn(&E) -> bool) -> Result<E, usize> {
        let mut slot = self.home_slot(tag);
        loop {
            let rest = self.slots.rest(slot);
            for (at, entry) in rest.iter().enumerate() {
                if entry.is_empty() {
                    return Err(slot + at);
                }
                if is_wanted(entry) {
                    return Ok(*entry);
                }
            }
            if rest.is_empty() {
                return Err(slot);
            }
            slot += rest.len();
        }
    }

    /// Stores an entry in a slot that was found for it.
    #[inline]
    pub fn fill(&mut self, slot: usize, entry: E) {
        match self.slots.rest_mut(slot).first_mut() {
            Some(free) => *free = entry,
            None => self.slots.push(&[entry]),
        }
        self.n_entries += 1;
        if self.n_entries * self.fill.1 > self.n_homes * self.fill.0 {
            self.grow();
        }
    }

    /// Stores a new entry in the first free slot from its home slot on.
    #[inline]
    fn settle(&mut self, entry: E) {
        let mut slot = self.home_slot(entry.tag());
        loop {
            let rest = self.slots.rest_mut(slot);
            if let Some(free) = rest.iter_mut().find(|it| it.is_empty()) {
                *free = entry;
                return;
            }
            if rest.is_empty() {
                return self.slots.push(&[entry]);
            }
            slot += rest.len();
        }
    }

    /// Returns the home slot of a tag; the number of home slots need not be a
    /// power of two.
    #[inline]
    fn home_slot(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.n_homes as u64) >> 32) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let mut end = self.slots.len();
        self.n_homes += self.n_homes / 3;
        self.slots.extend_to(self.n_homes, E::EMPTY);
        // Entries without a gap between them are moved together: none of them
        // has its home slot before the first. Their new slots are free by the
        // time they are stored again.
        let mut together: Vec<E> = Vec::new();
        while end > 0 {
            let (first, slots) = self.slots.before(end);
            let gap = slots.iter().rposition(E::is_empty);
            let taken = &mut slots[gap.map_or(0, |gap| gap + 1)..];
            together.extend(taken.iter().rev());
            taken.fill(E::EMPTY);
            end = first + gap.unwrap_or(0);
            if gap.is_some() || end == 0 {
                while let Some(entry) = together.pop() {
                    self.settle(entry);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    impl TableEntry for (u32, u32) {
        const EMPTY: Self = (0, 0);

        fn is_empty(&self) -> bool {
            self.1 == 0
        }

        fn tag(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn entries_are_found_after_every_growth() {
        // Tags at both ends of the range make entries overflow after the last
        // home slot.
        for tag_of in [|it: u64| (it >> 32) as u32, |it| u32::MAX - (it >> 50) as u32, |it| (it >> 54) as u32]
        {
            let mut table = Table::new(4, 5);
            let mut reference = HashMap::new();
            let mut random = 3_u64;
            for number in 1..20_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let tag = tag_of(random);
                let slot = table.find(tag, |it: &(u32, u32)| it.1 == number).expect_err("it is new");
                table.fill(slot, (tag, number));
                reference.insert(number, tag);
                if number % 4999 == 0 {
                    let is_there = |(&number, &tag): (&u32, &u32)| {
                        table.find(tag, |it| it.1 == number).is_ok_and(|it| it == (tag, number))
                    };
                    assert!(reference.iter().all(is_there));
                }
            }
            assert_eq!(table.len(), reference.len());
        }
    }
}
