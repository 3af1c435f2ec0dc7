//! Where processes are when none of them can move, and what each waits for.

use super::View;
use super::moves::Ready;
use crate::diag::Span;
use crate::explicit::engine::{Act, Move, Place};
use crate::net::{Action, Root, Visibility};
use crate::system::Word;

/// A process of a state in which no process can move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedProcess {
    /// `P[1]`
    pub process: String,
    /// May a run end while the process is here?
    pub may_end: bool,
    /// The statements that could come next, each of them blocked.
    pub statements: Vec<BlockedStatement>,
}

/// A statement that a process cannot execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedStatement {
    /// The statement.
    pub span: Span,
    /// Why it cannot be executed.
    pub obstacle: Obstacle,
}

/// Why a statement cannot be executed. Spans are those of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// An expression is 0.
    False,
    /// A receive from a channel without messages.
    EmptyChannel(Span),
    /// A receive from a channel whose messages do not match.
    OtherMessage(Span),
    /// A send to a channel without room.
    FullChannel(Span),
    /// A rendezvous send that no process receives.
    NoReceiver(Span),
    /// A rendezvous receive that no process sends to.
    NoSender(Span),
    /// A call that no task accepts.
    NoAcceptor,
    /// An accept that no task calls.
    NoCaller,
    /// A channel that ended with the process that declared it.
    LostChannel(Span),
    /// A process ends after those that were started later.
    YoungerProcesses,
    /// The `provided` clause of the process is false.
    Provided,
    /// A task has stopped inside an atomic block, so no other task moves.
    StoppedTask,
    /// A process of higher priority comes first.
    Priority,
    /// None of these.
    Other,
}

impl View<'_> {
    /// Every process of a state in which none can move, oldest first.
    pub fn blocked(&mut self, state: &[Word]) -> Vec<BlockedProcess> {
        // Nothing else could move, so `timeout` was true.
        let timeout = std::mem::replace(&mut self.machine.timeout, true);
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let all = (0..n_processes).map(|process| self.blocked_process(process, state)).collect();
        self.machine.timeout = timeout;
        all
    }

    fn blocked_process(&mut self, process: usize, state: &[Word]) -> BlockedProcess {
        let engine = self.engine;
        let table = engine.table(process, state);
        let location = engine.layout.processes[process].location.get(state) as usize;
        let place = &table.places[location];
        let held = match () {
            () if self.is_held(table, state) => Some(self.held_by(process, state)),
            () if self.is_outranked(process, state) => Some(Obstacle::Priority),
            () => None,
        };
        let mut statements = Vec::new();
        for place in [place].into_iter().chain(place.escapes.iter().map(|&it| &table.places[it])) {
            self.blocked_moves(process, place, held, state, &mut statements);
        }
        self.machine.cause = None;
        BlockedProcess { process: engine.process_name(process, state), may_end: place.is_end, statements }
    }

    /// Only the clauses that a user wrote have a place.
    fn held_by(&self, process: usize, state: &[Word]) -> Obstacle {
        let engine = self.engine;
        let clause = &engine.network.template(engine.template(process, state)).provided;
        match clause.as_ref().is_some_and(|it| it.span == Span::default()) {
            true => Obstacle::StoppedTask,
            false => Obstacle::Provided,
        }
    }

    fn blocked_moves(
        &mut self,
        process: usize,
        place: &Place,
        held: Option<Obstacle>,
        state: &[Word],
        out: &mut Vec<BlockedStatement>,
    ) {
        for a_move in &place.moves {
            if let Act::Deterministic(first) = a_move.act {
                let first = &self.engine.table(process, state).places[first];
                self.blocked_moves(process, first, held, state, out);
                continue;
            }
            let span = self.engine.transition(process, a_move.id, state).span;
            let obstacle = held.unwrap_or_else(|| self.obstacle(process, a_move, state));
            let blocked = BlockedStatement { span, obstacle };
            if !out.contains(&blocked) {
                out.push(blocked);
            }
        }
    }

    /// Calls and accepts of tasks are messages on channels that no text names.
    fn call(&self, action: &Action) -> Option<Obstacle> {
        let (channel, obstacle) = match action {
            Action::Send(send) => (&send.channel, Obstacle::NoAcceptor),
            Action::Receive(receive) => (&receive.channel, Obstacle::NoCaller),
            _ => return None,
        };
        let Root::Global(id) = channel.root else { return None };
        let is_internal = self.engine.network.globals[id.index()].visibility == Visibility::Internal;
        is_internal.then_some(obstacle)
    }

    fn obstacle(&mut self, process: usize, a_move: &Move, state: &[Word]) -> Obstacle {
        let ready = self.prepare(process, a_move, state);
        let engine = self.engine;
        if let Some(obstacle) = self.call(&engine.transition(process, a_move.id, state).action) {
            return obstacle;
        }
        let (channel, span) = match (&a_move.act, &engine.transition(process, a_move.id, state).action) {
            (Act::Send { channel, .. }, Action::Send(send)) => (channel, send.channel.span),
            (Act::Receive { channel, .. }, Action::Receive(receive)) => (channel, receive.channel.span),
            (Act::Guard(_), _) => return Obstacle::False,
            (Act::End, _) => return Obstacle::YoungerProcesses,
            _ => return Obstacle::Other,
        };
        let number = self.machine.value(engine, channel, state);
        self.machine.cause = None;
        let Some(option) = engine.channel(number, state) else { return Obstacle::LostChannel(span) };
        let is_send = matches!(a_move.act, Act::Send { .. });
        match (is_send, option.capacity, option.length.get(state)) {
            (true, 0, _) => Obstacle::NoReceiver(span),
            (false, 0, _) => Obstacle::NoSender(span),
            (true, ..) if matches!(ready, Ready::Blocked) => Obstacle::FullChannel(span),
            (false, _, 0) => Obstacle::EmptyChannel(span),
            (false, ..) if matches!(ready, Ready::Blocked) => Obstacle::OtherMessage(span),
            _ => Obstacle::Other,
        }
    }
}
