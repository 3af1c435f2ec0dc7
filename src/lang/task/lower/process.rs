//! The control graph of one task.

use super::Steps;
use super::locations::{Exit, Locations};
use super::message::{Callers, Meeting, constant};
use super::points::{Move, Offer, Points};
use super::select::Alternative;
use super::values::{self, Values};
use crate::base::cancel::checkpoint;
use crate::diag::Span;
use crate::lang::task::program::{Action, PointId, Program, Role, Site, SiteId, TaskId, Value};
use crate::net::{self, Expr, Graph, Label, Location, LocationId, Template, Transition, TransitionId};
use std::collections::{HashMap, HashSet};

/// Maximum number of transitions per edge, beyond those of a small task.
const MAX_COPIES: usize = 8;

/// Number of transitions that any task may have.
const FEW_TRANSITIONS: usize = 10_000;

/// The label where a task has ended.
pub(super) const END: &str = "end";

/// The label where a task has stopped inside an atomic block.
pub(super) const STOPPED: &str = "stopped";

/// What the label of the end of an accept body has after that of its beginning.
const BODY_END: &str = ".end";

/// Data that the processes of all tasks share.
pub(super) struct Shared<'a> {
    pub program: &'a Program,
    pub values: &'a Values,
    pub callers: &'a Callers,
    /// Offers that an `else` depends on.
    pub noticed: &'a HashSet<Offer>,
}

/// The control graph of a task during its construction.
pub(super) struct Process<'a> {
    shared: &'a Shared<'a>,
    id: TaskId,
    points: &'a Points<'a>,
    locations: Locations<'a>,
    graph: Graph,
    /// Events by transition.
    pub labels: Vec<Vec<String>>,
}

impl<'a> Process<'a> {
    /// Lowers a task. If silent edges multiply its transitions, it is lowered
    /// edge by edge, which is correct for every property.
    pub fn of(shared: &'a Shared<'a>, id: TaskId, points: &'a Points<'a>, steps: &Steps) -> Self {
        let max_transitions =
            FEW_TRANSITIONS.saturating_add(points.task.edges.len().saturating_mul(MAX_COPIES));
        let mut process = Self::new(shared, id, points, steps);
        if !process.build(max_transitions) {
            process = Self::new(shared, id, points, &Steps::Edges);
            process.build(usize::MAX);
        }
        process.keep_alternatives();
        process
    }

    /// Returns the code of the task. Its labels mark where it has ended, and
    /// where it has stopped inside an atomic block.
    pub fn template(self) -> Template {
        let task = self.points.task;
        let mut graph = self.graph;
        let mut labels = Vec::new();
        let mut add = |name: &str, at: LocationId| {
            labels.push(Label { name: name.to_string(), span: task.span });
            graph.labels.push(at);
        };
        if let Some(end) = self.locations.end() {
            add(END, end);
        }
        for (index, location) in graph.locations.iter().enumerate() {
            if location.atomic.is_some() && location.out.is_empty() {
                add(STOPPED, LocationId::new(index));
            }
        }
        Template {
            is_single: true,
            is_object: task.is_object,
            active: 1,
            labels,
            ..Template::passive(task.name.clone(), task.span, graph)
        }
    }

    fn new(shared: &'a Shared<'a>, id: TaskId, points: &'a Points<'a>, steps: &Steps) -> Self {
        let locations = Locations::new(points, steps, shared.noticed);
        Self { shared, id, points, locations, graph: Graph::default(), labels: Vec::new() }
    }

    /// Creates all locations and transitions; returns `false` if there would be
    /// more than `max_transitions`.
    fn build(&mut self, max_transitions: usize) -> bool {
        while self.graph.locations.len() < self.locations.n_locations() {
            checkpoint();
            let at = LocationId::new(self.graph.locations.len());
            self.graph.locations.push(Location {
                span: self.locations.span(at),
                is_end: self.locations.may_stay(at),
                is_statement: true,
                atomic: self.locations.is_atomic(at).then_some(0),
                ..Location::default()
            });
            for exit in self.locations.exits(at) {
                self.exit(at, &exit);
                if self.graph.transitions.len() > max_transitions {
                    return false;
                }
            }
        }
        true
    }

    fn exit(&mut self, at: LocationId, exit: &Exit<'a>) {
        let points = self.points;
        let edge = |index: usize| &points.task.edges[index];
        match exit {
            Exit::Move(Move::Silent(index)) => {
                self.add(at, &net::Action::Skip, edge(*index).to, edge(*index).site, &[]);
            }
            Exit::Move(Move::Otherwise(index)) => {
                self.add(at, &net::Action::Otherwise, edge(*index).to, edge(*index).site, &[]);
            }
            Exit::Move(Move::Action(alternative)) => self.action(at, alternative),
            Exit::Move(Move::BodyEnd(index)) => self.end_of_body(at, *index),
            Exit::Move(Move::Panic { tests, panic }) => {
                let panic = &points.task.panics[*panic];
                let span = self.span(panic.site);
                let test =
                    |(variable, values): &(_, Vec<_>)| self.shared.values.test(*variable, values, span);
                let guard = self.all_of(tests, span).into_iter().chain(panic.test.as_ref().map(test));
                let guard = guard.reduce(|left, right| values::both(left, right, span));
                let guard = guard.unwrap_or_else(|| constant(1, span));
                self.add_to(at, net::Action::Fail(guard, panic.failure), at, panic.site, Vec::new());
            }
            Exit::Silent { edge: index, to } => {
                self.add(at, &net::Action::Skip, *to, edge(*index).site, &[]);
            }
            Exit::Served { entry, to, site } => {
                let Shared { program, callers, .. } = *self.shared;
                let send = callers.send(program, self.id, *entry, Meeting::End, None, self.span(*site));
                self.add(at, &send, *to, *site, &[]);
            }
        }
    }

    /// Adds an action after tests that are true in the same step.
    fn action(&mut self, at: LocationId, alternative: &Alternative) {
        let Shared { program, values, callers, .. } = *self.shared;
        let edge = &self.points.task.edges[alternative.edge];
        let site = alternative.site;
        let span = self.span(site);
        let own: Vec<String> = program.label(&edge.action).into_iter().collect();
        match &edge.action {
            Action::Silent | Action::Event(_) => {
                let guard = self.all_of(&alternative.tests, span);
                let action = guard.map_or(net::Action::Skip, net::Action::Guard);
                let labels = [self.labels_of(alternative), own].concat();
                self.add(at, &action, edge.to, site, &labels);
            }
            Action::Test { variable, values: passing } => {
                let guard = values.test(*variable, passing, span);
                let guard = match self.all_of(&alternative.tests, span) {
                    Some(before) => values::both(before, guard, span),
                    None => guard,
                };
                let labels = [self.labels_of(alternative), own].concat();
                self.add(at, &net::Action::Guard(guard), edge.to, site, &labels);
            }
            Action::Assign { variable, .. } if edge.role == Role::OutOfRange => {
                self.add(at, &values.assign_outside(*variable, span), edge.to, site, &own);
            }
            Action::Assign { variable, value: Some(value) } => {
                self.add(at, &values.assign(*variable, *value, span), edge.to, site, &own);
            }
            Action::Assign { variable, value: None } => {
                for (value, action) in values.assign_any(*variable, span).into_iter().enumerate() {
                    let first = self.graph.transitions.len();
                    self.add(at, &action, edge.to, site, &own);
                    let chosen = Action::Assign { variable: *variable, value: Some(value as Value) };
                    let new = (first..self.graph.transitions.len()).map(TransitionId::new);
                    self.graph.alternatives.extend(new.filter_map(|it| Some((it, program.label(&chosen)?))));
                }
            }
            Action::Shift { variable, by } => {
                self.add(at, &values.shift(*variable, *by, span), edge.to, site, &own);
            }
            Action::Call { entry } => {
                let guard = self.all_of(&alternative.tests, span);
                let tests = self.labels_of(alternative);
                let send = |meeting| callers.send(program, self.id, *entry, meeting, guard.clone(), span);
                let (whole, begin) = (send(Meeting::Whole), send(Meeting::Begin));
                self.add(at, &whole, edge.to, site, &tests);
                let wait = self.locations.wait(*entry, edge.to, site);
                self.add_to(at, begin, wait, site, tests);
            }
            Action::Accept { entry, body } => {
                let guard = self.all_of(&alternative.tests, span);
                let labels = [self.labels_of(alternative), own].concat();
                let (meeting, to) = match body {
                    Some((first, _)) => (Meeting::Begin, *first),
                    None => (Meeting::Whole, edge.to),
                };
                let caller = callers.of_accept(self.id, alternative.edge);
                let receive = callers.receive(program, *entry, meeting, guard, caller, span);
                self.add(at, &receive, to, site, &labels);
            }
        }
    }

    /// Adds the end of an accept body, a rendezvous with the caller that began
    /// it.
    fn end_of_body(&mut self, at: LocationId, index: usize) {
        let Shared { program, callers, .. } = *self.shared;
        let edge = &self.points.task.edges[index];
        let Action::Accept { entry, .. } = &edge.action else { return };
        let span = self.span(edge.site);
        let caller = callers.of_accept(self.id, index);
        let receive = callers.receive(program, *entry, Meeting::End, None, caller, span);
        let label = format!("{}{BODY_END}", program.entries[entry.index()].label);
        self.add(at, &receive, edge.to, edge.site, &[label]);
    }

    /// Returns the conjunction of all tests of an alternative.
    fn all_of(&self, tests: &[usize], span: Span) -> Option<Expr> {
        let task = self.points.task;
        let test = |&index: &usize| match &task.edges[index].action {
            Action::Test { variable, values } => Some(self.shared.values.test(*variable, values, span)),
            _ => None,
        };
        tests.iter().filter_map(test).reduce(|left, right| values::both(left, right, span))
    }

    fn span(&self, site: SiteId) -> Span {
        self.shared.program.sites[site.index()].span
    }

    fn labels_of(&self, alternative: &Alternative) -> Vec<String> {
        let label = |&index: &usize| self.shared.program.label(&self.points.task.edges[index].action);
        alternative.tests.iter().filter_map(label).collect()
    }

    /// Adds a transition to each location where the task can be after it.
    fn add(&mut self, from: LocationId, action: &net::Action, to: PointId, site: SiteId, labels: &[String]) {
        for to in self.locations.arrive(to) {
            self.add_to(from, action.clone(), to, site, labels.to_vec());
        }
    }

    fn add_to(
        &mut self,
        from: LocationId,
        action: net::Action,
        to: LocationId,
        site: SiteId,
        labels: Vec<String>,
    ) {
        let id = TransitionId::new(self.graph.transitions.len());
        let is_guard = matches!(action, net::Action::Guard(_));
        let keeps_control = self.locations.is_atomic(to);
        let atomic = (keeps_control || self.locations.is_atomic(from)).then_some(0);
        let Site { span, stack } = &self.shared.program.sites[site.index()];
        self.graph.transitions.push(Transition { action, to, atomic, keeps_control, span: *span });
        if !stack.is_empty() {
            let calls = stack.iter().map(|it| (it.function.clone(), it.span)).collect();
            self.graph.calls.insert(id, calls);
        }
        self.graph.locations[from.index()].out.push(id);
        let alternative = match is_guard {
            true => Some(labels.join(", ")).filter(|it| !it.is_empty()),
            false => labels.last().cloned(),
        };
        self.graph.alternatives.extend(alternative.map(|it| (id, it)));
        self.labels.push(labels);
    }

    /// Removes alternatives of statements that have only one from their location,
    /// except for events with arguments and the ends of accept bodies, which are
    /// written like their beginnings.
    fn keep_alternatives(&mut self) {
        let Graph { locations, transitions, alternatives, .. } = &mut self.graph;
        for location in locations {
            let mut names: HashMap<Span, HashSet<Option<&String>>> = HashMap::new();
            for id in &location.out {
                names.entry(transitions[id.index()].span).or_default().insert(alternatives.get(id));
            }
            let is_shown = |id: &TransitionId| {
                let transition = &transitions[id.index()];
                let name = alternatives.get(id).map_or("", String::as_str);
                let is_event = transition.action == net::Action::Skip && name.contains('(');
                names[&transition.span].len() > 1 || is_event || name.ends_with(BODY_END)
            };
            let hidden: Vec<TransitionId> = location.out.iter().copied().filter(|id| !is_shown(id)).collect();
            for id in hidden {
                alternatives.remove(&id);
            }
        }
    }
}
