//! The refinement loop: adds constraints that reject the counterexamples of the
//! flow engine until it proves the property, then drops the constraints that the
//! proof does not need. If no constraint rejects a counterexample, the explicit
//! engine decides within a budget.

use crate::diag::Diagnostic;
use crate::lang::library::Library;
use crate::search::Watcher;
use crate::verify::ConfirmOptions;
use crate::verify::report::{Proposal, Report, Verdict};
use crate::verify::workspace::{CheckOptions, EngineChoice, Subject, Workspace, is_generated};
use std::time::{Duration, Instant};

/// Maximum number of states of the explicit engine.
pub const EXACT_STATES: u64 = 1_000_000;

/// One check of the loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// The verdict.
    pub verdict: Verdict,
    /// Number of steps of the counterexample.
    pub n_steps: usize,
    /// The constraints that are added because of it.
    pub added: Option<Proposal>,
    /// Number of node-tuples, or of states for the explicit engine.
    pub n_stored: u64,
    /// Whether the explicit engine decided.
    pub is_exact: bool,
    /// Time of the check.
    pub elapsed: Duration,
}

/// The result of the loop.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The last report: a proof, a violation, or an undecided check.
    pub report: Report,
    /// Number of checks before constraints were dropped.
    pub n_rounds: usize,
    /// The added constraints that the proof needs, in order.
    pub needed: Vec<String>,
    /// The added constraints that it does not need.
    pub dropped: Vec<String>,
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
    let confirm = ConfirmOptions::NEVER;
    let mut options = CheckOptions { engine: EngineChoice::Flow, confirm, ..options.clone() };
    let n_given = options.constraints.len();
    let mut n_rounds = 0;
    let report = loop {
        let start = Instant::now();
        let report = workspace.check(subject, &options, watch)?;
        n_rounds += 1;
        let proposals = report.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
        let added = proposals.and_then(|it| it.rejecting.first()).cloned();
        on_round(&Round::new(&report, added.clone(), start));
        match added {
            Some(proposal) => options.constraints.extend(proposal.constraints.into_iter().map(|it| it.name)),
            None => break report,
        }
    };
    let mut needed = options.constraints[n_given..].to_vec();
    if report.verdict == Verdict::Violated {
        let start = Instant::now();
        let report = workspace.check(subject, &exact(&options), watch)?;
        on_round(&Round::new(&report, None, start));
        return Ok(Refinement { report, n_rounds: n_rounds + 1, needed: Vec::new(), dropped: needed });
    }
    if report.verdict != Verdict::Holds {
        return Ok(Refinement { report, n_rounds, needed, dropped: Vec::new() });
    }
    let (mut report, mut dropped) = (report, Vec::new());
    // The last constraints rejected the hardest counterexamples: try the first ones first.
    let mut index = 0;
    while index < needed.len() {
        let candidate = needed.remove(index);
        options.constraints.truncate(n_given);
        options.constraints.extend(needed.iter().cloned());
        let fewer = workspace.check(subject, &options, watch)?;
        match fewer.verdict {
            Verdict::Holds => {
                dropped.push(candidate);
                report = fewer;
            }
            _ => {
                needed.insert(index, candidate);
                index += 1;
            }
        }
    }
    Ok(Refinement { report, n_rounds, needed, dropped })
}

/// Returns the options of a check by the explicit engine within its budget.
fn exact(options: &CheckOptions) -> CheckOptions {
    let mut options = CheckOptions { engine: EngineChoice::Explicit, ..options.clone() };
    options.constraints.retain(|it| !is_generated(it));
    options.strategy = CheckOptions::default().strategy;
    let max_states = options.limits.max_states.unwrap_or(EXACT_STATES).min(EXACT_STATES);
    options.limits.max_states = Some(max_states);
    options
}

impl Round {
    fn new(report: &Report, added: Option<Proposal>, start: Instant) -> Self {
        Self {
            verdict: report.verdict,
            n_steps: report.counterexample.as_ref().map_or(0, |it| it.prefix.unwrap_or(it.length())),
            added,
            n_stored: report.search.counters.stored,
            is_exact: report.explicit().is_some(),
            elapsed: start.elapsed(),
        }
    }
}
