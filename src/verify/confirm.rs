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

mod guide;
mod learn;
mod reason;

use super::explicit::{Aim, ExplicitProblem, Semantics, Sequence};
use super::flow::{self, FlowProblem, Witness};
use super::question::{Question, SearchOptions, TrailDetail};
use super::report::{
    Confirmation, Constraint, Counterexample, ImpossibleStep, Learned, Outcome, Report, Stop, Verdict,
};
use super::workspace::tasks::{assumption, lowered_for, observed};
use crate::base::cancel::{caught, stop_reason};
use crate::diag::Diagnostic;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::lower::Lowered;
use crate::search::strategy as search;
use crate::search::{Counters, Limits, Strategy, Watcher};
use guide::Guide;
use learn::{Rule, Truth};
use reason::{Along, Walk};
use std::collections::HashSet;
use std::rc::Rc;
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
        lowered: Vec::new(),
    };
    let judged = caught(|| judge.judge()).unwrap_or_else(|stop| Ok(Judgement::stopped(stop)));
    let Judgement { decided, other, outcome, is_execution, impossible } =
        judged.unwrap_or_else(|faults| Judgement::refused(&faults));
    let learned = match &impossible {
        Some(impossible) if is_execution == Some(false) => {
            judge.renew(budget);
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
    let mut confirmation =
        Confirmation { outcome, other: None, is_execution, impossible, learned, budget, elapsed };
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

/// The labels that are observed, and the executions that matter.
type Observed = (HashSet<String>, Executions);

/// The counterexample and what is left of the budget.
struct Judge<'q, 'a, 'w> {
    problem: &'q FlowProblem<'a>,
    found: &'q Report,
    max_states: Option<u64>,
    max_bytes: Option<u64>,
    deadline: Option<Instant>,
    detail: TrailDetail,
    watch: Watcher<'w>,
    /// The model as a network, by the labels that are observed and the
    /// executions that matter.
    lowered: Vec<(Observed, Rc<Lowered>)>,
}

impl Judge<'_, '_, '_> {
    fn judge(&mut self) -> Result<Judgement, Vec<Diagnostic>> {
        let guide = Guide::of_steps(self.problem, self.found);
        // The other searches need a share of the budget too.
        let walk = match &guide {
            Some(guide) => self.walk(guide, 0.25)?,
            None => Walk::Stopped,
        };
        let (execution, impossible) = match (walk, &guide) {
            (Walk::Found, Some(guide)) => {
                (Some(self.ask(Some(&guide.automaton), search::Rule::Bfs, 0.25)?), None)
            }
            (Walk::Exhausted(impossible), _) => (None, impossible),
            _ => (None, None),
        };
        let execution = execution.filter(|it| it.verdict == Verdict::Violated);
        let any = self.ask(None, search::Rule::Mixed, 0.7)?;
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
        let Some(guide) = Guide::of_events(self.problem, self.found) else { return Ok((None, None)) };
        let same = self.ask(Some(&guide.automaton), search::Rule::Bfs, 1.0)?;
        Ok(match same.verdict {
            Verdict::Violated => (Some(true), Some(same)),
            Verdict::Holds | Verdict::HoldsVacuously => (Some(false), None),
            Verdict::Inconclusive | Verdict::Undecided(_) => (None, None),
        })
    }

    /// Searches the executions along a guide, and the first impossible step if
    /// there is none.
    fn walk(&mut self, guide: &Guide, share: f64) -> Result<Walk, Vec<Diagnostic>> {
        let (lowered, sequence) = self.question(Some(&guide.automaton))?;
        let found = self.found.counterexample.as_ref();
        let steps = found.map_or(&[][..], |it| &it.trail.steps[..it.prefix.unwrap_or(it.trail.steps.len())]);
        let n_steps = found.map_or(0, Counterexample::length);
        let along = Along { program: self.problem.program, network: &lowered.network, guide, steps, n_steps };
        let beginning = |n_events: usize| {
            let FlowProblem { property, executions, .. } = *self.problem;
            let automaton = guide.beginning(n_events);
            sequence_over(&lowered, property, &assumed(self.problem, Some(&automaton)), executions).ok()
        };
        let limits = self.limits(share);
        let (walk, n_stored) = along.walk(&sequence, &lowered.steps, beginning, limits, &mut |counters| {
            self.deadline
                .filter(|it| Instant::now() >= *it)
                .map(|_| Stop::Time)
                .or_else(|| (self.watch)(counters))
        });
        self.spend(n_stored);
        Ok(walk)
    }

    /// Searches the executions that violate the property and, if there is a
    /// guide, are accepted by it. Takes at most this share of what is left of the
    /// budget.
    fn ask(
        &mut self,
        guide: Option<&EventAutomaton>,
        rule: search::Rule,
        share: f64,
    ) -> Result<Report, Vec<Diagnostic>> {
        let (lowered, sequence) = self.question(guide)?;
        let aim = Aim::Sequence(self.found.property.clone(), Box::new(sequence));
        self.run(&lowered, aim, rule, share)
    }

    /// Searches the states of a network, with this share of what is left of the
    /// budget.
    fn run(
        &mut self,
        lowered: &Lowered,
        aim: Aim,
        rule: search::Rule,
        share: f64,
    ) -> Result<Report, Vec<Diagnostic>> {
        let problem = ExplicitProblem {
            assumptions: self.assumptions(),
            semantics: Semantics { allows_failed_assertions: true, ..Semantics::default() },
            ..ExplicitProblem::new(&lowered.network, aim)
        };
        let search = SearchOptions { strategy: Strategy::of(rule).into(), limits: self.limits(share) };
        let (deadline, run) = (self.deadline, &mut *self.watch);
        let mut watch = |counters: &Counters| match deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Stop::Time),
            _ => run(counters),
        };
        let question = Question { search, detail: self.detail, ..Question::from(problem) };
        let report = question.check(&mut watch)?;
        self.spend(report.search.counters.stored);
        Ok(report)
    }

    /// Grants the states of the budget once more.
    fn renew(&mut self, budget: Option<ConfirmBudget>) {
        self.max_states = budget.map(|it| it.max_states);
    }

    /// Learns a rule from a path that no task and no variable rejects.
    fn learn(&mut self, impossible: &ImpossibleStep) -> Option<Learned> {
        let found = self.found.counterexample.as_ref()?;
        let proposals = found.proposals.as_ref()?;
        let witness = proposals.witness.as_ref().filter(|_| proposals.rejecting.is_empty())?;
        let guide = Guide::of_steps(self.problem, self.found)?;
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
        if !witness.is_rejected(self.problem, constraint, self.watch) {
            return Truth::Useless;
        }
        let report =
            self.question_about(&automaton, &[], Executions::Prefixes).and_then(|(lowered, sequence)| {
                let aim = Aim::Sequence(String::new(), Box::new(sequence));
                self.run(&lowered, aim, search::Rule::Mixed, 1.0)
            });
        match report.map(|it| (it.verdict, it.search.counters.stored)) {
            Ok((Verdict::Holds, n_states)) => Truth::Proved(n_states),
            Ok((Verdict::Violated | Verdict::HoldsVacuously, _)) => Truth::Useless,
            Ok((Verdict::Undecided(_) | Verdict::Inconclusive, _)) | Err(_) => Truth::Unknown,
        }
    }

    fn limits(&self, share: f64) -> Limits {
        let max_states = self.max_states.map(|it| (it as f64 * share).ceil() as u64);
        Limits { max_states, max_bytes: self.max_bytes }
    }

    fn spend(&mut self, n_states: u64) {
        self.max_states = self.max_states.map(|it| it.saturating_sub(n_states));
    }

    /// Returns the network and the property for the executions that a guide, if
    /// there is one, accepts.
    fn question(
        &mut self,
        guide: Option<&EventAutomaton>,
    ) -> Result<(Rc<Lowered>, Sequence), Vec<Diagnostic>> {
        let assumed = assumed(self.problem, guide);
        self.question_about(self.problem.property, &assumed, self.problem.executions)
    }

    /// Returns the network for a property, and the property for the executions
    /// that satisfy the assumptions.
    fn question_about(
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
fn assumed<'e>(problem: &FlowProblem<'e>, guide: Option<&'e EventAutomaton>) -> Vec<&'e EventAutomaton> {
    let contexts = problem.constraints.iter().filter_map(|it| match it {
        flow::Constraint::Context { automaton, .. } => Some(*automaton),
        _ => None,
    });
    contexts.chain(guide).collect()
}

fn sequence_over(
    lowered: &Lowered,
    property: &EventAutomaton,
    assumed: &[&EventAutomaton],
    executions: Executions,
) -> Result<Sequence, Vec<Diagnostic>> {
    let sequence = Sequence::over(&lowered.steps, property, assumed, executions);
    sequence.map_err(|why| vec![Diagnostic::error_without_place("sequence-limit", why.to_string())])
}
