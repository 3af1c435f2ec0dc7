//! The packed, older part of a path.

use crate::search::memory::make_room;
use crate::system::Word;

/// The states of a path from the initial one on. Each is stored as the bytes in
/// which it differs from the state before, with the number of its successors
/// that have not been taken yet. The successors are not stored: they are
/// computed again when the search returns.
///
/// A step changes few bytes, so a state takes five to fifteen bytes, whatever
/// its width. The format can be read from the end: for each word that differs
/// its bytes, a mask of them and its index; then both numbers.
#[derive(Clone, Debug)]
pub(super) struct PackedPath {
    bytes: Vec<u8>,
    len: usize,
    /// The last state; all zeros if there is none.
    last: Vec<Word>,
}

/// Numbers from here on take four more bytes.
const LONG: u8 = u8::MAX;

/// The same for the two numbers that share a byte.
const LONG_HALF: u8 = 15;

impl PackedPath {
    pub fn new(width: usize) -> Self {
        Self { bytes: Vec::new(), len: 0, last: vec![0; width] }
    }

    /// Returns the number of states on the path.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Appends a state with `n_left` successors that have not been taken.
    pub fn push(&mut self, state: &[Word], n_left: usize) {
        let mut n_words = 0;
        for (index, (word, last)) in state.iter().zip(&mut self.last).enumerate() {
            let difference = *word ^ *last;
            if difference == 0 {
                continue;
            }
            *last = *word;
            n_words += 1;
            make_room(&mut self.bytes, 16);
            let mut mask = 0;
            for (bit, byte) in difference.to_le_bytes().into_iter().enumerate() {
                if byte != 0 {
                    mask |= 1 << bit;
                    self.bytes.push(byte);
                }
            }
            self.bytes.push(mask);
            if state.len() > 1 {
                push_number(&mut self.bytes, index);
            }
        }
        make_room(&mut self.bytes, 16);
        let half = |number: usize| u8::try_from(number).unwrap_or(LONG_HALF).min(LONG_HALF);
        for number in [n_words, n_left] {
            if half(number) == LONG_HALF {
                push_number(&mut self.bytes, number);
            }
        }
        self.bytes.push(half(n_left) << 4 | half(n_words));
        self.len += 1;
    }

    /// Removes the last state, writes it to `state`, and returns the number of
    /// its successors that have not been taken.
    pub fn pop(&mut self, state: &mut [Word]) -> Option<usize> {
        let both = self.bytes.pop()?;
        state.copy_from_slice(&self.last);
        let mut number = |half: u8| match half {
            LONG_HALF => self.pop_number(),
            short => usize::from(short),
        };
        let n_left = number(both >> 4);
        let n_words = number(both & LONG_HALF);
        for _ in 0..n_words {
            let index = if state.len() > 1 { self.pop_number() } else { 0 };
            let mask = self.pop_byte();
            for bit in (0..8).rev().filter(|bit| mask >> bit & 1 == 1) {
                self.last[index] ^= Word::from(self.pop_byte()) << (8 * bit);
            }
        }
        self.len -= 1;
        Some(n_left)
    }

    /// Returns all states, from the initial one on.
    pub fn states(mut self) -> Vec<Vec<Word>> {
        let mut states = Vec::with_capacity(self.len);
        let mut state = vec![0; self.last.len()];
        while self.pop(&mut state).is_some() {
            states.push(state.clone());
        }
        states.reverse();
        states
    }

    fn pop_number(&mut self) -> usize {
        match self.pop_byte() {
            LONG => (0..4).fold(0, |number, _| number << 8 | usize::from(self.pop_byte())),
            short => usize::from(short),
        }
    }

    fn pop_byte(&mut self) -> u8 {
        self.bytes.pop().expect("a state is read as it was written")
    }
}

fn push_number(bytes: &mut Vec<u8>, number: usize) {
    match u8::try_from(number) {
        Ok(short) if short != LONG => bytes.push(short),
        _ => {
            let number = u32::try_from(number).expect("a state has fewer than 2^32 words and successors");
            bytes.extend(number.to_le_bytes());
            bytes.push(LONG);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_as_they_were() {
        for width in [1, 2, 3, 40, 300] {
            let mut random = 5_u64;
            let mut next = || {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                random >> 33
            };
            let mut packed = PackedPath::new(width);
            let mut expected = Vec::new();
            let mut state = vec![0; width];
            for step in 0..2000 {
                // Few words change, or none, or all.
                let n_changes = [0, 1, 2, 3, width][next() as usize % 5];
                for _ in 0..n_changes {
                    state[next() as usize % width] ^= next() << (next() % 64);
                }
                let n_left = [0, 1, 14, 15, 254, 255, 70_000][next() as usize % 7];
                packed.push(&state, n_left);
                expected.push((state.clone(), n_left));
                if step % 3 == 0 {
                    let n_left = packed.pop(&mut state).expect("there is a state");
                    assert_eq!(Some((state.clone(), n_left)), expected.pop());
                }
            }
            assert_eq!(packed.len(), expected.len());
            let states: Vec<_> = expected.iter().map(|(state, _)| state.clone()).collect();
            assert_eq!(packed.clone().states(), states);
            while let Some(wanted) = expected.pop() {
                let n_left = packed.pop(&mut state).expect("there is a state");
                assert_eq!((state.clone(), n_left), wanted);
            }
            assert_eq!((packed.pop(&mut state), packed.len()), (None, 0));
        }
    }

    #[test]
    fn a_step_takes_few_bytes() {
        let mut packed = PackedPath::new(40);
        let mut state = vec![0; 40];
        for step in 0..1000 {
            state[step % 40] ^= 0x0103;
            packed.push(&state, 39);
        }
        assert!(packed.bytes.len() <= 7 * 1000, "{}", packed.bytes.len());
    }
}
