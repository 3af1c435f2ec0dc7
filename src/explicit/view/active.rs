//! Processes that can move, without their successors.

use super::View;
use super::moves::Ready;
use crate::explicit::engine::Act;
use crate::system::Word;

impl View<'_> {
    /// Returns the number of processes that can move. Each of two processes that
    /// can meet is counted.
    pub(in crate::explicit) fn n_active(&mut self, state: &[Word]) -> u32 {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let mut is_active = vec![false; n_processes];
        for process in 0..n_processes {
            self.note_active(process, state, &mut is_active);
        }
        self.machine.cause = None;
        is_active.into_iter().filter(|it| *it).count() as u32
    }

    fn note_active(&mut self, process: usize, state: &[Word], is_active: &mut [bool]) {
        let engine = self.engine;
        let table = engine.table(process, state);
        if self.is_held(table, state) || self.is_outranked(process, state) {
            return;
        }
        let location = engine.layout.processes[process].location.get(state) as usize;
        for at in table.places[location].escapes.iter().copied().chain([location]) {
            for a_move in &table.places[at].moves {
                let ready = match a_move.act {
                    Act::Else | Act::Otherwise => Ready::Nothing,
                    _ => self.prepare(process, a_move, state),
                };
                match ready {
                    Ready::Blocked => {}
                    Ready::Offer { channel } => self.note_receivers(process, channel, state, is_active),
                    _ => is_active[process] = true,
                }
            }
        }
    }

    /// Notes the processes that can receive the current message.
    fn note_receivers(&mut self, sender: usize, channel: usize, state: &[Word], is_active: &mut [bool]) {
        let engine = self.engine;
        let message = std::mem::take(&mut self.values);
        for receiver in (0..is_active.len()).filter(|&it| it != sender) {
            let table = engine.table(receiver, state);
            let location = engine.layout.processes[receiver].location.get(state) as usize;
            let place = &table.places[location];
            if !place.receives || self.is_held(table, state) {
                continue;
            }
            for at in place.escapes.iter().copied().chain([location]) {
                for outer in &table.places[at].moves {
                    let moves = match outer.act {
                        Act::Deterministic(first) => &table.places[first].moves[..],
                        _ => std::slice::from_ref(outer),
                    };
                    if moves.iter().any(|it| self.accepts(it, channel, &message, state)) {
                        (is_active[sender], is_active[receiver]) = (true, true);
                    }
                }
            }
        }
        self.values = message;
    }
}
