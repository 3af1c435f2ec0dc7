//! The trail to an error, described in terms of the model.
//!
//! A depth-first search finds paths of millions of steps. They are replayed
//! once to count their steps; only those that will be shown are described, with
//! the variables that changed, or with all of them if requested.

use super::Path;
use crate::base::cancel::{enter, stop_reason};
use crate::base::control::{Phase, Stop};
use crate::diag::Span;
use crate::explicit::Engine;
use crate::explicit::view::{self, Inside, Moment, Passage, SuccessorChoice, Taken, View};
use crate::lang::promela::Program;
use crate::lang::promela::merge::Merges;
use crate::lang::promela::trail::{Mover, TrailFile, TrailLine};
use crate::net::{self, Expr, ExprKind, Graph, Observer, ObserverKind, TemplateId, TransitionId};
use crate::system::Word;
use crate::verify::question::TrailDetail;
use crate::verify::trail::{Action, Actor, Change, InnerStep, InnerSteps, Place, Step, Trail};
use std::time::{Duration, Instant};

/// Maximum number of additional rounds of a cycle in a trail file.
const MAX_ROUNDS: usize = 8;

/// Number of statements of a `d_step` that are described at its beginning, and
/// at its end.
const INNER_ENDS: usize = 500;

/// Time for the description of steps after a limit of the run was reached: the
/// error is known by then, and its last steps are useful.
const EXTRA_TIME: Duration = Duration::from_secs(1);

/// The limit that ends the description of steps.
struct Deadline(Instant);

impl Deadline {
    fn is_over(&self) -> Option<Stop> {
        stop_reason().filter(|_| self.0.elapsed() > EXTRA_TIME)
    }
}

/// Describes the steps of a path. Only a Promela program has a trail for SPIN.
pub(super) fn describe_path(
    path: &Path,
    engine: &Engine,
    promela: Option<&Program>,
    observer: Option<&Observer>,
    detail: TrailDetail,
    mut find: impl FnMut(&[Word], SuccessorChoice) -> Option<Passage>,
) -> Trail {
    if path.n_parts() > 0 {
        enter(Phase::Describing);
    }
    // The automaton of a formula is not SPIN's: its steps are left out.
    let claim = observer.filter(|it| it.kind == ObserverKind::Claim);
    let mut file = Some(TrailFile {
        claim: claim.zip(promela).map(|(it, program)| claim_number(program, it)),
        is_merged: true,
        ..TrailFile::default()
    })
    .filter(|_| detail.with_file && promela.is_some());
    let mut trail = Trail::default();
    let mut writer =
        FileWriter { engine, promela, claim, merges: None, awaited: Vec::new(), is_interrupted: false };
    // Index of the first step of each part.
    let mut starts = Vec::new();
    let mut at_mark = Vec::new();
    let deadline = Deadline(Instant::now());
    for part in 0..path.n_parts() {
        if let Some(stop) = deadline.is_over() {
            trail.cut_short = Some(stop);
            file = None;
            break;
        }
        if path.cycle == Some(part) {
            trail.cycle = Some(trail.n_steps);
            file.iter_mut().for_each(|it| it.cycle = Some(it.lines.len()));
            at_mark = writer.awaited();
        }
        let passage = path.passage(part, &mut find);
        starts.push(trail.n_steps);
        trail.n_steps += passage.steps.len();
        file = file.and_then(|file| writer.with_lines(file, path.state(part), &passage));
    }
    // If steps are merged across the end of the cycle but not into its
    // beginning, the cycle is closed for SPIN only after another round.
    for _ in 0..MAX_ROUNDS {
        let Some(begin) = path.cycle.filter(|_| file.is_some() && writer.awaited() != at_mark) else { break };
        file.iter_mut().for_each(|it| it.cycle = Some(it.lines.len()));
        at_mark = writer.awaited();
        for part in begin..path.n_parts() {
            if deadline.is_over().is_some() {
                file = None;
                break;
            }
            let passage = path.passage(part, &mut find);
            file = file.and_then(|file| writer.with_lines(file, path.state(part), &passage));
        }
    }
    if file.is_some() && writer.is_interrupted {
        file = promela.and_then(|program| unmerged(path, engine, program, claim, &deadline, &mut find));
    }
    let mut view = View::new(engine);
    for (part, &start) in starts.iter().enumerate() {
        if let Some(stop) = deadline.is_over() {
            trail.cut_short = Some(stop);
            break;
        }
        let end = starts.get(part + 1).copied().unwrap_or(trail.n_steps);
        if !(start..end).any(|index| detail.describes(index, trail.n_steps)) {
            continue;
        }
        let passage = path.passage(part, &mut find);
        let described = describe(engine, &mut view, path.state(part), &passage, detail.with_states);
        let wanted = (start..).zip(described).filter(|(index, _)| detail.describes(*index, trail.n_steps));
        trail.steps.extend(wanted);
    }
    trail.file = file;
    trail
}

/// Returns the lines of a path for a SPIN that merges nothing.
fn unmerged(
    path: &Path,
    engine: &Engine,
    program: &Program,
    claim: Option<&Observer>,
    deadline: &Deadline,
    mut find: impl FnMut(&[Word], SuccessorChoice) -> Option<Passage>,
) -> Option<TrailFile> {
    let claim_number = claim.map(|it| claim_number(program, it));
    let mut file = TrailFile { claim: claim_number, is_merged: false, ..TrailFile::default() };
    let merges = Some(Merges::none(program));
    let promela = Some(program);
    let mut writer =
        FileWriter { engine, promela, claim, merges, awaited: Vec::new(), is_interrupted: false };
    for part in 0..path.n_parts() {
        if deadline.is_over().is_some() {
            return None;
        }
        if path.cycle == Some(part) {
            file.cycle = Some(file.lines.len());
        }
        let passage = path.passage(part, &mut find);
        file = writer.with_lines(file, path.state(part), &passage)?;
    }
    Some(file)
}

/// Returns the number of proctypes before a claim.
pub(in crate::verify) fn claim_number(program: &Program, observer: &Observer) -> u32 {
    let Program { network, statements, .. } = program;
    let end = statements.end(observer.template);
    let templates = (0..network.templates.len()).map(TemplateId::new);
    templates.filter(|it| !network.is_observer(*it) && statements.end(*it) < end).count() as u32
}

/// Writes steps as lines of a trail file.
struct FileWriter<'e> {
    engine: &'e Engine<'e>,
    promela: Option<&'e Program>,
    claim: Option<&'e Observer>,
    merges: Option<Merges>,
    /// Per process, the steps merged into its last line that have not been
    /// taken yet, last one first.
    awaited: Vec<Vec<TransitionId>>,
    /// Whether a process moved where SPIN, because of merging, would have
    /// started another process before.
    is_interrupted: bool,
}

impl FileWriter<'_> {
    /// Adds the steps of a passage, the claim's first; `None` if SPIN has no
    /// such step.
    fn with_lines(&mut self, mut file: TrailFile, from: &[Word], passage: &Passage) -> Option<TrailFile> {
        let program = self.promela?;
        if let Some(claim) = self.claim {
            for id in &passage.observer {
                let number = program.statements.number(claim.template, *id)?;
                file.lines.push(TrailLine { mover: Mover::Claim, number, span: Span::default() });
            }
        }
        for view::Step { process, transition, partner, .. } in &passage.steps {
            for (process, id) in [(*process, *transition)].into_iter().chain(*partner) {
                // Processes that are started within the passage have a proctype only after it.
                let is_there = process < self.engine.layout.n_processes.get(from) as usize;
                let state = if is_there { from } else { &passage.state };
                let template = self.engine.template(process, state);
                let number = program.statements.number(template, id)?;
                if self.is_merged(process, id) {
                    continue;
                }
                self.is_interrupted |= self.awaits_birth(from);
                let merges = self.merges.get_or_insert_with(|| Merges::of(program));
                let chain = merges.chain(template.index(), id);
                self.awaited[process] = chain.then.iter().rev().copied().collect();
                for number in [number].into_iter().chain(chain.lands_on) {
                    let mover = Mover::Process(process);
                    file.lines.push(TrailLine { mover, number, span: Span::default() });
                }
            }
        }
        Some(file)
    }

    /// Returns whether a merged step that starts a process has not been taken
    /// yet.
    fn awaits_birth(&self, state: &[Word]) -> bool {
        let engine = self.engine;
        let is_birth = |action: &net::Action| {
            matches!(action, net::Action::Assign(_, Expr { kind: ExprKind::Run { .. }, .. }))
        };
        let n_processes = engine.layout.n_processes.get(state) as usize;
        let mut awaited = self.awaited.iter().enumerate().take(n_processes);
        awaited.any(|(process, all)| {
            all.iter().any(|id| is_birth(&engine.transition(process, *id, state).action))
        })
    }

    /// Returns the merged steps that have not been taken yet, by process.
    fn awaited(&self) -> Vec<(usize, Vec<TransitionId>)> {
        let all = self.awaited.iter().cloned().enumerate();
        all.filter(|(_, it)| !it.is_empty()).collect()
    }

    /// Returns whether the step was merged into an earlier one.
    fn is_merged(&mut self, process: usize, id: TransitionId) -> bool {
        if self.awaited.len() <= process {
            self.awaited.resize(process + 1, Vec::new());
        }
        let awaited = &mut self.awaited[process];
        let is_merged = awaited.last() == Some(&id);
        if is_merged {
            awaited.pop();
        }
        is_merged
    }
}

/// Describes the steps of one passage, with the states after them if requested.
fn describe(
    engine: &Engine,
    view: &mut View,
    from: &[Word],
    passage: &Passage,
    with_states: bool,
) -> Vec<Step> {
    let contents = |state: &[Word]| if with_states { engine.contents(state) } else { Vec::new() };
    let begin = Moment { state: from.to_vec(), holder: None };
    let mut end = passage.state.clone();
    engine.layout.observer.set(&mut end, engine.layout.observer.get(from));
    if let Some(found) = retrace(view, &begin, &passage.steps, &end) {
        let mut before = from.to_vec();
        let mut described = Vec::new();
        for taken in &found {
            described.push(Step { state: contents(&taken.next.state), ..step(engine, &before, taken) });
            before.clone_from(&taken.next.state);
        }
        return described;
    }
    // A claim that changes the state itself: all changes are described with the
    // last step.
    let plain = |step: &view::Step| outline(engine, from, step);
    let mut described: Vec<Step> = passage.steps.iter().map(plain).collect();
    if let Some(last) = described.last_mut() {
        last.changes = changes(engine, from, &passage.state);
        last.state = contents(&passage.state);
    }
    described
}

/// Finds the states between the steps of a passage. Steps seldom have more than
/// one outcome; then the end decides which it was.
fn retrace(view: &mut View, begin: &Moment, steps: &[view::Step], end: &[Word]) -> Option<Vec<Taken>> {
    let mut found: Vec<Taken> = Vec::new();
    // Per step, outcomes that were not tried yet.
    let mut untried: Vec<Vec<Taken>> = Vec::new();
    loop {
        let now = found.last().map_or(begin, |it| &it.next);
        match steps.get(found.len()) {
            None if now.state == end => return Some(found),
            None => {
                found.pop();
            }
            Some(step) => {
                let mut outcomes = view.steps(now);
                outcomes.retain(|it| it.step == *step);
                outcomes.reverse();
                untried.push(outcomes);
            }
        }
        loop {
            match untried.last_mut()?.pop() {
                Some(taken) => break found.push(taken),
                None => {
                    untried.pop();
                    found.pop();
                }
            }
        }
    }
}

/// Describes a step with all its effects.
pub(in crate::verify) fn step(engine: &Engine, before: &[Word], taken: &Taken) -> Step {
    let view::Step { process, transition, .. } = taken.step;
    let printed = engine.printed(process, transition, before);
    let mut described = outline(engine, before, &taken.step);
    described.printed = printed.into_iter().collect();
    described.changes = changes(engine, before, &taken.next.state);
    let inner = taken.step.partner.map_or(process, |(receiver, _)| receiver);
    let cycle = taken.cycle();
    let n_steps = cycle.as_ref().map_or(taken.inside.len(), |it| it.end);
    let mut state = before;
    for (index, Inside { transition, state: next }) in taken.inside[..n_steps].iter().enumerate() {
        described.printed.extend(engine.printed(inner, *transition, state));
        if index < INNER_ENDS || index + INNER_ENDS >= n_steps {
            let span = engine.transition(inner, *transition, state).span;
            described.inside.steps.push(InnerStep { index, span, changes: changes(engine, state, next) });
        }
        state = next;
    }
    described.inside.n_steps = n_steps;
    described.inside.cycle = cycle.map(|it| it.start);
    described
}

/// Describes the processes, the action and its location.
fn outline(engine: &Engine, state: &[Word], step: &view::Step) -> Step {
    let is_there = |process: usize| process < engine.layout.n_processes.get(state) as usize;
    let graph = |process: usize| {
        let template = engine.template(process, state);
        &engine.network.templates[template.index()].graph
    };
    let actor = |(process, id): (usize, TransitionId)| {
        let Graph { transitions, calls, .. } = graph(process);
        let stack = calls.get(&id).cloned().unwrap_or_default();
        let place = Some(Place { span: transitions[id.index()].span, stack });
        Actor { name: engine.process_name(process, state), place }
    };
    let partner = step.partner.filter(|(process, _)| is_there(*process));
    let alternative = |process: usize, id| graph(process).alternatives.get(&id).cloned();
    Step {
        actors: [(step.process, step.transition)].into_iter().chain(partner).map(actor).collect(),
        action: Action::Statement,
        alternative: alternative(step.process, step.transition)
            .or_else(|| partner.and_then(|(process, id)| alternative(process, id))),
        event: Some(engine.events(step, state).join(", ")).filter(|it| !it.is_empty()),
        edge: None,
        changes: Vec::new(),
        printed: String::new(),
        inside: InnerSteps::default(),
        state: Vec::new(),
    }
}

/// Returns what changed.
fn changes(engine: &Engine, before: &[Word], after: &[Word]) -> Vec<Change> {
    engine.changes(before, after).into_iter().map(Change::from).collect()
}
