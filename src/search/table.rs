//! Open addressing that grows in place.
//!
//! An entry has its home where its tag says, in proportion: entries stand
//! nearly in the order of their tags, each at its home or, where others were
//! first, in the next slot that was free. In a larger table every home is
//! further up. So the table grows by appending slots and moving entries up,
//! those at the end first; there is never a copy of it. Slots behind the last
//! home are made when they are needed: nothing goes round.

use super::memory::{self, Rows};

/// What stands in a slot.
pub(super) trait Entry: Copy {
    /// No entry.
    const EMPTY: Self;

    fn is_empty(&self) -> bool;

    /// Spread evenly over all of its values.
    fn tag(&self) -> u32;
}

/// Entries by tag.
#[derive(Debug)]
pub(super) struct Table<E> {
    /// Of `n_homes`, and more where entries had to go on.
    slots: Rows<E>,
    n_homes: usize,
    n_entries: usize,
    /// Of so many slots so many are filled at most.
    fill: (usize, usize),
}

const FIRST_HOMES: usize = 256;

impl<E: Entry> Table<E> {
    /// An empty table that lets `of` slots be filled by `most` entries.
    pub fn new(most: usize, of: usize) -> Self {
        let mut slots = Rows::new(1);
        slots.extend_to(FIRST_HOMES, E::EMPTY);
        Self { slots, n_homes: FIRST_HOMES, n_entries: 0, fill: (most, of) }
    }

    pub fn len(&self) -> usize {
        self.n_entries
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// An entry with this tag will be looked for soon.
    #[inline]
    pub fn announce(&self, tag: u32) {
        if let Some(entry) = self.slots.rest(self.home(tag)).first() {
            memory::announce(entry);
        }
    }

    /// An entry with this tag that `is_wanted`, or the slot where it belongs.
    #[inline]
    pub fn find(&self, tag: u32, is_wanted: impl Fn(&E) -> bool) -> Result<E, usize> {
        let mut slot = self.home(tag);
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

    /// Fills a slot that was found for the entry.
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

    /// Puts an entry that is not there into the first free slot from its home
    /// on.
    #[inline]
    fn settle(&mut self, entry: E) {
        let mut slot = self.home(entry.tag());
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

    /// Spreads tags over any number of homes, not just powers of two.
    #[inline]
    fn home(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.n_homes as u64) >> 32) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let mut end = self.slots.len();
        self.n_homes += self.n_homes / 3;
        self.slots.extend_to(self.n_homes, E::EMPTY);
        // Entries without a gap between them belong together: none of them
        // has its home before the first. Where they are is clear of others by
        // the time they are put where they belong.
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

    impl Entry for (u32, u32) {
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
        // Tags at the ends make entries go on behind the last home.
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
