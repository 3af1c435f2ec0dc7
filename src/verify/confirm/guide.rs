//! Automata that accept the executions along a counterexample.

use crate::automata::{Dfa, State};
use crate::lang::spec::property::{Event, EventAutomaton};
use crate::lang::task::program::{Action, Program, VariableId};
use crate::verify::flow::{Constraint, FlowProblem};
use crate::verify::report::Report;
use crate::verify::trail::{self, Step};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Maximum number of events that are followed.
const MAX_EVENTS: usize = 2_000;

/// An automaton that accepts the executions whose events are those of a
/// counterexample, in their order.
pub struct Guide {
    /// Its state is the number of events so far. After the prefix that violates
    /// the property, all events are accepted.
    pub automaton: EventAutomaton,
    /// The symbol of each event.
    word: Vec<usize>,
    /// Per event, the position of its step in the counterexample.
    pub positions: Vec<usize>,
}

impl Guide {
    /// Follows the steps of a counterexample: events of the property and of
    /// assumptions, and writes of variables that are constraints. Reads are left
    /// out, because a guard and its rendezvous are one step of an execution.
    /// `None` if there are too many steps.
    pub fn of_steps(problem: &FlowProblem, found: &Report) -> Option<Self> {
        let (steps, is_open) = steps(found)?;
        let followed = followed_labels(problem);
        let is_followed = |step: &Step| label(step).is_some_and(|it| followed.contains(it));
        let positions: Vec<usize> = (0..steps.len()).filter(|&at| is_followed(&steps[at].1)).collect();
        let word: Vec<&str> = positions.iter().filter_map(|&at| label(&steps[at].1)).collect();
        let symbols: BTreeSet<&str> = word.iter().copied().collect();
        let event = |label: &&str| Event { name: label.to_string(), labels: vec![label.to_string()] };
        let mut events: Vec<Event> = symbols.iter().map(event).collect();
        let others: Vec<String> =
            followed.iter().filter(|it| !symbols.contains(it.as_str())).cloned().collect();
        if !others.is_empty() {
            events.push(Event { name: "other".to_string(), labels: others });
        }
        let symbol = |label: &&str| symbols.iter().position(|it| it == label);
        Self::new(events, word.iter().filter_map(symbol).collect(), is_open, positions)
    }

    /// Follows the events of the property alone.
    pub fn of_events(problem: &FlowProblem, found: &Report) -> Option<Self> {
        let (steps, is_open) = steps(found)?;
        let events = &problem.property.events;
        let symbol = |step: &Step| {
            let label = label(step)?;
            events.iter().position(|event| event.labels.iter().any(|it| it == label))
        };
        let word = steps.iter().enumerate().filter_map(|(at, (_, step))| Some((at, symbol(step)?)));
        let (positions, symbols): (Vec<usize>, Vec<usize>) = word.unzip();
        Self::new(events.clone(), symbols, is_open, positions)
    }

    fn new(events: Vec<Event>, word: Vec<usize>, is_open: bool, positions: Vec<usize>) -> Option<Self> {
        if word.len() > MAX_EVENTS {
            return None;
        }
        let automaton = automaton(events, &word, is_open);
        Some(Self { automaton, word, positions })
    }

    /// Returns an automaton that accepts the executions that begin with the first
    /// `n_events` events.
    pub fn beginning(&self, n_events: usize) -> EventAutomaton {
        automaton(self.automaton.events.clone(), &self.word[..n_events], true)
    }
}

/// Returns an automaton that accepts a word and, if it is open, everything that
/// begins with the word. State `n` is reached after `n` events of the word, the
/// last one rejects.
fn automaton(events: Vec<Event>, word: &[usize], is_open: bool) -> EventAutomaton {
    let (n_symbols, last) = (events.len(), word.len());
    let rejecting = last as State + 1;
    let mut next = vec![rejecting; (last + 2) * n_symbols];
    for (state, symbol) in word.iter().enumerate() {
        next[state * n_symbols + symbol] = state as State + 1;
    }
    if is_open {
        next[last * n_symbols..][..n_symbols].fill(last as State);
    }
    let mut accepting = FixedBitSet::with_capacity(last + 2);
    accepting.insert(last);
    let state_names = (0..last + 2).map(|state| state.to_string()).collect();
    EventAutomaton { events, dfa: Dfa::new(n_symbols, 0, accepting, next), state_names }
}

/// Returns the steps up to the violation, and whether any events may follow.
/// `None` if not all of them are described.
fn steps(found: &Report) -> Option<(&[(usize, Step)], bool)> {
    let counterexample = found.counterexample.as_ref()?;
    let steps = &counterexample.trail.steps;
    match counterexample.prefix {
        Some(prefix) => Some((steps.get(..prefix)?, true)),
        None => (steps.len() == counterexample.length()).then_some((steps, false)),
    }
}

fn label(step: &Step) -> Option<&str> {
    match &step.action {
        trail::Action::Label(label) => Some(label),
        trail::Action::Statement | trail::Action::End => None,
    }
}

/// Returns the labels of the events of property and assumptions, and of the
/// writes of variables that are constraints.
fn followed_labels(problem: &FlowProblem) -> BTreeSet<String> {
    let automata = problem.constraints.iter().filter_map(|it| match it {
        Constraint::Context { automaton, .. } => Some(*automaton),
        _ => None,
    });
    let events = [problem.property].into_iter().chain(automata).flat_map(|it| &it.events);
    let mut labels: BTreeSet<String> = events.flat_map(|it| it.labels.iter().cloned()).collect();
    let variables: Vec<VariableId> = problem
        .constraints
        .iter()
        .filter_map(|it| match it {
            Constraint::Variable(variable) => Some(*variable),
            _ => None,
        })
        .collect();
    labels.extend(writes(problem.program, &variables));
    labels
}

fn writes<'p>(program: &'p Program, variables: &'p [VariableId]) -> impl Iterator<Item = String> + 'p {
    let actions = program.tasks.iter().flat_map(|it| &it.edges).map(|it| &it.action);
    let writes = actions.filter(|it| match it {
        Action::Assign { variable, .. } | Action::Shift { variable, .. } => variables.contains(variable),
        _ => false,
    });
    writes.filter_map(|it| program.label(it))
}
