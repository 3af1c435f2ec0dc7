//! Processes as control graphs over variables and channels: the input of all
//! algorithms of the explicit engine.
//!
//! A [`Template`] is the code of a kind of process: locations, and transitions
//! between them; a process is an instance of it. A location exists wherever a
//! process can be between two steps.

use super::data::{Exclusive, Label, LabelId, MtypeSet, Record, TemplateId, Type, Variable};
use super::expr::{Expr, Place, Root};
use super::message::{Format, Receive, Send};
use crate::define_id;
use crate::diag::Span;
use std::collections::BTreeMap;

define_id!(
    /// A location of a control graph, in [`Graph::locations`].
    LocationId
);
define_id!(
    /// A transition in [`Graph::transitions`].
    TransitionId
);

/// Maximum number of processes, and of channels, at a time: both are numbered by
/// bytes.
pub const MAX_INSTANCES: usize = 255;

/// A network of processes.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Types of records; a record contains only records before it.
    pub records: Vec<Record>,
    /// Sets of symbolic names.
    pub mtypes: Vec<MtypeSet>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Code of processes and observers. Processes that exist at the start are
    /// created in this order.
    pub templates: Vec<Template>,
    /// Observers of the system.
    pub observers: Vec<Observer>,
    /// Trace assertion: an automaton over the messages on channels.
    pub trace: Option<TraceAutomaton>,
    /// Optional parts of the state that the model uses.
    pub uses: Uses,
    /// Whether, after a rendezvous, the sender keeps control if its transition
    /// does and that of the receiver does not. In Promela it gives up control.
    pub sender_keeps_control: bool,
    /// Whether a rendezvous is one statement. In Promela it is a send and a receive.
    pub counts_rendezvous_once: bool,
    /// Whether transitions with the same span are copies of one statement. In
    /// Promela each transition is a separate statement.
    pub has_copies: bool,
}

/// The code of a kind of process, of an observer or of a trace.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Whether it has at most one process, so that its name needs no number.
    pub is_single: bool,
    /// Whether it is a lock, a semaphore or a channel, which only moves together
    /// with a process.
    pub is_object: bool,
    /// Whether, according to the user, at most one transition is executable at a
    /// time (`D_proctype`).
    pub is_deterministic: bool,
    /// Number of processes at the start. Their parameters are 0.
    pub active: u32,
    /// Priority of its processes; the default is 1.
    pub priority: u32,
    /// Condition under which its processes can move.
    pub provided: Option<Expr>,
    /// Number of parameters, which are the first locals.
    pub parameters: u32,
    /// Promises about channels.
    pub exclusive: Vec<Exclusive>,
    /// Parameters, then all other variables. All of them exist as long as the
    /// process does.
    pub locals: Vec<Variable>,
    /// Labels of locations.
    pub labels: Vec<Label>,
    /// Control graph of its processes.
    pub graph: Graph,
}

/// A `trace` or `notrace` assertion: every send and receive on its channels is
/// one of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceAutomaton {
    /// Its code; it has no processes.
    pub template: TemplateId,
    /// Whether the sequences that it describes are errors (`notrace`).
    pub is_negated: bool,
}

/// Optional parts of the state and features that most models do not use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `_last`: the process that moved last.
    pub last: bool,
    /// `np_`: whether no process is at a progress label.
    pub progress: bool,
    /// Priorities of processes.
    pub priorities: bool,
    /// `P[pid]:variable`: locals that other processes read.
    pub remote_variables: bool,
}

/// An observer of a system: it moves before every step, and a run that it cannot
/// follow is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// Name of the claim or formula.
    pub name: String,
    /// Its code; it has no processes.
    pub template: TemplateId,
    /// Origin of the observer.
    pub kind: ObserverKind,
}

/// Origin of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverKind {
    /// A `never` claim.
    Claim,
    /// A formula; the observer accepts its negation.
    Formula(Form),
}

/// Form of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A condition holds in every state.
    Invariant,
    /// Progress is made infinitely often.
    Progress,
    /// Anything else.
    Other,
}

/// The control graph of a template.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Locations; the first one is initial.
    pub locations: Vec<Location>,
    /// Transitions, in the order of the text.
    pub transitions: Vec<Transition>,
    /// Location of each label.
    pub labels: Vec<LocationId>,
    /// For a statement with several transitions from one location, which
    /// alternative a transition is: `x=2`, `x!=0`.
    pub alternatives: BTreeMap<TransitionId, String>,
    /// Function and location of each inlined call that leads to a transition, outermost
    /// first.
    pub calls: BTreeMap<TransitionId, Vec<(String, Span)>>,
}

/// A location between two steps.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Transitions that leave it, in the order of the text.
    pub out: Vec<TransitionId>,
    /// First locations of the escapes of `unless` that guard this location. If a
    /// transition of an escape is executable, the first such escape replaces all
    /// other transitions.
    pub escapes: Vec<LocationId>,
    /// Labels that mark it.
    pub labels: Vec<LabelId>,
    /// Number of the atomic sequence that contains it.
    pub atomic: Option<u32>,
    /// Number of the `d_step` that contains it. Only the first location of a
    /// `d_step` is visible between two steps.
    pub deterministic: Option<u32>,
    /// Whether it is a valid end state.
    pub is_end: bool,
    /// Whether it has a progress label.
    pub is_progress: bool,
    /// Whether it has an accept label.
    pub is_accept: bool,
    /// Whether it is the location of one statement, not of a selection or block.
    pub is_statement: bool,
    /// Span of the first statement here.
    pub span: Span,
}

/// A statement that leads to another location.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Effect of the statement.
    pub action: Action,
    /// Location of the process afterwards.
    pub to: LocationId,
    /// Number of the atomic sequence to which it belongs.
    pub atomic: Option<u32>,
    /// Whether the process keeps control, because both ends are in one atomic
    /// sequence.
    pub keeps_control: bool,
    /// Span of the statement.
    pub span: Span,
}

/// Event labels of a transition, for front ends whose events are not statements:
/// a step can be several events at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabels {
    /// Template of the transition.
    pub template: TemplateId,
    /// The transition.
    pub transition: TransitionId,
    /// Labels in the order in which they happen.
    pub labels: Vec<String>,
}

/// Effect of a transition.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// No effect: `skip`, or a `goto` or `break` that is a step.
    Skip,
    /// Blocks while the expression is 0.
    Guard(Expr),
    /// Executable if none of the transitions before it is. A rendezvous receive
    /// is treated as not executable, as in SPIN.
    Else,
    /// Executable if none of the other transitions is, including a rendezvous
    /// that another process offers. A location can have several of these
    /// transitions; then each is executable.
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
    /// Ends the run with an error; blocks while the expression is 0.
    Fail(Expr, Failure),
    /// `printf(…)`
    Print(Vec<Format>),
    /// A whole `d_step`, which begins at this location: its transitions are
    /// executed one after another, each time the first executable one, until a
    /// location outside is reached.
    Deterministic(LocationId),
    /// Ends the process, if it is the youngest.
    End,
}

/// An error that a front end has found in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// A division by zero.
    DivisionByZero,
    /// An index outside its array.
    IndexOutOfRange,
    /// A number that does not fit in 64 bits.
    Overflow,
    /// A message outside the type of its channel.
    MessageOutOfRange,
}

impl Graph {
    /// Initial location.
    pub const ENTRY: LocationId = LocationId(0);

    /// Returns a location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// Returns a transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// Returns whether a transition is executable only if none before it is: for
    /// `else`, and for a `d_step` whose first statement is `else`. A selection
    /// in a `d_step` has its own `else`.
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
    /// Returns a template.
    pub fn template(&self, id: TemplateId) -> &Template {
        &self.templates[id.index()]
    }

    /// Returns the variable of a root; locals are those of `owner`. `None` for
    /// `_`.
    pub fn variable(&self, root: Root, owner: TemplateId) -> Option<&Variable> {
        match root {
            Root::Global(id) => Some(&self.globals[id.index()]),
            Root::Local(id) => Some(&self.template(owner).locals[id.index()]),
            Root::Scratch => None,
        }
    }

    /// Returns the declared type of a place, of an element if it is an array. It
    /// can have more bits than [`Place::ty`].
    pub fn declared_type(&self, place: &Place, owner: TemplateId) -> Option<Type> {
        let mut ty = self.variable(place.root, owner)?.ty;
        for step in &place.fields {
            let Type::Record(record) = ty else { return None };
            ty = self.records[record.index()].fields[step.field.index()].ty;
        }
        Some(ty)
    }

    /// Iterates over the control graphs, one per template.
    pub fn graphs(&self) -> impl Iterator<Item = &Graph> {
        self.templates.iter().map(|it| &it.graph)
    }
}

impl Template {
    /// Creates code without variables and without processes at the start.
    pub fn passive(name: String, span: Span, graph: Graph) -> Self {
        Self {
            name,
            span,
            is_single: false,
            is_object: false,
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
