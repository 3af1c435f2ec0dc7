//! Where everything stands in a state.
//!
//! A state has room for a number of processes and channels that are known
//! before: the *shape*. Which shape a model needs is found out by running it;
//! a step that needs more room says so ([`MissingRoom`]), and the search begins
//! again with a larger one or keeps such states apart
//! ([`overflow`](super::overflow)). Within a shape every variable has fixed bits, so
//! that code reads and writes it without looking for it. They are fewer than
//! its type has as long as its values allow ([`Widths`]): a state that is half
//! as long is copied, hashed, compared and kept at half the cost.

mod cells;
mod convert;
mod count;
mod gauge;
mod widths;

use crate::base::cancel::checkpoint;
use crate::net::Uses;
use crate::net::{Network, TemplateId, Type};
use crate::system::Word;

use crate::net::{ChannelKind, MOST};
pub use cells::{Cell, CellInitial, Cells};
pub(super) use cells::{Path, size, size_of_variable};
pub use count::Count;
pub(super) use gauge::Gauge;
pub use widths::{Holder, Widths};

/// Room for processes and channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Per process number the templates that it may have.
    pub processes: Vec<Vec<TemplateId>>,
    /// Per channel number the kinds that it may have.
    pub channels: Vec<Vec<usize>>,
    /// Bits of variables and messages.
    pub widths: Widths,
}

/// What a shape has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingRoom {
    /// A process of this template under this number.
    Process(usize, TemplateId),
    /// A channel of this kind under this number.
    Channel(usize, usize),
    /// A value that needs so many bits.
    Bits(Holder, u8),
}

/// Bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u8,
    bits: u8,
    /// As many as its type has.
    type_bits: u8,
    is_signed: bool,
}

/// Fields for all that a state holds.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Words of a state.
    pub width: usize,
    /// How many processes are alive.
    pub n_processes: Count,
    /// How many channels there are.
    pub n_channels: Count,
    /// What went wrong, by number; 0 in a state that can be gone on from.
    pub fault: Field,
    /// Where the observer stands.
    pub observer: Field,
    /// Does only the observer move any more? Kept if anyone asks for progress.
    pub is_over: Field,
    /// The state of the automaton over events.
    pub sequence: Field,
    /// Where the trace stands.
    pub trace: Field,
    /// Who moved last, if anyone asks.
    pub last: Field,
    /// Of the global variables, one per cell.
    pub globals: Vec<Field>,
    /// Per process number.
    pub processes: Vec<ProcessRoom>,
    /// Per channel number.
    pub channels: Vec<ChannelRoom>,
}

/// Room for one process.
#[derive(Clone, Debug)]
pub struct ProcessRoom {
    /// Which of the templates it has.
    pub tag: Field,
    /// Its place in the code.
    pub location: Field,
    /// Its priority, if there are any.
    pub priority: Field,
    /// What can stand here.
    pub options: Vec<ProcessOption>,
    /// Everything above, to be cleared when the process ends.
    pub all: Vec<Field>,
}

/// One template in the room for a process.
#[derive(Clone, Debug)]
pub struct ProcessOption {
    /// Which.
    pub template: TemplateId,
    /// Its variables, one per cell.
    pub locals: Vec<Field>,
}

/// Room for one channel.
#[derive(Clone, Debug)]
pub struct ChannelRoom {
    /// Which of the kinds it has.
    pub tag: Field,
    /// What can stand here.
    pub options: Vec<ChannelOption>,
}

/// One kind in the room for a channel.
#[derive(Clone, Debug)]
pub struct ChannelOption {
    /// Which.
    pub kind: usize,
    /// Messages at most; 0 for a rendezvous.
    pub capacity: usize,
    /// How many messages wait.
    pub length: Field,
    /// The fields of the messages, oldest message first.
    pub messages: Vec<Field>,
    /// Fields per message.
    pub n_fields: usize,
}

impl ChannelOption {
    /// Has a message that waits the `wanted` value in every field for which
    /// there is one?
    #[inline]
    pub fn has(&self, message: usize, mut wanted: impl FnMut(usize) -> Option<i32>, state: &[Word]) -> bool {
        (0..self.n_fields).all(|field| {
            let found = || self.messages[message * self.n_fields + field].get(state);
            wanted(field).is_none_or(|value| value == found())
        })
    }
}

impl Field {
    /// What stands there.
    #[inline]
    pub fn get(self, state: &[Word]) -> i32 {
        let mask = (1_u64 << self.bits) - 1;
        let value = (state[self.word as usize] >> self.shift) & mask;
        match self.is_signed {
            true => truncate(self.bits, true, value as i32),
            false => value as i32,
        }
    }

    /// The number of its word.
    pub(super) fn word(self) -> usize {
        self.word as usize
    }

    /// The position of its lowest bit.
    pub(super) fn shift(self) -> u8 {
        self.shift
    }

    /// How many bits it has.
    pub(super) fn bits(self) -> u8 {
        self.bits
    }

    /// The bits that stand there.
    #[inline]
    pub(super) fn raw(self, state: &[Word]) -> Word {
        (state[self.word as usize] >> self.shift) & ((1 << self.bits) - 1)
    }

    /// Sets its bits in a mask.
    pub(super) fn mark(self, mask: &mut [Word]) {
        mask[self.word as usize] |= ((1 << self.bits) - 1) << self.shift;
    }

    /// Puts a value there that fits; into no bits, nothing.
    #[inline]
    pub fn set(self, state: &mut [Word], value: i32) {
        debug_assert!(
            self.bits == 0 || truncate(self.bits, self.is_signed, value) == value,
            "{self:?} is too narrow"
        );
        self.overwrite(state, value);
    }

    /// Puts a value there, less what does not fit in its type. `false` if it
    /// needs more bits than there are: then something else stands there.
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

/// A value in so many bits.
fn truncate(bits: u8, is_signed: bool, value: i32) -> i32 {
    if bits == 0 {
        return 0;
    }
    let unused = 32 - u32::from(bits);
    match is_signed {
        true => (value << unused) >> unused,
        false => (((value as u32) << unused) >> unused) as i32,
    }
}

/// Bits and sign of a type that is no record.
fn bits_of(ty: Type) -> (u8, bool) {
    match ty {
        Type::Bit | Type::Bool => (1, false),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => (8, false),
        Type::Short => (16, true),
        Type::Int => (32, true),
        Type::Unsigned(bits) => (bits, bits == 32),
        Type::Record(_) => unreachable!("records are taken apart"),
    }
}

/// The least and the largest value of a type that is no record.
pub fn range(ty: Type) -> Option<(i64, i64)> {
    if matches!(ty, Type::Record(_)) {
        return None;
    }
    Some(match bits_of(ty) {
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    })
}

/// A value as a variable or message field of this type keeps it.
pub fn stored(ty: Type, value: i32) -> i32 {
    let (bits, is_signed) = bits_of(ty);
    truncate(bits, is_signed, value)
}

/// Hands out bits, the first that are free.
#[derive(Clone, Debug, Default)]
struct Packer {
    /// Per word the bits in use, from the lowest. There are never fewer later.
    used: Vec<u8>,
    /// Per number of bits a word before which none has room for them.
    first: Vec<usize>,
}

impl Packer {
    /// Room for a value of a type in so many bits.
    fn take_for(&mut self, ty: Type, bits: u8) -> Field {
        let (type_bits, is_signed) = bits_of(ty);
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

    /// Room for one of several.
    fn take_one_of(&mut self, others: impl Iterator<Item = Packer>) {
        for other in others {
            self.used.resize(self.used.len().max(other.used.len()), 0);
            for (used, other) in self.used.iter_mut().zip(other.used) {
                *used = (*used).max(other);
            }
        }
    }
}

/// What a layout must know of a program.
#[derive(Clone, Copy, Debug)]
pub struct Needs<'a> {
    /// Variables.
    pub network: &'a Network,
    /// Their cells.
    pub cells: &'a Cells,
    /// Kinds of channels.
    pub kinds: &'a [ChannelKind],
    /// Per template the number of its locations.
    pub n_locations: &'a [usize],
    /// Kinds of faults, plus one.
    pub n_faults: usize,
    /// Places of the observer, 1 without one.
    pub n_observed: usize,
    /// States of the automaton over events, 1 without one.
    pub n_sequenced: usize,
    /// Places of the trace, 1 without one.
    pub n_traced: usize,
    /// What else is needed.
    pub uses: Uses,
    /// Do processes neither begin nor end?
    pub is_steady: bool,
}

impl Layout {
    /// Bits for everything, in a shape.
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
    /// Makes room for what was lacking.
    pub fn grow(&mut self, lack: MissingRoom) {
        match lack {
            MissingRoom::Process(number, template) => add(&mut self.processes, number, template),
            MissingRoom::Channel(number, kind) => add(&mut self.channels, number, kind),
            MissingRoom::Bits(holder, bits) => self.widths.at_least(holder, bits),
        }
    }

    /// Makes room for what was lacking and for what will probably be lacking
    /// next, where growing is expensive.
    pub fn grow_generously(&mut self, lack: MissingRoom) {
        self.grow(lack);
        match lack {
            MissingRoom::Process(number, template) => spread(&mut self.processes, number, &template),
            MissingRoom::Channel(number, kind) => spread(&mut self.channels, number, &kind),
            MissingRoom::Bits(holder, bits) => self.widths.widen_generously(holder, bits),
        }
    }
}

/// From so many on, rooms are made in advance: where there are many processes
/// there will be more, and each lack is a search from the start.
const MANY: usize = 16;

fn add<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: T) {
    let is_new = number >= rooms.len();
    add_option(rooms, number, option.clone());
    if is_new && number >= MANY {
        let n_rooms = (number + 1 + number / 4).min(MOST);
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

/// What is at one number now may be at any later number next.
fn spread<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: &T) {
    let n_rooms = (number + 2 + number / 4).min(MOST);
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
        while shape.processes.len() < MOST {
            shape.grow(MissingRoom::Process(shape.processes.len(), TemplateId(0)));
            n_steps += 1;
        }
        assert_eq!((shape.processes.len(), n_steps), (MOST, 28));
    }
}
