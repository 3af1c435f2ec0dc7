//! The explicit engine: exact semantics of [networks](crate::net) of processes
//! on a flat state.
//!
//! [`layout`] assigns bits to every variable, [`code`] compiles expressions to
//! flat code over these bits, [`engine`] builds a table per process from both,
//! and [`view`] computes steps: it is the
//! [`TransitionSystem`](crate::system::TransitionSystem) that a search sees.

pub mod code;
pub mod describe;
pub mod engine;
pub mod growing;
pub mod heuristics;
mod hidden;
pub mod layout;
mod monitor;
pub mod overflow;
mod print;
mod probe;
pub mod reduce;
pub mod sequence;
#[cfg(test)]
mod tests;
pub mod view;

pub use engine::Engine;
pub use sequence::Sequence;
pub use view::{Product, View};
