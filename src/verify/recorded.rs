//! Replay of runs that were recorded as JSON.
//!
//! A report of `check` contains the steps of its counterexamples, a document of
//! `simulate` those of its run. A step is identified by its processes, its
//! source location and its changes, not by internal numbers, so that later
//! versions can replay a record. Steps that look alike may lead to different
//! states, and a search omits steps without effect; the recorded run is found
//! by trying.

use super::engine::FLOW;
use super::explicit::{Semantics, described_step};
use super::question::TrailDetail;
use super::simulate::{Replayed, Simulated, Stopped};
use super::trail::{Step, Trail};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, SourceId, Sources, Span, did_you_mean};
use crate::explicit::heuristics::TargetState;
use crate::explicit::layout::Shape;
use crate::explicit::view::{Ending, Fault, Moment, Taken};
use crate::explicit::{Engine, View};
use crate::net::{Action, Network, StepLabels, TemplateId, TransitionId};
use crate::system::Word;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};

/// Steps that were recorded.
#[derive(Clone, Debug, Default)]
pub struct RecordedTrail {
    steps: Vec<RecordedStep>,
    /// Position at which a cycle begins.
    cycle: Option<usize>,
    /// Whether it ends with the violation of a property.
    is_counterexample: bool,
    /// Whether it ends in a deadlock or another runtime error.
    has_fault: bool,
    /// Constants or macros that were set for the run.
    settings: BTreeMap<String, String>,
    /// Labels of steps that were recorded whenever they happened.
    labels: HashSet<String>,
    /// The property that it violates.
    property: Option<String>,
    /// Whether processes are blocked at the end.
    is_blocked: bool,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedStep {
    processes: Vec<String>,
    /// The last part of the path, line and column, per process.
    places: Vec<(String, usize, usize)>,
    /// Variables that changed and their new values.
    changes: BTreeMap<String, String>,
}

/// A step that the model cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// Its position from 0.
    pub step: usize,
    /// One sentence.
    pub message: String,
    /// The steps that are possible instead.
    pub help: Option<String>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    results: Vec<ResultRecord>,
    steps: Option<Vec<StepRecord>>,
    cycle: Option<usize>,
}

#[derive(Deserialize)]
struct ResultRecord {
    property: String,
    kind: String,
    engine: String,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    explicit: Option<ExplicitRecord>,
    counterexample: Option<CounterexampleRecord>,
}

#[derive(Deserialize)]
struct ExplicitRecord {
    #[serde(default)]
    events: Vec<String>,
}

#[derive(Deserialize)]
struct CounterexampleRecord {
    cycle: Option<usize>,
    #[serde(default)]
    blocked: Vec<serde::de::IgnoredAny>,
    steps: Vec<StepRecord>,
}

#[derive(Deserialize)]
struct StepRecord {
    processes: Vec<String>,
    places: Vec<PlaceRecord>,
    changes: Vec<ChangeRecord>,
}

#[derive(Deserialize)]
struct PlaceRecord {
    file: String,
    line: usize,
    column: usize,
}

#[derive(Deserialize)]
struct ChangeRecord {
    name: String,
    to: String,
}

impl RecordedTrail {
    /// Reads a document of `check` or `simulate`. If there are several
    /// counterexamples, takes that of `property`, or the first.
    pub fn parse(source: SourceId, sources: &Sources, property: Option<&str>) -> Result<Self, Diagnostic> {
        let text = &sources.get(source).text;
        let document: Document = serde_json::from_str(text).map_err(|error| {
            let line =
                text.lines().take(error.line().saturating_sub(1)).map(|it| it.len() + 1).sum::<usize>();
            let at = (line + error.column().saturating_sub(1)).min(text.len());
            let shown = error.to_string();
            let shown = shown.split(" at line").next().unwrap_or_default();
            let message = format!("this is neither a report nor a simulation of Trapline: {shown}");
            let help = "create the file by `check --format json` or `simulate --format json`";
            Diagnostic::error("trail-record", Span::new(source, at..at), message).with_help(help)
        })?;
        let fault = |message: String| Diagnostic::error("trail-record", Span::new(source, 0..0), message);
        if let Some(steps) = document.steps {
            if property.is_some() {
                let message = "this is a simulation, which has no properties".to_string();
                return Err(fault(message).with_help("remove `--property`, or give a report of `check`"));
            }
            return Ok(Self::new(&steps, document.cycle));
        }
        let wanted = |it: &&ResultRecord| property.is_none_or(|name| name == it.property);
        let has_run = |it: &&ResultRecord| it.engine != FLOW.name && it.counterexample.is_some();
        if let Some(found) = document.results.iter().filter(wanted).find(has_run) {
            let counterexample = found.counterexample.as_ref();
            let trail = counterexample.map_or_else(Self::default, |it| Self::new(&it.steps, it.cycle));
            let labels = found.explicit.iter().flat_map(|it| it.events.iter().cloned()).collect();
            let (has_fault, settings) = (found.kind == "safety", found.settings.clone());
            let property = Some(found.property.clone());
            let is_blocked = counterexample.is_some_and(|it| !it.blocked.is_empty());
            return Ok(Self {
                is_counterexample: true,
                has_fault,
                labels,
                settings,
                property,
                is_blocked,
                ..trail
            });
        }
        let found = document.results.iter().filter(|it| it.counterexample.is_some());
        let mut names = found.clone().map(|it| it.property.as_str());
        Err(match (found.clone().find(wanted), property) {
            (Some(it), _) => {
                let message = format!(
                    "the counterexample of `{}` is a path of the flow engine, not a run",
                    it.property
                );
                fault(message).with_help("create the report by `check --engine explicit`")
            }
            (None, Some(name)) => {
                let help = did_you_mean(name, &mut names);
                fault(format!("the report has no counterexample for `{name}`")).with_optional_help(help)
            }
            (None, None) => fault("the report has no counterexample".to_string()),
        })
    }

    /// Returns the constants or macros that were set for the run.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// Returns the property that it violates, if it is a counterexample.
    pub fn property(&self) -> Option<&str> {
        self.property.as_deref()
    }

    /// Returns whether it can end in a fault of this kind.
    pub(super) fn can_end_in(&self, fault: Fault) -> bool {
        !(self.is_counterexample && self.has_fault) || fault.is_blocked_end() == self.is_blocked
    }

    /// Returns whether it ends in a cycle.
    pub(super) fn has_cycle(&self) -> bool {
        self.cycle.is_some()
    }

    /// Finds the recorded run on an engine, which may run out of room; also
    /// returns the number of steps before its cycle. If several runs look like
    /// it, tries them until one is accepted.
    pub(super) fn follow(
        &self,
        engine: &Engine,
        view: &mut View,
        sources: &Sources,
        accepts: &mut dyn FnMut(&[Taken], Option<usize>) -> bool,
    ) -> Result<(Vec<Taken>, Option<usize>), Unmatched> {
        let cycle_of = |path: &[Followed]| {
            let before = |n_recorded: usize| path.iter().filter(|it| it.n_recorded <= n_recorded).count();
            self.cycle.map(before)
        };
        let observed = HashSet::new();
        let mut is_accepted = false;
        let taken = |path: &[Followed]| path.iter().map(|it| it.taken.clone()).collect::<Vec<_>>();
        let mut judge = |path: &[Followed]| {
            is_accepted = accepts(&taken(path), cycle_of(path));
            is_accepted
        };
        // A record of the same network leaves nothing out.
        let exactly = Follower { may_omit: false, ..Follower::new(engine, &observed, sources) };
        let mut found = exactly.follow(view, self, &mut judge);
        if !is_accepted && view.missing_room().is_none() {
            let follower = Follower::new(engine, &observed, sources);
            found = follower.follow(view, self, &mut |path| accepts(&taken(path), cycle_of(path)));
        }
        let path = found?;
        Ok((taken(&path), cycle_of(&path)))
    }

    fn new(steps: &[StepRecord], cycle: Option<usize>) -> Self {
        Self { steps: steps.iter().map(RecordedStep::from).collect(), cycle, ..Self::default() }
    }
}

impl From<&StepRecord> for RecordedStep {
    fn from(record: &StepRecord) -> Self {
        let place = |it: &PlaceRecord| (last_part(&it.file), it.line, it.column);
        Self {
            processes: record.processes.clone(),
            places: record.places.iter().map(place).collect(),
            changes: record.changes.iter().map(|it| (it.name.clone(), it.to.clone())).collect(),
        }
    }
}

impl RecordedStep {
    /// Creates the record of a step.
    fn of(step: &Step, sources: &Sources) -> Self {
        let place = |span: Span| {
            let position = sources.position(span);
            (last_part(&sources.get(span.source).name), position.line, position.column)
        };
        Self {
            processes: step.actors.iter().map(|it| it.name.clone()).collect(),
            places: step.places().map(|it| place(it.span)).collect(),
            changes: step.changes.iter().map(|it| (it.name.clone(), it.to.clone())).collect(),
        }
    }

    /// Returns whether a process of `other` takes part in this step.
    fn involves(&self, other: &Self) -> bool {
        other.processes.iter().any(|it| self.processes.contains(it))
    }

    /// Returns a text such as `worker[0] at a.rs:3:5`.
    fn shown(&self) -> String {
        let places = self.places.iter().map(|(file, line, column)| format!("{file}:{line}:{column}"));
        let mut shown =
            format!("{} at {}", self.processes.join(" and "), places.collect::<Vec<_>>().join(" and "));
        for (name, value) in &self.changes {
            shown += &format!(", {name} = {value}");
        }
        shown
    }
}

/// Returns the last part of a path: a record may be replayed in another folder.
fn last_part(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_string()
}

/// Replays a recorded run in a model whose transitions have these events.
pub fn replay_record(
    network: &Network,
    events: &[StepLabels],
    semantics: Semantics,
    record: &RecordedTrail,
    sources: &Sources,
    detail: TrailDetail,
) -> Result<Replayed, Unmatched> {
    let mut shape = Shape::of(network);
    let is_observed = |it: &&StepLabels| it.labels.iter().any(|label| record.labels.contains(label));
    let observed: HashSet<_> =
        events.iter().filter(is_observed).map(|it| (it.template, it.transition)).collect();
    loop {
        let engine = Engine::new(network, &shape);
        let mut view = View::new(&engine).with_semantics(semantics).cancellable();
        let followed = Follower::new(&engine, &observed, sources).follow(&mut view, record, &mut |_| true);
        match view.missing_room() {
            Some(missing_room) => shape.grow(missing_room),
            None => return Ok(replayed((&engine, &shape), &mut view, followed?, record, detail)),
        }
    }
}

struct Follower<'e> {
    engine: &'e Engine<'e>,
    /// Transitions that are recorded whenever they happen.
    observed: &'e HashSet<(TemplateId, TransitionId)>,
    sources: &'e Sources,
    /// Positions in the record and states from which the rest could not be
    /// followed, or is being followed.
    seen: HashSet<(usize, Vec<Word>, Option<usize>)>,
    /// The run so far.
    path: Vec<Followed>,
    /// Per step of the run, alternatives that were not tried yet.
    untried: Vec<Vec<Followed>>,
    /// Whether the record may leave out steps without effect.
    may_omit: bool,
}

/// A step of the model.
#[derive(Clone, Debug)]
struct Followed {
    taken: Taken,
    /// Number of recorded steps up to here.
    n_recorded: usize,
}

impl<'e> Follower<'e> {
    fn new(
        engine: &'e Engine<'e>,
        observed: &'e HashSet<(TemplateId, TransitionId)>,
        sources: &'e Sources,
    ) -> Self {
        let (seen, path, untried) = (HashSet::new(), Vec::new(), Vec::new());
        Self { engine, observed, sources, seen, path, untried, may_omit: true }
    }

    /// Finds a run whose steps match the recorded ones. Between them there may
    /// be steps without effect, which a search can omit. Each process takes
    /// them as late as possible, right before its next recorded step: a process
    /// that is not yet ready for a rendezvous disables no `else`.
    fn follow(
        mut self,
        view: &mut View,
        record: &RecordedTrail,
        accepts: &mut dyn FnMut(&[Followed]) -> bool,
    ) -> Result<Vec<Followed>, Unmatched> {
        let begin = view.beginning();
        // The furthest position, and what would be possible there.
        let mut furthest: (usize, Vec<RecordedStep>) = (0, Vec::new());
        // A run with all steps, but without the error at its end.
        let mut at_end: Option<Vec<Followed>> = None;
        loop {
            checkpoint();
            let (now, at) = self.path.last().map_or((&begin, 0), |it| (&it.taken.next, it.n_recorded));
            let possible = view.steps(now);
            if view.missing_room().is_some() {
                return Ok(self.path);
            }
            let is_fault = possible.is_empty() && matches!(view.ending(&now.state), Ending::Fault(_));
            let wanted = record.steps.get(at);
            if wanted.is_none() && (is_fault || !record.has_fault) && accepts(&self.path) {
                return Ok(self.path);
            }
            let described: Vec<RecordedStep> = possible.iter().map(|it| self.describe(now, it)).collect();
            let mut alternatives = Vec::new();
            let mut silent = Vec::new();
            for (taken, shown) in possible.into_iter().zip(&described) {
                let may_omit = self.may_omit
                    && wanted.is_none_or(|it| now.holder.is_some() || it.involves(shown))
                    && self.does_nothing(now, &taken);
                // A step that looks like the recorded one may be an earlier one
                // that the search omitted: `event!(e(i))` is several events.
                if may_omit {
                    silent.push(Followed { taken: taken.clone(), n_recorded: at });
                }
                if Some(shown) == wanted {
                    alternatives.push(Followed { taken, n_recorded: at + 1 });
                }
            }
            // Events of the property first: others are seldom recorded.
            alternatives.sort_by_key(|it: &Followed| !self.is_observed(now, &it.taken));
            match wanted {
                // Perhaps steps that look alike lead to the error.
                None => drop(at_end.get_or_insert_with(|| self.path.clone())),
                Some(_) if alternatives.is_empty() && at >= furthest.0 => furthest = (at, described),
                Some(_) => {}
            }
            // The last one is tried first.
            silent.reverse();
            alternatives.reverse();
            self.untried.push([silent, alternatives].concat());
            if !self.try_next() {
                let (step, possible) = furthest;
                return at_end.ok_or_else(|| unmatched(record, step, possible));
            }
        }
    }

    /// Takes the next untried step, latest first; returns false if there is
    /// none.
    fn try_next(&mut self) -> bool {
        while let Some(alternatives) = self.untried.last_mut() {
            let Some(next) = alternatives.pop() else {
                self.untried.pop();
                continue;
            };
            let Moment { state, holder } = &next.taken.next;
            if self.seen.insert((next.n_recorded, state.clone(), *holder)) {
                self.path.truncate(self.untried.len() - 1);
                self.path.push(next);
                return true;
            }
        }
        false
    }

    fn describe(&self, now: &Moment, taken: &Taken) -> RecordedStep {
        RecordedStep::of(&described_step(self.engine, &now.state, taken), self.sources)
    }

    /// Returns whether a search can omit a step: it has no effect and is not an
    /// event of the property.
    fn does_nothing(&self, now: &Moment, taken: &Taken) -> bool {
        let step = taken.step;
        let action = &self.engine.transition(step.process, step.transition, &now.state).action;
        step.partner.is_none() && matches!(action, Action::Skip) && !self.is_observed(now, taken)
    }

    /// Returns whether a step is an event of the property.
    fn is_observed(&self, now: &Moment, taken: &Taken) -> bool {
        let template = self.engine.template(taken.step.process, &now.state);
        self.observed.contains(&(template, taken.step.transition))
    }
}

/// Maximum number of possible steps in a message.
const MAX_LISTED: usize = 4;

fn unmatched(record: &RecordedTrail, step: usize, mut possible: Vec<RecordedStep>) -> Unmatched {
    let wanted = record.steps[step].shown();
    let message = format!(
        "step {} is not possible here ({wanted}): the record belongs to another model or to another version of it",
        step + 1
    );
    possible.dedup();
    let mut shown: Vec<String> = possible.iter().take(MAX_LISTED).map(RecordedStep::shown).collect();
    if possible.len() > MAX_LISTED {
        shown.push("…".to_string());
    }
    let help = match shown.is_empty() {
        true => "no process can move here".to_string(),
        false => format!("the possible steps are {}", shown.join("; ")),
    };
    Unmatched { step, message, help: Some(help) }
}

fn replayed(
    (engine, shape): (&Engine, &Shape),
    view: &mut View,
    path: Vec<Followed>,
    record: &RecordedTrail,
    detail: TrailDetail,
) -> Replayed {
    let n_steps = path.len();
    let before = |n_recorded: usize| path.iter().filter(|it| it.n_recorded <= n_recorded).count();
    let mut trail = Trail { n_steps, cycle: record.cycle.map(before), ..Trail::default() };
    let mut now = view.beginning();
    for (index, Followed { taken, .. }) in path.into_iter().enumerate() {
        if detail.describes(index, n_steps) {
            trail.steps.push((index, described_step(engine, &now.state, &taken)));
        }
        now = taken.next;
    }
    let ending = view.steps(&now).is_empty().then(|| view.ending(&now.state));
    let stopped = match (record.cycle, ending) {
        (Some(_), _) => Stopped::Repeats,
        // After the violation of another property, perhaps no process can move.
        (None, _) if record.is_counterexample && !record.has_fault => Stopped::Broken,
        (None, Some(ending @ Ending::Fault(_))) => Stopped::Ended(ending),
        (None, _) if record.is_counterexample => Stopped::Broken,
        (None, Some(ending)) => Stopped::Ended(ending),
        (None, None) => Stopped::TrailEnded,
    };
    let end = Simulated::new(n_steps, stopped, engine, view, &now.state);
    let last = TargetState::new(engine, shape, &now.state);
    Replayed { trail, end, passes_assertions: false, last }
}
