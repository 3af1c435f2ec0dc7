//! Data that the threads of a breadth-first search share: the states of each
//! thread, the messages between them, and the signals by which they wait for
//! each other.

use super::ThreadStates;
use crate::search::explore::{Counters, Cut, Limits};
use crate::search::space::{Hash, StateId};
use crate::system::Word;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Data shared by all threads.
pub(super) struct Shared {
    pub n_threads: usize,
    pub limits: Limits,
    /// States of each thread. Each thread holds its own lock while all work;
    /// the first thread holds all locks while it works alone.
    parts: Vec<Mutex<ThreadStates>>,
    /// Messages from each thread to each other, for even and odd rounds.
    outboxes: Vec<Mutex<Outbox>>,
    /// Reports of each thread, for even and odd rounds.
    reports: Vec<Mutex<Report>>,
    /// Last round for which each thread has sent everything.
    rounds: Vec<AtomicUsize>,
    phase: Mutex<Phase>,
    changed: Condvar,
}

/// Number of phases in which all threads work together.
#[derive(Default)]
struct Phase {
    number: usize,
    is_over: bool,
}

impl Shared {
    pub fn new(n_threads: usize, limits: Limits, width: usize) -> Self {
        Self {
            n_threads,
            limits,
            parts: (0..n_threads).map(|_| Mutex::new(ThreadStates::new(width))).collect(),
            outboxes: (0..2 * n_threads * n_threads).map(|_| Mutex::default()).collect(),
            reports: (0..2 * n_threads).map(|_| Mutex::default()).collect(),
            rounds: (0..n_threads).map(|_| AtomicUsize::new(0)).collect(),
            phase: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub fn part(&self, of: usize) -> MutexGuard<'_, ThreadStates> {
        lock(&self.parts[of])
    }

    /// Returns the states of all threads, once the other threads have released
    /// theirs.
    pub fn parts(&self) -> Vec<MutexGuard<'_, ThreadStates>> {
        (0..self.n_threads).map(|of| self.part(of)).collect()
    }

    pub fn into_parts(self) -> Vec<ThreadStates> {
        let inner = |part: Mutex<ThreadStates>| part.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.parts.into_iter().map(inner).collect()
    }

    pub fn outbox(&self, round: usize, from: usize, to: usize) -> MutexGuard<'_, Outbox> {
        lock(&self.outboxes[(from * self.n_threads + to) * 2 + round % 2])
    }

    pub fn report(&self, round: usize, of: usize) -> MutexGuard<'_, Report> {
        lock(&self.reports[of * 2 + round % 2])
    }

    /// Records that a thread has sent everything of a round.
    pub fn finish_round(&self, round: usize, of: usize) {
        self.rounds[of].store(round, Ordering::Release);
        drop(lock(&self.phase));
        self.changed.notify_all();
    }

    /// Waits until all threads have finished sending for a round, first
    /// spinning, then asleep. Returns false if a thread has ended without doing
    /// so.
    pub fn wait_for_round(&self, round: usize) -> bool {
        const LOOKS: usize = 2_000;
        let is_finished = || self.rounds.iter().all(|it| it.load(Ordering::Acquire) >= round);
        for _ in 0..LOOKS {
            if is_finished() {
                return true;
            }
            std::hint::spin_loop();
        }
        let mut phase = lock(&self.phase);
        while !is_finished() {
            if phase.is_over {
                return false;
            }
            phase = self.changed.wait(phase).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// Starts a phase in which all threads work together.
    pub fn begin_phase(&self) {
        lock(&self.phase).number += 1;
        self.changed.notify_all();
    }

    /// Sleeps until the phase after `number`. Returns false if there is no such
    /// phase.
    pub fn wait_for_phase(&self, number: usize) -> bool {
        let mut phase = lock(&self.phase);
        while phase.number <= number && !phase.is_over {
            phase = self.changed.wait(phase).unwrap_or_else(PoisonError::into_inner);
        }
        phase.number > number
    }
}

/// Ends the search for all threads when one of them ends, even by a panic.
pub(super) struct EndForAll<'s>(pub &'s Shared);

impl Drop for EndForAll<'_> {
    fn drop(&mut self) {
        lock(&self.0.phase).is_over = true;
        self.0.changed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// States sent to the thread to which they belong, each with its hash and its
/// parent.
#[derive(Default)]
pub(super) struct Outbox {
    words: Vec<Word>,
    pub hashes: Vec<Hash>,
    parents: Vec<StateId>,
    /// Steps that cost more than one statement: index and cost.
    lengths: Vec<(usize, u32)>,
}

impl Outbox {
    pub fn add(&mut self, length: u32, hash: Hash, state: &[Word], parent: StateId) {
        if length != 1 {
            self.lengths.push((self.len(), length));
        }
        self.words.extend_from_slice(state);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
        self.lengths.clear();
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Iterates over all states in the order in which they were added: length,
    /// hash, state, parent.
    pub fn iter(&self, width: usize) -> impl Iterator<Item = (u32, Hash, &[Word], StateId)> {
        let mut lengths = self.lengths.iter().peekable();
        let states = self.words.chunks_exact(width).zip(&self.parents);
        self.hashes.iter().zip(states).enumerate().map(move |(at, (&hash, (state, &parent)))| {
            let length = lengths.next_if(|(index, _)| *index == at).map_or(1, |(_, length)| *length);
            (length, hash, state, parent)
        })
    }

    /// Returns the number of words of states in the outbox.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
            + self.hashes.capacity() * size_of::<Hash>()
            + self.parents.capacity() * size_of::<StateId>()
            + self.lengths.capacity() * size_of::<(usize, u32)>()
    }
}

/// Work of a thread so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Report {
    pub counters: Counters,
    /// Number of states of this layer that it has not expanded.
    pub n_left: usize,
    /// Maximum number of states of the next layer, including those that were
    /// sent.
    pub n_next: usize,
    /// Number of stored states, including those that wait for their layer.
    pub n_kept: u64,
    /// Number of statements executed to expand states.
    pub work: u64,
    pub has_goal: bool,
    /// Why all threads should stop.
    pub cut: Option<Cut>,
}

/// Returns the total work of all threads.
pub(super) fn total(reports: impl IntoIterator<Item = Report>) -> Report {
    let mut total = Report::default();
    for report in reports {
        let (sum, counters) = (&mut total.counters, report.counters);
        sum.generated += counters.generated;
        sum.stored += counters.stored;
        sum.expanded += counters.expanded;
        sum.frontier += counters.frontier;
        sum.peak_frontier += counters.peak_frontier;
        sum.depth = sum.depth.max(counters.depth);
        sum.bytes += counters.bytes;
        total.n_left += report.n_left;
        total.n_next += report.n_next;
        total.n_kept += report.n_kept;
        total.work += report.work;
        total.has_goal |= report.has_goal;
        total.cut = total.cut.or(report.cut);
    }
    total
}
