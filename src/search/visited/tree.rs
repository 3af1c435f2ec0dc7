//! States in pieces that they share.

use crate::search::keys::Keys;
use crate::search::space::Space;
use crate::system::Word;

/// States as trees: words become numbers, pairs of numbers become words, until
/// one or two words are left. The parts of a state change rarely one by one,
/// so there are far fewer of them than states.
///
/// Three words are few enough for the last two to be kept as they are; with
/// two, the saving would be eaten up where a word differs in every state.
#[derive(Debug)]
pub(in crate::search) struct Tree {
    /// Per word that becomes a number, in the order in which they do.
    parts: Vec<Numbers>,
    roots: Keys<2>,
    level: Vec<Word>,
}

impl Tree {
    pub(super) fn new(width: usize) -> Self {
        Self { parts: Vec::new(), roots: Keys::new(), level: Vec::with_capacity(width) }
    }

    pub(super) fn insert(&mut self, state: &[Word]) -> bool {
        let root = self.fold(state);
        self.roots.insert(Space::hash(&root), &root)
    }

    /// Asking for a state makes numbers for its parts: it is asked for because
    /// it is about to come.
    pub(super) fn contains(&mut self, state: &[Word]) -> bool {
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

    pub(super) fn bytes(&self) -> usize {
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
