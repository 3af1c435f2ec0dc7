//! Parts of a state that can be changed, and the resources that include them.

use crate::analysis::channels::Channel;
use crate::analysis::footprint::{Footprints, Resource, Resources};
use crate::analysis::part::{Owner, Part};
use crate::explicit::Engine;
use crate::explicit::layout::Field;
use crate::net::{TemplateId, Type};
use crate::system::Word;

/// A random generator with a seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// A part of a state that can be changed.
#[derive(Clone, Copy, Debug)]
pub enum Spot {
    Global { cell: usize },
    Local { process: usize, cell: usize },
    Message { channel: usize },
    Place { process: usize },
}

/// A program, its footprints and an engine, to evaluate in one state.
pub struct Walk<'a> {
    pub engine: &'a Engine<'a>,
    pub footprints: &'a Footprints,
}

impl Walk<'_> {
    pub fn cells_of(&self, part: &Part, mover: TemplateId) -> Vec<usize> {
        let cells = &self.engine.cells;
        let variable = part.variable as usize;
        let start = match part.owner {
            Owner::Global => cells.global_starts[variable],
            Owner::Own => cells.local_starts[mover.index()][variable],
            Owner::Process(template) => cells.local_starts[template.index()][variable],
        };
        part.cells(self.engine.network, mover).into_iter().map(|it| start + it).collect()
    }

    /// Returns whether a resource of a transition of `mover` includes the spot.
    pub fn covers(&self, resource: &Resource, mover: usize, spot: Spot, state: &[Word]) -> bool {
        let own = self.engine.template(mover, state);
        match (resource, spot) {
            (Resource::Everything, _) => true,
            (Resource::Variable(part), Spot::Global { cell }) => {
                part.owner == Owner::Global && self.cells_of(part, own).contains(&cell)
            }
            (Resource::Variable(part), Spot::Local { process, cell }) => {
                let is_owner = match part.owner {
                    Owner::Global => false,
                    Owner::Own => process == mover,
                    Owner::Process(template) => self.engine.template(process, state) == template,
                };
                is_owner && self.cells_of(part, own).contains(&cell)
            }
            (Resource::Channel(Channel::Any), Spot::Message { .. }) => true,
            (Resource::Channel(Channel::Of(part)), Spot::Message { channel }) => {
                self.fields_of(part, mover, state).any(|it| it.get(state) as usize == channel + 1)
            }
            (Resource::Control(template), Spot::Place { process }) => {
                self.engine.template(process, state) == *template
            }
            _ => false,
        }
    }

    /// Returns the fields of a part in all processes to which it may belong.
    pub fn fields_of(&self, part: &Part, mover: usize, state: &[Word]) -> impl Iterator<Item = Field> {
        let layout = &self.engine.layout;
        let own = self.engine.template(mover, state);
        let cells = self.cells_of(part, own);
        let mut fields = Vec::new();
        if part.owner == Owner::Global {
            fields.extend(cells.iter().map(|&cell| layout.globals[cell]));
        }
        for process in 0..layout.n_processes.get(state) as usize {
            let is_owner = match part.owner {
                Owner::Global => false,
                Owner::Own => process == mover,
                Owner::Process(template) => self.engine.template(process, state) == template,
            };
            if is_owner {
                let locals = &self.locals(process, state);
                fields.extend(cells.iter().map(|&cell| locals[cell]));
            }
        }
        fields.into_iter()
    }

    pub fn locals(&self, process: usize, state: &[Word]) -> Vec<Field> {
        let room = &self.engine.layout.processes[process];
        room.options[room.tag.get(state) as usize].locals.clone()
    }

    pub fn is_covered(&self, all: &Resources, mover: usize, spot: Spot, state: &[Word]) -> bool {
        all.iter().any(|it| self.covers(it, mover, spot, state))
    }

    pub fn spots(&self, state: &[Word]) -> Vec<Spot> {
        let layout = &self.engine.layout;
        let mut spots: Vec<Spot> = (0..layout.globals.len()).map(|cell| Spot::Global { cell }).collect();
        for process in 0..layout.n_processes.get(state) as usize {
            let n_locals = self.locals(process, state).len();
            spots.extend((0..n_locals).map(|cell| Spot::Local { process, cell }));
            spots.push(Spot::Place { process });
        }
        let n_channels = layout.n_channels.get(state) as usize;
        spots.extend((0..n_channels).map(|channel| Spot::Message { channel }));
        spots
    }

    /// Returns the values of a spot.
    pub fn content(&self, spot: Spot, state: &[Word]) -> Vec<i32> {
        let layout = &self.engine.layout;
        match spot {
            Spot::Global { cell } => vec![layout.globals[cell].get(state)],
            Spot::Local { process, cell } => vec![self.locals(process, state)[cell].get(state)],
            Spot::Place { process } => vec![layout.processes[process].location.get(state)],
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(state) as usize];
                let messages = option.messages.iter().map(|it| it.get(state));
                [option.length.get(state)].into_iter().chain(messages).collect()
            }
        }
    }

    /// Changes the value of a spot, if it can have another one.
    pub fn disturb(&self, spot: Spot, state: &mut [Word], random: &mut Random) -> bool {
        let layout = &self.engine.layout;
        let before = self.content(spot, state);
        match spot {
            Spot::Global { cell } => {
                let cell_of = &self.engine.cells.globals[cell];
                // A variable that is cleared after each step is 0 between steps.
                if cell_of.ty != Type::Chan && !self.engine.hidden.contains(&layout.globals[cell]) {
                    let _ = layout.globals[cell].assign(state, random.below(5) as i32);
                }
            }
            Spot::Local { process, cell } => {
                let template = self.engine.template(process, state);
                let cell_of = &self.engine.cells.locals[template.index()][cell];
                if cell_of.ty != Type::Chan {
                    let _ = self.locals(process, state)[cell].assign(state, random.below(5) as i32);
                }
            }
            Spot::Place { process } => {
                let graph =
                    &self.engine.network.templates[self.engine.template(process, state).index()].graph;
                let place = random.below(graph.locations.len());
                if graph.locations[place].deterministic.is_none() {
                    layout.processes[process].location.set(state, place as i32);
                }
            }
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(state) as usize];
                let length = option.length.get(state) as usize;
                let fields = &option.messages;
                if length > 0 && random.below(2) == 0 {
                    let _ =
                        fields[random.below(length * option.n_fields)].assign(state, random.below(5) as i32);
                } else if length > 0 {
                    option.length.set(state, length as i32 - 1);
                    fields[(length - 1) * option.n_fields..].iter().for_each(|it| it.set(state, 0));
                } else if option.capacity > 0 {
                    option.length.set(state, 1);
                }
            }
        }
        before != self.content(spot, state)
    }

    /// Copies the value of a spot.
    pub fn put(&self, spot: Spot, from: &[Word], to: &mut [Word]) {
        let layout = &self.engine.layout;
        let copy = |field: Field, to: &mut [Word]| field.set(to, field.get(from));
        match spot {
            Spot::Global { cell } => copy(layout.globals[cell], to),
            Spot::Local { process, cell } => copy(self.locals(process, from)[cell], to),
            Spot::Place { process } => copy(layout.processes[process].location, to),
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(from) as usize];
                copy(option.length, to);
                option.messages.iter().for_each(|&field| copy(field, to));
            }
        }
    }
}
