//! Where everything stands in a state.
//!
//! A state has room for a number of processes and channels that are known
//! before: the *shape*. Which shape a model needs is found out by running it;
//! a step that needs more room says so ([`Lack`]), and the search begins
//! again with a larger one. Within a shape every variable has fixed bits, so
//! that code reads and writes it without looking for it.

mod cells;

use crate::lang::promela::tree::{Model, ProctypeId, Type};
use crate::system::Word;

pub use cells::{Cell, CellInitial, Cells, ChannelKind, channel_kinds};
pub(super) use cells::{Path, size, size_of_variable};

/// The most processes that can be alive, and the most channels, as in SPIN.
pub const MOST: usize = 255;

/// Room for processes and channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Per process number the proctypes that it may have.
    pub processes: Vec<Vec<ProctypeId>>,
    /// Per channel number the kinds that it may have.
    pub channels: Vec<Vec<usize>>,
}

/// What a shape has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// A process of this proctype under this number.
    Process(usize, ProctypeId),
    /// A channel of this kind under this number.
    Channel(usize, usize),
}

/// Bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u8,
    bits: u8,
    is_signed: bool,
}

/// Fields for all that a state holds.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Words of a state.
    pub width: usize,
    /// How many processes are alive.
    pub n_processes: Field,
    /// How many channels there are.
    pub n_channels: Field,
    /// What went wrong, by number; 0 in a state that can be gone on from.
    pub fault: Field,
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
    /// Which of the proctypes it has.
    pub tag: Field,
    /// Its place in the code.
    pub location: Field,
    /// What can stand here.
    pub options: Vec<ProcessOption>,
    /// Everything above, to be cleared when the process ends.
    pub all: Vec<Field>,
}

/// One proctype in the room for a process.
#[derive(Clone, Debug)]
pub struct ProcessOption {
    /// Which.
    pub proctype: ProctypeId,
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

    /// Puts a value there, less what does not fit.
    #[inline]
    pub fn set(self, state: &mut [Word], value: i32) {
        let mask = (1_u64 << self.bits) - 1;
        let word = &mut state[self.word as usize];
        *word = (*word & !(mask << self.shift)) | ((value as u32 as u64 & mask) << self.shift);
    }
}

/// A value in so many bits.
fn truncate(bits: u8, is_signed: bool, value: i32) -> i32 {
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
    /// Per word the bits in use, from the lowest.
    used: Vec<u8>,
}

impl Packer {
    fn take(&mut self, (bits, is_signed): (u8, bool)) -> Field {
        if bits == 0 {
            if self.used.is_empty() {
                self.used.push(0);
            }
            return Field::default();
        }
        let word = match self.used.iter().position(|used| used + bits <= 64) {
            Some(word) => word,
            None => {
                self.used.push(0);
                self.used.len() - 1
            }
        };
        let shift = self.used[word];
        self.used[word] += bits;
        Field { word: word as u32, shift, bits, is_signed }
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
    pub model: &'a Model,
    /// Their cells.
    pub cells: &'a Cells,
    /// Kinds of channels.
    pub kinds: &'a [ChannelKind],
    /// Per proctype the number of its locations.
    pub n_locations: &'a [usize],
    /// Kinds of faults, plus one.
    pub n_faults: usize,
}

impl Layout {
    /// Bits for everything, in a shape.
    pub fn new(needs: &Needs, shape: &Shape) -> Self {
        let mut packer = Packer::default();
        let n_processes = packer.take_below(shape.processes.len() + 1);
        let n_channels = packer.take_below(shape.channels.len() + 1);
        let fault = packer.take_below(needs.n_faults);
        let globals = needs.cells.globals.iter().map(|cell| packer.take(bits_of(cell.ty))).collect();
        let processes =
            shape.processes.iter().map(|options| process_room(needs, options, &mut packer)).collect();
        let channels =
            shape.channels.iter().map(|options| channel_room(needs, options, &mut packer)).collect();
        let width = packer.used.len().max(1);
        Self { width, n_processes, n_channels, fault, globals, processes, channels }
    }
}

fn process_room(needs: &Needs, options: &[ProctypeId], packer: &mut Packer) -> ProcessRoom {
    let n_locations = options.iter().map(|it| needs.n_locations[it.index()]).max().unwrap_or(1);
    let tag = packer.take_below(options.len());
    let location = packer.take_below(n_locations);
    let mut packers = Vec::new();
    let mut all = vec![tag, location];
    let options = options
        .iter()
        .map(|&proctype| {
            let mut own = packer.clone();
            let cells = &needs.cells.locals[proctype.index()];
            let locals: Vec<Field> = cells.iter().map(|cell| own.take(bits_of(cell.ty))).collect();
            all.extend(&locals);
            packers.push(own);
            ProcessOption { proctype, locals }
        })
        .collect();
    packer.take_one_of(packers.into_iter());
    ProcessRoom { tag, location, options, all }
}

fn channel_room(needs: &Needs, options: &[usize], packer: &mut Packer) -> ChannelRoom {
    let tag = packer.take_below(options.len());
    let mut packers = Vec::new();
    let options = options
        .iter()
        .map(|&kind| {
            let mut own = packer.clone();
            let ChannelKind { capacity, fields } = &needs.kinds[kind];
            let capacity = *capacity as usize;
            let length = own.take_below(capacity + 1);
            let one = |_| fields.iter().map(|&ty| bits_of(ty)).collect::<Vec<_>>();
            let messages = (0..capacity).flat_map(one).map(|bits| own.take(bits)).collect();
            packers.push(own);
            ChannelOption { kind, capacity, length, messages, n_fields: fields.len() }
        })
        .collect();
    packer.take_one_of(packers.into_iter());
    ChannelRoom { tag, options }
}

impl Shape {
    /// Makes room for what was lacking.
    pub fn grow(&mut self, lack: Lack) {
        match lack {
            Lack::Process(number, proctype) => add(&mut self.processes, number, proctype),
            Lack::Channel(number, kind) => add(&mut self.channels, number, kind),
        }
    }
}

/// From so many on, rooms are made in advance: where there are many processes
/// there will be more, and each lack is a search from the start.
const MANY: usize = 16;

fn add<T: Clone + PartialEq>(rooms: &mut Vec<Vec<T>>, number: usize, option: T) {
    let is_new = number >= rooms.len();
    while rooms.len() <= number {
        rooms.push(Vec::new());
    }
    if !rooms[number].contains(&option) {
        rooms[number].push(option.clone());
    }
    if is_new && number >= MANY {
        let n_rooms = (number + 1 + number / 4).min(MOST);
        rooms.resize(n_rooms.max(rooms.len()), vec![option]);
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
            shape.grow(Lack::Process(shape.processes.len(), ProctypeId(0)));
            n_steps += 1;
        }
        assert_eq!((shape.processes.len(), n_steps), (MOST, 28));
    }
}
