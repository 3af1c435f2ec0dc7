//! Problems for the flow engine.

use super::graphs::GraphCache;
use crate::flow::{Form, Relevance};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Program, TaskId, VariableId};
use crate::search::{Strategy, StrategyChoice};

/// One property of one task model under constraints.
#[derive(Clone, Debug)]
pub struct FlowProblem<'a> {
    /// The tasks.
    pub program: &'a Program,
    /// The property to prove.
    pub property: &'a EventAutomaton,
    /// The constraints, without duplicates.
    pub constraints: Vec<Constraint<'a>>,
    /// The executions that must satisfy the property. With
    /// [`Executions::Prefixes`] it is a safety property.
    pub executions: Executions,
    /// The form of the graph.
    pub form: Form,
    /// When the graphs of fewer constraints are constraints too.
    pub adjacency: Adjacency,
    /// Graphs of the program that were built before.
    pub graphs: GraphCache,
}

/// A constraint, by its origin.
#[derive(Clone, Debug)]
pub enum Constraint<'a> {
    /// The control flow of a task.
    Task(TaskId),
    /// The values of a variable.
    Variable(VariableId),
    /// An assumption of the user.
    Context {
        /// Name for reports.
        name: String,
        /// The assumption.
        automaton: &'a EventAutomaton,
    },
}

/// When the graphs of fewer constraints are used as constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Adjacency {
    /// When a counterexample is not a path of one of them.
    #[default]
    Auto,
    /// All of them, from the beginning.
    Always,
    /// Never: an additional constraint may lose a proof.
    Never,
}

impl FlowProblem<'_> {
    /// Resolves a choice of strategy, given whether the property can reach its
    /// trap.
    pub fn resolve(&self, choice: &StrategyChoice, has_trap: bool) -> Strategy {
        match self.executions {
            Executions::Prefixes => choice.ending_anywhere().resolve(has_trap).clone(),
            Executions::Complete => choice.resolve(has_trap).clone(),
        }
    }
}

impl Constraint<'_> {
    /// Returns the actions that it adds to the graph.
    pub fn relevance(&self) -> Relevance {
        match self {
            Self::Task(_) => Relevance::default(),
            Self::Variable(variable) => {
                Relevance { variables: [*variable].into(), labels: Default::default() }
            }
            Self::Context { automaton, .. } => relevance_of(automaton),
        }
    }

    /// Returns its name on the command line.
    pub fn name(&self, program: &Program) -> String {
        match self {
            Self::Task(task) => format!("task:{}", program.tasks[task.index()].name),
            Self::Variable(variable) => format!("variable:{}", program.variables[variable.index()].name),
            Self::Context { name, .. } => name.clone(),
        }
    }
}

/// Returns the actions that an automaton over events observes.
pub fn relevance_of(automaton: &EventAutomaton) -> Relevance {
    let labels = automaton.events.iter().flat_map(|event| event.labels.iter().cloned()).collect();
    Relevance { labels, variables: Default::default() }
}
