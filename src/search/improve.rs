//! Improvement of a run that is known: fewer steps to a goal, or a shorter
//! prefix and cycle.
//!
//! A [`Run`] is a sequence of steps with the states between them. [`Improver`]
//! replays changed sequences: [`replay`](Improver::replay) and
//! [`lasso_along`](Improver::lasso_along) accept a sequence only if it ends in
//! a wanted goal or has a cycle with all marks, so whatever proposes it may be
//! wrong. [`minimise`](Improver::minimise) removes steps as long as the rest
//! replays. [`search`](Improver::search) explores the states near the run and
//! those near the initial state below its length, and proves that no shorter
//! run exists if there is room for all of them.
//!
//! A step is identified by its [`StepId`](crate::system::StepId), which does not determine the next
//! state: an observer or an atomic sequence can have alternatives. So a replay
//! keeps all states that a sequence of steps can reach.

mod graph;
mod lasso;
mod minimise;
mod nearby;
mod replay;
mod run;
#[cfg(test)]
mod tests;

pub use nearby::Explored;
pub use replay::Mode;
pub use run::{Run, RunStep};

use super::explore::{Counters, Cut, Limits, Stop, Watcher};
use super::poll::PollInterval;
use crate::system::{Abort, Marked, Successors, TransitionSystem, Word};

/// Computes successors, and their marks if the system has any.
type Advance<S> = fn(&mut S, &[Word], &mut Successors, &mut Vec<u64>) -> Result<(), Abort>;

/// Selects the goals of a search.
pub type Accepts<'a> = &'a dyn Fn(&[Word]) -> bool;

/// A system whose runs are improved.
pub struct Improver<'a, S> {
    system: &'a mut S,
    advance: Advance<S>,
    /// All marks; 0 if goals are wanted.
    all_marks: u64,
    /// The goals that are wanted.
    accepts: Accepts<'a>,
    limits: Limits,
    watch: Watcher<'a>,
    interval: PollInterval,
    /// Cost so far.
    pub counters: Counters,
    /// Whether successors were missing because a step was too long.
    is_partial: bool,
    out: Successors,
    marks: Vec<u64>,
    /// The state that is expanded.
    state: Vec<Word>,
}

impl<'a, S: TransitionSystem> Improver<'a, S> {
    /// Improves runs that end in a goal.
    pub fn to_goals(system: &'a mut S, accepts: Accepts<'a>, limits: Limits, watch: Watcher<'a>) -> Self {
        let advance: Advance<S> = |system, state, out, _| system.all_successors(state, out);
        Self::new(system, advance, 0, accepts, limits, watch)
    }

    fn new(
        system: &'a mut S,
        advance: Advance<S>,
        all_marks: u64,
        accepts: Accepts<'a>,
        limits: Limits,
        watch: Watcher<'a>,
    ) -> Self {
        let width = system.width();
        Self {
            system,
            advance,
            all_marks,
            accepts,
            limits,
            watch,
            interval: PollInterval::default(),
            counters: Counters::default(),
            is_partial: false,
            out: Successors::new(width),
            marks: Vec::new(),
            state: Vec::new(),
        }
    }

    /// Returns the limit on states.
    pub fn max_states(&self) -> Option<u64> {
        self.limits.max_states
    }

    /// Returns the initial state.
    fn initial(&self) -> Vec<Word> {
        let mut state = vec![0; self.system.width()];
        self.system.initial(&mut state);
        state
    }

    /// Computes the successors of `self.state`.
    fn expand(&mut self) -> Result<(), Cut> {
        self.out.clear();
        self.marks.clear();
        match (self.advance)(self.system, &self.state, &mut self.out, &mut self.marks) {
            Ok(()) => {}
            Err(Abort::TooLong) => self.is_partial = true,
            Err(abort) => return Err(abort.into()),
        }
        self.counters.expanded += 1;
        self.counters.generated += self.out.len() as u64;
        self.interval.count(&self.out);
        if self.interval.is_due() {
            self.poll()?;
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<(), Cut> {
        let too_large = self.limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit);
        match (self.watch)(&self.counters) {
            Some(stop) => Err(Cut::Stopped(stop)),
            None if too_large => Err(Cut::Stopped(Stop::Memory)),
            None => Ok(()),
        }
    }

    /// Computes the successors of a state.
    fn expand_from(&mut self, state: &[Word]) -> Result<(), Cut> {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.expand()
    }

    /// Returns a step to the successor with this index.
    fn step_to(&self, choice: usize) -> RunStep {
        let step = self.out.steps()[choice];
        let marks = self.marks.get(choice).copied().unwrap_or_default();
        RunStep { id: step.id, cost: step.cost, process: step.process, choice, marks }
    }
}

impl<'a, S: Marked> Improver<'a, S> {
    /// Improves runs that end in a cycle with all marks of the system.
    pub fn to_cycles(system: &'a mut S, accepts: Accepts<'a>, limits: Limits, watch: Watcher<'a>) -> Self {
        let all_marks = system.all_marks();
        Self::new(system, S::marked_successors, all_marks, accepts, limits, watch)
    }
}

impl<S> std::fmt::Debug for Improver<'_, S> {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Improver").field("counters", &self.counters).finish_non_exhaustive()
    }
}
