//! Orders that look at arrival and region alone.

use super::Frontier;
use crate::search::StateId;
use crate::system::{TransitionSystem, Word};
use std::collections::VecDeque;

/// First come, first served. States arrive in the order of their ids, so a
/// number is the whole queue; a level ends where the next one began.
#[derive(Debug, Default)]
pub struct Fifo {
    next: u32,
    end: u32,
    depth: u32,
    level_end: u32,
}

/// Last come, first served.
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
    fn push<S: TransitionSystem>(&mut self, _system: &S, id: StateId, g: u32, _state: &[Word]) -> bool {
        debug_assert_eq!(id.0, self.end);
        debug_assert!(g >= self.depth);
        self.end = id.0 + 1;
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.next == self.end {
            return None;
        }
        if self.next == self.level_end && self.next > 0 {
            self.depth += 1;
            self.level_end = self.end;
        } else if self.next == 0 {
            self.level_end = self.end;
        }
        self.next += 1;
        Some((StateId(self.next - 1), self.depth))
    }

    fn layer_behind(&self) -> Option<u32> {
        (self.next == self.level_end && self.next > 0).then_some(self.depth)
    }

    fn pass_layer(&mut self) {
        self.depth += 1;
    }

    fn is_in_layers(&self) -> bool {
        true
    }

    fn n_waiting(&self) -> usize {
        (self.end - self.next) as usize
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Frontier for Lifo {
    fn push<S: TransitionSystem>(&mut self, _system: &S, id: StateId, g: u32, _state: &[Word]) -> bool {
        self.stack.push((id, g));
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
    /// `n_regions` regions, served in turn.
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
    fn push<S: TransitionSystem>(&mut self, system: &S, id: StateId, g: u32, state: &[Word]) -> bool {
        let region = system.region(state);
        if self.waiting[region].is_empty() {
            self.schedule.push_back(region);
        }
        self.waiting[region].push((id, g));
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
