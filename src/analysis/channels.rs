//! The channels of variables that never change.

use super::accesses::{AccessKind, Scope};
use super::part::{Owner, Part, Selector};
use crate::net::{ChannelType, Initial, Network, Place, Root, TemplateId, Type};
use std::collections::HashSet;

/// The channel of an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// The initial channel of this variable, which never contains another one.
    Of(Part),
    /// Any channel.
    Any,
}

/// The channels of a network, by the variables that are initialised with them.
#[derive(Clone, Debug)]
pub struct Channels<'n> {
    network: &'n Network,
    /// Variables that are assigned: they can contain any channel.
    globals: HashSet<u32>,
    locals: HashSet<(TemplateId, u32)>,
}

impl<'n> Channels<'n> {
    /// Collects all assignments of a network.
    pub fn new(network: &'n Network) -> Self {
        let mut channels = Self { network, globals: HashSet::new(), locals: HashSet::new() };
        for (index, graph) in network.graphs().enumerate() {
            let scope = Scope::any(network, TemplateId::new(index));
            for transition in &graph.transitions {
                scope.action(&transition.action, &mut |access| {
                    if let AccessKind::Write(place, _) = access.kind {
                        channels.add(scope.template, place);
                    }
                });
            }
        }
        channels
    }

    fn add(&mut self, template: TemplateId, place: &Place) {
        match place.root {
            Root::Global(global) => {
                self.globals.insert(global.0);
            }
            Root::Local(local) => {
                self.locals.insert((template, local.0));
            }
            Root::Scratch => {}
        }
    }

    /// Returns whether a global variable, given by its index, is assigned.
    pub fn is_assigned(&self, global: u32) -> bool {
        self.globals.contains(&global)
    }

    /// Returns the channel of a place.
    pub fn held_by(&self, place: &Place, scope: Scope) -> Channel {
        let part = scope.part(place, Owner::Own);
        match part.filter(|it| !self.may_change(it, scope.template)) {
            Some(part) if self.made_for(&part, scope.template).is_some() => Channel::Of(part),
            _ => Channel::Any,
        }
    }

    /// Returns whether a variable can contain another channel than its initial
    /// one. A parameter contains the argument.
    fn may_change(&self, part: &Part, own: TemplateId) -> bool {
        let template = match part.owner {
            Owner::Global => return self.is_assigned(part.variable),
            Owner::Own => own,
            Owner::Process(template) => template,
        };
        part.variable < self.network.template(template).parameters
            || self.locals.contains(&(template, part.variable))
    }

    /// Returns the type of a channel; `None` if it can be any channel.
    pub fn type_of(&self, channel: &Channel, own: TemplateId) -> Option<&'n ChannelType> {
        match channel {
            Channel::Of(part) => self.made_for(part, own),
            Channel::Any => None,
        }
    }

    /// Returns whether a channel can be a rendezvous channel.
    pub fn may_be_rendezvous(&self, channel: &Channel, own: TemplateId) -> bool {
        match self.type_of(channel, own) {
            Some(made) => made.capacity == 0,
            None => self.network.has_rendezvous(),
        }
    }

    /// Returns the type of the channel with which a part is initialised.
    fn made_for(&self, part: &Part, own: TemplateId) -> Option<&'n ChannelType> {
        let mut variable = part.variable(self.network, own);
        for step in &part.steps {
            if let (Selector::Field(field), Type::Record(record)) = (step, variable.ty) {
                variable = &self.network.records[record.index()].fields[field.index()];
            }
        }
        match &variable.initial {
            Initial::Channel(made) => Some(made),
            _ => None,
        }
    }
}
