//! Questions for any engine: one property of one model, and how to search for a
//! counterexample.

use super::explicit::{self, ExplicitProblem, GivenTrail, ImproveOptions};
use super::flow::{self, FlowProblem};
use super::report::Report;
use crate::diag::{Diagnostic, Sources};
use crate::search::{Limits, StrategyChoice, Watcher};

/// A property of a model, the engine that decides it, and how it searches.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The name of the property.
    pub property: String,
    /// The description of the property, if its author gave one.
    pub description: Option<String>,
    /// The problem that the engine decides.
    pub problem: Problem<'a>,
    /// Strategy and limits of the search.
    pub search: SearchOptions,
    /// The parts of a counterexample that are described.
    pub detail: TrailDetail,
}

/// The problem to decide, by engine.
#[derive(Clone, Debug)]
pub enum Problem<'a> {
    /// Whether every path of the trace flow graph that satisfies the
    /// constraints satisfies the property.
    Flow(FlowProblem<'a>),
    /// Whether every run of the model satisfies the property.
    Explicit(Box<ExplicitProblem<'a>>),
}

/// Strategy and limits of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Search strategy; breadth first by default.
    pub strategy: StrategyChoice,
    /// Limits; none by default.
    pub limits: Limits,
}

/// The parts of a counterexample that are described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrailDetail {
    /// Number of steps that are described at the beginning, and at the end; all
    /// if `None`.
    pub ends: Option<usize>,
    /// Whether to create a trail file for SPIN.
    pub with_file: bool,
    /// Whether to give all variables after each step.
    pub with_states: bool,
}

impl TrailDetail {
    /// Returns whether a step is described.
    pub(super) fn describes(self, index: usize, n_steps: usize) -> bool {
        self.ends.is_none_or(|ends| index < ends || index + ends >= n_steps)
    }
}

impl<'a> Question<'a> {
    /// Creates a question that is searched breadth first, without limits.
    pub fn about(property: impl Into<String>, problem: impl Into<Problem<'a>>) -> Self {
        Self {
            property: property.into(),
            description: None,
            problem: problem.into(),
            search: SearchOptions::default(),
            detail: TrailDetail::default(),
        }
    }

    /// Returns the same question with another strategy.
    pub fn with_strategy(mut self, strategy: impl Into<StrategyChoice>) -> Self {
        self.search.strategy = strategy.into();
        self
    }

    /// Returns the same question with limits for the search.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.search.limits = limits;
        self
    }

    /// Answers the question. `watch` regularly receives the counters and can
    /// stop the work. The caller fills in files, settings and times.
    ///
    /// # Panics
    ///
    /// If a counterexample does not replay, which would be a defect of this
    /// crate: no answer is better than a wrong one.
    pub fn check(&self, watch: Watcher) -> Result<Report, Vec<Diagnostic>> {
        self.check_with(watch, &mut |_, _| false, &mut |problem, answer, watch| {
            answer.propose(problem, watch)
        })
    }

    /// Makes a trail of a counterexample shorter; only for the explicit engine.
    ///
    /// # Panics
    ///
    /// As [`check`](Self::check).
    pub fn improve(
        &self,
        (given, options): (&GivenTrail, ImproveOptions),
        sources: &Sources,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        match &self.problem {
            Problem::Flow(_) => {
                let message = "the flow engine cannot improve a trail";
                let fault = Diagnostic::error_without_place("usage", message);
                Err(vec![fault.with_help("use `--engine explicit`")])
            }
            Problem::Explicit(problem) => explicit::improve(self, problem, (given, options), sources, watch)
                .map_err(|fault| vec![fault]),
        }
    }

    /// Answers the question. While the flow engine searches, `is_decided` is asked
    /// whether it may end; `propose` adds constraints to its counterexample.
    ///
    /// # Panics
    ///
    /// As [`check`](Self::check).
    pub fn check_with(
        &self,
        watch: Watcher,
        is_decided: flow::IsDecided,
        propose: &mut dyn FnMut(&FlowProblem, &mut flow::Answer, Watcher),
    ) -> Result<Report, Vec<Diagnostic>> {
        match &self.problem {
            Problem::Flow(problem) => {
                let mut answer = flow::solve_unless(problem, &self.search, is_decided, watch);
                propose(problem, &mut answer, watch);
                Ok(flow::report(self, problem, answer))
            }
            Problem::Explicit(problem) => explicit::solve(self, problem, watch).map_err(|fault| vec![fault]),
        }
    }
}

/// Names the property after the aim.
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
