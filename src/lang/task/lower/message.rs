//! A rendezvous as a message.
//!
//! Every task that accepts has a channel without a buffer. A message has five
//! fields, and the receiver's patterns decide whether both can meet:
//!
//! | field | sender | receiver |
//! |---|---|---|
//! | purpose | entry and [`Meeting`] | the same |
//! | caller | its number | stored while a body runs; at its end, the stored one |
//! | guard of the caller | its value | 1 |
//! | guard of the acceptor | 1 | its value |
//! | unused | 0 | clears the stored number at the end of a body |

use super::{GlobalId, place, scalar};
use crate::diag::Span;
use crate::lang::task::program::{Action, EntryId, Program, TaskId};
use crate::net::{
    self, ChannelType, Expr, ExprKind, Initial, Network, Pattern, Purpose, Receive, Send, Type,
};
use std::collections::HashMap;

/// The purpose of a rendezvous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// A rendezvous without a body.
    Whole,
    /// The beginning of a body.
    Begin,
    /// Its end.
    End,
}

/// Channels of tasks, and variables for callers that wait.
pub(super) struct Callers {
    /// By task that accepts.
    channels: HashMap<TaskId, GlobalId>,
    /// By task and edge of an accept with a body.
    waiting: HashMap<(TaskId, usize), GlobalId>,
}

/// The field that holds the guard of the caller.
const CALLER_GUARD: usize = 2;

/// The field that holds the guard of the acceptor.
const ACCEPTOR_GUARD: usize = 3;

const TYPES: [Type; 5] = [Type::Int, Type::Byte, Type::Bit, Type::Bit, Type::Byte];

impl Callers {
    /// Adds the variables to a network.
    pub fn new(program: &Program, network: &mut Network) -> Self {
        let mut callers = Self { channels: HashMap::new(), waiting: HashMap::new() };
        for entry in &program.entries {
            let task = &program.tasks[entry.task.index()];
            callers.channels.entry(entry.task).or_insert_with(|| {
                let channel = ChannelType { capacity: 0, fields: TYPES.to_vec(), span: task.span };
                let initial = Initial::Channel(channel);
                add(network, scalar(format!("{} accepts", task.name), task.span, Type::Chan, initial))
            });
        }
        for (index, task) in program.tasks.iter().enumerate() {
            for (edge_index, edge) in task.edges.iter().enumerate() {
                if let Action::Accept { body: Some(_), .. } = &edge.action {
                    let name = format!("{} serves {edge_index}", task.name);
                    let variable = scalar(name, task.span, Type::Byte, Initial::Zero);
                    callers.waiting.insert((TaskId::new(index), edge_index), add(network, variable));
                }
            }
        }
        callers
    }

    /// Returns the variable for the caller of an accept with a body.
    pub fn of_accept(&self, task: TaskId, edge: usize) -> Option<GlobalId> {
        self.waiting.get(&(task, edge)).copied()
    }

    /// Returns the action of the caller.
    pub fn send(
        &self,
        program: &Program,
        caller: TaskId,
        entry: EntryId,
        meeting: Meeting,
        guard: Option<Expr>,
        span: Span,
    ) -> net::Action {
        let one = constant(1, span);
        let values = vec![
            code(entry, meeting, span),
            constant(caller.index() as i32 + 1, span),
            guard.unwrap_or_else(|| one.clone()),
            one,
            constant(0, span),
        ];
        let channel = self.channel(program, entry, span);
        let meeting = side(program, entry, meeting, CALLER_GUARD);
        net::Action::Send(Send { channel, sorted: false, values, meeting })
    }

    /// Returns the action of the acceptor.
    pub fn receive(
        &self,
        program: &Program,
        entry: EntryId,
        meeting: Meeting,
        guard: Option<Expr>,
        caller: Option<GlobalId>,
        span: Span,
    ) -> net::Action {
        let stored = caller.map(|it| place(it, Type::Byte, span));
        let one = constant(1, span);
        let (who, clear) = match (stored, meeting) {
            (Some(place), Meeting::Begin) => (Pattern::Store(place), Pattern::Any),
            (Some(place), Meeting::End) => {
                let known = Expr { kind: ExprKind::Read(place.clone()), span };
                (Pattern::Match(known), Pattern::Store(place))
            }
            _ => (Pattern::Any, Pattern::Any),
        };
        let patterns = vec![
            Pattern::Match(code(entry, meeting, span)),
            who,
            Pattern::Match(one.clone()),
            Pattern::Match(guard.unwrap_or(one)),
            clear,
        ];
        let channel = self.channel(program, entry, span);
        let meeting = side(program, entry, meeting, ACCEPTOR_GUARD);
        net::Action::Receive(Receive { channel, any: false, copy: false, patterns, meeting })
    }

    fn channel(&self, program: &Program, entry: EntryId, span: Span) -> net::Place {
        place(self.channels[&program.entries[entry.index()].task], Type::Chan, span)
    }
}

/// Returns one side of the rendezvous at an entry, with the field of its guard.
fn side(program: &Program, entry: EntryId, meeting: Meeting, guard_field: usize) -> Option<net::Meeting> {
    let purpose = match (program.entries[entry.index()].purpose(program), meeting) {
        (Purpose::Entry(name), Meeting::End) => Purpose::BodyEnd(name),
        (purpose, _) => purpose,
    };
    Some(net::Meeting { purpose, guard_field })
}

fn add(network: &mut Network, variable: net::Variable) -> GlobalId {
    network.globals.push(variable);
    GlobalId::new(network.globals.len() - 1)
}

/// Returns the entry of a rendezvous.
pub fn entry_of(action: &net::Action) -> Option<EntryId> {
    let code = match action {
        net::Action::Send(send) => send.values.first()?,
        net::Action::Receive(receive) => match receive.patterns.first()? {
            Pattern::Match(code) => code,
            Pattern::Any | Pattern::Store(_) => return None,
        },
        _ => return None,
    };
    match code.kind {
        ExprKind::Constant(code) => Some(EntryId::new(code as usize / 3)),
        _ => None,
    }
}

fn code(entry: EntryId, meeting: Meeting, span: Span) -> Expr {
    constant(entry.index() as i32 * 3 + meeting as i32, span)
}

pub(super) fn constant(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), span }
}
