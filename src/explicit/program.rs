//! Processes as control graphs: what every technique of this engine works on.
//!
//! Variables, channels and expressions are those of the checked
//! [`Model`]; a program adds the locations between the statements, and the
//! transitions that lead from one to the next. A location exists for every
//! place in which a process can stand between two steps, exactly where SPIN
//! has one.

use crate::define_id;
use crate::diag::Span;
use crate::lang::promela::tree::{Expr, Format, LabelId, Model, Place, ProctypeId, Receive, Send};

define_id!(
    /// A place in the code of a process, in [`Process::locations`].
    LocationId
);
define_id!(
    /// A transition in [`Process::transitions`].
    TransitionId
);

/// A model with its control graphs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Variables, types, channels.
    pub model: Model,
    /// Per proctype of the model.
    pub processes: Vec<Process>,
    /// What can watch the system, in the order of the text.
    pub observers: Vec<Observer>,
    /// The `trace` or `notrace` of the model.
    pub trace: Option<TraceAutomaton>,
    /// What a state must hold besides variables, since something asks for it.
    pub uses: Uses,
    /// Which escapes of nested `unless` go first.
    pub escapes: Escapes,
}

/// Which of several escapes is tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// That of the outer `unless`, as by default in SPIN.
    #[default]
    OuterFirst,
    /// That of the inner one, as with pan's `-J`.
    InnerFirst,
}

/// A `trace` or `notrace`: every send and receive on its channels is a step
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceAutomaton {
    /// Its code; no process is ever of this proctype.
    pub proctype: ProctypeId,
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
    /// Its code; no process is ever of this proctype.
    pub proctype: ProctypeId,
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

/// The control graph of a proctype.
#[derive(Clone, Debug, Default)]
pub struct Process {
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
    /// SPIN's number of the statement, see
    /// [`Numbers`](crate::lang::promela::tree::Numbers); `None` if SPIN has
    /// no such statement.
    pub number: Option<u32>,
    /// A `goto` or `break`, or the end of a selection: no statement that a
    /// process could block at.
    pub is_jump: bool,
    /// Has the statement a label, or is it where `break` leads?
    pub is_labelled: bool,
    /// Does an expression ask for a label of the statement?
    pub is_asked: bool,
    /// Can it be left by the escape of an `unless`?
    pub has_escape: bool,
    /// The number of what a jump out of the midst of an atomic sequence leads
    /// to, if that is no step for others: where `break` leads, or a further
    /// jump.
    pub lands_on: Option<u32>,
}

/// What a transition does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing: `skip`, a `goto` or `break` that is a step of its own.
    Skip,
    /// Blocks while the expression is 0.
    Guard(Expr),
    /// If none of the transitions before it can be taken.
    Else,
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

impl Process {
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
            Action::Else => true,
            Action::Deterministic(first) => {
                let first = self.location(first);
                first.is_statement && first.out.iter().any(|it| self.transition(*it).action == Action::Else)
            }
            _ => false,
        }
    }
}
