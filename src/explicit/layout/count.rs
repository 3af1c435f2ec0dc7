//! Number of processes or channels.

use super::{Field, Packer};
use crate::system::Word;

/// A number, stored as its difference from the maximum: a number that never
/// changes needs no bits.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    most: i32,
    missing: Field,
}

impl Count {
    /// Allocates room for any number up to `most`, or for `most` only.
    pub(super) fn new(most: usize, is_constant: bool, packer: &mut Packer) -> Self {
        let missing = packer.take_below(if is_constant { 1 } else { most + 1 });
        Self { most: most as i32, missing }
    }

    /// Returns the number.
    #[inline]
    pub fn get(self, state: &[Word]) -> i32 {
        self.most - self.missing.get(state)
    }

    #[inline]
    pub(in crate::explicit) fn set(self, state: &mut [Word], number: i32) {
        self.missing.set(state, self.most - number);
    }

    /// Returns the field that stores it.
    pub(in crate::explicit) fn field(self) -> Field {
        self.missing
    }
}
