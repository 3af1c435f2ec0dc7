//! Expressions as flat code over the bits of a state.
//!
//! Code is compiled for one process number, so most variables have known bits
//! and expressions over `_pid` are constants. It works on one number, the *top*,
//! and pushes others onto a stack only where it must. The most frequent
//! comparisons, of a variable with a constant or another variable, are one
//! operation. An error (a division by zero, an index out of range) is recorded
//! and reported after the code has run, so the loop has a single exit.

mod compile;
mod constant;
mod run;

use crate::explicit::layout::Field;
use crate::net::{BinaryOp, ChannelQuery, TemplateId};
use std::ops::Range;

pub(super) use compile::{Compiler, Scope, Target};
pub(super) use constant::comparisons;
pub(super) use run::{Cause, Machine};

/// A range of [`Code::ops`].
pub(super) type Piece = Range<u32>;

/// All code of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// Fields that are selected by an index; one range per scope.
    pub fields: Vec<Field>,
    pub polls: Vec<Poll>,
}

impl Code {
    /// Returns whether a piece can fail for another reason than a division by
    /// zero.
    pub fn can_fail(&self, piece: &Piece) -> bool {
        self.ops[piece.start as usize..piece.end as usize].iter().any(|op| {
            matches!(
                op,
                Op::Index { .. } | Op::Element { .. } | Op::Channel(_) | Op::Poll(_) | Op::Enabled(_)
            )
        })
    }
}

/// An operation on the top.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant(i32),
    Load(Field),
    /// Replaces the top, an offset in cells, by the value of the field at that
    /// offset from an index of `Code::fields`.
    LoadAt(u32),
    /// Loads an element of an array of scalars. The index is the value of a
    /// variable; the fields of the elements begin at `first` in `Code::fields`.
    Element {
        index: Field,
        n_elements: u32,
        first: u32,
    },
    /// Compares a field with a constant.
    Compare(Field, BinaryOp, i32),
    CompareFields(Field, BinaryOp, Field),
    /// Checks the index on top against the number of elements and converts it to
    /// an offset in cells.
    Index {
        n_elements: u32,
        size: u32,
    },
    Negate,
    Not,
    Complement,
    /// Pushes the top onto the stack.
    Push,
    /// Applies an operator to the popped value, on the left, and the top, on the
    /// right.
    Binary(BinaryOp),
    /// Applies an operator to the top, on the left, and a constant.
    WithConstant(BinaryOp, i32),
    WithField(BinaryOp, Field),
    /// Jumps if the top is 0.
    JumpIfZero(u32),
    /// Jumps unless the top is 0.
    JumpUnlessZero(u32),
    Jump(u32),
    /// Replaces every value but 0 by 1.
    Truth,
    /// Checks the promises about the channel on top, which is about to be used.
    Use(Use),
    Channel(ChannelQuery),
    /// Polls the channel on top; the values of `Poll::matches` are on the stack.
    Poll(u32),
    Timeout,
    NumberOfProcesses,
    /// `np_`: whether no process is at a progress label.
    NonProgress,
    /// The priority of the process whose number is on top; 0 if it has ended.
    Priority,
    /// Whether the process whose number is on top can move; an error if it is
    /// the process that evaluates the expression.
    Enabled(Option<u8>),
    /// Whether the process whose number is on top is alive, of this template and
    /// at this location.
    IsAt(TemplateId, u32),
    /// A local variable of the process whose number is on top; an offset in
    /// cells is on the stack.
    Remote(TemplateId, u32),
}

/// Use of a channel by a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub process: u8,
    /// Whether promises of senders (`xs`) apply to it.
    pub sends: bool,
    /// Whether promises of receivers (`xr`) apply to it.
    pub receives: bool,
}

/// A poll, `q?[…]`.
#[derive(Clone, Debug)]
pub(super) struct Poll {
    pub any: bool,
    /// Per field, whether it must be equal to a value from the stack.
    pub matches: Vec<bool>,
}
