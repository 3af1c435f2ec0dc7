//! What the steps of a known run look at, to guess which of its steps matter.
//!
//! A guess may be wrong: whoever uses it replays the run.

use super::read_set::ReadSet;
use super::step::Step;
use crate::analysis::accesses::{AccessKind, Scope};
use crate::analysis::part::Owner;
use crate::explicit::engine::Engine;
use crate::explicit::layout::ProcessRoom;
use crate::net::{Root, TemplateId};
use crate::system::Word;
use std::collections::HashMap;

/// A process number, the tag of its template, and a location.
type Place = (usize, usize, usize);

/// Finds the bits of a state that a step looks at.
#[derive(Debug)]
pub struct Looks<'e> {
    engine: &'e Engine<'e>,
    read_sets: HashMap<Place, Option<ReadSet<'e>>>,
}

impl<'e> Looks<'e> {
    /// Creates a cache of read sets.
    pub fn new(engine: &'e Engine<'e>) -> Self {
        Self { engine, read_sets: HashMap::new() }
    }

    /// Adds the bits that a step looks at in `state`, from its first statement
    /// to the point where another process can move, and the whole state of its
    /// processes.
    pub fn add(&mut self, step: &Step, state: &[Word], mask: &mut [Word]) {
        let engine = self.engine;
        let processes = [Some(step.process), step.partner.map(|(receiver, _)| receiver)];
        for process in processes.into_iter().flatten() {
            if process >= engine.layout.n_processes.get(state) as usize {
                continue;
            }
            let room = &engine.layout.processes[process];
            [room.tag, room.location, room.priority].iter().for_each(|it| it.mark(mask));
            let locals = &room.options[room.tag.get(state) as usize].locals;
            locals.iter().for_each(|it| it.mark(mask));
            let place = (process, room.tag.get(state) as usize, room.location.get(state) as usize);
            let new = || ReadSet::guess(engine, place.0, place.1, place.2);
            let found = self.read_sets.entry(place).or_insert_with(new);
            match found.as_ref().and_then(|it| it.mask(engine, state)) {
                Some(bits) => mask.iter_mut().zip(bits).for_each(|(word, more)| *word |= more),
                None => mask.fill(Word::MAX),
            }
        }
    }

    /// Returns the bits at which the property looks: of the observer with its
    /// variables, and of the automaton over events.
    pub fn of_property(&self, observer: Option<TemplateId>) -> Vec<Word> {
        let engine = self.engine;
        let layout = &engine.layout;
        let mut mask = vec![0; layout.width];
        [layout.observer, layout.sequence, layout.trace].iter().for_each(|it| it.mark(&mut mask));
        let Some(template) = observer else { return mask };
        let scope = Scope::any(engine.network, template);
        let has =
            |room: &&ProcessRoom, template: TemplateId| room.options.iter().any(|it| it.template == template);
        for transition in &engine.network.template(template).graph.transitions {
            scope.action(&transition.action, &mut |access| match access.kind {
                AccessKind::Read(place) | AccessKind::Write(place, _) => {
                    let Root::Global(id) = place.root else { return };
                    let start = engine.cells.global_starts[id.index()];
                    let Some(part) = scope.part(place, Owner::Own) else { return };
                    for cell in part.cells(engine.network, template) {
                        layout.globals[start + cell].mark(&mut mask);
                    }
                }
                AccessKind::Location { template, .. } => {
                    let rooms = layout.processes.iter().filter(|it| has(it, template));
                    rooms.for_each(|it| it.location.mark(&mut mask));
                }
                AccessKind::ReadRemote { template, .. } => {
                    for room in layout.processes.iter().filter(|it| has(it, template)) {
                        let locals = room.options.iter().flat_map(|it| &it.locals);
                        locals.for_each(|it| it.mark(&mut mask));
                    }
                }
                AccessKind::Channel(_) => {
                    let options = layout.channels.iter().flat_map(|it| &it.options);
                    options.for_each(|it| {
                        it.length.mark(&mut mask);
                        it.messages.iter().for_each(|field| field.mark(&mut mask));
                    });
                }
                _ => {}
            });
        }
        mask
    }
}
