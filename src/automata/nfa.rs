//! Nondeterministic automata with empty transitions: the step from a regular
//! expression to a [`Dfa`].

use super::{Dfa, MAX_EFFORT, MAX_STATES, Regex, State, Symbol, TooLarge};
use crate::base::cancel::checkpoint;
use fixedbitset::FixedBitSet;
use std::collections::HashMap;

/// An automaton with one final state.
#[derive(Clone, Debug)]
pub struct Nfa {
    n_symbols: usize,
    states: Vec<Node>,
    start: State,
    end: State,
    /// Number of symbols on all transitions.
    n_arrows: usize,
}

#[derive(Clone, Debug, Default)]
struct Node {
    empty: Vec<State>,
    /// Transitions: symbols and target.
    steps: Vec<(Vec<Symbol>, State)>,
}

impl Nfa {
    /// Returns the automaton of an expression, by Thompson's construction.
    pub fn of(regex: &Regex, n_symbols: usize) -> Result<Self, TooLarge> {
        let mut nfa = Self { n_symbols, states: vec![Node::default()], start: 0, end: 0, n_arrows: 0 };
        nfa.end = nfa.append(regex, 0)?;
        Ok(nfa)
    }

    /// Adds the automaton of `regex` after `from` and returns its last state.
    ///
    /// No transition is added *into* `from`, so several alternatives can begin
    /// there. What the caller adds to the returned state is read after the
    /// word.
    fn append(&mut self, regex: &Regex, from: State) -> Result<State, TooLarge> {
        match regex {
            Regex::Empty => Ok(from),
            Regex::OneOf(symbols) => self.append_step(symbols.clone(), from),
            Regex::NoneOf(symbols) => {
                let rest = (0..self.n_symbols as Symbol).filter(|symbol| !symbols.contains(symbol));
                self.append_step(rest.collect(), from)
            }
            Regex::Sequence(parts) => parts.iter().try_fold(from, |at, part| self.append(part, at)),
            Regex::Alternation(parts) => self.append_alternation(parts, from),
            Regex::Repeat { body, at_least, at_most } => self.append_repeat(body, *at_least, *at_most, from),
        }
    }

    fn append_step(&mut self, mut symbols: Vec<Symbol>, from: State) -> Result<State, TooLarge> {
        let to = self.add_state()?;
        symbols.sort_unstable();
        symbols.dedup();
        self.n_arrows += symbols.len();
        if self.n_arrows > MAX_EFFORT {
            return Err(TooLarge);
        }
        self.states[from as usize].steps.push((symbols, to));
        Ok(to)
    }

    fn append_alternation(&mut self, parts: &[Regex], from: State) -> Result<State, TooLarge> {
        let join = self.add_state()?;
        for part in parts {
            let end = self.append(part, from)?;
            self.add_empty(end, join);
        }
        Ok(join)
    }

    fn append_repeat(
        &mut self,
        body: &Regex,
        at_least: u32,
        at_most: Option<u32>,
        from: State,
    ) -> Result<State, TooLarge> {
        let mut at = from;
        for _ in 0..at_least {
            at = self.append_copy(body, at)?;
        }
        let Some(at_most) = at_most else {
            let round = self.add_state()?;
            self.add_empty(at, round);
            let end = self.append(body, round)?;
            self.add_empty(end, round);
            return Ok(round);
        };
        let join = self.add_state()?;
        self.add_empty(at, join);
        for _ in at_least..at_most {
            at = self.append_copy(body, at)?;
            self.add_empty(at, join);
        }
        Ok(join)
    }

    /// Appends a copy of `body` that needs at least one state, so that many
    /// copies of an empty body reach the limit too.
    fn append_copy(&mut self, body: &Regex, from: State) -> Result<State, TooLarge> {
        let begin = self.add_state()?;
        self.add_empty(from, begin);
        self.append(body, begin)
    }

    fn add_state(&mut self) -> Result<State, TooLarge> {
        checkpoint();
        // Determinisation and minimisation can merge several of these states.
        if self.states.len() >= 4 * MAX_STATES {
            return Err(TooLarge);
        }
        self.states.push(Node::default());
        Ok(self.states.len() as State - 1)
    }

    fn add_empty(&mut self, from: State, to: State) {
        self.states[from as usize].empty.push(to);
    }

    /// Returns the deterministic automaton of the same language, by the subset
    /// construction; not minimal.
    pub fn determinise(&self) -> Result<Dfa, TooLarge> {
        let mut subsets = Subsets { nfa: self, sets: Vec::new(), ids: HashMap::new(), effort: 0 };
        let mut closure = Closure::new(self.states.len());
        subsets.intern(closure.of(self, &[self.start]))?;
        let mut next = Vec::new();
        let mut done = 0;
        while done < subsets.sets.len() {
            checkpoint();
            for targets in subsets.targets(done)? {
                let set = closure.of(self, &targets);
                next.push(subsets.intern(set)?);
            }
            done += 1;
        }
        let mut accepting = FixedBitSet::with_capacity(subsets.sets.len());
        for (state, set) in subsets.sets.iter().enumerate() {
            accepting.set(state, set.binary_search(&self.end).is_ok());
        }
        Ok(Dfa::new(self.n_symbols, 0, accepting, next))
    }
}

/// Sets of states found so far, each sorted.
struct Subsets<'a> {
    nfa: &'a Nfa,
    sets: Vec<Vec<State>>,
    ids: HashMap<Vec<State>, State>,
    effort: usize,
}

impl Subsets<'_> {
    fn intern(&mut self, set: Vec<State>) -> Result<State, TooLarge> {
        self.effort += set.len();
        if let Some(&id) = self.ids.get(&set) {
            return Ok(id);
        }
        if self.sets.len() >= MAX_STATES || self.effort > MAX_EFFORT {
            return Err(TooLarge);
        }
        let id = self.sets.len() as State;
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        Ok(id)
    }

    /// Returns the targets of each symbol from the states of a set, before
    /// empty transitions.
    fn targets(&mut self, id: usize) -> Result<Vec<Vec<State>>, TooLarge> {
        let mut targets = vec![Vec::new(); self.nfa.n_symbols];
        for &state in &self.sets[id] {
            for (symbols, to) in &self.nfa.states[state as usize].steps {
                self.effort += symbols.len();
                for &symbol in symbols {
                    targets[symbol as usize].push(*to);
                }
            }
        }
        if self.effort > MAX_EFFORT { Err(TooLarge) } else { Ok(targets) }
    }
}

/// Scratch memory for following empty transitions.
struct Closure {
    seen: FixedBitSet,
    pending: Vec<State>,
}

impl Closure {
    fn new(n_states: usize) -> Self {
        Self { seen: FixedBitSet::with_capacity(n_states), pending: Vec::new() }
    }

    /// Returns the states that empty transitions reach from `states`, sorted.
    fn of(&mut self, nfa: &Nfa, states: &[State]) -> Vec<State> {
        let mut set = Vec::new();
        self.pending.extend(states);
        while let Some(state) = self.pending.pop() {
            if !self.seen.put(state as usize) {
                set.push(state);
                self.pending.extend(&nfa.states[state as usize].empty);
            }
        }
        for &state in &set {
            self.seen.remove(state as usize);
        }
        set.sort_unstable();
        set
    }
}
