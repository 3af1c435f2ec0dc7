//! Number of processes or channels.

use super::{Field, Packer};
use crate::system::Word;

/// A number, stored as its difference from the maximum: a number that never
/// changes needs no bits.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    max: i32,
    missing: Field,
}

impl Count {
    /// Allocates room for any number up to `max`, or for `max` only.
    pub(super) fn new(max: usize, is_constant: bool, packer: &mut Packer) -> Self {
        let missing = packer.take_below(if is_constant { 1 } else { max + 1 });
        Self { max: max as i32, missing }
    }

    /// Returns the number.
    #[inline]
    pub fn get(self, state: &[Word]) -> i32 {
        self.max - self.missing.get(state)
    }

    #[inline]
    pub(in crate::explicit) fn set(self, state: &mut [Word], number: i32) {
        self.missing.set(state, self.max - number);
    }

    /// Returns the field that stores it.
    pub(in crate::explicit) fn field(self) -> Field {
        self.missing
    }
}
