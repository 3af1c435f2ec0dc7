//! Steps of a run, from any engine: the processes that move, the action, its
//! source location and the changes.

use crate::base::control::Stop;
use crate::diag::Span;
use crate::explicit::describe::Content;
use crate::lang::promela::trail::TrailFile;

/// Steps of a run, some of them described.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Number of steps.
    pub n_steps: usize,
    /// The steps that are described, each with its position from 0.
    pub steps: Vec<(usize, Step)>,
    /// Position at which the cycle begins; the number of steps if no process
    /// moves after them.
    pub cycle: Option<usize>,
    /// Trail file for SPIN, if it was requested and SPIN can replay it.
    pub file: Option<TrailFile>,
    /// The limit that was reached while the steps were described; later steps
    /// are missing and may not be counted.
    pub cut_short: Option<Stop>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The task or process that moves; for a rendezvous, caller and acceptor or
    /// sender and receiver.
    pub actors: Vec<Actor>,
    /// The action.
    pub action: Action,
    /// Which alternative of the statement it is, if there are several: `x=2`,
    /// `x!=0`.
    pub alternative: Option<String>,
    /// The event of the property, if the step is one.
    pub event: Option<String>,
    /// How this step follows the previous one; only for the flow engine.
    pub edge: Option<EdgeKind>,
    /// Variables and automata that changed.
    pub changes: Vec<Change>,
    /// Output of `printf`.
    pub printed: String,
    /// The statements of a `d_step`.
    pub inside: InnerSteps,
    /// All variables after the step, if they were requested.
    pub state: Vec<Content>,
}

/// A task or process that takes part in a step.
#[derive(Clone, Debug)]
pub struct Actor {
    /// `t1`, `P[1]`.
    pub name: String,
    /// Source location of its part of the step.
    pub place: Option<Place>,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A label of a task model.
    Label(String),
    /// The statement at the location of the first actor.
    Statement,
    /// A task ends.
    End,
}

/// A source location with the inlined calls that lead to it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The statement or condition.
    pub span: Span,
    /// Function and location of each inlined call, outermost first.
    pub stack: Vec<(String, Span)>,
}

/// How a step follows the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// It is the first step.
    Start,
    /// By the control flow of a task that takes part in both.
    Control,
    /// By interleaving, in another task.
    Parallel,
}

/// A variable or automaton that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable or channel; `property`, or the name of a constraint.
    pub name: String,
    /// The previous value or state; only for the flow engine.
    pub from: Option<String>,
    /// The new value or state.
    pub to: String,
}

/// The statements of a `d_step`.
#[derive(Clone, Debug, Default)]
pub struct InnerSteps {
    /// The described statements: all, or the first and the last of them.
    pub steps: Vec<InnerStep>,
    /// Number of statements; those that repeat forever are counted once.
    pub n_steps: usize,
    /// Position of the first statement that repeats forever.
    pub cycle: Option<usize>,
}

/// A statement within a `d_step`.
#[derive(Clone, Debug)]
pub struct InnerStep {
    /// Its position from 0.
    pub index: usize,
    /// The statement.
    pub span: Span,
    /// Variables that changed.
    pub changes: Vec<Change>,
}

impl Step {
    /// Returns the task or process that moves; for a rendezvous, the caller or
    /// sender.
    pub fn first(&self) -> &str {
        self.actors.first().map_or("", |it| it.name.as_str())
    }

    /// Returns the acceptor or receiver of a rendezvous.
    pub fn partner(&self) -> Option<&Actor> {
        self.actors.get(1)
    }

    /// Returns the source locations of the step, one per actor that has one.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.actors.iter().filter_map(|it| it.place.as_ref())
    }

    /// Returns the source location of the first actor.
    pub fn span(&self) -> Option<Span> {
        Some(self.actors.first()?.place.as_ref()?.span)
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self { span, stack: Vec::new() }
    }
}

impl From<Content> for Change {
    fn from(after: Content) -> Self {
        Self { name: after.name, from: None, to: after.value }
    }
}
