//! Iterative deepening A\*: depth-first searches along paths whose length plus
//! estimate does not exceed a bound, which grows until a goal is found.
//!
//! Only the path and the successors beside it are stored, so memory does not
//! limit the search; states are expanded again in every iteration and on every
//! path. A table of visited states prevents that, and bits do in less memory,
//! but may miss states. With an admissible heuristic and without bits, the first
//! goal is at the end of a shortest path.

use super::explore::{Counters, Cut, End, Limits, MAX_STATES, SearchRun, Stop, Watcher};
use super::poll::PollInterval;
use super::space::{Arrival, Hash, Space};
use super::strategy::DeepeningMemory;
use super::visited::{Omissions, Store, Visited};
use crate::system::{Abort, Arrived, Heuristic, StateId, Successors, TransitionSystem, Word};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Minimum and maximum size in bytes of the bits of an iteration.
const BITS: (u64, u64) = (1 << 16, 1 << 28);

/// Bytes per state of the iteration before: the next one can have many more
/// states, and only few bits may be set.
const BYTES_PER_STATE: u64 = 64;

/// Result of a search by iterative deepening.
#[derive(Debug)]
pub struct Deepened {
    /// States from the initial one to a goal, if one was found.
    pub path: Option<Vec<Vec<Word>>>,
    /// What ended the search before all paths were followed.
    pub cut: Option<Cut>,
    /// Total work.
    pub counters: Counters,
    /// Estimate of missed states in the last iteration, if bits were used.
    pub omissions: Option<Omissions>,
    /// Duration.
    pub elapsed: Duration,
}

impl From<Deepened> for SearchRun {
    fn from(deepened: Deepened) -> Self {
        let Deepened { path, cut, counters, omissions, elapsed } = deepened;
        let mut run = Self::along(path, cut, counters, elapsed);
        if omissions.is_some() && run.end == End::Exhausted {
            run.end = End::Stopped(Stop::Omissions);
        }
        run
    }
}

/// Searches `system` by iterative deepening.
pub fn iterative_deepening<S: TransitionSystem>(
    system: &mut S,
    heuristic: &mut dyn Heuristic,
    memory: DeepeningMemory,
    limits: Limits,
    watch: Watcher,
) -> Deepened {
    let started = Instant::now();
    let mut search = Deepening::new(system, heuristic, memory, limits);
    let end = search.run(watch);
    search.measure();
    let (path, cut) = match end {
        Iteration::Found => (Some(search.states()), None),
        Iteration::Cut(cut) => (None, Some(cut)),
        Iteration::Over => (None, None),
    };
    let omissions = match &search.seen {
        Seen::Bits(visited) => visited.omissions(),
        Seen::Nothing | Seen::Table(..) => None,
    };
    Deepened { path, cut, counters: search.counters, omissions, elapsed: started.elapsed() }
}

/// How an iteration ended.
enum Iteration {
    /// The path leads to a goal.
    Found,
    /// All paths within the bound were followed.
    Over,
    /// The search must stop.
    Cut(Cut),
}

/// States of an iteration.
enum Seen {
    Nothing,
    /// States of all iterations, each with the last iteration in which it was
    /// reached, and the length of the shortest path in it.
    Table(Space, Vec<(u32, u32)>),
    Bits(Visited),
}

/// Lengths are counted in units of the heuristic.
struct Deepening<'a, S> {
    system: &'a mut S,
    heuristic: &'a mut dyn Heuristic,
    limits: Limits,
    width: usize,
    per_step: u64,
    bound: u64,
    /// Smallest length plus estimate beyond the bound.
    next_bound: Option<u64>,
    iteration: u32,
    seen: Seen,
    /// Number of states that this iteration has added to the bits.
    n_added: u64,
    /// States of the path, and the length of the path to its last one.
    path: Vec<Word>,
    on_path: HashSet<Vec<Word>>,
    /// Per state of the path, the number of waiting states before its
    /// successors.
    frames: Vec<usize>,
    /// Successors that were not taken yet, the next one last.
    waiting: Vec<Word>,
    /// Length of the path to each of them, in statements.
    lengths: Vec<u32>,
    interval: PollInterval,
    counters: Counters,
}

impl<'a, S: TransitionSystem> Deepening<'a, S> {
    fn new(
        system: &'a mut S,
        heuristic: &'a mut dyn Heuristic,
        memory: DeepeningMemory,
        limits: Limits,
    ) -> Self {
        let width = system.width();
        let per_step = u64::from(heuristic.per_step());
        let seen = match memory {
            DeepeningMemory::Nothing => Seen::Nothing,
            DeepeningMemory::Table => Seen::Table(Space::without_parents(width), Vec::new()),
            DeepeningMemory::Bits => Seen::Bits(bits(0, limits)),
        };
        Self {
            system,
            heuristic,
            limits,
            width,
            per_step,
            bound: 0,
            next_bound: None,
            iteration: 0,
            seen,
            n_added: 0,
            path: Vec::new(),
            on_path: HashSet::new(),
            frames: Vec::new(),
            waiting: Vec::new(),
            lengths: Vec::new(),
            interval: PollInterval::default(),
            counters: Counters::default(),
        }
    }

    fn run(&mut self, watch: Watcher) -> Iteration {
        let mut initial = vec![0; self.width];
        self.system.initial(&mut initial);
        if self.system.is_goal(&initial) {
            self.path.extend_from_slice(&initial);
            return Iteration::Found;
        }
        let Some(estimate) = self.estimate(&initial, 0) else {
            self.counters.dropped += 1;
            return Iteration::Over;
        };
        self.bound = u64::from(estimate);
        loop {
            self.begin(&initial);
            match self.iterate(watch) {
                Iteration::Over => {}
                end => return end,
            }
            let Some(next) = self.next_bound else {
                self.counters.frontier = 0;
                return Iteration::Over;
            };
            self.bound = next;
        }
    }

    /// Begins an iteration.
    fn begin(&mut self, initial: &[Word]) {
        self.iteration += 1;
        self.next_bound = None;
        self.path.clear();
        self.on_path.clear();
        self.frames.clear();
        self.waiting.clear();
        self.lengths.clear();
        if let Seen::Bits(visited) = &mut self.seen {
            *visited = bits(self.n_added, self.limits);
            self.n_added = 0;
        }
        self.admit(Space::hash(initial), initial, 0);
    }

    /// Follows all paths within the bound.
    fn iterate(&mut self, watch: Watcher) -> Iteration {
        let mut state = vec![0; self.width];
        let mut successors = Successors::new(self.width);
        while let Some(length) = self.take(&mut state) {
            if self.interval.is_due() {
                self.measure();
                if self.limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit) {
                    return Iteration::Cut(Cut::Stopped(Stop::Memory));
                }
                if let Some(stop) = watch(&self.counters) {
                    return Iteration::Cut(Cut::Stopped(stop));
                }
            }
            let max_states = self.limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES);
            if self.counters.stored > max_states {
                return Iteration::Cut(Cut::Stopped(Stop::States));
            }
            successors.clear();
            let made = self.system.successors(&state, &mut successors);
            if made == Err(Abort::Restart) {
                return Iteration::Cut(Cut::Aborted(Abort::Restart));
            }
            self.counters.expanded += 1;
            self.counters.depth = self.counters.depth.max(u64::from(length));
            self.counters.generated += successors.len() as u64;
            self.interval.count(&successors);
            self.path.extend_from_slice(&state);
            self.on_path.insert(state.clone());
            self.frames.push(self.lengths.len());
            // The last one is taken first.
            for (next, step) in successors.iter().zip(successors.steps()).rev() {
                if self.reach(next, length.saturating_add(step.cost)) {
                    self.path.extend_from_slice(next);
                    return Iteration::Found;
                }
            }
            if let Err(abort) = made {
                return Iteration::Cut(abort.into());
            }
            let n_waiting = self.lengths.len() as u64;
            self.counters.peak_frontier = self.counters.peak_frontier.max(n_waiting);
            self.counters.frontier = n_waiting;
            if matches!(self.seen, Seen::Nothing) {
                self.counters.stored = self.counters.stored.max(n_waiting + self.frames.len() as u64);
            }
        }
        Iteration::Over
    }

    /// Takes the next waiting state, and leaves the states of the path whose
    /// successors were all taken.
    fn take(&mut self, state: &mut [Word]) -> Option<u32> {
        loop {
            while self.frames.last() == Some(&self.lengths.len()) {
                self.frames.pop();
                let start = self.path.len() - self.width;
                self.on_path.remove(&self.path[start..]);
                self.path.truncate(start);
            }
            let length = self.lengths.pop()?;
            let start = self.waiting.len() - self.width;
            state.copy_from_slice(&self.waiting[start..]);
            self.waiting.truncate(start);
            // A shorter path may have been found since.
            if let Seen::Table(space, shortest) = &self.seen
                && let Some(id) = space.find_hashed(Space::hash(state), state)
                && shortest[id.index()] < (self.iteration, length)
            {
                continue;
            }
            return Some(length);
        }
    }

    /// Processes a successor. Returns whether it is a goal within the bound.
    fn reach(&mut self, state: &[Word], length: u32) -> bool {
        let so_far = u64::from(length) * self.per_step;
        if self.system.is_goal(state) {
            if so_far <= self.bound {
                return true;
            }
            self.postpone(so_far);
            return false;
        }
        if self.on_path.contains(state) {
            return false;
        }
        let Some(estimate) = self.estimate(state, length) else {
            self.counters.dropped += 1;
            return false;
        };
        let total = so_far + u64::from(estimate);
        match total <= self.bound {
            true => self.admit(Space::hash(state), state, length),
            false => self.postpone(total),
        }
        false
    }

    fn postpone(&mut self, total: u64) {
        self.next_bound = Some(self.next_bound.map_or(total, |it| it.min(total)));
    }

    /// Adds a state to those that wait, unless it was reached before.
    fn admit(&mut self, hash: Hash, state: &[Word], length: u32) {
        let iteration = self.iteration;
        match &mut self.seen {
            Seen::Nothing => {}
            Seen::Table(space, shortest) => match space.insert(hash, state, None) {
                Arrival::New(_) => {
                    shortest.push((iteration, length));
                    self.counters.stored += 1;
                }
                Arrival::Known(id) => {
                    let known = &mut shortest[id.index()];
                    if known.0 == iteration && known.1 <= length {
                        return;
                    }
                    self.counters.reopened += u64::from(known.0 == iteration);
                    *known = (iteration, length);
                }
            },
            // The length of the path is not known, so a shorter path to a
            // visited state waits for an iteration without it.
            Seen::Bits(visited) => {
                if !visited.add(hash, state) {
                    return;
                }
                self.n_added += 1;
                self.counters.stored = self.counters.stored.max(self.n_added);
            }
        }
        self.waiting.extend_from_slice(state);
        self.lengths.push(length);
    }

    fn estimate(&mut self, state: &[Word], length: u32) -> Option<u32> {
        let id = StateId::new(0);
        self.heuristic.estimate(&Arrived { id, state, g: length, from: None })
    }

    fn measure(&mut self) {
        let of_seen = match &self.seen {
            Seen::Nothing => 0,
            Seen::Table(space, shortest) => space.bytes() + shortest.capacity() * size_of::<(u32, u32)>(),
            Seen::Bits(visited) => visited.bytes(),
        };
        let per_state = self.width * size_of::<Word>();
        let of_path = self.frames.len() * (3 * per_state + 64);
        let of_waiting = self.waiting.capacity() * size_of::<Word>() + self.lengths.capacity() * 4;
        self.counters.bytes = self.counters.bytes.max((of_seen + of_path + of_waiting) as u64);
    }

    /// Returns the states of the path.
    fn states(&self) -> Vec<Vec<Word>> {
        self.path.chunks_exact(self.width).map(<[Word]>::to_vec).collect()
    }
}

/// Creates the bits of an iteration after one with `n_states`, in at most half
/// of the memory.
fn bits(n_states: u64, limits: Limits) -> Visited {
    let most = limits.max_bytes.map_or(BITS.1, |it| (it / 2).min(BITS.1));
    let bytes = (n_states * BYTES_PER_STATE).max(BITS.0).min(most);
    Visited::new(Store::Bitstate { bytes }, 1, false)
}
