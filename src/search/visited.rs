//! What a depth-first search remembers of the states it has seen: whether it
//! has. There are four ways to do so.
//!
//! | store | per state | a state may be missed |
//! |---|---|---|
//! | exact | its words, and a slot of a table | never |
//! | compressed | eight bytes, and what its parts share | never |
//! | compact | eight bytes: a fingerprint | if two have the same fingerprint |
//! | bitstate | three bits | if all three were set by others |

use super::keys::Keys;
use super::space::{Arrival, Hash, Space, StateId};
use crate::system::Word;

/// How states are remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// As they are.
    #[default]
    Exact,
    /// As pairs of numbers for their parts.
    Compressed,
    /// As fingerprints of 64 bits.
    Compact,
    /// As three bits each, among so many bytes.
    Bitstate {
        /// Memory for the bits.
        bytes: u64,
    },
}

impl Store {
    /// Can a state be taken for another one?
    pub fn is_lossy(self) -> bool {
        matches!(self, Self::Compact | Self::Bitstate { .. })
    }
}

/// How much a search may have missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// States taken for others, as many as are to be expected. What can be
    /// reached through them alone was missed as well.
    pub expected_omissions: f64,
    /// Bits per state, where states are bits.
    pub hash_factor: Option<f64>,
}

impl Doubt {
    /// Of the states that were met, the part that was looked at.
    pub fn coverage(&self, n_states: u64) -> f64 {
        n_states as f64 / (n_states as f64 + self.expected_omissions)
    }
}

/// The states that were seen.
#[derive(Debug)]
pub(super) enum Visited {
    Exact(Space),
    Compressed(Tree),
    Compact(Keys),
    Bitstate(Bits),
}

impl Visited {
    pub fn new(store: Store, width: usize) -> Self {
        match store {
            Store::Exact => Self::Exact(Space::without_parents(width)),
            Store::Compressed => Self::Compressed(Tree::new(width)),
            Store::Compact => Self::Compact(Keys::new()),
            Store::Bitstate { bytes } => Self::Bitstate(Bits::new(bytes)),
        }
    }

    /// Adds a state; was it new, as far as can be told?
    pub fn add(&mut self, hash: Hash, state: &[Word]) -> bool {
        match self {
            Self::Exact(space) => matches!(space.insert(hash, state, None), Arrival::New(_)),
            Self::Compressed(tree) => tree.insert(state),
            Self::Compact(keys) => keys.insert(hash.bits()),
            Self::Bitstate(bits) => bits.insert(hash),
        }
    }

    /// The number of a known state, in the order of arrival. Only the exact
    /// store tells it.
    pub fn id(&self, hash: Hash, state: &[Word]) -> Option<StateId> {
        match self {
            Self::Exact(space) => space.find_hashed(hash, state),
            _ => None,
        }
    }

    /// Reads what will be looked at first, as [`Space::touch`] does.
    pub fn touch(&self, hash: Hash) -> u64 {
        match self {
            Self::Exact(space) => space.touch(hash),
            _ => 0,
        }
    }

    pub fn contains(&mut self, hash: Hash, state: &[Word]) -> bool {
        match self {
            Self::Exact(space) => space.find_hashed(hash, state).is_some(),
            Self::Compressed(tree) => tree.contains(state),
            Self::Compact(keys) => keys.contains(hash.bits()),
            Self::Bitstate(bits) => bits.contains(hash),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Exact(space) => space.n_states(),
            Self::Compressed(tree) => tree.roots.len(),
            Self::Compact(keys) => keys.len(),
            Self::Bitstate(bits) => bits.n_states,
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::Exact(space) => space.bytes(),
            Self::Compressed(tree) => tree.bytes(),
            Self::Compact(keys) => keys.bytes(),
            Self::Bitstate(bits) => bits.words.len() * size_of::<u64>(),
        }
    }

    pub fn doubt(&self) -> Option<Doubt> {
        match self {
            Self::Exact(_) | Self::Compressed(_) => None,
            Self::Compact(keys) => {
                let n = keys.len() as f64;
                Some(Doubt { expected_omissions: n * n / 2_f64.powi(65), hash_factor: None })
            }
            Self::Bitstate(bits) => Some(bits.doubt()),
        }
    }
}

/// States as trees: two parts that were seen before are one pair of numbers.
/// The parts of a state change rarely one by one, so there are far fewer of
/// them than states; what is kept per state is the topmost pair.
#[derive(Debug)]
pub(super) struct Tree {
    /// Per node that is not the root, in the order of a fold.
    parts: Vec<Numbers>,
    roots: Keys,
    level: Vec<u64>,
}

impl Tree {
    fn new(width: usize) -> Self {
        let n_parts = (width - 1) * 2;
        let parts = (0..n_parts).map(|_| Numbers::default()).collect();
        Self { parts, roots: Keys::new(), level: Vec::new() }
    }

    fn insert(&mut self, state: &[Word]) -> bool {
        let root = self.fold(state);
        self.roots.insert(root)
    }

    /// Asking for a state makes numbers for its parts: it is asked for because
    /// it is about to come.
    fn contains(&mut self, state: &[Word]) -> bool {
        let root = self.fold(state);
        self.roots.contains(root)
    }

    /// Halves the number of words until one is left.
    fn fold(&mut self, state: &[Word]) -> u64 {
        let mut parts = self.parts.iter_mut();
        let mut level = std::mem::take(&mut self.level);
        level.clear();
        level.extend_from_slice(state);
        while level.len() > 1 {
            let n_pairs = level.len() / 2;
            for pair in 0..n_pairs {
                let mut number = |word| parts.next().map_or(0, |part| u64::from(part.of(word)));
                level[pair] = number(level[2 * pair]) << 32 | number(level[2 * pair + 1]);
            }
            if level.len() % 2 == 1 {
                level[n_pairs] = level[level.len() - 1];
            }
            level.truncate(level.len().div_ceil(2));
        }
        let root = level[0];
        self.level = level;
        root
    }

    fn bytes(&self) -> usize {
        self.roots.bytes() + self.parts.iter().map(Numbers::bytes).sum::<usize>()
    }
}

/// Numbers for words, in the order of their arrival.
#[derive(Debug, Default)]
struct Numbers {
    /// Word and number; numbers begin at 1, so that 0 is an empty slot.
    slots: Vec<(u64, u32)>,
    n_used: u32,
}

impl Numbers {
    fn of(&mut self, word: u64) -> u32 {
        if (self.n_used as usize + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.look_up(word);
        if self.slots[slot].1 == 0 {
            self.n_used = self.n_used.checked_add(1).expect("fewer than 2^32 states have fewer parts");
            self.slots[slot] = (word, self.n_used);
        }
        self.slots[slot].1
    }

    fn look_up(&self, word: u64) -> usize {
        let mask = self.slots.len() - 1;
        let hash = Space::hash(&[word]).bits();
        let mut slot = (hash >> 32) as usize & mask;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != word {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); n_slots]);
        for (word, number) in old.into_iter().filter(|(_, number)| *number != 0) {
            let slot = self.look_up(word);
            self.slots[slot] = (word, number);
        }
    }

    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, u32)>()
    }
}

/// Bits per state.
const N_BITS: u32 = 3;

/// States as bits of one field of fixed size, as in SPIN's supertrace.
#[derive(Debug)]
pub(super) struct Bits {
    words: Vec<u64>,
    n_states: usize,
    n_set: u64,
    /// The sum, over all states that were new, of the odds that such a state
    /// was taken for a known one.
    omissions: f64,
}

impl Bits {
    fn new(bytes: u64) -> Self {
        let n_words = (bytes / 8).max(1) as usize;
        Self { words: vec![0; n_words], n_states: 0, n_set: 0, omissions: 0.0 }
    }

    /// Where the bits of a state are: word and bit.
    fn places(&self, hash: Hash) -> [(usize, u64); N_BITS as usize] {
        let n_bits = self.words.len() as u64 * 64;
        let mut bits = hash.bits();
        std::array::from_fn(|_| {
            bits = Space::hash(&[bits]).bits();
            let place = ((u128::from(bits) * u128::from(n_bits)) >> 64) as u64;
            ((place / 64) as usize, 1 << (place % 64))
        })
    }

    fn contains(&self, hash: Hash) -> bool {
        self.places(hash).iter().all(|&(word, bit)| self.words[word] & bit != 0)
    }

    fn insert(&mut self, hash: Hash) -> bool {
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

    fn doubt(&self) -> Doubt {
        let n_bits = self.words.len() as f64 * 64.0;
        Doubt {
            expected_omissions: self.omissions,
            hash_factor: Some(n_bits / (self.n_states.max(1)) as f64),
        }
    }
}
