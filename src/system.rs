//! The contract between engines and search: flat states, named steps.

/// A unit of a state.
pub type Word = u64;

/// Names a step of the engine that produced it; only that engine can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepId(pub u32);

/// The model is immutable and shared. An implementor is a cheap *view* of it
/// that owns its scratch space, which is why stepping takes `&mut self`.
pub trait TransitionSystem {
    /// Words per state.
    fn width(&self) -> usize;

    /// Writes the initial state.
    fn initial(&self, state: &mut [Word]);

    /// Appends every successor, in an order that depends on `state` alone.
    fn successors(&mut self, state: &[Word], out: &mut Successors);

    /// Does `state` complete a counterexample?
    fn is_goal(&self, state: &[Word]) -> bool;

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

/// Successors of one state, side by side in one buffer.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    steps: Vec<StepId>,
    words: Vec<Word>,
}

impl Successors {
    /// An empty buffer for states of `width` words.
    pub fn new(width: usize) -> Self {
        Self { width, steps: Vec::new(), words: Vec::new() }
    }

    /// Forgets all successors.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.words.clear();
    }

    /// How many successors there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Appends a copy of `parent` and lends it for editing.
    pub fn branch(&mut self, step: StepId, parent: &[Word]) -> &mut [Word] {
        let start = self.words.len();
        self.steps.push(step);
        self.words.extend_from_slice(parent);
        &mut self.words[start..]
    }

    /// The state of a successor.
    pub fn state(&self, index: usize) -> &[Word] {
        &self.words[index * self.width..][..self.width]
    }

    /// Steps and states in the order of their arrival.
    pub fn iter(&self) -> impl Iterator<Item = (StepId, &[Word])> {
        self.steps.iter().copied().zip(self.words.chunks_exact(self.width.max(1)))
    }
}
