//! What is asked of the flow engine.

use super::engine::FLOW;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::flow::{Form, Relevance};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Program, TaskId, VariableId};
use crate::search::{Choice, Limits, Strategy};

/// One property of one program under constraints, and how to look.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The tasks.
    pub program: &'a Program,
    /// What is to be shown.
    pub property: &'a EventAutomaton,
    /// What is known; no constraint twice.
    pub constraints: Vec<Constraint<'a>>,
    /// Which executions are meant. With [`Executions::Prefixes`] the property
    /// is a safety property.
    pub executions: Executions,
    /// How the graph is built.
    pub form: Form,
    /// When graphs of fewer constraints bind too.
    pub adjacency: Adjacency,
    /// How the node-tuple graph is searched.
    pub strategy: Choice,
    /// When to give up.
    pub limits: Limits,
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
    /// When a counterexample is no path of one of them.
    #[default]
    Auto,
    /// All of them, from the beginning.
    Always,
    /// Not at all: a constraint more may lose a proof.
    Never,
}

impl Question<'_> {
    /// The strategy that is meant, given whether the property can get into a
    /// trap.
    pub fn resolved(&self, has_trap: bool) -> Strategy {
        match self.executions {
            Executions::Prefixes => self.strategy.ending_anywhere().resolve(has_trap).clone(),
            Executions::Complete => self.strategy.resolve(has_trap).clone(),
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

/// Reads a strategy or the name of a preset.
pub fn strategy(source: SourceId, sources: &Sources) -> Result<Choice, Diagnostic> {
    FLOW.strategy(source, sources)
}

/// The same for a text that has no place among others; a mistake is shown as
/// it would be on a terminal.
pub fn strategy_of(text: &str) -> Result<Choice, String> {
    let mut sources = Sources::default();
    let source = sources.add("strategy", text);
    strategy(source, &sources).map_err(|fault| fault.render(&sources, false).to_string())
}

/// The actions that an automaton over events looks at.
pub fn relevance_of(automaton: &EventAutomaton) -> Relevance {
    let labels = automaton.events.iter().flat_map(|event| event.labels.iter().cloned()).collect();
    Relevance { labels, variables: Default::default() }
}
