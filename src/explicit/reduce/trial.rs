//! Random walks that estimate how many steps a reduction leaves out.

use crate::base::random::Random;
use crate::explicit::engine::Engine;
use crate::explicit::growing::Stepper;
use crate::explicit::view::{Semantics, View};
use crate::system::{Successors, TransitionSystem};

/// Number of walks, and maximum number of steps of each.
const WALKS: (u64, u64) = (8, 128);

/// Maximum number of words of successors of all walks.
const MAX_WORDS: usize = 1 << 18;

/// Number of steps of which at least one must be left out on average.
const MIN_SHARE: u64 = 32;

/// Returns whether the reduction of an engine leaves out enough steps.
pub(super) fn is_useful(engine: &Engine, semantics: Semantics) -> bool {
    let mut view = View::new(engine).with_semantics(semantics);
    let width = view.width();
    let (mut state, mut successors) = (vec![0; width], Successors::new(width));
    let (mut n_left_out, mut n_all, mut n_words) = (0, 0, 0);
    let mut random = Random::new(WALKS.0);
    for _ in 0..WALKS.0 {
        view.initial(&mut state);
        for _ in 0..WALKS.1 {
            successors.clear();
            let before = view.n_left_out();
            // A step that needs more room ends the walk.
            let is_over = view.successors(&state, &mut successors).is_err() || successors.is_empty();
            n_left_out += view.n_left_out() - before;
            n_all += view.n_left_out() - before + successors.len() as u64;
            n_words += (successors.len() + 1) * width;
            let next = random.below(successors.len().max(1) as u32) as usize;
            match successors.iter().nth(next).filter(|_| !is_over && n_words < MAX_WORDS) {
                Some(next) => state.copy_from_slice(next),
                None => break,
            }
        }
        view.clear_missing_room();
    }
    n_left_out * MIN_SHARE >= n_all
}
