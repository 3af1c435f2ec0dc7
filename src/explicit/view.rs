//! Stepping through an engine.
//!
//! A step of a process within an atomic sequence is gone on from at once,
//! until control is given up or lost: no state in the midst of a sequence is
//! ever seen from outside. A rendezvous is one step of two processes. What
//! goes wrong leads to a state that nothing follows and that says what it
//! was, so that a search for it is a search for a state.

mod births;
mod blocked;
mod channels;
mod events;
mod fault;
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
use crate::base::cancel::stop_reason;
use crate::base::control::Stop;
use crate::net::TransitionId;
use crate::net::{Network, TemplateId};
use crate::system::{self, Abort, Successors, TransitionSystem, Word};
use std::collections::{HashMap, VecDeque};

use step_cache::StepCache;

pub use blocked::{BlockedProcess, BlockedStatement, Obstacle};
pub use fault::Fault;
pub use product::{MOST_FAIR, Product};
pub use single::{Ending, Inside, Moment, Taken};
pub use step::{Passage, Passages, Step, SuccessorChoice};

/// Steps within one atomic sequence, after which repetitions are looked for.
const LONG_SEQUENCE: usize = 256;

/// Steps of one process that follow one state within atomic sequences and
/// `d_step`s at most: more are taken for endless.
const MOST_INNER_STEPS: usize = 1 << 20;

/// Words of states within atomic sequences that are kept at most.
const MOST_INNER_WORDS: usize = 1 << 25;

/// Words of a state, times processes, above which an expansion looks whether
/// the run is to stop before each process.
const WORDS_PER_POLL: usize = 1 << 15;

/// How a system is run where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    /// Invalid end states are no fault.
    pub allows_blocked_end: bool,
    /// Assertions that do not hold are passed over.
    pub allows_failed_assertions: bool,
    /// What `xr` and `xs` promise need not be kept.
    pub allows_broken_promises: bool,
    /// A send to a full channel can happen, and its message is lost.
    pub loses_messages: bool,
    /// A system ends well only where no message waits.
    pub wants_empty_channels: bool,
}

/// A view of an engine.
#[derive(Debug)]
pub struct View<'e> {
    engine: &'e Engine<'e>,
    machine: Machine,
    /// Per transition of the program, whether it was ever made.
    executed: Vec<bool>,
    /// Steps within sequences of the process at hand.
    n_inner: usize,
    /// The same of all processes before it.
    n_inner_before: u64,
    /// Was a sequence too long to be followed to its end?
    has_given_up: bool,
    /// Why the run is to stop, if that was noticed within an expansion.
    stop: Option<Stop>,
    /// What the layout has no room for.
    lack: Option<MissingRoom>,
    /// Has any process moved since the last state was looked at?
    has_moved: bool,
    /// Was there a run that the property of an order of events is about?
    has_witness: bool,
    /// Has anything gone wrong so far? Kept where orders of events are followed.
    has_met_fault: bool,
    /// The last three before the current state.
    before: (bool, bool, bool),
    semantics: Semantics,
    /// May steps be recalled?
    uses_step_cache: bool,
    /// Those that were worked out.
    step_cache: Option<Box<StepCache>>,
    values: Vec<i32>,
    /// The message that a receive takes.
    received: Vec<i32>,
    /// States within atomic sequences that are to be gone on from.
    pending: VecDeque<Pending>,
    /// The first step of the current sequence, with the length so far; `None`
    /// outside of sequences.
    passage: Option<system::Step>,
    /// Recycled room for them.
    spare: Vec<Vec<Word>>,
    trace: Option<Trace>,
    /// Are successors made for a trail? Then all are made, whatever limit was
    /// reached.
    is_replaying: bool,
    /// Are single steps cancelled when the run is to stop?
    is_cancellable: bool,
}

#[derive(Debug)]
struct Pending {
    state: Vec<Word>,
    holder: usize,
    /// The last of its steps in the trace.
    at: Option<usize>,
    /// The first step of the sequence, with the length so far.
    passage: system::Step,
}

/// The steps to every successor, for trails.
#[derive(Debug, Default)]
struct Trace {
    /// Each with the one before it.
    steps: Vec<(Option<usize>, Step)>,
    /// Per step what was done within it.
    inside: Vec<Vec<Inside>>,
    /// What was done within the step at hand.
    at_hand: Vec<Inside>,
    /// Per successor its last step.
    ends: Vec<Option<usize>>,
    /// The last step to the state that is being expanded.
    at: Option<usize>,
}

impl<'e> View<'e> {
    /// A view of `engine`.
    pub fn new(engine: &'e Engine<'e>) -> Self {
        let lack = births::initial(engine, &mut vec![0; engine.layout.width]);
        Self {
            engine,
            machine: Machine::default(),
            executed: vec![false; engine.n_transitions],
            n_inner: 0,
            n_inner_before: 0,
            has_given_up: false,
            stop: None,
            lack,
            has_moved: false,
            has_witness: false,
            has_met_fault: false,
            before: (false, false, false),
            semantics: Semantics::default(),
            uses_step_cache: Self::uses_step_cache(engine),
            step_cache: None,
            values: Vec::new(),
            received: Vec::new(),
            pending: VecDeque::new(),
            passage: None,
            spare: Vec::new(),
            trace: None,
            is_replaying: false,
            is_cancellable: false,
        }
    }

    /// Runs the system with other semantics.
    pub fn with_semantics(mut self, semantics: Semantics) -> Self {
        self.semantics = semantics;
        self.machine.allows_broken_promises = semantics.allows_broken_promises;
        self
    }

    /// Lets a system end anywhere.
    pub fn allowing_blocked_end(mut self) -> Self {
        self.semantics.allows_blocked_end = true;
        self
    }

    /// Lets assertions pass that do not hold.
    pub fn allowing_failed_assertions(mut self) -> Self {
        self.semantics.allows_failed_assertions = true;
        self
    }

    /// What the layout lacked.
    pub fn lack(&self) -> Option<MissingRoom> {
        self.lack
    }

    /// Was there a run that the property of an order of events is about: one
    /// that meets the assumptions and, if only complete runs count, has ended?
    pub fn has_witness(&self) -> bool {
        self.has_witness
    }

    /// Has any run ended in a fault so far, where orders of events are
    /// followed?
    pub fn has_met_fault(&self) -> bool {
        self.has_met_fault
    }

    /// Was the transition made on the way to any state that was seen?
    pub fn has_executed(&self, template: TemplateId, transition: TransitionId) -> bool {
        self.executed[self.engine.first_transitions[template.index()] + transition.index()]
    }

    /// Counts a step within a sequence; may there be more of them?
    fn is_inner_allowed(&mut self) -> bool {
        self.n_inner += 1;
        let n_words = self.n_inner.saturating_mul(self.engine.layout.width);
        self.has_given_up |= self.n_inner > MOST_INNER_STEPS || n_words > MOST_INNER_WORDS;
        !self.has_given_up
    }

    /// Whether all successors could be made.
    fn whole(&self) -> Result<(), Abort> {
        match self.stop {
            _ if self.lack.is_some() => Err(Abort::Restart),
            Some(stop) => Err(Abort::Stopped(stop)),
            None if self.has_given_up => Err(Abort::TooLong),
            None => Ok(()),
        }
    }

    /// What is wrong with a state.
    pub fn fault(&self, state: &[Word]) -> Option<Fault> {
        let number = self.engine.layout.fault.get(state) as usize;
        number.checked_sub(1).map(|index| Fault::ALL[index])
    }

    /// All successors of a state with the steps that lead there; only some of
    /// them if the layout has no room for all, or if a sequence is too long.
    pub fn passages(&mut self, state: &[Word]) -> Passages {
        self.trace = Some(Trace::default());
        let mut states = Successors::new(self.engine.layout.width);
        let before = (self.lack, self.has_given_up);
        self.is_replaying = true;
        let _ = self.successors(state, &mut states);
        self.is_replaying = false;
        (self.lack, self.has_given_up) = before;
        let Trace { steps, ends, .. } = self.trace.take().unwrap_or_default();
        Passages { steps, ends, states }
    }

    /// The way with the fewest statements among those that are meant.
    pub fn passage(&mut self, from: &[Word], meant: SuccessorChoice) -> Option<Passage> {
        let all = self.passages(from);
        let choices = all.states().enumerate().filter(|(choice, state)| meant.is(*choice, state));
        let steps = all.shortest(choices.map(|(choice, _)| choice))?;
        Some(Passage { observer: Vec::new(), steps, state: meant.state.to_vec() })
    }

    /// Cancels [`steps`](Self::steps) when the run is to stop. Otherwise they
    /// are made whatever happens, to describe a trail.
    pub fn cancellable(mut self) -> Self {
        self.is_cancellable = true;
        self
    }

    /// Steps of all processes, youngest first.
    fn all_moves(&mut self, state: &[Word], out: &mut Successors) {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let uses_step_cache = self.uses_step_cache && self.trace.is_none() && !self.machine.timeout;
        // One expansion of large states can take longer than all else.
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
            // The successors are not used; only trails ask for them.
            if !has_room && self.trace.is_none() {
                break;
            }
        }
    }

    /// Computes the successors by one process, with those of its atomic
    /// sequences. Returns whether the layout had room for them.
    fn computed_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) -> bool {
        self.n_inner_before += std::mem::take(&mut self.n_inner) as u64;
        self.process_moves(process, state, out);
        self.go_on(out);
        self.lack.is_none()
    }

    /// Goes on from states within atomic sequences.
    fn go_on(&mut self, out: &mut Successors) {
        if self.pending.is_empty() {
            return;
        }
        // Only who can be the first to move waits for a timeout.
        let timeout = std::mem::replace(&mut self.machine.timeout, false);
        let mut n_steps = 0;
        // States of long sequences, with the statements that led there: first
        // come those of few, so hardly any comes a second time with fewer.
        let mut seen: HashMap<Vec<Word>, u32> = HashMap::new();
        while let Some(Pending { state, holder, at, passage }) = self.pending.pop_front() {
            n_steps += 1;
            if !self.is_inner_allowed() {
                self.pending.clear();
                break;
            }
            if n_steps <= LONG_SEQUENCE || is_shorter(&mut seen, &state, passage.cost) {
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
        self.machine.timeout = timeout;
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
        let passage = match self.passage {
            Some(first) => system::Step { cost: first.cost + step.n_statements(), ..first },
            None => system::Step { id: step.id, cost: step.n_statements(), process: step.process as u32 },
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
            // Nothing can be built on a state that there is no room for.
            0 if self.lack.is_some() => {
                self.pending.clear();
                self.spare.push(state);
            }
            0 if !self.is_excluded(&state) => self.pending.push_back(Pending { state, holder, at, passage }),
            _ => {
                self.end_passage(out.branch(passage, &state), at);
                self.spare.push(state);
            }
        }
    }

    /// Keeps who moved, where it is asked for.
    fn note_mover(&mut self, step: &Step, next: &mut [Word]) {
        if self.engine.network.uses.last {
            let mover = step.partner.map_or(step.process, |(receiver, _)| receiver);
            self.engine.layout.last.set(next, mover as i32);
        }
        if let Some(trace) = &mut self.trace {
            trace.inside.push(std::mem::take(&mut trace.at_hand));
        }
    }

    /// A successor is complete; `at` is its last step.
    fn end_passage(&mut self, next: &mut [Word], at: Option<usize>) {
        self.engine.hidden.iter().for_each(|field| field.set(next, 0));
        self.has_met_fault |= self.engine.following.is_some() && self.engine.layout.fault.get(next) != 0;
        self.note_end(at);
    }

    fn note_end(&mut self, at: Option<usize>) {
        if let Some(trace) = &mut self.trace {
            trace.ends.push(at);
        }
    }

    /// Why a run must not end in a state, if it must not.
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
            () if self.semantics.wants_empty_channels && !self.has_no_message(state) => {
                Some(Fault::MessagesLeft)
            }
            () => None,
        }
    }
}

/// Is a state new, or reached by fewer statements than before?
fn is_shorter(seen: &mut HashMap<Vec<Word>, u32>, state: &[Word], n_statements: u32) -> bool {
    match seen.get_mut(state) {
        Some(known) if *known <= n_statements => return false,
        Some(known) => *known = n_statements,
        None => drop(seen.insert(state.to_vec(), n_statements)),
    }
    true
}

impl TransitionSystem for View<'_> {
    fn width(&self) -> usize {
        self.engine.layout.width
    }

    fn initial(&self, state: &mut [Word]) {
        // What is lacking for it was noted when the view was made.
        let _ = births::initial(self.engine, state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        if self.lack.is_some() || self.has_given_up || self.engine.layout.fault.get(state) != 0 {
            return self.whole();
        }
        self.before = (self.has_given_up, self.has_met_fault, self.has_witness);
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
            return self.whole();
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

    fn is_goal(&self, state: &[Word]) -> bool {
        let fault = self.engine.layout.fault.get(state);
        match self.engine.following {
            Some(_) => fault == Fault::Sequence.number(),
            None => fault != 0,
        }
    }
}

impl Stepper for View<'_> {
    fn lack(&self) -> Option<MissingRoom> {
        self.lack
    }

    fn forgive(&mut self) {
        self.lack = None;
        (self.has_given_up, self.has_met_fault, self.has_witness) = self.before;
    }

    fn n_inner(&self) -> u64 {
        self.n_inner_before + self.n_inner as u64
    }
}

impl Shape {
    /// Room for what is there at the start.
    pub fn at_start(network: &Network) -> Self {
        births::shape_at_start(network)
    }
}
