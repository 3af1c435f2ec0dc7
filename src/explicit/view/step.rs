//! Steps and sequences of steps.

use crate::net::TransitionId;
use crate::system::{StepId, Successors, Word};

/// A step of one process, or a rendezvous of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The process that moves, or sends.
    pub process: usize,
    /// Its transition.
    pub transition: TransitionId,
    /// The process that receives, in a rendezvous, and its transition.
    pub partner: Option<(usize, TransitionId)>,
    /// Identity of the step for a search.
    pub id: StepId,
    /// Number of statements.
    pub n_statements: u32,
}

/// Returns the id of a step: the process and the index of its transition among
/// all transitions of the network, and those of the partner in a rendezvous.
pub(in crate::explicit) fn step_id(
    (process, mark): (usize, usize),
    partner: Option<(usize, usize)>,
) -> StepId {
    let half = |(process, mark): (usize, usize)| (process as u64) << TRANSITION_BITS | mark as u64;
    StepId(half((process, mark)) | partner.map_or(0, |it| half(it) + 1) << u32::BITS)
}

/// Returns the process and the index of the transition of a step of one process;
/// `None` for a rendezvous.
pub(in crate::explicit) fn process_and_mark(step: StepId) -> Option<(usize, usize)> {
    let mark = step.0 & ((1 << TRANSITION_BITS) - 1);
    (step.0 >> u32::BITS == 0).then_some(((step.0 >> TRANSITION_BITS) as usize, mark as usize))
}

/// Number of bits of the index of a transition in a [`StepId`]; the bits above
/// are the number of the process.
const TRANSITION_BITS: u32 = 23;

/// A path from one state to the next: several steps for an atomic sequence, no
/// step if the observer ends the run or the last state is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Transitions of the observer before the steps.
    pub observer: Vec<TransitionId>,
    /// Steps of the system, in order.
    pub steps: Vec<Step>,
    /// State after them.
    pub state: Vec<Word>,
}

impl Passage {
    /// Returns the number of statements of the system.
    pub fn n_statements(&self) -> usize {
        n_statements(&self.steps)
    }
}

fn n_statements(steps: &[Step]) -> usize {
    steps.iter().map(|it| it.n_statements as usize).sum()
}

/// Selects one of the passages from a state.
#[derive(Clone, Copy, Debug)]
pub struct SuccessorChoice<'a> {
    /// State to which it leads.
    pub state: &'a [Word],
    /// Index among the successors; `None` for any passage to the state.
    pub choice: Option<usize>,
}

impl SuccessorChoice<'_> {
    pub(super) fn is(&self, choice: usize, state: &[Word]) -> bool {
        self.choice.is_none_or(|it| it == choice) && self.state == state
    }
}

/// All passages from a state. There can be many long ones, so the steps of a
/// passage are collected only when they are requested.
#[derive(Debug)]
pub struct Passages {
    /// Steps, each with the index of the one before it.
    pub(super) steps: Vec<(Option<usize>, Step)>,
    /// Index of the last step of each passage.
    pub(super) ends: Vec<Option<usize>>,
    pub(super) states: Successors,
}

impl Passages {
    /// Returns whether there are no passages.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Iterates over the states to which the passages lead.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &[Word]> {
        self.states.iter()
    }

    /// Returns the steps of a passage.
    pub fn steps(&self, choice: usize) -> Vec<Step> {
        let before = |&at: &usize| self.steps[at].0;
        let mut steps: Vec<Step> =
            std::iter::successors(self.ends[choice], before).map(|at| self.steps[at].1).collect();
        steps.reverse();
        steps
    }

    /// Returns the steps of the passage with the fewest statements among those
    /// with these indices.
    pub(super) fn shortest(&self, choices: impl Iterator<Item = usize>) -> Option<Vec<Step>> {
        choices.map(|it| self.steps(it)).min_by_key(|it| n_statements(it))
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::samples::program;
    use crate::explicit::layout::Shape;
    use crate::explicit::{Engine, View};
    use crate::system::{Successors, TransitionSystem, Word};
    use std::collections::{HashMap, HashSet, VecDeque};

    /// Two senders and two receivers that can meet in any pair, with choices and
    /// an atomic sequence.
    const TEXT: &str = "chan c = [0] of { bit }; byte n;
        active [2] proctype S() {
            do
            :: c!0
            :: c!1
            :: atomic { n < 3 -> n++; n = n + 1; n-- }
            :: n > 0 -> n--
            od
        }
        active [2] proctype R() { bit v; do :: c?v :: n == 2 -> v = 0 od }";

    #[test]
    fn a_step_has_one_id_in_all_states_and_no_other_step_has_it() {
        let network = program(TEXT).expect("the model is valid");
        let mut shape = Shape::of(&network);
        shape.widths = crate::explicit::layout::Widths::whole();
        let engine = Engine::new(&network, &shape);
        let mut view = View::new(&engine);
        let mut initial: Vec<Word> = vec![0; view.width()];
        view.initial(&mut initial);
        let (mut seen, mut pending) = (HashSet::from([initial.clone()]), VecDeque::from([initial]));
        let (mut ids, mut steps) = (HashMap::new(), HashMap::new());
        while let Some(state) = pending.pop_front() {
            let mut out = Successors::new(view.width());
            view.successors(&state, &mut out).expect("all states fit");
            let passages = view.passages(&state);
            for (choice, (next, step)) in out.iter().zip(out.steps()).enumerate() {
                let all = passages.steps(choice);
                let first = all[0];
                assert_eq!((step.id, step.process as usize), (first.id, first.process));
                assert_eq!(step.cost as usize, super::n_statements(&all));
                let what = (first.process, first.transition, first.partner);
                assert_eq!(*ids.entry(what).or_insert(step.id), step.id, "{what:?} has one id");
                assert_eq!(*steps.entry(step.id).or_insert(what), what, "{:?} is one step", step.id);
                if seen.insert(next.to_vec()) {
                    pending.push_back(next.to_vec());
                }
            }
        }
        // Each of two sends of two senders meets two receivers.
        assert_eq!(ids.keys().filter(|(_, _, partner)| partner.is_some()).count(), 8);
        assert!(ids.len() > 14, "{}", ids.len());
    }
}
