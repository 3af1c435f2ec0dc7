//! Search over any [`TransitionSystem`](crate::system::TransitionSystem).
//!
//! [`explore()`] is the one loop; an [`Order`] says which waiting state is
//! next. The loop sees words, step numbers and counts, never a task or an
//! event. States live once in a [`Space`] and are named by dense ids.

pub mod explore;
pub mod frontier;
pub mod space;

pub use explore::{Counters, End, Limits, Order, Run, Stop, explore};
pub use space::{Space, StateId};
