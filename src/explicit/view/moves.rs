//! What one process can do.

use super::{Fault, Step, View};
use crate::explicit::engine::{Act, Engine, Move, Target};
use crate::explicit::layout::Field;
use crate::lang::promela::tree::ProctypeId;
use crate::system::{Successors, Word};

/// What a move comes to in a state.
pub(super) enum Ready {
    Blocked,
    Fault(Fault),
    /// Only the location changes.
    Nothing,
    Assign(Option<Field>, i32),
    /// `values` of the view have the message.
    Send {
        channel: usize,
        at: usize,
    },
    Receive {
        channel: usize,
        message: usize,
    },
    /// `values` of the view have the message; someone must take it.
    Offer {
        channel: usize,
    },
    /// `values` of the view have the arguments; the number of the new
    /// process goes to a field.
    Run(ProctypeId, Option<Field>),
    End,
    Deterministic,
}

impl View<'_> {
    pub(super) fn process_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) {
        let engine = self.engine;
        let table = engine.table(process, state);
        if let Some(provided) = &table.provided
            && self.machine.value(engine, provided, state) == 0
        {
            return;
        }
        let location = engine.layout.processes[process].location.get(state) as usize;
        let place = &table.places[location];
        for &escape in &place.escapes {
            if self.moves_at(process, escape, state, out) {
                return;
            }
        }
        self.moves_at(process, location, state, out);
    }

    /// Makes the moves of one place; is there any?
    fn moves_at(&mut self, process: usize, location: usize, state: &[Word], out: &mut Successors) -> bool {
        let place = &self.engine.table(process, state).places[location];
        let before = (out.len(), self.pending.len());
        for a_move in &place.moves {
            match a_move.act {
                // It stands behind the moves of its selection.
                Act::Else if before == (out.len(), self.pending.len()) => {
                    self.finish(process, a_move, Ready::Nothing, state, out);
                }
                Act::Else => {}
                _ => self.make(process, a_move, state, out),
            }
        }
        before != (out.len(), self.pending.len())
    }

    fn make(&mut self, process: usize, a_move: &Move, state: &[Word], out: &mut Successors) {
        match self.prepare(process, a_move, state) {
            Ready::Blocked => {}
            Ready::Offer { channel } => self.offer(process, a_move, channel, state, out),
            ready => self.finish(process, a_move, ready, state, out),
        }
    }

    /// The successor by a move of one process.
    fn finish(&mut self, process: usize, a_move: &Move, ready: Ready, state: &[Word], out: &mut Successors) {
        self.executed[a_move.mark] = true;
        let step = Step { process, transition: a_move.id, partner: None };
        let holder = a_move.keeps_control.then_some(process);
        self.emit(state, step, holder, out, |view, next| view.perform(process, a_move, ready, state, next));
        if self.lack.is_some() {
            self.pending.clear();
        }
    }

    /// Looks whether a move is possible and what it will do.
    pub(super) fn prepare(&mut self, process: usize, a_move: &Move, state: &[Word]) -> Ready {
        let engine = self.engine;
        let ready = match &a_move.act {
            Act::Skip => return Ready::Nothing,
            Act::Else => return Ready::Blocked,
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
                0 => Ready::Fault(Fault::Assertion),
                _ => Ready::Nothing,
            },
            Act::Assign { target, value } => {
                let value = self.machine.value(engine, value, state);
                Ready::Assign(self.field(target, state), value)
            }
            Act::Run { proctype, arguments, target } => {
                self.values.clear();
                for argument in arguments {
                    let value = self.machine.value(engine, argument, state);
                    self.values.push(value);
                }
                Ready::Run(*proctype, self.field(target, state))
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

    /// The field that a target means in a state.
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

    /// Does what was prepared.
    pub(super) fn perform(
        &mut self,
        process: usize,
        a_move: &Move,
        ready: Ready,
        state: &[Word],
        next: &mut [Word],
    ) {
        let engine: &Engine = self.engine;
        let room = &engine.layout.processes[process];
        room.location.set(next, a_move.to);
        match ready {
            Ready::Nothing | Ready::Blocked | Ready::Offer { .. } => {}
            Ready::Fault(fault) => engine.layout.fault.set(next, fault.number()),
            Ready::Assign(Some(field), value) => field.set(next, value),
            Ready::Assign(None, _) => {}
            Ready::Send { channel, at } => self.put(channel, at, next),
            Ready::Receive { channel, message } => self.take(a_move, channel, message, state, next),
            Ready::Run(proctype, target) => self.run(proctype, target, next),
            Ready::End => self.die(process, next),
            Ready::Deterministic => {
                if let Act::Deterministic(first) = a_move.act {
                    room.location.set(next, first as i32);
                    self.run_through(process, first, next);
                }
            }
        }
        if let Some(cause) = self.machine.cause.take() {
            engine.layout.fault.set(next, Fault::from(cause).number());
        }
    }

    /// The first possible move of a place.
    fn first_of(
        &mut self,
        process: usize,
        place: &crate::explicit::engine::Place,
        state: &[Word],
    ) -> Option<usize> {
        (0..place.moves.len()).find(|&index| {
            let a_move = &place.moves[index];
            matches!(a_move.act, Act::Else) || !matches!(self.prepare(process, a_move, state), Ready::Blocked)
        })
    }

    /// A `d_step` that begins at `first`: one possible move after another,
    /// from where the process stands.
    pub(super) fn run_through(&mut self, process: usize, first: usize, next: &mut [Word]) {
        let engine = self.engine;
        let room = &engine.layout.processes[process];
        let mut before = self.spare.pop().unwrap_or_default();
        let places = &engine.table(process, next).places;
        let inside = places[first].deterministic;
        let mut location = room.location.get(next) as usize;
        while places[location].deterministic == inside && engine.layout.fault.get(next) == 0 {
            if !self.is_inner_allowed() {
                break;
            }
            before.clear();
            before.extend_from_slice(next);
            let Some(index) = self.first_of(process, &places[location], &before) else {
                engine.layout.fault.set(next, Fault::BlockedStep.number());
                break;
            };
            let inner = &places[location].moves[index];
            let ready = match inner.act {
                Act::Else => Ready::Nothing,
                _ => self.prepare(process, inner, &before),
            };
            match ready {
                Ready::Offer { .. } => engine.layout.fault.set(next, Fault::BlockedStep.number()),
                ready => {
                    self.executed[inner.mark] = true;
                    self.perform(process, inner, ready, &before, next);
                }
            }
            location = room.location.get(next) as usize;
        }
        self.spare.push(before);
    }
}
