//! What decides what a process does at a place: the parts of the state that
//! its next step may read or change, with all that follows within an atomic
//! sequence or a `d_step`.
//!
//! Which element of an array or which channel is meant often stands in a
//! variable. The values of such variables, the *choice*, are looked at first,
//! so that the rest of the array does not count.

use crate::explicit::code::{Machine, Piece, Read};
use crate::explicit::engine::{Act, Engine, Match, Move, Place, Table, Target};
use crate::explicit::layout::{ChannelOption, Field};
use crate::system::Word;
use std::collections::HashSet;

/// Bits of a choice at most; where more are needed everything counts.
const MOST_CHOICE_BITS: u32 = 8;

/// Of one place of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadSet {
    /// What counts in any case, as bits.
    always: Vec<Word>,
    /// Where the choice stands.
    choosers: Vec<Field>,
    /// What counts by choice.
    chosen: Vec<Chosen>,
}

/// A part of the state that depends on the choice.
#[derive(Clone, Debug)]
enum Chosen {
    /// A field of `Code::fields` that many behind the first.
    Element {
        index: Field,
        n_elements: u32,
        first: u32,
    },
    Target(Piece, u32),
    Channel(Piece, Looked),
}

/// What of a channel counts.
#[derive(Clone, Copy, Debug)]
struct Looked {
    messages: bool,
    /// Is something sent? A rendezvous depends on others.
    sends: bool,
}

impl ReadSet {
    /// Those of a place of a process; `None` if they are more than can be
    /// said.
    pub fn new(engine: &Engine, process: usize, tag: usize, location: usize) -> Option<Self> {
        let table = &engine.tables[process][tag];
        let found = Collector::new(engine, table, true).collect(location)?;
        let bits: u32 = found.choosers.iter().map(|it| u32::from(it.bits())).sum();
        match bits <= MOST_CHOICE_BITS {
            true => Some(found),
            false => Collector::new(engine, table, false).collect(location),
        }
    }

    /// How many choices there are.
    pub fn n_choices(&self) -> usize {
        1 << self.choosers.iter().map(|it| u32::from(it.bits())).sum::<u32>()
    }

    /// The choice in a state.
    #[inline]
    pub fn choice(&self, state: &[Word]) -> usize {
        self.choosers.iter().fold(0, |choice, field| choice << field.bits() | field.raw(state) as usize)
    }

    /// The bits that count when the choice is that of `state`; `None` if it
    /// is not known which.
    pub fn mask(&self, engine: &Engine, state: &[Word]) -> Option<Vec<Word>> {
        let mut mask = self.always.clone();
        let mut machine = Machine::default();
        for chosen in &self.chosen {
            match chosen {
                Chosen::Element { index, n_elements, first } => {
                    let index = index.get(state) as u32;
                    if index < *n_elements {
                        engine.code.fields[(first + index) as usize].mark(&mut mask);
                    }
                }
                Chosen::Target(piece, first) => {
                    let cells = machine.value(engine, piece, state);
                    engine.code.fields[*first as usize + cells as usize].mark(&mut mask);
                }
                Chosen::Channel(piece, looked) => {
                    let number = machine.value(engine, piece, state);
                    engine.layout.n_channels.field().mark(&mut mask);
                    if let Some(room) = engine.layout.channels.get((number as usize).wrapping_sub(1)) {
                        room.tag.mark(&mut mask);
                        for option in &room.options {
                            mark_channel(option, *looked, &mut mask)?;
                        }
                    }
                }
            }
        }
        Some(mask)
    }
}

fn mark_channel(option: &ChannelOption, looked: Looked, mask: &mut [Word]) -> Option<()> {
    if looked.sends && option.capacity == 0 {
        return None;
    }
    option.length.mark(mask);
    if looked.messages {
        option.messages.iter().for_each(|field| field.mark(mask));
    }
    Some(())
}

/// Collects the circumstances of a place.
struct Collector<'e> {
    engine: &'e Engine<'e>,
    table: &'e Table,
    found: ReadSet,
    /// May choices be made? Only what is read before anything is changed can
    /// be one.
    is_first: bool,
    is_known: bool,
    /// Places that are gone on from within the step.
    seen: HashSet<usize>,
    open: Vec<usize>,
}

impl<'e> Collector<'e> {
    fn new(engine: &'e Engine<'e>, table: &'e Table, is_first: bool) -> Self {
        let found = ReadSet { always: vec![0; engine.layout.width], ..ReadSet::default() };
        Self { engine, table, found, is_first, is_known: true, seen: HashSet::new(), open: Vec::new() }
    }

    fn collect(mut self, location: usize) -> Option<ReadSet> {
        self.place(&self.table.places[location]);
        self.is_first = false;
        self.promises();
        while let Some(location) = self.open.pop() {
            self.place(&self.table.places[location]);
        }
        self.is_known.then_some(self.found)
    }

    /// What others have promised, and whether they are there.
    fn promises(&mut self) {
        let engine = self.engine;
        for (room, tables) in engine.layout.processes.iter().zip(&engine.tables) {
            for promise in tables.iter().flat_map(|table| &table.promises) {
                self.field(engine.layout.n_processes.field());
                self.field(room.tag);
                self.piece(&promise.channel);
            }
        }
    }

    fn go_on(&mut self, location: usize) {
        if self.seen.insert(location) {
            self.open.push(location);
        }
    }

    fn place(&mut self, place: &'e Place) {
        if let Some(provided) = &self.table.provided {
            self.piece(provided);
        }
        for &escape in &place.escapes {
            self.table.places[escape].moves.iter().for_each(|it| self.a_move(it));
        }
        place.moves.iter().for_each(|it| self.a_move(it));
    }

    fn a_move(&mut self, a_move: &'e Move) {
        self.act(&a_move.act);
        if let Act::Deterministic(first) = a_move.act {
            let places = &self.table.places;
            let number = places[first].deterministic;
            let is_inside = |location: usize| places[location].deterministic == number;
            for location in (0..places.len()).filter(|&it| is_inside(it)) {
                self.go_on(location);
                if a_move.keeps_control {
                    places[location].moves.iter().for_each(|it| self.go_on(it.to as usize));
                }
            }
        }
        if a_move.keeps_control {
            self.go_on(a_move.to as usize);
        }
    }

    fn act(&mut self, act: &'e Act) {
        match act {
            Act::Skip | Act::Else | Act::Deterministic(_) => {}
            Act::Guard(piece) | Act::Assert(piece) => self.piece(piece),
            Act::Print(values) => values.iter().for_each(|it| self.piece(it)),
            // Who offers a rendezvous depends on where all others are.
            Act::Otherwise => self.is_known = false,
            Act::Assign { target, value } | Act::AssignWithin { target, value, .. } => {
                self.piece(value);
                self.target(target);
            }
            Act::Send { channel, values, sorted } => {
                values.iter().for_each(|it| self.piece(it));
                // What is put behind all others is put where nothing was.
                self.channel(Some(channel), Looked { messages: *sorted, sends: true });
            }
            Act::Receive { channel, patterns, .. } => {
                self.channel(Some(channel), Looked { messages: true, sends: false });
                for pattern in patterns {
                    match pattern {
                        Match::Any => {}
                        Match::Equal(piece) => self.piece(piece),
                        // An index may be what the receive stores itself.
                        Match::Store(target) => {
                            let is_first = std::mem::replace(&mut self.is_first, false);
                            self.target(target);
                            self.is_first = is_first;
                        }
                    }
                }
            }
            Act::Run { .. } | Act::SetPriority { .. } | Act::End => self.is_known = false,
        }
    }

    fn field(&mut self, field: Field) {
        if !self.engine.fixed.contains(&field) {
            field.mark(&mut self.found.always);
        }
    }

    fn among(&mut self, fields: std::ops::Range<u32>) {
        let code = &self.engine.code;
        fields.for_each(|field| self.field(code.fields[field as usize]));
    }

    fn choose_by(&mut self, field: Field) {
        self.field(field);
        if !self.engine.fixed.contains(&field) && !self.found.choosers.contains(&field) {
            self.found.choosers.push(field);
        }
    }

    /// The fields that a piece reads, if a choice can be made by it.
    fn choosers(&self, piece: &Piece) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        let mut is_simple = self.is_first;
        let code = &self.engine.code;
        code.reads(piece, &mut |read| match read {
            Read::Field(field) => fields.push(field),
            Read::Element { index, n_elements, first } => {
                is_simple &= self.are_fixed(first..first + n_elements);
                fields.push(index);
            }
            Read::Among(elements) => is_simple &= self.are_fixed(elements),
            _ => is_simple = false,
        });
        is_simple.then_some(fields)
    }

    fn are_fixed(&self, fields: std::ops::Range<u32>) -> bool {
        let fields = &self.engine.code.fields[fields.start as usize..fields.end as usize];
        fields.iter().all(|it| self.engine.fixed.contains(it))
    }

    fn piece(&mut self, piece: &Piece) {
        let engine = self.engine;
        engine.code.reads(piece, &mut |read| match read {
            Read::Field(field) => self.field(field),
            Read::Among(fields) => self.among(fields),
            Read::Element { index, n_elements, first } if self.is_first => {
                self.choose_by(index);
                self.found.chosen.push(Chosen::Element { index, n_elements, first });
            }
            Read::Element { index, n_elements, first } => {
                self.field(index);
                self.among(first..first + n_elements);
            }
            Read::Channel { channel, messages } => {
                self.channel(channel.as_ref(), Looked { messages, sends: false });
            }
            Read::NumberOfProcesses => self.field(engine.layout.n_processes.field()),
            Read::Place(process) => {
                self.field(engine.layout.n_processes.field());
                let room = process.and_then(|it| engine.layout.processes.get(it));
                let rooms = match process {
                    Some(_) => room.map_or(&[][..], std::slice::from_ref),
                    None => &engine.layout.processes[..],
                };
                for room in rooms {
                    self.field(room.tag);
                    self.field(room.location);
                }
            }
            Read::Anything => self.is_known = false,
        });
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Nowhere => {}
            Target::Field(field) => self.field(*field),
            Target::Indexed(piece, first) => match self.choosers(piece) {
                Some(fields) => {
                    fields.into_iter().for_each(|it| self.choose_by(it));
                    self.found.chosen.push(Chosen::Target(piece.clone(), *first));
                }
                None => {
                    self.piece(piece);
                    self.among(self.engine.code.rest_of_variable(*first));
                }
            },
        }
    }

    fn channel(&mut self, channel: Option<&Piece>, looked: Looked) {
        let engine = self.engine;
        if let Some(piece) = channel {
            if let Some(fields) = self.choosers(piece) {
                fields.into_iter().for_each(|it| self.choose_by(it));
                return self.found.chosen.push(Chosen::Channel(piece.clone(), looked));
            }
            self.piece(piece);
        }
        self.field(engine.layout.n_channels.field());
        for room in &engine.layout.channels {
            self.field(room.tag);
            for option in &room.options {
                self.is_known &= mark_channel(option, looked, &mut self.found.always).is_some();
            }
        }
    }
}
