//! The explicit engine: exact semantics of [networks](crate::net) of processes
//! on a flat state.
//!
//! [`layout`] gives every variable its bits, [`code`] turns expressions into
//! flat code for those bits, [`engine`] joins both to a table per process, and
//! [`view`] steps through it: it is the
//! [`TransitionSystem`](crate::system::TransitionSystem) that a search sees.

pub mod code;
pub mod describe;
pub mod engine;
pub mod footprint;
pub mod growing;
mod hidden;
pub mod layout;
mod monitor;
pub mod overflow;
mod print;
mod probe;
#[cfg(test)]
mod samples;
pub mod sequence;
mod steady;
pub mod view;

pub use engine::Engine;
pub use sequence::Sequence;
pub use view::{Product, View};
