//! Search over any [`TransitionSystem`](crate::system::TransitionSystem): many
//! strategies, one loop.
//!
//! A strategy such as `bf(trap) + wa(ta, w=1) / bf(ta)` is read by
//! [`strategy`], its heuristics are looked up in the engine's table, the
//! [`open`] list that it describes orders the states that wait, and
//! [`explore()`] runs it; [`find_cycle`] looks for runs without end. The loop sees words, counts and estimates, never a
//! task or an event. States live once in a [`Space`] and are named by dense
//! ids.

pub mod cycle;
pub mod explore;
pub mod open;
pub mod space;
pub mod strategy;

pub use cycle::{CycleRun, Waypoint, find_cycle};
pub use explore::{Counters, End, Limits, Run, StageCost, Stop, Watcher, explore};
pub use space::{Space, StateId};
pub use strategy::{Choice, Strategy};

#[cfg(test)]
mod tests;
