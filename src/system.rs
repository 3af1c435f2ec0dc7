//! The contract between engines and search: flat states and what follows
//! them.

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
    fn successors(&mut self, state: &[Word], out: &mut Successors);

    /// Does `state` complete a counterexample?
    fn is_goal(&self, state: &[Word]) -> bool;

    /// Has stepping failed, so that successors are missing and what was found
    /// must be thrown away?
    fn must_restart(&self) -> bool {
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

/// A system in which a run without end can be a counterexample: one that goes
/// round a cycle on which every mark stands.
pub trait Marked: TransitionSystem {
    /// All marks, as bits.
    fn all_marks(&self) -> u64;

    /// As `successors`, and for each the marks of the step that leads there.
    fn marked_successors(&mut self, state: &[Word], out: &mut Successors, marks: &mut Vec<u64>);
}

/// An estimate of the way that is left, looked up in tables that were made
/// when the search began.
pub trait Heuristic {
    /// How many units of an estimate make one step.
    fn per_step(&self) -> u32 {
        1
    }

    /// The steps from a state to a goal, in units. `None` is a promise that no
    /// goal can be reached, so that an exhausted search stays a proof.
    fn estimate(&mut self, state: &[Word]) -> Option<u32>;
}

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

/// Successors of one state, side by side in one buffer.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    words: Vec<Word>,
    /// Steps that do not count as one: the number of the successor and what
    /// its step counts as.
    lengths: Vec<(usize, u32)>,
}

impl Successors {
    /// An empty buffer for states of `width` words, at least one.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a state has words");
        Self { width, words: Vec::new(), lengths: Vec::new() }
    }

    /// Forgets all successors.
    pub fn clear(&mut self) {
        self.words.clear();
        self.lengths.clear();
    }

    /// How many successors there are.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Words of all successors together.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Appends a copy of `parent` and lends it for editing.
    pub fn branch(&mut self, parent: &[Word]) -> &mut [Word] {
        let start = self.words.len();
        self.words.extend_from_slice(parent);
        &mut self.words[start..]
    }

    /// Keeps the first `n` successors.
    pub fn truncate(&mut self, n: usize) {
        self.words.truncate(n * self.width);
        self.lengths.retain(|(index, _)| *index < n);
    }

    /// Says what the step to the successor that came last counts as, if not
    /// as one step.
    #[inline]
    pub fn set_length(&mut self, length: u32) {
        if length != 1 {
            self.lengths.push((self.len() - 1, length));
        }
    }

    /// Says what the steps to the successors that came last count as.
    pub fn set_lengths(&mut self, lengths: &[u32]) {
        let first = self.len() - lengths.len();
        let longer = lengths.iter().enumerate().filter(|(_, length)| **length != 1);
        self.lengths.extend(longer.map(|(index, length)| (first + index, *length)));
    }

    /// What the step to a successor counts as.
    #[inline]
    pub fn length(&self, index: usize) -> u32 {
        if self.lengths.is_empty() {
            return 1;
        }
        let found = self.lengths.binary_search_by_key(&index, |(index, _)| *index);
        found.map_or(1, |at| self.lengths[at].1)
    }

    /// What the steps count as, in the order of the successors.
    #[inline]
    pub fn lengths(&self) -> impl Iterator<Item = u32> {
        let mut longer = self.lengths.iter().peekable();
        (0..self.len()).map(move |index| longer.next_if(|it| it.0 == index).map_or(1, |it| it.1))
    }

    /// What the steps to all successors count as together.
    pub fn total_length(&self) -> u64 {
        let longer = self.lengths.iter().map(|(_, length)| u64::from(*length).saturating_sub(1));
        self.len() as u64 + longer.sum::<u64>()
    }

    /// The states in the order of their arrival.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[Word]> + ExactSizeIterator {
        self.words.chunks_exact(self.width)
    }
}
