//! Shorter counterexamples from known ones.
//!
//! [`improve`] reads a trail of Trapline or SPIN ([`given`]) and makes it
//! shorter: parts between two visits of a state are cut out, steps at which no
//! later step looks are dropped ([`relevant`](relevant())), groups of steps are
//! removed as long as the rest replays, and shorter runs are searched near the
//! trail and near the initial state. At the end, independent steps can be
//! reordered so that the process changes less often ([`switches`]).
//!
//! Every result is a run of the searched system, the property included: a
//! changed sequence of steps is accepted only if it
//! [replays](crate::search::improve) to an error of the same kind, or into a
//! cycle that violates the property. `check` does the first two for
//! counterexamples that need not be shortest ([`quick`]).

mod given;
mod passages;
pub(super) mod quick;
mod relevant;
mod switches;

use super::{ExplicitProblem, Found, Job, Path, too_many_for_fairness, watching};
use crate::base::cancel;
use crate::base::control::{Counters, Phase};
use crate::diag::{Diagnostic, Sources};
use crate::explicit::growing::Growing;
use crate::explicit::layout::{Shape, Widths};
use crate::explicit::overflow::{SearchStart, Spent};
use crate::explicit::view::MAX_FAIR_PROCESSES;
use crate::search::improve::{Improver, Mode, Run};
use crate::search::strategy::Claims;
use crate::search::{Cut, End, StageCost, StateId, Stop, Watcher};
use crate::system::{Abort, TransitionSystem, Word};
use crate::verify::question::Question;
use crate::verify::report::{ImproveAction, ImproveHow, Improvement, Report, SearchCost};
use std::time::Instant;

pub use given::GivenTrail;
use given::Letters;
use passages::Passages;
use relevant::relevant;
use switches::with_few_switches;

/// Default maximum number of states that a search for shorter runs expands.
pub const MAX_SEARCHED: u64 = 1_000_000;

/// Maximum number of expansions while groups of steps are removed.
pub const MAX_MINIMISING: u64 = 1_000_000;

/// How a trail is improved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImproveOptions {
    /// Whether the improved trail must end in the same state, not only in the
    /// same kind of error.
    pub same_state: bool,
    /// Whether steps of the trail are only removed and reordered, without a
    /// search for other runs.
    pub only_reorder: bool,
    /// Whether independent steps are reordered so that the process changes less
    /// often.
    pub few_switches: bool,
}

/// What is known so far.
#[derive(Default)]
struct Progress {
    /// The given run, once it is replayed.
    original: Option<Run>,
    /// The best run.
    best: Option<Run>,
    actions: Vec<ImproveAction>,
    is_shortest: bool,
    counters: Counters,
}

/// A trail, and how it is improved.
type Request<'a> = (&'a Letters, &'a GivenTrail, ImproveOptions);

/// Improves a trail of a counterexample to the problem of the question.
pub(in crate::verify) fn improve(
    question: &Question,
    problem: &ExplicitProblem,
    (given, options): (&GivenTrail, ImproveOptions),
    sources: &Sources,
    watch: Watcher,
) -> Result<Report, Diagnostic> {
    let job = Job {
        problem,
        property: &question.property,
        strategy: question.search.strategy.resolve(false).clone(),
        limits: question.search.limits,
        detail: question.detail,
    };
    let mut shape = Shape { widths: Widths::whole(), ..Shape::of(problem.network) };
    loop {
        cancel::enter(Phase::Building);
        cancel::checkpoint();
        if problem.is_fair && shape.processes.len() > MAX_FAIR_PROCESSES {
            return Err(too_many_for_fairness());
        }
        let build = |shape: &Shape| problem.engine(shape);
        let start = SearchStart::new(build, shape.clone(), problem.apart(), Spent::default());
        let mut accepts = |letters: &Letters| is_violation(&job, &start, (letters, given), &mut *watch);
        let letters = match given.letters(problem, start.engine(), sources, &mut accepts)? {
            Ok(letters) => letters,
            Err(missing_room) => {
                shape.grow(missing_room);
                continue;
            }
        };
        cancel::enter(Phase::Searching);
        if let Some(report) = improved(&job, &start, (&letters, given, options), watch)? {
            return Ok(report);
        }
        let again = start.again().expect("a restart has a shape");
        shape = Shape { widths: Widths::whole(), ..again.clone() };
    }
}

/// Returns whether a trail violates the property. If this cannot be found out
/// within the limits, the work on the trail will be stopped, too.
fn is_violation(
    job: &Job,
    start: &SearchStart,
    (letters, given): (&Letters, &GivenTrail),
    watch: Watcher,
) -> bool {
    let (problem, limits) = (job.problem, job.limits);
    let passages = Passages::new(problem, start);
    let is_goal = |state: &[Word]| problem.is_goal(passages.fault(state));
    let followed = match (problem.is_alone(), letters.cycle) {
        (true, Some(_)) => return false,
        (true, None) => {
            let views = problem.system_views();
            let system = &mut Growing::new(start, &views);
            let mut improver = Improver::to_goals(system, &is_goal, limits, watch);
            let followed = letters.follow(&mut improver);
            followed.map(|it| it.is_ok_and(|run| given.can_end_in(passages.fault_kind(run.last()))))
        }
        (false, None) => {
            let views = problem.product_views();
            let system = &mut Growing::new(start, &views);
            let mut improver = Improver::to_goals(system, &is_goal, limits, watch);
            letters.follow(&mut improver).map(|it| it.is_ok())
        }
        (false, Some(cycle)) => {
            let views = problem.product_views();
            let system = &mut Growing::new(start, &views);
            let (prefix, cycle) = letters.ids.split_at(cycle);
            let mut improver = Improver::to_cycles(system, &is_goal, limits, watch);
            improver.follow_lasso(prefix, cycle).map(|it| it.is_some())
        }
    };
    followed.unwrap_or(true)
}

/// Improves the trail within one start of a search; `None` if it must restart.
fn improved(
    job: &Job,
    start: &SearchStart,
    request: Request,
    watch: Watcher,
) -> Result<Option<Report>, Diagnostic> {
    let (problem, began) = (job.problem, Instant::now());
    let passages = Passages::new(problem, start);
    let (letters, given, options) = request;
    let mut watch = watching(job, start, watch);
    let mut progress = Progress::default();
    let ended = match (problem.is_alone(), letters.cycle.is_some()) {
        (true, true) => return Err(given.not_a_violation(problem, None)),
        (true, false) => {
            let views = problem.system_views();
            let system = &mut Growing::new(start, &views);
            to_goal(job, (system, &passages), (letters, options), &mut progress, &mut watch)
        }
        (false, false) => {
            let views = problem.product_views();
            let system = &mut Growing::new(start, &views);
            to_goal(job, (system, &passages), (letters, options), &mut progress, &mut watch)
        }
        (false, true) if options.same_state => {
            let message = "a trail with a cycle does not end in a state";
            let fault = Diagnostic::error_without_place("usage", message);
            return Err(fault.with_help("remove `--keep state`"));
        }
        (false, true) if !problem.asks_for_cycles() => return Err(given.not_a_violation(problem, None)),
        (false, true) => {
            let views = problem.product_views();
            let system = &mut Growing::new(start, &views);
            let accepts = |_: &[Word]| false;
            let mut improver = Improver::to_cycles(system, &accepts, job.limits, &mut watch);
            let done = into_cycle(&mut improver, &passages, (letters, options), &mut progress);
            progress.counters = improver.counters;
            done
        }
    };
    let stopped = match ended {
        Ok(Ok(())) => None,
        Ok(Err(index)) => return Err(given.not_a_violation(problem, letters.given_step(index))),
        Err(Cut::Aborted(Abort::Restart)) => return Ok(None),
        Err(Cut::Aborted(Abort::TooLong)) => Some(Stop::Depth),
        Err(Cut::Aborted(Abort::Stopped(stop)) | Cut::Stopped(stop)) => Some(stop),
    };
    let Some((original, best)) = progress.original.take().zip(progress.best.take()) else {
        // No result is known yet.
        cancel::checkpoint();
        let cost = SearchCost { counters: progress.counters, ..SearchCost::default() };
        let found = Found::new(End::Stopped(stopped.unwrap_or(Stop::Time)), NAME.to_string(), CLAIMS, cost);
        return Ok(Some(found.report(job, Some(start))));
    };
    let improvement = Improvement {
        before: passages.length(&original),
        after: passages.length(&best),
        is_other_error: passages.last_statement(&original) != passages.last_statement(&best),
        actions: progress.actions,
        is_shortest: progress.is_shortest,
        same_state: options.same_state,
        stopped,
    };
    progress.counters.depth = best.cost();
    let stages = vec![StageCost { counters: progress.counters, elapsed: began.elapsed() }];
    let cost = SearchCost { counters: progress.counters, stages, elapsed: began.elapsed() };
    let mut found = Found::new(End::Found(StateId(0)), NAME.to_string(), CLAIMS, cost);
    let path = Path::of(&best, start);
    found.last = path.last().map(<[Word]>::to_vec);
    found.improvement = Some(improvement);
    found.describe(job, start, &path);
    Ok(Some(found.report(job, Some(start))))
}

/// The strategy in reports.
const NAME: &str = "improve";

/// What an improved trail promises without a complete search.
const CLAIMS: Claims = Claims { complete: false, shortest: false, shortest_prefix: false };

/// Improves a trail to an error; `Ok(Err)` with the position of the first step
/// that does not fit, or behind all steps if no error is there.
fn to_goal<S: TransitionSystem>(
    job: &Job,
    (system, passages): (&mut S, &Passages),
    (letters, options): (&Letters, ImproveOptions),
    progress: &mut Progress,
    watch: Watcher,
) -> Result<Result<(), usize>, Cut> {
    let is_goal = |state: &[Word]| job.problem.is_goal(passages.fault(state));
    let mut improver = Improver::to_goals(system, &is_goal, job.limits, &mut *watch);
    let followed = letters.follow(&mut improver);
    progress.counters = improver.counters;
    let original = match followed? {
        Ok(original) => original,
        Err(index) => return Ok(Err(index)),
    };
    let end = original.last().to_vec();
    let fault = passages.fault(&end);
    let accepts = |state: &[Word]| match options.same_state {
        true => state == end,
        false => passages.fault(state) == fault,
    };
    let mut improver = Improver::to_goals(system, &accepts, job.limits, watch);
    improver.counters = progress.counters;
    progress.original = Some(original.clone());
    progress.best = Some(original);
    let done = shorten(&mut improver, passages, options, progress);
    progress.counters = improver.counters;
    done.map(Ok)
}

/// Improves a trail into a cycle.
fn into_cycle<S: TransitionSystem>(
    improver: &mut Improver<S>,
    passages: &Passages,
    (letters, options): (&Letters, ImproveOptions),
    progress: &mut Progress,
) -> Result<Result<(), usize>, Cut> {
    let (prefix, cycle) = letters.ids.split_at(letters.cycle.unwrap_or(letters.ids.len()));
    let Some(original) = improver.follow_lasso(prefix, cycle)? else { return Ok(Err(letters.ids.len())) };
    progress.original = Some(original.clone());
    progress.best = Some(original);
    shorten(improver, passages, options, progress).map(Ok)
}

/// Shortens the best run in all requested ways.
fn shorten<S: TransitionSystem>(
    improver: &mut Improver<S>,
    passages: &Passages,
    options: ImproveOptions,
    progress: &mut Progress,
) -> Result<(), Cut> {
    cut_and_drop(improver, passages, progress)?;
    progress.act(improver, ImproveHow::Minimise, |improver, run| improver.minimise(run, MAX_MINIMISING))?;
    if !options.only_reorder {
        let max_states = improver.max_states().unwrap_or(MAX_SEARCHED);
        let explored = progress.act(improver, ImproveHow::Search, |improver, run| {
            let explored = improver.search(run, max_states)?;
            *run = run.without_loops();
            Ok(explored.is_shortest)
        })?;
        progress.is_shortest = explored;
        if !explored {
            progress.act(improver, ImproveHow::Minimise, |improver, run| {
                improver.minimise(run, MAX_MINIMISING)
            })?;
        }
    }
    if options.few_switches {
        progress.act(improver, ImproveHow::Switches, |improver, run| {
            let is_short = run.steps.len() <= switches::MAX_STEPS;
            if let Some(reordered) = with_few_switches(improver, passages, run)? {
                *run = reordered;
            }
            Ok(is_short)
        })?;
    }
    Ok(())
}

/// Cuts parts between two visits of a state, and drops steps at which no later
/// step looks.
fn cut_and_drop<S: TransitionSystem>(
    improver: &mut Improver<S>,
    passages: &Passages,
    progress: &mut Progress,
) -> Result<(), Cut> {
    progress.act(improver, ImproveHow::Loops, |_, run| {
        *run = run.without_loops();
        Ok(true)
    })?;
    progress.act(improver, ImproveHow::Drop, |improver, run| {
        let Some(keeps) = relevant(passages, run) else { return Ok(false) };
        let Some(first) = keeps.iter().position(|it| !it) else { return Ok(true) };
        let kept = |from: usize, to: usize| {
            (from..to).filter(|it| keeps[*it]).map(|it| run.steps[it].id).collect::<Vec<_>>()
        };
        let n_steps = run.steps.len();
        let dropped = match run.cycle {
            None => improver.replay(run, first, kept(first, n_steps).into_iter(), Mode::Strict)?,
            Some(cycle) => {
                let prefix = kept(first, cycle).into_iter();
                improver.lasso_along(run, first, prefix, &kept(cycle, n_steps))?
            }
        };
        let Some(dropped) = dropped.map(|it| it.without_loops()) else { return Ok(false) };
        if dropped.cost() < run.cost() {
            *run = dropped;
        }
        Ok(true)
    })?;
    Ok(())
}

impl Progress {
    /// Changes the best run in one way; `change` returns whether it was done
    /// completely.
    fn act<S: TransitionSystem>(
        &mut self,
        improver: &mut Improver<S>,
        how: ImproveHow,
        change: impl FnOnce(&mut Improver<S>, &mut Run) -> Result<bool, Cut>,
    ) -> Result<bool, Cut> {
        let Some(run) = &mut self.best else { return Ok(false) };
        let n_before = improver.counters.expanded;
        let done = change(improver, run);
        let action = ImproveAction {
            how,
            statements: run.cost() as usize,
            n_expanded: improver.counters.expanded - n_before,
            is_complete: *done.as_ref().unwrap_or(&false),
        };
        self.actions.push(action);
        done
    }
}
