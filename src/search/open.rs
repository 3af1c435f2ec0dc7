//! The states that wait, and which of them is next.
//!
//! [`simple`] has the three orders that look at nothing but arrival and
//! region, [`both_ends`] the one that is breadth first and then depth first
//! too. [`guided`] has all others: stages, queues that take turns, chains of
//! rules that break each other's ties, kept on [`shelf`]s of buckets.

pub mod both_ends;
pub mod guided;
pub mod shelf;
pub mod simple;

use super::StateId;
use crate::system::{Arrived, TransitionSystem};

pub use both_ends::BothEnds;
pub use guided::Guided;
pub use simple::{ByRegion, Fifo, Lifo};

/// A rule for the next state, with its queue.
pub trait Frontier {
    /// Adds a state. Returns `false` if it was left out because no goal can be
    /// reached from it.
    fn push<S: TransitionSystem>(&mut self, system: &S, arrived: &Arrived) -> bool;

    /// Takes the next one and the length of the path it came by.
    fn pop(&mut self) -> Option<(StateId, u32)>;

    /// The one that will probably be taken next, where it may lie far from
    /// those taken before: its words can be fetched in good time.
    fn upcoming(&self) -> Option<StateId> {
        None
    }

    /// The depth of the last layer, where states are taken layer by layer,
    /// all of that layer were taken, and the next one has not begun.
    fn ended_layer(&self) -> Option<u32> {
        None
    }

    /// Begins the layer at `depth`: the layers before it have no states.
    fn skip_to_layer(&mut self, _depth: u32) {}

    /// Are states taken layer by layer, so that every path is shortest?
    fn is_in_layers(&self) -> bool {
        false
    }

    /// The state that was taken last had been expanded before: it does not use
    /// up the turn of its queue.
    fn give_another(&mut self) {}

    /// The stage of the state that was taken last.
    fn stage(&self) -> usize {
        0
    }

    /// How many states wait.
    fn n_waiting(&self) -> usize;

    /// Memory in use.
    fn bytes(&self) -> usize;
}
