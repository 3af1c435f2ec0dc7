//! States that do not fit into the layout of a search.
//!
//! A search stores states of a fixed width. When a step needs more room than
//! the layout has, there are two ways out. Early in a search it begins again
//! with a larger shape: little is lost. Later it goes on: the states that do
//! not fit are kept here, in a larger layout of their own, and the search
//! stores a *reference* instead, which has the width it expects. The layout of
//! these states can grow again at any time, since they can be converted.

use super::engine::Engine;
use super::layout::{Field, Layout, MissingRoom, Shape};
use super::view::Fault;
use crate::system::Word;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// States expanded in vain and steps of random walks at most, in all starts
/// of a search.
pub const MOST_SPENT: u64 = 50_000;

/// What the starts of a search have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Starts that were abandoned.
    pub n_restarts: usize,
    /// States that were expanded in them, and steps of random walks.
    pub n_steps: u64,
    /// Random walks that were made while a search was under way.
    pub n_probes: usize,
}

/// May states be kept apart from those of the search?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// No: a store that is not exact would gain nothing, since the states kept
    /// here are whole ones.
    Never,
    /// Yes, but not with more processes than the search began with.
    SameProcesses,
    /// Yes.
    Always,
}

/// Makes engines of a program for shapes.
type Build<'a> = Box<dyn Fn(&Shape) -> Engine<'a> + Sync + 'a>;

/// The engines of one start of a search, the first one for the states that
/// it stores itself.
pub struct Start<'a> {
    build: Build<'a>,
    first: Level<'a>,
    apart: Apart,
    spent: Spent,
    kept: Mutex<Kept>,
    /// The shape to begin again with.
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

/// What becomes of a search whose layout lacks something.
pub(super) enum Growth<'s, 'a> {
    /// It begins again in this shape.
    Again(Shape),
    /// It goes on, with states kept apart in this level.
    Level(&'s Level<'a>),
}

/// States in the layout of one level, each once.
#[derive(Default)]
struct Kept {
    level: usize,
    width: usize,
    words: Vec<Word>,
    /// Numbers of states plus one, by hash; 0 where there is none.
    slots: Vec<u32>,
}

impl<'a> Start<'a> {
    /// Begins a search in a shape.
    pub fn new(
        build: impl Fn(&Shape) -> Engine<'a> + Sync + 'a,
        shape: Shape,
        apart: Apart,
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

    /// The engine of the states that the search stores itself.
    pub fn engine(&self) -> &Engine<'a> {
        &self.first.engine
    }

    /// The engine with room for all states seen.
    pub fn widest(&self) -> &Engine<'a> {
        &self.last_level().engine
    }

    /// The shape to begin again with, if this start was abandoned.
    pub fn again(&self) -> Option<&Shape> {
        self.again.get()
    }

    /// What was spent if this start was abandoned after `n_expanded` states.
    pub fn spent_with(&self, n_expanded: u64) -> Spent {
        Spent { n_restarts: self.spent.n_restarts + 1, n_steps: n_expanded, ..Spent::default() }.after(self)
    }

    /// What was spent if this start was the last one.
    pub fn spent_at_end(&self) -> Spent {
        Spent { n_restarts: self.spent.n_restarts, ..Spent::default() }.after(self)
    }

    /// Bytes of the states kept here.
    pub fn bytes(&self) -> u64 {
        let kept = self.kept();
        (kept.words.capacity() * size_of::<Word>() + kept.slots.capacity() * size_of::<u32>()) as u64
    }

    /// States kept here.
    pub fn n_kept(&self) -> usize {
        self.kept().len()
    }

    /// A state of the search in the layout of the widest engine.
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

    /// May this start be abandoned after `n_expanded` states?
    pub(super) fn is_cheap(&self, n_expanded: u64) -> bool {
        n_expanded <= 1 || self.spent_with(n_expanded).n_steps <= MOST_SPENT
    }

    /// Makes room for what the layout of `level` lacks, after `n_expanded`
    /// states.
    pub(super) fn grow<'s>(
        &'s self,
        level: &'s Level<'a>,
        lack: MissingRoom,
        n_expanded: u64,
    ) -> Growth<'s, 'a> {
        let mut shape = level.shape.clone();
        if self.is_cheap(n_expanded) && level.number == 0 {
            shape.grow(lack);
            return Growth::Again(shape);
        }
        shape.grow_generously(lack);
        let is_apart = match self.apart {
            Apart::Never => false,
            Apart::SameProcesses => !matches!(lack, MissingRoom::Process(..)),
            Apart::Always => true,
        };
        if !is_apart {
            return Growth::Again(shape);
        }
        Growth::Level(level.next.get_or_init(|| {
            let engine = self.build(&shape);
            Box::new(Level { engine, shape, number: level.number + 1, next: OnceLock::new() })
        }))
    }

    /// Abandons this start; the first call counts.
    pub(super) fn begin_again(&self, shape: Shape) {
        let _ = self.again.set(shape);
    }

    /// Keeps a state of a level and writes a reference to it. Another thread
    /// may have gone on to a later level; then the state is converted.
    pub(super) fn keep(&self, level: &Level<'a>, state: &[Word], out: &mut [Word]) {
        let (mut kept, last) = self.kept_in_last_level();
        let number = match level.number == last.number {
            true => kept.add(state),
            false => kept.add(&converted(&level.engine.layout, &last.engine.layout, state)),
        };
        let fault = level.engine.layout.fault.get(state);
        Reference { number, fault }.write(self.first.engine.layout.fault, out);
    }

    /// The reference that represents a state, if there is one.
    #[inline]
    pub(super) fn reference(&self, state: &[Word]) -> Option<Reference> {
        Reference::read(self.first.engine.layout.fault, state)
    }

    /// Copies a state that is kept here. Returns the level of its layout.
    pub(super) fn copy(&self, reference: Reference, out: &mut Vec<Word>) -> &Level<'a> {
        let (kept, last) = self.kept_in_last_level();
        out.clear();
        out.extend_from_slice(kept.row(reference.number));
        last
    }

    /// All states in the layout of the last level.
    fn kept_in_last_level(&self) -> (MutexGuard<'_, Kept>, &Level<'a>) {
        let mut kept = self.kept();
        let mut level = &self.first;
        while let Some(next) = level.next.get() {
            kept.convert(level, next);
            level = next;
        }
        (kept, level)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spent {
    fn after(self, start: &Start) -> Self {
        let n_walked = start.n_walked.load(Relaxed);
        Self {
            n_restarts: self.n_restarts,
            n_steps: start.spent.n_steps + n_walked + self.n_steps,
            n_probes: start.n_probes.load(Relaxed),
        }
    }
}

/// A state in another layout, in which there is room for it.
pub(super) fn converted(from: &Layout, to: &Layout, state: &[Word]) -> Vec<Word> {
    let mut out = vec![0; to.width];
    let fits = to.convert(from, state, &mut out);
    assert!(fits, "a larger layout has room for all states of a smaller one");
    out
}

/// What a search stores for a state that is kept here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    number: u32,
    /// The number of its fault, so that it need not be looked up.
    pub fault: i32,
}

/// Bits of the number of a state.
const NUMBER_BITS: u32 = 32;

impl Reference {
    /// Stored where other states have the number of a fault.
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

impl Kept {
    fn len(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }

    fn row(&self, number: u32) -> &[Word] {
        &self.words[number as usize * self.width..][..self.width]
    }

    /// The number of a state, which is new or not.
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
    /// or a later one. Their numbers do not change.
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
