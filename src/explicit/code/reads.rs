//! Which parts of a state code looks at.

use super::{Code, Op, Piece};
use crate::explicit::layout::Field;

/// A part of the state that a piece of code may read.
#[derive(Clone, Debug)]
pub(in crate::explicit) enum Read {
    Field(Field),
    /// One of the fields of [`Code::fields`], not known which.
    Among(std::ops::Range<u32>),
    /// `index` and the field behind `first` that it says.
    Element {
        index: Field,
        n_elements: u32,
        first: u32,
    },
    /// How many messages a channel holds; with `messages` also which. The
    /// channel is the value of the piece, if one is known.
    Channel {
        channel: Option<Piece>,
        messages: bool,
    },
    /// Where a process stands, if it is known which.
    Place(Option<usize>),
    NumberOfProcesses,
    /// More than can be said here.
    Anything,
}

impl Code {
    /// Shows all that a piece may read to `note`.
    pub(in crate::explicit) fn reads(&self, piece: &Piece, note: &mut impl FnMut(Read)) {
        for at in piece.clone() {
            // The one operation, if it is one, that the top comes from.
            let mut before =
                (piece.start..at).rev().filter(|it| !matches!(self.ops[*it as usize], Op::Use(_)));
            let source = before.next().map(|it| it..it + 1).filter(|it| {
                matches!(self.ops[it.start as usize], Op::Load(_) | Op::Element { .. } | Op::Constant(_))
            });
            match self.ops[at as usize] {
                Op::Load(field) | Op::Compare(field, ..) | Op::WithField(_, field) => {
                    note(Read::Field(field))
                }
                Op::CompareFields(field, _, other) => {
                    note(Read::Field(field));
                    note(Read::Field(other));
                }
                Op::LoadAt(first) => note(Read::Among(self.rest_of_variable(first))),
                Op::Element { index, n_elements, first } => note(Read::Element { index, n_elements, first }),
                Op::Channel(_) => note(Read::Channel { channel: source, messages: false }),
                Op::Poll(_) => note(Read::Channel { channel: source, messages: true }),
                Op::NumberOfProcesses => note(Read::NumberOfProcesses),
                Op::IsAt(..) => {
                    let process = source.and_then(|it| match self.ops[it.start as usize] {
                        Op::Constant(process) => usize::try_from(process).ok(),
                        _ => None,
                    });
                    note(Read::Place(process));
                }
                Op::NonProgress | Op::Priority | Op::Enabled(_) | Op::Remote(..) => note(Read::Anything),
                // Whether it holds is decided by those who run the code.
                Op::Timeout => {}
                // Promises are few and stand for long: they are read at every place.
                Op::Use(_) => {}
                Op::Constant(_)
                | Op::Index { .. }
                | Op::Negate
                | Op::Not
                | Op::Complement
                | Op::Push
                | Op::Binary(_)
                | Op::WithConstant(..)
                | Op::JumpIfZero(_)
                | Op::JumpUnlessZero(_)
                | Op::Jump(_)
                | Op::Truth => {}
            }
        }
    }

    /// Fields of a variable from one of them on.
    pub(in crate::explicit) fn rest_of_variable(&self, first: u32) -> std::ops::Range<u32> {
        first..self.ends[first as usize]
    }
}
