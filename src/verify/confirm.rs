//! Confirms or refutes counterexamples of the flow engine.
//!
//! A counterexample of the flow engine is a path of the trace flow graph, which
//! need not be an execution. The explicit engine decides within a budget:
//!
//! 1. It searches the executions that have the same events in the same order
//!    (`guide`). If there is one, the violation is real.
//! 2. It searches all executions. If none violates the property, the property
//!    holds, whatever the flow engine says. If one does, it is shown instead of
//!    the path: it is as short as the search can make it.
//! 3. If the budget ends before, the verdict is *inconclusive*. The path is
//!    *spurious* if no execution has its events, and *possible* otherwise.
//!
//! For a path that is not an execution, `reason` finds the first step that
//! cannot happen, and why.

mod guide;
mod reason;

use super::flow::FlowProblem;
use super::question::{Question, SearchOptions, TrailDetail};
use super::report::{Confirmation, Constraint, ImpossibleStep, Kind, Outcome, Report, Stop, Verdict};
use super::workspace::tasks::{TaskQuestion, assumption, order};
use super::{explicit::Semantics, flow};
use crate::base::cancel::caught;
use crate::diag::Diagnostic;
use crate::lang::spec::property::EventAutomaton;
use crate::search::strategy::Rule;
use crate::search::{Counters, Limits, Strategy, Watcher};
use crate::verify::ExplicitProblem;
use guide::Guide;
use std::time::{Duration, Instant};

/// Whether and how counterexamples of the flow engine are confirmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConfirmOptions {
    /// When they are confirmed.
    pub when: Confirm,
    /// The budget for [`Confirm::Auto`].
    pub budget: ConfirmBudget,
}

/// When the explicit engine confirms a counterexample of the flow engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confirm {
    /// Always, within a budget.
    #[default]
    Auto,
    /// Never: a counterexample of the flow engine is a violation.
    Never,
    /// Always, and for as long as it takes.
    Always,
}

/// The budget of the explicit engine for one counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmBudget {
    /// Maximum number of stored states of all searches.
    pub max_states: u64,
    /// Maximum number of bytes of each search.
    pub max_bytes: u64,
    /// Maximum time of all searches.
    pub timeout: Duration,
}

impl Default for ConfirmBudget {
    fn default() -> Self {
        Self { max_states: 100_000, max_bytes: 256 << 20, timeout: Duration::from_secs(10) }
    }
}

impl ConfirmOptions {
    /// Returns the options under which no counterexample is confirmed.
    pub const NEVER: Self = Self {
        when: Confirm::Never,
        budget: ConfirmBudget { max_states: 0, max_bytes: 0, timeout: Duration::ZERO },
    };
}

/// Judges the counterexample of `found`, a report of the flow engine about
/// `problem`. Other reports are returned as they are.
pub fn confirm(
    problem: &FlowProblem,
    found: Report,
    options: ConfirmOptions,
    limits: Limits,
    detail: TrailDetail,
    watch: Watcher,
) -> Report {
    if found.verdict != Verdict::Violated || options.when == Confirm::Never {
        return found;
    }
    let start = Instant::now();
    let budget = (options.when == Confirm::Auto).then_some(options.budget);
    let mut judge = Judge {
        problem,
        found: &found,
        max_states: [limits.max_states, budget.map(|it| it.max_states)].into_iter().flatten().min(),
        max_bytes: [limits.max_bytes, budget.map(|it| it.max_bytes)].into_iter().flatten().min(),
        deadline: budget.and_then(|it| start.checked_add(it.timeout)),
        detail,
        watch,
    };
    let judged = caught(|| judge.judge()).unwrap_or_else(|stop| Ok(Judgement::stopped(stop)));
    let Judgement { decided, other, outcome, is_execution, impossible } =
        judged.unwrap_or_else(|faults| Judgement::refused(&faults));
    let elapsed = start.elapsed();
    let mut confirmation = Confirmation { outcome, other: None, is_execution, impossible, budget, elapsed };
    match decided {
        Some(decided) => {
            confirmation.other = Some(Box::new(Report { notes: Vec::new(), ..found.clone() }));
            Report {
                description: found.description,
                notes: found.notes,
                confirmation: Some(Box::new(confirmation)),
                ..decided
            }
        }
        None => {
            confirmation.other = other.map(Box::new);
            Report { verdict: Verdict::Inconclusive, confirmation: Some(Box::new(confirmation)), ..found }
        }
    }
}

/// What is known about a counterexample.
struct Judgement {
    /// The report of the explicit engine, if it decided.
    decided: Option<Report>,
    /// The report of the explicit engine, if it did not.
    other: Option<Report>,
    outcome: Outcome,
    is_execution: Option<bool>,
    impossible: Option<ImpossibleStep>,
}

impl Judgement {
    fn open(outcome: Outcome) -> Self {
        Self { decided: None, other: None, outcome, is_execution: None, impossible: None }
    }

    fn stopped(stop: Stop) -> Self {
        Self::open(Outcome::Stopped(stop))
    }

    fn refused(faults: &[Diagnostic]) -> Self {
        let why = faults.first().map_or_else(String::new, |it| it.message.clone());
        Self::open(Outcome::Refused(why))
    }
}

/// The counterexample and what is left of the budget.
struct Judge<'q, 'a, 'w> {
    problem: &'q FlowProblem<'a>,
    found: &'q Report,
    max_states: Option<u64>,
    max_bytes: Option<u64>,
    deadline: Option<Instant>,
    detail: TrailDetail,
    watch: Watcher<'w>,
}

impl Judge<'_, '_, '_> {
    fn judge(&mut self) -> Result<Judgement, Vec<Diagnostic>> {
        let guide = Guide::of_steps(self.problem, self.found);
        // The other searches need a share of the budget too.
        let guided = match &guide {
            Some(guide) => Some(self.ask(Some(&guide.automaton), Rule::Bfs, 0.25)?),
            None => None,
        };
        let guided_verdict = guided.as_ref().map(|it| it.verdict);
        let execution = guided.filter(|it| it.verdict == Verdict::Violated);
        let any = self.ask(None, Rule::Mixed, 0.7)?;
        let is_shorter = |than: &Report| any.claims.shortest || any.n_steps() < than.n_steps();
        let (decided, outcome) = match (any.verdict, execution) {
            (Verdict::Violated, Some(same)) if !is_shorter(&same) => (same, Outcome::Confirmed),
            (Verdict::Violated, same) => {
                let is_execution = same.map(|_| true);
                let decided = Some(any);
                return Ok(Judgement { decided, is_execution, ..Judgement::open(Outcome::Confirmed) });
            }
            (Verdict::Undecided(_), Some(same)) => (same, Outcome::Confirmed),
            (Verdict::Undecided(stop), None) => {
                return self.undecided(any, stop, guide.as_ref(), guided_verdict);
            }
            (Verdict::Holds | Verdict::HoldsVacuously | Verdict::Inconclusive, same) => {
                assert!(same.is_none(), "an execution violates a property that holds");
                (any, Outcome::Refuted)
            }
        };
        let is_execution = Some(outcome == Outcome::Confirmed);
        let impossible = match outcome {
            Outcome::Refuted => self.impossible(guide.as_ref(), guided_verdict),
            _ => None,
        };
        Ok(Judgement { decided: Some(decided), is_execution, impossible, ..Judgement::open(outcome) })
    }

    /// Judges the path alone, because the search of all executions did not end.
    fn undecided(
        &mut self,
        any: Report,
        stop: Stop,
        guide: Option<&Guide>,
        guided: Option<Verdict>,
    ) -> Result<Judgement, Vec<Diagnostic>> {
        let impossible = self.impossible(guide, guided);
        let same_events = match Guide::of_events(self.problem, self.found) {
            Some(guide) => Some(self.ask(Some(&guide.automaton), Rule::Bfs, 1.0)?),
            None => None,
        };
        let is_execution = match same_events {
            Some(same) if same.verdict == Verdict::Violated => {
                let decided = Some(same);
                return Ok(Judgement {
                    decided,
                    is_execution: Some(true),
                    ..Judgement::open(Outcome::Confirmed)
                });
            }
            Some(same) if is_exhausted(same.verdict) => Some(false),
            _ => None,
        };
        Ok(Judgement { other: Some(any), is_execution, impossible, ..Judgement::stopped(stop) })
    }

    /// Returns the first step that cannot happen, if the search along the path
    /// was exhausted.
    fn impossible(&mut self, guide: Option<&Guide>, guided: Option<Verdict>) -> Option<ImpossibleStep> {
        let guide = guide.filter(|_| guided.is_some_and(is_exhausted))?;
        let (problem, found) = (self.problem, self.found);
        let counterexample = found.counterexample.as_ref()?;
        let steps = &counterexample.trail.steps;
        let steps = &steps[..counterexample.prefix.unwrap_or(steps.len())];
        let ask = |guide: &EventAutomaton| question(problem, &found.property, Some(guide)).ok();
        caught(|| reason::impossible_step(problem.program, guide, steps, ask, self.watch)).ok()?
    }

    /// Searches the executions that violate the property and, if there is a
    /// guide, are accepted by it. Takes at most this share of what is left of the
    /// budget.
    fn ask(
        &mut self,
        guide: Option<&EventAutomaton>,
        rule: Rule,
        share: f64,
    ) -> Result<Report, Vec<Diagnostic>> {
        let question = question(self.problem, &self.found.property, guide)?;
        let problem = ExplicitProblem {
            assumptions: self.assumptions(),
            semantics: Semantics { allows_failed_assertions: true, ..Semantics::default() },
            ..ExplicitProblem::new(&question.network, question.aim.clone())
        };
        let max_states = self.max_states.map(|it| (it as f64 * share).ceil() as u64);
        let limits = Limits { max_states, max_bytes: self.max_bytes };
        let search = SearchOptions { strategy: Strategy::of(rule).into(), limits };
        let (deadline, run) = (self.deadline, &mut *self.watch);
        let mut watch = |counters: &Counters| match deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Stop::Time),
            _ => run(counters),
        };
        let question = Question { search, detail: self.detail, ..Question::from(problem) };
        let report = question.check(&mut watch)?;
        let stored = report.search.counters.stored;
        self.max_states = self.max_states.map(|it| it.saturating_sub(stored));
        Ok(report)
    }

    /// Returns the assumptions about the environment.
    fn assumptions(&self) -> Vec<Constraint> {
        let assumptions = self.problem.constraints.iter().filter_map(|it| match it {
            flow::Constraint::Context { name, automaton } => Some(assumption(name, automaton)),
            _ => None,
        });
        assumptions.inspect(|it| debug_assert_eq!(it.kind, Kind::Context)).collect()
    }
}

/// Creates the question whether an execution violates the property and, if there
/// is a guide, is accepted by it.
fn question(
    problem: &FlowProblem,
    name: &str,
    guide: Option<&EventAutomaton>,
) -> Result<TaskQuestion, Vec<Diagnostic>> {
    let contexts = problem.constraints.iter().filter_map(|it| match it {
        flow::Constraint::Context { automaton, .. } => Some(*automaton),
        _ => None,
    });
    let assumed: Vec<&EventAutomaton> = contexts.chain(guide).collect();
    order(problem.program, (name, problem.property), &assumed, problem.executions)?
        .map_err(|why| vec![Diagnostic::error_without_place("sequence-limit", why.to_string())])
}

/// Returns whether a search visited everything without finding a violation.
fn is_exhausted(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Holds | Verdict::HoldsVacuously)
}
