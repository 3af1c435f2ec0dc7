//! Sends, receives and output.

use super::data::MtypeId;
use super::expr::{Expr, Pattern, Place};

/// A send.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// The channel.
    pub channel: Place,
    /// Whether the message is inserted before the first larger one (`!!`).
    pub sorted: bool,
    /// Values of the fields; records are replaced by their fields as in
    /// [`ChannelType::fields`](super::data::ChannelType::fields). If there are
    /// fewer values than fields, the other fields are 0.
    pub values: Vec<Expr>,
    /// The call of a task that this message represents, if it is one.
    pub meeting: Option<Meeting>,
}

/// A receive.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// The channel.
    pub channel: Place,
    /// Whether the first matching message is received (`??`), not the first
    /// message.
    pub any: bool,
    /// Whether the message stays in the channel (`?<…>`).
    pub copy: bool,
    /// Patterns of the fields; records are replaced by their fields. If there
    /// are fewer patterns than fields, the other fields are ignored.
    pub patterns: Vec<Pattern>,
    /// The accept of a task that this message represents, if it is one.
    pub meeting: Option<Meeting>,
}

/// One side of a rendezvous of tasks. Only descriptions read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Purpose of the rendezvous.
    pub purpose: Purpose,
    /// The field of the message that is 0 if the guard of this side is false.
    pub guard_field: usize,
}

/// Purpose of a rendezvous of tasks, in terms of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The rendezvous of this name: `server.get`.
    Entry(String),
    /// The end of the body of an accept of this name.
    BodyEnd(String),
    /// An operation on the lock, semaphore or channel of this name.
    Object(Operation, String),
}

/// Operations on locks, semaphores and channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Takes a lock.
    Lock,
    /// Releases a lock.
    Unlock,
    /// Takes a permit of a semaphore.
    Acquire,
    /// Returns a permit to a semaphore.
    Release,
    /// Sends a message to a bounded channel.
    Send,
    /// Receives a message from a bounded channel.
    Receive,
}

/// A piece of the output of `printf`.
#[derive(Clone, Debug, PartialEq)]
pub enum Format {
    /// Literal text, with escapes resolved.
    Text(String),
    /// `%d`
    Decimal(Expr),
    /// `%u`
    Unsigned(Expr),
    /// `%x`
    Hexadecimal(Expr),
    /// `%o`
    Octal(Expr),
    /// `%c`
    Character(Expr),
    /// `%e`: an mtype name of the set, or the number if it has no name.
    Mtype(Expr, MtypeId),
}

impl Format {
    /// Returns the printed expression; `None` for text.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Text(_) => None,
            Self::Decimal(expr)
            | Self::Unsigned(expr)
            | Self::Hexadecimal(expr)
            | Self::Octal(expr)
            | Self::Character(expr)
            | Self::Mtype(expr, _) => Some(expr),
        }
    }
}
