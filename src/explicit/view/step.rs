//! Steps, and ways of several of them.

use crate::explicit::program::TransitionId;
use crate::system::Word;

/// A step of one process, or of two that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who moves, or sends.
    pub process: usize,
    /// What it does.
    pub transition: TransitionId,
    /// Who receives, in a rendezvous.
    pub partner: Option<(usize, TransitionId)>,
}

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
        self.steps.iter().map(|it| it.n_statements() as usize).sum()
    }
}
