//! The flow engine: a trace flow graph of tasks, made more precise one
//! constraint automaton at a time.
//!
//! [`nodes`] turns the control graphs of a program into the nodes that count
//! for a question, [`parallel`] finds what may happen at the same time,
//! [`graph`] joins both to a trace flow graph, [`component`] makes the
//! automata that run beside it, and [`product`] is the node-tuple graph, a
//! [`TransitionSystem`](crate::system::TransitionSystem), with [`heuristics`]
//! that estimate the way to a violation.
//!
//! Every execution of the program is a path of the graph; the graph has more
//! paths than that. Constraints only ever remove paths.

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
