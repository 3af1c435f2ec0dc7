//! Locations of processes when no process can move, and what each waits for.

use super::View;
use super::moves::Ready;
use crate::diag::Span;
use crate::explicit::engine::{Act, LocationMoves, Match, Move};
use crate::net::{Action, Purpose, TransitionId};
use crate::system::Word;

/// A process of a state in which no process can move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedProcess {
    /// Name of the process, such as `P[1]`.
    pub process: String,
    /// Whether a run may end while the process is here.
    pub may_end: bool,
    /// The next statements, all of them blocked.
    pub statements: Vec<BlockedStatement>,
}

/// A statement that a process cannot execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedStatement {
    /// The statement.
    pub span: Span,
    /// Function and location of each inlined call that leads to it, outermost first.
    pub calls: Vec<(String, Span)>,
    /// Why it cannot be executed.
    pub obstacle: Obstacle,
}

/// A statement at the location of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStatement {
    /// The transition.
    pub transition: TransitionId,
    /// The statement.
    pub span: Span,
    /// Why the process itself is not ready for it: its condition or guard is
    /// false. For a rendezvous, whether a partner is ready does not matter.
    pub obstacle: Option<Obstacle>,
}

/// Why a statement cannot be executed. Spans are those of the channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// An expression is false.
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
    /// A call that no task accepts, or an operation on an object that is not
    /// possible.
    NoAcceptor(Purpose),
    /// An accept that no task calls.
    NoCaller(Purpose),
    /// The guard of an alternative of a `select!` is false.
    FalseGuard,
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
    /// Another reason.
    Other,
}

impl View<'_> {
    /// Returns every process of a state in which no process can move, oldest
    /// first. Objects are not processes.
    pub fn blocked(&mut self, state: &[Word]) -> Vec<BlockedProcess> {
        // No other transition was executable, so `timeout` was true.
        let timeout = std::mem::replace(&mut self.machine.timeout, true);
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let network = self.engine.network;
        let is_object = |process: usize| network.template(self.engine.template(process, state)).is_object;
        let processes: Vec<usize> = (0..n_processes).filter(|&it| !is_object(it)).collect();
        let all = processes.into_iter().map(|it| self.blocked_process(it, state)).collect();
        self.machine.timeout = timeout;
        all
    }

    /// Returns the statements at the location of a process of a task model.
    pub fn next_statements(&mut self, process: usize, state: &[Word]) -> Vec<NextStatement> {
        let engine = self.engine;
        let location = engine.layout.processes[process].location.get(state) as usize;
        let mut all = Vec::new();
        for a_move in &engine.table(process, state).places[location].moves {
            let is_blocked = matches!(self.prepare(process, a_move, state), Ready::Blocked);
            let obstacle = match self.missing_partner(process, a_move, state) {
                Some(Obstacle::FalseGuard) => Some(Obstacle::FalseGuard),
                Some(_) => None,
                None => is_blocked.then_some(Obstacle::False),
            };
            self.machine.cause = None;
            let span = engine.transition(process, a_move.id, state).span;
            all.push(NextStatement { transition: a_move.id, span, obstacle });
        }
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
            self.blocked_moves(process, place, held.as_ref(), state, &mut statements);
        }
        if statements.is_empty() && !place.is_end {
            let graph = &engine.network.template(engine.template(process, state)).graph;
            let span = graph.locations[location].span;
            statements.push(BlockedStatement { span, calls: Vec::new(), obstacle: Obstacle::Other });
        }
        self.machine.cause = None;
        BlockedProcess { process: engine.process_name(process, state), may_end: place.is_end, statements }
    }

    /// Returns why a process cannot move. Only clauses that a user wrote have a
    /// span.
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
        place: &LocationMoves,
        held: Option<&Obstacle>,
        state: &[Word],
        out: &mut Vec<BlockedStatement>,
    ) {
        for a_move in &place.moves {
            if let Act::Deterministic(first) = a_move.act {
                let first = &self.engine.table(process, state).places[first];
                self.blocked_moves(process, first, held, state, out);
                continue;
            }
            let obstacle = held.cloned().unwrap_or_else(|| self.obstacle(process, a_move, state));
            let engine = self.engine;
            let graph = &engine.network.template(engine.template(process, state)).graph;
            let calls = graph.calls.get(&a_move.id).cloned().unwrap_or_default();
            let span = graph.transitions[a_move.id.index()].span;
            let blocked = BlockedStatement { span, calls, obstacle };
            if !out.contains(&blocked) {
                out.push(blocked);
            }
        }
    }

    fn obstacle(&mut self, process: usize, a_move: &Move, state: &[Word]) -> Obstacle {
        let ready = self.prepare(process, a_move, state);
        let engine = self.engine;
        if let Some(obstacle) = self.missing_partner(process, a_move, state) {
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

    /// Returns why a call or accept of a task is blocked: no partner, or a
    /// false guard.
    fn missing_partner(&mut self, process: usize, a_move: &Move, state: &[Word]) -> Option<Obstacle> {
        let engine = self.engine;
        let (meeting, guard, obstacle): (_, _, fn(Purpose) -> Obstacle) =
            match (&engine.transition(process, a_move.id, state).action, &a_move.act) {
                (Action::Send(send), Act::Send { values, .. }) => {
                    let meeting = send.meeting.as_ref()?;
                    (meeting, &values[meeting.guard_field], Obstacle::NoAcceptor)
                }
                (Action::Receive(receive), Act::Receive { patterns, .. }) => {
                    let meeting = receive.meeting.as_ref()?;
                    let Match::Equal(guard) = &patterns[meeting.guard_field] else { return None };
                    (meeting, guard, Obstacle::NoCaller)
                }
                _ => return None,
            };
        let is_open = self.machine.value(engine, guard, state) != 0;
        self.machine.cause = None;
        Some(if is_open { obstacle(meeting.purpose.clone()) } else { Obstacle::FalseGuard })
    }
}
