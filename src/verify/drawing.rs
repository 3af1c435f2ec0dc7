//! A graph to draw, independent of its meaning.

/// Nodes and edges with their appearance.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Title above the picture.
    pub title: String,
    /// Nodes, referred to by position.
    pub nodes: Vec<Node>,
    /// Edges in drawing order.
    pub edges: Vec<Edge>,
}

/// A node of a drawing.
#[derive(Clone, Debug)]
pub struct Node {
    /// Lines of text, separated by `\n`.
    pub label: String,
    /// Its outline.
    pub shape: Shape,
    /// Name of the group it is drawn in (a task), if any.
    pub group: Option<String>,
    /// A longer text shown on demand: the source location.
    pub tooltip: Option<String>,
    /// Its fill colour.
    pub tint: Tint,
}

/// The fill colour of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// The default of its shape.
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
    /// Only the text: the origin of an arrow to the start state.
    Plain,
}

/// An edge of a drawing.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Position of the source node.
    pub from: usize,
    /// Position of the target node.
    pub to: usize,
    /// Text on the edge; may be empty.
    pub label: String,
    /// Whether it is dashed, for may-immediately-precede edges.
    pub dashed: bool,
    /// Whether it is drawn once with arrows at both ends.
    pub both_ways: bool,
}
