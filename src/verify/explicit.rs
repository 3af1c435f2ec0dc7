//! The explicit engine: checks assertions, invalid end states and runtime
//! errors by a search through all states, claims and formulas by a search
//! through the product of system and observer.

mod improve;
mod problem;
mod search;
mod trail;

use super::engine::EXPLICIT;
use super::question::{Question, TrailDetail};
use super::report::{Basis, Counterexample, ExplicitBasis, Improvement, Report, SearchCost, Verdict};
use super::trail::Trail;
use super::unreached::{Unreached, unreached};
use crate::base::cancel;
use crate::base::control::Phase;
use crate::diag::{Diagnostic, Severity, SourceId, Sources};
use crate::explicit::growing::{Growing, Views};
use crate::explicit::heuristics::Estimates;
use crate::explicit::layout::Shape;
use crate::explicit::overflow::SearchStart;
use crate::explicit::view::{MAX_FAIR_PROCESSES, Passage, SuccessorChoice};
use crate::explicit::{Engine, Product, View};
use crate::search::improve::Run;
use crate::search::strategy::{Claims, Rule};
use crate::search::{
    Counters, Cut, CycleRun, End, Limits, StageCost, Stop, Strategy, StrategyChoice, Watcher, find_cycle,
};
use crate::system::{Abort, Heuristic, Word};
use std::time::Duration;

pub use crate::explicit::describe::Content;
pub use crate::explicit::heuristics::TargetState;
pub use crate::explicit::overflow::Spent;
pub use crate::explicit::reduce::Irreducible;
pub use crate::explicit::sequence::{Clash, NoSequence, Sequence, occurrences};
pub use crate::explicit::view::{BlockedProcess, BlockedStatement, Fault, Obstacle, Semantics};
pub use crate::lang::promela::lower::{Escapes, NoFormula, lower_with};
pub use crate::lang::promela::{Program, lower};
pub use crate::net::observer::{invariant, progress};
pub use crate::net::{Form, Observer, ObserverKind};
pub use crate::net::{Operation, Purpose};
pub use crate::search::{Omissions, Store};
pub(super) use improve::improve;
use improve::quick::{self, States};
pub use improve::{GivenTrail, ImproveOptions, MAX_MINIMISING, MAX_SEARCHED};
pub use problem::{Aim, ExplicitProblem, Marks, ReductionChoice, ReductionUsed};
pub use search::SearchResources;
use search::{Searched, search};
pub(super) use trail::{claim_number, step as described_step};

/// Reads a strategy for the explicit engine. The strategy of `auto` depends on
/// the store.
pub fn strategy(
    source: SourceId,
    sources: &Sources,
    resources: SearchResources,
) -> Result<StrategyChoice, Diagnostic> {
    if resources.store != Store::Exact && sources.get(source).text.trim() == EXPLICIT.presets[0].name {
        return Ok(StrategyChoice::from(Strategy::of(Rule::Dfs { depth: None })));
    }
    EXPLICIT.strategy(source, sources)
}

/// A question with its resolved strategy.
struct Job<'q> {
    problem: &'q ExplicitProblem<'q>,
    property: &'q str,
    strategy: Strategy,
    limits: Limits,
    detail: TrailDetail,
}

/// Answers a question about `problem`.
pub(super) fn solve(
    question: &Question,
    problem: &ExplicitProblem,
    watch: Watcher,
) -> Result<Report, Diagnostic> {
    let job = Job {
        problem,
        property: &question.property,
        strategy: question.search.strategy.resolve(problem.has_trap()).clone(),
        limits: question.search.limits,
        detail: question.detail,
    };
    let answered = cancel::caught(|| answer(&job, watch));
    let mut report = answered.unwrap_or_else(|stop| Ok(Found::stopped(&job, stop).report(&job, None)))?;
    report.description.clone_from(&question.description);
    report.notes.extend(fallback(question, problem, &report));
    Ok(report)
}

/// Reports that a search in two stages had only one because the property has no
/// trap.
fn fallback(question: &Question, problem: &ExplicitProblem, report: &Report) -> Option<Diagnostic> {
    if !question.search.strategy.falls_back(problem.has_trap()) {
        return None;
    }
    let message = format!("the property has no trap, so the search had one stage: `{}`", report.strategy);
    Some(Diagnostic::new(Severity::Note, "no-trap", None, message))
}

fn answer(job: &Job, watch: Watcher) -> Result<Report, Diagnostic> {
    let problem = job.problem;
    let reductions = problem.reductions();
    let mut reduction = reductions.as_ref().map_or_else(|used| *used, |_| ReductionUsed::Stubborn);
    let build = |shape: &Shape| {
        let engine = problem.engine(shape);
        match &reductions {
            Ok(reductions) => reductions.reduced(engine, shape),
            Err(_) => engine,
        }
    };
    let mut shape = problem.first_shape();
    let mut spent = Spent::default();
    let mut elapsed = Duration::ZERO;
    loop {
        cancel::enter(Phase::Building);
        cancel::checkpoint();
        if problem.is_fair && shape.processes.len() > MAX_FAIR_PROCESSES {
            return Err(too_many_for_fairness());
        }
        job.expect_compatible()?;
        let start = SearchStart::new(build, shape, problem.apart(), spent);
        if let Ok(reductions) = &reductions
            && problem.reduction == ReductionChoice::Auto
            && spent.n_restarts == 0
        {
            reduction = reductions.try_out(start.engine()).map_or(reduction, ReductionUsed::Refused);
        }
        if reduction == ReductionUsed::Stubborn && !start.engine().has_reduction() {
            reduction = ReductionUsed::Refused(Irreducible::Size);
        }
        let mut found = match problem.is_alone() {
            true => found_alone(job, &start, watch),
            false => found_together(job, &start, watch),
        };
        elapsed += found.elapsed;
        found.elapsed = elapsed;
        found.reduction = reduction;
        match (found.end, start.again()) {
            (End::Aborted(Abort::Restart), Some(again)) => {
                spent = start.spent_with(found.n_expanded);
                shape = again.clone();
            }
            _ => return Ok(found.report(job, Some(&start))),
        }
    }
}

fn too_many_for_fairness() -> Diagnostic {
    let message =
        format!("`--fair` supports at most {MAX_FAIR_PROCESSES} processes, but this model has more");
    Diagnostic::error_without_place("promela-fairness", message).with_help("remove `--fair`")
}

/// The result of a search.
struct Found {
    end: End,
    trail: Trail,
    /// States that may have been missed.
    omissions: Option<Omissions>,
    /// The last state of the path.
    last: Option<Vec<Word>>,
    fault: Option<Fault>,
    /// What each process is blocked at, if no process can move at the end.
    blocked: Vec<BlockedProcess>,
    has_met_fault: bool,
    /// Whether the property holds only because it applies to no run.
    is_vacuous: bool,
    strategy: String,
    claims: Claims,
    counters: Counters,
    stages: Vec<StageCost>,
    elapsed: Duration,
    /// States expanded since the last restart.
    n_expanded: u64,
    /// Statements that were never executed.
    unreached: Option<Vec<Unreached>>,
    /// How the counterexample was made shorter.
    improvement: Option<Improvement>,
    /// Which steps were searched.
    reduction: ReductionUsed,
}

/// Searches the system without an observer.
fn found_alone(job: &Job, start: &SearchStart, watch: Watcher) -> Found {
    let problem = job.problem;
    let is_sequence = matches!(problem.aim, Aim::Sequence(..));
    let alone = problem.system_views();
    let watch = &mut watching(job, start, watch);
    let build = |name: &str| heuristic(job, start, name);
    let (searched, mut growing) = search(job, || Growing::new(start, &alone), build, watch);
    let (mut found, states) = Found::of_run(job, searched);
    found.n_expanded = growing.iter().map(Growing::n_expanded).sum();
    let views: Vec<&View> = growing.iter().flat_map(Growing::parts).collect();
    found.has_met_fault = is_sequence && views.iter().any(|it| it.has_met_fault());
    let needs_witness = matches!(&problem.aim, Aim::Sequence(_, it) if it.needs_witness());
    found.is_vacuous = needs_witness && !views.iter().any(|it| it.has_witness());
    let has_executed =
        |proctype, transition| views.iter().any(|view| view.has_executed(proctype, transition));
    let is_whole = views.iter().all(|it| it.n_left_out() == 0);
    found.unreached = (!is_sequence && is_whole).then(|| unreached(problem.network, has_executed));
    let shorter = match growing.first_mut().filter(|_| found.is_to_be_shortened(job)) {
        Some(system) => quick::to_goal(problem, start, (system, &states), watch),
        None => None,
    };
    found.along(job, start, (states, None), shorter);
    found
}

/// Searches the product of the system and its observer.
fn found_together(job: &Job, start: &SearchStart, watch: Watcher) -> Found {
    let problem = job.problem;
    let together = problem.product_views();
    let made = || Growing::new(start, &together);
    let watch = &mut watching(job, start, watch);
    let ((mut found, states, cycle), mut growing) = match problem.asks_for_cycles() {
        true => {
            let mut growing = made();
            let run = find_cycle(&mut growing, job.limits, watch);
            (Found::of_cycle(run), vec![growing])
        }
        false => {
            let build = |name: &str| heuristic(job, start, name);
            let (searched, growing) = search(job, made, build, watch);
            let (found, states) = Found::of_run(job, searched);
            ((found, states, None), growing)
        }
    };
    found.n_expanded = growing.iter().map(Growing::n_expanded).sum();
    let products: Vec<&Product> = growing.iter().flat_map(Growing::parts).collect();
    found.has_met_fault = products.iter().any(|it| it.has_met_fault());
    let shorter = match (growing.first_mut().filter(|_| found.is_to_be_shortened(job)), cycle) {
        (Some(system), None) => quick::to_goal(problem, start, (system, &states), watch),
        (Some(system), Some(at)) => quick::into_cycle(problem, start, (system, &states, at), watch),
        (None, _) => None,
    };
    let cut_short = found.trail.cut_short;
    found.along(job, start, (states, cycle), shorter);
    found.trail.cut_short = found.trail.cut_short.or(cut_short);
    found
}

/// Creates a heuristic for the states of a search.
fn heuristic<'s>(job: &'s Job, start: &'s SearchStart, name: &str) -> Box<dyn Heuristic + 's> {
    Box::new(Estimates::new(name, start, job.problem.goal()))
}

/// Returns the claims of the strategy. A second stage begins when a trapped
/// state is generated, and steps have several lengths, so the path to it need
/// not be shortest.
fn claims(job: &Job) -> Claims {
    Claims { shortest_prefix: false, ..job.strategy.claims(&EXPLICIT.guides()) }
}

/// Adds the separately stored states to the memory of a search.
fn watching<'w>(
    job: &'w Job,
    start: &'w SearchStart,
    watch: Watcher<'w>,
) -> impl FnMut(&Counters) -> Option<Stop> + 'w {
    move |counters| {
        let counters = Counters { bytes: counters.bytes + start.bytes(), ..*counters };
        match job.limits.max_bytes {
            Some(limit) if counters.bytes > limit => Some(Stop::Memory),
            _ => watch(&counters),
        }
    }
}

impl Found {
    /// Creates the result of a search from its end, without details.
    fn new(end: End, strategy: String, claims: Claims, cost: SearchCost) -> Self {
        Self {
            end,
            trail: Trail::default(),
            omissions: None,
            last: None,
            fault: None,
            blocked: Vec::new(),
            has_met_fault: false,
            is_vacuous: false,
            unreached: None,
            improvement: None,
            reduction: ReductionUsed::None,
            strategy,
            claims,
            counters: cost.counters,
            stages: cost.stages,
            elapsed: cost.elapsed,
            n_expanded: 0,
        }
    }

    /// Creates the result of a search that was stopped before it began.
    fn stopped(job: &Job, stop: Stop) -> Self {
        let strategy = &job.strategy;
        Self::new(End::Stopped(stop), strategy.to_string(), claims(job), SearchCost::default())
    }

    /// Returns the result of a search and the states of its path.
    fn of_run(job: &Job, Searched { run, omissions }: Searched) -> (Self, States) {
        let states = match run.end {
            End::Found(goal) => {
                let path = run.space.path(goal).into_iter();
                path.map(|id| (run.space.state(id).to_vec(), None)).collect()
            }
            _ => Vec::new(),
        };
        let mut claims = claims(job);
        claims.shortest &= run.cut_short.is_none();
        claims.shortest |= run.shortest;
        let cost = SearchCost { counters: run.counters, stages: run.stages, elapsed: run.elapsed };
        let found = Self::new(run.end, job.strategy.to_string(), claims, cost);
        (Self { omissions, ..found }, states)
    }

    /// Returns the result of a search for cycles, the states of its path, and the
    /// index of the first state of the cycle.
    fn of_cycle(run: CycleRun) -> (Self, States, Option<usize>) {
        let states = run.path.iter().map(|it| (run.space.state(it.state).to_vec(), it.step)).collect();
        let claims = Claims { complete: true, shortest: false, shortest_prefix: false };
        let stages = vec![StageCost { counters: run.counters, elapsed: run.elapsed }];
        let cost = SearchCost { counters: run.counters, stages, elapsed: run.elapsed };
        let trail = Trail { cut_short: run.cut_short, ..Trail::default() };
        (Self { trail, ..Self::new(run.end, "scc".to_string(), claims, cost) }, states, run.cycle)
    }

    /// Returns whether the counterexample may be shortened by dropping steps.
    fn is_to_be_shortened(&self, job: &Job) -> bool {
        job.problem.shortens && matches!(self.end, End::Found(_)) && !self.claims.shortest
    }

    /// Describes the path through these states, or the shorter run if there is
    /// one.
    fn along(
        &mut self,
        job: &Job,
        start: &SearchStart,
        (states, cycle): (States, Option<usize>),
        shorter: Option<(Run, Improvement)>,
    ) {
        let path = match shorter {
            Some((run, improvement)) => {
                self.improvement = Some(improvement);
                Path::of(&run, start)
            }
            None => {
                let mut path = Path { cycle, ..Path::default() };
                states.iter().for_each(|(state, choice)| path.add(&start.widened(state), *choice));
                path
            }
        };
        self.describe(job, start, &path);
    }

    /// Describes a path to an error.
    fn describe(&mut self, job: &Job, start: &SearchStart, path: &Path) {
        let (problem, engine) = (job.problem, start.widest());
        self.last = path.last().map(<[Word]>::to_vec);
        let describe = |observer, find: &mut dyn FnMut(&[Word], SuccessorChoice) -> Option<Passage>| {
            trail::describe_path(path, engine, problem.promela, observer, job.detail, find)
        };
        if problem.is_alone() {
            let mut view = problem.system_views().view(engine);
            self.fault = path.last().and_then(|state| view.fault(state));
            self.trail = describe(None, &mut |from, meant| view.passage(from, meant));
        } else {
            let mut product = problem.product_views().view(engine);
            self.fault = path.last().and_then(|state| product.fault(state));
            self.trail = describe(problem.observer(), &mut |from, meant| product.passage(from, meant));
        }
        self.expect_blocked(path, engine, problem.semantics);
    }

    /// Computes what each process is blocked at, if no process can move at the
    /// end of the trail.
    fn expect_blocked(&mut self, path: &Path, engine: &Engine, semantics: Semantics) {
        let Some(last) = path.last() else { return };
        let is_over = self.trail.cycle == Some(self.trail.n_steps);
        if is_over || self.fault.is_some_and(Fault::is_blocked_end) {
            self.blocked = View::new(engine).with_semantics(semantics).blocked(last);
        }
    }

    fn report(mut self, job: &Job, start: Option<&SearchStart>) -> Report {
        let problem = job.problem;
        let bytes_apart = start.map_or(0, SearchStart::bytes);
        for counters in self.stages.iter_mut().map(|it| &mut it.counters).chain([&mut self.counters]) {
            counters.bytes += bytes_apart;
        }
        let verdict = match self.end {
            End::Found(_) => Verdict::Violated,
            End::Exhausted if self.omissions.is_some() => Verdict::Undecided(Stop::Omissions),
            End::Exhausted if self.is_vacuous => Verdict::HoldsVacuously,
            End::Exhausted => Verdict::Holds,
            End::Stopped(stop) => Verdict::Undecided(stop),
            End::Aborted(abort) => Verdict::Undecided(Cut::Aborted(abort).stop()),
        };
        let counterexample = (verdict == Verdict::Violated).then(|| Counterexample {
            trail: self.trail,
            prefix: None,
            fault: self.fault,
            blocked: self.blocked,
            last: self.last.zip(start).map_or_else(Vec::new, |(state, it)| it.widest().contents(&state)),
            proposals: None,
        });
        Report {
            property: job.property.to_string(),
            file: String::new(),
            description: None,
            model: String::new(),
            settings: Vec::new(),
            verdict,
            strategy: self.strategy,
            claims: self.claims,
            search: SearchCost { counters: self.counters, stages: self.stages, elapsed: self.elapsed },
            elapsed: Duration::ZERO,
            counterexample,
            notes: Vec::new(),
            confirmation: None,
            basis: Basis::Explicit(Box::new(ExplicitBasis {
                aim: problem.aim.clone(),
                semantics: problem.semantics,
                assumptions: problem.assumptions.clone(),
                is_fair: problem.is_fair && problem.asks_for_cycles(),
                omissions: self.omissions,
                has_met_fault: self.has_met_fault,
                state_bytes: start.map_or(0, |it| it.engine().layout.width * size_of::<Word>()),
                spent: start.map_or_else(Spent::default, SearchStart::spent_at_end),
                reduction: self.reduction,
                unreached: self.unreached.filter(|_| verdict == Verdict::Holds),
                improvement: self.improvement,
            })),
        }
    }
}

/// The states of a path.
#[derive(Debug, Default)]
struct Path {
    width: usize,
    words: Vec<Word>,
    /// Per state, its index among the successors of the previous state; `None`
    /// for the first equal one.
    choices: Vec<Option<usize>>,
    /// Index of the first state of the cycle.
    cycle: Option<usize>,
}

impl Path {
    /// Returns the states of a run in the widest layout. Its choices matter only
    /// for the marks of a cycle.
    fn of(run: &Run, start: &SearchStart) -> Self {
        let mut path = Self { cycle: run.cycle, ..Self::default() };
        for (index, state) in run.states().enumerate() {
            let step = index.checked_sub(1).filter(|_| run.cycle.is_some());
            path.add(&start.widened(state), step.map(|it| run.steps[it].choice));
        }
        path
    }

    fn add(&mut self, state: &[Word], choice: Option<usize>) {
        self.width = state.len();
        self.words.extend_from_slice(state);
        self.choices.push(choice);
    }

    fn state(&self, index: usize) -> &[Word] {
        &self.words[index * self.width..][..self.width]
    }

    fn last(&self) -> Option<&[Word]> {
        self.choices.len().checked_sub(1).map(|index| self.state(index))
    }

    /// Returns the number of pairs of consecutive states.
    fn n_parts(&self) -> usize {
        self.choices.len().saturating_sub(1)
    }

    /// Finds the steps from a state to the next.
    fn passage(
        &self,
        part: usize,
        find: impl FnOnce(&[Word], SuccessorChoice) -> Option<Passage>,
    ) -> Passage {
        let meant = SuccessorChoice { state: self.state(part + 1), choice: self.choices[part + 1] };
        find(self.state(part), meant).expect("a trail replays")
    }
}
