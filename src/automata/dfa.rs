//! Deterministic, total automata.

use fixedbitset::FixedBitSet;

/// A state, `0..n_states`.
pub type State = u32;

/// A symbol, `0..n_symbols`.
pub type Symbol = u32;

/// A deterministic automaton with a transition for every state and symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    n_symbols: usize,
    start: State,
    accepting: FixedBitSet,
    /// One row per state, one column per symbol.
    next: Vec<State>,
}

impl Dfa {
    /// Creates an automaton from its table, `next[state * n_symbols + symbol]`,
    /// and one bit per state in `accepting`, whose length is the number of
    /// states.
    pub fn new(n_symbols: usize, start: State, accepting: FixedBitSet, next: Vec<State>) -> Self {
        let n_states = accepting.len();
        assert!((start as usize) < n_states, "the start state is a state");
        assert_eq!(next.len(), n_states * n_symbols, "one transition per state and symbol");
        assert!(next.iter().all(|&state| (state as usize) < n_states), "targets are states");
        Self { n_symbols, start, accepting, next }
    }

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    /// Returns the number of symbols.
    pub fn n_symbols(&self) -> usize {
        self.n_symbols
    }

    /// Returns the initial state.
    pub fn start(&self) -> State {
        self.start
    }

    /// Returns whether the state is accepting.
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting.contains(state as usize)
    }

    /// Returns the state after `symbol`.
    pub fn next(&self, state: State, symbol: Symbol) -> State {
        self.next[state as usize * self.n_symbols + symbol as usize]
    }

    /// Returns the state after a word.
    pub fn run(&self, word: impl IntoIterator<Item = Symbol>) -> State {
        word.into_iter().fold(self.start, |state, symbol| self.next(state, symbol))
    }

    /// Returns whether the word is in the language.
    pub fn accepts(&self, word: impl IntoIterator<Item = Symbol>) -> bool {
        self.is_accepting(self.run(word))
    }

    /// Returns the states from which no accepting state is reachable.
    pub fn dead_states(&self) -> FixedBitSet {
        let n_states = self.n_states();
        let mut predecessors = vec![Vec::new(); n_states];
        for state in 0..n_states as State {
            for symbol in 0..self.n_symbols as Symbol {
                predecessors[self.next(state, symbol) as usize].push(state);
            }
        }
        let mut dead = FixedBitSet::with_capacity(n_states);
        dead.insert_range(..);
        let mut pending: Vec<State> = self.accepting.ones().map(|state| state as State).collect();
        for &state in &pending {
            dead.remove(state as usize);
        }
        while let Some(state) = pending.pop() {
            for &before in &predecessors[state as usize] {
                if dead.contains(before as usize) {
                    dead.remove(before as usize);
                    pending.push(before);
                }
            }
        }
        dead
    }

    /// Returns whether the language is prefix-closed, so that a violation is
    /// final. Then all reachable non-accepting states are dead.
    pub fn is_safety(&self) -> bool {
        let dead = self.dead_states();
        self.reachable().ones().all(|state| self.is_accepting(state as State) || dead.contains(state))
    }

    /// Returns the reachable states.
    pub fn reachable(&self) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.n_states());
        reached.insert(self.start as usize);
        let mut pending = vec![self.start];
        while let Some(state) = pending.pop() {
            for symbol in 0..self.n_symbols as Symbol {
                let next = self.next(state, symbol);
                if !reached.put(next as usize) {
                    pending.push(next);
                }
            }
        }
        reached
    }
}
