//! The contract between engines and search: flat states, their successors, and
//! what an engine does when it cannot make them.

use crate::base::control::Stop;
use crate::define_id;

/// A unit of a state.
pub type Word = u64;

/// The model is immutable and shared. An implementor is a cheap *view* of it
/// that owns its scratch space, which is why stepping takes `&mut self`.
pub trait TransitionSystem {
    /// Words per state.
    fn width(&self) -> usize;

    /// Writes the initial state.
    fn initial(&self, state: &mut [Word]);

    /// Appends every successor, in an order that depends on `state` alone.
    ///
    /// After an error successors are missing, and a search must not call itself
    /// exhausted; [`Abort`] says what those that were appended are worth.
    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort>;

    /// Does `state` complete a counterexample?
    fn is_goal(&self, state: &[Word]) -> bool;

    /// Has every step a cost of one? Then some searches are simpler.
    fn has_unit_costs(&self) -> bool {
        false
    }

    /// Is the property beyond repair? Once it is, it is in every successor, so
    /// the second stage of a search stays among such states.
    fn is_trapped(&self, _state: &[Word]) -> bool {
        false
    }

    /// How many places the states are divided among.
    fn n_regions(&self) -> usize {
        1
    }

    /// The place of a state, below `n_regions`: what data-flow algorithms
    /// work on at one time.
    fn region(&self, _state: &[Word]) -> usize {
        0
    }
}

/// Why a system cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abort {
    /// A state needs more room than the layout has, and the search begins again
    /// with another one. The successors that were appended are worth nothing.
    Restart,
    /// A step is too long to be followed to its end. The successors that were
    /// appended are successors, but there may be more.
    TooLong,
    /// The run is to stop, which was noticed while successors were made. Those
    /// that were appended are successors.
    Stopped(Stop),
}

/// A system in which an infinite run can be a counterexample: one that goes
/// round a cycle on which every mark occurs.
pub trait Marked: TransitionSystem {
    /// All marks, as bits.
    fn all_marks(&self) -> u64;

    /// As `successors`, and for each the marks of the step that leads there.
    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort>;
}

/// An estimate of the distance to a goal, looked up in tables that were made
/// when the search began.
pub trait Heuristic {
    /// How many units of an estimate make one statement.
    fn per_step(&self) -> u32 {
        1
    }

    /// The distance from a state to a goal, in units. `None` is a promise that
    /// no goal can be reached, so that an exhausted search stays a proof.
    fn estimate(&mut self, arrived: &Arrived) -> Option<u32>;
}

/// A state that a search has reached, and how.
#[derive(Clone, Copy, Debug)]
pub struct Arrived<'a> {
    /// The number of the state.
    pub id: StateId,
    /// Its words.
    pub state: &'a [Word],
    /// The length of the path that leads there, in statements.
    pub g: u32,
    /// The state before it on that path, and the step between them. `None` for
    /// the initial state, and where a search does not keep steps.
    pub from: Option<(StateId, Step)>,
}

define_id!(
    /// A state of a search, in the order of arrival.
    StateId
);

/// What is known of a heuristic before it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// As strategies call it.
    pub name: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// Never more than the steps that are left.
    pub admissible: bool,
    /// A step lowers it by one step at most.
    pub monotone: bool,
}

/// A step from one state to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which one.
    pub id: StepId,
    /// Its length in statements: an atomic sequence or a rendezvous has several.
    pub cost: u32,
    /// The process that takes it; of a rendezvous, the one that sends or calls.
    pub process: u32,
}

/// What a step does. Only the engine that made it knows more; equal ids are
/// equal steps, whatever the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u64);

impl Step {
    /// A step of one statement that nothing more is known of.
    pub const PLAIN: Self = Self { id: StepId(0), cost: 1, process: 0 };

    /// A plain step of a given length.
    pub fn of_cost(cost: u32) -> Self {
        Self { cost, ..Self::PLAIN }
    }
}

/// Successors of one state, side by side in one buffer, each with the step that
/// leads there.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    words: Vec<Word>,
    steps: Vec<Step>,
}

impl Successors {
    /// An empty buffer for states of `width` words, at least one.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a state has words");
        Self { width, words: Vec::new(), steps: Vec::new() }
    }

    /// Removes all successors.
    pub fn clear(&mut self) {
        self.words.clear();
        self.steps.clear();
    }

    /// How many successors there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Words of all successors together.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Appends a copy of `parent` and lends it for editing.
    #[inline]
    pub fn branch(&mut self, step: Step, parent: &[Word]) -> &mut [Word] {
        let start = self.words.len();
        self.steps.push(step);
        self.words.extend_from_slice(parent);
        &mut self.words[start..]
    }

    /// Appends a successor for each step, which differs from `parent` in the
    /// bits of its row of `changes`.
    #[inline]
    pub fn branch_all(&mut self, steps: &[Step], parent: &[Word], changes: &[Word]) {
        self.steps.extend_from_slice(steps);
        for change in changes.chunks_exact(self.width) {
            self.words.extend(parent.iter().zip(change).map(|(word, change)| word ^ change));
        }
        debug_assert_eq!(self.words.len(), self.steps.len() * self.width, "each step leads to a state");
    }

    /// Keeps the first `n` successors.
    pub fn truncate(&mut self, n: usize) {
        self.words.truncate(n * self.width);
        self.steps.truncate(n);
    }

    /// The steps in the order of their arrival.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The states in the order of their arrival.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[Word]> + ExactSizeIterator {
        self.words.chunks_exact(self.width)
    }
}
