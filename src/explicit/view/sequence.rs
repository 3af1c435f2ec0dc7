//! The property of the order of events follows the steps.

use super::{Fault, Step, View};
use crate::automata::State;
use crate::explicit::engine::Following;
use crate::net::TransitionId;
use crate::system::Word;

impl View<'_> {
    /// A step was taken from `parent`; of a rendezvous, the send comes first.
    pub(super) fn follow(&self, step: &Step, parent: &[Word], next: &mut [Word]) {
        let Some(following) = &self.engine.following else { return };
        for (process, transition) in [(step.process, step.transition)].into_iter().chain(step.partner) {
            let tag = self.engine.layout.processes[process].tag.get(parent);
            self.follow_one(following, (process, tag as usize), transition, next);
        }
    }

    /// A step within a `d_step` was taken.
    pub(super) fn follow_inside(&self, process: usize, transition: TransitionId, next: &mut [Word]) {
        if let Some(following) = &self.engine.following {
            let tag = self.engine.layout.processes[process].tag.get(next);
            self.follow_one(following, (process, tag as usize), transition, next);
        }
    }

    fn follow_one(
        &self,
        following: &Following,
        (process, tag): (usize, usize),
        transition: TransitionId,
        next: &mut [Word],
    ) {
        let layout = &self.engine.layout;
        let sequence = &following.sequence;
        for &symbol in &following.symbols[process][tag][transition.index()] {
            let state = sequence.dfa().next(layout.sequence.get(next) as State, symbol);
            layout.sequence.set(next, state as i32);
            if sequence.is_broken(state) && layout.fault.get(next) == 0 {
                layout.fault.set(next, Fault::Sequence.number());
            }
        }
    }

    /// Has a run that ends here broken the property?
    pub(super) fn ends_wrongly(&self, state: &[Word]) -> bool {
        let at = self.engine.layout.sequence.get(state) as State;
        self.engine.following.as_ref().is_some_and(|it| it.sequence.is_wrong_at_end(at))
    }
}
