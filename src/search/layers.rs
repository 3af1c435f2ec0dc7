//! Breadth-first search with several threads.
//!
//! Every state belongs to one thread, by its hash; only that thread stores it,
//! expands it and looks it up, so no table is shared. Work is done in rounds:
//! each thread expands some of its states and sends the successors that belong
//! to others; then it receives the states that the others sent in the same
//! round. It waits for them only there, so one thread can be ahead of another
//! by nearly a round. A layer ends when no thread has a state of it left, and
//! only then the next one begins, so paths are as short and states as many as
//! in a search with one thread.
//!
//! Rounds cost more than they save where layers are narrow. The first thread
//! alone expands such layers, on the states of all threads, while the others
//! sleep. The choice depends on numbers of states and steps, never on time, so
//! every run finds the same trail.

mod shared;

use super::explore::{Counters, Cut, Limits, MAX_STATES, Stop, Watcher};
use super::later::Later;
use super::open::{Fifo, Frontier};
use super::poll::PollInterval;
use super::space::{Arrival, Hash, Space, StateId};
use crate::base::cancel::inherited;
use crate::system::{Abort, Successors, TransitionSystem, Word};
use shared::{EndForAll, Outbox, Report, Shared, total};
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

/// Maximum number of states that a thread expands per round.
const ROUND: usize = 2048;

/// Approximate maximum number of words that a thread sends per round, to bound
/// memory.
const ROUND_WORDS: usize = 1 << 16;

/// Minimum number of rounds until a limit on states is reached: the limit is
/// noticed one round late.
const ROUNDS_TO_LIMIT: u64 = 64;

/// Number of states by which a received state is prefetched before it is looked
/// up.
const AHEAD: usize = 16;

/// A layer is narrow if its expansion is expected to execute fewer statements
/// than this, judging by the layers before. They take about a millisecond, many
/// times as long as waking a thread.
const NARROW: u64 = 8192;

/// Result of a search.
#[derive(Debug)]
pub struct Layered<S> {
    /// States from the initial one to a goal, if one was found.
    pub path: Option<Vec<Vec<Word>>>,
    /// What ended the search before all states were visited.
    pub cut: Option<Cut>,
    /// Total work.
    pub counters: Counters,
    /// Number of times the threads waited for each other.
    pub n_rounds: usize,
    /// Duration.
    pub elapsed: Duration,
    /// The views of all threads.
    pub systems: Vec<S>,
}

/// Searches breadth first with one view per thread; there is at least one.
pub fn breadth_first<S: TransitionSystem + Send>(
    systems: Vec<S>,
    limits: Limits,
    watch: Watcher,
) -> Layered<S> {
    let started = Instant::now();
    let n_threads = systems.len();
    let width = systems.first().map_or(1, TransitionSystem::width);
    let shared = Shared::new(n_threads, limits, width);
    let mut workers = systems.into_iter().enumerate().map(|(me, system)| Worker::new(me, system, &shared));
    let mut first = workers.next().expect("there is a thread");
    let (cut, n_rounds, systems) = std::thread::scope(|scope| {
        let others: Vec<_> = workers
            .map(|mut worker| {
                scope.spawn(inherited(move || {
                    worker.follow();
                    worker.system
                }))
            })
            .collect();
        let cut = first.lead(watch);
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|it| resume_unwind(it)));
        (cut, first.round, std::iter::once(first.system).chain(others).collect::<Vec<S>>())
    });
    let mut parts = shared.into_parts();
    if cut == Some(Cut::Aborted(Abort::TooLong)) {
        find_goals(&mut parts, &systems);
    }
    // One of the goals can be in the next layer.
    let goal = parts.iter().filter_map(|part| part.goal).min();
    let path = goal.map(|(_, goal)| path(&parts, goal));
    let counters = total(parts.iter().map(|part| part.report)).counters;
    let cut = cut.filter(|_| path.is_none());
    Layered { path, cut, counters, n_rounds, elapsed: started.elapsed(), systems }
}

/// Searches for goals among the states that wait for their layer, when the
/// search cannot continue.
#[cold]
fn find_goals<S: TransitionSystem>(parts: &mut [ThreadStates], systems: &[S]) {
    let n_threads = parts.len();
    for (of, part) in parts.iter_mut().enumerate() {
        while let Some(layer) = part.later.next_layer().filter(|_| part.goal.is_none()) {
            let due = part.later.take(layer);
            let goal = due.into_iter().find(|id| systems[of].is_goal(part.space.state(*id)));
            part.goal = goal.map(|id| (layer, Anywhere::new(of, id, n_threads)));
        }
    }
}

/// A state of some thread: the ids of all threads are interleaved.
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

fn path(parts: &[ThreadStates], goal: Anywhere) -> Vec<Vec<Word>> {
    let n_threads = parts.len();
    let before = |at: &Anywhere| {
        let (thread, id) = at.apart(n_threads);
        parts[thread].space.parent(id).map(|parent| Anywhere(parent.0))
    };
    let mut path: Vec<Vec<Word>> = std::iter::successors(Some(goal), before)
        .map(|at| {
            let (thread, id) = at.apart(n_threads);
            parts[thread].space.state(id).to_vec()
        })
        .collect();
    path.reverse();
    path
}

/// The states of a thread.
struct ThreadStates {
    space: Space,
    queue: Fifo,
    later: Later,
    depth: u32,
    /// First goal that the thread found, and its layer.
    goal: Option<(u32, Anywhere)>,
    report: Report,
}

impl ThreadStates {
    fn new(width: usize) -> Self {
        Self {
            space: Space::new(width),
            queue: Fifo::default(),
            later: Later::default(),
            depth: 0,
            goal: None,
            report: Report::default(),
        }
    }

    /// Measures the memory in use, plus `more_bytes`.
    fn measure(&mut self, more_bytes: usize) {
        let bytes = self.space.bytes() + self.later.bytes() + more_bytes;
        let counters = &mut self.report.counters;
        counters.frontier = self.queue.n_waiting() as u64;
        counters.peak_frontier = counters.peak_frontier.max(counters.frontier);
        counters.bytes = counters.bytes.max(bytes as u64);
        self.report.n_left = self.queue.n_in_layer();
        self.report.n_kept = self.space.n_states() as u64;
        self.report.has_goal = self.goal.is_some();
        self.report.n_next =
            self.queue.n_waiting() - self.queue.n_in_layer() + self.later.n_due(self.depth + 1);
    }
}

/// Who continues the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The first thread alone.
    Alone,
    /// All threads.
    Together,
    /// The search is over: a goal was found, all states were visited, or a
    /// limit was reached.
    Over(Option<Cut>),
}

struct Worker<'s, S> {
    me: usize,
    system: S,
    shared: &'s Shared,
    outgoing: Vec<Outbox>,
    /// Last round in which the thread took part.
    round: usize,
    state: Vec<Word>,
    successors: Successors,
}

impl<'s, S: TransitionSystem> Worker<'s, S> {
    fn new(me: usize, system: S, shared: &'s Shared) -> Self {
        let outgoing = (0..shared.n_threads).map(|_| Outbox::default()).collect();
        let width = system.width();
        let (state, successors) = (vec![0; width], Successors::new(width));
        Self { me, system, shared, outgoing, round: 0, state, successors }
    }

    /// Runs the search to its end, alone or with the other threads.
    fn lead(&mut self, watch: Watcher) -> Option<Cut> {
        let end = EndForAll(self.shared);
        let mut parts = self.shared.parts();
        let mut state = std::mem::take(&mut self.state);
        self.system.initial(&mut state);
        let hash = Space::hash(&state);
        let owner = self.owner(hash);
        if let Arrival::New(id) = parts[owner].space.insert(hash, &state, None) {
            self.admit(owner, &mut parts[owner], id, 0);
        }
        parts[owner].queue.begin_layer(0);
        self.state = state;
        let mut watch = Some(watch);
        let mut next = Next::Alone;
        loop {
            if next == Next::Alone {
                next = self.go_alone(&mut parts, &mut watch);
            }
            drop(parts);
            if next == Next::Together {
                self.shared.begin_phase();
                next = self.go_together(&mut watch);
            }
            if let Next::Over(cut) = next {
                drop(end);
                return cut;
            }
            parts = self.shared.parts();
        }
    }

    /// Works with the other threads whenever the first one starts a phase.
    fn follow(&mut self) {
        let _end = EndForAll(self.shared);
        let mut phase = 0;
        while self.shared.wait_for_phase(phase) {
            phase += 1;
            if let Next::Over(_) = self.go_together(&mut None) {
                return;
            }
        }
    }

    /// Expands narrow layers on the states of all threads.
    fn go_alone(
        &mut self,
        parts: &mut [impl std::ops::DerefMut<Target = ThreadStates>],
        watch: &mut Option<Watcher>,
    ) -> Next {
        let mut hashes = Vec::new();
        let mut interval = PollInterval::default();
        loop {
            if parts.iter().any(|part| part.goal.is_some()) {
                measured(parts);
                return Next::Over(None);
            }
            for me in 0..parts.len() {
                while let Some(id) = parts[me].queue.take() {
                    if interval.is_due()
                        && let Some(stop) = self.judge(&measured(parts), watch)
                    {
                        return Next::Over(Some(Cut::Stopped(stop)));
                    }
                    let made = self.expand(&mut parts[me], id);
                    interval.count(&self.successors);
                    hashes.clear();
                    hashes.extend(self.successors.iter().map(Space::hash));
                    for &hash in &hashes {
                        parts[self.owner(hash)].space.prefetch(hash);
                    }
                    let parent = StateId(Anywhere::new(me, id, parts.len()).0);
                    let steps = self.successors.steps();
                    for ((&hash, next), step) in hashes.iter().zip(self.successors.iter()).zip(steps) {
                        let owner = self.owner(hash);
                        self.arrive(owner, &mut parts[owner], (step.cost, hash, next), parent);
                    }
                    if parts.iter().any(|part| part.goal.is_some()) {
                        measured(parts);
                        return Next::Over(None);
                    }
                    if let Err(abort) = made {
                        measured(parts);
                        return Next::Over(Some(abort.into()));
                    }
                    if self.has_too_many(parts.iter().map(|part| part.report.counters.stored).sum()) {
                        measured(parts);
                        return Next::Over(Some(Cut::Stopped(Stop::States)));
                    }
                }
            }
            let depth = parts[0].depth;
            let next = match parts.iter().any(|part| part.queue.n_waiting() > 0) {
                true => Some(depth + 1),
                false => parts.iter().filter_map(|part| part.later.next_layer()).min(),
            };
            let Some(next) = next else {
                measured(parts);
                return Next::Over(None);
            };
            for (me, part) in parts.iter_mut().enumerate() {
                self.begin_layer(me, part, next);
            }
            let n_in_layer: usize = parts.iter().map(|part| part.queue.n_in_layer()).sum();
            let expanded = parts.iter().map(|part| part.report.counters.expanded).sum();
            let work = parts.iter().map(|part| part.report.work).sum();
            if self.shared.n_threads > 1 && expected_work(n_in_layer, work, expanded) >= NARROW {
                measured(parts);
                return Next::Together;
            }
        }
    }

    /// Takes part in rounds until a narrow layer follows.
    fn go_together(&mut self, watch: &mut Option<Watcher>) -> Next {
        let (shared, me) = (self.shared, self.me);
        let mut part = shared.part(me);
        let mut all = None;
        loop {
            self.round += 1;
            let (n_sent, abort) = self.expand_some(&mut part);
            // The outboxes of two rounds have as many bytes again.
            part.measure(self.outgoing.iter().map(Outbox::bytes).sum::<usize>() * 3);
            part.report.n_next += n_sent;
            let stop = all.as_ref().and_then(|all| self.judge(all, watch));
            part.report.cut = abort.map(Cut::from).or(stop.map(Cut::Stopped));
            self.send(&part);
            if !shared.wait_for_round(self.round) {
                return Next::Over(None);
            }
            self.receive(&mut part);
            let of_all = total((0..shared.n_threads).map(|it| *shared.report(self.round, it)));
            if of_all.cut.is_some() || of_all.has_goal {
                part.measure(0);
                return Next::Over(of_all.cut);
            }
            if of_all.n_left == 0 {
                let next = part.depth + 1;
                let work = expected_work(of_all.n_next, of_all.work, of_all.counters.expanded);
                if work < NARROW / 2 {
                    return Next::Alone;
                }
                self.begin_layer(me, &mut part, next);
            }
            all = Some(of_all);
        }
    }

    /// Begins a layer with the states of its queue and those that waited for
    /// it.
    fn begin_layer(&self, of: usize, part: &mut ThreadStates, depth: u32) {
        part.depth = depth;
        for id in part.later.take(depth) {
            self.admit(of, part, id, depth);
        }
        part.queue.begin_layer(depth);
    }

    /// Returns whether to stop, given the reports of the last round.
    fn judge(&self, all: &Report, watch: &mut Option<Watcher>) -> Option<Stop> {
        let watch = watch.as_mut()?;
        let counters = &all.counters;
        match () {
            () if self.has_too_many(counters.stored) || all.n_kept > MAX_STATES => Some(Stop::States),
            () if self.shared.limits.max_bytes.is_some_and(|limit| counters.bytes > limit) => {
                Some(Stop::Memory)
            }
            () => watch(counters),
        }
    }

    fn has_too_many(&self, stored: u64) -> bool {
        self.shared.limits.max_states.is_some_and(|limit| stored > limit)
    }

    /// Returns the thread to which a state belongs. The hash is rotated, because
    /// its highest bits select the slot in the table.
    fn owner(&self, hash: Hash) -> usize {
        ((u128::from(hash.bits().rotate_left(20)) * self.shared.n_threads as u128) >> 64) as usize
    }

    /// Returns the number of states to expand per round.
    fn n_per_round(&self) -> usize {
        let share = |most: u64| most / ROUNDS_TO_LIMIT / self.shared.n_threads as u64 + 1;
        self.shared.limits.max_states.map_or(ROUND, |most| ROUND.min(share(most) as usize))
    }

    /// Computes the successors of a state.
    fn expand(&mut self, part: &mut ThreadStates, id: StateId) -> Result<(), Abort> {
        self.state.copy_from_slice(part.space.state(id));
        self.successors.clear();
        let made = self.system.successors(&self.state, &mut self.successors);
        if made == Err(Abort::Restart) {
            self.successors.clear();
        }
        part.report.work += 1 + self.successors.steps().iter().map(|it| u64::from(it.cost)).sum::<u64>();
        let counters = &mut part.report.counters;
        counters.expanded += 1;
        counters.generated += self.successors.len() as u64;
        counters.depth = counters.depth.max(part.depth.into());
        made
    }

    /// Expands states for one round. Returns the number of successors that
    /// belong to other threads, and why no more states can be expanded.
    fn expand_some(&mut self, part: &mut ThreadStates) -> (usize, Option<Abort>) {
        let me = self.me;
        let mut abort = None;
        for _ in 0..self.n_per_round() {
            if self.outgoing.iter().map(Outbox::n_words).sum::<usize>() > ROUND_WORDS {
                break;
            }
            let Some(id) = part.queue.take() else { break };
            abort = self.expand(part, id).err();
            let parent = StateId(Anywhere::new(me, id, self.shared.n_threads).0);
            for (next, step) in self.successors.iter().zip(self.successors.steps()) {
                let hash = Space::hash(next);
                let owner = self.owner(hash);
                self.outgoing[owner].add(step.cost, hash, next, parent);
            }
            if abort.is_some() {
                break;
            }
        }
        let mut own = std::mem::take(&mut self.outgoing[me]);
        self.take_in(part, &mut own);
        self.outgoing[me] = own;
        (self.outgoing.iter().map(Outbox::len).sum(), abort)
    }

    /// Sends the states that belong to others, and the report.
    fn send(&mut self, part: &ThreadStates) {
        let (shared, me, round) = (self.shared, self.me, self.round);
        for other in (0..shared.n_threads).filter(|&it| it != me) {
            std::mem::swap(&mut *shared.outbox(round, me, other), &mut self.outgoing[other]);
        }
        *shared.report(round, me) = part.report;
        shared.finish_round(round, me);
    }

    /// Receives the states that others have sent.
    fn receive(&mut self, part: &mut ThreadStates) {
        let (shared, me) = (self.shared, self.me);
        for other in (0..shared.n_threads).filter(|&it| it != me) {
            self.take_in(part, &mut shared.outbox(self.round, other, me));
        }
    }

    fn take_in(&self, part: &mut ThreadStates, letters: &mut Outbox) {
        for (at, (length, hash, state, parent)) in letters.iter(self.state.len()).enumerate() {
            if let Some(&hash) = letters.hashes.get(at + AHEAD) {
                part.space.prefetch(hash);
            }
            self.arrive(self.me, part, (length, hash, state), parent);
        }
        letters.clear();
    }

    /// Stores a state reached by a step of `length`.
    fn arrive(&self, of: usize, part: &mut ThreadStates, step: (u32, Hash, &[Word]), parent: StateId) {
        if let Some(id) = part.later.reach(&mut part.space, part.depth, step, parent) {
            self.admit(of, part, id, part.depth + 1);
        }
    }

    /// Counts a stored state and adds it to the queue.
    fn admit(&self, of: usize, part: &mut ThreadStates, id: StateId, depth: u32) {
        part.report.counters.stored += 1;
        if part.goal.is_none() && self.system.is_goal(part.space.state(id)) {
            part.goal = Some((depth, Anywhere::new(of, id, self.shared.n_threads)));
        }
        part.queue.add(id);
    }
}

/// Measures all parts.
fn measured(parts: &mut [impl std::ops::DerefMut<Target = ThreadStates>]) -> Report {
    parts.iter_mut().for_each(|part| part.measure(0));
    total(parts.iter().map(|part| part.report))
}

/// Returns the expected number of statements to expand states, if they are like
/// those before.
fn expected_work(n_states: usize, work: u64, expanded: u64) -> u64 {
    (n_states as u64).saturating_mul(work) / expanded.max(1)
}

#[cfg(test)]
mod tests;
