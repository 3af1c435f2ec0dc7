//! The first step of a counterexample that cannot happen, and why.
//!
//! A search along the counterexample ends where no execution follows it further.
//! In the one of the last states that comes closest to the next step, each task
//! that takes part in it is asked what it is ready for.

use super::guide::Guide;
use crate::base::cancel::checkpoint;
use crate::diag::Span;
use crate::explicit::growing::{Growing, Views};
use crate::explicit::layout::Shape;
use crate::explicit::overflow::{SearchStart, SeparateStorage, Spent};
use crate::explicit::view::NextStatement;
use crate::explicit::{Engine, View};
use crate::lang::task::lower::entry_of;
use crate::lang::task::program::{EntryId, Program};
use crate::net::{self, Expr, ExprKind, Graph, Network, Pattern, Root, StepLabels, TransitionId};
use crate::search::{End, Limits, SearchRun, StateId, Strategy, Watcher, explore};
use crate::system::{Abort, Heuristic, Word};
use crate::verify::explicit::{Content, Obstacle, Sequence};
use crate::verify::report::{ImpossibleStep, Reason};
use crate::verify::trail::{Action, Actor, Step};
use std::collections::{HashSet, VecDeque};

/// Maximum number of states that are compared.
const MAX_COMPARED: usize = 10_000;

/// Additional distance of a task that can move.
const MOVING: u32 = 1 << 10;

/// Distance of a task that can never take part in a step.
const NEVER: u32 = 1 << 20;

/// Maximum number of statements of a task that are named.
const MAX_STATEMENTS: usize = 3;

/// The result of a search along a counterexample.
pub(super) enum Walk {
    /// An execution violates the property.
    Found,
    /// No execution does; the first step that cannot happen.
    Exhausted(Option<ImpossibleStep>),
    /// A limit was reached.
    Stopped,
}

/// A counterexample and the model as a network.
#[derive(Clone, Copy)]
pub(super) struct Along<'e> {
    pub program: &'e Program,
    pub network: &'e Network,
    /// Follows the steps; the last assumption of the sequences.
    pub guide: &'e Guide,
    /// The steps up to the violation.
    pub steps: &'e [(usize, Step)],
    /// Number of all steps of the counterexample.
    pub n_steps: usize,
}

impl Along<'_> {
    /// Searches the executions that the guide accepts; also returns the number of
    /// stored states. `beginning` creates the property of the executions that
    /// begin with a number of its events.
    pub fn walk(
        self,
        sequence: &Sequence,
        labels: &[StepLabels],
        beginning: impl Fn(usize) -> Option<Sequence>,
        limits: Limits,
        watch: Watcher,
    ) -> (Walk, u64) {
        let n_all = self.guide.positions.len();
        let step_after = |n_events: usize| self.guide.positions.get(n_events).copied();
        let mut n_stored = 0;
        let reasons = |n_events: usize, states: &[Vec<Word>], view: View, engine: &Engine| {
            let (_, step) = self.steps.get(step_after(n_events)?)?;
            Some(Closest { program: self.program, labels, engine, view }.reasons(step, states))
        };
        let Some(followed) = self.follow(sequence, n_all, limits, watch, &mut n_stored, reasons) else {
            return (Walk::Stopped, n_stored);
        };
        if followed.is_found {
            return (Walk::Found, n_stored);
        }
        // Several events can be one step of an execution: some of them may be possible, too.
        let mut n_possible = followed.n_events;
        while n_possible < n_all && self.has_joint_events(labels) {
            let more = beginning(n_possible + 1).and_then(|sequence| {
                self.follow(&sequence, n_possible + 1, limits, watch, &mut n_stored, |_, _, _, _| Some(()))
            });
            match more {
                Some(more) if more.is_found || more.n_events > n_possible => n_possible += 1,
                Some(more) if !more.is_endless => break,
                _ => return (Walk::Exhausted(None), n_stored),
            }
        }
        if followed.is_endless {
            return (Walk::Exhausted(None), n_stored);
        }
        let reasons = followed.seen.filter(|_| n_possible == followed.n_events).unwrap_or_default();
        let step = step_after(n_possible).unwrap_or(self.n_steps) + 1;
        (Walk::Exhausted(Some(ImpossibleStep { step, reasons })), n_stored)
    }

    /// Returns whether a state of the search can be several events after the one
    /// before it.
    fn has_joint_events(&self, labels: &[StepLabels]) -> bool {
        let alphabet = &self.guide.automaton.events;
        let is_followed = |label: &String| alphabet.iter().any(|event| event.labels.contains(label));
        let is_send = |it: &StepLabels| {
            let graph = &self.network.templates[it.template.index()].graph;
            matches!(graph.transition(it.transition).action, net::Action::Send(_))
        };
        let is_joint = |it: &StepLabels| match it.labels.iter().filter(|it| is_followed(it)).count() {
            0 => false,
            1 => is_send(it),
            _ => true,
        };
        let mut locations = self.network.graphs().flat_map(|it| &it.locations);
        locations.any(|it| it.atomic.is_some()) || labels.iter().any(is_joint)
    }

    /// Searches all executions that the last assumption accepts so far. `see` is
    /// called with the largest number of its events that were followed, at most
    /// `n_events`, and the states after them. `None` if a limit was reached.
    fn follow<T>(
        &self,
        sequence: &Sequence,
        n_events: usize,
        limits: Limits,
        watch: Watcher,
        n_stored: &mut u64,
        see: impl Fn(usize, &[Vec<Word>], View, &Engine) -> Option<T>,
    ) -> Option<Followed<T>> {
        let network = self.network;
        let build = |shape: &Shape| Engine::following(sequence, network, shape);
        let views = FollowingViews;
        let mut shape = Shape::of(network);
        let mut spent = Spent::default();
        loop {
            let start = SearchStart::new(build, shape, SeparateStorage::Always, spent);
            let mut growing = Growing::new(&start, &views);
            let run = explore(&mut growing, &Strategy::bfs(), no_heuristic, limits, watch);
            *n_stored += run.counters.stored;
            let is_found = match (run.end, start.again()) {
                (End::Aborted(Abort::Restart), Some(again)) => {
                    spent = start.spent_with(growing.n_expanded());
                    shape = again.clone();
                    continue;
                }
                (End::Exhausted, _) => false,
                (End::Found(_), _) => true,
                _ => return None,
            };
            // The events inside such a sequence are not those of any state.
            let is_endless = growing.parts().any(View::has_endless_sequence);
            let (n_events, states) = furthest(&start, &run, n_events);
            let engine = start.widest();
            let seen = if is_found { None } else { see(n_events, &states, views.view(engine), engine) };
            return Some(Followed { is_found, is_endless, n_events, seen });
        }
    }
}

/// The result of a search along some events.
struct Followed<T> {
    /// Whether an execution violates the property.
    is_found: bool,
    /// Whether an execution can stay in an atomic sequence.
    is_endless: bool,
    /// Largest number of events that were followed.
    n_events: usize,
    seen: Option<T>,
}

/// Creates views of a system whose runs may end anywhere.
struct FollowingViews;

impl Views for FollowingViews {
    type View<'e> = View<'e>;

    fn view<'e>(&self, engine: &'e Engine<'e>) -> View<'e> {
        View::new(engine).allowing_blocked_end().finding_endless_sequences()
    }
}

fn no_heuristic(_: &str) -> Box<dyn Heuristic> {
    unreachable!("breadth-first search has none")
}

/// Returns the largest number of events that were followed, and the states after
/// them.
fn furthest(start: &SearchStart, run: &SearchRun, n_events: usize) -> (usize, Vec<Vec<Word>>) {
    let mut best = (0, Vec::new());
    for id in (0..run.space.n_states()).map(StateId::new) {
        checkpoint();
        let state = start.widened(run.space.state(id));
        let followed = start.widest().last_assumption(&state).unwrap_or(0) as usize;
        if followed > n_events || followed < best.0 {
            continue;
        }
        if followed > best.0 {
            best = (followed, Vec::new());
        }
        if best.1.len() < MAX_COMPARED {
            best.1.push(state);
        }
    }
    best
}

/// Looks for the state that comes closest to a step.
struct Closest<'e> {
    program: &'e Program,
    /// The labels of transitions.
    labels: &'e [StepLabels],
    engine: &'e Engine<'e>,
    view: View<'e>,
}

/// A task that takes part in a step.
struct Participant {
    task: String,
    process: usize,
    /// Its part of the step.
    span: Span,
    /// The transitions that are this part.
    parts: HashSet<TransitionId>,
    /// Per location, the number of transitions to one from which it can take
    /// part; `None` if it never can.
    distances: Vec<Option<u32>>,
}

impl Closest<'_> {
    /// Returns why the tasks of a step are not ready for it, in the first state
    /// where they are closest to it.
    fn reasons(&mut self, step: &Step, states: &[Vec<Word>]) -> Vec<Reason> {
        let entry = self.entry(step);
        let participants: Vec<Participant> =
            step.actors.iter().filter_map(|it| self.participant(it, step, entry)).collect();
        let mut best: Option<(u32, Vec<Reason>)> = None;
        for state in states {
            checkpoint();
            let found: Vec<(u32, Reason)> =
                participants.iter().filter_map(|it| self.reason(it, state)).collect();
            let distance = found.iter().fold(0, |sum: u32, (distance, _)| sum.saturating_add(*distance));
            if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                best = Some((distance, found.into_iter().map(|it| it.1).collect()));
            }
        }
        let mut reasons = best.map_or_else(Vec::new, |it| it.1);
        // Objects have no statements of their own.
        if let (true, Some(entry), [caller, _]) = (reasons.is_empty(), entry, &step.actors[..]) {
            let entry = &self.program.entries[entry.index()];
            if entry.operation.is_some() {
                let obstacle = Obstacle::NoAcceptor(entry.purpose(self.program));
                reasons.push(Reason::Blocked { task: caller.name.clone(), obstacle });
            }
        }
        reasons
    }

    /// Returns the entry of a rendezvous.
    fn entry(&self, step: &Step) -> Option<EntryId> {
        let Action::Label(label) = &step.action else { return None };
        let label = label.strip_suffix(".end").unwrap_or(label);
        let entries = &self.program.entries;
        let entry = (step.actors.len() > 1).then(|| entries.iter().position(|it| it.label == label));
        entry.flatten().map(EntryId::new)
    }

    fn participant(&self, actor: &Actor, step: &Step, entry: Option<EntryId>) -> Option<Participant> {
        let task = actor.name.clone();
        let process = self.program.tasks.iter().position(|it| it.name == task && !it.is_object)?;
        let span = actor.place.as_ref()?.span;
        let graph = &self.engine.network.templates[process].graph;
        let has_label = |id: TransitionId| {
            let known = |it: &&StepLabels| it.template.index() == process && it.transition == id;
            let Action::Label(label) = &step.action else { return false };
            self.labels.iter().find(known).is_some_and(|it| it.labels.contains(label))
        };
        let is_part = |id: &TransitionId| {
            let transition = graph.transition(*id);
            transition.span == span
                && match entry {
                    Some(_) => entry_of(&transition.action) == entry,
                    None => has_label(*id),
                }
        };
        let parts = (0..graph.transitions.len()).map(TransitionId::new).filter(is_part).collect();
        let mut participant = Participant { task, process, span, parts, distances: Vec::new() };
        participant.distances = participant.distances_in(graph);
        Some(participant)
    }

    /// Returns why a task is not ready for its part of a step, and how far it is
    /// from being ready.
    fn reason(&mut self, of: &Participant, state: &[Word]) -> Option<(u32, Reason)> {
        let engine = self.engine;
        let transition = |it: &NextStatement| engine.transition(of.process, it.transition, state);
        let all = self.view.next_statements(of.process, state);
        let is_wanted = |it: &&NextStatement| of.parts.contains(&it.transition);
        let wanted: Vec<&NextStatement> = all.iter().filter(is_wanted).collect();
        if wanted.iter().any(|it| it.obstacle.is_none()) {
            return None;
        }
        if let Some(blocked) = wanted.first() {
            return Some((1, self.condition(of, blocked, &wanted, state)));
        }
        let location = engine.layout.processes[of.process].location.get(state) as usize;
        let distance = of.distances[location];
        let leads_there = |it: &&NextStatement| {
            let after = of.distances[transition(it).to.index()];
            after.is_some_and(|after| distance.is_some_and(|before| after < before))
        };
        let next: Vec<&NextStatement> = all.iter().filter(leads_there).collect();
        // A task that can take another branch does not wait.
        let is_stuck = all.iter().all(|it| it.obstacle.is_some());
        let reason = match next.first() {
            Some(first) if is_stuck => self.condition(of, first, &next, state),
            _ => {
                let mut at: Vec<Span> = Vec::new();
                for it in &all {
                    if !at.contains(&it.span) && at.len() < MAX_STATEMENTS {
                        at.push(it.span);
                    }
                }
                Reason::Elsewhere { task: of.task.clone(), at }
            }
        };
        let distance = distance.map_or(NEVER, |it| 1 + 2 * it.min(NEVER));
        // A state in which it is stuck says more than one from which it only has to move on.
        Some((distance + if is_stuck { 0 } else { MOVING }, reason))
    }

    /// Returns that the conditions of all these statements are false; `blocked`
    /// is the first of them.
    fn condition(
        &self,
        of: &Participant,
        blocked: &NextStatement,
        all: &[&NextStatement],
        state: &[Word],
    ) -> Reason {
        if let net::Action::Otherwise = self.engine.transition(of.process, blocked.transition, state).action {
            return Reason::Else { task: of.task.clone(), span: blocked.span };
        }
        let mut values: Vec<Content> = Vec::new();
        for content in all.iter().flat_map(|it| self.values(of.process, it, state)) {
            if !values.contains(&content) {
                values.push(content);
            }
        }
        Reason::False {
            task: of.task.clone(),
            span: blocked.span,
            is_guard: blocked.obstacle == Some(Obstacle::FalseGuard),
            is_before: blocked.span != of.span,
            values,
        }
    }

    /// Returns the variables that the condition of a statement reads, with their
    /// values.
    fn values(&self, process: usize, statement: &NextStatement, state: &[Word]) -> Vec<Content> {
        let action = &self.engine.transition(process, statement.transition, state).action;
        let Some(condition) = condition(action) else { return Vec::new() };
        let mut names: Vec<&str> = Vec::new();
        condition.each(&mut |expr| {
            if let ExprKind::Read(net::Place { root: Root::Global(id), .. }) = &expr.kind {
                let name = self.engine.network.globals[id.index()].name.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        });
        let all = self.engine.contents(state);
        names.iter().filter_map(|name| all.iter().find(|it| it.name == **name).cloned()).collect()
    }
}

impl Participant {
    /// Returns the number of transitions from each location to one that the task
    /// leaves by its part of the step.
    fn distances_in(&self, graph: &Graph) -> Vec<Option<u32>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.locations.len()];
        let mut distances = vec![None; graph.locations.len()];
        let mut open = VecDeque::new();
        for (index, location) in graph.locations.iter().enumerate() {
            checkpoint();
            for id in &location.out {
                before[graph.transition(*id).to.index()].push(index);
            }
            if location.out.iter().any(|id| self.parts.contains(id)) {
                distances[index] = Some(0);
                open.push_back((index, 0));
            }
        }
        while let Some((location, distance)) = open.pop_front() {
            for &earlier in &before[location] {
                if distances[earlier].is_none() {
                    distances[earlier] = Some(distance + 1);
                    open.push_back((earlier, distance + 1));
                }
            }
        }
        distances
    }
}

/// Returns the condition under which a task is ready for an action.
fn condition(action: &net::Action) -> Option<&Expr> {
    match action {
        net::Action::Guard(condition) => Some(condition),
        net::Action::Send(send) => send.values.get(send.meeting.as_ref()?.guard_field),
        net::Action::Receive(receive) => match receive.patterns.get(receive.meeting.as_ref()?.guard_field)? {
            Pattern::Match(condition) => Some(condition),
            Pattern::Any | Pattern::Store(_) => None,
        },
        _ => None,
    }
}
