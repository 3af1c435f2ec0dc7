//! Steps of a run, whichever engine took them: who acts, what happens, where
//! it is written and what changes.

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
    /// Position at which the cycle begins; at the end if nothing moves any
    /// more.
    pub cycle: Option<usize>,
    /// Trail file for SPIN, if it was asked for and SPIN can follow it.
    pub file: Option<TrailFile>,
    /// The limit that was reached while the steps were described: later ones
    /// are missing, and there may be more of them.
    pub cut_short: Option<Stop>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The task or process that acts; in a rendezvous caller and acceptor, or
    /// sender and receiver.
    pub actors: Vec<Actor>,
    /// What happens.
    pub action: Action,
    /// The name of the property's event, when it is one.
    pub event: Option<String>,
    /// How this step follows the one before, where the engine knows it.
    pub edge: Option<EdgeKind>,
    /// Variables and automata that changed.
    pub changes: Vec<Change>,
    /// What `printf` wrote.
    pub printed: String,
    /// The statements of a `d_step`.
    pub inside: InnerSteps,
    /// All variables after the step, if they were asked for.
    pub state: Vec<Content>,
}

/// A task or process that takes part in a step.
#[derive(Clone, Debug)]
pub struct Actor {
    /// `t1`, `P[1]`.
    pub name: String,
    /// Where its part of the step is written.
    pub place: Option<Place>,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A label of a task model.
    Label(String),
    /// The statement at the place of the first actor.
    Statement,
    /// A task ends.
    End,
}

/// A place in a source with the inlined calls that lead to it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The statement or condition.
    pub span: Span,
    /// Function and place of each inlined call, outermost first.
    pub stack: Vec<(String, Span)>,
}

/// How a step follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// It is the first.
    Start,
    /// In the control flow of a task they share.
    Control,
    /// In another task, by interleaving.
    Parallel,
}

/// A variable or automaton that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable or channel; `property`, or the name of a constraint.
    pub name: String,
    /// The value or state before, where the engine knows it.
    pub from: Option<String>,
    /// The value or state after.
    pub to: String,
}

/// The statements of a `d_step`.
#[derive(Clone, Debug, Default)]
pub struct InnerSteps {
    /// The statements that are described: all, or the first and the last of
    /// them.
    pub steps: Vec<InnerStep>,
    /// Number of statements; those that are repeated for ever are counted once.
    pub n_steps: usize,
    /// Position of the first statement that is repeated for ever.
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
    /// The task or process that acts; in a rendezvous the caller or sender.
    pub fn first(&self) -> &str {
        self.actors.first().map_or("", |it| it.name.as_str())
    }

    /// The other side of a rendezvous.
    pub fn partner(&self) -> Option<&Actor> {
        self.actors.get(1)
    }

    /// The places of the step, one per actor that has one.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.actors.iter().filter_map(|it| it.place.as_ref())
    }

    /// Where the part of the first actor is written.
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
