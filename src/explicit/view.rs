//! Stepping through an engine.
//!
//! A step of a process within an atomic sequence is gone on from at once,
//! until control is given up or lost: no state in the midst of a sequence is
//! ever seen from outside. A rendezvous is one step of two processes. What
//! goes wrong leads to a state that nothing follows and that says what it
//! was, so that a search for it is a search for a state.

mod births;
mod channels;
mod moves;

use super::code::{Cause, Machine};
use super::engine::Engine;
use super::layout::{Lack, Shape};
use super::program::TransitionId;
use crate::lang::promela::tree::{Model, ProctypeId};
use crate::system::{Successors, TransitionSystem, Word};
use std::collections::HashSet;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An `assert` that does not hold.
    Assertion,
    /// Nothing can move, and not every process is where it may rest.
    InvalidEnd,
    /// A division by zero.
    DivisionByZero,
    /// An index that the array does not have.
    IndexOutOfRange,
    /// A channel variable that holds no channel.
    NoChannel,
    /// A poll of a rendezvous, which never holds a message.
    PollOfRendezvous,
    /// A message with fewer values than its channel has fields.
    MissingField,
    /// A `d_step` that cannot go on.
    BlockedStep,
    /// More than 255 processes or channels.
    TooMany,
}

impl Fault {
    /// All of them, by number less one.
    pub const ALL: [Self; 9] = [
        Self::Assertion,
        Self::InvalidEnd,
        Self::DivisionByZero,
        Self::IndexOutOfRange,
        Self::NoChannel,
        Self::PollOfRendezvous,
        Self::MissingField,
        Self::BlockedStep,
        Self::TooMany,
    ];

    fn number(self) -> i32 {
        self as i32 + 1
    }
}

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::DivisionByZero => Self::DivisionByZero,
            Cause::IndexOutOfRange => Self::IndexOutOfRange,
            Cause::NoChannel => Self::NoChannel,
            Cause::PollOfRendezvous => Self::PollOfRendezvous,
            Cause::MissingField => Self::MissingField,
        }
    }
}

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

/// A way from one state to the next: several steps in an atomic sequence,
/// none where the state itself is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// In order.
    pub steps: Vec<Step>,
    /// The state behind them.
    pub state: Vec<Word>,
}

/// Steps within one atomic sequence, after which repetitions are looked for.
const LONG_SEQUENCE: usize = 256;

/// Steps that follow one state within atomic sequences and `d_step`s at most:
/// more are taken for endless.
const MOST_INNER_STEPS: usize = 1 << 20;

/// Words of states within atomic sequences that are kept at most.
const MOST_INNER_WORDS: usize = 1 << 25;

/// A view of an engine.
#[derive(Debug)]
pub struct View<'e> {
    engine: &'e Engine<'e>,
    machine: Machine,
    /// Per transition of the program, whether it was ever made.
    executed: Vec<bool>,
    /// Steps within sequences since the last state was looked at.
    n_inner: usize,
    /// A sequence was not followed to its end: from then on nothing follows
    /// any state.
    has_given_up: bool,
    /// What the shape has no room for: from then on nothing follows any state.
    lack: Option<Lack>,
    /// Has any process moved since the last state was looked at?
    has_moved: bool,
    /// Invalid end states are no fault.
    allows_blocked_end: bool,
    values: Vec<i32>,
    /// States within atomic sequences that are to be gone on from.
    pending: Vec<Pending>,
    /// Recycled room for them.
    spare: Vec<Vec<Word>>,
    trace: Option<Trace>,
}

#[derive(Debug)]
struct Pending {
    state: Vec<Word>,
    holder: usize,
    /// The last of its steps in the trace.
    at: Option<usize>,
}

/// The steps to every successor, for trails.
#[derive(Debug, Default)]
struct Trace {
    /// Each with the one before it.
    steps: Vec<(Option<usize>, Step)>,
    /// Per successor its last step.
    ends: Vec<Option<usize>>,
    /// The last step to the state that is being expanded.
    at: Option<usize>,
}

impl<'e> View<'e> {
    /// A view of `engine`.
    pub fn new(engine: &'e Engine<'e>) -> Self {
        Self {
            engine,
            machine: Machine::default(),
            executed: vec![false; engine.n_transitions],
            n_inner: 0,
            has_given_up: false,
            lack: None,
            has_moved: false,
            allows_blocked_end: false,
            values: Vec::new(),
            pending: Vec::new(),
            spare: Vec::new(),
            trace: None,
        }
    }

    /// Lets a system end anywhere.
    pub fn allowing_blocked_end(mut self) -> Self {
        self.allows_blocked_end = true;
        self
    }

    /// What the shape lacked, if the search has come to nothing by that.
    pub fn lack(&self) -> Option<Lack> {
        self.lack
    }

    /// Was a sequence too long to be followed to its end? The search has come
    /// to nothing by that.
    pub fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    /// Was the transition made on the way to any state that was seen?
    pub fn has_executed(&self, proctype: ProctypeId, transition: TransitionId) -> bool {
        self.executed[self.engine.first_transitions[proctype.index()] + transition.index()]
    }

    /// Counts a step within a sequence; may there be more of them?
    fn is_inner_allowed(&mut self) -> bool {
        self.n_inner += 1;
        let n_words = self.n_inner.saturating_mul(self.engine.layout.width);
        self.has_given_up |= self.n_inner > MOST_INNER_STEPS || n_words > MOST_INNER_WORDS;
        !self.has_given_up
    }

    /// What is wrong with a state.
    pub fn fault(&self, state: &[Word]) -> Option<Fault> {
        let number = self.engine.layout.fault.get(state) as usize;
        number.checked_sub(1).map(|index| Fault::ALL[index])
    }

    /// All successors of a state with the steps that lead there.
    pub fn passages(&mut self, state: &[Word]) -> Vec<Passage> {
        self.trace = Some(Trace::default());
        let mut out = Successors::new(self.engine.layout.width);
        self.successors(state, &mut out);
        let Some(trace) = self.trace.take() else { return Vec::new() };
        let passage = |(end, state): (&Option<usize>, &[Word])| {
            let before = |&at: &usize| trace.steps[at].0;
            let mut steps: Vec<Step> =
                std::iter::successors(*end, before).map(|at| trace.steps[at].1).collect();
            steps.reverse();
            Passage { steps, state: state.to_vec() }
        };
        trace.ends.iter().zip(out.iter()).map(passage).collect()
    }

    /// Steps of all processes, youngest first.
    fn all_moves(&mut self, state: &[Word], out: &mut Successors) {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        for process in (0..n_processes).rev() {
            self.process_moves(process, state, out);
            self.go_on(out);
        }
    }

    /// Goes on from states within atomic sequences.
    fn go_on(&mut self, out: &mut Successors) {
        let mut n_steps = 0;
        let mut seen: HashSet<Vec<Word>> = HashSet::new();
        while let Some(Pending { state, holder, at }) = self.pending.pop() {
            n_steps += 1;
            if !self.is_inner_allowed() {
                self.pending.clear();
                break;
            }
            if n_steps <= LONG_SEQUENCE || seen.insert(state.clone()) {
                if let Some(trace) = &mut self.trace {
                    trace.at = at;
                }
                let before = (out.len(), self.pending.len());
                self.process_moves(holder, &state, out);
                if before == (out.len(), self.pending.len()) {
                    out.branch(&state);
                    self.note_end(at);
                }
            }
            self.spare.push(state);
        }
        if let Some(trace) = &mut self.trace {
            trace.at = None;
        }
    }

    /// The next state, `edit`ed, as a successor or, if a process keeps
    /// control, as one to go on from.
    fn emit(
        &mut self,
        parent: &[Word],
        step: Step,
        holder: Option<usize>,
        out: &mut Successors,
        edit: impl FnOnce(&mut Self, &mut [Word]),
    ) {
        self.has_moved = true;
        let at = self.trace.as_mut().map(|trace| {
            trace.steps.push((trace.at, step));
            trace.steps.len() - 1
        });
        let mut state = self.spare.pop().unwrap_or_default();
        state.clear();
        state.extend_from_slice(parent);
        edit(self, &mut state);
        let is_at_fault = self.engine.layout.fault.get(&state) != 0;
        match holder.filter(|_| !is_at_fault) {
            Some(holder) => self.pending.push(Pending { state, holder, at }),
            None => {
                self.engine.hidden.iter().for_each(|field| field.set(&mut state, 0));
                out.branch(&state);
                self.spare.push(state);
                self.note_end(at);
            }
        }
    }

    fn note_end(&mut self, at: Option<usize>) {
        if let Some(trace) = &mut self.trace {
            trace.ends.push(at);
        }
    }

    /// May every process rest where it is?
    fn is_valid_end(&self, state: &[Word]) -> bool {
        let layout = &self.engine.layout;
        (0..layout.n_processes.get(state) as usize).all(|process| {
            let location = layout.processes[process].location.get(state) as usize;
            self.engine.table(process, state).places[location].is_end
        })
    }
}

impl TransitionSystem for View<'_> {
    fn width(&self) -> usize {
        self.engine.layout.width
    }

    fn initial(&self, state: &mut [Word]) {
        births::initial(self.engine, state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) {
        if self.lack.is_some() || self.has_given_up || self.engine.layout.fault.get(state) != 0 {
            return;
        }
        self.has_moved = false;
        self.n_inner = 0;
        self.machine.timeout = false;
        self.all_moves(state, out);
        if !self.has_moved {
            self.machine.timeout = true;
            self.all_moves(state, out);
        }
        if !self.has_moved && !self.allows_blocked_end && !self.is_valid_end(state) {
            let next = out.branch(state);
            self.engine.layout.fault.set(next, Fault::InvalidEnd.number());
            self.note_end(None);
        }
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.engine.layout.fault.get(state) != 0
    }
}

impl Shape {
    /// Room for what is there at the start.
    pub fn at_start(model: &Model) -> Self {
        births::shape_at_start(model)
    }
}
