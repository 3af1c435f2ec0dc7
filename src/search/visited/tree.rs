//! States that share their parts.

use crate::search::keys::Keys;
use crate::search::space::Space;
use crate::search::table::{Table, TableEntry};
use crate::system::Word;

/// States as trees: words are replaced by numbers and pairs of numbers become
/// words, until one or two words are left. Most steps change few parts of a
/// state, so there are far fewer distinct parts than states.
///
/// Folding stops at two words: replacing these as well would save nothing
/// where a word differs in every state.
#[derive(Debug)]
pub(in crate::search) struct Tree {
    /// Numbers per word position, in the order of folding.
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

    /// Halves the number of words until at most two are left.
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

/// Numbers of words, in the order of arrival.
#[derive(Debug)]
struct Numbers(Table<Numbered>);

/// A word in halves, so that it needs no padding, and its number. Numbers begin
/// at 1; 0 means an empty slot.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    halves: [u32; 2],
    number: u32,
}

impl Numbered {
    fn word(&self) -> Word {
        Word::from(self.halves[0]) << 32 | Word::from(self.halves[1])
    }
}

impl TableEntry for Numbered {
    const EMPTY: Self = Self { halves: [0; 2], number: 0 };

    fn is_empty(&self) -> bool {
        self.number == 0
    }

    fn tag(&self) -> u32 {
        Space::hash(&[self.word()]).tag()
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self(Table::new(4, 5))
    }
}

impl Numbers {
    fn of(&mut self, word: Word) -> u32 {
        match self.0.find(Space::hash(&[word]).tag(), |it| it.word() == word) {
            Ok(found) => found.number,
            Err(slot) => {
                let number =
                    u32::try_from(self.0.len() + 1).expect("fewer than 2^32 states have fewer parts");
                self.0.fill(slot, Numbered { halves: [(word >> 32) as u32, word as u32], number });
                number
            }
        }
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
