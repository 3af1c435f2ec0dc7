//! Descriptions of states in terms of the model.

use super::engine::Engine;
use super::layout::{Cell, Field};
use super::view::Step;
use crate::automata::State;
use crate::net::{MtypeId, TemplateId, Type};
use crate::net::{Transition, TransitionId};
use crate::system::Word;

/// A variable or channel and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Name, such as `x` or `a[2].y`; a local variable has the prefix of its
    /// process: `P[1].x`.
    pub name: String,
    /// A number, an mtype name, or the messages of a channel.
    pub value: String,
}

impl Engine<'_> {
    /// Returns the events of the property that a step from `state` is, in the
    /// order in which they happen.
    pub fn events(&self, step: &Step, state: &[Word]) -> Vec<&str> {
        let Some(following) = &self.following else { return Vec::new() };
        let sides = [(step.process, step.transition)].into_iter().chain(step.partner);
        let symbols = sides.flat_map(|(process, transition)| {
            let tag = self.layout.processes[process].tag.get(state) as usize;
            following.symbols[process][tag][transition.index()].iter()
        });
        symbols.filter_map(|symbol| following.sequence.monitor().event(*symbol)).collect()
    }

    /// Returns the state of the last assumption about the order of events.
    pub fn last_assumption(&self, state: &[Word]) -> Option<State> {
        let monitor = self.following.as_ref()?.sequence.monitor();
        Some(monitor.last(self.layout.sequence.get(state) as State))
    }

    /// Returns the name of a process, such as `P[1]`.
    pub fn process_name(&self, process: usize, state: &[Word]) -> String {
        let template = self.network.template(self.template(process, state));
        match template.is_single {
            true => template.name.clone(),
            false => format!("{}[{process}]", template.name),
        }
    }

    /// Returns the template of a living process.
    pub fn template(&self, process: usize, state: &[Word]) -> TemplateId {
        let room = &self.layout.processes[process];
        room.options[room.tag.get(state) as usize].template
    }

    /// Returns a transition of a living process.
    pub fn transition(&self, process: usize, id: TransitionId, state: &[Word]) -> &Transition {
        self.network.templates[self.template(process, state).index()].graph.transition(id)
    }

    /// Returns the values of all variables, globals first.
    pub fn contents(&self, state: &[Word]) -> Vec<Content> {
        let mut all = Vec::new();
        self.add(&self.cells.globals, &self.layout.globals, "", state, &mut all);
        for process in 0..self.layout.n_processes.get(state) as usize {
            let room = &self.layout.processes[process];
            let option = &room.options[room.tag.get(state) as usize];
            let cells = &self.cells.locals[option.template.index()];
            let prefix = format!("{}.", self.process_name(process, state));
            self.add(cells, &option.locals, &prefix, state, &mut all);
        }
        all
    }

    /// Returns the variables whose values have changed, globals first, and all
    /// variables of new processes.
    pub fn changes(&self, before: &[Word], after: &[Word]) -> Vec<Content> {
        let mut all = Vec::new();
        self.add_changes(&self.cells.globals, &self.layout.globals, "", (Some(before), after), &mut all);
        let n_before = self.layout.n_processes.get(before) as usize;
        for process in 0..self.layout.n_processes.get(after) as usize {
            let room = &self.layout.processes[process];
            let tag = room.tag.get(after);
            let is_same = process < n_before && room.tag.get(before) == tag;
            let option = &room.options[tag as usize];
            let cells = &self.cells.locals[option.template.index()];
            let prefix = format!("{}.", self.process_name(process, after));
            let states = (is_same.then_some(before), after);
            self.add_changes(cells, &option.locals, &prefix, states, &mut all);
        }
        all
    }

    fn add_changes(
        &self,
        cells: &[Cell],
        fields: &[Field],
        prefix: &str,
        (before, after): (Option<&[Word]>, &[Word]),
        all: &mut Vec<Content>,
    ) {
        for (cell, field) in cells.iter().zip(fields).filter(|(cell, _)| !cell.is_internal) {
            let is_same = before.is_some_and(|before| {
                let same = field.get(before) == field.get(after);
                let value = field.get(after);
                same && (cell.ty != Type::Chan || self.messages(value, before) == self.messages(value, after))
            });
            if !is_same {
                let value = self.value(cell.ty, field.get(after), after);
                all.push(Content { name: format!("{prefix}{}", cell.name), value });
            }
        }
    }

    fn add(&self, cells: &[Cell], fields: &[Field], prefix: &str, state: &[Word], all: &mut Vec<Content>) {
        // Assignments to variables that are cleared after every step are not
        // shown.
        let is_kept = |field: &Field| field.bits() == 0 || !self.hidden.contains(field);
        for (cell, field) in
            cells.iter().zip(fields).filter(|(cell, field)| !cell.is_internal && is_kept(field))
        {
            let value = self.value(cell.ty, field.get(state), state);
            all.push(Content { name: format!("{prefix}{}", cell.name), value });
        }
    }

    fn value(&self, ty: Type, value: i32, state: &[Word]) -> String {
        match ty {
            Type::Mtype(set) => self.mtype_name(set, value),
            Type::Bool => (value != 0).to_string(),
            Type::Chan => self.messages(value, state),
            _ => value.to_string(),
        }
    }

    /// Returns the name of a value, or the number if it has no name.
    pub(super) fn mtype_name(&self, set: MtypeId, value: i32) -> String {
        let names = &self.network.mtypes[set.index()].names;
        let name =
            usize::try_from(value).ok().and_then(|it| it.checked_sub(1)).and_then(|index| names.get(index));
        name.cloned().unwrap_or_else(|| value.to_string())
    }

    /// Returns the messages of a channel, such as `[a,1][b,2]`; empty for a
    /// rendezvous channel.
    fn messages(&self, channel: i32, state: &[Word]) -> String {
        let Some(option) = self.channel(channel, state) else { return "no channel".to_string() };
        let types = self.message_types(option);
        let mut text = format!("channel {channel}:");
        for message in option.messages.chunks(option.n_fields.max(1)).take(option.length.get(state) as usize)
        {
            let field = |(field, ty): (&Field, &Type)| match ty {
                Type::Chan => format!("channel {}", field.get(state)),
                _ => self.value(*ty, field.get(state), state),
            };
            let fields: Vec<String> = message.iter().zip(types).map(field).collect();
            text.push_str(&format!(" [{}]", fields.join(",")));
        }
        if text.ends_with(':') {
            text.push_str(" empty");
        }
        text
    }
}
