//! Task models as networks, exactly.
//!
//! A task is a process with one location per control point; its variables are
//! variables with a range. A rendezvous is a message on the channel of the task
//! that accepts: the caller sends, the acceptor receives, and both move in one
//! step. While the body of an accept runs, the caller is at a location of its
//! own, which it leaves by a second rendezvous.
//!
//! What the flow engine takes at any time is exact here: an alternative of a
//! `select!` is taken only when its guard is true and its rendezvous happens
//! (`select`), `else` only when no alternative can be, and a task that waits
//! at a `select!` with `terminate` may stay there for ever.

mod message;
mod select;
mod values;

use super::program::{Action, Edge, PointId, Program, Role, Task, TaskId};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::net;
use crate::net::{
    BinaryOp, Expr, GlobalId, Graph, Initial, Location, LocationId, MOST, Network, Place, Root, StepLabels,
    Template, TemplateId, Transition, TransitionId, Type, Variable, Visibility,
};
use message::{Callers, Meeting};
use select::Alternative;
use std::collections::{HashMap, HashSet};
use values::Values;

/// A task model that can be run.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Process `n` is task `n`.
    pub network: Network,
    /// The events of its transitions.
    pub steps: Vec<StepLabels>,
}

/// The network of a task model, or why it has none.
pub fn lower(program: &Program) -> Result<Lowered, Vec<Diagnostic>> {
    expect_few(program)?;
    let mut network = Network { sender_keeps_control: true, ..Network::default() };
    let values = Values::new(program, &mut network).map_err(|fault| vec![fault])?;
    let callers = Callers::new(program, &mut network);
    let mut lowered = Lowered { network, steps: Vec::new() };
    for (index, task) in program.tasks.iter().enumerate() {
        let id = TaskId::new(index);
        let mut builder = Builder::new(program, id, task, &values, &callers);
        builder.edges().map_err(|fault| vec![fault])?;
        let template = TemplateId::new(index);
        let labels = builder.labels.into_iter().enumerate().filter(|(_, labels)| !labels.is_empty());
        lowered.steps.extend(labels.map(|(transition, labels)| StepLabels {
            template,
            transition: TransitionId::new(transition),
            labels,
        }));
        lowered.network.templates.push(Template {
            is_single: true,
            active: 1,
            ..Template::passive(task.name.clone(), task.span, builder.graph)
        });
    }
    values.add_start(program, &mut lowered.network);
    Ok(lowered)
}

/// Processes are numbered by bytes.
fn expect_few(program: &Program) -> Result<(), Vec<Diagnostic>> {
    // One more chooses the values that are unknown at the start.
    let n_processes = program.tasks.len() + 1;
    if n_processes <= MOST {
        return Ok(());
    }
    let message =
        format!("the explicit engine runs {} tasks at most, this model has {}", MOST - 1, n_processes - 1);
    let span = program.tasks[MOST - 1].span;
    let help = "set the constants of their ranges: `--set N=2`, or use the flow engine";
    Err(vec![Diagnostic::error("task-limit", span, message).with_help(help)])
}

/// The control graph of one task in the making.
struct Builder<'a> {
    program: &'a Program,
    id: TaskId,
    task: &'a Task,
    values: &'a Values,
    callers: &'a Callers,
    graph: Graph,
    /// Per transition its events.
    labels: Vec<Vec<String>>,
    /// Where a caller waits for the end of a body: by entry and by where it goes
    /// on.
    waits: HashMap<(usize, PointId), LocationId>,
    /// Per point the edges that leave it.
    out: Vec<Vec<usize>>,
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a Program,
        id: TaskId,
        task: &'a Task,
        values: &'a Values,
        callers: &'a Callers,
    ) -> Self {
        let mut out = vec![Vec::new(); task.n_points];
        for (index, edge) in task.edges.iter().enumerate() {
            out[edge.from.index()].push(index);
        }
        let mut builder = Self {
            program,
            id,
            task,
            values,
            callers,
            graph: Graph::default(),
            labels: Vec::new(),
            waits: HashMap::new(),
            out,
        };
        let locations = (0..task.n_points).map(|point| Location {
            span: builder.span_at(PointId::new(point)),
            is_end: point == task.end.index(),
            is_statement: true,
            atomic: task.atomic[point].then_some(0),
            ..Location::default()
        });
        builder.graph.locations = locations.collect();
        // A process begins at its first location.
        builder.graph.locations.swap(task.start.index(), 0);
        builder
    }

    /// The location of a point.
    fn at(&self, point: PointId) -> LocationId {
        match point {
            it if it == self.task.start => LocationId::new(0),
            PointId(0) => LocationId::new(self.task.start.index()),
            it => LocationId::new(it.index()),
        }
    }

    /// Where the first statement at a point is written.
    fn span_at(&self, point: PointId) -> Span {
        let first = self.out[point.index()].first().map(|&it| self.span_of(&self.task.edges[it]));
        first.unwrap_or(self.task.span)
    }

    fn span_of(&self, edge: &Edge) -> Span {
        self.program.sites[edge.site.index()].span
    }

    fn edges(&mut self) -> Result<(), Diagnostic> {
        let selects: HashSet<PointId> = self.task.selects.iter().copied().collect();
        for point in (0..self.task.n_points).map(PointId::new) {
            checkpoint();
            match selects.contains(&point) {
                true => self.select(point)?,
                false => self.out[point.index()].clone().into_iter().for_each(|it| self.edge(it)),
            }
        }
        self.ends_of_bodies();
        Ok(())
    }

    /// An edge that is taken whenever its action is possible.
    fn edge(&mut self, index: usize) {
        let task = self.task;
        self.action(&Alternative { tests: Vec::new(), edge: index }, task.edges[index].from);
    }

    /// An action after tests that are true in the same step.
    fn action(&mut self, alternative: &Alternative, from: PointId) {
        let (program, task) = (self.program, self.task);
        let edge = &task.edges[alternative.edge];
        let span = self.span_of(edge);
        let to = self.at(edge.to);
        let own = program.label(&edge.action);
        match &edge.action {
            Action::Silent => self.add(from, net::Action::Skip, to, span, Vec::new()),
            Action::Event(_) => self.add(from, net::Action::Skip, to, span, own.into_iter().collect()),
            Action::Test { variable, values } => {
                let guard = self.values.test(*variable, values, span);
                self.add(from, net::Action::Guard(guard), to, span, own.into_iter().collect());
            }
            Action::Assign { variable, .. } if edge.role == Role::OutOfRange => {
                let action = self.values.assign_outside(*variable, span);
                self.add(from, action, to, span, own.into_iter().collect());
            }
            Action::Assign { variable, value: Some(value) } => {
                let action = self.values.assign(*variable, *value, span);
                self.add(from, action, to, span, own.into_iter().collect());
            }
            Action::Assign { variable, value: None } => {
                for action in self.values.assign_any(*variable, span) {
                    self.add(from, action, to, span, own.iter().cloned().collect());
                }
            }
            Action::Shift { variable, by } => {
                let action = self.values.shift(*variable, *by, span);
                self.add(from, action, to, span, own.into_iter().collect());
            }
            Action::Call { entry } => {
                let guard = self.guard(alternative, span);
                let tests = self.labels_of(alternative);
                let wait = self.wait(entry.index(), edge.to, span);
                for (meeting, to) in [(Meeting::Whole, to), (Meeting::Begin, wait)] {
                    let send = self.callers.send(self.program, self.id, *entry, meeting, guard.clone(), span);
                    self.add(from, send, to, span, tests.clone());
                }
            }
            Action::Accept { entry, body } => {
                let guard = self.guard(alternative, span);
                let labels = [self.labels_of(alternative), own.into_iter().collect()].concat();
                let (meeting, to) = match body {
                    Some((first, _)) => (Meeting::Begin, self.at(*first)),
                    None => (Meeting::Whole, to),
                };
                let caller = self.callers.of_accept(self.id, alternative.edge);
                let receive = self.callers.receive(self.program, *entry, meeting, guard, caller, span);
                self.add(from, receive, to, span, labels);
            }
        }
    }

    /// The end of each accept body is a rendezvous with the caller that began it.
    fn ends_of_bodies(&mut self) {
        let task = self.task;
        for (index, edge) in task.edges.iter().enumerate() {
            let Action::Accept { entry, body: Some((_, last)) } = &edge.action else { continue };
            let span = self.span_of(edge);
            let caller = self.callers.of_accept(self.id, index);
            let receive = self.callers.receive(self.program, *entry, Meeting::End, None, caller, span);
            let label = format!("{}.end", self.program.entries[entry.index()].label);
            self.add(*last, receive, self.at(edge.to), span, vec![label]);
        }
    }

    /// Where a caller waits for the end of a body.
    fn wait(&mut self, entry: usize, to: PointId, span: Span) -> LocationId {
        if let Some(&known) = self.waits.get(&(entry, to)) {
            return known;
        }
        let wait = LocationId::new(self.graph.locations.len());
        self.graph.locations.push(Location { span, is_statement: true, ..Location::default() });
        self.waits.insert((entry, to), wait);
        let entry = super::program::EntryId::new(entry);
        let send = self.callers.send(self.program, self.id, entry, Meeting::End, None, span);
        let to = self.at(to);
        self.add_at(wait, send, to, span, Vec::new());
        wait
    }

    /// All tests of an alternative, as one expression.
    fn guard(&self, alternative: &Alternative, span: Span) -> Option<Expr> {
        let task = self.task;
        let test = |&index: &usize| match &task.edges[index].action {
            Action::Test { variable, values } => Some(self.values.test(*variable, values, span)),
            _ => None,
        };
        alternative.tests.iter().filter_map(test).reduce(|left, right| values::both(left, right, span))
    }

    fn labels_of(&self, alternative: &Alternative) -> Vec<String> {
        let label = |&index: &usize| self.program.label(&self.task.edges[index].action);
        alternative.tests.iter().filter_map(label).collect()
    }

    fn add(&mut self, from: PointId, action: net::Action, to: LocationId, span: Span, labels: Vec<String>) {
        self.add_at(self.at(from), action, to, span, labels);
    }

    fn add_at(
        &mut self,
        from: LocationId,
        action: net::Action,
        to: LocationId,
        span: Span,
        labels: Vec<String>,
    ) {
        let id = TransitionId::new(self.graph.transitions.len());
        let atomic = |at: LocationId| self.graph.location(at).atomic;
        let (before, after) = (atomic(from), atomic(to));
        let keeps_control = after.is_some();
        self.graph.transitions.push(Transition { action, to, atomic: before.or(after), keeps_control, span });
        self.graph.locations[from.index()].out.push(id);
        self.labels.push(labels);
    }
}

/// A scalar without a place in the text.
fn scalar(name: String, span: Span, ty: Type, initial: Initial) -> Variable {
    Variable { name, span, ty, length: None, initial, range: None, visibility: Visibility::Internal }
}

/// A global variable as a place.
fn place(id: GlobalId, ty: Type, span: Span) -> Place {
    Place { root: Root::Global(id), index: None, fields: Vec::new(), ty, span }
}
