//! Random walks that estimate how much room the states of a network need.

use super::growing::{Stepper, Views};
use super::layout::{Gauge, Shape, Widths};
use super::overflow::SearchStart;
use crate::base::random::Random;
use crate::system::{Successors, TransitionSystem};

/// The first walk takes half of the steps, each later walk one part in this
/// number.
const N_SHORT: u64 = 8;

/// Number of steps for which a walk prefers the same processes.
const PERSISTENCE: u64 = 16;

/// Number of words of successors that cost as much as a step.
const WORDS_PER_STEP: u64 = 64;

/// Number of steps within atomic sequences and `d_step`s that cost as much as a
/// step.
const INNER_PER_STEP: u64 = 16;

/// Number of steps that cost as much as building an engine for the walks.
const STEPS_PER_ENGINE: u64 = 64;

/// Adds room to `shape` for the states on random walks of `n_steps` steps in
/// total, fewer if they are expensive. Every state on the walks is reachable, so
/// a complete search needs at least this room.
pub(super) fn probe<V: Views>(start: &SearchStart, views: &V, shape: &mut Shape, n_steps: u64) {
    let mut walker = Walker { random: Random::new(n_steps), n_steps, n_left: n_steps };
    let mut wide = Shape { widths: Widths::whole(), ..shape.clone() };
    while walker.n_left > 0 && walker.walk(start, views, &mut wide, shape) {}
    start.add_walked(n_steps - walker.n_left);
}

struct Walker {
    random: Random,
    n_steps: u64,
    n_left: u64,
}

impl Walker {
    /// Walks until no step is left or the layout is too small. Returns whether
    /// `wide` has grown, so that another walk can continue.
    fn walk<V: Views>(
        &mut self,
        start: &SearchStart,
        views: &V,
        wide: &mut Shape,
        shape: &mut Shape,
    ) -> bool {
        let engine = start.build(wide);
        self.pay(STEPS_PER_ENGINE);
        let layout = &engine.layout;
        let mut view = views.view(&engine);
        let mut gauge = Gauge::new(layout, &engine.cells);
        let mut successors = Successors::new(layout.width);
        let mut state = vec![0; layout.width];
        // Number of steps from the initial state, once it was left.
        let mut n_walked = None;
        let mut preferred = 0;
        while self.n_left > 0 && view.missing_room().is_none() {
            let is_first = self.n_left * 2 > self.n_steps;
            let longest = if is_first { u64::MAX } else { self.n_steps / N_SHORT };
            match n_walked.filter(|it| *it < longest) {
                None => {
                    view.initial(&mut state);
                    n_walked = Some(0);
                }
                Some(n_steps) => n_walked = Some(n_steps + 1),
            }
            if n_walked.is_some_and(|it| it.is_multiple_of(PERSISTENCE)) {
                preferred = self.random.below(1 << 16);
            }
            gauge.measure(layout, &state);
            successors.clear();
            let n_inner = view.n_inner();
            // The loop ends when the layout is too small.
            let _ = view.successors(&state, &mut successors);
            let n_words = (successors.len() * layout.width) as u64;
            self.pay(1 + n_words / WORDS_PER_STEP + (view.n_inner() - n_inner) / INNER_PER_STEP);
            match self.choose(successors.len(), preferred).and_then(|index| successors.iter().nth(index)) {
                Some(next) => state.copy_from_slice(next),
                None => n_walked = None,
            }
        }
        gauge.widen(layout, shape);
        let Some(missing_room) = view.missing_room() else { return false };
        shape.grow(missing_room);
        wide.grow_generously(missing_room);
        true
    }

    /// Chooses one of `n` successors. They are in the order of processes,
    /// youngest first: half of the time a successor from the preferred part is
    /// taken, so that some processes get far ahead of others.
    fn choose(&mut self, n: usize, preferred: u32) -> Option<usize> {
        let n = u32::try_from(n).ok().filter(|n| *n > 0)?;
        Some(match self.random.below(2) {
            0 => self.random.below(n) as usize,
            _ => ((u64::from(preferred) * u64::from(n)) >> 16) as usize,
        })
    }

    fn pay(&mut self, n_steps: u64) {
        self.n_left = self.n_left.saturating_sub(n_steps);
    }
}
