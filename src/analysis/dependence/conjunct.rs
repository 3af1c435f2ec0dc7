//! Conjuncts: the conditions under which a transition is enabled.

use super::state_part::{ChannelPart, StatePart};
use crate::analysis::accesses::Scope;
use crate::net::{Expr, LocationId, Pattern, TemplateId, Type};
use std::collections::BTreeSet;

/// One of the conditions that together enable a transition. If a process does
/// not exist, only [`Conjunct::At`] is meaningful for it.
#[derive(Clone, Debug)]
pub enum Conjunct<'n> {
    /// The process exists, is of this template, and is at one of these
    /// locations.
    At {
        /// Number of the process.
        process: usize,
        /// Its template.
        template: TemplateId,
        /// Locations, sorted.
        locations: Vec<LocationId>,
    },
    /// The expression is not 0, or its evaluation fails.
    Test(Side<'n>),
    /// A field of an offered message has the value that the receiver requires.
    Equal {
        /// The value that the sender computes.
        sent: Side<'n>,
        /// The value that the receiver computes.
        wanted: Side<'n>,
        /// The type of the field, if it is known.
        ty: Option<Type>,
    },
    /// A condition on the messages of a buffered channel.
    Buffer(ChannelPart, BufferTest<'n>),
    /// The process is the youngest one.
    Youngest(usize),
    /// No process can move without a timeout.
    Timeout,
    /// All conjuncts of at least one of these are true.
    AnyOf(Vec<Vec<Conjunct<'n>>>),
    /// Each of these has at least one false conjunct.
    NoneOf(Vec<Vec<Conjunct<'n>>>),
    /// An unknown condition on these parts.
    DependsOn(BTreeSet<StatePart>),
}

/// An expression of a process, and the parts that it reads.
#[derive(Clone, Debug)]
pub struct Side<'n> {
    /// The process.
    pub scope: Scope<'n>,
    /// The expression.
    pub expr: &'n Expr,
    /// Parts that it reads.
    pub reads: BTreeSet<StatePart>,
}

/// A condition on the messages of a channel.
#[derive(Clone, Debug)]
pub enum BufferTest<'n> {
    /// It is empty.
    Empty,
    /// It is not empty.
    NotEmpty,
    /// It is full.
    Full,
    /// It is not full.
    NotFull,
    /// It contains a matching message.
    Contains(Patterns<'n>),
    /// The first message matches, or the channel is empty.
    FirstMatches(Patterns<'n>),
}

/// The patterns of a receive.
#[derive(Clone, Debug)]
pub struct Patterns<'n> {
    /// The receiving process.
    pub scope: Scope<'n>,
    /// Its patterns.
    pub patterns: &'n [Pattern],
    /// Parts that they read.
    pub reads: BTreeSet<StatePart>,
}

impl Conjunct<'_> {
    /// Returns a conjunct that is never true.
    pub(super) fn never() -> Self {
        Self::AnyOf(Vec::new())
    }

    /// Returns whether it is never true.
    pub(super) fn is_never(&self) -> bool {
        matches!(self, Self::AnyOf(all) if all.is_empty())
    }
}
