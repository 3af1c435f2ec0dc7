//! Depth-first search: a state is visited when it is taken from the stack, its
//! successors are taken in their order, and of the states before only the path
//! is kept. There is no recursion, so the length of a path is limited only by
//! memory.
//!
//! Successors that have not been taken are on a stack as whole states. When
//! that stack exceeds a fraction of the visited set, its older half is dropped
//! and the path there is packed; the search computes these successors again
//! when it returns. So a state is expanded again at most once for each new
//! successor, and not at all while the stack is small.
//!
//! A search that continues after a goal follows only shorter paths, as SPIN's
//! `-i` and `-I` do.

mod packed;

use super::explore::{Counters, Cut, Limits, MAX_STATES, Stop, Watcher};
use super::memory::make_room;
use super::poll::PollInterval;
use super::space::Space;
use super::strategy::Shorten;
use super::visited::{Omissions, Store, Visited};
use crate::system::{Abort, Successors, TransitionSystem, Word};
use packed::PackedPath;
use std::time::{Duration, Instant};

/// Number of turns by which states are prefetched.
const AHEAD: usize = 4;

/// Minimum size in bytes of the stack of whole states.
pub(super) const ROOM: usize = 12 << 20;

/// Path and stack can take one part in this number of the size of the visited
/// set.
const SHARE_OF_VISITED: usize = 5;

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Descent {
    /// States from the initial one to a goal, if one was found.
    pub path: Option<Vec<Vec<Word>>>,
    /// What ended the search before all states were visited.
    pub cut: Option<Cut>,
    /// Total work.
    pub counters: Counters,
    /// Estimate of missed states, if the store is lossy.
    pub omissions: Option<Omissions>,
    /// Duration.
    pub elapsed: Duration,
}

/// Searches `system` depth first. Exact shortening needs an exact store.
pub fn depth_first<S: TransitionSystem>(
    system: &mut S,
    store: Store,
    shorten: Option<Shorten>,
    limits: Limits,
    watch: Watcher,
) -> Descent {
    depth_first_in(system, store, shorten, limits, ROOM, watch)
}

/// Searches like [`depth_first`], with the given minimum size of the stack.
fn depth_first_in<S: TransitionSystem>(
    system: &mut S,
    store: Store,
    shorten: Option<Shorten>,
    limits: Limits,
    least_room: usize,
    watch: Watcher,
) -> Descent {
    let started = Instant::now();
    let mut search = DepthFirst::new(system, store, shorten, limits, least_room);
    let cut = match search.advance(u64::MAX, watch) {
        Pause::Cut(cut) => Some(cut),
        Pause::Over | Pause::Expansions => None,
    };
    search.measure();
    Descent {
        path: search.path(),
        cut,
        counters: search.counters,
        omissions: search.visited.omissions(),
        elapsed: started.elapsed(),
    }
}

/// Why a search pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// It has found a goal or visited all states.
    Over,
    /// It has made the requested number of expansions.
    Expansions,
    /// A limit was reached, the watcher stopped it, or the system could not
    /// continue.
    Cut(Cut),
}

/// A depth-first search that can be interrupted and continued.
pub(super) struct DepthFirst<'a, S> {
    pub system: &'a mut S,
    pub counters: Counters,
    width: usize,
    limits: Limits,
    /// State that is being expanded.
    state: Vec<Word>,
    successors: Successors,
    /// Work since the watcher was last polled.
    interval: PollInterval,
    shorten: Option<Shorten>,
    visited: Visited,
    /// Length of the shortest path to each state so far, for exact shortening.
    lengths: Vec<u32>,
    /// Waiting states, the next one last.
    waiting: Vec<Word>,
    /// Number of waiting states that were dropped and will be computed again.
    n_forgotten: usize,
    /// Number of steps to each waiting state.
    waiting_depths: Vec<u32>,
    /// Length of the path to each waiting state, if paths are shortened.
    waiting_lengths: Vec<u32>,
    /// The packed states of the path, from the initial state on.
    packed: PackedPath,
    /// The states after them, up to the last one expanded.
    path: Vec<Word>,
    /// Lengths of the paths to all of these states, if paths are shortened.
    path_lengths: Vec<u32>,
    /// Minimum and current size in bytes of `waiting` and `path`.
    least_room: usize,
    room: usize,
    /// Shortest path to a goal so far.
    best: Option<PackedPath>,
    /// Maximum length of paths to follow.
    bound: u32,
}

impl<'a, S: TransitionSystem> DepthFirst<'a, S> {
    /// Creates a search; `least_room` is the minimum size of the stack in
    /// bytes.
    pub fn new(
        system: &'a mut S,
        store: Store,
        shorten: Option<Shorten>,
        limits: Limits,
        least_room: usize,
    ) -> Self {
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
            interval: PollInterval::default(),
            shorten,
            visited: Visited::new(store, width, shorten == Some(Shorten::Exact)),
            lengths: Vec::new(),
            waiting: initial,
            n_forgotten: 0,
            waiting_depths: vec![0],
            waiting_lengths: vec![0],
            packed: PackedPath::new(width),
            path: Vec::new(),
            path_lengths: Vec::new(),
            least_room,
            room: least_room,
            best: None,
            bound: u32::MAX,
        }
    }

    /// Returns the states from the initial one to the best goal so far.
    pub fn path(&self) -> Option<Vec<Vec<Word>>> {
        self.best.clone().map(PackedPath::states)
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
        let max_states = self.limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES);
        let shortens = self.shorten.is_some();
        while self.counters.expanded < until {
            let Some(depth) = self.waiting_depths.pop() else {
                match self.unpack(state, successors) {
                    Ok(true) => continue,
                    Ok(false) => return Pause::Over,
                    Err(abort) => return Pause::Cut(abort.into()),
                }
            };
            let length = if shortens { self.waiting_lengths.pop().unwrap_or(depth) } else { depth };
            if self.interval.is_due() {
                self.measure();
                if self.limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit) {
                    return Pause::Cut(Cut::Stopped(Stop::Memory));
                }
                if let Some(stop) = watch(&self.counters) {
                    return Pause::Cut(Cut::Stopped(stop));
                }
            }
            let start = self.waiting.len() - self.width;
            if let Some(later) = self.waiting.len().checked_sub(AHEAD * self.width) {
                self.visited.prefetch(Space::hash(&self.waiting[later..later + self.width]));
            }
            state.copy_from_slice(&self.waiting[start..]);
            self.waiting.truncate(start);
            if length > self.bound || !self.arrive(state, length) {
                continue;
            }
            if self.counters.stored > max_states {
                return Pause::Cut(Cut::Stopped(Stop::States));
            }
            self.path.truncate((depth as usize - self.packed.len()) * self.width);
            make_room(&mut self.path, state.len());
            self.path.extend_from_slice(state);
            if shortens {
                self.path_lengths.truncate(depth as usize);
                make_room(&mut self.path_lengths, 1);
                self.path_lengths.push(length);
            }
            if self.system.is_goal(state) {
                self.best = Some(self.whole_path());
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
            let made = self.system.successors(state, successors);
            if made == Err(Abort::Restart) {
                return Pause::Cut(Cut::Aborted(Abort::Restart));
            }
            self.counters.expanded += 1;
            self.counters.generated += successors.len() as u64;
            self.interval.count(successors);
            self.counters.depth = self.counters.depth.max(u64::from(depth));
            self.push_all(successors, 0, depth, length);
            if let Err(abort) = made {
                self.find_goal(depth);
                return Pause::Cut(abort.into());
            }
            if (self.waiting.len() + self.path.len()) * size_of::<Word>() > self.room {
                self.pack(depth as usize);
            }
        }
        Pause::Expansions
    }

    /// Pushes the successors of a state from the index `first` on.
    #[inline(always)]
    fn push_all(&mut self, successors: &Successors, first: usize, depth: u32, length: u32) {
        let n_new = successors.len() - first;
        let n_late = n_new.saturating_sub(AHEAD - 1);
        let mut states = successors.iter().rev().take(n_new);
        // These are prefetched when their turn is near.
        for next in states.by_ref().take(n_late) {
            self.push(next, depth + 1);
        }
        for next in states {
            self.visited.prefetch(Space::hash(next));
            self.push(next, depth + 1);
        }
        if self.shorten.is_some() {
            make_room(&mut self.waiting_lengths, n_new);
            let lengths = successors.steps()[first..].iter().rev().map(|it| length.saturating_add(it.cost));
            self.waiting_lengths.extend(lengths);
        }
        let n_waiting = self.n_waiting();
        self.counters.peak_frontier = self.counters.peak_frontier.max(n_waiting);
    }

    /// Returns the number of waiting states.
    fn n_waiting(&self) -> u64 {
        (self.waiting_depths.len() + self.n_forgotten) as u64
    }

    /// Packs the older states of the path, which ends at `depth`, and drops
    /// their successors, until half of the room is free.
    #[cold]
    fn pack(&mut self, depth: usize) {
        let n_kept = self.room / 2 / size_of::<Word>();
        let first = self.packed.len();
        let (mut n_states, mut n_waiting) = (0, 0);
        while first + n_states < depth
            && self.path.len() + self.waiting.len() > n_kept + (n_states + n_waiting) * self.width
        {
            let is_next = |it: &&u32| **it as usize == first + n_states + 1;
            let n_left = self.waiting_depths[n_waiting..].iter().take_while(is_next).count();
            self.packed.push(&self.path[n_states * self.width..][..self.width], n_left);
            n_states += 1;
            n_waiting += n_left;
        }
        self.n_forgotten += n_waiting;
        self.path.drain(..n_states * self.width);
        self.waiting.drain(..n_waiting * self.width);
        self.waiting_depths.drain(..n_waiting);
        if self.shorten.is_some() {
            self.waiting_lengths.drain(..n_waiting);
        }
    }

    /// Returns to the last packed state that has successors left and computes
    /// them again. Returns false if there is none.
    #[cold]
    fn unpack(&mut self, state: &mut [Word], successors: &mut Successors) -> Result<bool, Abort> {
        while let Some(n_left) = self.packed.pop(state) {
            if n_left == 0 {
                continue;
            }
            self.n_forgotten -= n_left;
            let depth = self.packed.len();
            self.path.clear();
            self.path.extend_from_slice(state);
            self.path_lengths.truncate(depth + 1);
            let length = self.path_lengths.last().copied().unwrap_or_default();
            successors.clear();
            self.system.successors(state, successors)?;
            self.interval.count(successors);
            let first = match self.system.successors_vary() {
                true => 0,
                false => successors.len() - n_left,
            };
            self.push_all(successors, first, depth as u32, length);
            return Ok(true);
        }
        Ok(false)
    }

    /// Records a goal among the successors of the state at `depth`, if there is
    /// one, when the search cannot continue.
    #[cold]
    fn find_goal(&mut self, depth: u32) {
        if self.best.is_some() {
            return;
        }
        let n_successors = self.waiting_depths.iter().rev().take_while(|it| **it == depth + 1).count();
        let mut states = self.waiting.rchunks_exact(self.width).take(n_successors);
        if let Some(goal) = states.find(|state| self.system.is_goal(state)) {
            let mut path = self.whole_path();
            path.push(goal, 0);
            self.best = Some(path);
        }
    }

    /// Returns the path to the last state.
    fn whole_path(&self) -> PackedPath {
        let mut path = self.packed.clone();
        self.path.chunks_exact(self.width).for_each(|state| path.push(state, 0));
        path
    }

    #[inline(always)]
    fn push(&mut self, state: &[Word], depth: u32) {
        make_room(&mut self.waiting, state.len());
        self.waiting.extend_from_slice(state);
        make_room(&mut self.waiting_depths, 1);
        self.waiting_depths.push(depth);
    }

    /// Visits a state and returns whether to expand it.
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
        let words = self.waiting.capacity() + self.path.capacity();
        let numbers = self.waiting_depths.capacity()
            + self.waiting_lengths.capacity()
            + self.path_lengths.capacity()
            + self.lengths.capacity();
        let packed = self.packed.memory() + self.best.as_ref().map_or(0, PackedPath::memory);
        let visited = self.visited.bytes();
        let bytes = visited + packed + words * size_of::<Word>() + numbers * size_of::<u32>();
        self.room = self.least_room.max((visited / SHARE_OF_VISITED).saturating_sub(packed));
        self.counters.bytes = self.counters.bytes.max(bytes as u64);
        self.counters.frontier = self.n_waiting();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Step;

    /// Several counters in wide states: each has a limit, and so has their sum.
    struct Wide {
        width: usize,
        most: Word,
        sum: Word,
        goal: Option<Vec<Word>>,
        /// Number of expansions after which it returns no more successors.
        n_expansions: usize,
    }

    impl TransitionSystem for Wide {
        fn width(&self) -> usize {
            self.width
        }

        fn initial(&self, state: &mut [Word]) {
            state.fill(0);
        }

        fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
            self.n_expansions = self.n_expansions.checked_sub(1).ok_or(Abort::Restart)?;
            for index in 0..self.width {
                if state[index] < self.most && state.iter().sum::<Word>() < self.sum {
                    out.branch(Step::of_cost(1 + index as u32 % 2), state)[index] += 1;
                }
                if state[index] > 0 {
                    out.branch(Step::PLAIN, state)[index] -= 1;
                }
            }
            Ok(())
        }

        fn is_goal(&self, state: &[Word]) -> bool {
            self.goal.as_deref() == Some(state)
        }
    }

    impl Wide {
        fn new(width: usize, most: Word, sum: Word) -> Self {
            Self { width, most, sum, goal: None, n_expansions: usize::MAX }
        }
    }

    const ROOMS: [usize; 4] = [0, 500, 20_000, usize::MAX];

    #[test]
    fn successors_that_were_forgotten_are_made_again() {
        for store in [Store::Exact, Store::Compressed, Store::Compact] {
            for shorten in [None, Some(Shorten::Quick), Some(Shorten::Exact)] {
                if shorten == Some(Shorten::Exact) && store != Store::Exact {
                    continue;
                }
                for goal in [None, Some(vec![0, 0, 0, 2, 0, 3])] {
                    let runs = ROOMS.map(|room| {
                        let mut wide = Wide { goal: goal.clone(), ..Wide::new(6, 3, 9) };
                        let limits = Limits::default();
                        let run = depth_first_in(&mut wide, store, shorten, limits, room, &mut |_| None);
                        (run.path, Counters { bytes: 0, ..run.counters })
                    });
                    assert_eq!(runs[3].0.is_some(), goal.is_some());
                    assert!(runs.iter().all(|run| *run == runs[3]), "{store:?} {shorten:?} {goal:?}");
                }
            }
        }
    }

    #[test]
    fn a_system_that_cannot_go_on_aborts_the_search() {
        for n_expansions in [1, 100, 1000] {
            let mut wide = Wide { n_expansions, ..Wide::new(6, 3, 9) };
            let run = depth_first_in(&mut wide, Store::Exact, None, Limits::default(), 0, &mut |_| None);
            assert_eq!((run.path, run.cut), (None, Some(Cut::Aborted(Abort::Restart))));
        }
    }

    #[test]
    fn a_deep_stack_takes_a_part_of_the_visited_set() {
        let bytes_of = |room| {
            let mut wide = Wide::new(40, 1, 3);
            let run = depth_first_in(&mut wide, Store::Exact, None, Limits::default(), room, &mut |_| None);
            assert!(run.counters.depth > 1000, "{:?}", run.counters);
            (run.counters.bytes as f64 / run.counters.stored as f64, run.counters.stored)
        };
        let (whole, n_states) = bytes_of(usize::MAX);
        let (packed, same) = bytes_of(0);
        assert_eq!(n_states, same);
        // A state has 320 bytes and a slot of the table.
        assert!(whole > 1000.0, "{whole}");
        assert!(packed < 1.3 * 336.0, "{packed}");
    }
}
