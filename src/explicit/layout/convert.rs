//! Conversion of states from one layout to another.

use super::{ChannelOption, Field, Layout, ProcessOption};
use crate::net::value::truncate;
use crate::system::Word;

impl Layout {
    /// Writes `state`, which has the layout `from`, in this layout. Returns
    /// `false` if it does not fit; then `out` is invalid.
    pub(in crate::explicit) fn convert(&self, from: &Self, state: &[Word], out: &mut [Word]) -> bool {
        out.fill(0);
        let n_processes = from.n_processes.get(state);
        let n_channels = from.n_channels.get(state);
        if n_processes as usize > self.processes.len() || n_channels as usize > self.channels.len() {
            return false;
        }
        self.n_processes.set(out, n_processes);
        self.n_channels.set(out, n_channels);
        let mut copy = StateCopy { state, out };
        // Globals are copied first, because they are most likely not to fit.
        copy.all(&self.globals, &from.globals)
            && copy.all(&self.single_fields(), &from.single_fields())
            && (0..n_processes as usize).all(|process| copy.process((self, from), process))
            && (0..n_channels as usize).all(|channel| copy.channel((self, from), channel))
    }

    /// Returns the fields that exist once, other than variables and counts.
    fn single_fields(&self) -> [Field; 6] {
        [self.fault, self.observer, self.is_over, self.sequence, self.trace, self.last]
    }
}

/// A state that is being copied field by field.
struct StateCopy<'a> {
    state: &'a [Word],
    out: &'a mut [Word],
}

impl StateCopy<'_> {
    /// Copies a value. Returns `false` if it does not fit.
    fn one(&mut self, to: Field, from: Field) -> bool {
        let value = from.get(self.state);
        to.overwrite(self.out, value);
        truncate(to.bits, to.is_signed, value) == value
    }

    fn all(&mut self, to: &[Field], from: &[Field]) -> bool {
        to.iter().zip(from).all(|(to, from)| self.one(*to, *from))
    }

    fn process(&mut self, (to, from): (&Layout, &Layout), number: usize) -> bool {
        let (to, from) = (&to.processes[number], &from.processes[number]);
        let option = &from.options[from.tag.get(self.state) as usize];
        let is_same = |it: &ProcessOption| it.template == option.template;
        let Some(tag) = to.options.iter().position(is_same) else { return false };
        to.tag.set(self.out, tag as i32);
        self.one(to.location, from.location)
            && self.one(to.priority, from.priority)
            && self.all(&to.options[tag].locals, &option.locals)
    }

    fn channel(&mut self, (to, from): (&Layout, &Layout), number: usize) -> bool {
        let (to, from) = (&to.channels[number], &from.channels[number]);
        let option = &from.options[from.tag.get(self.state) as usize];
        let is_same = |it: &ChannelOption| it.kind == option.kind;
        let Some(tag) = to.options.iter().position(is_same) else { return false };
        to.tag.set(self.out, tag as i32);
        self.one(to.options[tag].length, option.length)
            && self.all(&to.options[tag].messages, &option.messages)
    }
}
