//! Computes the steps of an engine.
//!
//! Inside an atomic sequence the same process keeps executing until it gives up
//! or loses control; intermediate states are not emitted. A rendezvous is one
//! step of two processes. An error leads to a state without successors that
//! contains the number of the fault, so the search for an error is the search
//! for a state.

mod active;
mod births;
mod blocked;
mod channels;
mod events;
mod fault;
mod long_sequence;
mod looks;
mod moves;
mod product;
mod rank;
mod read_set;
mod sequence;
mod single;
mod step;
mod step_cache;

use super::code::Machine;
use super::engine::Engine;
use super::growing::Stepper;
use super::layout::{MissingRoom, Shape};
use super::reduce::Stubborn;
use crate::base::cancel::stop_reason;
use crate::base::control::Stop;
use crate::net::TransitionId;
use crate::net::{Network, TemplateId};
use crate::system::{self, Abort, Successors, TransitionSystem, Word};
use std::collections::VecDeque;

use long_sequence::{InnerState, LongSequence};
use step_cache::StepCache;

pub use blocked::{BlockedProcess, BlockedStatement, NextStatement, Obstacle};
pub use fault::Fault;
pub use looks::Looks;
pub use product::{MAX_FAIR_PROCESSES, Product};
pub use single::{Ending, Inside, Moment, Taken};
pub use step::{Passage, Passages, Step, SuccessorChoice};
pub(super) use step::{process_and_mark, step_id};

/// Number of steps within one atomic sequence after which repeated states are
/// detected.
const LONG_SEQUENCE: usize = 256;

/// Maximum number of steps of one process from one state within atomic sequences
/// and `d_step`s; a longer sequence is treated as infinite.
const MAX_INNER_STEPS: usize = 1 << 20;

/// Maximum number of words of stored states within atomic sequences.
const MAX_INNER_WORDS: usize = 1 << 25;

/// Words of a state times number of processes above which an expansion checks
/// before each process whether the run must stop.
const WORDS_PER_POLL: usize = 1 << 15;

/// Options of the semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    /// Invalid end states are not errors.
    pub allows_blocked_end: bool,
    /// Failed assertions are ignored.
    pub allows_failed_assertions: bool,
    /// Violations of `xr` and `xs` are ignored.
    pub allows_broken_promises: bool,
    /// A send to a full channel is executable, and its message is lost.
    pub loses_messages: bool,
    /// Ending with messages in a channel is an error.
    pub requires_empty_channels: bool,
}

/// A view of an engine, with scratch space.
#[derive(Debug)]
pub struct View<'e> {
    engine: &'e Engine<'e>,
    machine: Machine,
    /// Per transition of the network, whether it was ever executed.
    executed: Vec<bool>,
    /// Number of steps within sequences of the current process.
    n_inner: usize,
    /// Number of steps within sequences of all processes before it.
    n_inner_before: u64,
    /// Whether a sequence was too long to be followed to its end.
    is_sequence_too_long: bool,
    /// Why the run must stop, if that was noticed during an expansion.
    stop: Option<Stop>,
    /// Room that the layout is missing.
    missing_room: Option<MissingRoom>,
    /// Whether a process has moved in the current expansion.
    has_moved: bool,
    /// Whether a run was found that the property of the order of events is
    /// about.
    has_witness: bool,
    /// Whether a fault has occurred so far. Recorded only for properties of the
    /// order of events.
    has_met_fault: bool,
    /// Values of the last three fields before the current expansion.
    before: (bool, bool, bool),
    semantics: Semantics,
    /// Whether successors can be cached.
    uses_step_cache: bool,
    /// Computes the stubborn set of each state, if there is a reduction.
    stubborn: Option<Box<Stubborn>>,
    /// Number of successors that the reduction has left out.
    n_left_out: u64,
    /// Whether all successors are computed in spite of the reduction.
    computes_all: bool,
    /// Cached successors.
    step_cache: Option<Box<StepCache<'e>>>,
    values: Vec<i32>,
    /// The message of a receive.
    received: Vec<i32>,
    /// States within atomic sequences from which to continue.
    pending: VecDeque<Pending>,
    /// First step of the current sequence, with the length so far; `None`
    /// outside of sequences.
    passage: Option<system::Step>,
    /// The state that is being expanded, in long sequences.
    inner_state: Option<InnerState>,
    /// Whether sequences that need not end are searched for.
    finds_endless_sequences: bool,
    /// Whether a process can stay in an atomic sequence for ever.
    has_endless_sequence: bool,
    /// Buffers for pending states.
    spare: Vec<Vec<Word>>,
    trace: Option<Trace>,
    /// Whether successors are computed for a trail. Then all are computed, even
    /// if a limit was reached.
    is_replaying: bool,
    /// Whether single steps are cancelled when the run must stop.
    is_cancellable: bool,
}

#[derive(Debug)]
struct Pending {
    state: Vec<Word>,
    holder: usize,
    /// Index of its last step in the trace.
    at: Option<usize>,
    /// First step of the sequence, with the length so far.
    passage: system::Step,
    /// The state before it, in long sequences.
    from: Option<InnerState>,
}

/// Steps to every successor, for trails.
#[derive(Debug, Default)]
struct Trace {
    /// Steps, each with the index of the one before it.
    steps: Vec<(Option<usize>, Step)>,
    /// Statements executed within each step.
    inside: Vec<Vec<Inside>>,
    /// Statements executed within the current step.
    current: Vec<Inside>,
    /// Index of the last step to each successor.
    ends: Vec<Option<usize>>,
    /// Index of the last step to the state that is being expanded.
    at: Option<usize>,
}

impl<'e> View<'e> {
    /// Creates a view of `engine`.
    pub fn new(engine: &'e Engine<'e>) -> Self {
        let missing_room = births::initial(engine, &mut vec![0; engine.layout.width]);
        Self {
            engine,
            machine: Machine::default(),
            executed: vec![false; engine.n_transitions],
            n_inner: 0,
            n_inner_before: 0,
            is_sequence_too_long: false,
            stop: None,
            missing_room,
            has_moved: false,
            has_witness: false,
            has_met_fault: false,
            before: (false, false, false),
            semantics: Semantics::default(),
            uses_step_cache: Self::uses_step_cache(engine),
            stubborn: None,
            n_left_out: 0,
            computes_all: false,
            step_cache: None,
            values: Vec::new(),
            received: Vec::new(),
            pending: VecDeque::new(),
            passage: None,
            inner_state: None,
            finds_endless_sequences: false,
            has_endless_sequence: false,
            spare: Vec::new(),
            trace: None,
            is_replaying: false,
            is_cancellable: false,
        }
    }

    /// Sets the options of the semantics.
    pub fn with_semantics(mut self, semantics: Semantics) -> Self {
        self.semantics = semantics;
        self.machine.allows_broken_promises = semantics.allows_broken_promises;
        self
    }

    /// Allows invalid end states.
    pub fn allowing_blocked_end(mut self) -> Self {
        self.semantics.allows_blocked_end = true;
        self
    }

    /// Searches for atomic sequences that need not end, for questions about
    /// infinite runs.
    pub fn finding_endless_sequences(mut self) -> Self {
        self.finds_endless_sequences = true;
        self
    }

    /// Returns whether an atomic sequence was found that need not end.
    pub fn has_endless_sequence(&self) -> bool {
        self.has_endless_sequence
    }

    /// Ignores failed assertions.
    pub fn allowing_failed_assertions(mut self) -> Self {
        self.semantics.allows_failed_assertions = true;
        self
    }

    /// Returns the room that the layout is missing.
    pub fn missing_room(&self) -> Option<MissingRoom> {
        self.missing_room
    }

    /// Returns whether a run was found that the property of the order of events
    /// is about: one that satisfies the assumptions and, if only complete runs
    /// are checked, has ended.
    pub fn has_witness(&self) -> bool {
        self.has_witness
    }

    /// Returns whether a run has ended in a fault so far. Recorded only for
    /// properties of the order of events.
    pub fn has_met_fault(&self) -> bool {
        self.has_met_fault
    }

    /// Returns whether the transition was executed in a step from any expanded
    /// state.
    pub fn has_executed(&self, template: TemplateId, transition: TransitionId) -> bool {
        self.executed[self.engine.first_transitions[template.index()] + transition.index()]
    }

    /// Restarts the count of steps, before another sequence.
    fn begin_inner(&mut self) {
        self.n_inner_before += std::mem::take(&mut self.n_inner) as u64;
    }

    /// Counts a step within a sequence and returns whether another one is
    /// allowed.
    fn is_inner_allowed(&mut self) -> bool {
        self.n_inner += 1;
        let n_words = self.n_inner.saturating_mul(self.engine.layout.width);
        self.is_sequence_too_long |= self.n_inner > MAX_INNER_STEPS || n_words > MAX_INNER_WORDS;
        !self.is_sequence_too_long
    }

    /// Returns an error if successors are missing.
    fn whole(&self) -> Result<(), Abort> {
        match self.stop {
            _ if self.missing_room.is_some() => Err(Abort::Restart),
            Some(stop) => Err(Abort::Stopped(stop)),
            None if self.is_sequence_too_long => Err(Abort::TooLong),
            None => Ok(()),
        }
    }

    /// Returns the fault of a state.
    pub fn fault(&self, state: &[Word]) -> Option<Fault> {
        let number = self.engine.layout.fault.get(state) as usize;
        number.checked_sub(1).map(|index| Fault::ALL[index])
    }

    /// Returns all successors of a state with the steps that lead there; only
    /// some of them if the layout is too small or a sequence too long.
    pub fn passages(&mut self, state: &[Word]) -> Passages {
        self.trace = Some(Trace::default());
        let mut states = Successors::new(self.engine.layout.width);
        let before = (self.missing_room, self.is_sequence_too_long);
        self.is_replaying = true;
        let _ = self.successors(state, &mut states);
        self.is_replaying = false;
        (self.missing_room, self.is_sequence_too_long) = before;
        let Trace { steps, ends, .. } = self.trace.take().unwrap_or_default();
        Passages { steps, ends, states }
    }

    /// Returns the requested passage with the fewest statements.
    pub fn passage(&mut self, from: &[Word], requested: SuccessorChoice) -> Option<Passage> {
        let all = self.passages(from);
        let choices = all.states().enumerate().filter(|(choice, state)| requested.is(*choice, state));
        let steps = all.shortest(choices.map(|(choice, _)| choice))?;
        Some(Passage { observer: Vec::new(), steps, state: requested.state.to_vec() })
    }

    /// Makes [`steps`](Self::steps) cancellable. By default they are computed
    /// even when the run must stop, to describe a trail.
    pub fn cancellable(mut self) -> Self {
        self.is_cancellable = true;
        self
    }

    /// Appends the steps of all processes, youngest first.
    fn all_moves(&mut self, state: &[Word], out: &mut Successors) {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let uses_step_cache = self.uses_step_cache && self.trace.is_none() && !self.machine.timeout;
        // One expansion of large states can take longer than everything else.
        let is_polled = state.len() * n_processes > WORDS_PER_POLL && !self.is_replaying;
        for process in (0..n_processes).rev() {
            if is_polled && let Some(stop) = stop_reason() {
                self.stop = Some(stop);
                break;
            }
            let has_room = match uses_step_cache {
                true => self.cached_moves(process, state, out),
                false => self.computed_moves(process, state, out),
            };
            // Only trails need successors of a state that has no room.
            if !has_room && self.trace.is_none() {
                break;
            }
        }
    }

    /// Computes the successors by one process, with those of its atomic
    /// sequences. Returns whether the layout had room for them.
    fn computed_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) -> bool {
        self.begin_inner();
        self.process_moves(process, state, out);
        self.continue_sequences(out);
        self.missing_room.is_none()
    }

    /// Continues from states within atomic sequences.
    fn continue_sequences(&mut self, out: &mut Successors) {
        if self.pending.is_empty() {
            return;
        }
        // Only the first step of a sequence can wait for a timeout.
        let timeout = std::mem::replace(&mut self.machine.timeout, false);
        let mut n_steps = 0;
        let mut long = LongSequence::default();
        while let Some(Pending { state, holder, at, passage, from }) = self.pending.pop_front() {
            n_steps += 1;
            if !self.is_inner_allowed() {
                self.pending.clear();
                break;
            }
            if n_steps <= LONG_SEQUENCE || long.is_shorter(from, &state, passage.cost) {
                self.inner_state = long.current();
                if let Some(trace) = &mut self.trace {
                    trace.at = at;
                }
                let before = (out.len(), self.pending.len());
                self.passage = Some(passage);
                self.process_moves(holder, &state, out);
                if before == (out.len(), self.pending.len()) {
                    out.branch(passage, &state);
                    self.note_end(at);
                }
            }
            self.spare.push(state);
        }
        self.passage = None;
        self.inner_state = None;
        self.has_endless_sequence |= self.finds_endless_sequences && long.has_cycle();
        self.machine.timeout = timeout;
        if let Some(trace) = &mut self.trace {
            trace.at = None;
        }
    }

    /// Appends the next state, changed by `edit`, as a successor or, if a
    /// process keeps control, as a pending state.
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
        let passage = match self.passage {
            Some(first) => system::Step { cost: first.cost + step.n_statements, ..first },
            None => system::Step { id: step.id, cost: step.n_statements, process: step.process as u32 },
        };
        let Some(holder) = holder else {
            let next = out.branch(passage, parent);
            edit(self, next);
            self.follow(&step, parent, next);
            self.note_mover(&step, next);
            self.end_passage(next, at);
            return;
        };
        let mut state = self.spare.pop().unwrap_or_default();
        state.clear();
        state.extend_from_slice(parent);
        edit(self, &mut state);
        self.follow(&step, parent, &mut state);
        self.note_mover(&step, &mut state);
        match self.engine.layout.fault.get(&state) {
            // A state that does not fit cannot be continued.
            0 if self.missing_room.is_some() => {
                self.pending.clear();
                self.spare.push(state);
            }
            0 if !self.is_excluded(&state) => {
                let from = self.inner_state;
                self.pending.push_back(Pending { state, holder, at, passage, from });
            }
            _ => {
                self.end_passage(out.branch(passage, &state), at);
                self.spare.push(state);
            }
        }
    }

    /// Stores the process that moved, if the model uses `_last`.
    fn note_mover(&mut self, step: &Step, next: &mut [Word]) {
        if self.engine.network.uses.last {
            let mover = step.partner.map_or(step.process, |(receiver, _)| receiver);
            self.engine.layout.last.set(next, mover as i32);
        }
        if let Some(trace) = &mut self.trace {
            trace.inside.push(std::mem::take(&mut trace.current));
        }
    }

    /// Completes a successor; `at` is the index of its last step.
    fn end_passage(&mut self, next: &mut [Word], at: Option<usize>) {
        self.engine.hidden.iter().for_each(|field| field.set(next, 0));
        let fault = self.engine.layout.fault.get(next);
        self.has_met_fault |=
            self.engine.following.is_some() && fault != 0 && fault != Fault::Sequence.number();
        self.note_end(at);
    }

    fn note_end(&mut self, at: Option<usize>) {
        if let Some(trace) = &mut self.trace {
            trace.ends.push(at);
        }
    }

    /// Removes the successors that the reduction does not need. Trails are
    /// replayed among all.
    #[inline]
    fn reduce(&mut self, state: &[Word], first: usize, out: &mut Successors) {
        let Some(reduction) = &self.engine.reduction else { return };
        if self.trace.is_some() || self.computes_all || !reduction.is_on() {
            return;
        }
        let stubborn = self.stubborn.get_or_insert_with(|| Box::new(Stubborn::new(reduction, &self.machine)));
        let n_successors = out.len();
        stubborn.reduce(self.engine, reduction, state, self.machine.timeout, (out, first));
        self.n_left_out += (n_successors - out.len()) as u64;
    }

    /// Returns the number of successors that the reduction has left out.
    pub fn n_left_out(&self) -> u64 {
        self.n_left_out
    }

    /// Returns why a run must not end in a state, if so.
    fn invalid_end(&self, state: &[Word]) -> Option<Fault> {
        let layout = &self.engine.layout;
        let n_processes = layout.n_processes.get(state) as usize;
        let may_end = |process: usize| {
            let location = layout.processes[process].location.get(state) as usize;
            self.engine.table(process, state).places[location].is_end
        };
        match () {
            () if !(0..n_processes).all(may_end) => Some(Fault::InvalidEnd),
            () if n_processes > 0 && !self.is_end_of_trace(state) => Some(Fault::UnfinishedTrace),
            () if self.semantics.requires_empty_channels && !self.has_no_message(state) => {
                Some(Fault::MessagesLeft)
            }
            () => None,
        }
    }
}

impl TransitionSystem for View<'_> {
    fn width(&self) -> usize {
        self.engine.layout.width
    }

    fn initial(&self, state: &mut [Word]) {
        // Missing room was recorded when the view was created.
        let _ = births::initial(self.engine, state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        if self.missing_room.is_some()
            || self.is_sequence_too_long
            || self.engine.layout.fault.get(state) != 0
        {
            return self.whole();
        }
        self.before = (self.is_sequence_too_long, self.has_met_fault, self.has_witness);
        let n_before = out.len();
        self.note_witness(state, false);
        self.has_moved = false;
        self.machine.timeout = false;
        self.all_moves(state, out);
        if !self.has_moved {
            self.machine.timeout = true;
            self.all_moves(state, out);
        }
        if self.has_moved || self.stop.is_some() {
            self.drop_excluded(n_before, out);
            self.whole()?;
            self.reduce(state, n_before, out);
            return Ok(());
        }
        let fault = match self.invalid_end(state) {
            None => {
                self.note_witness(state, true);
                self.ends_wrongly(state).then_some(Fault::Sequence)
            }
            Some(fault) => (!self.semantics.allows_blocked_end).then_some(fault),
        };
        if let Some(fault) = fault {
            let next = out.branch(system::Step::PLAIN, state);
            self.engine.layout.fault.set(next, fault.number());
            self.note_end(None);
        }
        self.whole()
    }

    fn all_successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.computes_all = true;
        let result = self.successors(state, out);
        self.computes_all = false;
        result
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        let fault = self.engine.layout.fault.get(state);
        match self.engine.following {
            Some(_) => fault == Fault::Sequence.number(),
            None => fault != 0,
        }
    }
}

impl Stepper for View<'_> {
    fn missing_room(&self) -> Option<MissingRoom> {
        self.missing_room
    }

    fn clear_missing_room(&mut self) {
        self.missing_room = None;
        (self.is_sequence_too_long, self.has_met_fault, self.has_witness) = self.before;
    }

    fn n_inner(&self) -> u64 {
        self.n_inner_before + self.n_inner as u64
    }
}

impl Shape {
    /// Creates a shape with room for the initial state.
    pub fn at_start(network: &Network) -> Self {
        births::shape_at_start(network)
    }
}
