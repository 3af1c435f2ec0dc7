//! A program in a shape, ready to run: per process number and proctype, what
//! can be done at each location.

mod build;

use super::code::{Code, Piece};
use super::layout::{Cell, CellInitial, Cells, ChannelKind, ChannelOption, Field, Layout, ProcessOption};
use super::program::{Program, TransitionId};
use crate::lang::promela::tree::{ProctypeId, Type};
use crate::system::Word;

/// Immutable; a [`View`](super::View) steps through it.
#[derive(Clone, Debug)]
pub struct Engine<'p> {
    /// What it was made from.
    pub program: &'p Program,
    /// Where everything stands.
    pub layout: Layout,
    pub(super) kinds: Vec<ChannelKind>,
    pub(super) cells: Cells,
    pub(super) code: Code,
    /// Per process number and option.
    pub(super) tables: Vec<Vec<Table>>,
    /// Values of the globals at the start.
    pub(super) globals: Vec<(Field, Start)>,
    /// Are there variables outside the state, to be cleared after a step?
    pub(super) hidden: Vec<Field>,
    /// Per proctype the number of its first transition among all.
    pub(super) first_transitions: Vec<usize>,
    /// Transitions of all proctypes.
    pub(super) n_transitions: usize,
}

/// What one process number can do as one proctype.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Per location.
    pub places: Vec<Place>,
    /// Values of the locals at the start, parameters left out.
    pub starts: Vec<(Field, Start)>,
    pub parameters: Vec<Field>,
    pub provided: Option<Piece>,
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
    /// Locations of escapes, outermost first.
    pub escapes: Vec<usize>,
    pub is_end: bool,
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
    pub to: i32,
    pub keeps_control: bool,
}

/// What a transition does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Skip,
    Else,
    Guard(Piece),
    /// A new process, whose number may be stored.
    Run {
        proctype: ProctypeId,
        arguments: Vec<Piece>,
        target: Target,
    },
    Assign {
        target: Target,
        value: Piece,
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

    /// The variables of a process, if it is alive and of that proctype.
    pub(super) fn option_of(
        &self,
        process: i32,
        proctype: ProctypeId,
        state: &[Word],
    ) -> Option<&ProcessOption> {
        let alive = 0..self.layout.n_processes.get(state);
        let room = alive.contains(&process).then(|| &self.layout.processes[process as usize])?;
        let option = &room.options[room.tag.get(state) as usize];
        (option.proctype == proctype).then_some(option)
    }

    /// The table of a process that is alive.
    #[inline]
    pub(super) fn table(&self, process: usize, state: &[Word]) -> &Table {
        &self.tables[process][self.layout.processes[process].tag.get(state) as usize]
    }

    /// Channels that a process of the proctype brings with it.
    pub(super) fn n_channels_of(&self, proctype: ProctypeId) -> usize {
        let is_channel = |cell: &&Cell| matches!(cell.initial, CellInitial::Channel(_));
        self.cells.locals[proctype.index()].iter().filter(is_channel).count()
    }

    /// Types of the fields of a channel's messages.
    pub(super) fn message_types(&self, option: &ChannelOption) -> &[Type] {
        &self.kinds[option.kind].fields
    }
}
