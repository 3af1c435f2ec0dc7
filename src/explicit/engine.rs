//! Executable form of a network in a shape: for each process number and
//! template, the moves at each location.

mod build;

use super::code::{Code, Piece};
use super::layout::{
    Cell, CellInitial, Cells, ChannelOption, Field, Layout, MissingRoom, ProcessOption, ProcessRoom,
};
use super::print::Text;
use super::reduce::Reduction;
use super::sequence::Sequence;
use super::view::Fault;
use crate::automata::Symbol;
use crate::net::ChannelKind;
use crate::net::{Network, TransitionId};
use crate::net::{TemplateId, Type};
use crate::system::Word;

/// An executable network. It is immutable; a [`View`](super::View) computes its
/// steps.
#[derive(Clone, Debug)]
pub struct Engine<'p> {
    /// The network.
    pub network: &'p Network,
    /// The bits of every variable.
    pub layout: Layout,
    pub(super) kinds: Vec<ChannelKind>,
    pub(super) cells: Cells,
    pub(super) code: Code,
    /// Tables per process number and option.
    pub(super) tables: Vec<Vec<Table>>,
    /// Initial values of the globals.
    pub(super) globals: Vec<(Field, InitialValue)>,
    /// Property of the order of events, if one is checked.
    pub(super) following: Option<SequenceTable>,
    /// The observer, if there is one.
    pub(super) observer: Option<ObserverTable>,
    /// The trace assertion, if there is one.
    pub(super) trace: Option<TraceTable>,
    /// Fields of variables that are cleared after every step.
    pub(super) hidden: Vec<Field>,
    /// Fields of global variables that always contain the same channel.
    pub(super) fixed: Vec<Field>,
    /// Index of the first transition of each template among all transitions.
    pub(super) first_transitions: Vec<usize>,
    /// Number of transitions of all templates.
    pub(super) n_transitions: usize,
    /// The partial-order reduction, if there is one.
    pub(super) reduction: Option<Box<Reduction<'p>>>,
}

/// Moves of one process number as an instance of one template.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Index of its locals in [`Code::fields`].
    pub fields: u32,
    /// Moves by location.
    pub places: Vec<LocationMoves>,
    /// Initial values of the locals, without parameters.
    pub starts: Vec<(Field, InitialValue)>,
    pub parameters: Vec<Field>,
    pub provided: Option<Piece>,
    pub promises: Vec<Promise>,
    /// Whether it is a `D_proctype`.
    pub is_deterministic: bool,
    /// Output of the transitions that print.
    pub prints: Vec<(TransitionId, Vec<Text>)>,
}

/// A promise, `xr q` or `xs q`.
#[derive(Clone, Debug)]
pub(super) struct Promise {
    pub is_send: bool,
    pub channel: Piece,
}

/// A property of the order of events, with the events of each transition.
#[derive(Clone, Debug)]
pub(super) struct SequenceTable {
    pub sequence: Sequence,
    /// Events per process number, option and transition.
    pub symbols: Vec<Vec<Vec<Vec<Symbol>>>>,
}

/// An observer in executable form.
#[derive(Clone, Debug)]
pub(super) struct ObserverTable {
    pub table: Table,
    /// Whether it changes more than its own location.
    pub writes: bool,
    /// Whether accept labels of processes are accepting too.
    pub sees_labels: bool,
}

/// A trace assertion in executable form.
#[derive(Clone, Debug)]
pub(super) struct TraceTable {
    pub table: Table,
    pub is_negated: bool,
    /// Its last location.
    pub end: usize,
}

/// An initial value.
#[derive(Clone, Debug)]
pub(super) enum InitialValue {
    Value(Piece),
    Channel(usize),
}

/// A location and its moves.
#[derive(Clone, Debug, Default)]
pub(super) struct LocationMoves {
    pub moves: Vec<Move>,
    /// Locations of escapes, in the order in which they are tried.
    pub escapes: Vec<usize>,
    pub is_end: bool,
    /// Whether a message can be received here, or in an escape.
    pub receives: bool,
    pub is_accept: bool,
    pub is_progress: bool,
    /// The `d_step` that contains the location.
    pub deterministic: Option<u32>,
}

/// A transition in executable form.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub id: TransitionId,
    /// Index among all transitions of the network.
    pub mark: usize,
    pub act: Act,
    /// Whether it is executable only if no move before it is.
    pub is_else: bool,
    pub to: i32,
    pub keeps_control: bool,
}

/// Effect of a transition.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Skip,
    Else,
    /// Like `Else`, but executable only if no other process offers a matching
    /// rendezvous.
    Otherwise,
    Guard(Piece),
    /// Starts a process and can store its number.
    Run {
        template: TemplateId,
        arguments: Vec<Piece>,
        priority: i32,
        target: Target,
    },
    SetPriority {
        process: Piece,
        value: Piece,
    },
    Assign {
        target: Target,
        value: Piece,
    },
    /// Assigns a value; a value outside the range is an error.
    AssignWithin {
        target: Target,
        value: Piece,
        range: (i32, i32),
    },
    Send {
        channel: Piece,
        values: Vec<Piece>,
        sorted: bool,
    },
    Receive {
        channel: Piece,
        patterns: Vec<Match>,
        any: bool,
        copy: bool,
    },
    Assert(Piece),
    /// Ends the run with an error.
    Fail(Piece, Fault),
    /// Values that are printed and whose evaluation can fail.
    Print(Vec<Piece>),
    Deterministic(usize),
    End,
}

/// Target of an assignment.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Nowhere,
    Field(Field),
    /// A piece that computes an offset in cells from an index of
    /// [`Code::fields`].
    Indexed(Piece, u32),
}

/// An argument of a receive.
#[derive(Clone, Debug)]
pub(super) enum Match {
    Any,
    Equal(Piece),
    Store(Target),
}

impl<'p> Engine<'p> {
    /// Returns the room of a channel, which contains its messages; `None` if the
    /// channel does not exist.
    #[inline]
    pub(super) fn channel(&self, channel: i32, state: &[Word]) -> Option<&ChannelOption> {
        let number = (channel as usize).wrapping_sub(1);
        if number >= self.layout.n_channels.get(state) as usize {
            return None;
        }
        let room = &self.layout.channels[number];
        Some(&room.options[room.tag.get(state) as usize])
    }

    /// Returns the room that a shape is missing if a value does not fit into a
    /// field.
    #[cold]
    pub(super) fn missing_bits(&self, field: Field, value: i32) -> MissingRoom {
        self.layout.missing_bits(&self.cells, field, value)
    }

    /// Returns the variables of a process, if it is alive and of this template.
    pub(super) fn option_of(
        &self,
        process: i32,
        template: TemplateId,
        state: &[Word],
    ) -> Option<&ProcessOption> {
        let room = self.room_of(process, state)?;
        let option = &room.options[room.tag.get(state) as usize];
        (option.template == template).then_some(option)
    }

    /// Returns the room of a process, if it is alive.
    pub(super) fn room_of(&self, process: i32, state: &[Word]) -> Option<&ProcessRoom> {
        let alive = 0..self.layout.n_processes.get(state);
        alive.contains(&process).then(|| &self.layout.processes[process as usize])
    }

    /// Returns the table of a living process.
    #[inline(always)]
    pub(super) fn table(&self, process: usize, state: &[Word]) -> &Table {
        &self.tables[process][self.layout.processes[process].tag.get(state) as usize]
    }

    /// Returns whether a process is at a progress label. A run that has ended is
    /// treated as making progress.
    pub fn makes_progress(&self, state: &[Word]) -> bool {
        self.layout.is_over.get(state) != 0
            || (0..self.layout.n_processes.get(state) as usize).any(|process| {
                let location = self.layout.processes[process].location.get(state) as usize;
                self.table(process, state).places[location].is_progress
            })
    }

    /// Returns the number of channels that a process of the template creates;
    /// channels in its parameters are not counted.
    pub(super) fn n_channels_of(&self, template: TemplateId) -> usize {
        let n_parameters = self.network.templates[template.index()].parameters as usize;
        let is_channel =
            |cell: &&Cell| cell.variable >= n_parameters && matches!(cell.initial, CellInitial::Channel(_));
        self.cells.locals[template.index()].iter().filter(is_channel).count()
    }

    /// Returns the types of the fields of a channel's messages.
    pub(super) fn message_types(&self, option: &ChannelOption) -> &[Type] {
        &self.kinds[option.kind].fields
    }
}
