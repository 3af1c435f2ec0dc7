//! Steps, and ways of several of them.

use crate::explicit::program::TransitionId;
use crate::system::{StepId, Successors, Word};

/// A step of one process, or of two that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who moves, or sends.
    pub process: usize,
    /// What it does.
    pub transition: TransitionId,
    /// Who receives, in a rendezvous.
    pub partner: Option<(usize, TransitionId)>,
    /// The same, for a search.
    pub id: StepId,
}

/// The number of a step: the process and the number of its transition among all
/// of the program, and those of the partner in a rendezvous.
pub(super) fn step_id((process, mark): (usize, usize), partner: Option<(usize, usize)>) -> StepId {
    let half = |(process, mark): (usize, usize)| (process as u64) << TRANSITION_BITS | mark as u64;
    StepId(half((process, mark)) | partner.map_or(0, |it| half(it) + 1) << u32::BITS)
}

/// Bits of the number of a transition in a [`StepId`]; those above hold the
/// number of a process.
const TRANSITION_BITS: u32 = 23;

impl Step {
    /// How many statements it is, as SPIN counts them: a rendezvous is a send
    /// and a receive.
    pub fn n_statements(&self) -> u32 {
        1 + u32::from(self.partner.is_some())
    }
}

/// A way from one state to the next: several steps in an atomic sequence,
/// none where the state itself is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// What the observer did before.
    pub observer: Vec<TransitionId>,
    /// In order.
    pub steps: Vec<Step>,
    /// The state behind them.
    pub state: Vec<Word>,
}

impl Passage {
    /// How many statements of the system it has.
    pub fn n_statements(&self) -> usize {
        n_statements(&self.steps)
    }
}

fn n_statements(steps: &[Step]) -> usize {
    steps.iter().map(|it| it.n_statements() as usize).sum()
}

/// Which of the ways from a state is meant.
#[derive(Clone, Copy, Debug)]
pub struct SuccessorChoice<'a> {
    /// Where it leads.
    pub state: &'a [Word],
    /// Its number among the successors; `None` if any will do.
    pub choice: Option<usize>,
}

impl SuccessorChoice<'_> {
    pub(super) fn is(&self, choice: usize, state: &[Word]) -> bool {
        self.choice.is_none_or(|it| it == choice) && self.state == state
    }
}

/// All ways from a state to the next. There may be many long ones: the steps
/// of one are put together when they are asked for.
#[derive(Debug)]
pub struct Passages {
    /// Each with the one before it.
    pub(super) steps: Vec<(Option<usize>, Step)>,
    /// Per way its last step.
    pub(super) ends: Vec<Option<usize>>,
    pub(super) states: Successors,
}

impl Passages {
    /// Does none lead anywhere?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where each leads.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &[Word]> {
        self.states.iter()
    }

    /// The steps of one.
    pub fn steps(&self, choice: usize) -> Vec<Step> {
        let before = |&at: &usize| self.steps[at].0;
        let mut steps: Vec<Step> =
            std::iter::successors(self.ends[choice], before).map(|at| self.steps[at].1).collect();
        steps.reverse();
        steps
    }

    /// Of those with these numbers, the one with the fewest statements.
    pub(super) fn shortest(&self, choices: impl Iterator<Item = usize>) -> Option<Vec<Step>> {
        choices.map(|it| self.steps(it)).min_by_key(|it| n_statements(it))
    }
}
