//! The loop: take a state, make its successors, keep the new ones.

use super::frontier::{ByRegion, Fifo, Frontier, Lifo};
use super::space::{Hash, Space, StateId};
use crate::system::{Successors, TransitionSystem};
use std::time::{Duration, Instant};

/// Which waiting state is next, and when to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Breadth first; ends at the first goal, on a shortest path.
    Breadth,
    /// The newest state first; ends at the first goal.
    Depth,
    /// Region by region to the fixpoint; goals are looked at in the end.
    Regions,
}

/// When to give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Stored states.
    pub max_states: Option<u64>,
    /// Bytes of visited set and frontier.
    pub max_bytes: Option<u64>,
}

/// What was done; the same for the same input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Successors computed.
    pub generated: u64,
    /// Different states.
    pub stored: u64,
    /// States whose successors were computed.
    pub expanded: u64,
    /// States waiting now.
    pub frontier: u64,
    /// Most states that waited at one time.
    pub peak_frontier: u64,
    /// Longest path followed.
    pub depth: u64,
    /// Most memory in use.
    pub bytes: u64,
}

/// Why a search stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_bytes`].
    Memory,
    /// The watcher said so.
    Asked,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a goal.
    Found(StateId),
    /// Everything reachable was seen and nothing was a goal.
    Exhausted,
    /// Not at all.
    Stopped(Stop),
}

/// A search that has ended.
#[derive(Debug)]
pub struct Run {
    /// How.
    pub end: End,
    /// What was seen.
    pub space: Space,
    /// What was done.
    pub counters: Counters,
    /// How long it took.
    pub elapsed: Duration,
}

/// States have 32-bit ids, and one expansion may add many.
const MOST_STATES: u64 = u32::MAX as u64 - (1 << 24);

/// Between two looks of the watcher.
const EXPANSIONS_PER_WATCH: u64 = 1024;

/// Searches `system` in an order. `watch` is shown the counters now and
/// then and ends the search by answering `true`.
pub fn explore<S: TransitionSystem>(
    system: &mut S,
    order: Order,
    limits: Limits,
    watch: &mut dyn FnMut(&Counters) -> bool,
) -> Run {
    let started = Instant::now();
    let mut search = Search::new(system, limits);
    let end = match order {
        Order::Breadth => search.run(&mut Fifo::default(), true, watch),
        Order::Depth => search.run(&mut Lifo::default(), true, watch),
        Order::Regions => {
            let n_regions = search.system.n_regions();
            search.run(&mut ByRegion::new(n_regions), false, watch)
        }
    };
    Run { end, space: search.space, counters: search.counters, elapsed: started.elapsed() }
}

struct Search<'a, S> {
    system: &'a mut S,
    limits: Limits,
    space: Space,
    counters: Counters,
    /// The first goal that was stored.
    goal: Option<StateId>,
}

impl<'a, S: TransitionSystem> Search<'a, S> {
    fn new(system: &'a mut S, limits: Limits) -> Self {
        let space = Space::new(system.width());
        Self { system, limits, space, counters: Counters::default(), goal: None }
    }

    fn run<F: Frontier>(
        &mut self,
        frontier: &mut F,
        stop_at_goal: bool,
        watch: &mut dyn FnMut(&Counters) -> bool,
    ) -> End {
        let width = self.system.width();
        let mut state = vec![0; width];
        self.system.initial(&mut state);
        self.arrive(Space::hash(&state), &state, None, 0, frontier);
        let mut successors = Successors::new(width);
        let mut hashes: Vec<Hash> = Vec::new();
        loop {
            if let Some(goal) = self.goal.filter(|_| stop_at_goal) {
                self.measure(frontier);
                return End::Found(goal);
            }
            if self.counters.expanded.is_multiple_of(EXPANSIONS_PER_WATCH) {
                self.measure(frontier);
                if self.limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit) {
                    return self.stop(Stop::Memory);
                }
                if watch(&self.counters) {
                    return self.stop(Stop::Asked);
                }
            }
            if self.space.n_states() as u64 > self.limits.max_states.unwrap_or(MOST_STATES).min(MOST_STATES) {
                self.measure(frontier);
                return self.stop(Stop::States);
            }
            let Some((id, depth)) = frontier.pop() else { break };
            state.copy_from_slice(self.space.state(id));
            successors.clear();
            self.system.successors(&state, &mut successors);
            self.counters.expanded += 1;
            self.counters.depth = self.counters.depth.max(u64::from(depth));
            self.counters.generated += successors.len() as u64;
            hashes.clear();
            hashes.extend(successors.iter().map(Space::hash));
            let touched = hashes.iter().fold(0, |sum, &hash| sum ^ self.space.touch(hash));
            std::hint::black_box(touched);
            for (&hash, next) in hashes.iter().zip(successors.iter()) {
                self.arrive(hash, next, Some(id), depth + 1, frontier);
                if stop_at_goal && self.goal.is_some() {
                    break;
                }
            }
            self.counters.peak_frontier = self.counters.peak_frontier.max(frontier.n_waiting() as u64);
        }
        self.measure(frontier);
        self.goal.map_or(End::Exhausted, End::Found)
    }

    /// The end of a search that may not go on: what was found is found.
    fn stop(&self, stop: Stop) -> End {
        self.goal.map_or(End::Stopped(stop), End::Found)
    }

    fn arrive<F: Frontier>(
        &mut self,
        hash: Hash,
        state: &[u64],
        parent: Option<StateId>,
        depth: u32,
        frontier: &mut F,
    ) {
        if let Some(id) = self.space.insert(hash, state, parent) {
            if self.goal.is_none() && self.system.is_goal(state) {
                self.goal = Some(id);
            }
            frontier.push(id, depth, self.system.region(state));
        }
    }

    fn measure<F: Frontier>(&mut self, frontier: &F) {
        let counters = &mut self.counters;
        counters.stored = self.space.n_states() as u64;
        counters.frontier = frontier.n_waiting() as u64;
        counters.bytes = counters.bytes.max((self.space.bytes() + frontier.bytes()) as u64);
    }
}
