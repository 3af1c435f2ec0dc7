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
//! For a path that is not an execution, the first search also gives the first
//! step that cannot happen, and why (`reason`). If no task and no variable rejects
//! such a path, a rule that does is learned (`learn`).

mod exact;
mod guide;
mod learn;
mod reason;

use super::explicit::Aim;
use super::flow::{self, FlowProblem, Witness};
use super::question::TrailDetail;
use super::report::{Confirmation, Counterexample, ImpossibleStep, Learned, Outcome, Report, Stop, Verdict};
use crate::base::cancel::{caught, stop_reason};
use crate::diag::Diagnostic;
use crate::lang::spec::property::Executions;
use crate::search::strategy as search;
use crate::search::{Limits, Watcher};
use exact::{Exact, assumed, sequence_over};
use guide::Guide;
use learn::{Rule, Truth};
use reason::{Along, Walk};
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
    let exact = Exact::new((problem, &found.property), budget, limits, detail, watch);
    let mut judge = Judge { exact, found: &found };
    let judged = caught(|| judge.judge()).unwrap_or_else(|stop| Ok(Judgement::stopped(stop)));
    let Judgement { decided, other, outcome, is_execution, impossible } =
        judged.unwrap_or_else(|faults| Judgement::refused(&faults));
    let learned = match &impossible {
        Some(impossible) if is_execution == Some(false) => {
            judge.exact.renew(budget);
            caught(|| judge.learn(impossible)).ok().flatten()
        }
        _ => None,
    };
    // A limit of the run, not the budget, may have ended the work.
    let is_own = match &outcome {
        Outcome::Stopped(Stop::States) => {
            budget.is_some_and(|it| limits.max_states.is_none_or(|limit| it.max_states < limit))
        }
        Outcome::Stopped(Stop::Memory) => {
            budget.is_some_and(|it| limits.max_bytes.is_none_or(|limit| it.max_bytes < limit))
        }
        Outcome::Stopped(Stop::Time) => stop_reason().is_none(),
        _ => true,
    };
    let budget = budget.filter(|_| is_own);
    let elapsed = start.elapsed();
    let mut confirmation = Confirmation {
        outcome,
        other: None,
        is_execution,
        impossible,
        learned,
        proof: None,
        budget,
        elapsed,
    };
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

/// Whether the explicit engine decides a problem of the flow engine. It is asked
/// while the flow engine searches, and gets more states each time.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    options: ConfirmOptions,
    /// Maximum number of states.
    max_states: u64,
    /// Number of states that were not enough.
    tried: u64,
}

impl Decision {
    /// States that the explicit engine gets at first.
    const FIRST_STATES: u64 = 500;

    /// States that it gets for each node-tuple of the flow engine.
    const STATES_PER_TUPLE: u64 = 10;

    /// Starts without an answer. The explicit engine may visit a third of the states
    /// that it gets for the confirmation, in a third of the time, so that it decides
    /// again when it confirms.
    pub fn new(options: ConfirmOptions) -> Self {
        let budget = options.budget;
        let max_states = match options.when {
            Confirm::Never => 0,
            Confirm::Auto => budget.max_states / 3,
            Confirm::Always => u64::MAX,
        };
        let budget = ConfirmBudget { timeout: budget.timeout / 3, ..budget };
        Self { options: ConfirmOptions { budget, ..options }, max_states, tried: 0 }
    }

    /// Returns whether the explicit engine decides the problem, after a search
    /// of the flow engine that generated `n` node-tuples.
    pub fn is_reached(&mut self, problem: &FlowProblem, n: u64, limits: Limits, watch: Watcher) -> bool {
        let wanted = n.saturating_mul(Self::STATES_PER_TUPLE).saturating_add(Self::FIRST_STATES);
        let max_states = wanted.min(self.max_states);
        // A search that is hardly longer is not worth its time.
        if max_states / 2 < self.tried.max(1) {
            return false;
        }
        self.tried = max_states;
        let budget = ConfirmBudget { max_states, ..self.options.budget };
        let mut exact = Exact::new((problem, ""), Some(budget), limits, TrailDetail::default(), watch);
        let report = caught(|| exact.ask(None, search::Rule::Mixed, 1.0));
        matches!(
            report.map(|it| it.map(|it| it.verdict)),
            Ok(Ok(Verdict::Holds | Verdict::HoldsVacuously | Verdict::Violated))
        )
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

/// The counterexample, and the executions of its problem.
struct Judge<'q, 'a, 'w> {
    exact: Exact<'q, 'a, 'w>,
    found: &'q Report,
}

impl Judge<'_, '_, '_> {
    fn judge(&mut self) -> Result<Judgement, Vec<Diagnostic>> {
        let guide = Guide::of_steps(self.exact.problem, self.found);
        // The other searches need a share of the budget too.
        let walk = match &guide {
            Some(guide) => self.walk(guide, 0.25)?,
            None => Walk::Stopped,
        };
        let (execution, impossible) = match (walk, &guide) {
            (Walk::Found, Some(guide)) => {
                (Some(self.exact.ask(Some(&guide.automaton), search::Rule::Bfs, 0.25)?), None)
            }
            (Walk::Exhausted(impossible), _) => (None, impossible),
            _ => (None, None),
        };
        let execution = execution.filter(|it| it.verdict == Verdict::Violated);
        let any = self.exact.ask(None, search::Rule::Mixed, 0.7)?;
        let is_shorter = |than: &Report| any.claims.shortest || any.n_steps() < than.n_steps();
        let confirmed = |report: Report, is_execution: Option<bool>| Judgement {
            decided: Some(report),
            is_execution,
            ..Judgement::open(Outcome::Confirmed)
        };
        Ok(match (any.verdict, execution) {
            (Verdict::Violated, Some(same)) if !is_shorter(&same) => confirmed(same, Some(true)),
            (Verdict::Violated, same) => confirmed(any, same.map(|_| true)),
            (Verdict::Undecided(_), Some(same)) => confirmed(same, Some(true)),
            (Verdict::Undecided(stop), None) => match self.same_events()? {
                (_, Some(same)) => confirmed(same, Some(true)),
                (is_execution, None) => {
                    Judgement { other: Some(any), is_execution, impossible, ..Judgement::stopped(stop) }
                }
            },
            (Verdict::Holds | Verdict::HoldsVacuously | Verdict::Inconclusive, same) => {
                assert!(same.is_none(), "an execution violates a property that holds");
                let decided = Some(any);
                Judgement {
                    decided,
                    is_execution: Some(false),
                    impossible,
                    ..Judgement::open(Outcome::Refuted)
                }
            }
        })
    }

    /// Searches the executions that have the same events of the property, with
    /// the rest of the budget. Returns whether there is one, if that is known, and
    /// its report.
    fn same_events(&mut self) -> Result<(Option<bool>, Option<Report>), Vec<Diagnostic>> {
        let Some(guide) = Guide::of_events(self.exact.problem, self.found) else { return Ok((None, None)) };
        let same = self.exact.ask(Some(&guide.automaton), search::Rule::Bfs, 1.0)?;
        Ok(match same.verdict {
            Verdict::Violated => (Some(true), Some(same)),
            Verdict::Holds | Verdict::HoldsVacuously => (Some(false), None),
            Verdict::Inconclusive | Verdict::Undecided(_) => (None, None),
        })
    }

    /// Searches the executions along a guide, and the first impossible step if
    /// there is none.
    fn walk(&mut self, guide: &Guide, share: f64) -> Result<Walk, Vec<Diagnostic>> {
        let (lowered, sequence) = self.exact.question(Some(&guide.automaton))?;
        let found = self.found.counterexample.as_ref();
        let steps = found.map_or(&[][..], |it| &it.trail.steps[..it.prefix.unwrap_or(it.trail.steps.len())]);
        let n_steps = found.map_or(0, Counterexample::length);
        let problem = self.exact.problem;
        let along = Along { program: problem.program, network: &lowered.network, guide, steps, n_steps };
        let beginning = |n_events: usize| {
            let FlowProblem { property, executions, .. } = *problem;
            let automaton = guide.beginning(n_events);
            sequence_over(&lowered, property, &assumed(problem, Some(&automaton)), executions).ok()
        };
        let limits = self.exact.limits(share);
        let (walk, n_stored) =
            along.walk(&sequence, &lowered.steps, beginning, limits, &mut self.exact.watch());
        self.exact.spend(n_stored);
        Ok(walk)
    }

    /// Learns a rule from a path that no task and no variable rejects.
    fn learn(&mut self, impossible: &ImpossibleStep) -> Option<Learned> {
        let found = self.found.counterexample.as_ref()?;
        let proposals = found.proposals.as_ref()?;
        let witness = proposals.witness.as_ref().filter(|_| proposals.rejecting.is_empty())?;
        let guide = Guide::of_steps(self.exact.problem, self.found)?;
        let rule = Rule::of(&guide, &found.trail.steps, impossible.step)?;
        let (rule, truth) = rule.generalised(|rule| self.test(rule, witness))?;
        Some(rule.learned(&self.found.property, truth))
    }

    /// Returns whether every execution satisfies a rule that rejects the path,
    /// whether or not it satisfies the assumptions of the user: the rule will be
    /// used without them.
    fn test(&mut self, rule: &Rule, witness: &Witness) -> Truth {
        let automaton = rule.automaton();
        let constraint = flow::Constraint::Context { name: "learned".to_string(), automaton: &automaton };
        if !witness.is_rejected(self.exact.problem, constraint, &mut self.exact.watch()) {
            return Truth::Useless;
        }
        let exact = &mut self.exact;
        let report =
            exact.question_about(&automaton, &[], Executions::Prefixes).and_then(|(lowered, sequence)| {
                let aim = Aim::Sequence(String::new(), Box::new(sequence));
                exact.run(&lowered, aim, search::Rule::Mixed, 1.0)
            });
        match report.map(|it| (it.verdict, it.search.counters.stored)) {
            Ok((Verdict::Holds, n_states)) => Truth::Proved(n_states),
            Ok((Verdict::Violated | Verdict::HoldsVacuously, _)) => Truth::Useless,
            Ok((Verdict::Undecided(_) | Verdict::Inconclusive, _)) | Err(_) => Truth::Unknown,
        }
    }
}
