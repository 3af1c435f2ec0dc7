//! Errors of a run.

use crate::explicit::code::Cause;
use crate::net::Failure;

/// An error of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An `assert` whose expression is false.
    Assertion,
    /// No process can move, and not every process is at a valid end state.
    InvalidEnd,
    /// A division by zero.
    DivisionByZero,
    /// An index outside its array.
    IndexOutOfRange,
    /// A channel variable without a channel.
    NoChannel,
    /// A poll of a rendezvous channel, which never contains a message.
    PollOfRendezvous,
    /// A message with more or fewer values than its channel has fields.
    WrongFields,
    /// A `d_step` that blocks.
    BlockedStep,
    /// More than 255 processes or channels.
    TooMany,
    /// The observer has reached its end.
    Observed,
    /// Events in a wrong order.
    Sequence,
    /// A send or receive that the trace does not allow.
    UnexpectedEvent,
    /// Sends and receives that `notrace` describes.
    MatchedTrace,
    /// A send or receive that matches two events of the trace.
    AmbiguousTrace,
    /// A priority below 1 or above 255.
    PriorityOutOfRange,
    /// `enabled` of the process that evaluates it, or a circular one.
    EnabledAsksItself,
    /// A `d_step` that does not terminate.
    EndlessStep,
    /// A use of a channel that violates `xr` or `xs`.
    BrokenPromise,
    /// `xr` or `xs` of a rendezvous channel.
    PromisedRendezvous,
    /// No process can move, and the trace is not at an end state.
    UnfinishedTrace,
    /// No process can move, and messages are left in channels.
    MessagesLeft,
    /// A process of a `D_proctype` with two executable transitions.
    Nondeterminism,
    /// A value outside the range of its variable.
    OutOfRange,
    /// A message outside the type of its channel.
    MessageOutOfRange,
    /// A number that does not fit in 64 bits.
    Overflow,
}

impl Fault {
    /// All faults, by number minus one.
    pub const ALL: [Self; 25] = [
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
        Self::MessageOutOfRange,
        Self::Overflow,
    ];

    /// Returns whether it means that no process can move.
    pub fn is_blocked_end(self) -> bool {
        matches!(self, Self::InvalidEnd | Self::UnfinishedTrace | Self::MessagesLeft)
    }

    /// Returns its number in states, from 1.
    pub fn number(self) -> i32 {
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

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::DivisionByZero => Self::DivisionByZero,
            Failure::IndexOutOfRange => Self::IndexOutOfRange,
            Failure::Overflow => Self::Overflow,
            Failure::MessageOutOfRange => Self::MessageOutOfRange,
        }
    }
}
