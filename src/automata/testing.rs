//! Helpers for tests of automata: seeded randomness, all short words, random
//! formulas and words.

use super::ltl::{Formula, Lasso, Letter};
use super::{Dfa, Symbol};
use fixedbitset::FixedBitSet;

pub use crate::base::random::Random;

/// Runs a test with seeds `0..n_seeds` and prints the seed that fails.
pub fn seeded(n_seeds: u64, test: impl Fn(&mut Random) + std::panic::RefUnwindSafe) {
    for seed in 0..n_seeds {
        let outcome = std::panic::catch_unwind(|| test(&mut Random::new(seed)));
        if let Err(panic) = outcome {
            eprintln!("failed with seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// Returns a random automaton with up to `max_states` states.
pub fn random_dfa(random: &mut Random, max_states: u32, n_symbols: u32) -> Dfa {
    let n_states = 1 + random.below(max_states);
    let mut accepting = FixedBitSet::with_capacity(n_states as usize);
    for state in 0..n_states as usize {
        accepting.set(state, random.below(3) == 0);
    }
    let next = (0..n_states * n_symbols).map(|_| random.below(n_states)).collect();
    Dfa::new(n_symbols as usize, random.below(n_states), accepting, next)
}

/// Iterates over every word up to a length, in the order of length, then of
/// symbols.
pub fn words(n_symbols: u32, max_length: u32) -> impl Iterator<Item = Vec<Symbol>> {
    (0..=max_length).flat_map(move |length| {
        (0..n_symbols.pow(length)).map(move |number| {
            (0..length).rev().map(|digit| number / n_symbols.pow(digit) % n_symbols).collect()
        })
    })
}

/// Returns a random formula of nesting depth up to `depth`.
pub fn random_formula(random: &mut Random, depth: u32, n_atoms: u32) -> Formula {
    if depth == 0 || random.below(8) == 0 {
        return match random.below(12) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::atom(random.below(n_atoms)),
        };
    }
    let kind = random.below(15);
    let mut part = || random_formula(random, depth - 1, n_atoms);
    let mut boxed = || Box::new(part());
    match kind {
        0 | 1 => Formula::Not(boxed()),
        2 => Formula::Next(boxed()),
        3 | 4 => Formula::Always(boxed()),
        5 | 6 => Formula::Eventually(boxed()),
        7 => Formula::Until(boxed(), boxed()),
        8 => Formula::Release(boxed(), boxed()),
        9 => Formula::WeakUntil(boxed(), boxed()),
        10 => Formula::StrongRelease(boxed(), boxed()),
        11 => Formula::Implies(boxed(), boxed()),
        12 => Formula::Equivalent(boxed(), boxed()),
        13 => Formula::And(vec![part(), part()]),
        _ => Formula::Or(vec![part(), part()]),
    }
}

/// Returns a random word with a stem of up to three letters and a cycle of up
/// to four.
pub fn random_lasso(random: &mut Random, n_atoms: u32) -> Lasso {
    let mut letters = |n_letters| -> Vec<Letter> {
        (0..n_letters).map(|_| u64::from(random.below(1 << n_atoms))).collect()
    };
    let (stem, cycle) = (letters(3), letters(4));
    let (n_stem, n_cycle) = (random.below(4), 1 + random.below(4));
    Lasso::new(&stem[..n_stem as usize], &cycle[..n_cycle as usize])
}

/// Returns every word with a stem of at most `max_stem` letters and a cycle of
/// at most `max_cycle`.
pub fn lassos(n_atoms: u32, max_stem: u32, max_cycle: u32) -> Vec<Lasso> {
    let letters = |word: Vec<Symbol>| -> Vec<Letter> { word.into_iter().map(u64::from).collect() };
    let stems: Vec<_> = words(1 << n_atoms, max_stem).map(letters).collect();
    let cycles = words(1 << n_atoms, max_cycle).skip(1).map(letters);
    cycles
        .flat_map(|cycle| stems.iter().map(move |stem| Lasso::new(stem, &cycle)).collect::<Vec<_>>())
        .collect()
}
