//! Expressions as flat code over the bits of a state.
//!
//! Code is made for one process number, so that most variables are read
//! without looking for them and what depends on `_pid` alone is computed
//! before. It works on one number, the *top*, and puts others aside on a
//! stack where it must; what is compared most often, a variable with a
//! constant or another variable, is one operation. What goes wrong (a division
//! by zero, an index out of range) is remembered and told after the run, so
//! that the loop has no other way out.

mod compile;
mod constant;
mod reads;
mod run;

use crate::explicit::layout::{Cell, Field};
use crate::net::{BinaryOp, ChannelQuery, TemplateId};
use std::ops::Range;

pub(super) use compile::{Compiler, Scope, Target};
pub(super) use constant::comparisons;
pub(super) use reads::Read;
pub(super) use run::{Cause, Machine};

/// A piece of [`Code::ops`].
pub(super) type Piece = Range<u32>;

/// All code of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// Fields that are found by an index; a piece for each scope.
    pub fields: Vec<Field>,
    /// Per field where those of its variable end.
    pub ends: Vec<u32>,
    pub polls: Vec<Poll>,
}

impl Code {
    /// Adds the fields of variables with these cells.
    pub fn add_fields(&mut self, fields: &[Field], cells: &[Cell]) {
        for variable in cells.chunk_by(|one, next| one.variable == next.variable) {
            let end = (self.ends.len() + variable.len()) as u32;
            self.ends.extend(variable.iter().map(|_| end));
        }
        self.fields.extend(fields);
    }

    /// Can a piece ask for what is not there? Divisions are not counted.
    pub fn may_lack_value(&self, piece: &Piece) -> bool {
        self.ops[piece.start as usize..piece.end as usize].iter().any(|op| {
            matches!(
                op,
                Op::Index { .. } | Op::Element { .. } | Op::Channel(_) | Op::Poll(_) | Op::Enabled(_)
            )
        })
    }
}

/// One operation on the top.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant(i32),
    Load(Field),
    /// The top is a number of cells: adds what stands there, from
    /// `Code::fields`.
    LoadAt(u32),
    /// An element of an array of scalars by the value of a variable: the first
    /// of so many fields in `Code::fields`.
    Element {
        index: Field,
        n_elements: u32,
        first: u32,
    },
    /// Is the field so related to the constant?
    Compare(Field, BinaryOp, i32),
    CompareFields(Field, BinaryOp, Field),
    /// Checks the index on top against the number of elements and makes it a
    /// number of cells.
    Index {
        n_elements: u32,
        size: u32,
    },
    Negate,
    Not,
    Complement,
    /// Puts the top aside.
    Push,
    /// What was put aside last on the left, the top on the right.
    Binary(BinaryOp),
    /// The top on the left.
    WithConstant(BinaryOp, i32),
    WithField(BinaryOp, Field),
    /// Goes on there if the top is 0.
    JumpIfZero(u32),
    /// Goes on there unless the top is 0.
    JumpUnlessZero(u32),
    Jump(u32),
    /// 1 unless it is 0.
    Truth,
    /// The top is a channel that is about to be used.
    Use(Use),
    Channel(ChannelQuery),
    /// The top is a channel; the values of `Poll::matches` were put aside.
    Poll(u32),
    Timeout,
    NumberOfProcesses,
    /// `np_`: does no process stand at a label of progress?
    NonProgress,
    /// The top is a process number: its priority, 0 of one that is gone.
    Priority,
    /// The top is a process number: can it move? The process that asks must
    /// not be the one.
    Enabled(Option<u8>),
    /// The top is a process number: is that process of the template, and where?
    IsAt(TemplateId, u32),
    /// The top is a process number; a number of cells was put aside.
    Remote(TemplateId, u32),
}

/// Who uses a channel, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub process: u8,
    /// Does it depend on who sends?
    pub sends: bool,
    /// Does it depend on who receives?
    pub receives: bool,
}

/// `q?[…]`
#[derive(Clone, Debug)]
pub(super) struct Poll {
    pub any: bool,
    /// Per field: must it be equal to a value from the stack?
    pub matches: Vec<bool>,
}
