//! Effects of transitions on the state.

use super::state_part::{ChannelPart, StatePart, VariablePart};
use super::system::Instance;
use crate::analysis::accesses::Scope;
use crate::net::{Expr, LocationId, TemplateId, TransitionId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Effect of a transition, from its first statement to the point where another
/// process can move. Guards of the first statement are conjuncts and not part of
/// it.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect<'n> {
    /// Transitions of the processes that it may execute.
    pub executes: BTreeSet<(Instance, TransitionId)>,
    /// Parts of the state that determine the effect.
    pub reads: BTreeSet<StatePart>,
    /// Variables that it may assign.
    pub writes: BTreeMap<VariablePart, Written>,
    /// Channels that it may use, and how.
    pub buffers: Vec<(ChannelPart, BufferUse<'n>)>,
    /// Processes that it moves.
    pub movements: BTreeMap<usize, Movement>,
    /// Templates of processes that it may start.
    pub starts: BTreeSet<TemplateId>,
    /// Processes that it may end.
    pub ends: BTreeSet<usize>,
    /// Assertion of its first statement, if evaluating it cannot fail.
    pub assertion: Option<(Instance, &'n Expr)>,
    /// Whether an assertion of a later statement may fail.
    pub may_fail_later: bool,
    /// Whether it may end in an error other than a failed assertion.
    pub may_fail: bool,
}

/// Value that is assigned to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// This value, truncated to the type of the variable.
    Constant(i32),
    /// The value of the variable plus a constant.
    Sum,
    /// Any value.
    Unknown,
}

/// Use of the messages of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) enum BufferUse<'n> {
    /// Appends a message.
    Append(Message<'n>),
    /// Receives the first message.
    TakeFirst,
    /// Reads the first message.
    ReadFirst,
    /// Reads any messages.
    Read,
    /// Reads and changes any messages.
    Change,
}

/// A message that is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'n> {
    pub scope: Scope<'n>,
    pub values: &'n [Expr],
    /// Types of its fields, if they are known.
    pub types: &'n [Type],
}

/// Possible movement of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct Movement {
    /// Locations before; `None` for any location.
    pub from: Option<BTreeSet<LocationId>>,
    /// Locations afterwards.
    pub to: BTreeSet<LocationId>,
}

impl BufferUse<'_> {
    pub fn writes(self) -> bool {
        matches!(self, Self::Append(_) | Self::TakeFirst | Self::Change)
    }
}

impl Effect<'_> {
    pub fn write(&mut self, part: VariablePart, written: Written) {
        let known = self.writes.entry(part).or_insert(written);
        if *known != written {
            *known = Written::Unknown;
        }
    }

    /// Returns whether it may change a part of the state.
    pub fn writes_to(&self, part: &StatePart) -> bool {
        match part {
            StatePart::Everything => true,
            StatePart::Variable(part) => self.writes.keys().any(|it| it.overlaps(part)),
            StatePart::Channel(part) => self.buffers.iter().any(|(it, how)| how.writes() && it.may_be(part)),
            StatePart::Location(process) => self.movements.contains_key(process),
            StatePart::Processes => !self.starts.is_empty() || !self.ends.is_empty(),
        }
    }

    /// Iterates over the uses of a channel, or of one that may be the same.
    pub fn uses_of(&self, channel: &ChannelPart) -> impl Iterator<Item = BufferUse<'_>> {
        self.buffers.iter().filter(|(it, _)| it.may_be(channel)).map(|(_, how)| *how)
    }
}
