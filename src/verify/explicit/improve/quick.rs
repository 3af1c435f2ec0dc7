//! The quick part of the improvement, for the counterexamples of `check`.

use super::passages::Passages;
use super::{Progress, cut_and_drop};
use crate::explicit::overflow::SearchStart;
use crate::search::improve::{Improver, Run};
use crate::search::{Cut, Limits, Watcher};
use crate::system::{Abort, Marked, TransitionSystem, Word};
use crate::verify::explicit::ExplicitProblem;
use crate::verify::report::{ImproveAction, Improvement};

/// Maximum number of steps of a counterexample that is shortened.
const MAX_STEPS: usize = 100_000;

/// The states of a counterexample, each with its index among the successors of
/// the state before if it is known.
pub(in crate::verify::explicit) type States = Vec<(Vec<Word>, Option<usize>)>;

/// Shortens a counterexample that ends in an error. Returns the run, if it is
/// shorter, and what was done.
pub(in crate::verify::explicit) fn to_goal<S: TransitionSystem>(
    problem: &ExplicitProblem,
    start: &SearchStart,
    (system, states): (&mut S, &States),
    watch: Watcher,
) -> Option<(Run, Improvement)> {
    let passages = Passages::new(problem, start);
    let fault = passages.fault(&states.last()?.0);
    let accepts = |state: &[Word]| passages.fault(state) == fault;
    let mut improver = Improver::to_goals(system, &accepts, Limits::default(), watch);
    shortened(&mut improver, &passages, states, None)
}

/// Shortens a counterexample that ends in a cycle.
pub(in crate::verify::explicit) fn into_cycle<S: Marked>(
    problem: &ExplicitProblem,
    start: &SearchStart,
    (system, states, cycle): (&mut S, &States, usize),
    watch: Watcher,
) -> Option<(Run, Improvement)> {
    let passages = Passages::new(problem, start);
    let accepts = |_: &[Word]| false;
    let mut improver = Improver::to_cycles(system, &accepts, Limits::default(), watch);
    shortened(&mut improver, &passages, states, Some(cycle))
}

fn shortened<S: TransitionSystem>(
    improver: &mut Improver<S>,
    passages: &Passages,
    states: &States,
    cycle: Option<usize>,
) -> Option<(Run, Improvement)> {
    if states.len() > MAX_STEPS {
        return None;
    }
    let through = states.iter().map(|(state, choice)| (state.as_slice(), *choice));
    let mut original = improver.run_through(through).ok()??;
    original.cycle = cycle;
    let mut progress = Progress { best: Some(original.clone()), ..Progress::default() };
    if cut_and_drop(improver, passages, &mut progress) == Err(Cut::Aborted(Abort::Restart)) {
        // The search would have to begin again: the counterexample is kept.
        return None;
    }
    let best = progress.best.filter(|it| it.cost() < original.cost())?;
    let is_done = |it: &ImproveAction| it.is_complete;
    let improvement = Improvement {
        before: passages.length(&original),
        after: passages.length(&best),
        is_other_error: passages.last_statement(&original) != passages.last_statement(&best),
        actions: progress.actions.into_iter().filter(is_done).collect(),
        is_shortest: false,
        same_state: false,
        stopped: None,
    };
    Some((best, improvement))
}
