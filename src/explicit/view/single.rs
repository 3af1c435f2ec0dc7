//! One step at a time, also within atomic sequences: for trails and
//! simulation.

use super::{Fault, Pending, Step, Trace, View};
use crate::base::cancel::checkpoint;
use crate::net::TransitionId;
use crate::system::{Successors, Word};
use std::ops::Range;

/// A state between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state.
    pub state: Vec<Word>,
    /// Process that has control, in an atomic sequence.
    pub holder: Option<usize>,
}

/// A step and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The step.
    pub step: Step,
    /// Statements within a `d_step`, with the state after each.
    pub inside: Vec<Inside>,
    /// State after the step.
    pub next: Moment,
}

/// A statement within a `d_step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The statement.
    pub transition: TransitionId,
    /// State after it.
    pub state: Vec<Word>,
}

impl Taken {
    /// Returns the statements that an infinite `d_step` repeats: the index of
    /// the first one and the index after the last one.
    pub fn cycle(&self) -> Option<Range<usize>> {
        let (last, before) = self.inside.split_last()?;
        // The sequence is deterministic, so a repeated state is repeated for
        // ever.
        let period = 1 + before.iter().rev().position(|it| it.state == last.state)?;
        let first =
            (0..self.inside.len() - period).find(|&at| self.inside[at] == self.inside[at + period])?;
        Some(first..first + period)
    }
}

/// Why a state has no successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every process has ended.
    AllEnded,
    /// No process can move, and every process is at a valid end state.
    AtRest,
    /// An error.
    Fault(Fault),
}

impl View<'_> {
    /// Returns the initial state.
    pub fn beginning(&self) -> Moment {
        let mut state = vec![0; self.engine.layout.width];
        super::births::initial(self.engine, &mut state);
        Moment { state, holder: None }
    }

    /// Returns all next steps, in the order of the search.
    pub fn steps(&mut self, moment: &Moment) -> Vec<Taken> {
        let Moment { state, holder } = moment;
        if self.missing_room.is_some() || self.engine.layout.fault.get(state) != 0 {
            return Vec::new();
        }
        self.machine.timeout = false;
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        // A process that blocks in an atomic sequence loses control.
        let held = holder.map_or(Vec::new(), |holder| self.steps_of(&[holder], state));
        if !held.is_empty() {
            return held;
        }
        let everyone: Vec<usize> = (0..n_processes).rev().collect();
        let steps = self.steps_of(&everyone, state);
        if !steps.is_empty() {
            return steps;
        }
        self.machine.timeout = true;
        let steps = self.steps_of(&everyone, state);
        self.machine.timeout = false;
        steps
    }

    /// Returns whether the next step continues an atomic sequence: the process
    /// that has control can move.
    pub fn continues_sequence(&mut self, moment: &Moment) -> bool {
        self.machine.timeout = false;
        moment.holder.is_some_and(|holder| !self.steps_of(&[holder], &moment.state).is_empty())
    }

    fn steps_of(&mut self, processes: &[usize], state: &[Word]) -> Vec<Taken> {
        let mut out = Successors::new(self.engine.layout.width);
        self.trace = Some(Trace::default());
        for &process in processes {
            if self.is_cancellable {
                checkpoint();
            }
            self.n_inner = 0;
            self.process_moves(process, state, &mut out);
        }
        let pending = std::mem::take(&mut self.pending);
        let Some(trace) = self.trace.take() else { return Vec::new() };
        let ended = trace.ends.iter().zip(out.iter()).map(|(at, state)| (*at, state.to_vec(), None));
        let held = pending.into_iter().map(|Pending { state, holder, at, .. }| (at, state, Some(holder)));
        let mut all: Vec<_> = ended.chain(held).collect();
        all.sort_by_key(|(at, ..)| *at);
        let taken = |(at, state, holder): (Option<usize>, Vec<Word>, Option<usize>)| {
            let at = at?;
            let inside = trace.inside[at].clone();
            Some(Taken { step: trace.steps[at].1, inside, next: Moment { state, holder } })
        };
        all.into_iter().filter_map(taken).collect()
    }

    /// Returns why a state has no successors.
    pub fn ending(&self, state: &[Word]) -> Ending {
        match self.fault(state) {
            Some(fault) => Ending::Fault(fault),
            None if self.engine.layout.n_processes.get(state) == 0 => Ending::AllEnded,
            None if self.semantics.allows_blocked_end => Ending::AtRest,
            None => self.invalid_end(state).map_or(Ending::AtRest, Ending::Fault),
        }
    }

    /// Records a statement within a `d_step`, for trails.
    pub(super) fn note_inside(&mut self, transition: TransitionId, next: &[Word]) {
        if let Some(trace) = &mut self.trace {
            trace.current.push(Inside { transition, state: next.to_vec() });
        }
    }
}
