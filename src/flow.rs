//! The flow engine: a trace flow graph of tasks, refined by constraint
//! automata.
//!
//! [`nodes`] turns the control graphs of a program into the nodes that are
//! relevant for a question, [`parallel`] computes which stations can be current
//! at the same time, [`graph`] builds the trace flow graph from both,
//! [`component`] creates the automata that run beside it, and [`product`] is
//! the node-tuple graph, a
//! [`TransitionSystem`](crate::system::TransitionSystem), with [`heuristics`]
//! that estimate the distance to a violation.
//!
//! Every execution of the program is a path of the graph; the graph can have
//! more paths. Constraints only remove paths.

pub mod adjacency;
pub mod component;
pub mod graph;
pub mod heuristics;
pub mod nodes;
pub mod parallel;
pub mod product;
mod reduce;

pub use component::Component;
pub use graph::{Form, TraceFlowGraph};
pub use nodes::{Node, NodeId, NodeKey, Relevance};
pub use product::Product;
