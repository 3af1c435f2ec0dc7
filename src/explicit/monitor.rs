//! A property of the order of events and its assumptions about the environment,
//! combined in one automaton.
//!
//! The automata of property and assumptions have different events, and a step
//! can be an event for several of them. A symbol of the monitor combines the
//! symbols of a step in all automata; its states are the reachable tuples of
//! states.

use crate::automata::{MAX_STATES, State, Symbol, TooLarge};
use crate::base::cancel::checkpoint;
use crate::lang::spec::property::{EventAutomaton, Executions};
use std::collections::HashMap;

/// The product of property and assumptions.
#[derive(Clone, Debug)]
pub struct Monitor {
    n_symbols: usize,
    /// Successor per state and symbol.
    next: Vec<State>,
    /// Judgement per state.
    judgements: Vec<Judgement>,
    /// Event of the property per symbol; `None` if only assumptions have it.
    events: Vec<Option<String>>,
    /// State of the last automaton, per state.
    last: Vec<State>,
}

/// Verdict on a run that has reached a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// Whether the property is violated, however the run continues.
    pub is_broken: bool,
    /// Whether the property is violated if the run ends here, and every
    /// assumption accepts it.
    pub is_wrong_at_end: bool,
    /// Whether every assumption accepts the run so far.
    pub is_assumed: bool,
    /// Whether an assumption rejects the run, however it continues.
    pub is_excluded: bool,
    /// Whether the property is violated at the end of the run, however it
    /// continues.
    pub is_trapped: bool,
}

/// Maps labels to symbols of the monitor.
#[derive(Debug)]
pub(super) struct Alphabet<'a> {
    automata: Vec<&'a EventAutomaton>,
    /// Per symbol, the symbols of all automata.
    symbols: Vec<Vec<Option<Symbol>>>,
}

impl<'a> Alphabet<'a> {
    /// Creates an empty alphabet. The property is the first of the automata.
    pub fn new(automata: Vec<&'a EventAutomaton>) -> Self {
        Self { automata, symbols: Vec::new() }
    }

    /// Returns the symbol of a label; `None` if it is not an event of any
    /// automaton.
    pub fn symbol(&mut self, label: &String) -> Option<Symbol> {
        let of_automaton = |it: &&EventAutomaton| {
            it.events.iter().position(|event| event.labels.contains(label)).map(|it| it as Symbol)
        };
        let joint: Vec<Option<Symbol>> = self.automata.iter().map(of_automaton).collect();
        if joint.iter().all(Option::is_none) {
            return None;
        }
        let known = self.symbols.iter().position(|it| *it == joint);
        let symbol = known.unwrap_or_else(|| {
            self.symbols.push(joint);
            self.symbols.len() - 1
        });
        Some(symbol as Symbol)
    }

    /// Builds the monitor over all symbols that were requested.
    pub fn monitor(self, executions: Executions) -> Result<Monitor, TooLarge> {
        let n_symbols = self.symbols.len();
        let start: Vec<State> = self.automata.iter().map(|it| it.dfa.start()).collect();
        let mut ids: HashMap<Vec<State>, State> = HashMap::from([(start.clone(), 0)]);
        let mut tuples = vec![start];
        let mut next = Vec::new();
        while next.len() < tuples.len() * n_symbols {
            checkpoint();
            let tuple = tuples[next.len() / n_symbols].clone();
            for joint in &self.symbols {
                let step = |(index, symbol): (usize, &Option<Symbol>)| match symbol {
                    Some(symbol) => self.automata[index].dfa.next(tuple[index], *symbol),
                    None => tuple[index],
                };
                let after: Vec<State> = joint.iter().enumerate().map(step).collect();
                let id = *ids.entry(after.clone()).or_insert(tuples.len() as State);
                if id as usize == tuples.len() {
                    tuples.push(after);
                }
                next.push(id);
            }
            if tuples.len() > MAX_STATES {
                return Err(TooLarge);
            }
        }
        let judgements = self.judgements(&tuples, executions);
        let event = |joint: &Vec<Option<Symbol>>| {
            joint[0].map(|symbol| self.automata[0].events[symbol as usize].name.clone())
        };
        let events = self.symbols.iter().map(event).collect();
        let last = tuples.iter().filter_map(|it| it.last().copied()).collect();
        Ok(Monitor { n_symbols, next, judgements, events, last })
    }

    fn judgements(&self, tuples: &[Vec<State>], executions: Executions) -> Vec<Judgement> {
        let dead: Vec<_> = self.automata.iter().map(|it| it.dfa.dead_states()).collect();
        let judgement = |tuple: &Vec<State>| {
            let accepts = |index: usize| self.automata[index].dfa.is_accepting(tuple[index]);
            let is_dead = |index: usize| dead[index].contains(tuple[index] as usize);
            let mut assumptions = 1..self.automata.len();
            let is_assumed = assumptions.clone().all(accepts);
            Judgement {
                is_broken: executions == Executions::Prefixes && !accepts(0),
                is_wrong_at_end: !accepts(0) && is_assumed,
                is_assumed,
                is_excluded: assumptions.any(is_dead),
                is_trapped: executions == Executions::Complete && is_dead(0),
            }
        };
        tuples.iter().map(judgement).collect()
    }
}

impl Monitor {
    /// Initial state.
    pub(super) const START: State = 0;

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.judgements.len()
    }

    /// Returns the number of symbols.
    pub(super) fn n_symbols(&self) -> usize {
        self.n_symbols
    }

    /// Returns whether both orders of two events lead to the same state, from
    /// every state.
    pub(super) fn commute(&self, one: Symbol, other: Symbol) -> bool {
        (0..self.n_states() as State)
            .all(|it| self.next(self.next(it, one), other) == self.next(self.next(it, other), one))
    }

    /// Returns, per state, whether a run that has reached it can still violate
    /// the property in a prefix.
    pub(super) fn can_break(&self) -> Vec<bool> {
        let mut can_break: Vec<bool> = self.judgements.iter().map(|it| it.is_broken).collect();
        let mut before = vec![Vec::new(); self.n_states()];
        for (index, &next) in self.next.iter().enumerate() {
            before[next as usize].push(index / self.n_symbols);
        }
        let mut open: Vec<usize> = (0..self.n_states()).filter(|it| can_break[*it]).collect();
        while let Some(state) = open.pop() {
            checkpoint();
            for &previous in &before[state] {
                if !std::mem::replace(&mut can_break[previous], true) {
                    open.push(previous);
                }
            }
        }
        can_break
    }

    /// Returns whether every continuation of a run that violates the property in
    /// a prefix is judged so.
    pub(super) fn stays_broken(&self) -> bool {
        self.next.iter().enumerate().all(|(index, &next)| {
            let before = &self.judgements[index / self.n_symbols];
            !before.is_broken || self.judge(next).is_broken
        })
    }

    /// Returns whether a run that ends without an event violates the property.
    pub(super) fn is_wrong_without_events(&self) -> bool {
        self.judge(Self::START).is_wrong_at_end
    }

    /// Returns the state of the last automaton: of the last assumption, or of
    /// the property if there is none.
    pub(super) fn last(&self, state: State) -> State {
        self.last[state as usize]
    }

    /// Returns the event of the property that a symbol is.
    pub(super) fn event(&self, symbol: Symbol) -> Option<&str> {
        self.events[symbol as usize].as_deref()
    }

    /// Returns the state after an event.
    #[inline]
    pub(super) fn next(&self, state: State, symbol: Symbol) -> State {
        self.next[state as usize * self.n_symbols + symbol as usize]
    }

    /// Returns the verdict on a run that has reached a state.
    #[inline]
    pub(super) fn judge(&self, state: State) -> Judgement {
        self.judgements[state as usize]
    }
}
