//! Checks a program exactly: assertions, invalid end states and errors of the
//! run, by a search through all its states.

use super::report::{SearchCost, Verdict};
use super::unreached::{Unreached, unreached};
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::explicit::layout::Shape;
use crate::explicit::view::Step;
use crate::explicit::{Engine, View};
use crate::flow::heuristics::guides;
use crate::search::strategy::{Claims, parse};
use crate::search::{End, Limits, Run, Stop, Strategy, Watcher, explore};
use crate::system::{TransitionSystem, Word};
use std::time::Duration;

pub use crate::explicit::describe::Content;
pub use crate::explicit::view::Fault;
pub use crate::explicit::{Program, lower};

/// What is asked.
#[derive(Clone, Debug)]
pub struct ModelQuestion<'a> {
    /// The processes.
    pub program: &'a Program,
    /// How their states are searched.
    pub strategy: Strategy,
    /// When to give up.
    pub limits: Limits,
    /// Is an invalid end state no error?
    pub allows_blocked_end: bool,
}

/// The answer for one model.
#[derive(Clone, Debug)]
pub struct ModelReport {
    /// The file as the user knows it.
    pub model: String,
    /// Definitions from the command line.
    pub definitions: Vec<(String, String)>,
    /// The answer.
    pub verdict: Verdict,
    /// Formulas of the model, which are not checked yet.
    pub unchecked: Vec<String>,
    /// What is wrong, with [`Verdict::Violated`].
    pub fault: Option<Fault>,
    /// The strategy; fed back it repeats the run.
    pub strategy: String,
    /// What the strategy promises.
    pub claims: Claims,
    /// What the search did.
    pub search: SearchCost,
    /// Bytes of one state before it is stored.
    pub state_bytes: usize,
    /// From the start to the error.
    pub trail: Vec<TrailStep>,
    /// What is never executed, if all states were seen.
    pub unreached: Option<Vec<Unreached>>,
    /// What the variables hold at the end of the trail.
    pub last: Vec<Content>,
    /// From the first byte read to the verdict.
    pub elapsed: Duration,
}

/// A statement that is executed on the way.
#[derive(Clone, Debug)]
pub struct TrailStep {
    /// `P[1]`
    pub process: String,
    /// The statement.
    pub span: Span,
    /// Who receives in a rendezvous, and where.
    pub partner: Option<(String, Span)>,
    /// What changed with it; within an atomic sequence, with the last one.
    pub changes: Vec<Content>,
}

/// Reads a strategy for programs. They have no heuristics yet, so a preset
/// that needs one is breadth-first search.
pub fn strategy(source: SourceId, sources: &Sources) -> Result<Strategy, Diagnostic> {
    let needs_heuristic = |it: &Strategy| it.rules().any(|rule| rule.heuristic().is_some());
    let choice = parse(source, sources, &guides())?;
    let strategy = choice.resolve(false).clone();
    if !needs_heuristic(&strategy) {
        return Ok(strategy);
    }
    if PRESETS.contains(&sources.get(source).text.trim()) {
        return Ok(Strategy::bfs());
    }
    let span = Span::new(source, 0..sources.get(source).text.len());
    let message = "Promela models have no heuristics yet";
    Err(Diagnostic::error("strategy-engine", span, message).with_help("use `bfs`, `dfs` or `dfs(depth=N)`"))
}

/// Names that stand for whatever is best.
const PRESETS: [&str; 2] = ["auto", "short"];

/// Answers a question. `watch` is shown the counters now and then and may end
/// the work.
///
/// # Panics
///
/// If a trail does not replay, which would be a defect of this crate.
pub fn check_model(question: &ModelQuestion, watch: Watcher) -> ModelReport {
    let mut shape = Shape::at_start(&question.program.model);
    let mut elapsed = Duration::ZERO;
    loop {
        let engine = Engine::new(question.program, &shape);
        let mut view = View::new(&engine);
        if question.allows_blocked_end {
            view = view.allowing_blocked_end();
        }
        let none = |name: &str| unreachable!("the strategy was read without the heuristic {name}");
        let run = explore(&mut view, &question.strategy, none, question.limits, watch);
        elapsed += run.elapsed;
        match view.lack() {
            Some(lack) => shape.grow(lack),
            None => return report(question, &engine, view, run, elapsed),
        }
    }
}

fn report(
    question: &ModelQuestion,
    engine: &Engine,
    mut view: View,
    run: Run,
    elapsed: Duration,
) -> ModelReport {
    let states = match run.end {
        End::Found(goal) => run.space.path(goal).into_iter().map(|id| run.space.state(id).to_vec()).collect(),
        _ => Vec::new(),
    };
    let trail = trail(question.program, engine, &mut view, &states);
    let last = states.last();
    let verdict = match run.end {
        End::Found(_) => Verdict::Violated,
        End::Exhausted if view.has_given_up() => Verdict::Undecided(Stop::Depth),
        End::Exhausted => Verdict::Holds,
        End::Stopped(stop) => Verdict::Undecided(stop),
    };
    let has_executed = |proctype, transition| view.has_executed(proctype, transition);
    ModelReport {
        model: String::new(),
        definitions: Vec::new(),
        verdict,
        unreached: (verdict == Verdict::Holds).then(|| unreached(question.program, has_executed)),
        unchecked: question.program.model.ltl.iter().map(|it| it.name.clone()).collect(),
        fault: last.and_then(|state| view.fault(state)),
        strategy: question.strategy.to_string(),
        claims: question.strategy.claims(&[]),
        search: SearchCost { counters: run.counters, stages: run.stages.clone(), elapsed },
        state_bytes: view.width() * size_of::<Word>(),
        last: last.map_or_else(Vec::new, |state| engine.contents(state)),
        trail,
        elapsed: Duration::ZERO,
    }
}

/// The statements between the states of a path.
fn trail(program: &Program, engine: &Engine, view: &mut View, states: &[Vec<Word>]) -> Vec<TrailStep> {
    let mut trail = Vec::new();
    for pair in states.windows(2) {
        let passages = view.passages(&pair[0]);
        let passage = passages.into_iter().find(|it| it.state == pair[1]).expect("a trail replays");
        let before = engine.contents(&pair[0]);
        let start = trail.len();
        trail.extend(passage.steps.iter().map(|step| describe(program, engine, &pair[0], step)));
        if let Some(last) = trail[start..].last_mut() {
            let after = engine.contents(&pair[1]);
            last.changes = after.into_iter().filter(|it| !before.contains(it)).collect();
        }
    }
    trail
}

fn describe(program: &Program, engine: &Engine, state: &[Word], step: &Step) -> TrailStep {
    let span = |process: usize, transition| {
        let proctype = engine.proctype(process, state);
        program.processes[proctype.index()].transition(transition).span
    };
    TrailStep {
        process: engine.process_name(step.process, state),
        span: span(step.process, step.transition),
        partner: step
            .partner
            .map(|(process, transition)| (engine.process_name(process, state), span(process, transition))),
        changes: Vec::new(),
    }
}
