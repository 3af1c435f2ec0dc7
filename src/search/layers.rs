//! Breadth-first search by several threads.
//!
//! Every state belongs to one thread, by its hash; that thread keeps it,
//! expands it, and alone looks it up, so that no table is shared. Work goes in
//! rounds: each thread expands some of its states and posts the successors
//! that belong to others; then it takes in what the others have posted in the
//! same round. It waits for them only there, so that one may be ahead of
//! another by nearly a round. A layer ends when nobody has a state of it left,
//! and only then the next begins, so the way to every state is as short as in
//! a search by one thread, and its number of states the same. What a round
//! does depends on nothing but the rounds before: the same trail is found
//! every time.

use super::explore::{Counters, Limits, MOST_STATES, Stop, Watcher};
use super::later::{Arrivals, Later};
use super::space::{Arrival, Hash, Space, StateId};
use crate::system::{Successors, TransitionSystem, Word};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// States that a thread expands before it looks at its post.
const ROUND: usize = 2048;

/// Rounds that fit into a limit of states: it is noticed a round late.
const ROUNDS_TO_LIMIT: u64 = 64;

/// A state that comes in is announced to the memory so many states before it
/// is looked up.
const AHEAD: usize = 16;

/// A search that has ended.
#[derive(Debug)]
pub struct Layered<S> {
    /// The states from the first one to a goal, if one was found.
    pub path: Option<Vec<Vec<Word>>>,
    /// What ended it, if it did not end by itself.
    pub stop: Option<Stop>,
    /// What was done.
    pub counters: Counters,
    /// How long it took.
    pub elapsed: Duration,
    /// The views of all threads.
    pub systems: Vec<S>,
}

/// Searches breadth-first with a view for each thread, at least one.
pub fn breadth_first<S: TransitionSystem + Send>(
    systems: Vec<S>,
    limits: Limits,
    watch: Watcher,
) -> Layered<S> {
    let started = Instant::now();
    let n_threads = systems.len();
    let shared = Shared {
        n_threads,
        limits,
        post: (0..2 * n_threads * n_threads).map(|_| Mutex::default()).collect(),
        reports: (0..2 * n_threads).map(|_| Mutex::default()).collect(),
        rounds: (0..n_threads).map(|_| AtomicUsize::new(0)).collect(),
    };
    let mut workers = systems.into_iter().enumerate().map(|(me, system)| Worker::new(me, system, &shared));
    let mut first = workers.next().expect("there is a thread");
    let mut watch = Some(watch);
    let mut all: Vec<Worker<S>> = std::thread::scope(|scope| {
        let others: Vec<_> = workers
            .map(|mut worker| {
                scope.spawn(move || {
                    worker.run(&mut None);
                    worker
                })
            })
            .collect();
        first.run(&mut watch);
        let others = others.into_iter().map(|other| other.join().expect("no thread panics"));
        std::iter::once(first).chain(others).collect()
    });
    // One of them may be of the next layer.
    let goal = all.iter().filter_map(|worker| worker.goal).min();
    let path = goal.map(|(_, goal)| path(&all, goal));
    let reports: Vec<Report> = all.iter().map(|worker| worker.report).collect();
    let counters = total(&reports);
    let stop = if path.is_some() { None } else { reports.iter().find_map(|report| report.stop) };
    let systems = all.drain(..).map(|worker| worker.system).collect();
    Layered { path, stop, counters, elapsed: started.elapsed(), systems }
}

/// A state of some thread: ids of all threads are interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Anywhere(u32);

impl Anywhere {
    fn new(thread: usize, id: StateId, n_threads: usize) -> Self {
        Self((id.index() * n_threads + thread) as u32)
    }

    fn apart(self, n_threads: usize) -> (usize, StateId) {
        (self.0 as usize % n_threads, StateId::new(self.0 as usize / n_threads))
    }
}

fn path<S>(workers: &[Worker<S>], goal: Anywhere) -> Vec<Vec<Word>> {
    let n_threads = workers.len();
    let before = |at: &Anywhere| {
        let (thread, id) = at.apart(n_threads);
        workers[thread].space.parent(id).map(|parent| Anywhere(parent.0))
    };
    let mut path: Vec<Vec<Word>> = std::iter::successors(Some(goal), before)
        .map(|at| {
            let (thread, id) = at.apart(n_threads);
            workers[thread].space.state(id).to_vec()
        })
        .collect();
    path.reverse();
    path
}

/// What all threads see.
struct Shared {
    n_threads: usize,
    limits: Limits,
    /// From each thread to each, of even and odd rounds.
    post: Vec<Mutex<Letters>>,
    /// Per thread, of even and odd rounds.
    reports: Vec<Mutex<Report>>,
    /// Per thread the last round for which it has posted all.
    rounds: Vec<AtomicUsize>,
}

impl Shared {
    fn post(&self, round: usize, from: usize, to: usize) -> MutexGuard<'_, Letters> {
        lock(&self.post[(from * self.n_threads + to) * 2 + round % 2])
    }

    fn report(&self, round: usize, of: usize) -> MutexGuard<'_, Report> {
        lock(&self.reports[of * 2 + round % 2])
    }

    /// Waits until all threads have posted for a round. Rounds are short: it
    /// is waited awake before the processor is given away.
    fn wait_for(&self, round: usize) {
        const LOOKS: usize = 20_000;
        for other in &self.rounds {
            let mut n_looks = 0;
            while other.load(Ordering::Acquire) < round {
                n_looks += 1;
                match n_looks < LOOKS {
                    true => std::hint::spin_loop(),
                    false => std::thread::yield_now(),
                }
            }
        }
    }
}

/// States on their way to the thread they belong to.
#[derive(Default)]
struct Letters {
    arrivals: Arrivals,
    /// Steps that count as more than one: which, and what they count as.
    lengths: Vec<(usize, u32)>,
}

impl Letters {
    fn add(&mut self, length: u32, hash: Hash, state: &[Word], parent: StateId) {
        if length != 1 {
            self.lengths.push((self.arrivals.len(), length));
        }
        self.arrivals.add(hash, state, parent);
    }

    fn bytes(&self) -> usize {
        self.arrivals.bytes() + self.lengths.capacity() * size_of::<(usize, u32)>()
    }
}

/// What a thread has done so far.
#[derive(Clone, Copy, Default)]
struct Report {
    counters: Counters,
    /// States of this layer.
    n_in_layer: usize,
    /// Those that it has not expanded.
    n_left: usize,
    /// States of layers further on.
    n_later: usize,
    has_goal: bool,
    /// Why all should stop.
    stop: Option<Stop>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn total(reports: &[Report]) -> Counters {
    let mut total = Counters::default();
    for Report { counters, .. } in reports {
        total.generated += counters.generated;
        total.stored += counters.stored;
        total.expanded += counters.expanded;
        total.frontier += counters.frontier;
        total.peak_frontier += counters.peak_frontier;
        total.depth = total.depth.max(counters.depth);
        total.bytes += counters.bytes;
    }
    total
}

struct Worker<'s, S> {
    me: usize,
    system: S,
    shared: &'s Shared,
    space: Space,
    /// The next state to expand.
    next: usize,
    layer: std::ops::Range<usize>,
    depth: u32,
    outgoing: Vec<Letters>,
    later: Later,
    /// The first goal that it met, and its layer.
    goal: Option<(u32, Anywhere)>,
    report: Report,
}

impl<'s, S: TransitionSystem> Worker<'s, S> {
    fn new(me: usize, system: S, shared: &'s Shared) -> Self {
        let space = Space::new(system.width());
        let outgoing = (0..shared.n_threads).map(|_| Letters::default()).collect();
        Self {
            me,
            system,
            shared,
            space,
            next: 0,
            layer: 0..0,
            depth: 0,
            outgoing,
            later: Later::default(),
            goal: None,
            report: Report::default(),
        }
    }

    /// Works until the search ends. The thread that has a watcher asks it.
    fn run(&mut self, watch: &mut Option<Watcher>) {
        let mut state = vec![0; self.system.width()];
        self.system.initial(&mut state);
        let hash = Space::hash(&state);
        if self.owner(hash) == self.me {
            self.arrive(0, hash, &state, None);
        }
        self.layer = 0..self.space.n_states();
        let mut all = Counters::default();
        for round in 1.. {
            self.expand(&mut state);
            self.tell();
            if let Some(watch) = watch {
                self.report.stop = self.judge(&all, watch);
            }
            self.post(round);
            self.shared.wait_for(round);
            self.take_in_post(round);
            let threads = 0..self.shared.n_threads;
            let reports: Vec<Report> = threads.map(|it| *self.shared.report(round, it)).collect();
            all = total(&reports);
            if reports.iter().any(|report| report.stop.is_some() || report.has_goal) {
                break;
            }
            if reports.iter().any(|report| report.n_left > 0) {
                continue;
            }
            if reports.iter().all(|report| report.n_in_layer + report.n_later == 0) {
                break;
            }
            self.begin_layer();
        }
        self.tell();
    }

    fn begin_layer(&mut self) {
        self.depth += 1;
        for (hash, state, parent) in self.later.begin_layer().iter(self.system.width()) {
            self.arrive(self.depth, hash, state, Some(parent));
        }
        self.layer = self.layer.end..self.space.n_states();
        if !self.layer.is_empty() {
            self.report.counters.depth = self.depth.into();
        }
    }

    /// Whether to stop, by what had been done a round ago.
    fn judge(&self, counters: &Counters, watch: &mut Watcher) -> Option<Stop> {
        let limits = self.shared.limits;
        let most_states = limits.max_states.unwrap_or(MOST_STATES).min(MOST_STATES);
        match () {
            () if counters.stored > most_states => Some(Stop::States),
            () if limits.max_bytes.is_some_and(|limit| counters.bytes > limit) => Some(Stop::Memory),
            () => watch(counters),
        }
    }

    /// High bits say whose a state is; low ones say where it is in its table.
    fn owner(&self, hash: Hash) -> usize {
        ((u128::from(hash.bits().rotate_left(20)) * self.shared.n_threads as u128) >> 64) as usize
    }

    fn round(&self) -> usize {
        let share = |most: u64| most / ROUNDS_TO_LIMIT / self.shared.n_threads as u64 + 1;
        self.shared.limits.max_states.map_or(ROUND, |most| ROUND.min(share(most) as usize))
    }

    fn expand(&mut self, state: &mut [Word]) {
        let end = self.layer.end.min(self.next + self.round());
        let mut successors = Successors::new(state.len());
        while self.next < end {
            let id = StateId::new(self.next);
            self.next += 1;
            state.copy_from_slice(self.space.state(id));
            successors.clear();
            self.system.successors(state, &mut successors);
            let counters = &mut self.report.counters;
            counters.expanded += 1;
            counters.generated += successors.len() as u64;
            let Anywhere(parent) = Anywhere::new(self.me, id, self.shared.n_threads);
            for (index, next) in successors.iter().enumerate() {
                let hash = Space::hash(next);
                let owner = self.owner(hash);
                self.outgoing[owner].add(successors.length(index), hash, next, StateId(parent));
            }
        }
        let mut own = std::mem::take(&mut self.outgoing[self.me]);
        self.take_in(&mut own);
        self.outgoing[self.me] = own;
    }

    /// Hands over what belongs to others, and the report.
    fn post(&mut self, round: usize) {
        let (shared, me) = (self.shared, self.me);
        for other in (0..shared.n_threads).filter(|&it| it != me) {
            std::mem::swap(&mut *shared.post(round, me, other), &mut self.outgoing[other]);
        }
        *shared.report(round, me) = self.report;
        shared.rounds[me].store(round, Ordering::Release);
    }

    /// Takes in what others have posted.
    fn take_in_post(&mut self, round: usize) {
        let (shared, me) = (self.shared, self.me);
        for other in (0..shared.n_threads).filter(|&it| it != me) {
            self.take_in(&mut shared.post(round, other, me));
        }
    }

    fn take_in(&mut self, letters: &mut Letters) {
        let Letters { arrivals, lengths } = letters;
        let mut lengths = lengths.drain(..).peekable();
        for (at, (hash, state, parent)) in arrivals.iter(self.system.width()).enumerate() {
            if let Some(&hash) = arrivals.hashes.get(at + AHEAD) {
                self.space.announce(hash);
            }
            match lengths.next_if(|(index, _)| *index == at) {
                None => self.arrive(self.depth + 1, hash, state, Some(parent)),
                Some(_) if self.space.find_hashed(hash, state).is_some() => {}
                Some((_, length)) => self.later.add(length, hash, state, parent),
            }
        }
        drop(lengths);
        arrivals.clear();
    }

    fn arrive(&mut self, depth: u32, hash: Hash, state: &[Word], parent: Option<StateId>) {
        if let Arrival::New(id) = self.space.insert(hash, state, parent) {
            self.report.counters.stored += 1;
            if self.goal.is_none() && self.system.is_goal(state) {
                self.goal = Some((depth, Anywhere::new(self.me, id, self.shared.n_threads)));
            }
        }
    }

    fn tell(&mut self) {
        // There are as many again in the post, for two rounds.
        let letters = self.outgoing.iter().map(Letters::bytes).sum::<usize>() * 3;
        let report = &mut self.report;
        report.n_in_layer = self.layer.len();
        report.n_left = self.layer.end - self.next;
        report.n_later = self.later.len();
        report.has_goal = self.goal.is_some();
        report.counters.frontier = (self.space.n_states() - self.next) as u64;
        report.counters.peak_frontier = report.counters.peak_frontier.max(report.counters.frontier);
        report.counters.bytes =
            report.counters.bytes.max((self.space.bytes() + self.later.bytes() + letters) as u64);
    }
}
