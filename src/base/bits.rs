//! Bit matrices: relations between small dense ids.

/// A relation, stored as one row of bits per left element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitMatrix {
    n_columns: usize,
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    /// Creates the empty relation.
    pub fn new(n_rows: usize, n_columns: usize) -> Self {
        let words_per_row = n_columns.div_ceil(64);
        Self { n_columns, words_per_row, words: vec![0; n_rows * words_per_row] }
    }

    /// Returns the number of words per row.
    pub fn words_per_row(&self) -> usize {
        self.words_per_row
    }

    /// Returns the words of a row.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.words_per_row..][..self.words_per_row]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.words_per_row..][..self.words_per_row]
    }

    /// Returns whether the pair is in the relation.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        debug_assert!(column < self.n_columns);
        self.words[row * self.words_per_row + column / 64] >> (column % 64) & 1 == 1
    }

    /// Adds a pair and returns whether it was new.
    pub fn insert(&mut self, row: usize, column: usize) -> bool {
        debug_assert!(column < self.n_columns);
        let word = &mut self.words[row * self.words_per_row + column / 64];
        let bit = 1 << (column % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Removes a pair and returns whether it was in the relation.
    pub fn remove(&mut self, row: usize, column: usize) -> bool {
        let was = self.contains(row, column);
        self.words[row * self.words_per_row + column / 64] &= !(1 << (column % 64));
        was
    }

    /// Removes every pair of a row that is also in `words`, and calls `removed`
    /// with the column of each.
    pub fn remove_common(&mut self, row: usize, words: &[u64], mut removed: impl FnMut(usize)) {
        for (index, (mine, other)) in self.row_mut(row).iter_mut().zip(words).enumerate() {
            let mut common = *mine & other;
            *mine &= !other;
            while common != 0 {
                removed(index * 64 + common.trailing_zeros() as usize);
                common &= common - 1;
            }
        }
    }

    /// Adds a whole row of words and returns whether anything changed.
    pub fn union_row(&mut self, row: usize, words: &[u64]) -> bool {
        let mut changed = false;
        for (mine, other) in self.row_mut(row).iter_mut().zip(words) {
            changed |= other & !*mine != 0;
            *mine |= other;
        }
        changed
    }

    /// Iterates over the columns of a row in ascending order.
    pub fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        ones(self.row(row))
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Iterates over the positions of the set bits in ascending order.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_and_go() {
        let mut relation = BitMatrix::new(3, 130);
        assert!(relation.insert(1, 0));
        assert!(relation.insert(1, 64));
        assert!(relation.insert(1, 129));
        assert!(!relation.insert(1, 129));
        assert_eq!(relation.ones(1).collect::<Vec<_>>(), [0, 64, 129]);
        assert_eq!(relation.ones(0).count(), 0);
        let row = relation.row(1).to_vec();
        assert!(relation.union_row(2, &row));
        assert!(!relation.union_row(2, &row));
        assert!(relation.remove(2, 64) && !relation.contains(2, 64));
        assert_eq!(relation.count(), 5);
    }
}
