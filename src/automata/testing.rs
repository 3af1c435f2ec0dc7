//! What tests of automata share: seeded randomness and all short words.

use super::{Dfa, Symbol};
use fixedbitset::FixedBitSet;

/// A small pseudo-random generator (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(bound)) as u32
    }
}

/// Runs a test with seeds `0..n_seeds` and names the seed that fails.
pub fn seeded(n_seeds: u64, test: impl Fn(&mut Random) + std::panic::RefUnwindSafe) {
    for seed in 0..n_seeds {
        let outcome = std::panic::catch_unwind(|| test(&mut Random::new(seed)));
        if let Err(panic) = outcome {
            eprintln!("failed with seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// An automaton with up to `max_states` states, not minimal in general.
pub fn random_dfa(random: &mut Random, max_states: u32, n_symbols: u32) -> Dfa {
    let n_states = 1 + random.below(max_states);
    let mut accepting = FixedBitSet::with_capacity(n_states as usize);
    for state in 0..n_states as usize {
        accepting.set(state, random.below(3) == 0);
    }
    let next = (0..n_states * n_symbols).map(|_| random.below(n_states)).collect();
    Dfa::new(n_symbols as usize, random.below(n_states), accepting, next)
}

/// Every word up to a length, short ones first, then in the order of symbols.
pub fn words(n_symbols: u32, max_length: u32) -> impl Iterator<Item = Vec<Symbol>> {
    (0..=max_length).flat_map(move |length| {
        (0..n_symbols.pow(length)).map(move |number| {
            (0..length).rev().map(|digit| number / n_symbols.pow(digit) % n_symbols).collect()
        })
    })
}
