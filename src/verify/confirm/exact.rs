//! The explicit engine about the executions of a problem of the flow engine,
//! within a budget that all its searches share.

use super::ConfirmBudget;
use crate::diag::Diagnostic;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::lower::Lowered;
use crate::search::strategy::Rule;
use crate::search::{Counters, Limits, Strategy, Watcher};
use crate::verify::explicit::{Aim, ExplicitProblem, Semantics, Sequence};
use crate::verify::flow::{self, FlowProblem};
use crate::verify::question::{Question, SearchOptions, TrailDetail};
use crate::verify::report::{Constraint, Report, Stop};
use crate::verify::workspace::tasks::{assumption, lowered_for, observed};
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Instant;

/// The labels that are observed, and the executions that matter.
type Observed = (HashSet<String>, Executions);

/// A problem and what is left of the budget.
pub(super) struct Exact<'q, 'a, 'w> {
    pub problem: &'q FlowProblem<'a>,
    /// Name of the property.
    pub property: &'q str,
    max_states: Option<u64>,
    max_bytes: Option<u64>,
    deadline: Option<Instant>,
    detail: TrailDetail,
    watch: Watcher<'w>,
    /// The model as a network, by the labels that are observed and the
    /// executions that matter.
    lowered: Vec<(Observed, Rc<Lowered>)>,
}

impl<'q, 'a, 'w> Exact<'q, 'a, 'w> {
    /// Starts with a whole budget, if there is one, and the limits of the run.
    pub fn new(
        (problem, property): (&'q FlowProblem<'a>, &'q str),
        budget: Option<ConfirmBudget>,
        limits: Limits,
        detail: TrailDetail,
        watch: Watcher<'w>,
    ) -> Self {
        Self {
            problem,
            property,
            max_states: [limits.max_states, budget.map(|it| it.max_states)].into_iter().flatten().min(),
            max_bytes: [limits.max_bytes, budget.map(|it| it.max_bytes)].into_iter().flatten().min(),
            deadline: budget.and_then(|it| Instant::now().checked_add(it.timeout)),
            detail,
            watch,
            lowered: Vec::new(),
        }
    }

    /// Searches the executions that violate the property and, if there is a
    /// guide, are accepted by it. Takes at most this share of what is left of the
    /// budget.
    pub fn ask(
        &mut self,
        guide: Option<&EventAutomaton>,
        rule: Rule,
        share: f64,
    ) -> Result<Report, Vec<Diagnostic>> {
        let (lowered, sequence) = self.question(guide)?;
        let aim = Aim::Sequence(self.property.to_owned(), Box::new(sequence));
        self.run(&lowered, aim, rule, share)
    }

    /// Searches the states of a network, with this share of what is left of the
    /// budget.
    pub fn run(
        &mut self,
        lowered: &Lowered,
        aim: Aim,
        rule: Rule,
        share: f64,
    ) -> Result<Report, Vec<Diagnostic>> {
        let problem = ExplicitProblem {
            assumptions: self.assumptions(),
            semantics: Semantics { allows_failed_assertions: true, ..Semantics::default() },
            ..ExplicitProblem::new(&lowered.network, aim)
        };
        let search = SearchOptions { strategy: Strategy::of(rule).into(), limits: self.limits(share) };
        let question = Question { search, detail: self.detail, ..Question::from(problem) };
        let report = question.check(&mut self.watch())?;
        self.spend(report.search.counters.stored);
        Ok(report)
    }

    /// Returns what ends a search: the budget of time, and the limits of the run.
    pub fn watch(&mut self) -> impl FnMut(&Counters) -> Option<Stop> {
        let (deadline, run) = (self.deadline, &mut *self.watch);
        move |counters| match deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Stop::Time),
            _ => run(counters),
        }
    }

    /// Grants the states of the budget once more.
    pub fn renew(&mut self, budget: Option<ConfirmBudget>) {
        self.max_states = budget.map(|it| it.max_states);
    }

    /// Returns the limits of a search that takes this share of the budget.
    pub fn limits(&self, share: f64) -> Limits {
        let max_states = self.max_states.map(|it| (it as f64 * share).ceil() as u64);
        Limits { max_states, max_bytes: self.max_bytes }
    }

    /// Takes states from the budget.
    pub fn spend(&mut self, n_states: u64) {
        self.max_states = self.max_states.map(|it| it.saturating_sub(n_states));
    }

    /// Returns the network and the property for the executions that a guide, if
    /// there is one, accepts.
    pub fn question(
        &mut self,
        guide: Option<&EventAutomaton>,
    ) -> Result<(Rc<Lowered>, Sequence), Vec<Diagnostic>> {
        let assumed = assumed(self.problem, guide);
        self.question_about(self.problem.property, &assumed, self.problem.executions)
    }

    /// Returns the network for a property, and the property for the executions
    /// that satisfy the assumptions.
    pub fn question_about(
        &mut self,
        property: &EventAutomaton,
        assumed: &[&EventAutomaton],
        executions: Executions,
    ) -> Result<(Rc<Lowered>, Sequence), Vec<Diagnostic>> {
        let problem = self.problem;
        let key = (observed(property, assumed), executions);
        let lowered = match self.lowered.iter().find(|(known, _)| *known == key) {
            Some((_, lowered)) => Rc::clone(lowered),
            None => {
                let lowered = Rc::new(lowered_for(problem.program, key.0.clone(), executions)?);
                self.lowered.push((key, Rc::clone(&lowered)));
                lowered
            }
        };
        let sequence = sequence_over(&lowered, property, assumed, executions)?;
        Ok((lowered, sequence))
    }

    /// Returns the assumptions about the environment, for the report.
    fn assumptions(&self) -> Vec<Constraint> {
        let assumptions = self.problem.constraints.iter().filter_map(|it| match it {
            flow::Constraint::Context { name, automaton } => Some(assumption(name, automaton)),
            _ => None,
        });
        assumptions.collect()
    }
}

/// Returns the assumptions about the environment, and the guide.
pub(super) fn assumed<'e>(
    problem: &FlowProblem<'e>,
    guide: Option<&'e EventAutomaton>,
) -> Vec<&'e EventAutomaton> {
    let contexts = problem.constraints.iter().filter_map(|it| match it {
        flow::Constraint::Context { automaton, .. } => Some(*automaton),
        _ => None,
    });
    contexts.chain(guide).collect()
}

/// Returns a property of the executions of a network that satisfy the assumptions.
pub(super) fn sequence_over(
    lowered: &Lowered,
    property: &EventAutomaton,
    assumed: &[&EventAutomaton],
    executions: Executions,
) -> Result<Sequence, Vec<Diagnostic>> {
    let sequence = Sequence::over(&lowered.steps, property, assumed, executions);
    sequence.map_err(|why| vec![Diagnostic::error_without_place("sequence-limit", why.to_string())])
}
