//! Expressions as flat code over the bits of a state.
//!
//! Code is made for one process number, so that most variables are read
//! without looking for them. It is run on a stack of numbers; what goes wrong
//! (a division by zero, an index out of range) is remembered and told after
//! the run, so that the loop has no other way out.

mod compile;
mod run;

use crate::explicit::layout::Field;
use crate::lang::promela::tree::{BinaryOp, ChannelQuery, ProctypeId};
use std::ops::Range;

pub(super) use compile::{Compiler, Scope, Target};
pub(super) use run::{Cause, Machine};

/// A piece of [`Code::ops`].
pub(super) type Piece = Range<u32>;

/// All code of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// Fields that are found by an index; a piece for each scope.
    pub fields: Vec<Field>,
    pub polls: Vec<Poll>,
}

/// One operation on a stack of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant(i32),
    Load(Field),
    /// Takes a number of cells and adds what stands there, from `Code::fields`.
    LoadAt(u32),
    /// Is the field so related to the constant?
    Compare(Field, BinaryOp, i32),
    /// Checks the index on top against the number of elements and makes it a
    /// number of cells.
    Index {
        n_elements: u32,
        size: u32,
    },
    Negate,
    Not,
    Complement,
    Binary(BinaryOp),
    /// Goes on there if the top is 0, and takes it.
    JumpIfZero(u32),
    Jump(u32),
    /// 1 unless it is 0.
    Truth,
    Channel(ChannelQuery),
    /// Takes a channel and the values of `Poll::matches`.
    Poll(u32),
    Timeout,
    NumberOfProcesses,
    /// `np_`: does no process stand at a label of progress?
    NonProgress,
    /// Takes a process number: its priority, 0 of one that is gone.
    Priority,
    /// Takes a process number: can it move? The process that asks must not be
    /// the one.
    Enabled(Option<u8>),
    /// Takes a process number: is that process of the proctype, and where?
    IsAt(ProctypeId, u32),
    /// Takes a process number and, below it, a number of cells.
    Remote(ProctypeId, u32),
}

/// `q?[…]`
#[derive(Clone, Debug)]
pub(super) struct Poll {
    pub any: bool,
    /// Per field: must it be equal to a value from the stack?
    pub matches: Vec<bool>,
}
