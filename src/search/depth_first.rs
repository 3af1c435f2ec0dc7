//! Depth-first search proper: a state counts as seen when it is its turn, its
//! successors come in their order, and the way to it is all that is kept of
//! the states before. There is no recursion, so a path may have as many states
//! as memory has room for.
//!
//! A search that goes on behind a goal looks for shorter ways only, as SPIN's
//! `-i` and `-I` do.

use super::explore::{Counters, EXPANSIONS_PER_WATCH, Limits, MOST_STATES, Stop, Watcher};
use super::memory::make_room;
use super::space::Space;
use super::strategy::Shorten;
use super::visited::{Doubt, Store, Visited};
use crate::system::{Successors, TransitionSystem, Word};
use std::time::{Duration, Instant};

/// States are announced to the memory so many turns before their own.
const AHEAD: usize = 4;

/// A search that has ended.
#[derive(Clone, Debug)]
pub struct Descent {
    /// The states from the first one to a goal, if one was found.
    pub path: Option<Vec<Vec<Word>>>,
    /// What ended it, if it did not end by itself.
    pub stop: Option<Stop>,
    /// What was done.
    pub counters: Counters,
    /// What may have been missed, if the store can miss anything.
    pub doubt: Option<Doubt>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Searches `system` depth-first. To shorten exactly, states must be kept
/// exactly.
pub fn depth_first<S: TransitionSystem>(
    system: &mut S,
    store: Store,
    shorten: Option<Shorten>,
    limits: Limits,
    watch: Watcher,
) -> Descent {
    let started = Instant::now();
    let mut search = DepthFirst::new(system, store, shorten, limits);
    let stop = match search.advance(u64::MAX, watch) {
        Pause::Stopped(stop) => Some(stop),
        Pause::Over | Pause::Expansions => None,
    };
    search.measure();
    Descent {
        path: search.path(),
        stop,
        counters: search.counters,
        doubt: search.visited.doubt(),
        elapsed: started.elapsed(),
    }
}

/// Why a search pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// It has found a goal or seen everything.
    Over,
    /// It has made the expansions that were asked for.
    Expansions,
    /// A limit was reached, or the watcher ended it.
    Stopped(Stop),
}

/// A depth-first search that can be interrupted and continued.
pub(super) struct DepthFirst<'a, S> {
    pub system: &'a mut S,
    pub counters: Counters,
    width: usize,
    limits: Limits,
    /// The state that is expanded.
    state: Vec<Word>,
    successors: Successors,
    /// States taken from the stack so far.
    n_taken: u64,
    shorten: Option<Shorten>,
    visited: Visited,
    /// Per state the length of the shortest way so far, to shorten exactly.
    lengths: Vec<u32>,
    /// States whose turn will come, the next one last.
    waiting: Vec<Word>,
    /// How many steps lead there.
    waiting_depths: Vec<u32>,
    /// What the steps count as, where ways are shortened.
    waiting_lengths: Vec<u32>,
    /// The states from the first one to the last one expanded.
    path: Vec<Word>,
    /// The shortest way to a goal so far.
    best: Option<Vec<Word>>,
    /// Longer ways are not of interest any more.
    bound: u32,
}

impl<'a, S: TransitionSystem> DepthFirst<'a, S> {
    pub fn new(system: &'a mut S, store: Store, shorten: Option<Shorten>, limits: Limits) -> Self {
        let width = system.width();
        let mut initial = vec![0; width];
        system.initial(&mut initial);
        Self {
            system,
            counters: Counters::default(),
            width,
            limits,
            state: vec![0; width],
            successors: Successors::new(width),
            n_taken: 0,
            shorten,
            visited: Visited::new(store, width, shorten == Some(Shorten::Exact)),
            lengths: Vec::new(),
            waiting: initial,
            waiting_depths: vec![0],
            waiting_lengths: vec![0],
            path: Vec::new(),
            best: None,
            bound: u32::MAX,
        }
    }

    /// The states from the first one to the best goal so far.
    pub fn path(&self) -> Option<Vec<Vec<Word>>> {
        let words = self.best.as_ref()?;
        Some(words.chunks(self.width).map(<[Word]>::to_vec).collect())
    }

    /// Searches until it is over, something ends it, or `counters.expanded`
    /// reaches `until`.
    pub fn advance(&mut self, until: u64, watch: Watcher) -> Pause {
        let mut state = std::mem::take(&mut self.state);
        let mut successors = std::mem::replace(&mut self.successors, Successors::new(self.width));
        let pause = self.run(until, &mut state, &mut successors, watch);
        (self.state, self.successors) = (state, successors);
        pause
    }

    fn run(&mut self, until: u64, state: &mut [Word], successors: &mut Successors, watch: Watcher) -> Pause {
        let most_states = self.limits.max_states.unwrap_or(MOST_STATES).min(MOST_STATES);
        let shortens = self.shorten.is_some();
        while self.counters.expanded < until {
            let Some(depth) = self.waiting_depths.pop() else { return Pause::Over };
            let length = if shortens { self.waiting_lengths.pop().unwrap_or(depth) } else { depth };
            if self.n_taken.is_multiple_of(EXPANSIONS_PER_WATCH) {
                self.measure();
                if self.limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit) {
                    return Pause::Stopped(Stop::Memory);
                }
                if let Some(stop) = watch(&self.counters) {
                    return Pause::Stopped(stop);
                }
            }
            self.n_taken += 1;
            let start = self.waiting.len() - self.width;
            if let Some(later) = self.waiting.len().checked_sub(AHEAD * self.width) {
                self.visited.announce(Space::hash(&self.waiting[later..later + self.width]));
            }
            state.copy_from_slice(&self.waiting[start..]);
            self.waiting.truncate(start);
            if length > self.bound || !self.arrive(state, length) {
                continue;
            }
            if self.counters.stored > most_states {
                return Pause::Stopped(Stop::States);
            }
            self.path.truncate(depth as usize * self.width);
            make_room(&mut self.path, state.len());
            self.path.extend_from_slice(state);
            if self.system.is_goal(state) {
                self.best = Some(self.path.clone());
                match self.shorten {
                    Some(Shorten::Exact) if length > 0 => self.bound = length - 1,
                    Some(Shorten::Quick) if length > 0 => self.bound = length / 2,
                    _ => return Pause::Over,
                }
                continue;
            }
            if length >= self.bound {
                continue;
            }
            successors.clear();
            self.system.successors(state, successors);
            self.counters.expanded += 1;
            self.counters.generated += successors.len() as u64;
            self.counters.depth = self.counters.depth.max(u64::from(depth));
            for next in successors.iter().rev() {
                self.visited.announce(Space::hash(next));
                self.push(next, depth + 1);
            }
            if shortens {
                make_room(&mut self.waiting_lengths, successors.len());
                let lengths = (0..successors.len()).rev().map(|it| length + successors.length(it));
                self.waiting_lengths.extend(lengths);
            }
            let counters = &mut self.counters;
            counters.peak_frontier = counters.peak_frontier.max(self.waiting_depths.len() as u64);
        }
        Pause::Expansions
    }

    #[inline(always)]
    fn push(&mut self, state: &[Word], depth: u32) {
        make_room(&mut self.waiting, state.len());
        self.waiting.extend_from_slice(state);
        make_room(&mut self.waiting_depths, 1);
        self.waiting_depths.push(depth);
    }

    /// The turn of a state has come; is it to be expanded?
    fn arrive(&mut self, state: &[Word], length: u32) -> bool {
        let hash = Space::hash(state);
        let is_new = self.visited.add(hash, state);
        self.counters.stored += u64::from(is_new);
        if self.shorten != Some(Shorten::Exact) {
            return is_new;
        }
        let Some(id) = self.visited.id(hash, state) else { return is_new };
        if is_new {
            make_room(&mut self.lengths, 1);
            self.lengths.push(length);
            return true;
        }
        let is_shorter = length < self.lengths[id.index()];
        if is_shorter {
            self.lengths[id.index()] = length;
            self.counters.reopened += 1;
        }
        is_shorter
    }

    fn measure(&mut self) {
        let words =
            self.waiting.capacity() + self.path.capacity() + self.best.as_ref().map_or(0, Vec::capacity);
        let numbers =
            self.waiting_depths.capacity() + self.waiting_lengths.capacity() + self.lengths.capacity();
        let bytes = self.visited.bytes() + words * size_of::<Word>() + numbers * size_of::<u32>();
        self.counters.bytes = self.counters.bytes.max(bytes as u64);
        self.counters.frontier = self.waiting_depths.len() as u64;
    }
}
