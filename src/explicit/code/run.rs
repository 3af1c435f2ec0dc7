//! Interpreter of code.

use super::compile::query_result;
use super::{Code, Op, Piece, Poll, Use};
use crate::explicit::engine::Engine;
use crate::explicit::view::View;
use crate::net::BinaryOp;
use crate::net::MAX_INSTANCES;
use crate::system::Word;

/// Why a piece of code has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explicit) enum Cause {
    DivisionByZero,
    IndexOutOfRange,
    NoChannel,
    PollOfRendezvous,
    WrongFields,
    EnabledAsksItself,
    BrokenPromise,
    PromisedRendezvous,
}

/// Stack of the interpreter, and inputs of code other than the state.
#[derive(Clone, Debug, Default)]
pub(in crate::explicit) struct Machine {
    stack: Vec<i32>,
    pub cause: Option<Cause>,
    /// Whether no other transition is executable.
    pub timeout: bool,
    /// Nesting depth of `enabled`.
    pub enabled_depth: usize,
    /// Whether broken promises are ignored.
    pub allows_broken_promises: bool,
}

impl Machine {
    /// Runs a piece of code and returns its value, or 0 if it fails.
    #[inline]
    pub fn value(&mut self, engine: &Engine, piece: &Piece, state: &[Word]) -> i32 {
        // Most pieces are one operation.
        if piece.end - piece.start == 1 {
            match engine.code.ops[piece.start as usize] {
                Op::Constant(value) => return value,
                Op::Load(field) => return field.get(state),
                Op::Compare(field, op, value) => return compare(op, field.get(state), value),
                _ => {}
            }
        }
        self.run(engine, piece, state)
    }

    fn pop(&mut self) -> i32 {
        self.stack.pop().unwrap_or(0)
    }

    #[cold]
    fn fail(&mut self, cause: Cause) -> i32 {
        self.cause.get_or_insert(cause);
        0
    }

    fn run(&mut self, engine: &Engine, piece: &Piece, state: &[Word]) -> i32 {
        let code: &Code = &engine.code;
        let ops = &code.ops[..piece.end as usize];
        let mut at = piece.start as usize;
        let mut top = 0;
        self.stack.clear();
        while let Some(&op) = ops.get(at) {
            at += 1;
            top = match op {
                Op::Constant(value) => value,
                Op::Load(field) => field.get(state),
                Op::LoadAt(start) => code.fields[start as usize + top as usize].get(state),
                Op::Element { index, n_elements, first } => {
                    let index = index.get(state) as u32;
                    match index < n_elements {
                        true => code.fields[(first + index) as usize].get(state),
                        false => self.fail(Cause::IndexOutOfRange),
                    }
                }
                Op::Compare(field, op, value) => compare(op, field.get(state), value),
                Op::CompareFields(field, op, other) => compare(op, field.get(state), other.get(state)),
                Op::Index { n_elements, size } => match (top as u32) < n_elements {
                    true => top * size as i32,
                    false => self.fail(Cause::IndexOutOfRange),
                },
                Op::Negate => top.wrapping_neg(),
                Op::Not => i32::from(top == 0),
                Op::Complement => !top,
                Op::Truth => i32::from(top != 0),
                Op::Push => {
                    self.stack.push(top);
                    continue;
                }
                Op::Binary(op) => {
                    let left = self.pop();
                    self.binary(op, left, top)
                }
                Op::WithConstant(op, right) => self.binary(op, top, right),
                Op::WithField(op, right) => self.binary(op, top, right.get(state)),
                Op::JumpIfZero(to) => {
                    if top == 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpUnlessZero(to) => {
                    if top != 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::Jump(to) => {
                    at = to as usize;
                    continue;
                }
                Op::Use(channel_use) => {
                    self.check_promises(engine, channel_use, top, state);
                    continue;
                }
                Op::Channel(query) => match engine.channel(top, state) {
                    Some(option) => query_result(query, option.length.get(state) as usize, option.capacity),
                    None => self.fail(Cause::NoChannel),
                },
                Op::Poll(poll) => self.poll(engine, top, &code.polls[poll as usize], state),
                Op::Timeout => i32::from(self.timeout),
                Op::NumberOfProcesses => engine.layout.n_processes.get(state),
                Op::NonProgress => i32::from(!engine.makes_progress(state)),
                Op::Priority => engine.room_of(top, state).map_or(0, |room| room.priority.get(state)),
                Op::Enabled(evaluator) => self.is_enabled(engine, top, evaluator, state),
                // A process that has ended is at no location and has no
                // variables.
                Op::IsAt(template, location) => match engine.option_of(top, template, state) {
                    Some(_) => {
                        let room = &engine.layout.processes[top as usize];
                        i32::from(room.location.get(state) == location as i32)
                    }
                    None => 0,
                },
                Op::Remote(template, first) => {
                    let cells = self.pop() as usize;
                    match engine.option_of(top, template, state) {
                        Some(option) => option.locals[first as usize + cells].get(state),
                        None => 0,
                    }
                }
            };
        }
        top
    }

    #[inline]
    fn binary(&mut self, op: BinaryOp, left: i32, right: i32) -> i32 {
        op.apply(left, right).unwrap_or_else(|| self.fail(Cause::DivisionByZero))
    }

    fn is_enabled(&mut self, engine: &Engine, process: i32, evaluator: Option<u8>, state: &[Word]) -> i32 {
        if engine.room_of(process, state).is_none() {
            return 0;
        }
        // An evaluation that is nested deeper than there are processes is
        // circular.
        if evaluator.map(i32::from) == Some(process) || self.enabled_depth > MAX_INSTANCES {
            return self.fail(Cause::EnabledAsksItself);
        }
        let machine = Self { stack: Vec::new(), cause: None, enabled_depth: self.enabled_depth + 1, ..*self };
        let (is_enabled, cause) = View::for_enabled(engine, machine).can_move(process as usize, state);
        if cause == Some(Cause::EnabledAsksItself) {
            return self.fail(Cause::EnabledAsksItself);
        }
        i32::from(is_enabled)
    }

    /// Checks that no other living process has declared `xr` or `xs` for a
    /// channel that is used.
    fn check_promises(&mut self, engine: &Engine, channel_use: Use, channel: i32, state: &[Word]) {
        let Some(option) = engine.channel(channel, state) else { return };
        if self.allows_broken_promises {
            return;
        }
        for process in 0..engine.layout.n_processes.get(state) as usize {
            for promise in &engine.table(process, state).promises {
                if Self::default().value(engine, &promise.channel, state) != channel {
                    continue;
                }
                let concerns = if promise.is_send { channel_use.sends } else { channel_use.receives };
                if option.capacity == 0 {
                    self.fail(Cause::PromisedRendezvous);
                } else if concerns && process != usize::from(channel_use.process) {
                    self.fail(Cause::BrokenPromise);
                }
            }
        }
    }

    fn poll(&mut self, engine: &Engine, channel: i32, poll: &Poll, state: &[Word]) -> i32 {
        let n_values = poll.matches.iter().filter(|it| **it).count();
        let values = self.stack.split_off(self.stack.len() - n_values);
        let Some(option) = engine.channel(channel, state) else { return self.fail(Cause::NoChannel) };
        if option.capacity == 0 {
            return self.fail(Cause::PollOfRendezvous);
        }
        let length = option.length.get(state) as usize;
        let n_looked_at = if poll.any { length } else { length.min(1) };
        let found = (0..n_looked_at).any(|message| {
            let mut values = values.iter();
            let wanted = |field: usize| match poll.matches.get(field) {
                Some(true) => values.next().copied(),
                _ => None,
            };
            option.has(message, wanted, state)
        });
        match found && poll.matches.len() > option.n_fields {
            true => self.fail(Cause::WrongFields),
            false => i32::from(found),
        }
    }
}

/// Compares two numbers, which cannot fail.
#[inline]
fn compare(op: BinaryOp, left: i32, right: i32) -> i32 {
    op.apply(left, right).unwrap_or(0)
}
