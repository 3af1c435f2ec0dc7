//! Minimal automata with a canonical numbering.
//!
//! Hopcroft's algorithm is used because counts in regular expressions make long
//! chains on which round-by-round refinement is quadratic. States are numbered
//! in breadth-first order from the start, so two minimal automata of the same
//! language are equal as values.

use super::{Dfa, State, Symbol};
use crate::base::cancel::checkpoint;
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

impl Dfa {
    /// Returns the minimal automaton of the same language.
    #[must_use]
    pub fn minimise(&self) -> Dfa {
        self.minimise_with_map().0
    }

    /// Returns the minimal automaton, and its state for each state of this one;
    /// `None` for unreachable states.
    pub fn minimise_with_map(&self) -> (Dfa, Vec<Option<State>>) {
        let (trimmed, trimmed_of) = self.quotient(&(0..self.n_states()).collect::<Vec<_>>());
        let classes = Partition::refine(&trimmed).class;
        let (minimal, minimal_of) = trimmed.quotient(&classes);
        let map = trimmed_of.iter().map(|state| state.and_then(|state| minimal_of[state as usize])).collect();
        (minimal, map)
    }

    /// Returns the automaton of the classes reachable from the start, and the
    /// new number of each old state. States of one class must agree on
    /// acceptance and on the classes of their successors.
    fn quotient(&self, class: &[usize]) -> (Dfa, Vec<Option<State>>) {
        let mut number = vec![None; self.n_states()];
        let mut members = vec![self.start()];
        number[class[self.start() as usize]] = Some(0);
        let mut next = Vec::new();
        let mut done = 0;
        while done < members.len() {
            for symbol in 0..self.n_symbols() as Symbol {
                let target = self.next(members[done], symbol);
                let slot = &mut number[class[target as usize]];
                next.push(*slot.get_or_insert_with(|| {
                    members.push(target);
                    members.len() as State - 1
                }));
            }
            done += 1;
        }
        let mut accepting = FixedBitSet::with_capacity(members.len());
        for (new, &old) in members.iter().enumerate() {
            accepting.set(new, self.is_accepting(old));
        }
        let map = class.iter().map(|&class| number[class]).collect();
        (Dfa::new(self.n_symbols(), 0, accepting, next), map)
    }
}

/// A partition of the states into blocks; each block is a slice of `order`.
struct Partition {
    /// All states; the states of a block are contiguous.
    order: Vec<usize>,
    /// Position of each state in `order`.
    position: Vec<usize>,
    /// Block of each state.
    class: Vec<usize>,
    /// First and one past the last position of a block.
    blocks: Vec<(usize, usize)>,
    /// Number of members moved to the front of each block so far.
    marked: Vec<usize>,
}

impl Partition {
    fn refine(dfa: &Dfa) -> Self {
        let n_states = dfa.n_states();
        let mut partition = Self {
            order: (0..n_states).collect(),
            position: (0..n_states).collect(),
            class: vec![0; n_states],
            blocks: vec![(0, n_states)],
            marked: vec![0],
        };
        let mut pending: VecDeque<usize> = VecDeque::from([0]);
        for state in 0..n_states {
            if dfa.is_accepting(state as State) {
                partition.mark(state);
            }
        }
        pending.extend(partition.split(0));
        let predecessors = Predecessors::new(dfa);
        let mut splitter = Vec::new();
        while let Some(block) = pending.pop_front() {
            checkpoint();
            let (from, to) = partition.blocks[block];
            splitter.clear();
            splitter.extend_from_slice(&partition.order[from..to]);
            for symbol in 0..dfa.n_symbols() {
                let mut touched = Vec::new();
                for &state in &splitter {
                    for &before in predecessors.of(state, symbol) {
                        if partition.mark(before) == 1 {
                            touched.push(partition.class[before]);
                        }
                    }
                }
                // The split-off part is never the larger one and is always
                // queued, which is correct whether or not the other part is
                // queued.
                pending.extend(touched.into_iter().filter_map(|block| partition.split(block)));
            }
        }
        partition
    }

    /// Moves a state to the marked front of its block. Returns the number of
    /// states there, or 0 if the state was there already.
    fn mark(&mut self, state: usize) -> usize {
        let block = self.class[state];
        let front = self.blocks[block].0 + self.marked[block];
        let position = self.position[state];
        if position < front {
            return 0;
        }
        let other = self.order[front];
        self.order.swap(front, position);
        self.position[other] = position;
        self.position[state] = front;
        self.marked[block] += 1;
        self.marked[block]
    }

    /// Makes the smaller of the marked and the unmarked part a new block.
    fn split(&mut self, block: usize) -> Option<usize> {
        let (from, to) = self.blocks[block];
        let middle = from + std::mem::take(&mut self.marked[block]);
        if middle == from || middle == to {
            return None;
        }
        let (kept, moved) = if middle - from <= to - middle {
            ((middle, to), (from, middle))
        } else {
            ((from, middle), (middle, to))
        };
        let new = self.blocks.len();
        self.blocks[block] = kept;
        self.blocks.push(moved);
        self.marked.push(0);
        for &state in &self.order[moved.0..moved.1] {
            self.class[state] = new;
        }
        Some(new)
    }
}

/// Predecessors of each state, by symbol, in one vector.
struct Predecessors {
    n_symbols: usize,
    start: Vec<usize>,
    states: Vec<usize>,
}

impl Predecessors {
    fn new(dfa: &Dfa) -> Self {
        let n_symbols = dfa.n_symbols();
        let edges = || {
            (0..dfa.n_states()).flat_map(move |state| {
                (0..n_symbols).map(move |symbol| {
                    (state, dfa.next(state as State, symbol as Symbol) as usize * n_symbols + symbol)
                })
            })
        };
        let mut start = vec![0; dfa.n_states() * n_symbols + 1];
        for (_, slot) in edges() {
            start[slot + 1] += 1;
        }
        for slot in 1..start.len() {
            start[slot] += start[slot - 1];
        }
        let mut fill = start.clone();
        let mut states = vec![0; dfa.n_states() * n_symbols];
        for (state, slot) in edges() {
            states[fill[slot]] = state;
            fill[slot] += 1;
        }
        Self { n_symbols, start, states }
    }

    fn of(&self, state: usize, symbol: usize) -> &[usize] {
        let slot = state * self.n_symbols + symbol;
        &self.states[self.start[slot]..self.start[slot + 1]]
    }
}
