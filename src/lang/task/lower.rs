//! Exact translation of task models to networks.
//!
//! A task is a process; its variables are variables with a range. A rendezvous
//! is a message on the channel of the task that accepts: the caller sends, the
//! acceptor receives, and both move in one step. While the body of an accept
//! runs, the caller is at a separate location, which it leaves by a second
//! rendezvous.
//!
//! What the flow engine over-approximates is exact here: an alternative of a
//! `select!` is taken only when its guard is true and its rendezvous happens
//! (`select`), `else` only when no alternative can be taken, and a task that
//! waits at a `select!` with `terminate` may stay there forever. Which control
//! points are locations depends on the property ([`Steps`], `locations`).

mod locations;
mod message;
mod points;
mod process;
mod select;
mod silent;
mod values;

use super::program::{Domain, Program, TaskId, Value, VariableId};
use crate::diag::{Diagnostic, Span};
use crate::net::{
    BinaryOp, Expr, ExprKind, GlobalId, Initial, LabelId, MAX_INSTANCES, Network, Place, Root, StepLabels,
    TemplateId, TransitionId, Type, UnaryOp, Variable, Visibility,
};
use message::Callers;
pub use message::entry_of;
use points::Points;
use process::{END, Process, STOPPED, Shared};
use std::collections::HashSet;
use values::Values;

/// Which edges of a task model are steps of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All edges: for simulation, where each choice is a separate step.
    Edges,
    /// Those with an action. Silent edges are taken together with the action
    /// before them, which loses no deadlock, no error, no event and no infinite
    /// run.
    Actions,
    /// The minimum for the finite sequences of the events `labels`: neither
    /// silent choices nor other events are steps.
    Events {
        /// The events that matter.
        labels: HashSet<String>,
        /// Whether the ends of tasks are locations.
        with_ends: bool,
    },
}

/// A task model that can be run.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Process `n` is task `n`.
    pub network: Network,
    /// The events of its transitions.
    pub steps: Vec<StepLabels>,
    values: Values,
    chooses_values: bool,
}

impl Lowered {
    /// Returns whether the first step chooses the values that are initially
    /// unknown.
    pub fn chooses_values(&self) -> bool {
        self.chooses_values
    }

    /// Returns the place of a variable.
    pub(super) fn variable(&self, variable: VariableId, span: Span) -> Place {
        self.values.place(variable, span)
    }

    /// Returns the label of the location where a task has ended, if it can end.
    pub(super) fn end(&self, task: TaskId) -> Option<LabelId> {
        let labels = &self.network.templates[task.index()].labels;
        labels.iter().position(|it| it.name == END).map(LabelId::new)
    }

    /// Returns the stored value of a variant of an enum.
    pub(super) fn variant(&self, domain: &Domain, value: Value) -> i32 {
        values::first_of_enum(domain.size()) + value as i32
    }
}

/// Returns the network of a task model, or errors.
pub fn lower(program: &Program, steps: &Steps) -> Result<Lowered, Vec<Diagnostic>> {
    expect_few(program)?;
    let mut network = Network {
        sender_keeps_control: true,
        counts_rendezvous_once: true,
        has_copies: true,
        ..Network::default()
    };
    let values = Values::new(program, &mut network).map_err(|fault| vec![fault])?;
    let callers = Callers::new(program, &mut network);
    let labels = match steps {
        Steps::Events { labels, .. } => Some(labels),
        Steps::Edges | Steps::Actions => None,
    };
    let points: Result<Vec<_>, _> = program.tasks.iter().map(|it| Points::new(program, it, labels)).collect();
    let points = points.map_err(|fault| vec![fault])?;
    let noticed = points::noticed(&points);
    let shared = Shared { program, values: &values, callers: &callers, noticed: &noticed };
    let (mut events_of, mut templates) = (Vec::new(), Vec::new());
    for (index, points) in points.iter().enumerate() {
        let mut process = Process::of(&shared, TaskId::new(index), points, steps);
        let template = TemplateId::new(index);
        let events = std::mem::take(&mut process.labels).into_iter().enumerate();
        events_of.extend(events.filter(|(_, labels)| !labels.is_empty()).map(|(transition, labels)| {
            StepLabels { template, transition: TransitionId::new(transition), labels }
        }));
        templates.push(process.template());
    }
    network.templates = templates;
    stop_together(&mut network);
    let chooses_values = values.add_start(program, &mut network);
    Ok(Lowered { network, steps: events_of, values, chooses_values })
}

/// Makes all tasks stop when a task has stopped inside an atomic block.
fn stop_together(network: &mut Network) {
    let span = Span::default();
    let mut stopped = Vec::new();
    for (index, template) in network.templates.iter().enumerate() {
        let labels = template.labels.iter().enumerate().filter(|(_, it)| it.name == STOPPED);
        stopped.extend(labels.map(|(label, _)| {
            let (template, label) = (TemplateId::new(index), LabelId::new(label));
            Expr { kind: ExprKind::RemoteLabel { template, pid: None, label }, span }
        }));
    }
    let any = stopped.into_iter().reduce(|left, right| values::binary(BinaryOp::Or, left, right, span));
    let Some(any) = any else { return };
    let none = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(any)), span };
    network.templates.iter_mut().for_each(|it| it.provided = Some(none.clone()));
}

/// Rejects too many tasks, since processes are numbered by bytes.
fn expect_few(program: &Program) -> Result<(), Vec<Diagnostic>> {
    // One more process chooses the values that are unknown at the start.
    let n_processes = program.tasks.len() + 1;
    if n_processes <= MAX_INSTANCES {
        return Ok(());
    }
    let message = format!(
        "the explicit engine supports at most {} tasks, but this model has {}",
        MAX_INSTANCES - 1,
        n_processes - 1
    );
    let span = program.tasks[MAX_INSTANCES - 1].span;
    let help = "set the constants of the task families, such as `--set N=2`; orders of events can be checked by the flow engine, which has no such limit";
    Err(vec![Diagnostic::error("task-limit", span, message).with_help(help)])
}

/// Returns a scalar variable that is not part of the model.
fn scalar(name: String, span: Span, ty: Type, initial: Initial) -> Variable {
    Variable { name, span, ty, length: None, initial, range: None, visibility: Visibility::Internal }
}

/// Returns a global variable as a place.
fn place(id: GlobalId, ty: Type, span: Span) -> Place {
    Place { root: Root::Global(id), index: None, fields: Vec::new(), ty, span }
}
