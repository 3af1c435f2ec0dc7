//! A graph to draw, whatever it is a graph of.

/// Nodes and edges with what is to be seen of them.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Above the picture.
    pub title: String,
    /// Referred to by position.
    pub nodes: Vec<Node>,
    /// In drawing order.
    pub edges: Vec<Edge>,
}

/// A node of a drawing.
#[derive(Clone, Debug)]
pub struct Node {
    /// Lines separated by `\n`.
    pub label: String,
    /// Its outline.
    pub shape: Shape,
    /// A name of the group it is drawn in (a task), if any.
    pub group: Option<String>,
    /// A longer text shown on demand: the source place.
    pub tooltip: Option<String>,
    /// What it is filled with.
    pub tint: Tint,
}

/// What a node is filled with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// As its shape is.
    #[default]
    Plain,
    /// Within an atomic sequence.
    Atomic,
    /// Within a `d_step`.
    Deterministic,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A local node, a control point.
    Box,
    /// A communication node.
    Diamond,
    /// Initial and final node of a trace flow graph.
    Triangle,
    /// A state.
    Circle,
    /// An accepting state.
    DoubleCircle,
    /// Nothing but the text: where an arrow to the start state comes from.
    Plain,
}

/// An edge of a drawing.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Position of the source node.
    pub from: usize,
    /// Position of the target node.
    pub to: usize,
    /// On the edge; may be empty.
    pub label: String,
    /// Dashed for may-immediately-precede edges.
    pub dashed: bool,
    /// Drawn once with arrows at both ends.
    pub both_ways: bool,
}
