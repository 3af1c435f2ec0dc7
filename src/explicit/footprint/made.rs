//! Which channel a variable holds, where that never changes.

use super::{Owner, Part, Selector};
use crate::explicit::program::{Action, Program};
use crate::lang::promela::tree::{Initial, Model, Pattern, Place, ProctypeId, Root, Type};
use std::collections::HashSet;

/// The channel variables of a program that something is assigned to: they
/// may hold any channel.
pub(in crate::explicit) struct Assigned {
    globals: HashSet<u32>,
    locals: HashSet<(ProctypeId, u32)>,
}

impl Assigned {
    pub fn new(program: &Program) -> Self {
        let mut assigned = Self { globals: HashSet::new(), locals: HashSet::new() };
        for (index, process) in program.processes.iter().enumerate() {
            let proctype = ProctypeId::new(index);
            for transition in &process.transitions {
                match &transition.action {
                    Action::Assign(place, _) => assigned.add(proctype, place),
                    Action::Receive(receive) => {
                        for pattern in &receive.patterns {
                            if let Pattern::Store(place) = pattern {
                                assigned.add(proctype, place);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        assigned
    }

    fn add(&mut self, proctype: ProctypeId, place: &Place) {
        match place.root {
            Root::Global(global) => {
                self.globals.insert(global.0);
            }
            Root::Local(local) => {
                self.locals.insert((proctype, local.0));
            }
            Root::Scratch => {}
        }
    }

    /// Is something assigned to a global variable, by its number?
    pub fn has_global(&self, variable: u32) -> bool {
        self.globals.contains(&variable)
    }

    pub(super) fn contains(&self, proctype: ProctypeId, part: &Part) -> bool {
        match part.owner {
            Owner::Global => self.has_global(part.variable),
            Owner::Own => self.locals.contains(&(proctype, part.variable)),
            Owner::Process(other) => self.locals.contains(&(other, part.variable)),
        }
    }
}

/// Capacity and number of fields of the channel that is made for a part.
pub(super) fn channel_type(model: &Model, part: &Part, own: ProctypeId) -> Option<(u32, usize)> {
    let mut variable = part.variable(model, own);
    for step in &part.steps {
        if let (Selector::Field(field), Type::Record(record)) = (step, variable.ty) {
            variable = &model.records[record.index()].fields[field.index()];
        }
    }
    match &variable.initial {
        Initial::Channel(made) => Some((made.capacity, made.fields.len())),
        _ => None,
    }
}
