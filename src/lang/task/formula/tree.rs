//! Formulas as they are written.

use crate::diag::Span;
use crate::net::BinaryOp;

/// A formula, a condition or a value; the checker distinguishes them.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    pub span: Span,
    /// Number of nodes on the longest path downwards.
    pub depth: usize,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Bool(bool),
    Int(i64),
    /// A variable or a constant.
    Name(Path),
    /// `Phase::Busy`
    Variant(Word, Word),
    /// `ended(task)`
    Ended(Path),
    Not(Box<Node>),
    Negate(Box<Node>),
    Binary(BinaryOp, Box<Node>, Box<Node>),
    /// `->`
    Implies(Box<Node>, Box<Node>),
    /// `<->`
    Equivalent(Box<Node>, Box<Node>),
    Temporal(Temporal, Box<Node>),
    Temporal2(Temporal2, Box<Node>, Box<Node>),
}

/// A word of the text.
#[derive(Debug)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

/// `customer[2].state`
#[derive(Debug)]
pub(super) struct Path {
    pub parts: Vec<Part>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum Part {
    /// `state`, or `x#2` for a second variable of the same name.
    Word(String),
    /// `[2]`
    Index(Node),
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temporal {
    Always,
    Eventually,
    Next,
}

/// Temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temporal2 {
    Until,
    WeakUntil,
    Release,
}

impl Node {
    /// Returns a temporal operator in it, if any.
    pub fn temporal(&self) -> Option<&Node> {
        match &self.kind {
            NodeKind::Temporal(..) | NodeKind::Temporal2(..) => Some(self),
            NodeKind::Not(inner) | NodeKind::Negate(inner) => inner.temporal(),
            NodeKind::Binary(_, left, right)
            | NodeKind::Implies(left, right)
            | NodeKind::Equivalent(left, right) => left.temporal().or_else(|| right.temporal()),
            NodeKind::Bool(_)
            | NodeKind::Int(_)
            | NodeKind::Name(_)
            | NodeKind::Variant(..)
            | NodeKind::Ended(_) => None,
        }
    }
}
