//! Visited sets of depth-first search, which only needs to know whether it has
//! visited a state. There are four stores.
//!
//! | store | per state | a state may be missed |
//! |---|---|---|
//! | exact | its words, and a slot of a table if they are more than three | never |
//! | compressed | at most two words, and the parts that states share | never |
//! | compact | eight bytes: a fingerprint | if two states have the same fingerprint |
//! | bitstate | three bits | if other states have set all three |

mod bits;
mod tree;

use super::keys::Keys;
use super::space::{Arrival, Hash, Space, StateId};
use crate::system::Word;
use bits::Bits;
use tree::Tree;

/// How visited states are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// As whole states.
    #[default]
    Exact,
    /// As numbers of their parts.
    Compressed,
    /// As 64-bit fingerprints.
    Compact,
    /// As three bits each, in a bit array of `bytes`.
    Bitstate {
        /// Size of the bit array in bytes.
        bytes: u64,
    },
}

impl Store {
    /// Returns whether a state can be mistaken for another one.
    pub fn is_lossy(self) -> bool {
        matches!(self, Self::Compact | Self::Bitstate { .. })
    }
}

/// Estimate of how much a search has missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omissions {
    /// Expected number of states that were mistaken for others. States that are
    /// reachable only through them were missed as well.
    pub expected_omissions: f64,
    /// Bits per state, for a bit array.
    pub hash_factor: Option<f64>,
}

impl Omissions {
    /// Returns the fraction of generated states that were visited.
    pub fn coverage(&self, n_states: u64) -> f64 {
        n_states as f64 / (n_states as f64 + self.expected_omissions)
    }
}

/// The visited states.
#[derive(Debug)]
pub(super) enum Visited {
    /// States of few words are stored in the table itself: one memory access
    /// instead of two.
    One(Keys<1>),
    Two(Keys<2>),
    Three(Keys<3>),
    Exact(Space),
    Compressed(Tree),
    Compact(Keys<1>),
    Bitstate(Bits),
}

impl Visited {
    /// Creates an empty set; states have ids if `numbered`.
    pub fn new(store: Store, width: usize, numbered: bool) -> Self {
        match store {
            Store::Exact if width == 1 && !numbered => Self::One(Keys::new()),
            Store::Exact if width == 2 && !numbered => Self::Two(Keys::new()),
            Store::Exact if width == 3 && !numbered => Self::Three(Keys::new()),
            Store::Exact => Self::Exact(Space::without_parents(width)),
            Store::Compressed if width <= 2 => Self::new(Store::Exact, width, false),
            Store::Compressed => Self::Compressed(Tree::new(width)),
            Store::Compact => Self::Compact(Keys::new()),
            Store::Bitstate { bytes } => Self::Bitstate(Bits::new(bytes)),
        }
    }

    /// Adds a state and returns whether it was new, as far as the store can
    /// tell.
    #[inline]
    pub fn add(&mut self, hash: Hash, state: &[Word]) -> bool {
        match self {
            Self::One(keys) => keys.insert(hash, key(state)),
            Self::Two(keys) => keys.insert(hash, key(state)),
            Self::Three(keys) => keys.insert(hash, key(state)),
            Self::Exact(space) => matches!(space.insert(hash, state, None), Arrival::New(_)),
            Self::Compressed(tree) => tree.insert(state),
            Self::Compact(keys) => {
                let print = [hash.bits()];
                keys.insert(Space::hash(&print), &print)
            }
            Self::Bitstate(bits) => bits.insert(hash),
        }
    }

    /// Returns the number of a known state, in the order of arrival, if states
    /// are numbered.
    pub fn id(&self, hash: Hash, state: &[Word]) -> Option<StateId> {
        match self {
            Self::Exact(space) => space.find_hashed(hash, state),
            _ => None,
        }
    }

    /// Prefetches the slot of a state with this hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: Hash) {
        match self {
            Self::One(keys) => keys.prefetch(hash),
            Self::Two(keys) => keys.prefetch(hash),
            Self::Three(keys) => keys.prefetch(hash),
            Self::Exact(space) => space.prefetch(hash),
            Self::Compact(keys) => keys.prefetch(Space::hash(&[hash.bits()])),
            Self::Compressed(_) | Self::Bitstate(_) => {}
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::One(keys) | Self::Compact(keys) => keys.bytes(),
            Self::Two(keys) => keys.bytes(),
            Self::Three(keys) => keys.bytes(),
            Self::Exact(space) => space.bytes(),
            Self::Compressed(tree) => tree.bytes(),
            Self::Bitstate(bits) => bits.bytes(),
        }
    }

    pub fn omissions(&self) -> Option<Omissions> {
        match self {
            Self::Compact(keys) => {
                let n = keys.len() as f64;
                Some(Omissions { expected_omissions: n * n / 2_f64.powi(65), hash_factor: None })
            }
            Self::Bitstate(bits) => Some(bits.omissions()),
            _ => None,
        }
    }
}

fn key<const WIDTH: usize>(state: &[Word]) -> &[Word; WIDTH] {
    state.try_into().expect("all states have the same words")
}
