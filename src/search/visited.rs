//! What a depth-first search remembers of the states it has seen: whether it
//! has. There are four ways to do so.
//!
//! | store | per state | a state may be missed |
//! |---|---|---|
//! | exact | its words, and where they are many, a slot of a table | never |
//! | compressed | two words at most, and what its parts share | never |
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
    /// As numbers for their parts.
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
    /// States of few words stand in the table itself: one look instead of two.
    One(Keys<1>),
    Two(Keys<2>),
    Three(Keys<3>),
    Exact(Space),
    Compressed(Tree),
    Compact(Keys<1>),
    Bitstate(Bits),
}

impl Visited {
    /// `numbered` states are asked for their ids.
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

    /// Adds a state; was it new, as far as can be told?
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

    #[inline]
    pub fn contains(&mut self, hash: Hash, state: &[Word]) -> bool {
        match self {
            Self::One(keys) => keys.contains(hash, key(state)),
            Self::Two(keys) => keys.contains(hash, key(state)),
            Self::Three(keys) => keys.contains(hash, key(state)),
            Self::Exact(space) => space.find_hashed(hash, state).is_some(),
            Self::Compressed(tree) => tree.contains(state),
            Self::Compact(keys) => {
                let print = [hash.bits()];
                keys.contains(Space::hash(&print), &print)
            }
            Self::Bitstate(bits) => bits.contains(hash),
        }
    }

    /// The number of a known state, in the order of arrival, if states are
    /// numbered.
    pub fn id(&self, hash: Hash, state: &[Word]) -> Option<StateId> {
        match self {
            Self::Exact(space) => space.find_hashed(hash, state),
            _ => None,
        }
    }

    /// Reads what will be looked at first, as [`Space::touch`] does.
    #[inline]
    pub fn touch(&self, hash: Hash) -> u64 {
        match self {
            Self::One(keys) => keys.touch(hash),
            Self::Two(keys) => keys.touch(hash),
            Self::Three(keys) => keys.touch(hash),
            Self::Exact(space) => space.touch(hash),
            Self::Compressed(_) | Self::Compact(_) | Self::Bitstate(_) => 0,
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::One(keys) | Self::Compact(keys) => keys.bytes(),
            Self::Two(keys) => keys.bytes(),
            Self::Three(keys) => keys.bytes(),
            Self::Exact(space) => space.bytes(),
            Self::Compressed(tree) => tree.bytes(),
            Self::Bitstate(bits) => bits.words.len() * size_of::<u64>(),
        }
    }

    pub fn doubt(&self) -> Option<Doubt> {
        match self {
            Self::Compact(keys) => {
                let n = keys.len() as f64;
                Some(Doubt { expected_omissions: n * n / 2_f64.powi(65), hash_factor: None })
            }
            Self::Bitstate(bits) => Some(bits.doubt()),
            _ => None,
        }
    }
}

fn key<const WIDTH: usize>(state: &[Word]) -> &[Word; WIDTH] {
    state.try_into().expect("all states have the same words")
}

/// States as trees: words become numbers, pairs of numbers become words, until
/// one or two words are left. The parts of a state change rarely one by one,
/// so there are far fewer of them than states.
///
/// Three words are few enough for the last two to be kept as they are; with
/// two, the saving would be eaten up where a word differs in every state.
#[derive(Debug)]
pub(super) struct Tree {
    /// Per word that becomes a number, in the order in which they do.
    parts: Vec<Numbers>,
    roots: Keys<2>,
    level: Vec<Word>,
}

impl Tree {
    fn new(width: usize) -> Self {
        Self { parts: Vec::new(), roots: Keys::new(), level: Vec::with_capacity(width) }
    }

    fn insert(&mut self, state: &[Word]) -> bool {
        let root = self.fold(state);
        self.roots.insert(Space::hash(&root), &root)
    }

    /// Asking for a state makes numbers for its parts: it is asked for because
    /// it is about to come.
    fn contains(&mut self, state: &[Word]) -> bool {
        let root = self.fold(state);
        self.roots.contains(Space::hash(&root), &root)
    }

    /// Halves the words until two are left.
    fn fold(&mut self, state: &[Word]) -> [Word; 2] {
        let mut level = std::mem::take(&mut self.level);
        level.clear();
        level.extend_from_slice(state);
        let mut n_parts = 0;
        while level.len() > 2 {
            let n_pairs = level.len() / 2;
            for pair in 0..n_pairs {
                let left = self.number(n_parts, level[2 * pair]);
                let right = self.number(n_parts + 1, level[2 * pair + 1]);
                level[pair] = left << 32 | right;
                n_parts += 2;
            }
            if level.len() % 2 == 1 {
                level[n_pairs] = level[level.len() - 1];
            }
            level.truncate(level.len().div_ceil(2));
        }
        let root = [level[0], level.get(1).copied().unwrap_or(0)];
        self.level = level;
        root
    }

    fn number(&mut self, part: usize, word: Word) -> Word {
        if part == self.parts.len() {
            self.parts.push(Numbers::default());
        }
        Word::from(self.parts[part].of(word))
    }

    fn bytes(&self) -> usize {
        self.roots.bytes() + self.parts.iter().map(Numbers::bytes).sum::<usize>()
    }
}

/// Numbers for words, in the order of their arrival.
#[derive(Debug, Default)]
struct Numbers {
    words: Vec<Word>,
    /// Beside the words; they begin at 1, so that 0 is an empty slot.
    numbers: Vec<u32>,
    n_used: u32,
}

impl Numbers {
    fn of(&mut self, word: Word) -> u32 {
        if (self.n_used as usize + 1) * 5 > self.words.len() * 4 {
            self.grow();
        }
        let slot = self.look_up(word);
        if self.numbers[slot] == 0 {
            self.n_used = self.n_used.checked_add(1).expect("fewer than 2^32 states have fewer parts");
            self.words[slot] = word;
            self.numbers[slot] = self.n_used;
        }
        self.numbers[slot]
    }

    fn look_up(&self, word: Word) -> usize {
        let mut slot = Space::hash(&[word]).slot(self.words.len());
        while self.numbers[slot] != 0 && self.words[slot] != word {
            slot = if slot + 1 == self.words.len() { 0 } else { slot + 1 };
        }
        slot
    }

    fn grow(&mut self) {
        let n_slots = (self.words.len() * 3 / 2).max(16);
        let words = std::mem::replace(&mut self.words, vec![0; n_slots]);
        let numbers = std::mem::replace(&mut self.numbers, vec![0; n_slots]);
        for (word, number) in words.into_iter().zip(numbers).filter(|(_, number)| *number != 0) {
            let slot = self.look_up(word);
            self.words[slot] = word;
            self.numbers[slot] = number;
        }
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>() + self.numbers.capacity() * size_of::<u32>()
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
