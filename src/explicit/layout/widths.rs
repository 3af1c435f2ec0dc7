//! Number of bits of variables and messages.
//!
//! Most variables have small values, so each begins with few bits. When a value
//! does not fit, the search restarts with more bits or, if much work would be
//! lost, stores such states separately
//! ([`overflow`](crate::explicit::overflow)).

use super::{Cells, Field, Layout, MissingRoom, Shape};
use crate::explicit::code::comparisons;
use crate::net::value::truncate;
use crate::net::{Action, Network};
use crate::net::{Place, Root, TemplateId, Type};
use std::collections::HashMap;

/// Unit whose values have the same number of bits: a variable with all its
/// elements and record fields, or a field of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A global variable, by index.
    Global(usize),
    /// A local variable of a template, by index.
    Local(TemplateId, usize),
    /// A field of the messages of a kind of channel.
    Message(usize, usize),
}

/// Number of bits per holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Holders that need more than `min_bits` bits.
    known: HashMap<Holder, u8>,
    /// Minimum bits per holder, capped by its type.
    min_bits: u8,
    /// Number of generous growths so far.
    n_growths: u32,
}

/// Number of generous growths after which all variables are widened.
const MAX_GROWTHS: u32 = 3;

/// Constants up to this value reserve bits in advance.
const MAX_EXPECTED: i32 = 15;

impl Default for Widths {
    fn default() -> Self {
        Self { known: HashMap::new(), min_bits: 2, n_growths: 0 }
    }
}

impl Widths {
    /// Gives every variable the bits of its type.
    pub fn whole() -> Self {
        Self { min_bits: 32, ..Self::default() }
    }

    pub(super) fn of(&self, holder: Holder, ty: Type) -> u8 {
        let bits = self.known.get(&holder).map_or(self.min_bits, |bits| *bits.max(&self.min_bits));
        bits.min(ty.bits().0)
    }

    /// Reserves bits for a value that a holder will probably have.
    pub(super) fn expect(&mut self, holder: Holder, value: i32) {
        if (0..=MAX_EXPECTED).contains(&value) {
            let bits = (i32::BITS - value.leading_zeros()) as u8;
            let known = self.known.entry(holder).or_default();
            *known = bits.max(*known);
        }
    }

    /// Gives a holder at least `bits`.
    pub(super) fn at_least(&mut self, holder: Holder, bits: u8) {
        if bits > self.min_bits {
            let known = self.known.entry(holder).or_default();
            *known = bits.max(*known);
        }
    }

    /// Reserves the bits that other widths have.
    pub(super) fn include(&mut self, other: &Self) {
        self.min_bits = self.min_bits.max(other.min_bits);
        other.known.iter().for_each(|(holder, bits)| self.at_least(*holder, *bits));
    }

    /// Gives a holder more than the `bits` it needs now; after a few calls, all
    /// holders twice their minimum.
    pub(super) fn widen_generously(&mut self, holder: Holder, bits: u8) {
        self.at_least(holder, (bits + 2).min(32));
        self.n_growths += 1;
        if self.n_growths > MAX_GROWTHS {
            self.min_bits = (self.min_bits * 2).min(32);
        }
    }
}

impl Shape {
    /// Reserves bits for the initial values and for the constants with which
    /// variables are compared.
    pub fn of(network: &Network) -> Self {
        let mut shape = Self::at_start(network);
        for (template, process) in network.graphs().enumerate() {
            let mut note = |place: &Place, value: i32| {
                let holder = match place.root {
                    Root::Scratch => return,
                    Root::Global(global) => Holder::Global(global.index()),
                    Root::Local(local) => Holder::Local(TemplateId::new(template), local.index()),
                };
                shape.widths.expect(holder, value);
            };
            for transition in &process.transitions {
                if let Action::Guard(expr) = &transition.action {
                    comparisons(expr, &mut note);
                }
            }
        }
        shape
    }
}

impl Layout {
    /// Returns the room that a shape is missing if a value does not fit into a
    /// field.
    pub(in crate::explicit) fn missing_bits(&self, cells: &Cells, field: Field, value: i32) -> MissingRoom {
        let stored = truncate(field.type_bits, field.is_signed, value);
        let fits = |&bits: &u8| truncate(bits, field.is_signed, stored) == stored;
        let bits = (field.bits..field.type_bits).find(fits).unwrap_or(field.type_bits);
        let in_globals = || {
            let global = self.globals.iter().position(|it| *it == field)?;
            Some(Holder::Global(cells.globals[global].variable))
        };
        let in_processes = || {
            self.processes.iter().flat_map(|room| &room.options).find_map(|option| {
                let local = option.locals.iter().position(|it| *it == field)?;
                let variable = cells.locals[option.template.index()][local].variable;
                Some(Holder::Local(option.template, variable))
            })
        };
        let in_channels = || {
            self.channels.iter().flat_map(|room| &room.options).find_map(|option| {
                let message = option.messages.iter().position(|it| *it == field)?;
                Some(Holder::Message(option.kind, message % option.n_fields))
            })
        };
        let holder = in_globals().or_else(in_processes).or_else(in_channels);
        MissingRoom::Bits(holder.expect("every field holds something"), bits)
    }
}
