//! What goes wrong in a run.

use crate::explicit::code::Cause;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An `assert` that does not hold.
    Assertion,
    /// Nothing can move, and not every process is where it may rest.
    InvalidEnd,
    /// A division by zero.
    DivisionByZero,
    /// An index that the array does not have.
    IndexOutOfRange,
    /// A channel variable that holds no channel.
    NoChannel,
    /// A poll of a rendezvous, which never holds a message.
    PollOfRendezvous,
    /// A message with more or fewer values than its channel has fields.
    WrongFields,
    /// A `d_step` that cannot go on.
    BlockedStep,
    /// More than 255 processes or channels.
    TooMany,
    /// The observer has come to its end.
    Observed,
    /// Events come in an order that is wrong.
    Sequence,
    /// A send or receive that the trace has no place for.
    UnexpectedEvent,
    /// Sends and receives that `notrace` describes.
    MatchedTrace,
    /// A send or receive that the trace has two places for.
    AmbiguousTrace,
    /// A priority below 1 or above 255.
    PriorityOutOfRange,
    /// `enabled` of the process that asks, or in a circle.
    EnabledAsksItself,
    /// A `d_step` that goes on for ever.
    EndlessStep,
    /// A channel is used by another process than `xr` or `xs` promises.
    BrokenPromise,
    /// `xr` or `xs` of a rendezvous channel.
    PromisedRendezvous,
    /// Nothing can move, and the trace is not where it may end.
    UnfinishedTrace,
    /// Nothing can move, and messages are left.
    MessagesLeft,
    /// A process of a `D_proctype` can do two things.
    Nondeterminism,
    /// A value that its variable may not hold.
    OutOfRange,
}

impl Fault {
    /// All of them, by number less one.
    pub const ALL: [Self; 23] = [
        Self::Assertion,
        Self::InvalidEnd,
        Self::DivisionByZero,
        Self::IndexOutOfRange,
        Self::NoChannel,
        Self::PollOfRendezvous,
        Self::WrongFields,
        Self::BlockedStep,
        Self::TooMany,
        Self::Observed,
        Self::Sequence,
        Self::UnexpectedEvent,
        Self::MatchedTrace,
        Self::AmbiguousTrace,
        Self::PriorityOutOfRange,
        Self::EnabledAsksItself,
        Self::EndlessStep,
        Self::BrokenPromise,
        Self::PromisedRendezvous,
        Self::UnfinishedTrace,
        Self::MessagesLeft,
        Self::Nondeterminism,
        Self::OutOfRange,
    ];

    /// Is it that no process can move?
    pub fn is_blocked_end(self) -> bool {
        matches!(self, Self::InvalidEnd | Self::UnfinishedTrace | Self::MessagesLeft)
    }

    pub(in crate::explicit) fn number(self) -> i32 {
        self as i32 + 1
    }
}

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::DivisionByZero => Self::DivisionByZero,
            Cause::IndexOutOfRange => Self::IndexOutOfRange,
            Cause::NoChannel => Self::NoChannel,
            Cause::PollOfRendezvous => Self::PollOfRendezvous,
            Cause::WrongFields => Self::WrongFields,
            Cause::BrokenPromise => Self::BrokenPromise,
            Cause::PromisedRendezvous => Self::PromisedRendezvous,
            Cause::EnabledAsksItself => Self::EnabledAsksItself,
        }
    }
}
