//! Orders that depend only on arrival and region.

use super::Frontier;
use crate::search::StateId;
use crate::system::{Arrived, TransitionSystem};
use std::collections::VecDeque;
use std::ops::Range;

/// First in, first out, layer by layer. Most states arrive in the order of
/// their ids, so the queue is a list of ranges: a single one, unless a state
/// waited for its layer ([`later`](crate::search)).
#[derive(Debug, Default)]
pub struct Fifo {
    /// Ids to take, oldest first; no range is empty.
    ranges: VecDeque<Range<u32>>,
    n_waiting: usize,
    depth: u32,
    /// Number of states of the layer `depth` that were not taken yet.
    n_in_layer: usize,
}

impl Fifo {
    /// Appends a state to the next layer; the first one belongs to layer 0.
    #[inline]
    pub fn add(&mut self, id: StateId) {
        self.n_waiting += 1;
        match self.ranges.back_mut() {
            Some(last) if last.end == id.0 => last.end += 1,
            _ => self.ranges.push_back(id.0..id.0 + 1),
        }
    }

    /// Takes the next state of the current layer.
    #[inline]
    pub fn take(&mut self) -> Option<StateId> {
        self.n_in_layer = self.n_in_layer.checked_sub(1)?;
        self.n_waiting -= 1;
        let first = self.ranges.front_mut()?;
        let id = first.start;
        first.start += 1;
        if first.start == first.end {
            self.ranges.pop_front();
        }
        Some(StateId(id))
    }

    /// Ends the current layer and begins the one at `depth` with all waiting
    /// states.
    pub fn begin_layer(&mut self, depth: u32) {
        self.depth = depth;
        self.n_in_layer = self.n_waiting;
    }

    /// Returns the number of states of the current layer that were not taken
    /// yet.
    pub fn n_in_layer(&self) -> usize {
        self.n_in_layer
    }
}

/// Last in, first out.
#[derive(Debug, Default)]
pub struct Lifo {
    stack: Vec<(StateId, u32)>,
}

/// All states of one region, then all of the region that has waited longest:
/// the order of data-flow analysis.
#[derive(Debug)]
pub struct ByRegion {
    waiting: Vec<Vec<(StateId, u32)>>,
    /// Regions with waiting states, longest waiting first.
    schedule: VecDeque<usize>,
    current: Vec<(StateId, u32)>,
    n_waiting: usize,
}

impl Frontier for Fifo {
    #[inline]
    fn push<S: TransitionSystem>(&mut self, _system: &S, arrived: &Arrived) -> bool {
        self.add(arrived.id);
        if arrived.id.0 == 0 {
            self.begin_layer(0);
        }
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.n_in_layer == 0 && self.n_waiting > 0 {
            self.begin_layer(self.depth + 1);
        }
        self.take().map(|id| (id, self.depth))
    }

    fn upcoming(&self) -> Option<StateId> {
        self.ranges.front().map(|range| StateId(range.start))
    }

    fn ended_layer(&self) -> Option<u32> {
        (self.n_in_layer == 0).then_some(self.depth)
    }

    fn skip_to_layer(&mut self, depth: u32) {
        self.begin_layer(depth);
    }

    fn is_in_layers(&self) -> bool {
        true
    }

    fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    fn bytes(&self) -> usize {
        self.ranges.capacity() * size_of::<Range<u32>>()
    }
}

impl Frontier for Lifo {
    #[inline]
    fn push<S: TransitionSystem>(&mut self, _system: &S, arrived: &Arrived) -> bool {
        self.stack.push((arrived.id, arrived.g));
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        self.stack.pop()
    }

    fn n_waiting(&self) -> usize {
        self.stack.len()
    }

    fn bytes(&self) -> usize {
        self.stack.capacity() * size_of::<(StateId, u32)>()
    }
}

impl ByRegion {
    /// Creates an order for `n_regions` regions, served in turn.
    pub fn new(n_regions: usize) -> Self {
        Self {
            waiting: vec![Vec::new(); n_regions],
            schedule: VecDeque::new(),
            current: Vec::new(),
            n_waiting: 0,
        }
    }
}

impl Frontier for ByRegion {
    #[inline]
    fn push<S: TransitionSystem>(&mut self, system: &S, arrived: &Arrived) -> bool {
        let region = system.region(arrived.state);
        if self.waiting[region].is_empty() {
            self.schedule.push_back(region);
        }
        self.waiting[region].push((arrived.id, arrived.g));
        self.n_waiting += 1;
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.current.is_empty() {
            let region = self.schedule.pop_front()?;
            std::mem::swap(&mut self.current, &mut self.waiting[region]);
        }
        self.n_waiting -= 1;
        self.current.pop()
    }

    fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    fn bytes(&self) -> usize {
        let entries: usize = self.waiting.iter().map(Vec::capacity).sum::<usize>() + self.current.capacity();
        entries * size_of::<(StateId, u32)>()
    }
}
