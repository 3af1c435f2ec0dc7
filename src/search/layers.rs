//! Breadth-first search by several threads.
//!
//! Every state belongs to one thread, by its hash; that thread keeps it,
//! expands it, and alone looks it up, so that no table is shared. Work goes in
//! rounds: each thread expands some of its states and posts the successors
//! that belong to others; when all have done so, each takes in what was posted
//! to it. A layer ends when nobody has a state of it left, and only then the
//! next begins, so the way to every state is as short as in a search by one
//! thread, and its number of states the same. What a round does depends on
//! nothing but the round before: the same trail is found every time.

use super::explore::{Counters, Limits, MOST_STATES, Stop, Watcher};
use super::space::{Arrival, Hash, Space, StateId};
use crate::system::{Successors, TransitionSystem, Word};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// States that a thread expands before it looks at its post.
const ROUND: usize = 4096;

/// States that are looked up together, so that the memory answers together.
const BATCH: usize = 16;

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
        barrier: Barrier::new(n_threads),
        post: (0..n_threads * n_threads).map(|_| Mutex::default()).collect(),
        reports: (0..n_threads).map(|_| Mutex::default()).collect(),
        stop: Mutex::default(),
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
    let goal = all.iter().filter_map(|worker| worker.goal).min();
    let path = goal.map(|goal| path(&all, goal));
    let reports: Vec<Report> = all.iter().map(|worker| worker.report).collect();
    let counters = total(&reports);
    let stop = if path.is_some() { None } else { *lock(&shared.stop) };
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
    barrier: Barrier,
    /// From each thread to each.
    post: Vec<Mutex<Letters>>,
    reports: Vec<Mutex<Report>>,
    stop: Mutex<Option<Stop>>,
}

/// States on their way to the thread they belong to.
#[derive(Default)]
struct Letters {
    words: Vec<Word>,
    /// Where each was reached from.
    parents: Vec<Anywhere>,
}

/// What a thread has done so far.
#[derive(Clone, Copy, Default)]
struct Report {
    counters: Counters,
    /// States of this layer that it has not expanded.
    n_left: usize,
    /// States of the next one.
    n_next: usize,
    has_goal: bool,
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
    /// Where the layer ends.
    layer_end: usize,
    outgoing: Vec<Letters>,
    /// The first goal that it met.
    goal: Option<Anywhere>,
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
            layer_end: 0,
            outgoing,
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
            self.arrive(hash, &state, None);
        }
        self.layer_end = self.space.n_states();
        let mut all = Counters::default();
        loop {
            self.expand(&mut state);
            self.shared.barrier.wait();
            self.take_in();
            self.tell();
            if let Some(watch) = watch {
                self.judge(&all, watch);
            }
            self.shared.barrier.wait();
            let reports: Vec<Report> = self.shared.reports.iter().map(|report| *lock(report)).collect();
            all = total(&reports);
            if lock(&self.shared.stop).is_some() {
                return;
            }
            if reports.iter().any(|report| report.n_left > 0) {
                continue;
            }
            if reports.iter().any(|report| report.has_goal) || reports.iter().all(|report| report.n_next == 0)
            {
                return;
            }
            self.layer_end = self.space.n_states();
            self.report.counters.depth += 1;
        }
    }

    /// Notes whether to stop, by what had been done a round ago.
    fn judge(&self, counters: &Counters, watch: &mut Watcher) {
        let limits = self.shared.limits;
        let most_states = limits.max_states.unwrap_or(MOST_STATES).min(MOST_STATES);
        let stop = match () {
            () if counters.stored > most_states => Some(Stop::States),
            () if limits.max_bytes.is_some_and(|limit| counters.bytes > limit) => Some(Stop::Memory),
            () => watch(counters),
        };
        *lock(&self.shared.stop) = stop;
    }

    /// High bits say whose a state is; low ones say where it is in its table.
    fn owner(&self, hash: Hash) -> usize {
        ((u128::from(hash.bits().rotate_left(20)) * self.shared.n_threads as u128) >> 64) as usize
    }

    fn expand(&mut self, state: &mut [Word]) {
        let end = self.layer_end.min(self.next + ROUND);
        let mut successors = Successors::new(state.len());
        let mut hashes: Vec<Hash> = Vec::new();
        while self.next < end {
            let id = StateId::new(self.next);
            self.next += 1;
            state.copy_from_slice(self.space.state(id));
            successors.clear();
            self.system.successors(state, &mut successors);
            let counters = &mut self.report.counters;
            counters.expanded += 1;
            counters.generated += successors.len() as u64;
            hashes.clear();
            hashes.extend(successors.iter().map(Space::hash));
            hashes.iter().for_each(|&hash| self.space.announce(hash));
            let parent = Anywhere::new(self.me, id, self.shared.n_threads);
            for (&hash, next) in hashes.iter().zip(successors.iter()) {
                match self.owner(hash) {
                    me if me == self.me => self.arrive(hash, next, Some(parent)),
                    other => {
                        self.outgoing[other].words.extend_from_slice(next);
                        self.outgoing[other].parents.push(parent);
                    }
                }
            }
        }
        for other in 0..self.shared.n_threads {
            let slot = &self.shared.post[self.me * self.shared.n_threads + other];
            std::mem::swap(&mut *lock(slot), &mut self.outgoing[other]);
        }
    }

    fn take_in(&mut self) {
        let width = self.system.width();
        let shared = self.shared;
        let mut hashes: Vec<Hash> = Vec::with_capacity(BATCH);
        for other in 0..shared.n_threads {
            let mut letters = lock(&shared.post[other * shared.n_threads + self.me]);
            for (states, parents) in letters.words.chunks(BATCH * width).zip(letters.parents.chunks(BATCH)) {
                hashes.clear();
                hashes.extend(states.chunks_exact(width).map(Space::hash));
                hashes.iter().for_each(|&hash| self.space.announce(hash));
                for ((state, &parent), &hash) in states.chunks_exact(width).zip(parents).zip(&hashes) {
                    self.arrive(hash, state, Some(parent));
                }
            }
            letters.words.clear();
            letters.parents.clear();
        }
    }

    fn arrive(&mut self, hash: Hash, state: &[Word], parent: Option<Anywhere>) {
        let parent = parent.map(|Anywhere(parent)| StateId(parent));
        if let Arrival::New(id) = self.space.insert(hash, state, parent) {
            self.report.counters.stored += 1;
            if self.goal.is_none() && self.system.is_goal(state) {
                self.goal = Some(Anywhere::new(self.me, id, self.shared.n_threads));
            }
        }
    }

    fn tell(&mut self) {
        let bytes_of = |letters: &Letters| letters.words.capacity() * 8 + letters.parents.capacity() * 4;
        let post = self.outgoing.iter().map(bytes_of).sum::<usize>() * 2;
        let report = &mut self.report;
        report.n_left = self.layer_end - self.next;
        report.n_next = self.space.n_states() - self.layer_end;
        report.has_goal = self.goal.is_some();
        report.counters.frontier = (report.n_left + report.n_next) as u64;
        report.counters.peak_frontier = report.counters.peak_frontier.max(report.counters.frontier);
        report.counters.bytes = report.counters.bytes.max((self.space.bytes() + post) as u64);
        *lock(&self.shared.reports[self.me]) = *report;
    }
}
