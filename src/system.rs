//! The contract between engines and search: flat states, their successors, and
//! what an engine returns when it cannot compute them.

use crate::base::control::Stop;
use crate::define_id;

/// A unit of a state.
pub type Word = u64;

/// A transition system. The model is immutable and shared; an implementation is
/// a cheap *view* of it that owns its scratch space, which is why stepping
/// takes `&mut self`.
pub trait TransitionSystem {
    /// Returns the number of words per state.
    fn width(&self) -> usize;

    /// Writes the initial state.
    fn initial(&self, state: &mut [Word]);

    /// Appends every successor, in an order that depends only on `state`. A
    /// reduction can leave out some that the search does not need.
    ///
    /// After an error, successors are missing and a search must not end as
    /// exhausted; [`Abort`] says whether the appended successors can be used.
    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort>;

    /// Returns whether the successors of a state can be others than those that
    /// were computed before, because a reduction leaves out others.
    fn successors_vary(&self) -> bool {
        false
    }

    /// Appends every successor, also those that a reduction leaves out of
    /// [`successors`](Self::successors).
    fn all_successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.successors(state, out)
    }

    /// Returns whether `state` completes a counterexample.
    fn is_goal(&self, state: &[Word]) -> bool;

    /// Returns whether every step has a cost of one, which makes some searches
    /// simpler.
    fn has_unit_costs(&self) -> bool {
        false
    }

    /// Returns whether the property is violated in every continuation. Then
    /// this is so in every successor too, so the second stage of a search stays
    /// among such states.
    fn is_trapped(&self, _state: &[Word]) -> bool {
        false
    }

    /// Returns the number of regions into which the states are divided.
    fn n_regions(&self) -> usize {
        1
    }

    /// Returns the region of a state, below `n_regions`. Data-flow algorithms
    /// process one region at a time.
    fn region(&self, _state: &[Word]) -> usize {
        0
    }
}

/// Why a system cannot compute all successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abort {
    /// A state needs more room than the layout has. The search must start again
    /// with another layout, and the appended successors are invalid.
    Restart,
    /// A step is too long to be followed to its end. The appended successors
    /// are valid, but there may be more.
    TooLong,
    /// The run must stop, which was noticed while successors were computed. The
    /// appended successors are valid.
    Stopped(Stop),
}

/// A system in which an infinite run can be a counterexample: a run around a
/// cycle on which every mark occurs.
pub trait Marked: TransitionSystem {
    /// Returns all marks, as bits.
    fn all_marks(&self) -> u64;

    /// Appends every successor, like `successors`, and the marks of its step.
    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort>;
}

/// An estimate of the distance to a goal, looked up in tables that are built
/// when the search begins.
pub trait Heuristic {
    /// Returns the number of units of an estimate per statement.
    fn per_step(&self) -> u32 {
        1
    }

    /// Returns the estimated distance from a state to a goal, in units. `None`
    /// guarantees that no goal is reachable, so an exhausted search remains a
    /// proof.
    fn estimate(&mut self, arrived: &Arrived) -> Option<u32>;
}

/// A state that a search has reached, and the path to it.
#[derive(Clone, Copy, Debug)]
pub struct Arrived<'a> {
    /// Number of the state.
    pub id: StateId,
    /// Words of the state.
    pub state: &'a [Word],
    /// Length of the path to the state, in statements.
    pub g: u32,
    /// Previous state on that path, and the step from it. `None` for the
    /// initial state, and in searches that do not store steps.
    pub from: Option<(StateId, Step)>,
}

define_id!(
    /// A state of a search, numbered in the order of arrival.
    StateId
);

/// Properties of a heuristic that are known before it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Name in the strategy language.
    pub name: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// Whether the estimate never exceeds the distance.
    pub admissible: bool,
    /// Whether a step lowers the estimate by at most one step.
    pub monotone: bool,
}

/// A step from one state to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Identity of the step.
    pub id: StepId,
    /// Length in statements; an atomic sequence or a rendezvous has several.
    pub cost: u32,
    /// Process that takes the step; for a rendezvous, the one that sends or
    /// calls.
    pub process: u32,
}

/// Identity of a step, which only the engine that created it can interpret.
/// Equal ids mean equal steps in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u64);

impl Step {
    /// A step of one statement without further information.
    pub const PLAIN: Self = Self { id: StepId(0), cost: 1, process: 0 };

    /// Returns a plain step of the given length.
    pub fn of_cost(cost: u32) -> Self {
        Self { cost, ..Self::PLAIN }
    }
}

/// Successors of one state in one buffer, each with its step.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    words: Vec<Word>,
    steps: Vec<Step>,
}

impl Successors {
    /// Creates an empty buffer for states of `width` words; `width` is at least
    /// one.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a state has words");
        Self { width, words: Vec::new(), steps: Vec::new() }
    }

    /// Removes all successors.
    pub fn clear(&mut self) {
        self.words.clear();
        self.steps.clear();
    }

    /// Returns the number of successors.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the number of words of all successors.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Returns whether there are no successors.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Appends a copy of `parent` and returns it for editing.
    #[inline]
    pub fn branch(&mut self, step: Step, parent: &[Word]) -> &mut [Word] {
        let start = self.words.len();
        self.steps.push(step);
        self.words.extend_from_slice(parent);
        &mut self.words[start..]
    }

    /// Appends a successor made of these words and returns it for editing.
    #[inline]
    pub fn branch_from(&mut self, step: Step, words: impl Iterator<Item = Word>) -> &mut [Word] {
        let start = self.words.len();
        self.steps.push(step);
        self.words.extend(words);
        debug_assert_eq!(self.words.len(), self.steps.len() * self.width, "a state has `width` words");
        &mut self.words[start..]
    }

    /// Removes the last successor.
    pub fn pop(&mut self) {
        self.steps.pop();
        self.words.truncate(self.steps.len() * self.width);
    }

    /// Appends a successor for each step; it differs from `parent` in the bits
    /// of its row of `changes`.
    #[inline]
    pub fn branch_all(&mut self, steps: &[Step], parent: &[Word], changes: &[Word]) {
        // Most processes have one successor in a state.
        match steps {
            [step] => self.steps.push(*step),
            _ => self.steps.extend_from_slice(steps),
        }
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

    /// Keeps the first `n` successors, and of the others those that are wanted.
    pub fn retain_from(&mut self, n: usize, mut keep: impl FnMut(&[Word]) -> bool) {
        let mut n_kept = n;
        for index in n..self.steps.len() {
            let start = index * self.width;
            if !keep(&self.words[start..start + self.width]) {
                continue;
            }
            self.words.copy_within(start..start + self.width, n_kept * self.width);
            self.steps[n_kept] = self.steps[index];
            n_kept += 1;
        }
        self.truncate(n_kept);
    }

    /// Returns the steps in the order in which they were appended.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Iterates over the states in the order in which they were appended.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[Word]> + ExactSizeIterator {
        self.words.chunks_exact(self.width)
    }
}
