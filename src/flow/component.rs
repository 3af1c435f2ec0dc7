//! The automata that run beside a path of the trace flow graph: the property
//! and the constraints, each as a reaction to nodes.

use super::graph::TraceFlowGraph;
use super::nodes::{Node, NodeKey, StationId};
use crate::automata::State;
use crate::base::cancel::checkpoint;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Action, Program, TaskId, Value, VariableId};
use std::collections::{HashMap, HashSet};

/// Marker instead of a next state: the path is not an execution.
pub const VIOLATION: u32 = u32::MAX;

/// Origin of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The control flow of a task.
    Task,
    /// The values of a variable.
    Variable,
    /// A file of the user: an assumption.
    Context,
    /// The trace flow graph of fewer constraints, so that adding one never
    /// loses a proof.
    Adjacency,
}

/// An automaton over the nodes of one graph. Nodes without a column do not
/// change its state.
#[derive(Clone, Debug)]
pub struct Component {
    /// Name for reports.
    pub name: String,
    /// Kind of the constraint; `None` for the property.
    pub kind: Option<Kind>,
    /// Initial state.
    pub start: u32,
    /// Per state: whether an execution can end here; for prefixes, whether it
    /// can be continued to such an end.
    pub accepting: Vec<bool>,
    /// Per state: whether the prefix so far is acceptable without a
    /// continuation. Only a context can require a continuation; a task can stop
    /// anywhere and a variable never requires one, so all their states are
    /// complete. Used for prefixes of executions.
    pub complete: Vec<bool>,
    /// Per state: its name for reports.
    pub state_names: Vec<String>,
    /// Per node: its column, if the automaton reacts to it.
    pub column: Vec<Option<u32>>,
    n_columns: usize,
    /// Transition table with one row per state.
    next: Vec<u32>,
}

impl Component {
    /// Returns the number of states, not counting the violation.
    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    /// Returns the state after a node, or [`VIOLATION`].
    pub fn next(&self, state: u32, node: usize) -> u32 {
        match self.column[node] {
            Some(column) => self.next[state as usize * self.n_columns + column as usize],
            None => state,
        }
    }

    /// Returns the target of a column if it is the same for every state that
    /// allows the column.
    pub fn only_next(&self, column: u32) -> Option<u32> {
        let targets = self.next.iter().skip(column as usize).step_by(self.n_columns);
        let mut allowed = targets.copied().filter(|&next| next != VIOLATION);
        let first = allowed.next().unwrap_or(0);
        allowed.all(|next| next == first).then_some(first)
    }

    /// Iterates over the states after each symbol, for automata over events.
    pub(super) fn targets(&self, state: u32) -> impl Iterator<Item = u32> {
        let row = &self.next[state as usize * self.n_columns..][..self.n_columns];
        row.iter().copied().filter(|&next| next != VIOLATION)
    }

    /// Returns the predecessors of each state.
    fn predecessors(&self) -> Vec<Vec<u32>> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.n_states()];
        for state in 0..self.n_states() as u32 {
            checkpoint();
            self.targets(state).for_each(|next| before[next as usize].push(state));
        }
        before
    }

    /// Returns the minimum number of nodes from each state to one of `targets`.
    pub(super) fn distances_to(&self, targets: &[bool]) -> Vec<Option<u32>> {
        let before = self.predecessors();
        let mut distances: Vec<Option<u32>> = targets.iter().map(|&target| target.then_some(0)).collect();
        let mut level: Vec<u32> =
            (0..targets.len() as u32).filter(|&state| targets[state as usize]).collect();
        for distance in 1.. {
            let mut next_level = Vec::new();
            for &earlier in level.iter().flat_map(|&state| &before[state as usize]) {
                if distances[earlier as usize].is_none() {
                    distances[earlier as usize] = Some(distance);
                    next_level.push(earlier);
                }
            }
            if next_level.is_empty() {
                break;
            }
            level = next_level;
        }
        distances
    }

    /// Returns, per state, whether no accepting state is reachable. For the
    /// property this is the trap.
    pub(super) fn dead_states(&self) -> Vec<bool> {
        self.distances_to(&self.accepting).iter().map(Option::is_none).collect()
    }

    /// Creates an automaton in which every transition is a violation.
    pub(super) fn blank(
        name: String,
        kind: Option<Kind>,
        state_names: Vec<String>,
        column: Vec<Option<u32>>,
        n_columns: usize,
    ) -> Self {
        let n_states = state_names.len();
        Self {
            name,
            kind,
            start: 0,
            accepting: vec![true; n_states],
            complete: vec![true; n_states],
            state_names,
            column,
            n_columns,
            next: vec![VIOLATION; n_states * n_columns],
        }
    }

    pub(super) fn set(&mut self, state: u32, column: u32, next: u32) {
        self.next[state as usize * self.n_columns + column as usize] = next;
    }

    /// Creates the component of the property; its states never violate, they
    /// only do not accept.
    pub fn property(graph: &TraceFlowGraph, automaton: &EventAutomaton) -> Self {
        Self::events(graph, "property".to_owned(), None, automaton)
    }

    /// Creates a context constraint. A state from which acceptance is
    /// unreachable is a violation; a prefix is acceptable if it can be
    /// continued to an accepted word.
    pub fn context(graph: &TraceFlowGraph, name: String, automaton: &EventAutomaton) -> Self {
        let mut component = Self::events(graph, name, Some(Kind::Context), automaton);
        let dead = automaton.dfa.dead_states();
        for next in &mut component.next {
            if dead.contains(*next as usize) {
                *next = VIOLATION;
            }
        }
        component.complete.clone_from(&component.accepting);
        if graph.executions == Executions::Prefixes {
            component.accepting = (0..component.n_states()).map(|state| !dead.contains(state)).collect();
        }
        component
    }

    fn events(graph: &TraceFlowGraph, name: String, kind: Option<Kind>, automaton: &EventAutomaton) -> Self {
        let dfa = &automaton.dfa;
        let mut symbols: HashMap<&str, u32> = HashMap::new();
        for (symbol, event) in automaton.events.iter().enumerate() {
            symbols.extend(event.labels.iter().map(|label| (label.as_str(), symbol as u32)));
        }
        let symbol = |node: &Node| symbols.get(node.label.as_deref()?).copied();
        let column = graph.nodes.iter().map(symbol).collect();
        let n_symbols = dfa.n_symbols();
        let mut component = Self::blank(name, kind, automaton.state_names.clone(), column, n_symbols);
        component.start = dfa.start();
        for state in 0..dfa.n_states() as State {
            checkpoint();
            component.accepting[state as usize] = dfa.is_accepting(state);
            for symbol in 0..n_symbols as u32 {
                component.set(state, symbol, dfa.next(state, symbol));
            }
        }
        component
    }

    /// Creates the component of the control flow of a task: its states are
    /// stations.
    pub fn task(graph: &TraceFlowGraph, program: &Program, task: TaskId) -> Self {
        let mine = |node: &Node| node.sides.iter().position(|side| side.task == task);
        let mut n_columns = 0;
        let column = graph
            .nodes
            .iter()
            .map(|node| {
                mine(node).map(|_| {
                    n_columns += 1;
                    n_columns - 1
                })
            })
            .collect();
        let sides = graph.nodes.iter().flat_map(|node| &node.sides);
        let behind = sides.filter(|side| side.task == task).map(|side| side.to);
        let mut stations: Vec<StationId> = behind.chain([graph.starts[task.index()]]).collect();
        stations.sort_unstable();
        stations.dedup();
        let state = |station: StationId| {
            stations.binary_search(&station).expect("a station where the task can be") as u32
        };
        let name = format!("task:{}", program.tasks[task.index()].name);
        let state_names = stations.iter().map(|id| station_name(graph, *id)).collect();
        let mut component = Self::blank(name, Some(Kind::Task), state_names, column, n_columns as usize);
        component.start = state(graph.starts[task.index()]);
        for &id in &stations {
            checkpoint();
            let station = &graph.stations[id.index()];
            let accepts = graph.executions == Executions::Prefixes || station.ends;
            component.accepting[state(id) as usize] = accepts;
            for &(node, side) in &station.enabled {
                if let Some(column) = component.column[node.index()] {
                    let to = graph.nodes[node.index()].sides[side].to;
                    component.set(state(id), column, state(to));
                }
            }
        }
        component
    }

    /// Creates the component of the values of a variable; the last state is the
    /// unknown value.
    pub fn variable(graph: &TraceFlowGraph, program: &Program, variable: VariableId) -> Self {
        let declared = &program.variables[variable.index()];
        let size = declared.domain.size() as u32;
        let unknown = size;
        let mut labels: Vec<&str> = Vec::new();
        let mut actions: Vec<&Action> = Vec::new();
        let column = graph
            .nodes
            .iter()
            .map(|node| {
                let label = node.label.as_deref().filter(|_| node.variable == Some(variable))?;
                let known = labels.iter().position(|&known| known == label);
                Some(known.unwrap_or_else(|| {
                    labels.push(label);
                    actions.extend(action_of(program, node));
                    labels.len() - 1
                }) as u32)
            })
            .collect();
        let state_names =
            (0..size).map(|value| declared.domain.show(value)).chain(["?".to_owned()]).collect();
        let name = format!("variable:{}", declared.name);
        let mut component = Self::blank(name, Some(Kind::Variable), state_names, column, labels.len());
        component.start = declared.initial.unwrap_or(unknown);
        for (column, action) in actions.into_iter().enumerate() {
            checkpoint();
            for state in 0..=unknown {
                let value = (state != unknown).then_some(state);
                let next = match after(action, value, size) {
                    Some(next) => next.unwrap_or(unknown),
                    None => VIOLATION,
                };
                component.set(state, column as u32, next);
            }
        }
        component
    }

    /// Creates an automaton that accepts one path: of the nodes with a `known`
    /// key it allows only those of the path, in their order. Other nodes do not
    /// change its state, which is the number of steps so far.
    pub fn along(graph: &TraceFlowGraph, known: &HashSet<NodeKey>, path: &[NodeKey]) -> Self {
        let mut columns: HashMap<NodeKey, u32> = HashMap::new();
        for key in path {
            let next = columns.len() as u32;
            columns.entry(*key).or_insert(next);
        }
        let elsewhere = columns.len() as u32;
        let column = |node: &Node| {
            let column = columns.get(&node.key).copied();
            column.or(known.contains(&node.key).then_some(elsewhere))
        };
        let names = (0..=path.len()).map(|number| number.to_string()).collect();
        let column = graph.nodes.iter().map(column).collect();
        let mut component =
            Self::blank("path".to_owned(), Some(Kind::Context), names, column, columns.len() + 1);
        for (number, key) in path.iter().enumerate() {
            component.set(number as u32, columns[key], number as u32 + 1);
            component.accepting[number] = false;
        }
        component
    }

    /// Turns every transition into a state that can no longer accept into a
    /// violation.
    pub fn drop_dead(&mut self) {
        let dead_states = self.dead_states();
        checkpoint();
        for next in &mut self.next {
            if *next != VIOLATION && dead_states[*next as usize] {
                *next = VIOLATION;
            }
        }
    }

    /// Returns whether the automaton can forbid a node.
    pub fn is_violation_possible(&self) -> bool {
        self.next.contains(&VIOLATION)
    }
}

fn station_name(graph: &TraceFlowGraph, id: StationId) -> String {
    let station = &graph.stations[id.index()];
    match graph.starts[station.task.index()] == id {
        true => "start".to_owned(),
        false if station.enabled.is_empty() && station.ends => "end".to_owned(),
        false => format!("p{}", station.point),
    }
}

/// Returns the action of a local node.
fn action_of<'a>(program: &'a Program, node: &Node) -> Option<&'a Action> {
    match node.key {
        NodeKey::Local { task, edge } => Some(&program.tasks[task.index()].edges[edge as usize].action),
        _ => None,
    }
}

/// Returns the value after an action: `None` if the action is impossible,
/// `Some(None)` if the value is unknown.
fn after(action: &Action, value: Option<Value>, size: u32) -> Option<Option<Value>> {
    match (action, value) {
        (Action::Test { values, .. }, Some(value)) => values.contains(&value).then_some(Some(value)),
        (Action::Test { values, .. }, None) => match values[..] {
            [only] => Some(Some(only)),
            _ => Some(None),
        },
        (Action::Assign { value, .. }, _) => Some(*value),
        (Action::Shift { by, .. }, Some(value)) => {
            let moved = i64::from(value).checked_add(*by);
            Some(moved.and_then(|moved| u32::try_from(moved).ok()).filter(|&moved| moved < size))
        }
        (_, value) => Some(value),
    }
}
