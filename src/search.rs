//! Search over any [`TransitionSystem`](crate::system::TransitionSystem): many
//! strategies, few loops.
//!
//! A strategy such as `bf(trap) + wa(ta, w=1) / bf(ta)` is read by
//! [`strategy`], its heuristics are looked up in the engine's table, the
//! [`open`] list that it describes orders the states that wait, and
//! [`explore()`] runs it; [`depth_first()`] needs no open list, only a stack,
//! and therefore may forget what states were like ([`Store`]);
//! [`breadth_first()`] has several threads; [`mixed()`] searches breadth first
//! with depth first beside it; [`find_cycle`] looks for runs
//! without end. The loops see words, counts and estimates, never a task or an
//! event. Where nothing else is said, states live once in a [`Space`] and are
//! named by dense ids.

pub mod cycle;
pub mod depth_first;
pub mod explore;
mod keys;
mod later;
pub mod layers;
mod memory;
pub mod mixed;
pub mod open;
mod poll;
pub mod space;
pub mod strategy;
mod table;
pub mod visited;

pub use cycle::{CycleRun, Waypoint, find_cycle};
pub use depth_first::{Descent, depth_first};
pub use explore::{Counters, Cut, End, Limits, Run, StageCost, Stop, Watcher, explore};
pub use layers::{Layered, breadth_first};
pub use mixed::{mixed, mixed_by_threads};
pub use space::{Space, StateId};
pub use strategy::{Choice, Strategy};
pub use visited::{Omissions, Store};

#[cfg(test)]
mod tests;
