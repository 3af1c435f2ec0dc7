//! The refinement loop: adds constraints that reject the counterexamples of the
//! flow engine until it proves the property, then drops the constraints that the
//! proof does not need. After the first counterexample the explicit engine gets a
//! small budget: if an execution violates the property, the loop ends at once. If
//! no constraint rejects a counterexample, it decides within a larger one, and a
//! rule about the order of events is learned that rejects the counterexample.
//!
//! The loop adds facts, which are generated from the model. An assumption, a
//! constraint file of the user, is added only if a [`Guide`] chooses it or the
//! [`Manner`] allows it.

use crate::base::cancel::{caught, checkpoint, stop_reason};
use crate::diag::{Diagnostic, Sources};
use crate::lang::library::Library;
use crate::search::Watcher;
use crate::verify::explicit::ReductionChoice;
use crate::verify::flow::Witness;
use crate::verify::report::{
    Kind, Learned, NamedProposal, Outcome, Proposal, ProvingSet, Report, Stop, Verdict,
};
use crate::verify::workspace::{CheckOptions, EngineChoice, ProposalScope, Subject, Workspace, is_generated};
use crate::verify::{Confirm, ConfirmBudget, ConfirmOptions};
use std::time::{Duration, Instant};

/// Maximum number of states of the explicit engine, if no constraint helps.
pub const EXACT_STATES: u64 = 1_000_000;

/// Maximum number of rules that are learned for one property.
const MAX_LEARNED: usize = 5;

/// Maximum number of states of the explicit engine after the first
/// counterexample, besides twice the node-tuples of the search that found it.
const FIRST_STATES: u64 = 500;

/// Node-tuples of the search for a proof of a property whose counterexample was
/// refuted, per node-tuple and state so far, and in addition.
const PROOF_EFFORT: (u64, u64) = (5, 10_000);

/// Maximum number of states of the explicit engine, if a proof needs an
/// assumption.
const ASSUMED_STATES: u64 = 100_000;

/// One check of the loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// The verdict.
    pub verdict: Verdict,
    /// Number of steps of the counterexample, up to the violation.
    pub n_steps: usize,
    /// Number of sets of tasks and variables that reject it.
    pub n_rejecting: usize,
    /// The constraints that are added because of it.
    pub added: Vec<Addition>,
    /// Number of node-tuples, or of states for the explicit engine.
    pub n_stored: u64,
    /// Whether the explicit engine decided.
    pub is_exact: bool,
    /// Time of the check.
    pub elapsed: Duration,
}

/// Constraints that are added together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The constraints, as the command line writes them.
    pub constraints: Vec<String>,
    /// Number of the first step of the counterexample that cannot happen.
    pub step: usize,
    /// Whether they reject a further counterexample, found with those before
    /// them.
    pub is_further: bool,
    /// Whether they contain an assumption, which is not checked.
    pub is_assumption: bool,
}

impl From<&Proposal> for Addition {
    fn from(proposal: &Proposal) -> Self {
        let constraints = proposal.constraints.iter().map(|it| it.name.clone()).collect();
        Self { constraints, step: proposal.step, is_further: false, is_assumption: false }
    }
}

impl Addition {
    /// Adds a constraint file or a set.
    pub fn named(named: &NamedProposal, is_assumption: bool) -> Self {
        let constraints = vec![named.name.clone()];
        Self { constraints, step: named.proposal.step, is_further: false, is_assumption }
    }
}

/// The result of the loop.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The verdict; undecided if the loop was stopped. A proof of the flow engine
    /// is vacuous if the explicit engine says so.
    pub verdict: Verdict,
    /// The last report: a proof, a violation, or an undecided check.
    pub report: Report,
    /// The checks before constraints were dropped.
    pub rounds: Vec<Round>,
    /// Number of checks of the loop.
    pub n_rounds: usize,
    /// The constraints of the options, with which the loop began.
    pub given: Vec<String>,
    /// The added constraints that the proof needs, in order; without a proof, all of them.
    pub needed: Vec<String>,
    /// The added constraints that it does not need.
    pub dropped: Vec<String>,
    /// Whether it is known that no needed constraint can be left out.
    pub is_minimal: bool,
    /// Number of checks after the proof, to drop constraints.
    pub n_reductions: usize,
    /// Assumptions that reject the last counterexample of the flow engine and
    /// were not added.
    pub assumptions: Vec<NamedProposal>,
    /// Rules that were learned, each with the path that constraints name it by.
    /// Proved rules may be among the needed constraints; others are only offered.
    pub learned: Vec<(String, Learned)>,
    /// The verdict of the explicit engine, if it was asked.
    pub exact: Option<ExactVerdict>,
    /// Why the loop was stopped before its end.
    pub stopped: Option<Stop>,
    /// Time of the loop.
    pub elapsed: Duration,
}

/// What the explicit engine says about the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactVerdict {
    /// The verdict; undecided if its budget ended.
    pub verdict: Verdict,
    /// Number of states stored.
    pub n_stored: u64,
    /// Time of the check.
    pub elapsed: Duration,
    /// Whether some executions end in an error.
    pub has_errors: bool,
}

/// How the loop chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Whether an assumption is added if no fact rejects a counterexample.
    pub assumes: bool,
    /// Whether the guide is asked in each round.
    pub asks: bool,
    /// The folder of constraint files, for the paths of learned rules.
    pub folder: String,
    /// Maximum number of node-tuples of all checks together. With a maximum, the
    /// explicit engine is not asked and no rule is learned.
    pub max_tuples: Option<u64>,
}

/// What to do about a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Add the best facts.
    Automatic,
    /// Add these constraints.
    Add(Addition),
    /// Let the explicit engine decide.
    Exact,
    /// End the loop.
    Stop,
}

/// Follows the loop and may choose.
pub trait Guide {
    /// Chooses what to do about the counterexample of a report.
    fn choose(&mut self, report: &Report, sources: &Sources) -> Choice {
        let _ = (report, sources);
        Choice::Automatic
    }

    /// Is called after each check of the loop.
    fn round(&mut self, round: &Round);

    /// Is called before each check that tries to leave out a constraint.
    fn reduces(&mut self, without: &str) {
        let _ = without;
    }
}

/// Refines the constraints of one property of a task model. `options` has the
/// constraints to begin with, which are never dropped. `on_round` is called after
/// each check of the loop.
pub fn refine<L: Library>(
    workspace: &mut Workspace<L>,
    subject: &Subject,
    options: &CheckOptions,
    watch: Watcher,
    on_round: &mut dyn FnMut(&Round),
) -> Result<Refinement, Vec<Diagnostic>> {
    struct Silent<'a>(&'a mut dyn FnMut(&Round));
    impl Guide for Silent<'_> {
        fn round(&mut self, round: &Round) {
            (self.0)(round);
        }
    }
    guided(workspace, subject, options, Manner::default(), watch, &mut Silent(on_round))
}

/// Adds to a report that refutes a counterexample which constraints let the flow
/// engine prove the property, if they are found with a few times the work so far.
pub fn add_proof<L: Library>(
    workspace: &mut Workspace<L>,
    subject: &Subject,
    options: &CheckOptions,
    report: &mut Report,
    watch: Watcher,
) {
    struct Silent;
    impl Guide for Silent {
        fn round(&mut self, _: &Round) {}
    }
    let Some(confirmation) = &mut report.confirmation else { return };
    if confirmation.outcome != Outcome::Refuted || report.verdict != Verdict::Holds {
        return;
    }
    let by_flow = confirmation.other.as_ref().map_or(0, |it| it.search.counters.generated);
    let work = by_flow.saturating_add(report.search.counters.stored);
    let max_tuples = Some(work.saturating_mul(PROOF_EFFORT.0).saturating_add(PROOF_EFFORT.1));
    let manner = Manner { max_tuples, ..Manner::default() };
    let refined = caught(|| guided(workspace, subject, options, manner, watch, &mut Silent));
    if let Ok(Ok(refined)) = refined
        && refined.report.verdict == Verdict::Holds
    {
        let Refinement { needed: constraints, is_minimal, .. } = refined;
        confirmation.proof = Some(ProvingSet { constraints, is_minimal });
    }
}

/// Refines like [`refine`], with a guide.
pub fn guided<L: Library>(
    workspace: &mut Workspace<L>,
    subject: &Subject,
    options: &CheckOptions,
    manner: Manner,
    watch: Watcher,
    guide: &mut dyn Guide,
) -> Result<Refinement, Vec<Diagnostic>> {
    let proposals = if manner.asks { ProposalScope::Folders } else { ProposalScope::Best };
    let mut refiner = Refiner {
        workspace,
        subject,
        options: CheckOptions {
            engine: EngineChoice::Flow,
            confirm: ConfirmOptions::NEVER,
            proposals,
            ..options.clone()
        },
        manner,
        watch,
        guide,
        given: options.constraints.clone(),
        added: Vec::new(),
        trials: Vec::new(),
        rounds: Vec::new(),
        exact: None,
        learned: Vec::new(),
        n_generated: 0,
        start: Instant::now(),
    };
    refiner.run()
}

struct Refiner<'a, 'w, L> {
    workspace: &'a mut Workspace<L>,
    subject: &'a Subject,
    options: CheckOptions,
    manner: Manner,
    watch: Watcher<'w>,
    guide: &'a mut dyn Guide,
    /// The constraints to begin with.
    given: Vec<String>,
    /// The constraints that were added, in order.
    added: Vec<Addition>,
    /// The added constraints, each with the counterexample for which it was
    /// added.
    trials: Vec<(Witness, String)>,
    rounds: Vec<Round>,
    /// The report of the explicit engine, with the time of its check.
    exact: Option<(Report, Duration)>,
    learned: Vec<(String, Learned)>,
    /// Number of node-tuples of all checks.
    n_generated: u64,
    start: Instant,
}

impl<L: Library> Refiner<'_, '_, L> {
    fn run(&mut self) -> Result<Refinement, Vec<Diagnostic>> {
        let mut last: Option<Report> = None;
        let report = loop {
            let start = Instant::now();
            let options = self.with(&self.added_names());
            let Some(report) = self.check(&options)? else {
                // Without any report there is no result: the checkpoint unwinds to the caller.
                let Some(report) = last else {
                    checkpoint();
                    unreachable!("the work was stopped");
                };
                return Ok(self.stopped(report));
            };
            // With an assumption the explicit engine may say something else.
            let is_automatic = !self.manner.asks && !self.manner.assumes && self.manner.max_tuples.is_none();
            if self.rounds.is_empty() && report.verdict == Verdict::Violated && is_automatic {
                let n_generated = report.search.counters.generated;
                if self.ask_exactly(FIRST_STATES.saturating_add(n_generated.saturating_mul(2)))?
                    == Some(Verdict::Violated)
                {
                    self.record(Round::new(&report, Vec::new(), start));
                    return self.decide_exactly(report);
                }
            }
            self.remember(&report);
            let choice = match self.is_over() {
                true => Choice::Stop,
                false => self.choose(&report),
            };
            let added = match &choice {
                Choice::Add(addition) => with_further(addition.clone(), &report),
                Choice::Exact if report.verdict == Verdict::Violated && self.manner.max_tuples.is_none() => {
                    self.learn(&options)?.into_iter().collect()
                }
                _ => Vec::new(),
            };
            let choice = match added.first() {
                Some(learned) if choice == Choice::Exact => Choice::Add(learned.clone()),
                _ => choice,
            };
            self.record(Round::new(&report, added.clone(), start));
            self.trials.extend(trials(&added, &report));
            self.added.extend(added);
            match choice {
                Choice::Add(_) => last = Some(report),
                Choice::Stop => return Ok(self.stopped(report)),
                Choice::Automatic | Choice::Exact => break report,
            }
        };
        match report.verdict {
            Verdict::Violated if self.manner.max_tuples.is_none() => self.decide_exactly(report),
            Verdict::Holds => self.reduce(report),
            _ => Ok(self.result(report)),
        }
    }

    /// Returns what to do about a counterexample, with what to add filled in.
    fn choose(&mut self, report: &Report) -> Choice {
        let found = report.counterexample.as_ref();
        let Some(proposals) = found.and_then(|it| it.proposals.as_ref()) else { return Choice::Exact };
        let choice = match self.manner.asks {
            true => self.guide.choose(report, self.workspace.sources()),
            false => Choice::Automatic,
        };
        if choice != Choice::Automatic {
            return choice;
        }
        let fact = proposals.rejecting.first().map(Addition::from);
        let assumption = proposals.assumptions.first().filter(|_| self.manner.assumes);
        let added = fact.or_else(|| assumption.map(|it| Addition::named(it, true)));
        added.map_or(Choice::Exact, Choice::Add)
    }

    fn record(&mut self, round: Round) {
        self.guide.round(&round);
        self.rounds.push(round);
    }

    /// Makes the verdict of a check known to later ones.
    fn remember(&mut self, report: &Report) {
        let constraints = report.constraints().iter().filter(|it| it.kind != Kind::Adjacency);
        let names = constraints.map(|it| it.name.clone());
        match report.verdict {
            Verdict::Holds => self.options.known.add_proved(names),
            Verdict::Violated => self.options.known.add_refuted(names),
            _ => {}
        }
    }

    /// Returns the names of all added constraints.
    fn added_names(&self) -> Vec<String> {
        self.added.iter().flat_map(|it| it.constraints.iter().cloned()).collect()
    }

    /// Returns the options with more constraints.
    fn with(&self, more: &[String]) -> CheckOptions {
        let constraints = self.given.iter().chain(more).cloned().collect();
        CheckOptions { constraints, ..self.options.clone() }
    }

    /// Checks the property; `None` if the work was stopped without a report.
    fn check(&mut self, options: &CheckOptions) -> Result<Option<Report>, Vec<Diagnostic>> {
        let (workspace, watch) = (&mut *self.workspace, &mut *self.watch);
        let left = self.manner.max_tuples.map(|it| it.saturating_sub(self.n_generated));
        let mut options = options.clone();
        options.limits.max_states = options.limits.max_states.into_iter().chain(left).min();
        let report = caught(|| workspace.check(self.subject, &options, watch)).ok().transpose()?;
        self.n_generated += report.as_ref().map_or(0, |it| it.search.counters.generated);
        Ok(report)
    }

    /// Returns whether all checks together had their maximum number of node-tuples.
    fn is_over(&self) -> bool {
        self.manner.max_tuples.is_some_and(|it| self.n_generated >= it)
    }

    /// Learns a rule that rejects the counterexample, if no execution violates the
    /// property or has its events. A rule that is not proved is only offered.
    fn learn(&mut self, options: &CheckOptions) -> Result<Option<Addition>, Vec<Diagnostic>> {
        let is_violated = self.ask_exactly(EXACT_STATES)? == Some(Verdict::Violated);
        if is_violated || self.learned.len() == MAX_LEARNED {
            return Ok(None);
        }
        let budget = ConfirmBudget { max_states: EXACT_STATES, ..ConfirmBudget::default() };
        let confirm = ConfirmOptions { when: Confirm::Auto, budget };
        let proposals = ProposalScope::default();
        let options = CheckOptions { confirm, proposals, ..options.clone() };
        let Some(report) = self.check(&options)? else { return Ok(None) };
        let Some(confirmation) = report.confirmation else { return Ok(None) };
        let (Some(learned), Some(impossible)) = (confirmation.learned, confirmation.impossible) else {
            return Ok(None);
        };
        let number = match self.learned.len() {
            0 => String::new(),
            n => format!("-{}", n + 1),
        };
        let path = format!("{}{}{number}.yaml", self.manner.folder, learned.name);
        let addition = learned.is_proved.then(|| Addition {
            constraints: vec![path.clone()],
            step: impossible.step,
            is_further: false,
            is_assumption: false,
        });
        self.workspace.provide_constraint(&path, &learned.text);
        self.learned.push((path, learned));
        Ok(addition)
    }

    /// Asks the explicit engine, unless it has decided before, and returns its
    /// verdict; `None` if the work was stopped.
    fn ask_exactly(&mut self, max_states: u64) -> Result<Option<Verdict>, Vec<Diagnostic>> {
        let is_open = |it: &(Report, Duration)| matches!(it.0.verdict, Verdict::Undecided(_));
        if self.exact.as_ref().is_none_or(is_open) {
            let start = Instant::now();
            let options = exact(&self.with(&self.added_names()), max_states);
            let report = match self.check(&options) {
                Ok(Some(report)) => report,
                Ok(None) => return Ok(None),
                // The flow engine may do without the explicit one, which has more limits.
                Err(_) if max_states < EXACT_STATES => return Ok(None),
                Err(faults) => return Err(faults),
            };
            self.exact = Some((report, start.elapsed()));
        }
        Ok(self.exact.as_ref().map(|it| it.0.verdict))
    }

    /// Lets the explicit engine decide about a counterexample that no constraint rejects.
    fn decide_exactly(&mut self, report: Report) -> Result<Refinement, Vec<Diagnostic>> {
        let proposals = report.counterexample.as_ref().and_then(|it| it.proposals.clone());
        self.ask_exactly(EXACT_STATES)?;
        let Some((report, elapsed)) = self.exact.clone() else { return Ok(self.stopped(report)) };
        self.record(Round { elapsed, ..Round::new(&report, Vec::new(), Instant::now()) });
        // The explicit engine needs no facts, but it uses assumptions.
        let (needed, dropped) = self.added.iter().cloned().partition(|it: &Addition| it.is_assumption);
        Ok(Refinement {
            needed: names(needed),
            dropped: names(dropped),
            assumptions: proposals.map_or(Vec::new(), |it| it.assumptions),
            ..self.result(report)
        })
    }

    /// Drops the constraints that a proof does not need.
    fn reduce(&mut self, report: Report) -> Result<Refinement, Vec<Diagnostic>> {
        let (mut report, mut needed, mut dropped) = (report, self.added_names(), Vec::new());
        // Without such a constraint, all others let a counterexample pass.
        let mut known = match self.trials.len() {
            0 => Vec::new(),
            _ => self.known_as_needed(&needed)?,
        };
        // Without the only constraint of the last round, the property was violated.
        let last = self.rounds.iter().rev().find(|it| !it.added.is_empty());
        known.extend(last.map(|it| names(it.added.clone())).filter(|it| it.len() == 1).into_iter().flatten());
        for name in &known {
            let others = self.given.iter().chain(&needed).filter(|it| *it != name).cloned();
            self.options.known.add_refuted(others);
        }
        let (mut index, mut n_reductions, mut is_minimal) = (0, 0, true);
        self.options.proposals = ProposalScope::Nothing;
        // The last constraints rejected the hardest counterexamples: try the first ones first.
        while index < needed.len() {
            if self.is_over() {
                is_minimal = false;
                break;
            }
            if known.contains(&needed[index]) {
                index += 1;
                continue;
            }
            let candidate = needed.remove(index);
            self.guide.reduces(&candidate);
            let fewer = self.check(&self.with(&needed))?;
            n_reductions += 1;
            match fewer {
                Some(fewer) if fewer.verdict == Verdict::Holds => {
                    self.remember(&fewer);
                    dropped.push(candidate);
                    report = fewer;
                }
                fewer => {
                    fewer.iter().for_each(|it| self.remember(it));
                    let is_needed = fewer.is_some_and(|it| it.verdict == Verdict::Violated);
                    is_minimal &= is_needed;
                    needed.insert(index, candidate);
                    index += 1;
                    if !is_needed && stop_reason().is_some() {
                        break;
                    }
                }
            }
        }
        let stopped = stop_reason().filter(|_| !is_minimal);
        let assumes = |it: &Addition| it.is_assumption && it.constraints.iter().any(|it| needed.contains(it));
        if stopped.is_none() && self.added.iter().any(assumes) {
            // The assumption may exclude every execution.
            self.ask_exactly(ASSUMED_STATES)?;
        }
        Ok(Refinement { needed, dropped, is_minimal, n_reductions, stopped, ..self.result(report) })
    }

    /// Returns the added constraints without which a counterexample of an earlier round passes all
    /// others.
    fn known_as_needed(&mut self, added: &[String]) -> Result<Vec<String>, Vec<Diagnostic>> {
        let options = self.with(added);
        let (workspace, watch) = (&mut *self.workspace, &mut *self.watch);
        let passes = caught(|| workspace.passes(self.subject, &options, &self.trials, watch));
        let passes = passes.unwrap_or(Ok(Vec::new()))?;
        let known = self.trials.iter().zip(passes).filter(|(_, passes)| *passes);
        Ok(known.map(|((_, name), _)| name.clone()).collect())
    }

    /// Returns the result of a loop that was stopped after this report.
    fn stopped(&mut self, report: Report) -> Refinement {
        let stop = stop_reason().unwrap_or(Stop::Interrupt);
        Refinement { verdict: Verdict::Undecided(stop), stopped: Some(stop), ..self.result(report) }
    }

    fn result(&mut self, report: Report) -> Refinement {
        let stopped = match report.verdict {
            Verdict::Undecided(stop) => Some(stop),
            _ => None,
        };
        let is_vacuous = self.exact.as_ref().is_some_and(|it| it.0.verdict == Verdict::HoldsVacuously);
        let verdict = match report.verdict {
            Verdict::Holds if is_vacuous => Verdict::HoldsVacuously,
            verdict => verdict,
        };
        Refinement {
            verdict,
            report,
            n_rounds: self.rounds.len(),
            rounds: std::mem::take(&mut self.rounds),
            given: std::mem::take(&mut self.given),
            needed: self.added_names(),
            dropped: Vec::new(),
            is_minimal: false,
            n_reductions: 0,
            assumptions: Vec::new(),
            exact: self.exact.as_ref().map(|(report, elapsed)| ExactVerdict {
                verdict: report.verdict,
                n_stored: report.search.counters.stored,
                elapsed: *elapsed,
                has_errors: report.explicit().is_some_and(|it| it.has_met_fault),
            }),
            learned: std::mem::take(&mut self.learned),
            stopped,
            elapsed: self.start.elapsed(),
        }
    }
}

/// Returns an addition and, if it is the best one, what rejects further
/// counterexamples with it.
fn with_further(addition: Addition, report: &Report) -> Vec<Addition> {
    let proposals = report.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
    let best = proposals.filter(|it| it.rejecting.first().map(Addition::from).as_ref() == Some(&addition));
    let further = best.into_iter().flat_map(|it| &it.further);
    let further = further.map(|(it, _)| Addition { is_further: true, ..Addition::from(it) });
    std::iter::once(addition).chain(further).collect()
}

/// Returns the added constraints, each with the counterexample for which it was
/// added.
fn trials(added: &[Addition], report: &Report) -> Vec<(Witness, String)> {
    let Some(proposals) = report.counterexample.as_ref().and_then(|it| it.proposals.as_ref()) else {
        return Vec::new();
    };
    let further = proposals.further.iter().map(|(_, witness)| witness);
    let witnesses = proposals.witness.iter().chain(further);
    let trials = added
        .iter()
        .zip(witnesses)
        .flat_map(|(addition, witness)| addition.constraints.iter().map(|it| (witness.clone(), it.clone())));
    trials.collect()
}

fn names(added: Vec<Addition>) -> Vec<String> {
    added.into_iter().flat_map(|it| it.constraints).collect()
}

/// Returns the options of a check by the explicit engine within its budget.
fn exact(options: &CheckOptions, max_states: u64) -> CheckOptions {
    let mut options = CheckOptions { engine: EngineChoice::Explicit, ..options.clone() };
    options.constraints.retain(|it| !is_generated(it));
    options.strategy = CheckOptions::default().strategy;
    let max_states = options.limits.max_states.unwrap_or(max_states).min(max_states);
    options.limits.max_states = Some(max_states);
    // A small search is over before a reduction is prepared.
    if max_states < EXACT_STATES && options.reduction == ReductionChoice::Auto {
        options.reduction = ReductionChoice::None;
    }
    options
}

impl Round {
    fn new(report: &Report, added: Vec<Addition>, start: Instant) -> Self {
        let proposals = report.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
        Self {
            verdict: report.verdict,
            n_steps: report.counterexample.as_ref().map_or(0, |it| it.prefix.unwrap_or(it.length())),
            n_rejecting: proposals.map_or(0, |it| it.rejecting.len()),
            added,
            n_stored: report.search.counters.stored,
            is_exact: report.explicit().is_some(),
            elapsed: start.elapsed(),
        }
    }
}
