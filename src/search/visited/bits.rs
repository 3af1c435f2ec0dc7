//! Visited states as bits.

use super::Omissions;
use crate::search::space::{Hash, Space};

/// Bits per state.
const N_BITS: u32 = 3;

/// States as bits of one array of fixed size, as in SPIN's supertrace.
#[derive(Debug)]
pub(in crate::search) struct Bits {
    words: Vec<u64>,
    n_states: usize,
    n_set: u64,
    /// Sum, over all new states, of the odds that a new state is mistaken for a
    /// visited one.
    omissions: f64,
}

impl Bits {
    pub(super) fn new(bytes: u64) -> Self {
        let n_words = (bytes / 8).max(1) as usize;
        Self { words: vec![0; n_words], n_states: 0, n_set: 0, omissions: 0.0 }
    }

    /// Returns the positions of the bits of a state: word and bit.
    fn places(&self, hash: Hash) -> [(usize, u64); N_BITS as usize] {
        let n_bits = self.words.len() as u64 * 64;
        let mut bits = hash.bits();
        std::array::from_fn(|_| {
            bits = Space::hash(&[bits]).bits();
            let place = ((u128::from(bits) * u128::from(n_bits)) >> 64) as u64;
            ((place / 64) as usize, 1 << (place % 64))
        })
    }

    pub(super) fn insert(&mut self, hash: Hash) -> bool {
        let mut is_new = false;
        let filled = self.n_set as f64 / (self.words.len() as f64 * 64.0);
        for (word, bit) in self.places(hash) {
            if self.words[word] & bit == 0 {
                self.words[word] |= bit;
                self.n_set += 1;
                is_new = true;
            }
        }
        if is_new {
            let odds = filled.powi(N_BITS as i32);
            self.omissions += odds / (1.0 - odds);
            self.n_states += 1;
        }
        is_new
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    pub(super) fn omissions(&self) -> Omissions {
        let n_bits = self.words.len() as f64 * 64.0;
        Omissions {
            expected_omissions: self.omissions,
            hash_factor: Some(n_bits / (self.n_states.max(1)) as f64),
        }
    }
}
