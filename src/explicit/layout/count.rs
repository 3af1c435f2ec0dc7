//! How many processes or channels there are.

use super::{Field, Packer};
use crate::system::Word;

/// A number kept as how many are missing to the most there can be: no bits
/// are needed where it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    most: i32,
    missing: Field,
}

impl Count {
    /// Room for any number up to `most`, or for `most` only.
    pub(super) fn new(most: usize, is_constant: bool, packer: &mut Packer) -> Self {
        let missing = packer.take_below(if is_constant { 1 } else { most + 1 });
        Self { most: most as i32, missing }
    }

    /// How many there are.
    #[inline]
    pub fn get(self, state: &[Word]) -> i32 {
        self.most - self.missing.get(state)
    }

    #[inline]
    pub(in crate::explicit) fn set(self, state: &mut [Word], number: i32) {
        self.missing.set(state, self.most - number);
    }

    /// Where that is kept.
    pub(in crate::explicit) fn field(self) -> Field {
        self.missing
    }
}
