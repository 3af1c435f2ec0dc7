//! Parts of the state of a system whose processes are known by number.

use crate::analysis::accesses::Scope;
use crate::analysis::part::{Owner, Part, Selector, overlap};
use crate::net::{Place, TemplateId};

/// A part of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatePart {
    /// The whole state.
    Everything,
    /// A variable, an element or a field.
    Variable(VariablePart),
    /// The messages of a channel.
    Channel(ChannelPart),
    /// The location of a process.
    Location(usize),
    /// Which processes and channels exist.
    Processes,
}

/// A variable, or all its elements and fields to which a place can refer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariablePart {
    /// Owner of the variable.
    pub holder: VariableOwner,
    /// Index among the globals of the network or the locals of the template.
    pub variable: u32,
    /// The path to the part.
    pub steps: Vec<Selector>,
}

/// Owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariableOwner {
    /// A global variable.
    Global,
    /// A variable of the process with this number and template.
    Process(usize, TemplateId),
}

/// The messages of a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelPart {
    /// Those of the initial channel of this variable.
    Of(VariablePart),
    /// Those of any channel.
    Any,
}

impl VariablePart {
    /// Returns the variable to which a place of a process refers; `None` for
    /// `_`.
    pub fn of(scope: Scope, place: &Place) -> Option<Self> {
        let process = scope.process.expect("a part of a state belongs to a process with a number");
        let part = scope.part(place, Owner::Own)?;
        Some(Self::held_by(VariableOwner::Process(process, scope.template), part))
    }

    /// Creates a part of a global variable, or of one of this holder.
    pub(super) fn held_by(holder: VariableOwner, part: Part) -> Self {
        let holder = match part.owner {
            Owner::Global => VariableOwner::Global,
            Owner::Own | Owner::Process(_) => holder,
        };
        Self { holder, variable: part.variable, steps: part.steps }
    }

    /// Returns whether they have anything in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.holder, self.variable) == (other.holder, other.variable) && overlap(&self.steps, &other.steps)
    }

    /// Returns whether it is known which elements are accessed.
    pub fn is_certain(&self) -> bool {
        !self.steps.contains(&Selector::AnyElement)
    }
}

impl ChannelPart {
    /// Returns whether both can be the same channel.
    pub fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Of(one), Self::Of(other)) => one.overlaps(other),
            (Self::Any, _) | (_, Self::Any) => true,
        }
    }

    /// Returns whether it is known which channel is used.
    pub fn is_certain(&self) -> bool {
        matches!(self, Self::Of(part) if part.is_certain())
    }
}
