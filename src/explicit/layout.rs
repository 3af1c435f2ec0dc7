//! The bits of a state.
//!
//! A state has room for a fixed number of processes and channels: the *shape*.
//! The shape that a model needs is determined by running it; a step that needs
//! more room reports it ([`MissingRoom`]), and the search restarts with a larger
//! shape or stores such states separately ([`overflow`](super::overflow)).
//! Within a shape every variable has fixed bits, so code accesses it directly. A
//! variable has fewer bits than its type as long as its values fit ([`Widths`]):
//! a state of half the length is copied, hashed, compared and stored at half the
//! cost.

mod cells;
mod convert;
mod count;
mod gauge;
mod widths;

use crate::base::cancel::checkpoint;
use crate::net::Uses;
use crate::net::value::truncate;
use crate::net::{Network, TemplateId, Type};
use crate::system::Word;

use crate::net::{ChannelKind, MAX_INSTANCES};
pub use cells::{Cell, CellInitial, Cells};
pub use count::Count;
pub(super) use gauge::Gauge;
pub use widths::{Holder, Widths};

/// Room for processes and channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Templates that each process number can have.
    pub processes: Vec<Vec<TemplateId>>,
    /// Kinds that each channel number can have.
    pub channels: Vec<Vec<usize>>,
    /// Number of bits of variables and messages.
    pub widths: Widths,
}

/// Room that a shape is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingRoom {
    /// A process with this number and template.
    Process(usize, TemplateId),
    /// A channel with this number and kind.
    Channel(usize, usize),
    /// A value that needs this number of bits.
    Bits(Holder, u8),
}

/// Some bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u8,
    bits: u8,
    /// Number of bits of its type.
    type_bits: u8,
    is_signed: bool,
}

/// The fields of a state.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Number of words of a state.
    pub width: usize,
    /// Number of living processes.
    pub n_processes: Count,
    /// Number of channels.
    pub n_channels: Count,
    /// Number of the fault, which ends the run; 0 if there is none.
    pub fault: Field,
    /// Location of the observer.
    pub observer: Field,
    /// Whether the system has ended and only the observer moves. It has no bits
    /// unless progress is checked.
    pub is_over: Field,
    /// State of the automaton over events.
    pub sequence: Field,
    /// Location of the trace.
    pub trace: Field,
    /// The process that moved last. It has no bits unless the model uses
    /// `_last`.
    pub last: Field,
    /// Global variables, one field per cell.
    pub globals: Vec<Field>,
    /// Room of the processes, by number.
    pub processes: Vec<ProcessRoom>,
    /// Room of the channels, by number.
    pub channels: Vec<ChannelRoom>,
}

/// Room of one process.
#[derive(Clone, Debug)]
pub struct ProcessRoom {
    /// Index of its template in `options`.
    pub tag: Field,
    /// Its location.
    pub location: Field,
    /// Its priority. It has no bits unless the model uses priorities.
    pub priority: Field,
    /// Templates that it can have.
    pub options: Vec<ProcessOption>,
    /// All fields above, which are cleared when the process ends.
    pub all: Vec<Field>,
}

/// A template that a process number can have.
#[derive(Clone, Debug)]
pub struct ProcessOption {
    /// The template.
    pub template: TemplateId,
    /// Local variables, one field per cell.
    pub locals: Vec<Field>,
}

/// Room of one channel.
#[derive(Clone, Debug)]
pub struct ChannelRoom {
    /// Index of its kind in `options`.
    pub tag: Field,
    /// Kinds that it can have.
    pub options: Vec<ChannelOption>,
}

/// A kind that a channel number can have.
#[derive(Clone, Debug)]
pub struct ChannelOption {
    /// The kind.
    pub kind: usize,
    /// Maximum number of messages; 0 for a rendezvous channel.
    pub capacity: usize,
    /// Number of messages in the channel.
    pub length: Field,
    /// Fields of the messages, oldest message first.
    pub messages: Vec<Field>,
    /// Number of fields per message.
    pub n_fields: usize,
}

impl ChannelOption {
    /// Returns whether a message in the channel has the `wanted` value in every
    /// field that has one.
    #[inline]
    pub fn has(&self, message: usize, mut wanted: impl FnMut(usize) -> Option<i32>, state: &[Word]) -> bool {
        (0..self.n_fields).all(|field| {
            let found = || self.messages[message * self.n_fields + field].get(state);
            wanted(field).is_none_or(|value| value == found())
        })
    }
}

impl Field {
    /// Returns the value of the field.
    #[inline]
    pub fn get(self, state: &[Word]) -> i32 {
        let mask = (1_u64 << self.bits) - 1;
        let value = (state[self.word as usize] >> self.shift) & mask;
        match self.is_signed {
            true => truncate(self.bits, true, value as i32),
            false => value as i32,
        }
    }

    /// Returns the index of its word.
    pub(super) fn word(self) -> usize {
        self.word as usize
    }

    /// Returns the position of its lowest bit.
    pub(super) fn shift(self) -> u8 {
        self.shift
    }

    /// Returns its number of bits.
    pub(super) fn bits(self) -> u8 {
        self.bits
    }

    /// Returns its bits.
    #[inline]
    pub(super) fn raw(self, state: &[Word]) -> Word {
        (state[self.word as usize] >> self.shift) & ((1 << self.bits) - 1)
    }

    /// Sets its bits in a mask.
    pub(super) fn mark(self, mask: &mut [Word]) {
        mask[self.word as usize] |= ((1 << self.bits) - 1) << self.shift;
    }

    /// Stores a value that fits; nothing if the field has no bits.
    #[inline]
    pub fn set(self, state: &mut [Word], value: i32) {
        debug_assert!(
            self.bits == 0 || truncate(self.bits, self.is_signed, value) == value,
            "{self:?} is too narrow"
        );
        self.overwrite(state, value);
    }

    /// Stores a value, truncated to its type. Returns `false` if the value needs
    /// more bits than the field has; then the stored value is wrong.
    #[inline]
    #[must_use = "a value that does not fit is a lack of the shape"]
    pub fn assign(self, state: &mut [Word], value: i32) -> bool {
        self.overwrite(state, value);
        let stored = truncate(self.type_bits, self.is_signed, value);
        self.bits == self.type_bits || truncate(self.bits, self.is_signed, stored) == stored
    }

    #[inline]
    fn overwrite(self, state: &mut [Word], value: i32) {
        let mask = (1_u64 << self.bits) - 1;
        let word = &mut state[self.word as usize];
        *word = (*word & !(mask << self.shift)) | ((value as u32 as u64 & mask) << self.shift);
    }
}

/// Allocates the first free bits.
#[derive(Clone, Debug, Default)]
struct Packer {
    /// Number of bits in use per word, from the lowest; it never decreases.
    used: Vec<u8>,
    /// Per number of bits, an index of a word before which no word has room for
    /// them.
    first: Vec<usize>,
}

impl Packer {
    /// Allocates a field for a value of a type with this number of bits.
    fn take_for(&mut self, ty: Type, bits: u8) -> Field {
        let (type_bits, is_signed) = ty.bits();
        Field { type_bits, ..self.take((bits, is_signed)) }
    }

    fn take(&mut self, (bits, is_signed): (u8, bool)) -> Field {
        if bits == 0 {
            if self.used.is_empty() {
                self.used.push(0);
            }
            return Field::default();
        }
        checkpoint();
        self.first.resize(self.first.len().max(usize::from(bits) + 1), 0);
        let first = &mut self.first[usize::from(bits)];
        let mut word = *first;
        while self.used.get(word).is_some_and(|used| used + bits > 64) {
            word += 1;
        }
        if word == self.used.len() {
            self.used.push(0);
        }
        *first = word;
        let shift = self.used[word];
        self.used[word] += bits;
        Field { word: word as u32, shift, bits, type_bits: bits, is_signed }
    }

    fn take_below(&mut self, n_values: usize) -> Field {
        let bits = usize::BITS - n_values.saturating_sub(1).leading_zeros();
        self.take((bits as u8, false))
    }

    /// Allocates room that alternatives share.
    fn take_one_of(&mut self, others: impl Iterator<Item = Packer>) {
        for other in others {
            self.used.resize(self.used.len().max(other.used.len()), 0);
            for (used, other) in self.used.iter_mut().zip(other.used) {
                *used = (*used).max(other);
            }
        }
    }
}

/// Properties of a network that a layout depends on.
#[derive(Clone, Copy, Debug)]
pub struct Needs<'a> {
    /// The network.
    pub network: &'a Network,
    /// Cells of its variables.
    pub cells: &'a Cells,
    /// Kinds of channels.
    pub kinds: &'a [ChannelKind],
    /// Number of locations per template.
    pub n_locations: &'a [usize],
    /// Number of kinds of faults, plus one.
    pub n_faults: usize,
    /// Number of locations of the observer; 1 if there is none.
    pub n_observed: usize,
    /// Number of states of the automaton over events; 1 if there is none.
    pub n_sequenced: usize,
    /// Number of locations of the trace; 1 if there is none.
    pub n_traced: usize,
    /// Features that the model uses.
    pub uses: Uses,
    /// Whether no process is started or ends.
    pub is_steady: bool,
}

impl Layout {
    /// Allocates bits for everything in a shape.
    pub fn new(needs: &Needs, shape: &Shape) -> Self {
        let mut packer = Packer::default();
        let n_processes = Count::new(shape.processes.len(), needs.is_steady, &mut packer);
        let n_channels = Count::new(shape.channels.len(), needs.is_steady, &mut packer);
        let fault = packer.take_below(needs.n_faults);
        let observer = packer.take_below(needs.n_observed);
        let is_over = packer.take_below(if needs.uses.progress { 2 } else { 1 });
        let sequence = packer.take_below(needs.n_sequenced);
        let trace = packer.take_below(needs.n_traced);
        let last = packer.take(if needs.uses.last { (8, false) } else { (0, false) });
        let widths = &shape.widths;
        let of_global =
            |cell: &Cell| packer.take_for(cell.ty, widths.of(Holder::Global(cell.variable), cell.ty));
        let globals = needs.cells.globals.iter().map(of_global).collect();
        let process = |options: &Vec<TemplateId>| process_room(needs, options, widths, &mut packer);
        let processes = shape.processes.iter().map(process).collect();
        let channel = |options: &Vec<usize>| channel_room(needs, options, widths, &mut packer);
        let channels = shape.channels.iter().map(channel).collect();
        let width = packer.used.len().max(1);
        Self {
            width,
            n_processes,
            n_channels,
            fault,
            observer,
            is_over,
            sequence,
            trace,
            last,
            globals,
            processes,
            channels,
        }
    }
}

fn process_room(needs: &Needs, options: &[TemplateId], widths: &Widths, packer: &mut Packer) -> ProcessRoom {
    let n_locations = options.iter().map(|it| needs.n_locations[it.index()]).max().unwrap_or(1);
    let tag = packer.take_below(options.len());
    let location = packer.take_below(n_locations);
    let priority = packer.take(if needs.uses.priorities { (8, false) } else { (0, false) });
    let mut packers = Vec::new();
    let mut all = vec![tag, location, priority];
    let options = options
        .iter()
        .map(|&template| {
            let mut own = packer.clone();
            let cells = &needs.cells.locals[template.index()];
            let take = |cell: &Cell| {
                own.take_for(cell.ty, widths.of(Holder::Local(template, cell.variable), cell.ty))
            };
            let locals: Vec<Field> = cells.iter().map(take).collect();
            all.extend(&locals);
            packers.push(own);
            ProcessOption { template, locals }
        })
        .collect();
    packer.take_one_of(packers.into_iter());
    ProcessRoom { tag, location, priority, options, all }
}

fn channel_room(needs: &Needs, options: &[usize], widths: &Widths, packer: &mut Packer) -> ChannelRoom {
    let tag = packer.take_below(options.len());
    let mut packers = Vec::new();
    let options = options
        .iter()
        .map(|&kind| {
            let mut own = packer.clone();
            let ChannelKind { capacity, fields } = &needs.kinds[kind];
            let capacity = *capacity as usize;
            let length = own.take_below(capacity + 1);
            let places = (0..capacity).flat_map(|_| fields.iter().enumerate());
            let take =
                |(field, &ty): (usize, &Type)| own.take_for(ty, widths.of(Holder::Message(kind, field), ty));
            let messages = places.map(take).collect();
            packers.push(own);
            ChannelOption { kind, capacity, length, messages, n_fields: fields.len() }
        })
        .collect();
    packer.take_one_of(packers.into_iter());
    ChannelRoom { tag, options }
}

impl Shape {
    /// Adds the missing room.
    pub fn grow(&mut self, missing_room: MissingRoom) {
        match missing_room {
            MissingRoom::Process(number, template) => add(&mut self.processes, number, template),
            MissingRoom::Channel(number, kind) => add(&mut self.channels, number, kind),
            MissingRoom::Bits(holder, bits) => self.widths.at_least(holder, bits),
        }
    }

    /// Adds the room of another shape.
    pub fn include(&mut self, other: &Self) {
        for (number, options) in other.processes.iter().enumerate() {
            options.iter().for_each(|it| add_option(&mut self.processes, number, *it));
        }
        for (number, options) in other.channels.iter().enumerate() {
            options.iter().for_each(|it| add_option(&mut self.channels, number, *it));
        }
        self.widths.include(&other.widths);
    }

    /// Adds the missing room and the room that will probably be missing next,
    /// where growing is expensive.
    pub fn grow_generously(&mut self, missing_room: MissingRoom) {
        self.grow(missing_room);
        match missing_room {
            MissingRoom::Process(number, template) => spread(&mut self.processes, number, &template),
            MissingRoom::Channel(number, kind) => spread(&mut self.channels, number, &kind),
            MissingRoom::Bits(holder, bits) => self.widths.widen_generously(holder, bits),
        }
    }
}

/// Number of processes or channels from which on room is added in advance: each
/// missing room can restart the search.
const MANY: usize = 16;

fn add<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: T) {
    let is_new = number >= rooms.len();
    add_option(rooms, number, option.clone());
    if is_new && number >= MANY {
        let n_rooms = (number + 1 + number / 4).min(MAX_INSTANCES);
        rooms.resize(n_rooms.max(rooms.len()), vec![option]);
    }
}

/// Adds an option to the room of a number.
fn add_option<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: T) {
    while rooms.len() <= number {
        rooms.push(Vec::new());
    }
    if !rooms[number].contains(&option) {
        rooms[number].push(option);
    }
}

/// Adds an option to all later numbers, which will probably need it next.
fn spread<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: &T) {
    let n_rooms = (number + 2 + number / 4).min(MAX_INSTANCES);
    rooms.resize(n_rooms.max(rooms.len()), Vec::new());
    for number in number..rooms.len() {
        add_option(rooms, number, option.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_many_processes_is_made_in_few_steps() {
        let mut shape = Shape::default();
        let mut n_steps = 0;
        while shape.processes.len() < MAX_INSTANCES {
            shape.grow(MissingRoom::Process(shape.processes.len(), TemplateId(0)));
            n_steps += 1;
        }
        assert_eq!((shape.processes.len(), n_steps), (MAX_INSTANCES, 28));
    }
}
