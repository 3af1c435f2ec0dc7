//! The product of a system and its observer.
//!
//! A state of the product is a state of the system and the location of the
//! observer before it moves. The observer moves first, and a run that it cannot
//! follow is dropped; then the system moves. If the system cannot move, its last
//! state is repeated for ever and only the observer moves; `np_` is false then.
//! The last state is also repeated if there is no observer.
//!
//! An error of the system ends a run here and is not a goal: errors are searched
//! for in the system alone. A goal is an observer at its end, or one that finds
//! an error itself.

use super::moves::Repetition;
use super::{Fault, Passage, Semantics, SuccessorChoice, Trace, View};
use crate::explicit::engine::{Act, Engine, Move, ObserverTable};
use crate::explicit::growing::Stepper;
use crate::explicit::layout::MissingRoom;
use crate::net::TransitionId;
use crate::system::{self, Abort, Marked, Successors, TransitionSystem, Word};

/// Mark of an accepting location.
const ACCEPTANCE: u64 = 1;

/// Maximum number of processes for which fairness can be checked.
pub const MAX_FAIR_PROCESSES: usize = u64::BITS as usize - 1;

/// A view of an engine with its observer. Without an observer, accept labels of
/// the processes are accepting.
#[derive(Debug)]
pub struct Product<'e> {
    view: View<'e>,
    /// Whether weak fairness is assumed.
    is_fair: bool,
    /// States after the next step of the observer.
    observed: Successors,
    /// Steps of the observer to each of them, for trails.
    paths: Vec<Vec<TransitionId>>,
    records_paths: bool,
    /// Executable moves of the observer.
    ready: Vec<&'e Move>,
    /// Successors of the system alone.
    inner: Successors,
    /// Processes that move to each of these successors, and enabled processes.
    movers: Vec<u64>,
    enabled: u64,
    has_met_fault: bool,
    /// Value of `has_met_fault` before the current state.
    had_met_fault: bool,
}

impl<'e> Product<'e> {
    /// Creates a view of `engine`, with weak fairness if `is_fair`.
    pub fn new(engine: &'e Engine<'e>, semantics: Semantics, is_fair: bool) -> Self {
        let width = engine.layout.width;
        Self {
            view: View::new(engine)
                .with_semantics(semantics)
                .allowing_blocked_end()
                .finding_endless_sequences(),
            is_fair,
            observed: Successors::new(width),
            paths: Vec::new(),
            records_paths: false,
            ready: Vec::new(),
            inner: Successors::new(width),
            movers: Vec::new(),
            enabled: 0,
            has_met_fault: false,
            had_met_fault: false,
        }
    }

    /// Returns the room that the shape is missing.
    pub fn missing_room(&self) -> Option<MissingRoom> {
        self.view.missing_room()
    }

    /// Returns the number of successors that the reduction has left out.
    pub fn n_left_out(&self) -> u64 {
        self.view.n_left_out()
    }

    /// Returns the fault of a state.
    pub fn fault(&self, state: &[Word]) -> Option<Fault> {
        self.view.fault(state)
    }

    /// Returns whether a run has ended in an error of the system.
    pub fn has_met_fault(&self) -> bool {
        self.has_met_fault
    }

    /// Returns the requested passage with the fewest statements.
    pub fn passage(&mut self, from: &[Word], requested: SuccessorChoice) -> Option<Passage> {
        let engine = self.view.engine;
        let layout = &engine.layout;
        let mut best: Option<Passage> = None;
        let mut inner = self.view.passages(from);
        self.records_paths = true;
        self.observe(from);
        self.records_paths = false;
        let mut n_before = 0;
        for (target, path) in self.observed.iter().zip(&self.paths) {
            let is_wrong = layout.fault.get(target) != 0;
            if !is_wrong && engine.observer.as_ref().is_some_and(|it| it.writes) {
                inner = self.view.passages(target);
            }
            let mut next = target.to_vec();
            if is_wrong || inner.is_empty() {
                if !is_wrong {
                    self.rest(&mut next);
                }
                if requested.is(n_before, &next) {
                    best = shorter(best, Passage { observer: path.clone(), steps: Vec::new(), state: next });
                }
                n_before += 1;
                continue;
            }
            let mut choices = Vec::new();
            let good = inner.states().enumerate().filter(|(_, state)| layout.fault.get(state) == 0);
            for (choice, state) in good {
                next.copy_from_slice(state);
                layout.observer.set(&mut next, layout.observer.get(target));
                if requested.is(n_before, &next) {
                    choices.push(choice);
                }
                n_before += 1;
            }
            if let Some(steps) = inner.shortest(choices.into_iter()) {
                let state = requested.state.to_vec();
                best = shorter(best, Passage { observer: path.clone(), steps, state });
            }
        }
        best
    }

    /// Computes the successors of the system alone. The view records whether
    /// some are missing.
    fn system(&mut self, state: &[Word]) {
        self.inner.clear();
        self.movers.clear();
        self.enabled = 0;
        if !self.is_fair {
            let _ = self.view.successors(state, &mut self.inner);
            return;
        }
        self.view.trace = Some(Trace::default());
        let _ = self.view.successors(state, &mut self.inner);
        let Some(trace) = self.view.trace.take() else { return };
        for (before, step) in &trace.steps {
            if before.is_none() {
                self.enabled |= bit(step.process);
            }
        }
        for &end in &trace.ends {
            let steps = std::iter::successors(end, |&at| trace.steps[at].0).map(|at| trace.steps[at].1);
            let movers = steps.map(|step| bit(step.process) | step.partner.map_or(0, |(it, _)| bit(it)));
            self.movers.push(movers.fold(0, |all, it| all | it));
        }
    }

    /// Emits the successors, each with the index of its successor in the system
    /// and the step to it.
    fn step(
        &mut self,
        state: &[Word],
        mut emit: impl FnMut(&mut Self, Option<usize>, system::Step, &[Word], &[Word]),
    ) -> Result<(), Abort> {
        let engine = self.view.engine;
        if self.view.whole().is_err() || engine.layout.fault.get(state) != 0 {
            return self.view.whole();
        }
        self.had_met_fault = self.has_met_fault;
        self.system(state);
        self.observe(state);
        let observed = std::mem::replace(&mut self.observed, Successors::new(engine.layout.width));
        for target in observed.iter() {
            if engine.layout.fault.get(target) != 0 {
                emit(self, None, system::Step::PLAIN, target, target);
                continue;
            }
            if engine.observer.as_ref().is_some_and(|it| it.writes) {
                self.system(target);
            }
            // Missing successors do not mean that the system has ended.
            if self.inner.is_empty() && self.view.has_moved {
                // A reduction leaves out all where no run violates the property.
                self.view.has_endless_sequence |= !engine.has_reduction();
            } else if self.inner.is_empty() && self.view.whole().is_ok() {
                let mut last = target.to_vec();
                self.rest(&mut last);
                emit(self, None, system::Step::PLAIN, &last, target);
            }
            let inner = std::mem::replace(&mut self.inner, Successors::new(engine.layout.width));
            for (index, next) in inner.iter().enumerate() {
                match engine.layout.fault.get(next) {
                    0 => emit(self, Some(index), inner.steps()[index], next, target),
                    _ => self.has_met_fault = true,
                }
            }
            self.inner = inner;
        }
        self.observed = observed;
        self.view.whole()
    }

    /// Marks a state as the last one of the system.
    fn rest(&self, last: &mut [Word]) {
        self.view.engine.layout.is_over.set(last, 1);
    }

    /// Returns whether a cycle through this state is accepting.
    fn is_accepting(&self, state: &[Word]) -> bool {
        let engine = self.view.engine;
        let layout = &engine.layout;
        let watches = |it: &ObserverTable| it.table.places[layout.observer.get(state) as usize].is_accept;
        if engine.observer.as_ref().is_some_and(watches) {
            return true;
        }
        engine.observer.as_ref().is_none_or(|it| it.sees_labels)
            && (0..layout.n_processes.get(state) as usize).any(|process| {
                let location = layout.processes[process].location.get(state) as usize;
                engine.table(process, state).places[location].is_accept
            })
    }

    /// Computes the states after the next step of the observer; the state itself
    /// if there is no observer.
    fn observe(&mut self, state: &[Word]) {
        let engine = self.view.engine;
        let mut observed = std::mem::replace(&mut self.observed, Successors::new(engine.layout.width));
        observed.clear();
        self.paths.clear();
        match &engine.observer {
            None => {
                observed.branch(system::Step::PLAIN, state);
                self.paths.push(Vec::new());
            }
            Some(watching) => self.observe_from(watching, state, &mut observed),
        }
        self.observed = observed;
    }

    fn observe_from(&mut self, watching: &'e ObserverTable, state: &[Word], observed: &mut Successors) {
        self.find_moves(watching, state);
        let ready = std::mem::take(&mut self.ready);
        // Only atomic sequences of a claim are continued.
        let mut pending = Vec::new();
        for &a_move in &ready {
            let next = observed.branch(system::Step::PLAIN, state);
            self.observe_by(watching, a_move, next);
            if a_move.keeps_control && self.view.engine.layout.fault.get(next) == 0 {
                pending.push((next.to_vec(), vec![a_move.id]));
                observed.truncate(observed.len() - 1);
            } else if self.records_paths {
                self.paths.push(vec![a_move.id]);
            }
        }
        self.ready = ready;
        let mut seen: Vec<Vec<Word>> = Vec::new();
        while let Some((state, path)) = pending.pop() {
            if seen.contains(&state) {
                continue;
            }
            // A sequence that blocks is dropped.
            self.find_moves(watching, &state);
            for a_move in self.ready.clone() {
                let mut next = state.clone();
                self.observe_by(watching, a_move, &mut next);
                let path = [&path[..], &[a_move.id]].concat();
                match a_move.keeps_control && self.view.engine.layout.fault.get(&next) == 0 {
                    true => pending.push((next, path)),
                    false => {
                        observed.branch(system::Step::PLAIN, &next);
                        self.paths.push(path);
                    }
                }
            }
            seen.push(state);
        }
    }

    /// Finds the executable moves of the observer.
    fn find_moves(&mut self, watching: &'e ObserverTable, state: &[Word]) {
        let places = &watching.table.places;
        let location = self.view.engine.layout.observer.get(state) as usize;
        for at in places[location].escapes.iter().copied().chain([location]) {
            self.ready.clear();
            for a_move in &places[at].moves {
                let is_excluded = a_move.is_else && !self.ready.is_empty();
                if !is_excluded && self.is_ready(watching, a_move, state) {
                    self.ready.push(a_move);
                }
            }
            if !self.ready.is_empty() {
                return;
            }
        }
    }

    /// Returns whether a move of the observer is executable. An `else` is
    /// executable if it is reached in the order of the text.
    fn is_ready(&mut self, watching: &ObserverTable, a_move: &Move, state: &[Word]) -> bool {
        let machine = &mut self.view.machine;
        let is_ready = match &a_move.act {
            Act::Guard(guard) => {
                machine.value(self.view.engine, guard, state) != 0 || machine.cause.is_some()
            }
            Act::Deterministic(first) => self.first_ready(watching, *first, state).is_some(),
            Act::Else | Act::Otherwise | Act::Skip | Act::Assert(_) | Act::Print(_) | Act::Assign { .. } => {
                true
            }
            _ => false,
        };
        self.view.machine.cause = None;
        is_ready
    }

    /// Returns the first executable move of a location of the observer.
    fn first_ready<'m>(
        &mut self,
        watching: &'m ObserverTable,
        location: usize,
        state: &[Word],
    ) -> Option<&'m Move> {
        watching.table.places[location].moves.iter().find(|it| self.is_ready(watching, it, state))
    }

    /// Executes a move of the observer in the state.
    fn observe_by(&mut self, watching: &ObserverTable, a_move: &Move, state: &mut [Word]) {
        match a_move.act {
            Act::Deterministic(first) => self.observe_d_step(watching, first, state),
            _ => self.observe_statement(watching, a_move, state),
        }
        self.view.engine.layout.is_over.set(state, 0);
    }

    /// Executes a `d_step` of the observer that begins at `first`: each time the
    /// first executable statement.
    fn observe_d_step(&mut self, watching: &ObserverTable, first: usize, state: &mut [Word]) {
        let layout = &self.view.engine.layout;
        let places = &watching.table.places;
        self.view.begin_inner();
        let mut repetition = Repetition::default();
        let mut location = first;
        while places[location].deterministic == places[first].deterministic
            && layout.fault.get(state) == 0
            && self.view.missing_room.is_none()
            && self.view.is_inner_allowed()
        {
            match self.first_ready(watching, location, state) {
                Some(inner) => self.observe_statement(watching, inner, state),
                None => layout.fault.set(state, Fault::BlockedStep.number()),
            }
            if repetition.is_met(state) {
                layout.fault.set(state, Fault::EndlessStep.number());
            }
            location = layout.observer.get(state) as usize;
        }
    }

    /// Executes one statement of the observer, which is executable.
    fn observe_statement(&mut self, watching: &ObserverTable, a_move: &Move, state: &mut [Word]) {
        let engine = self.view.engine;
        let layout = &engine.layout;
        let machine = &mut self.view.machine;
        match &a_move.act {
            Act::Guard(guard) => {
                machine.value(engine, guard, state);
            }
            Act::Assert(condition) if machine.value(engine, condition, state) == 0 => {
                layout.fault.set(state, Fault::Assertion.number());
            }
            Act::Print(values) => self.view.evaluate_printed(values, state),
            Act::Assign { target, value } => {
                let value = machine.value(engine, value, state);
                if let Some(field) = self.view.field(target, state) {
                    self.view.assign(field, value, state);
                }
            }
            _ => {}
        }
        layout.observer.set(state, a_move.to);
        if let Some(cause) = self.view.machine.cause.take() {
            layout.fault.set(state, Fault::from(cause).number());
        } else if let Some(Move { act: Act::End, .. }) =
            watching.table.places[a_move.to as usize].moves.first()
        {
            layout.fault.set(state, Fault::Observed.number());
        }
    }
}

/// Returns the passage with fewer statements, the first one if they are equal.
fn shorter(best: Option<Passage>, other: Passage) -> Option<Passage> {
    match best {
        Some(best) if best.n_statements() <= other.n_statements() => Some(best),
        _ => Some(other),
    }
}

fn bit(process: usize) -> u64 {
    ACCEPTANCE << (process + 1)
}

impl TransitionSystem for Product<'_> {
    fn width(&self) -> usize {
        self.view.width()
    }

    fn initial(&self, state: &mut [Word]) {
        self.view.initial(state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        let observer = self.view.engine.layout.observer;
        self.step(state, |_, _, step, next, target| {
            observer.set(out.branch(step, next), observer.get(target));
        })
    }

    fn all_successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.view.computes_all = true;
        let result = self.successors(state, out);
        self.view.computes_all = false;
        result
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.view.is_goal(state)
    }
}

impl Stepper for Product<'_> {
    fn missing_room(&self) -> Option<MissingRoom> {
        self.view.missing_room()
    }

    fn clear_missing_room(&mut self) {
        self.view.clear_missing_room();
        self.has_met_fault = self.had_met_fault;
    }

    fn n_inner(&self) -> u64 {
        self.view.n_inner()
    }
}

impl Marked for Product<'_> {
    fn all_marks(&self) -> u64 {
        let n_processes = self.view.engine.layout.processes.len().min(MAX_FAIR_PROCESSES);
        match self.is_fair {
            true => u64::MAX >> (MAX_FAIR_PROCESSES - n_processes),
            false => ACCEPTANCE,
        }
    }

    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort> {
        let observer = self.view.engine.layout.observer;
        let fairness = self.all_marks() & !ACCEPTANCE;
        let acceptance = if self.is_accepting(state) { ACCEPTANCE } else { 0 };
        self.step(state, |this, index, step, next, target| {
            observer.set(out.branch(step, next), observer.get(target));
            let moved = index.and_then(|index| this.movers.get(index)).copied().unwrap_or_default();
            marks.push(acceptance | (moved | !this.enabled) & fairness);
        })?;
        // Such a run is infinite, and the observer does not see it.
        self.view.is_sequence_too_long |= self.view.has_endless_sequence;
        self.view.whole()
    }
}
