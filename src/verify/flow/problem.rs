//! Problems for the flow engine.

use super::graphs::GraphCache;
use crate::flow::{Form, Relevance};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Program, TaskId, VariableId};
use crate::search::{Strategy, StrategyChoice};
use std::collections::BTreeSet;

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
    /// Verdicts of earlier checks of the property.
    pub known: KnownSets,
}

/// Sets of constraints whose verdicts are known from earlier checks of one
/// property, by the names of the constraints.
///
/// One more constraint never loses a proof. So a part of a refuted set is not a
/// proof, and a set that contains a proved one is a proof.
#[derive(Clone, Debug, Default)]
pub struct KnownSets {
    refuted: Vec<BTreeSet<String>>,
    proved: Vec<BTreeSet<String>>,
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

impl KnownSets {
    /// Adds a set with which there is a counterexample.
    pub fn add_refuted(&mut self, names: impl IntoIterator<Item = String>) {
        self.refuted.push(names.into_iter().collect());
    }

    /// Adds a set that proves the property.
    pub fn add_proved(&mut self, names: impl IntoIterator<Item = String>) {
        self.proved.push(names.into_iter().collect());
    }

    /// Returns whether there is known to be a counterexample with these
    /// constraints.
    pub fn are_refuted(&self, constraints: &[Constraint], program: &Program) -> bool {
        let names = names(constraints, program);
        self.refuted.iter().any(|set| names.is_subset(set))
    }

    /// Returns the proved sets that are contained in these constraints.
    pub fn proofs_in<'k>(
        &'k self,
        constraints: &[Constraint],
        program: &Program,
    ) -> impl Iterator<Item = &'k BTreeSet<String>> + use<'k> {
        let names = names(constraints, program);
        self.proved.iter().filter(move |set| set.is_subset(&names))
    }
}

fn names(constraints: &[Constraint], program: &Program) -> BTreeSet<String> {
    constraints.iter().map(|it| it.name(program)).collect()
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

#[cfg(test)]
mod tests {
    use super::{Constraint, KnownSets};
    use crate::diag::Sources;
    use crate::lang::task::load;
    use crate::lang::task::program::TaskId;

    #[test]
    fn parts_of_refuted_sets_are_refuted_and_sets_around_proofs_contain_them() {
        let mut sources = Sources::default();
        let id = sources.add("m.rs", "#[task] fn a() {} #[task] fn b() {} #[task] fn c() {}");
        let program = load(id, &sources, &[]).program.expect("the model is right");
        let names = |all: &str| all.chars().map(|it| format!("task:{it}")).collect::<Vec<_>>();
        let tasks = |all: &str| {
            all.bytes().map(|it| Constraint::Task(TaskId((it - b'a').into()))).collect::<Vec<_>>()
        };
        let mut known = KnownSets::default();
        known.add_refuted(names("ab"));
        known.add_proved(names("bc"));
        let is_refuted = |all| known.are_refuted(&tasks(all), &program);
        assert_eq!(
            ["", "a", "ab", "b", "c", "ac", "abc"].map(is_refuted),
            [true, true, true, true, false, false, false]
        );
        let n_proofs = |all| known.proofs_in(&tasks(all), &program).count();
        assert_eq!(["b", "bc", "abc", "ab"].map(n_proofs), [0, 1, 1, 0]);
    }
}
