//! What is asked, of whichever engine: one property of one model, and how to
//! search for a counterexample.

use super::explicit::{self, ExplicitProblem};
use super::flow::{self, FlowProblem};
use super::report::Report;
use crate::diag::Diagnostic;
use crate::search::{Choice, Limits, Watcher};

/// A property of a model, the engine that decides it, and how it searches.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The name of the property.
    pub property: String,
    /// What the property says, if its author did.
    pub description: Option<String>,
    /// What the engine has to decide.
    pub problem: Problem<'a>,
    /// How it searches.
    pub search: SearchOptions,
    /// How much of a counterexample is described.
    pub detail: TrailDetail,
}

/// What has to be decided, by engine.
#[derive(Clone, Debug)]
pub enum Problem<'a> {
    /// Does every path of the trace flow graph that meets the constraints
    /// satisfy the property?
    Flow(FlowProblem<'a>),
    /// Does every run of the model satisfy the property?
    Explicit(Box<ExplicitProblem<'a>>),
}

/// How a model is searched, and when the search gives up.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// In which order; breadth first by default.
    pub strategy: Choice,
    /// When to give up; never by default.
    pub limits: Limits,
}

/// How much of a counterexample is described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrailDetail {
    /// Number of steps that are described at the beginning, and at the end;
    /// all if `None`.
    pub ends: Option<usize>,
    /// Make a trail file for SPIN?
    pub with_file: bool,
    /// Give all variables after each step?
    pub with_states: bool,
}

impl TrailDetail {
    /// Is a step described?
    pub(super) fn describes(self, index: usize, n_steps: usize) -> bool {
        self.ends.is_none_or(|ends| index < ends || index + ends >= n_steps)
    }
}

impl<'a> Question<'a> {
    /// A question that is answered breadth first, without limits.
    pub fn about(property: impl Into<String>, problem: impl Into<Problem<'a>>) -> Self {
        Self {
            property: property.into(),
            description: None,
            problem: problem.into(),
            search: SearchOptions::default(),
            detail: TrailDetail::default(),
        }
    }

    /// The same question, searched by another strategy.
    pub fn with_strategy(mut self, strategy: impl Into<Choice>) -> Self {
        self.search.strategy = strategy.into();
        self
    }

    /// The same question, with limits for the search.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.search.limits = limits;
        self
    }

    /// Answers the question. `watch` is shown the counters now and then and
    /// may end the work. Files, settings and times are filled in by the caller,
    /// who knows them.
    ///
    /// # Panics
    ///
    /// If a counterexample does not replay, which would be a defect of this
    /// crate: no answer is better than a wrong one.
    pub fn check(&self, watch: Watcher) -> Result<Report, Vec<Diagnostic>> {
        match &self.problem {
            Problem::Flow(problem) => {
                let answer = flow::solve(problem, &self.search, watch);
                Ok(flow::report(self, problem, answer))
            }
            Problem::Explicit(problem) => explicit::solve(self, problem, watch).map_err(|fault| vec![fault]),
        }
    }
}

/// The property is called as the engine calls its aim.
impl<'a> From<ExplicitProblem<'a>> for Question<'a> {
    fn from(problem: ExplicitProblem<'a>) -> Self {
        Self::about(problem.aim.name().to_string(), problem)
    }
}

impl<'a> From<FlowProblem<'a>> for Problem<'a> {
    fn from(problem: FlowProblem<'a>) -> Self {
        Self::Flow(problem)
    }
}

impl<'a> From<ExplicitProblem<'a>> for Problem<'a> {
    fn from(problem: ExplicitProblem<'a>) -> Self {
        Self::Explicit(Box::new(problem))
    }
}
