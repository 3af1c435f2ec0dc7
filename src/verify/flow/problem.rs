//! What is asked of the flow engine.

use crate::flow::{Form, Relevance};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Program, TaskId, VariableId};
use crate::search::{Strategy, StrategyChoice};

/// One property of one task model under constraints.
#[derive(Clone, Debug)]
pub struct FlowProblem<'a> {
    /// The tasks.
    pub program: &'a Program,
    /// What is to be shown.
    pub property: &'a EventAutomaton,
    /// The constraints; no constraint twice.
    pub constraints: Vec<Constraint<'a>>,
    /// Which executions are meant. With [`Executions::Prefixes`] the property
    /// is a safety property.
    pub executions: Executions,
    /// How the graph is built.
    pub form: Form,
    /// When graphs of fewer constraints bind too.
    pub adjacency: Adjacency,
}

/// A constraint, by what it is made from.
#[derive(Clone, Debug)]
pub enum Constraint<'a> {
    /// The control flow of a task.
    Task(TaskId),
    /// The values of a variable.
    Variable(VariableId),
    /// An assumption of the user.
    Context {
        /// For reports.
        name: String,
        /// What is assumed.
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
    /// Not at all: an additional constraint may lose a proof.
    Never,
}

impl FlowProblem<'_> {
    /// The strategy that a choice means, given whether the property can get
    /// into a trap.
    pub fn resolve(&self, choice: &StrategyChoice, has_trap: bool) -> Strategy {
        match self.executions {
            Executions::Prefixes => choice.ending_anywhere().resolve(has_trap).clone(),
            Executions::Complete => choice.resolve(has_trap).clone(),
        }
    }
}

impl Constraint<'_> {
    /// The actions it brings into the graph.
    pub fn relevance(&self) -> Relevance {
        match self {
            Self::Task(_) => Relevance::default(),
            Self::Variable(variable) => {
                Relevance { variables: [*variable].into(), labels: Default::default() }
            }
            Self::Context { automaton, .. } => relevance_of(automaton),
        }
    }

    /// As the command line writes it.
    pub fn name(&self, program: &Program) -> String {
        match self {
            Self::Task(task) => format!("task:{}", program.tasks[task.index()].name),
            Self::Variable(variable) => format!("variable:{}", program.variables[variable.index()].name),
            Self::Context { name, .. } => name.clone(),
        }
    }
}

/// The actions that an automaton over events looks at.
pub fn relevance_of(automaton: &EventAutomaton) -> Relevance {
    let labels = automaton.events.iter().flat_map(|event| event.labels.iter().cloned()).collect();
    Relevance { labels, variables: Default::default() }
}
