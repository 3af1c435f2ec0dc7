//! A program in a shape, ready to run: per process number and template, what
//! can be done at each location.

mod build;

use super::code::{Code, Piece};
use super::layout::{
    Cell, CellInitial, Cells, ChannelOption, Field, Layout, MissingRoom, ProcessOption, ProcessRoom,
};
use super::print::Text;
use super::sequence::Sequence;
use crate::automata::Symbol;
use crate::net::ChannelKind;
use crate::net::{Network, TransitionId};
use crate::net::{TemplateId, Type};
use crate::system::Word;

/// Immutable; a [`View`](super::View) steps through it.
#[derive(Clone, Debug)]
pub struct Engine<'p> {
    /// What it was made from.
    pub network: &'p Network,
    /// Where everything stands.
    pub layout: Layout,
    pub(super) kinds: Vec<ChannelKind>,
    pub(super) cells: Cells,
    pub(super) code: Code,
    /// Per process number and option.
    pub(super) tables: Vec<Vec<Table>>,
    /// Values of the globals at the start.
    pub(super) globals: Vec<(Field, Start)>,
    /// The order of events that is followed.
    pub(super) following: Option<Following>,
    /// What watches the system.
    pub(super) observer: Option<Watching>,
    /// The trace and where it goes on from each place.
    pub(super) trace: Option<Tracing>,
    /// Variables that are cleared after every step.
    pub(super) hidden: Vec<Field>,
    /// Global variables that hold the same channel always.
    pub(super) fixed: Vec<Field>,
    /// Per template the number of its first transition among all.
    pub(super) first_transitions: Vec<usize>,
    /// Transitions of all templates.
    pub(super) n_transitions: usize,
}

/// What one process number can do as one template.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Per location.
    pub places: Vec<Place>,
    /// Values of the locals at the start, parameters left out.
    pub starts: Vec<(Field, Start)>,
    pub parameters: Vec<Field>,
    pub provided: Option<Piece>,
    pub promises: Vec<Promise>,
    /// Is it a `D_proctype`?
    pub is_deterministic: bool,
    /// What is written by transitions that write.
    pub prints: Vec<(TransitionId, Vec<Text>)>,
}

/// `xr q` or `xs q`.
#[derive(Clone, Debug)]
pub(super) struct Promise {
    pub is_send: bool,
    pub channel: Piece,
}

/// A property of the order of events.
#[derive(Clone, Debug)]
pub(super) struct Following {
    pub sequence: Sequence,
    /// Per process number, option and transition.
    pub symbols: Vec<Vec<Vec<Vec<Symbol>>>>,
}

/// An observer that is at work.
#[derive(Clone, Debug)]
pub(super) struct Watching {
    pub table: Table,
    /// Does it change more than its own place?
    pub writes: bool,
    /// Do accept labels of processes count too?
    pub sees_labels: bool,
}

/// A trace that is at work.
#[derive(Clone, Debug)]
pub(super) struct Tracing {
    pub table: Table,
    pub is_negated: bool,
    /// Its last place.
    pub end: usize,
}

/// A value at the start.
#[derive(Clone, Debug)]
pub(super) enum Start {
    Value(Piece),
    Channel(usize),
}

/// A location.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub moves: Vec<Move>,
    /// Locations of escapes, in the order in which they are tried.
    pub escapes: Vec<usize>,
    pub is_end: bool,
    /// Can a message be taken here, or in an escape?
    pub receives: bool,
    pub is_accept: bool,
    pub is_progress: bool,
    /// The `d_step` it is inside of.
    pub deterministic: Option<u32>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub id: TransitionId,
    /// Its number among all transitions of the program.
    pub mark: usize,
    pub act: Act,
    /// Is it possible only if no move before it is?
    pub is_else: bool,
    pub to: i32,
    pub keeps_control: bool,
}

/// What a transition does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Skip,
    Else,
    /// As `Else`, if no other process offers a rendezvous either.
    Otherwise,
    Guard(Piece),
    /// A new process, whose number may be stored.
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
    /// The same; a value outside of the range is an error.
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
    /// What is printed, where it may have no value.
    Print(Vec<Piece>),
    Deterministic(usize),
    End,
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Nowhere,
    Field(Field),
    /// The piece gives the cells behind the start in [`Code::fields`].
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
    /// The room of a channel and what it holds; `None` if there is no such
    /// channel.
    #[inline]
    pub(super) fn channel(&self, channel: i32, state: &[Word]) -> Option<&ChannelOption> {
        let number = (channel as usize).wrapping_sub(1);
        if number >= self.layout.n_channels.get(state) as usize {
            return None;
        }
        let room = &self.layout.channels[number];
        Some(&room.options[room.tag.get(state) as usize])
    }

    /// What the shape lacks if a value does not fit into a field.
    #[cold]
    pub(super) fn lack_of_bits(&self, field: Field, value: i32) -> MissingRoom {
        self.layout.lack_of_bits(&self.cells, field, value)
    }

    /// The variables of a process, if it is alive and of that template.
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

    /// The room of a process, if it is alive.
    pub(super) fn room_of(&self, process: i32, state: &[Word]) -> Option<&ProcessRoom> {
        let alive = 0..self.layout.n_processes.get(state);
        alive.contains(&process).then(|| &self.layout.processes[process as usize])
    }

    /// The table of a process that is alive.
    #[inline(always)]
    pub(super) fn table(&self, process: usize, state: &[Word]) -> &Table {
        &self.tables[process][self.layout.processes[process].tag.get(state) as usize]
    }

    /// Does any process stand at a label of progress? Where nothing moves any
    /// more, it is not progress that is missing.
    pub fn makes_progress(&self, state: &[Word]) -> bool {
        self.layout.is_over.get(state) != 0
            || (0..self.layout.n_processes.get(state) as usize).any(|process| {
                let location = self.layout.processes[process].location.get(state) as usize;
                self.table(process, state).places[location].is_progress
            })
    }

    /// Channels that a process of the template brings with it; those of its
    /// parameters are others'.
    pub(super) fn n_channels_of(&self, template: TemplateId) -> usize {
        let n_parameters = self.network.templates[template.index()].parameters as usize;
        let is_channel =
            |cell: &&Cell| cell.variable >= n_parameters && matches!(cell.initial, CellInitial::Channel(_));
        self.cells.locals[template.index()].iter().filter(is_channel).count()
    }

    /// Types of the fields of a channel's messages.
    pub(super) fn message_types(&self, option: &ChannelOption) -> &[Type] {
        &self.kinds[option.kind].fields
    }
}
