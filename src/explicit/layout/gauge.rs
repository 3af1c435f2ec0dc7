//! Measures how much room states need.

use super::{Cells, Field, Holder, Layout, Shape, add_option};
use crate::system::Word;
use std::collections::HashMap;

/// Bits and options that the measured states need.
#[derive(Debug)]
pub(in crate::explicit) struct Gauge {
    holders: Vec<Holder>,
    bits: Vec<u8>,
    globals: Vec<Measured>,
    /// Measured options per process number.
    processes: Vec<Vec<MeasuredOption>>,
    /// Measured options per channel number.
    channels: Vec<Vec<MeasuredOption>>,
}

/// A field and the index of its holder.
type Measured = (Field, usize);

/// A template or kind of channel that a number can have.
#[derive(Debug)]
struct MeasuredOption {
    fields: Vec<Measured>,
    is_used: bool,
}

impl MeasuredOption {
    fn new(fields: impl Iterator<Item = Measured>) -> Self {
        Self { fields: fields.collect(), is_used: false }
    }
}

impl Gauge {
    pub(in crate::explicit) fn new(layout: &Layout, cells: &Cells) -> Self {
        let mut numbers: HashMap<Holder, usize> = HashMap::new();
        let mut holders = Vec::new();
        let mut number = |holder: Holder| {
            *numbers.entry(holder).or_insert_with(|| {
                holders.push(holder);
                holders.len() - 1
            })
        };
        let globals = cells.globals.iter().zip(&layout.globals);
        let globals = globals.map(|(cell, field)| (*field, number(Holder::Global(cell.variable)))).collect();
        let mut processes = Vec::new();
        for room in &layout.processes {
            let mut options = Vec::new();
            for option in &room.options {
                let locals = cells.locals[option.template.index()].iter().zip(&option.locals);
                let holder = |variable| Holder::Local(option.template, variable);
                let fields = locals.map(|(cell, field)| (*field, number(holder(cell.variable))));
                options.push(MeasuredOption::new(fields));
            }
            processes.push(options);
        }
        let mut channels = Vec::new();
        for room in &layout.channels {
            let mut options = Vec::new();
            for option in &room.options {
                let holder = |index: usize| Holder::Message(option.kind, index % option.n_fields);
                let messages = option.messages.iter().enumerate();
                let fields = messages.map(|(index, field)| (*field, number(holder(index))));
                options.push(MeasuredOption::new(fields));
            }
            channels.push(options);
        }
        let bits = vec![0; holders.len()];
        Self { holders, bits, globals, processes, channels }
    }

    /// Measures a state.
    pub(in crate::explicit) fn measure(&mut self, layout: &Layout, state: &[Word]) {
        let Self { bits, globals, processes, channels, .. } = self;
        let mut note = |all: &[Measured]| {
            for (field, holder) in all {
                bits[*holder] = bits[*holder].max(field.needed_bits(state));
            }
        };
        note(globals);
        let n_processes = layout.n_processes.get(state) as usize;
        for (room, options) in layout.processes.iter().zip(processes).take(n_processes) {
            let option = &mut options[room.tag.get(state) as usize];
            option.is_used = true;
            note(&option.fields);
        }
        let n_channels = layout.n_channels.get(state) as usize;
        for (room, options) in layout.channels.iter().zip(channels).take(n_channels) {
            let option = &mut options[room.tag.get(state) as usize];
            option.is_used = true;
            note(&option.fields);
        }
    }

    /// Adds the measured room to `shape`.
    pub(in crate::explicit) fn widen(&self, layout: &Layout, shape: &mut Shape) {
        for (number, (room, options)) in layout.processes.iter().zip(&self.processes).enumerate() {
            for (option, _) in room.options.iter().zip(options).filter(|(_, it)| it.is_used) {
                add_option(&mut shape.processes, number, option.template);
            }
        }
        for (number, (room, options)) in layout.channels.iter().zip(&self.channels).enumerate() {
            for (option, _) in room.options.iter().zip(options).filter(|(_, it)| it.is_used) {
                add_option(&mut shape.channels, number, option.kind);
            }
        }
        for (holder, bits) in self.holders.iter().zip(&self.bits) {
            shape.widths.at_least(*holder, *bits);
        }
    }
}

impl Field {
    /// Returns the number of bits that the value of the field needs.
    fn needed_bits(self, state: &[Word]) -> u8 {
        let value = self.get(state);
        let magnitude = if value < 0 && self.is_signed { !value } else { value };
        (i32::BITS - magnitude.leading_zeros()) as u8 + u8::from(self.is_signed)
    }
}
