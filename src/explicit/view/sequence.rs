//! Properties of the order of events, which follow the steps.

use super::{Fault, Step, View};
use crate::automata::State;
use crate::explicit::engine::SequenceTable;
use crate::net::TransitionId;
use crate::system::{Successors, Word};

impl View<'_> {
    /// Follows a step from `parent`; the send of a rendezvous comes first. A step
    /// that is an error does not take place, so it has no events.
    pub(super) fn follow(&self, step: &Step, parent: &[Word], next: &mut [Word]) {
        let Some(following) = &self.engine.following else { return };
        if self.engine.layout.fault.get(next) != 0 {
            return;
        }
        for (process, transition) in [(step.process, step.transition)].into_iter().chain(step.partner) {
            let tag = self.engine.layout.processes[process].tag.get(parent);
            self.follow_one(following, (process, tag as usize), transition, next);
        }
    }

    /// Follows a step within a `d_step`.
    pub(super) fn follow_inside(&self, process: usize, transition: TransitionId, next: &mut [Word]) {
        if let Some(following) = &self.engine.following {
            let tag = self.engine.layout.processes[process].tag.get(next);
            self.follow_one(following, (process, tag as usize), transition, next);
        }
    }

    fn follow_one(
        &self,
        following: &SequenceTable,
        (process, tag): (usize, usize),
        transition: TransitionId,
        next: &mut [Word],
    ) {
        let layout = &self.engine.layout;
        let monitor = following.sequence.monitor();
        for &symbol in &following.symbols[process][tag][transition.index()] {
            let state = monitor.next(self.monitored(next), symbol);
            layout.sequence.set(next, state as i32);
            if monitor.judge(state).is_broken && layout.fault.get(next) == 0 {
                layout.fault.set(next, Fault::Sequence.number());
            }
        }
    }

    /// Returns the state of the property and its assumptions.
    fn monitored(&self, state: &[Word]) -> State {
        self.engine.layout.sequence.get(state) as State
    }

    /// Returns whether an assumption about the environment excludes the runs to
    /// this state.
    pub(super) fn is_excluded(&self, state: &[Word]) -> bool {
        let following = self.engine.following.as_ref();
        following.is_some_and(|it| it.sequence.monitor().judge(self.monitored(state)).is_excluded)
    }

    /// Removes successors that an assumption excludes. They are removed last,
    /// because they are executable steps: an assumption does not enable an
    /// `else`.
    pub(super) fn drop_excluded(&self, n_before: usize, out: &mut Successors) {
        let following = self.engine.following.as_ref();
        if following.is_some_and(|it| it.sequence.has_assumptions()) && self.trace.is_none() {
            out.retain_from(n_before, |state| !self.is_excluded(state));
        }
    }

    /// Records a run that reaches a state, or ends there, if the property is
    /// about it.
    pub(super) fn note_witness(&mut self, state: &[Word], has_ended: bool) {
        let following = self.engine.following.as_ref();
        self.has_witness |=
            following.is_some_and(|it| it.sequence.is_witness(self.monitored(state), has_ended));
    }

    /// Returns whether a run that ends here violates the property.
    pub(super) fn ends_wrongly(&self, state: &[Word]) -> bool {
        let following = self.engine.following.as_ref();
        following.is_some_and(|it| it.sequence.monitor().judge(self.monitored(state)).is_wrong_at_end)
    }
}
