//! How many bits the values of variables and messages have.
//!
//! Nearly all variables hold small numbers. Each begins with few bits; when a
//! value does not fit the search begins again with more for that variable. This
//! happens early as a rule. Where much work was lost the variable gets one more,
//! and where it was lost more than a few times all variables get twice the bits,
//! so that the loss stays within bounds.

use super::bits_of;
use crate::lang::promela::tree::{ProctypeId, Type};
use std::collections::HashMap;

/// Who has values: all elements of an array and all fields of a record of one
/// variable are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A global variable, by its number.
    Global(usize),
    /// A local variable of a proctype, by its number.
    Local(ProctypeId, usize),
    /// A field of the messages of a kind of channel.
    Message(usize, usize),
}

/// Bits per holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Where more than `least` are needed.
    known: HashMap<Holder, u8>,
    /// All have so many, if their type has.
    least: u8,
    /// How often much work was lost.
    n_losses: u32,
}

/// So many states searched in vain are much work.
const LOSS: u64 = 50_000;

/// How often much work may be lost for one variable.
const MOST_LOSSES: u32 = 3;

/// Larger values are waited for.
const MOST_EXPECTED: i32 = 15;

impl Default for Widths {
    fn default() -> Self {
        Self { known: HashMap::new(), least: 2, n_losses: 0 }
    }
}

impl Widths {
    /// Every variable has the bits of its type.
    #[cfg(test)]
    pub fn whole() -> Self {
        Self { least: 32, ..Self::default() }
    }

    pub(super) fn of(&self, holder: Holder, ty: Type) -> u8 {
        let bits = self.known.get(&holder).map_or(self.least, |bits| *bits.max(&self.least));
        bits.min(bits_of(ty).0)
    }

    /// Gives a holder room for a value it will probably have.
    pub(super) fn expect(&mut self, holder: Holder, value: i32) {
        if (0..=MOST_EXPECTED).contains(&value) {
            let bits = (i32::BITS - value.leading_zeros()) as u8;
            let known = self.known.entry(holder).or_default();
            *known = bits.max(*known);
        }
    }

    /// Gives `bits` to a holder whose last value did not fit, after so many
    /// states.
    pub(super) fn widen(&mut self, holder: Holder, bits: u8, n_states: u64) {
        let known = self.known.entry(holder).or_default();
        *known = bits.max(*known);
        if n_states >= LOSS {
            *known = (*known + 1).min(32);
            self.n_losses += 1;
            if self.n_losses > MOST_LOSSES {
                self.least = (self.least * 2).min(32);
            }
        }
    }
}
