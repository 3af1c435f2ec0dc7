//! Search over any [`TransitionSystem`](crate::system::TransitionSystem).
//!
//! [`strategy`] parses a strategy such as `bf(trap) + wa(ta, w=1) / bf(ta)`.
//! Its heuristics are looked up in the table of the engine, its [`open`] list
//! orders the states of the frontier, and [`explore()`] runs it.
//! [`depth_first()`] needs only a stack and not the stored states, so it can
//! use a lossy [`Store`]; [`iterative_deepening()`] stores little more than a
//! path; [`breadth_first()`] uses several threads; [`mixed()`]
//! searches breadth first with a depth-first search beside it; [`find_cycle`]
//! searches for infinite runs. [`improve`] shortens a known run. The loops handle words, counts and estimates,
//! and know nothing of tasks or events. Unless stated otherwise, states are
//! stored once in a [`Space`] and identified by dense ids.

pub mod cycle;
pub mod deepening;
pub mod depth_first;
pub mod explore;
pub mod improve;
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
pub use deepening::{Deepened, iterative_deepening};
pub use depth_first::{Descent, depth_first};
pub use explore::{Counters, Cut, End, Limits, SearchRun, StageCost, Stop, Watcher, explore};
pub use layers::{Layered, breadth_first};
pub use mixed::{mixed, mixed_by_threads};
pub use space::{Space, StateId};
pub use strategy::{Strategy, StrategyChoice};
pub use visited::{Omissions, Store};

#[cfg(test)]
mod tests;
