//! Dependence by a property of the order of events: its automaton is a variable
//! that every transition with an event reads and writes.

use super::relations::Row;
use crate::analysis::dependence::{Dependence, SystemTransitionId};
use crate::automata::{State, Symbol};
use crate::base::cancel::checkpoint;
use crate::explicit::sequence::Sequence;
use std::sync::OnceLock;

/// The events of transitions, and which of them commute.
#[derive(Debug)]
pub(super) struct Events {
    /// Per transition, its possible events, sorted.
    symbols: Vec<Vec<Symbol>>,
    n_symbols: usize,
    /// Per pair of symbols, whether both orders lead to the same state.
    commuting: Vec<bool>,
    /// Per state and symbol, whether the event can bring a violation closer.
    leads_on: Vec<bool>,
    /// Per state, the transitions with such an event.
    goals: Vec<OnceLock<Row>>,
}

impl Events {
    pub fn new(dependence: &Dependence, sequence: &Sequence) -> Self {
        let monitor = sequence.monitor();
        let n_symbols = monitor.n_symbols();
        let all = || (0..n_symbols).map(|it| it as Symbol);
        // If a continuation can repair a violation, one within a transition may be
        // seen in one order only.
        let stays_broken = monitor.stays_broken();
        let pairs = all().flat_map(|one| all().map(move |other| (one, other)));
        let commuting = pairs.map(|(one, other)| {
            checkpoint();
            stays_broken && monitor.commute(one, other)
        });
        let can_break = monitor.can_break();
        let states = (0..monitor.n_states()).map(|it| it as State);
        let leads_on = states.flat_map(|state| {
            checkpoint();
            let can_break = &can_break;
            all().map(move |symbol| {
                let next = monitor.next(state, symbol);
                next != state && can_break[next as usize]
            })
        });
        Self {
            symbols: (0..dependence.n_transitions())
                .map(|it| sequence.events_of(dependence.executes(SystemTransitionId::new(it))))
                .collect(),
            n_symbols,
            commuting: commuting.collect(),
            leads_on: leads_on.collect(),
            goals: (0..monitor.n_states()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns whether the events of two transitions commute in every state.
    pub fn commute(&self, one: usize, other: usize) -> bool {
        self.symbols[one].iter().all(|one| {
            self.symbols[other]
                .iter()
                .all(|other| self.commuting[*one as usize * self.n_symbols + *other as usize])
        })
    }

    /// Returns the transitions of which one must be executed before a run that
    /// has reached a state violates the property.
    pub fn goals(&self, state: State) -> &[u64] {
        self.goals[state as usize].get_or_init(|| {
            let mut row = vec![0_u64; self.symbols.len().div_ceil(64)].into_boxed_slice();
            for (transition, symbols) in self.symbols.iter().enumerate() {
                let first = state as usize * self.n_symbols;
                if symbols.iter().any(|it| self.leads_on[first + *it as usize]) {
                    row[transition / 64] |= 1 << (transition % 64);
                }
            }
            row
        })
    }
}
