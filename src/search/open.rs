//! Open lists: the states of the frontier and the choice of the next one.
//!
//! [`simple`] has the three orders that depend only on arrival and region,
//! [`both_ends`] the order that is breadth first and later also depth first.
//! [`guided`] has all others: stages, queues that take turns, and chains of
//! rules that break ties, stored in [`shelf`]s of buckets.

pub mod both_ends;
pub mod guided;
pub mod shelf;
pub mod simple;

use super::StateId;
use crate::system::{Arrived, TransitionSystem};

pub use both_ends::BothEnds;
pub use guided::Guided;
pub use simple::{ByRegion, Fifo, Lifo};

/// An order of states, with its queue.
pub trait Frontier {
    /// Adds a state. Returns `false` if it was dropped because no goal is
    /// reachable from it.
    fn push<S: TransitionSystem>(&mut self, system: &S, arrived: &Arrived) -> bool;

    /// Removes the next state and returns it with the length of its path.
    fn pop(&mut self) -> Option<(StateId, u32)>;

    /// Returns the state that will probably be taken next, if it is not likely
    /// to be cached, so that its words can be prefetched.
    fn upcoming(&self) -> Option<StateId> {
        None
    }

    /// Returns the depth of the last layer, if states are taken layer by layer,
    /// all states of that layer were taken, and the next layer has not begun.
    fn ended_layer(&self) -> Option<u32> {
        None
    }

    /// Begins the layer at `depth`; the layers before it are empty.
    fn skip_to_layer(&mut self, _depth: u32) {}

    /// Returns whether states are taken layer by layer, so that every path is
    /// shortest.
    fn is_in_layers(&self) -> bool {
        false
    }

    /// Gives the last queue another turn, because the state it returned had
    /// been expanded before.
    fn give_another_turn(&mut self) {}

    /// Returns the stage of the state that was taken last.
    fn stage(&self) -> usize {
        0
    }

    /// Returns the number of states in the frontier.
    fn n_waiting(&self) -> usize;

    /// Returns the memory in use.
    fn bytes(&self) -> usize;
}
