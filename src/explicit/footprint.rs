//! What every transition reads and writes, for techniques that ask which
//! steps disturb each other.
//!
//! A [`Footprint`] never says too little: where a part is not known when the
//! program is built (an index that is a variable, a channel that stands in a
//! variable), it names everything that it could be. The place of the process
//! itself is read and written by every transition and never listed.
//!
//! `own` looks at the statement alone, with the channels that `made` knows; `meet` adds what happens to both sides
//! of a rendezvous, what a `d_step` does from its beginning to its end, and
//! what possibility depends on besides the statement: `provided`, `else`,
//! `unless`, priorities.

mod made;
mod meet;
mod name;
mod own;
#[cfg(test)]
mod tests;

use super::layout::{size, size_of_variable};
use crate::net::{FieldId, Network, TemplateId, TransitionId, Type, Variable};
use std::collections::BTreeSet;

pub(super) use made::Assigned;

/// A set of resources.
pub type Resources = BTreeSet<Resource>;

/// The footprints of all transitions of a program.
#[derive(Clone, Debug)]
pub struct Footprints {
    /// Per template and transition.
    of: Vec<Vec<Footprint>>,
}

/// What a transition reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What decides whether it is possible.
    pub guard: Resources,
    /// What decides what it does.
    pub reads: Resources,
    /// What it may change.
    pub writes: Resources,
    /// What it does with channels, tests included.
    pub operations: BTreeSet<(Channel, Operation)>,
    /// May it end in an error of the run or a failed assertion?
    pub may_fail: bool,
    /// What the other side of a rendezvous adds to the step, whoever it is;
    /// empty if the transition cannot be part of one.
    pub partner: Partner,
}

/// The other side of a rendezvous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partner {
    /// What decides whether there is one.
    pub guard: Resources,
    /// What decides what it does.
    pub reads: Resources,
    /// What it may change.
    pub writes: Resources,
}

/// A part of the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// All of it: `timeout`, `enabled`, priorities.
    Everything,
    /// A variable, an element or a field.
    Variable(Part),
    /// The messages of a channel.
    Channel(Channel),
    /// Where processes of a template stand, others than the one that moves.
    Control(TemplateId),
    /// Which processes there are, with all that comes and goes with them.
    Processes,
    /// Which channels there are, with the messages of those that come and go.
    Channels,
    /// Who moved last; written by every transition, if anything reads it.
    Last,
    /// The priorities of processes.
    Priorities,
}

/// A variable, or all elements and fields of it that a place can mean.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Whose variable it is.
    pub owner: Owner,
    /// Its position among the globals of the model or the locals of the
    /// template.
    pub variable: u32,
    /// The way to the part; what is left open at the end is all of it.
    pub steps: Vec<Selector>,
}

/// Whose variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// Nobody's.
    Global,
    /// That of the process that moves.
    Own,
    /// That of another process, of this template; or its own, by `P[_pid]:x`.
    Process(TemplateId),
}

/// A step into an array or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// This element.
    Element(u32),
    /// Some element, not known which.
    AnyElement,
    /// A field.
    Field(FieldId),
}

/// A channel that an operation is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// The one that was made for this variable, which never holds another.
    Of(Part),
    /// Any.
    Any,
}

/// What is done with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `q!…`
    Send,
    /// `q!!…`
    SortedSend,
    /// `q?…`
    Receive,
    /// `q??…`
    RandomReceive,
    /// `q?<…>`
    Copy,
    /// `q??<…>`
    RandomCopy,
    /// `len(q)`
    Length,
    /// `empty(q)`
    Empty,
    /// `full(q)`
    Full,
    /// `nempty(q)`
    NotEmpty,
    /// `nfull(q)`
    NotFull,
    /// `q?[…]`
    Poll,
    /// `q??[…]`
    RandomPoll,
}

impl Footprints {
    /// The footprints of a program.
    pub fn new(network: &Network) -> Self {
        Self { of: meet::footprints(network) }
    }

    /// The footprint of a transition of a template.
    pub fn of(&self, template: TemplateId, transition: TransitionId) -> &Footprint {
        &self.of[template.index()][transition.index()]
    }
}

impl Operation {
    /// Does it change the messages of the channel?
    pub fn writes(self) -> bool {
        matches!(self, Self::Send | Self::SortedSend | Self::Receive | Self::RandomReceive)
    }
}

impl Part {
    /// The variable as declared, if `own` is the template of the process that
    /// moves.
    pub fn variable<'m>(&self, network: &'m Network, own: TemplateId) -> &'m Variable {
        let template = match self.owner {
            Owner::Global => return &network.globals[self.variable as usize],
            Owner::Own => own,
            Owner::Process(template) => template,
        };
        &network.templates[template.index()].locals[self.variable as usize]
    }

    /// Is there anything that belongs to both? Owners and variables are
    /// compared as they stand.
    pub fn overlaps(&self, other: &Self) -> bool {
        let agree = |(one, other): (&Selector, &Selector)| {
            one == other || *one == Selector::AnyElement || *other == Selector::AnyElement
        };
        (self.owner, self.variable) == (other.owner, other.variable)
            && self.steps.iter().zip(&other.steps).all(agree)
    }

    /// The scalars it means, counted from the first one of the variable.
    pub fn cells(&self, network: &Network, own: TemplateId) -> Vec<usize> {
        let variable = self.variable(network, own);
        let mut starts = vec![0];
        // What stands at the starts: an array or, behind an index, an element.
        let (mut ty, mut length) = (variable.ty, variable.length);
        for step in &self.steps {
            match *step {
                Selector::Element(index) => {
                    starts.iter_mut().for_each(|it| *it += index as usize * size(network, ty));
                    length = None;
                }
                Selector::AnyElement => {
                    let (n_elements, each) = (length.unwrap_or(1) as usize, size(network, ty));
                    let elements = |start: &usize| {
                        let start = *start;
                        (0..n_elements).map(move |index| start + index * each)
                    };
                    starts = starts.iter().flat_map(elements).collect();
                    length = None;
                }
                Selector::Field(field) => {
                    let Type::Record(record) = ty else { break };
                    let fields = &network.records[record.index()].fields;
                    let before = fields[..field.index()].iter();
                    let offset: usize = before.map(|it| size_of_variable(network, it)).sum();
                    starts.iter_mut().for_each(|it| *it += offset);
                    (ty, length) = (fields[field.index()].ty, fields[field.index()].length);
                }
            }
        }
        let n_cells = size(network, ty) * length.unwrap_or(1) as usize;
        starts.into_iter().flat_map(|start| start..start + n_cells).collect()
    }
}
