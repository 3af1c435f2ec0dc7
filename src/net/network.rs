//! Processes as control graphs over variables and channels: what every
//! technique of the explicit engine works on.
//!
//! A [`Template`] is the code of a kind of process, as locations and the
//! transitions that lead from one to the next; a process is an instance of it.
//! A location exists wherever a process can be between two steps.

use super::data::{Exclusive, Label, LabelId, MtypeSet, Record, TemplateId, Variable};
use super::expr::{Expr, Place};
use super::message::{Format, Receive, Send};
use crate::define_id;
use crate::diag::Span;

define_id!(
    /// A place in the code of a process, in [`Graph::locations`].
    LocationId
);
define_id!(
    /// A transition in [`Graph::transitions`].
    TransitionId
);

/// The most processes, and the most channels, at a time: both are numbered by
/// bytes.
pub const MOST: usize = 255;

/// A network of processes.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Types of records; a record holds only records before it.
    pub records: Vec<Record>,
    /// Sets of symbolic names.
    pub mtypes: Vec<MtypeSet>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// The code of processes and observers. Processes that are active from the
    /// start are created in this order.
    pub templates: Vec<Template>,
    /// What can watch the system.
    pub observers: Vec<Observer>,
    /// An automaton over the messages on channels.
    pub trace: Option<TraceAutomaton>,
    /// What a state must hold besides variables, since something asks for it.
    pub uses: Uses,
    /// After a rendezvous, does the process that sends keep control, if its
    /// transition does and that of the receiver does not? In Promela it gives
    /// control up.
    pub sender_keeps_control: bool,
    /// Are transitions with the same span copies of one statement? In Promela
    /// each is a statement.
    pub has_copies: bool,
}

/// The code of a kind of process, of an observer or of a trace.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Is there one process of it at most? Then its name needs no number.
    pub is_single: bool,
    /// A promise of the user: at most one transition is possible at a time.
    pub is_deterministic: bool,
    /// Processes at the start. Their parameters are 0.
    pub active: u32,
    /// Priority of its processes; 1 unless stated otherwise.
    pub priority: u32,
    /// Its processes move only where this is not 0.
    pub provided: Option<Expr>,
    /// Number of parameters: the first locals.
    pub parameters: u32,
    /// Promises about channels.
    pub exclusive: Vec<Exclusive>,
    /// Parameters first, then all other variables. All of them exist as long
    /// as the process does.
    pub locals: Vec<Variable>,
    /// Labels of locations.
    pub labels: Vec<Label>,
    /// What its processes do.
    pub graph: Graph,
}

/// A `trace` or `notrace`: every send and receive on its channels is a step
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceAutomaton {
    /// Its code; no process is ever an instance of it.
    pub template: TemplateId,
    /// `notrace`: what it describes shall not happen.
    pub is_negated: bool,
}

/// What most models do without: parts of a state, and looks into others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `_last`: who moved last.
    pub last: bool,
    /// `np_`: is no progress made?
    pub progress: bool,
    /// Priorities of processes.
    pub priorities: bool,
    /// `P[pid]:variable`: locals that others read.
    pub remote_variables: bool,
}

/// Something that watches a system: it moves before every step and breaks
/// the run off if it cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// Of the claim or formula.
    pub name: String,
    /// Its code; no process is ever an instance of it.
    pub template: TemplateId,
    /// Where it comes from.
    pub kind: ObserverKind,
}

/// Where an observer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverKind {
    /// A `never` claim.
    Claim,
    /// A formula, of which it is the negation.
    Formula(Form),
}

/// What a formula comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Something holds in every state.
    Invariant,
    /// Progress is made again and again.
    Progress,
    /// Anything else.
    Other,
}

/// The control graph of a template.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The first one is where a process begins.
    pub locations: Vec<Location>,
    /// In the order of the text.
    pub transitions: Vec<Transition>,
    /// Per label of the body the location it marks.
    pub labels: Vec<LocationId>,
}

/// A place between two steps.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// What can happen here, in the order of the text.
    pub out: Vec<TransitionId>,
    /// Where the escapes of `unless` begin that guard this place: what is
    /// possible at the first of them where anything is, is done instead of
    /// anything else.
    pub escapes: Vec<LocationId>,
    /// The labels that mark it.
    pub labels: Vec<LabelId>,
    /// The atomic sequence it is in, by number.
    pub atomic: Option<u32>,
    /// The `d_step` it is in, by number: never seen between two steps unless
    /// it is the first place there.
    pub deterministic: Option<u32>,
    /// A process that stands here may rest for ever.
    pub is_end: bool,
    /// It has a label of progress.
    pub is_progress: bool,
    /// It has a label of acceptance.
    pub is_accept: bool,
    /// Is it the place of one statement, and not that of a selection or
    /// block?
    pub is_statement: bool,
    /// The first statement here.
    pub span: Span,
}

/// A statement that leads to another location.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What it does.
    pub action: Action,
    /// Where the process stands then.
    pub to: LocationId,
    /// The atomic sequence it belongs to, by number.
    pub atomic: Option<u32>,
    /// Does the process keep control, since both ends are in one atomic
    /// sequence?
    pub keeps_control: bool,
    /// Where it was written.
    pub span: Span,
}

/// The event labels of a transition, for front ends whose events are not
/// statements: a step may be several events at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabels {
    /// Whose transition.
    pub template: TemplateId,
    /// Which one.
    pub transition: TransitionId,
    /// In the order in which they happen.
    pub labels: Vec<String>,
}

/// What a transition does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing: `skip`, a `goto` or `break` that is a step of its own.
    Skip,
    /// Blocks while the expression is 0.
    Guard(Expr),
    /// If none of the transitions before it can be taken. A rendezvous receive
    /// counts as one that cannot, as in SPIN.
    Else,
    /// If none of the other transitions can be taken, by a rendezvous that another
    /// process offers neither. A location may have several: each can be taken then.
    Otherwise,
    /// `place = value`.
    Assign(Place, Expr),
    /// `set_priority(pid, value)`.
    SetPriority(Expr, Expr),
    /// `q!…`
    Send(Send),
    /// `q?…`
    Receive(Receive),
    /// `assert(…)`
    Assert(Expr),
    /// `printf(…)`
    Print(Vec<Format>),
    /// A whole `d_step`, which begins at this location: its transitions are
    /// taken one after another, the first that is possible each time, until
    /// a location outside is reached.
    Deterministic(LocationId),
    /// The process ends, if it is the youngest.
    End,
}

impl Graph {
    /// Where a process begins.
    pub const ENTRY: LocationId = LocationId(0);

    /// A location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// Is a transition possible only if none before it is? That is `else`, and
    /// a `d_step` whose first statement is `else`; a selection in a `d_step`
    /// has an `else` of its own.
    pub fn is_else(&self, transition: &Transition) -> bool {
        match transition.action {
            Action::Else | Action::Otherwise => true,
            Action::Deterministic(first) => {
                let first = self.location(first);
                first.is_statement && first.out.iter().any(|it| self.transition(*it).action == Action::Else)
            }
            _ => false,
        }
    }
}

impl Network {
    /// A template.
    pub fn template(&self, id: TemplateId) -> &Template {
        &self.templates[id.index()]
    }

    /// The control graphs, one per template.
    pub fn graphs(&self) -> impl Iterator<Item = &Graph> {
        self.templates.iter().map(|it| &it.graph)
    }
}

impl Template {
    /// Code that no process has from the start, without variables.
    pub fn passive(name: String, span: Span, graph: Graph) -> Self {
        Self {
            name,
            span,
            is_single: false,
            is_deterministic: false,
            active: 0,
            priority: 1,
            provided: None,
            parameters: 0,
            exclusive: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            graph,
        }
    }
}
