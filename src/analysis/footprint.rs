//! Footprints: the parts of the state that each transition reads and writes, to
//! determine which steps influence each other.
//!
//! A [`Footprint`] never contains too little: if a part is known only at run
//! time (an index or a channel that is the value of a variable), it contains
//! everything that it could be. Every transition reads and writes the location
//! of its own process, which is never listed.
//!
//! `own` analyses the statement alone; `meet` adds the effects of both sides of
//! a rendezvous, the whole effect of a `d_step`, and everything else that
//! determines whether a transition is executable: `provided`, `else`, `unless`,
//! priorities.

mod meet;
mod name;
mod own;
#[cfg(test)]
mod tests;

use super::accesses::Operation;
use super::channels::Channel;
use super::part::Part;
use crate::net::{Network, TemplateId, TransitionId};
use std::collections::BTreeSet;

/// A set of resources.
pub type Resources = BTreeSet<Resource>;

/// The footprints of all transitions of a network.
#[derive(Clone, Debug)]
pub struct Footprints {
    /// Footprints by template and transition.
    of: Vec<Vec<Footprint>>,
}

/// Parts of the state that a transition reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Parts that determine whether it is executable.
    pub guard: Resources,
    /// Parts that determine its effect.
    pub reads: Resources,
    /// Parts that it may change.
    pub writes: Resources,
    /// Operations on channels, including tests.
    pub operations: BTreeSet<(Channel, Operation)>,
    /// Whether it can end in an error of the run or a failed assertion.
    pub may_fail: bool,
    /// Parts that the other side of a rendezvous adds to the step, whichever
    /// process it is; empty if the transition cannot be part of a rendezvous.
    pub partner: Partner,
}

/// The other side of a rendezvous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partner {
    /// Parts that determine whether there is a partner.
    pub guard: Resources,
    /// Parts that determine its effect.
    pub reads: Resources,
    /// Parts that it may change.
    pub writes: Resources,
}

/// A part of the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// The whole state: `timeout`, `enabled`, priorities.
    Everything,
    /// A variable, an element or a field.
    Variable(Part),
    /// The messages of a channel.
    Channel(Channel),
    /// Locations of processes of a template, other than the one that moves.
    Control(TemplateId),
    /// Which processes exist, with everything that is created and removed with
    /// them.
    Processes,
    /// Which channels exist, with the messages of those that are created and
    /// removed.
    Channels,
    /// The process that moved last; written by every transition, if it is read
    /// anywhere.
    Last,
    /// The priorities of processes.
    Priorities,
}

impl Footprints {
    /// Computes the footprints of a network.
    pub fn new(network: &Network) -> Self {
        Self { of: meet::footprints(network) }
    }

    /// Iterates over all footprints, mutably.
    #[cfg(test)]
    pub(crate) fn each_mut(&mut self) -> impl Iterator<Item = &mut Footprint> {
        self.of.iter_mut().flatten()
    }

    /// Returns the footprint of a transition of a template.
    pub fn of(&self, template: TemplateId, transition: TransitionId) -> &Footprint {
        &self.of[template.index()][transition.index()]
    }
}
