//! Creation and removal of processes and channels.

use super::{Fault, View};
use crate::explicit::code::Machine;
use crate::explicit::engine::{Engine, InitialValue};
use crate::explicit::layout::{CellInitial, Cells, Field, MissingRoom, Shape};
use crate::explicit::monitor::Monitor;
use crate::net::{MAX_INSTANCES, Network, TemplateId};
use crate::system::Word;

/// Iterates over the processes that exist at the start, in order.
fn first_processes(network: &Network) -> impl Iterator<Item = TemplateId> {
    let templates = network.templates.iter().enumerate();
    templates.flat_map(|(index, it)| (0..it.active).map(move |_| TemplateId::new(index)))
}

/// Returns a shape with room for the initial state.
pub(super) fn shape_at_start(network: &Network) -> Shape {
    let kinds = network.channel_kinds();
    let cells = Cells::new(network, &kinds);
    let mut shape = Shape::default();
    let locals = first_processes(network).inspect(|template| shape.processes.push(vec![*template]));
    let locals: Vec<_> = locals.flat_map(|template| &cells.locals[template.index()]).collect();
    for cell in cells.globals.iter().chain(locals) {
        if let CellInitial::Channel(kind) = cell.initial {
            shape.channels.push(vec![kind]);
        }
    }
    shape
}

/// Writes the initial state. Returns the room that the shape is missing for it.
pub(super) fn initial(engine: &Engine, state: &mut [Word]) -> Option<MissingRoom> {
    state.fill(0);
    let mut birth =
        Birth { engine, machine: &mut Machine::default(), n_processes: 0, n_channels: 0, missing_room: None };
    birth.count(state);
    birth.starts(&engine.globals, state);
    engine.hidden.iter().for_each(|field| field.set(state, 0));
    for template in first_processes(engine.network) {
        let priority = engine.network.templates[template.index()].priority as i32;
        birth.process(template, &[], priority, state);
    }
    if let Some(following) = &engine.following {
        engine.layout.sequence.set(state, Monitor::START as i32);
        if following.sequence.monitor().judge(Monitor::START).is_broken {
            engine.layout.fault.set(state, Fault::Sequence.number());
        }
    }
    birth.missing_room
}

/// Creates processes and channels in a state.
struct Birth<'a, 'e> {
    engine: &'e Engine<'e>,
    machine: &'a mut Machine,
    /// Number of processes so far.
    n_processes: usize,
    n_channels: usize,
    missing_room: Option<MissingRoom>,
}

impl Birth<'_, '_> {
    fn starts(&mut self, starts: &[(Field, InitialValue)], state: &mut [Word]) {
        for (field, start) in starts {
            let value = match start {
                InitialValue::Value(piece) => self.machine.value(self.engine, piece, state),
                InitialValue::Channel(kind) => self.channel(*kind, state),
            };
            self.assign(*field, value, state);
        }
    }

    fn assign(&mut self, field: Field, value: i32, state: &mut [Word]) {
        if !field.assign(state, value) {
            self.missing_room.get_or_insert_with(|| self.engine.missing_bits(field, value));
        }
    }

    /// Stores the numbers of processes and channels in the state.
    fn count(&self, state: &mut [Word]) {
        self.engine.layout.n_processes.set(state, self.n_processes as i32);
        self.engine.layout.n_channels.set(state, self.n_channels as i32);
    }

    fn channel(&mut self, kind: usize, state: &mut [Word]) -> i32 {
        let layout = &self.engine.layout;
        let number = self.n_channels;
        let room = layout.channels.get(number);
        let tag = room.and_then(|room| room.options.iter().position(|option| option.kind == kind));
        let (Some(room), Some(tag)) = (room, tag) else {
            self.missing_room.get_or_insert(MissingRoom::Channel(number, kind));
            return 0;
        };
        room.tag.set(state, tag as i32);
        self.n_channels += 1;
        self.count(state);
        self.n_channels as i32
    }

    /// Creates a process and returns its number.
    fn process(&mut self, template: TemplateId, arguments: &[i32], priority: i32, state: &mut [Word]) -> i32 {
        let layout = &self.engine.layout;
        let number = self.n_processes;
        let room = layout.processes.get(number);
        let tag = room.and_then(|room| room.options.iter().position(|option| option.template == template));
        let (Some(room), Some(tag)) = (room, tag) else {
            self.missing_room.get_or_insert(MissingRoom::Process(number, template));
            return 0;
        };
        room.tag.set(state, tag as i32);
        room.priority.set(state, priority);
        self.n_processes += 1;
        self.count(state);
        let table = &self.engine.tables[number][tag];
        for (field, &value) in table.parameters.iter().zip(arguments) {
            self.assign(*field, value, state);
        }
        self.starts(&table.starts, state);
        number as i32
    }
}

impl View<'_> {
    /// Starts a process with the arguments in `values` and stores its number in
    /// `target`.
    pub(super) fn run(
        &mut self,
        (template, priority): (TemplateId, i32),
        target: Option<Field>,
        next: &mut [Word],
    ) {
        let layout = &self.engine.layout;
        let n_processes = layout.n_processes.get(next) as usize;
        let n_channels = layout.n_channels.get(next) as usize;
        if n_processes >= MAX_INSTANCES || n_channels + self.engine.n_channels_of(template) > MAX_INSTANCES {
            return layout.fault.set(next, Fault::TooMany.number());
        }
        let machine = &mut self.machine;
        let mut birth = Birth { engine: self.engine, machine, n_processes, n_channels, missing_room: None };
        let number = birth.process(template, &self.values, priority, next);
        self.missing_room = self.missing_room.or(birth.missing_room);
        if let Some(field) = target {
            self.assign(field, number, next);
        }
    }

    /// Removes the youngest process and the channels that it created.
    pub(super) fn remove_process(&mut self, process: usize, next: &mut [Word]) {
        let layout = &self.engine.layout;
        let n_channels = layout.n_channels.get(next) as usize;
        let n_left = n_channels - self.engine.n_channels_of(self.engine.template(process, next));
        for room in &layout.channels[n_left..n_channels] {
            let option = &room.options[room.tag.get(next) as usize];
            option.length.set(next, 0);
            option.messages.iter().for_each(|field| field.set(next, 0));
            room.tag.set(next, 0);
        }
        layout.n_channels.set(next, n_left as i32);
        layout.processes[process].all.iter().for_each(|field| field.set(next, 0));
        layout.n_processes.set(next, process as i32);
    }
}
