//! Read sets of locations: the parts of the state that determine the next step
//! of a process, because the step may read or change them. They include those of
//! all steps within an atomic sequence or `d_step`.
//!
//! The [accesses](crate::analysis::accesses) of the process are mapped to fields
//! of the layout ([`locate`]). The element of an array or the channel that is
//! accessed often depends on the value of a variable. The values of such
//! variables, the *choice*, are read first, so that the other elements are not
//! part of the read set.

mod locate;

use crate::analysis::accesses::{Access, AccessKind, Operation, Role};
use crate::explicit::engine::{Act, Engine, LocationMoves, Move, Table};
use crate::explicit::layout::{ChannelOption, Field, ProcessRoom};
use crate::net::{self, Expr, TemplateId};
use crate::system::Word;
use locate::Locator;
use std::collections::HashSet;

/// Maximum number of bits of a choice. A variable that would exceed it is not
/// part of the choice.
const MAX_CHOICE_BITS: u32 = 8;

/// The read set of one location of one process.
#[derive(Clone, Debug)]
pub(super) struct ReadSet<'e> {
    /// Bits that are part of the read set for every choice.
    always: Vec<Word>,
    /// Fields whose values are the choice.
    choosers: Vec<Field>,
    /// Parts that depend on the choice.
    chosen: Vec<Chosen<'e>>,
    locator: Locator<'e>,
    /// Whether the read set must be complete.
    is_strict: bool,
}

/// A part of the state that depends on the choice.
#[derive(Clone, Copy, Debug)]
enum Chosen<'e> {
    /// An element of an array.
    Element(&'e net::Place),
    /// The channel that a place holds.
    Channel(&'e net::Place, ChannelParts),
}

/// Parts of a channel that are read.
#[derive(Clone, Copy, Debug)]
struct ChannelParts {
    messages: bool,
    /// Whether a message is sent. A rendezvous depends on other processes.
    sends: bool,
}

impl From<Operation> for ChannelParts {
    fn from(operation: Operation) -> Self {
        // A send appends to the buffer and does not read its messages.
        let messages = match operation {
            Operation::Send | Operation::Length | Operation::Empty | Operation::Full => false,
            Operation::NotEmpty | Operation::NotFull => false,
            Operation::SortedSend | Operation::Receive | Operation::RandomReceive => true,
            Operation::Copy | Operation::RandomCopy | Operation::Poll | Operation::RandomPoll => true,
        };
        Self { messages, sends: operation.sends() }
    }
}

impl<'e> ReadSet<'e> {
    /// Returns the read set of a location of a process; `None` if it cannot be
    /// determined.
    pub fn new(engine: &'e Engine<'e>, process: usize, tag: usize, location: usize) -> Option<Self> {
        Self::collected(engine, (process, tag, location), true)
    }

    /// Returns a read set that is a guess where it cannot be determined: without
    /// the other side of a rendezvous, and with the whole state for a
    /// `timeout`.
    pub fn guess(engine: &'e Engine<'e>, process: usize, tag: usize, location: usize) -> Option<Self> {
        Self::collected(engine, (process, tag, location), false)
    }

    fn collected(
        engine: &'e Engine<'e>,
        (process, tag, location): (usize, usize, usize),
        is_strict: bool,
    ) -> Option<Self> {
        let locator = Locator::new(engine, process, tag);
        let always = vec![0; engine.layout.width];
        let found = Self { always, choosers: Vec::new(), chosen: Vec::new(), locator, is_strict };
        let collector = Collector {
            engine,
            table: &engine.tables[process][tag],
            found,
            is_first: true,
            is_known: true,
            seen: HashSet::new(),
            open: Vec::new(),
        };
        collector.collect(location)
    }

    /// Returns the number of choices.
    pub fn n_choices(&self) -> usize {
        1 << n_bits(&self.choosers)
    }

    /// Returns the choice in a state.
    #[inline]
    pub fn choice(&self, state: &[Word]) -> usize {
        self.choosers.iter().fold(0, |choice, field| choice << field.bits() | field.raw(state) as usize)
    }

    /// Returns the bits of the read set for the choice in `state`; `None` if
    /// they cannot be determined.
    pub fn mask(&self, engine: &Engine, state: &[Word]) -> Option<Vec<Word>> {
        let mut mask = self.always.clone();
        for chosen in &self.chosen {
            match *chosen {
                // An index out of range is an error, whatever the rest of the
                // state is.
                Chosen::Element(place) => {
                    if let Some(field) = self.locator.field(place, state) {
                        field.mark(&mut mask);
                    }
                }
                Chosen::Channel(place, parts) => {
                    let number = self.locator.field(place, state).map_or(0, |field| field.get(state));
                    engine.layout.n_channels.field().mark(&mut mask);
                    if let Some(room) = engine.layout.channels.get((number as usize).wrapping_sub(1)) {
                        room.tag.mark(&mut mask);
                        for option in &room.options {
                            mark_channel(option, parts, &mut mask, self.is_strict)?;
                        }
                    }
                }
            }
        }
        Some(mask)
    }
}

fn n_bits(fields: &[Field]) -> u32 {
    fields.iter().map(|it| u32::from(it.bits())).sum()
}

fn mark_channel(
    option: &ChannelOption,
    parts: ChannelParts,
    mask: &mut [Word],
    is_strict: bool,
) -> Option<()> {
    if parts.sends && option.capacity == 0 && is_strict {
        return None;
    }
    option.length.mark(mask);
    if parts.messages {
        option.messages.iter().for_each(|field| field.mark(mask));
    }
    Some(())
}

/// Collects the read set of a location.
struct Collector<'e> {
    engine: &'e Engine<'e>,
    table: &'e Table,
    found: ReadSet<'e>,
    /// Whether choices can be made: only values that are read before anything is
    /// changed can be part of the choice.
    is_first: bool,
    is_known: bool,
    /// Locations that are visited within the step.
    seen: HashSet<usize>,
    open: Vec<usize>,
}

impl<'e> Collector<'e> {
    fn collect(mut self, location: usize) -> Option<ReadSet<'e>> {
        self.place(&self.table.places[location]);
        self.is_first = false;
        self.promises();
        while let Some(location) = self.open.pop() {
            self.place(&self.table.places[location]);
        }
        self.is_known.then_some(self.found)
    }

    /// Adds the promises of other processes and whether these are alive.
    fn promises(&mut self) {
        let engine = self.engine;
        for (process, room) in engine.layout.processes.iter().enumerate() {
            for (tag, option) in room.options.iter().enumerate() {
                let locator = Locator::new(engine, process, tag);
                for promise in &engine.network.template(option.template).exclusive {
                    self.field(engine.layout.n_processes.field());
                    self.field(room.tag);
                    locator.scope.read(&promise.channel, &mut |access| self.access(locator, access));
                }
            }
        }
    }

    fn continue_at(&mut self, location: usize) {
        if self.seen.insert(location) {
            self.open.push(location);
        }
    }

    fn place(&mut self, place: &'e LocationMoves) {
        let locator = self.found.locator;
        if let Some(provided) = &locator.template().provided {
            locator.scope.guard(provided, &mut |access| self.access(locator, access));
        }
        for &escape in &place.escapes {
            self.table.places[escape].moves.iter().for_each(|it| self.a_move(it));
        }
        place.moves.iter().for_each(|it| self.a_move(it));
    }

    fn a_move(&mut self, a_move: &'e Move) {
        let locator = self.found.locator;
        // Values that are only printed do not determine the step.
        if !matches!(a_move.act, Act::Skip) {
            let action = &locator.template().graph.transition(a_move.id).action;
            locator.scope.action(action, &mut |access| self.access(locator, access));
        }
        if let Act::Deterministic(first) = a_move.act {
            let places = &self.table.places;
            let number = places[first].deterministic;
            let is_inside = |location: usize| places[location].deterministic == number;
            for location in (0..places.len()).filter(|&it| is_inside(it)) {
                self.continue_at(location);
                if a_move.keeps_control {
                    places[location].moves.iter().for_each(|it| self.continue_at(it.to as usize));
                }
            }
        }
        if a_move.keeps_control {
            self.continue_at(a_move.to as usize);
        }
    }
    fn access(&mut self, locator: Locator<'e>, access: Access<'e>) {
        let engine = self.engine;
        // The target of a field of a message can depend on the fields before it.
        let may_choose = self.is_first && access.role != Role::Received;
        match access.kind {
            AccessKind::Read(place) | AccessKind::Write(place, _) => {
                self.variable(locator, place, may_choose);
            }
            AccessKind::Channel(used) => {
                self.channel(locator, used.place, used.operation.into(), may_choose);
            }
            AccessKind::Location { template, pid } => {
                self.field(engine.layout.n_processes.field());
                let rooms = self.rooms(locator, template, pid);
                for room in rooms {
                    self.field(room.tag);
                    self.field(room.location);
                }
            }
            AccessKind::NumberOfProcesses => self.field(engine.layout.n_processes.field()),
            AccessKind::Start(_) | AccessKind::End if !self.found.is_strict => {
                self.field(engine.layout.n_processes.field());
                self.field(engine.layout.n_channels.field());
            }
            // The read set already includes what these depend on.
            AccessKind::Else | AccessKind::Deterministic(_) | AccessKind::Failure => {}
            _ if !self.found.is_strict => self.found.always.fill(Word::MAX),
            // The caller decides whether `timeout` is true.
            AccessKind::Timeout => {}
            // Steps are not cached if the model uses priorities or `_last`.
            AccessKind::Last | AccessKind::OwnPriority | AccessKind::OtherPriority => self.is_known = false,
            AccessKind::Start(_) | AccessKind::End | AccessKind::SetPriority => self.is_known = false,
            // Offers of a rendezvous depend on the locations of all other
            // processes.
            AccessKind::Otherwise | AccessKind::Locations | AccessKind::Enabled => self.is_known = false,
            AccessKind::ReadRemote { .. } => self.is_known = false,
        }
    }

    fn field(&mut self, field: Field) {
        if !self.engine.fixed.contains(&field) {
            field.mark(&mut self.found.always);
        }
    }

    fn variable(&mut self, locator: Locator<'e>, place: &'e net::Place, may_choose: bool) {
        let is_chosen = may_choose && !locator.is_certain(place) && self.choose_by(locator.choosers(place));
        match is_chosen {
            true => self.found.chosen.push(Chosen::Element(place)),
            false => locator.fields(place).into_iter().for_each(|it| self.field(it)),
        }
    }

    fn channel(
        &mut self,
        locator: Locator<'e>,
        place: &'e net::Place,
        parts: ChannelParts,
        may_choose: bool,
    ) {
        let engine = self.engine;
        let choosers = match locator.is_certain(place) {
            true => Some(locator.fields(place)),
            false => locator.choosers(place).filter(|_| locator.are_fixed(place)),
        };
        // A channel variable that never changes is always known.
        let is_known = locator.is_certain(place) && locator.are_fixed(place);
        if (may_choose || is_known) && self.choose_by(choosers) {
            return self.found.chosen.push(Chosen::Channel(place, parts));
        }
        self.variable(locator, place, may_choose);
        self.field(engine.layout.n_channels.field());
        for room in &engine.layout.channels {
            self.field(room.tag);
            for option in &room.options {
                let is_strict = self.found.is_strict;
                self.is_known &= mark_channel(option, parts, &mut self.found.always, is_strict).is_some();
            }
        }
    }

    /// Adds fields to the choice, unless it would be too large.
    fn choose_by(&mut self, fields: Option<Vec<Field>>) -> bool {
        let Some(fields) = fields else { return false };
        let mut choosers = self.found.choosers.clone();
        for field in fields.iter().filter(|it| !self.engine.fixed.contains(it)) {
            if !choosers.contains(field) {
                choosers.push(*field);
            }
        }
        let is_few = n_bits(&choosers) <= MAX_CHOICE_BITS;
        if is_few {
            self.found.choosers = choosers;
            fields.into_iter().for_each(|it| self.field(it));
        }
        is_few
    }

    /// Returns the rooms of the processes that an expression can refer to.
    fn rooms(&self, locator: Locator, template: TemplateId, pid: Option<&Expr>) -> &'e [ProcessRoom] {
        let rooms = &self.engine.layout.processes;
        let has = |room: &ProcessRoom| room.options.iter().any(|it| it.template == template);
        let process = match pid {
            Some(pid) => match pid.constant(locator.scope.process) {
                Some(process) => usize::try_from(process).ok(),
                None => return rooms,
            },
            None => rooms.iter().position(has),
        };
        process.and_then(|it| rooms.get(it)).map_or(&[], std::slice::from_ref)
    }
}
