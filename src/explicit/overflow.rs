//! States that do not fit into the layout of a search.
//!
//! A search stores states of a fixed width. When a step needs more room than the
//! layout has, there are two options. Early in a search, when little work is
//! lost, it restarts with a larger shape. Later it continues: the states that do
//! not fit are stored here, in a separate larger layout, and the search stores a
//! *reference* instead, which has the width it expects. The layout of these
//! states can grow again at any time, because they can be converted.

use super::engine::Engine;
use super::layout::{Field, Layout, MissingRoom, Shape};
use super::view::Fault;
use crate::system::Word;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Maximum number of lost expansions and random steps, in all starts of a
/// search.
pub const MAX_SPENT: u64 = 50_000;

/// Cost of the starts of a search so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Number of abandoned starts.
    pub n_restarts: usize,
    /// Number of states expanded in abandoned starts, plus steps of random
    /// walks.
    pub n_steps: u64,
    /// Number of random walks made during searches.
    pub n_probes: usize,
}

/// Whether states can be stored separately from those of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeparateStorage {
    /// No: a lossy store would gain nothing, because the states stored here are
    /// whole.
    Never,
    /// Yes, but not with more processes than at the start of the search.
    SameProcesses,
    /// Yes.
    Always,
}

/// Builds the engine of a network for a shape.
type Build<'a> = Box<dyn Fn(&Shape) -> Engine<'a> + Sync + 'a>;

/// The engines of one start of a search; the first one is for the states that
/// the search stores itself.
pub struct SearchStart<'a> {
    build: Build<'a>,
    first: Level<'a>,
    apart: SeparateStorage,
    spent: Spent,
    kept: Mutex<SeparateStates>,
    /// Shape with which to restart.
    again: OnceLock<Shape>,
    pub(super) n_views: AtomicUsize,
    pub(super) n_probes: AtomicUsize,
    n_walked: AtomicU64,
}

/// An engine and the next larger one.
pub(super) struct Level<'a> {
    pub engine: Engine<'a>,
    pub shape: Shape,
    number: usize,
    next: OnceLock<Box<Level<'a>>>,
}

/// How a search continues whose layout is too small.
pub(super) enum Growth<'s, 'a> {
    /// It restarts with this shape.
    Again(Shape),
    /// It continues and stores states separately in this level.
    Level(&'s Level<'a>),
}

/// Distinct states in the layout of one level.
#[derive(Default)]
struct SeparateStates {
    level: usize,
    width: usize,
    words: Vec<Word>,
    /// Indices of states plus one, by hash; 0 for an empty slot.
    slots: Vec<u32>,
}

impl<'a> SearchStart<'a> {
    /// Starts a search in a shape.
    pub fn new(
        build: impl Fn(&Shape) -> Engine<'a> + Sync + 'a,
        shape: Shape,
        apart: SeparateStorage,
        spent: Spent,
    ) -> Self {
        let first = Level { engine: build(&shape), shape, number: 0, next: OnceLock::new() };
        Self {
            build: Box::new(build),
            first,
            apart,
            spent,
            kept: Mutex::default(),
            again: OnceLock::new(),
            n_views: AtomicUsize::new(0),
            n_probes: AtomicUsize::new(spent.n_probes),
            n_walked: AtomicU64::new(0),
        }
    }

    /// Returns the engine of the states that the search stores itself.
    pub fn engine(&self) -> &Engine<'a> {
        &self.first.engine
    }

    /// Returns the engine with room for all states so far.
    pub fn widest(&self) -> &Engine<'a> {
        &self.last_level().engine
    }

    /// Returns the shape with which to restart, if this start was abandoned.
    pub fn again(&self) -> Option<&Shape> {
        self.again.get()
    }

    /// Returns the cost if this start is abandoned after `n_expanded` states.
    pub fn spent_with(&self, n_expanded: u64) -> Spent {
        Spent { n_restarts: self.spent.n_restarts + 1, n_steps: n_expanded, ..Spent::default() }.after(self)
    }

    /// Returns the cost if this start is the last one.
    pub fn spent_at_end(&self) -> Spent {
        Spent { n_restarts: self.spent.n_restarts, ..Spent::default() }.after(self)
    }

    /// Returns the memory of the states stored here.
    pub fn bytes(&self) -> u64 {
        let kept = self.kept();
        (kept.words.capacity() * size_of::<Word>() + kept.slots.capacity() * size_of::<u32>()) as u64
    }

    /// Returns the number of states stored here.
    pub fn n_kept(&self) -> usize {
        self.kept().len()
    }

    /// Converts a state of the search to the layout of the widest engine.
    pub fn widened(&self, state: &[Word]) -> Vec<Word> {
        match self.reference(state) {
            Some(reference) => self.kept_in_last_level().0.row(reference.number).to_vec(),
            None => converted(&self.first.engine.layout, &self.widest().layout, state),
        }
    }

    /// Counts steps of random walks.
    pub(super) fn add_walked(&self, n_steps: u64) {
        self.n_walked.fetch_add(n_steps, Relaxed);
    }

    pub(super) fn build(&self, shape: &Shape) -> Engine<'a> {
        (self.build)(shape)
    }

    pub(super) fn first(&self) -> &Level<'a> {
        &self.first
    }

    pub(super) fn last_level(&self) -> &Level<'a> {
        let mut level = &self.first;
        while let Some(next) = level.next.get() {
            level = next;
        }
        level
    }

    /// Returns whether this start may be abandoned after `n_expanded` states.
    pub(super) fn is_cheap(&self, n_expanded: u64) -> bool {
        n_expanded <= 1 || self.spent_with(n_expanded).n_steps <= MAX_SPENT
    }

    /// Adds the room that `level` is missing, after `n_expanded` states.
    pub(super) fn grow<'s>(
        &'s self,
        level: &'s Level<'a>,
        missing_room: MissingRoom,
        n_expanded: u64,
    ) -> Growth<'s, 'a> {
        let mut shape = level.shape.clone();
        if self.is_cheap(n_expanded) && level.number == 0 {
            shape.grow(missing_room);
            return Growth::Again(shape);
        }
        shape.grow_generously(missing_room);
        let is_apart = match self.apart {
            SeparateStorage::Never => false,
            SeparateStorage::SameProcesses => !matches!(missing_room, MissingRoom::Process(..)),
            SeparateStorage::Always => true,
        };
        if !is_apart {
            return Growth::Again(shape);
        }
        Growth::Level(level.next.get_or_init(|| {
            let engine = self.build(&shape);
            Box::new(Level { engine, shape, number: level.number + 1, next: OnceLock::new() })
        }))
    }

    /// Abandons this start; later calls have no effect.
    pub(super) fn begin_again(&self, shape: Shape) {
        let _ = self.again.set(shape);
    }

    /// Stores a state of a level and writes a reference to it. If another thread
    /// has continued in a later level, the state is converted.
    pub(super) fn keep(&self, level: &Level<'a>, state: &[Word], out: &mut [Word]) {
        let (mut kept, last) = self.kept_in_last_level();
        let number = match level.number == last.number {
            true => kept.add(state),
            false => kept.add(&converted(&level.engine.layout, &last.engine.layout, state)),
        };
        let fault = level.engine.layout.fault.get(state);
        Reference { number, fault }.write(self.first.engine.layout.fault, out);
    }

    /// Returns the reference in a state, if it is one.
    #[inline]
    pub(super) fn reference(&self, state: &[Word]) -> Option<Reference> {
        Reference::read(self.first.engine.layout.fault, state)
    }

    /// Copies a state that is stored here. Returns the level of its layout.
    pub(super) fn copy(&self, reference: Reference, out: &mut Vec<Word>) -> &Level<'a> {
        let (kept, last) = self.kept_in_last_level();
        out.clear();
        out.extend_from_slice(kept.row(reference.number));
        last
    }

    /// Copies a state that is stored here. Returns the number and the engine of
    /// its level.
    pub(super) fn copy_with_engine(&self, reference: Reference, out: &mut Vec<Word>) -> (usize, &Engine<'a>) {
        let level = self.copy(reference, out);
        (level.number, &level.engine)
    }

    /// Returns all states, in the layout of the last level.
    fn kept_in_last_level(&self) -> (MutexGuard<'_, SeparateStates>, &Level<'a>) {
        let mut kept = self.kept();
        let mut level = &self.first;
        while let Some(next) = level.next.get() {
            kept.convert(level, next);
            level = next;
        }
        (kept, level)
    }

    fn kept(&self) -> MutexGuard<'_, SeparateStates> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spent {
    fn after(self, start: &SearchStart) -> Self {
        let n_walked = start.n_walked.load(Relaxed);
        Self {
            n_restarts: self.n_restarts,
            n_steps: start.spent.n_steps + n_walked + self.n_steps,
            n_probes: start.n_probes.load(Relaxed),
        }
    }
}

/// Converts a state to another layout, in which it fits.
pub(super) fn converted(from: &Layout, to: &Layout, state: &[Word]) -> Vec<Word> {
    let mut out = vec![0; to.width];
    let fits = to.convert(from, state, &mut out);
    assert!(fits, "a larger layout has room for all states of a smaller one");
    out
}

/// Word that a search stores for a state that is stored here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    number: u32,
    /// Number of its fault, so that it can be read without a lookup.
    pub fault: i32,
}

/// Number of bits of the index of a state.
const NUMBER_BITS: u32 = 32;

impl Reference {
    /// Mark of a reference, in the field where other states have the number of a
    /// fault.
    pub(super) const MARK: i32 = Fault::ALL.len() as i32 + 1;

    #[inline]
    fn read(mark: Field, state: &[Word]) -> Option<Self> {
        if mark.get(state) != Self::MARK {
            return None;
        }
        let word = state[mark.word()];
        let low = word & ((1 << mark.shift()) - 1);
        let high = word >> (mark.shift() + mark.bits());
        let payload = high << mark.shift() | low;
        Some(Self { number: payload as u32, fault: (payload >> NUMBER_BITS) as i32 })
    }

    fn write(self, mark: Field, out: &mut [Word]) {
        out.fill(0);
        let payload = (self.fault as Word) << NUMBER_BITS | Word::from(self.number);
        let low = payload & ((1 << mark.shift()) - 1);
        let high = payload >> mark.shift() << (mark.shift() + mark.bits());
        out[mark.word()] = high | low;
        mark.set(out, Self::MARK);
    }
}

impl SeparateStates {
    fn len(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }

    fn row(&self, number: u32) -> &[Word] {
        &self.words[number as usize * self.width..][..self.width]
    }

    /// Adds a state, unless it is known, and returns its index.
    fn add(&mut self, state: &[Word]) -> u32 {
        self.width = state.len();
        if self.len() * 4 >= self.slots.len() * 3 {
            self.rehash(self.slots.len().max(64) * 2);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(state) as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.row(number) == state {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        let number = u32::try_from(self.len()).ok().filter(|it| *it != u32::MAX);
        let number = number.expect("a search stores fewer than 2^32 - 1 states");
        if self.words.capacity() - self.words.len() < state.len() {
            self.words.reserve_exact(self.words.len() / 4 + 64 * state.len());
        }
        self.words.extend_from_slice(state);
        self.slots[slot] = number + 1;
        number
    }

    fn rehash(&mut self, n_slots: usize) {
        self.slots = vec![0; n_slots];
        for number in 0..self.len() as u32 {
            let mut slot = hash(self.row(number)) as usize & (n_slots - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = number + 1;
        }
    }

    /// Converts all states to the layout of the next level, unless they have it
    /// or a later one. Their indices do not change.
    fn convert(&mut self, from: &Level, to: &Level) {
        if self.level >= to.number {
            return;
        }
        let (from, layout) = (&from.engine.layout, &to.engine.layout);
        let mut words = Vec::with_capacity(self.len() * layout.width);
        for number in 0..self.len() as u32 {
            words.extend_from_slice(&converted(from, layout, self.row(number)));
        }
        (self.level, self.width, self.words) = (to.number, layout.width, words);
        self.rehash(self.slots.len().max(64));
    }
}

fn hash(state: &[Word]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in state {
        let product = u128::from(word ^ hash) * u128::from(0xa076_1d64_78bd_642f_u64);
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    hash
}
