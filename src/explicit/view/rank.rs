//! Conditions under which a process may move: `provided`, priorities, `enabled`.

use super::moves::Ready;
use super::{Fault, View};
use crate::explicit::code::{Cause, Machine};
use crate::explicit::engine::{Act, Engine, Table};
use crate::system::Word;

impl<'e> View<'e> {
    /// Creates a view that evaluates `enabled` within an expression.
    pub(in crate::explicit) fn for_enabled(engine: &'e Engine<'e>, machine: Machine) -> Self {
        Self { machine, ..Self::new(engine) }
    }

    /// Returns whether the process can move, and the cause if this could not be
    /// evaluated.
    pub(in crate::explicit) fn can_move(mut self, process: usize, state: &[Word]) -> (bool, Option<Cause>) {
        let is_enabled = self.is_enabled(process, state);
        (is_enabled, self.machine.cause)
    }

    /// Returns whether the `provided` clause prevents a process from moving. A
    /// clause that fails does; this is an error of the process itself.
    pub(super) fn is_held(&mut self, table: &Table, state: &[Word]) -> bool {
        !matches!(self.provided(table, state), Ok(true))
    }

    /// Evaluates the `provided` clause of a process.
    pub(super) fn provided(&mut self, table: &Table, state: &[Word]) -> Result<bool, Cause> {
        let Some(clause) = &table.provided else { return Ok(true) };
        let value = self.machine.value(self.engine, clause, state);
        self.machine.cause.take().map_or(Ok(value != 0), Err)
    }

    /// Returns whether a process of higher priority can move.
    pub(super) fn is_outranked(&mut self, process: usize, state: &[Word]) -> bool {
        let engine = self.engine;
        if !engine.network.uses.priorities {
            return false;
        }
        let rank = |process: usize| engine.layout.processes[process].priority.get(state);
        let n_processes = engine.layout.n_processes.get(state) as usize;
        (0..n_processes).any(|other| {
            rank(other) > rank(process)
                && !self.is_held(engine.table(other, state), state)
                && self.is_enabled(other, state)
        })
    }

    /// Returns whether a transition of the process is executable, ignoring
    /// `provided`. An `else` always is.
    fn is_enabled(&mut self, process: usize, state: &[Word]) -> bool {
        let engine = self.engine;
        let table = engine.table(process, state);
        let location = engine.layout.processes[process].location.get(state) as usize;
        let places = table.places[location].escapes.iter().copied().chain([location]);
        let mut moves = places.flat_map(|at| &table.places[at].moves);
        moves.any(|it| {
            let is_possible = match it.act {
                Act::Else | Act::Otherwise => true,
                _ => !matches!(self.prepare(process, it, state), Ready::Blocked),
            };
            is_possible && self.machine.cause.is_none()
        })
    }

    /// Sets the priority of a process, unless it has ended.
    pub(super) fn set_priority(&mut self, process: i32, value: i32, next: &mut [Word]) {
        let engine = self.engine;
        let Some(room) = engine.room_of(process, next) else { return };
        match (1..=255).contains(&value) {
            true => room.priority.set(next, value),
            false => engine.layout.fault.set(next, Fault::PriorityOutOfRange.number()),
        }
    }
}
