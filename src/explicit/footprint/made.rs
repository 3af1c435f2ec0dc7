//! Which channel a variable holds, where that never changes.

use super::{Owner, Part, Selector};
use crate::net::{Action, Initial, Network, Pattern, Place, Root, TemplateId, Type};
use std::collections::HashSet;

/// The channel variables of a program that something is assigned to: they
/// may hold any channel.
pub(in crate::explicit) struct Assigned {
    globals: HashSet<u32>,
    locals: HashSet<(TemplateId, u32)>,
}

impl Assigned {
    pub fn new(network: &Network) -> Self {
        let mut assigned = Self { globals: HashSet::new(), locals: HashSet::new() };
        for (index, process) in network.graphs().enumerate() {
            let template = TemplateId::new(index);
            for transition in &process.transitions {
                match &transition.action {
                    Action::Assign(place, _) => assigned.add(template, place),
                    Action::Receive(receive) => {
                        for pattern in &receive.patterns {
                            if let Pattern::Store(place) = pattern {
                                assigned.add(template, place);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        assigned
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

    /// Is something assigned to a global variable, by its number?
    pub fn has_global(&self, variable: u32) -> bool {
        self.globals.contains(&variable)
    }

    pub(super) fn contains(&self, template: TemplateId, part: &Part) -> bool {
        match part.owner {
            Owner::Global => self.has_global(part.variable),
            Owner::Own => self.locals.contains(&(template, part.variable)),
            Owner::Process(other) => self.locals.contains(&(other, part.variable)),
        }
    }
}

/// Capacity and number of fields of the channel that is made for a part.
pub(super) fn channel_type(network: &Network, part: &Part, own: TemplateId) -> Option<(u32, usize)> {
    let mut variable = part.variable(network, own);
    for step in &part.steps {
        if let (Selector::Field(field), Type::Record(record)) = (step, variable.ty) {
            variable = &network.records[record.index()].fields[field.index()];
        }
    }
    match &variable.initial {
        Initial::Channel(made) => Some((made.capacity, made.fields.len())),
        _ => None,
    }
}
