//! The moves of one process.

use super::step::step_id;
use super::{Fault, Step, View};
use crate::explicit::code::{Cause, Piece};
use crate::explicit::engine::{Act, Engine, LocationMoves, Move, Target};
use crate::explicit::layout::Field;
use crate::net::TemplateId;
use crate::system::{Successors, Word};

/// Effect of a move in a state.
pub(super) enum Ready {
    Blocked,
    Fault(Fault),
    /// Only the location changes.
    Nothing,
    Assign(Option<Field>, i32),
    /// The message is in `values` of the view.
    Send {
        channel: usize,
        at: usize,
    },
    /// The message is in `received` of the view.
    Receive {
        channel: usize,
        message: usize,
    },
    /// The message is in `values` of the view; another process must receive it.
    Offer {
        channel: usize,
    },
    /// The arguments are in `values` of the view; the number of the new process
    /// is stored in a field.
    Run((TemplateId, i32), Option<Field>),
    SetPriority(i32, i32),
    End,
    Deterministic,
}

impl View<'_> {
    pub(super) fn process_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) {
        let engine = self.engine;
        let table = engine.table(process, state);
        let location = engine.layout.processes[process].location.get(state) as usize;
        let place = &table.places[location];
        match self.provided(table, state) {
            Ok(true) => {}
            Ok(false) => return,
            Err(cause) => {
                if let Some(a_move) = place.moves.first() {
                    self.finish(process, a_move, Ready::Fault(cause.into()), state, out);
                }
                return;
            }
        }
        if self.is_outranked(process, state) {
            return;
        }
        for &escape in &place.escapes {
            if self.moves_at(process, &table.places[escape], state, out) {
                return;
            }
        }
        self.moves_at(process, place, state, out);
    }

    /// Appends the moves of one location. Returns whether there is one.
    fn moves_at(
        &mut self,
        process: usize,
        place: &LocationMoves,
        state: &[Word],
        out: &mut Successors,
    ) -> bool {
        let mut n_made = 0;
        // A task can have several locations after its `else`: one move for each.
        let mut n_otherwise = 0;
        for a_move in &place.moves {
            let before = (out.len(), self.pending.len());
            let is_otherwise = a_move.is_else && matches!(a_move.act, Act::Otherwise);
            match a_move.is_else {
                true if (n_made == 0 || is_otherwise && n_made == n_otherwise)
                    && !self.is_offered(process, a_move, place, state) =>
                {
                    let ready = match a_move.act {
                        Act::Deterministic(_) => Ready::Deterministic,
                        _ => Ready::Nothing,
                    };
                    self.finish(process, a_move, ready, state, out);
                }
                true => {}
                false => self.make(process, a_move, state, out),
            }
            // Its successors are lost with all others, so the move is treated as
            // executed.
            if self.missing_room.is_some() && self.trace.is_none() {
                return true;
            }
            let is_made = before != (out.len(), self.pending.len());
            n_made += usize::from(is_made);
            n_otherwise += usize::from(is_made && is_otherwise);
            if n_made == 2 && self.engine.table(process, state).is_deterministic {
                self.finish(process, a_move, Ready::Fault(Fault::Nondeterminism), state, out);
                break;
            }
        }
        n_made > 0
    }

    fn make(&mut self, process: usize, a_move: &Move, state: &[Word], out: &mut Successors) {
        match self.prepare(process, a_move, state) {
            Ready::Blocked => {}
            Ready::Offer { channel } => self.offer(process, a_move, channel, state, out),
            ready => self.finish(process, a_move, ready, state, out),
        }
    }

    /// Appends the successor of a move of one process.
    fn finish(&mut self, process: usize, a_move: &Move, ready: Ready, state: &[Word], out: &mut Successors) {
        self.executed[a_move.mark] = true;
        let id = step_id((process, a_move.mark), None);
        let step = Step { process, transition: a_move.id, partner: None, id, n_statements: 1 };
        let holder = a_move.keeps_control.then_some(process);
        self.emit(state, step, holder, out, |view, next| view.perform(process, a_move, ready, next));
    }

    /// Determines whether a move is executable and its effect.
    pub(super) fn prepare(&mut self, process: usize, a_move: &Move, state: &[Word]) -> Ready {
        let engine = self.engine;
        let ready = match &a_move.act {
            Act::Skip => return Ready::Nothing,
            Act::Else | Act::Otherwise => return Ready::Blocked,
            Act::Deterministic(first) => {
                let place = &engine.table(process, state).places[*first];
                match self.first_of(process, place, state) {
                    Some(_) => Ready::Deterministic,
                    None => Ready::Blocked,
                }
            }
            Act::Guard(guard) => match self.machine.value(engine, guard, state) {
                0 => Ready::Blocked,
                _ => Ready::Nothing,
            },
            Act::Assert(condition) => match self.machine.value(engine, condition, state) {
                0 if !self.semantics.allows_failed_assertions => Ready::Fault(Fault::Assertion),
                _ => Ready::Nothing,
            },
            Act::Fail(guard, fault) => match self.machine.value(engine, guard, state) {
                0 => Ready::Blocked,
                _ => Ready::Fault(*fault),
            },
            Act::Print(values) => {
                self.evaluate_printed(values, state);
                Ready::Nothing
            }
            Act::Assign { target, value } => {
                let value = self.machine.value(engine, value, state);
                Ready::Assign(self.field(target, state), value)
            }
            Act::AssignWithin { target, value, range: (lo, hi) } => {
                let value = self.machine.value(engine, value, state);
                match (lo..=hi).contains(&&value) {
                    true => Ready::Assign(self.field(target, state), value),
                    false => Ready::Fault(Fault::OutOfRange),
                }
            }
            Act::SetPriority { process, value } => {
                let process = self.machine.value(engine, process, state);
                Ready::SetPriority(process, self.machine.value(engine, value, state))
            }
            Act::Run { template, arguments, priority, target } => {
                self.values.clear();
                for argument in arguments {
                    let value = self.machine.value(engine, argument, state);
                    self.values.push(value);
                }
                Ready::Run((*template, *priority), self.field(target, state))
            }
            Act::Send { channel, values, sorted } => self.prepare_send(channel, values, *sorted, state),
            Act::Receive { channel, patterns, any, .. } => {
                self.prepare_receive(channel, patterns, *any, state)
            }
            Act::End => {
                let youngest = engine.layout.n_processes.get(state) as usize - 1;
                if process == youngest { Ready::End } else { Ready::Blocked }
            }
        };
        match self.machine.cause.take() {
            Some(cause) => Ready::Fault(cause.into()),
            None => ready,
        }
    }

    /// Evaluates printed values for their errors. pan ignores divisions by zero
    /// in values that are only printed.
    pub(super) fn evaluate_printed(&mut self, values: &[Piece], state: &[Word]) {
        for value in values {
            self.machine.value(self.engine, value, state);
        }
        self.machine.cause = self.machine.cause.filter(|it| *it != Cause::DivisionByZero);
    }

    /// Returns the field of a target in a state.
    pub(super) fn field(&mut self, target: &Target, state: &[Word]) -> Option<Field> {
        match target {
            Target::Nowhere => None,
            Target::Field(field) => Some(*field),
            Target::Indexed(piece, start) => {
                let cells = self.machine.value(self.engine, piece, state);
                Some(self.engine.code.fields[*start as usize + cells as usize])
            }
        }
    }

    /// Stores a value in a variable or message.
    #[inline]
    pub(super) fn assign(&mut self, field: Field, value: i32, next: &mut [Word]) {
        if !field.assign(next, value) {
            self.missing_room.get_or_insert_with(|| self.engine.missing_bits(field, value));
        }
    }

    /// Executes a move that was prepared in the same state.
    pub(super) fn perform(&mut self, process: usize, a_move: &Move, ready: Ready, next: &mut [Word]) {
        let engine: &Engine = self.engine;
        let room = &engine.layout.processes[process];
        room.location.set(next, a_move.to);
        match ready {
            Ready::Nothing | Ready::Blocked | Ready::Offer { .. } => {}
            Ready::Fault(fault) => engine.layout.fault.set(next, fault.number()),
            Ready::Assign(Some(field), value) => self.assign(field, value, next),
            Ready::Assign(None, _) => {}
            Ready::Send { channel, at } => {
                self.put(channel, at, next);
                self.note_send(channel, next);
            }
            Ready::Receive { channel, message } => {
                self.note_receive(a_move, channel, next);
                self.take(a_move, channel, message, next);
            }
            Ready::SetPriority(process, value) => self.set_priority(process, value, next),
            Ready::Run(template, target) => self.run(template, target, next),
            Ready::End => self.remove_process(process, next),
            Ready::Deterministic => {
                if let Act::Deterministic(first) = a_move.act {
                    room.location.set(next, first as i32);
                    self.execute_d_step(process, first, next);
                }
            }
        }
        if let Some(cause) = self.machine.cause.take() {
            engine.layout.fault.set(next, Fault::from(cause).number());
        }
    }

    /// Returns the first executable move of a location, prepared.
    fn first_of<'m>(
        &mut self,
        process: usize,
        place: &'m LocationMoves,
        state: &[Word],
    ) -> Option<(&'m Move, Ready)> {
        place.moves.iter().find_map(|a_move| match a_move.act {
            Act::Else | Act::Otherwise => Some((a_move, Ready::Nothing)),
            _ => match self.prepare(process, a_move, state) {
                Ready::Blocked => None,
                ready => Some((a_move, ready)),
            },
        })
    }

    /// Executes a `d_step` that begins at `first`, from the current location of
    /// the process to the end.
    pub(super) fn execute_d_step(&mut self, process: usize, first: usize, next: &mut [Word]) {
        let engine = self.engine;
        let room = &engine.layout.processes[process];
        let places = &engine.table(process, next).places;
        let inside = places[first].deterministic;
        let mut location = room.location.get(next) as usize;
        let mut repetition = Repetition::default();
        // A value that did not fit is wrong, so the sequence cannot continue.
        while places[location].deterministic == inside
            && engine.layout.fault.get(next) == 0
            && self.missing_room.is_none()
            && self.is_inner_allowed()
        {
            match self.step_inside(process, &places[location], next) {
                Some(inner) => {
                    self.executed[inner.mark] = true;
                    self.note_inside(inner.id, next);
                    self.follow_inside(process, inner.id, next);
                }
                None => engine.layout.fault.set(next, Fault::BlockedStep.number()),
            }
            if repetition.is_met(next) {
                engine.layout.fault.set(next, Fault::EndlessStep.number());
            }
            location = room.location.get(next) as usize;
        }
    }

    /// Executes the first executable move of a location; a rendezvous is not
    /// executable inside a `d_step`.
    fn step_inside<'m>(
        &mut self,
        process: usize,
        place: &'m LocationMoves,
        next: &mut [Word],
    ) -> Option<&'m Move> {
        let engine = self.engine;
        for a_move in &place.moves {
            // The most frequent moves need no preparation.
            match &a_move.act {
                Act::Skip | Act::Else | Act::Otherwise => {}
                Act::Guard(guard) => {
                    if self.machine.value(engine, guard, next) == 0 && self.machine.cause.is_none() {
                        continue;
                    }
                }
                Act::Assign { target, value } => {
                    let value = self.machine.value(engine, value, next);
                    if let Some(field) = self.field(target, next) {
                        self.assign(field, value, next);
                    }
                }
                _ => match self.prepare(process, a_move, next) {
                    Ready::Blocked => continue,
                    Ready::Offer { .. } => return None,
                    ready => {
                        self.perform(process, a_move, ready, next);
                        return Some(a_move);
                    }
                },
            }
            engine.layout.processes[process].location.set(next, a_move.to);
            if let Some(cause) = self.machine.cause.take() {
                engine.layout.fault.set(next, Fault::from(cause).number());
            }
            return Some(a_move);
        }
        None
    }
}

/// Detects that a deterministic sequence of states is infinite: it stores a
/// state at increasing intervals and compares the following ones with it.
#[derive(Default)]
pub(super) struct Repetition {
    n_states: usize,
    kept: Vec<Word>,
}

impl Repetition {
    /// Minimum length of a sequence that is watched; most are shorter.
    const SHORT: usize = 64;

    /// Adds the next state; returns whether the sequence is infinite.
    pub(super) fn is_met(&mut self, state: &[Word]) -> bool {
        self.n_states += 1;
        if self.n_states < Self::SHORT {
            return false;
        }
        if self.n_states.is_power_of_two() {
            self.kept.clear();
            self.kept.extend_from_slice(state);
            return false;
        }
        self.kept == state
    }
}
