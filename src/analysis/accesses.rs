//! Accesses of expressions and actions: what they read, write and test.
//!
//! This is the only traversal of expressions and actions for this purpose. An
//! analysis gets the accesses from a [`Scope`] and maps them to its own terms:
//! resources, variables of a location, fields of a layout, parts of a state.
//!
//! A scope is a template, or one of its processes. For a template, all accesses
//! are reported. If the process number is known, `_pid` is a constant, and so
//! are indices such as `1 - _pid`; constant expressions access nothing, and
//! parts that a constant condition excludes are skipped.

use crate::net::{
    Action, BinaryOp, ChannelQuery, Expr, ExprKind, Format, Initial, LocationId, Network, Pattern, Place,
    TemplateId, Type, Variable,
};
use std::fmt;

/// The process or template whose expressions and actions are analysed.
#[derive(Clone, Copy)]
pub struct Scope<'n> {
    /// The network.
    pub network: &'n Network,
    /// Template of local variables.
    pub template: TemplateId,
    /// Number of the process; `None` for any process of the template.
    pub process: Option<usize>,
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Scope").field("template", &self.template).field("process", &self.process).finish()
    }
}

/// An access of an expression or action.
#[derive(Clone, Copy, Debug)]
pub struct Access<'n> {
    /// Kind of access, with its target.
    pub kind: AccessKind<'n>,
    /// Purpose of the access.
    pub role: Role,
    /// Whether it is part of an index.
    pub in_index: bool,
}

impl Access<'_> {
    /// Returns whether it is a possible error of the run.
    pub fn is_failure(&self) -> bool {
        matches!(self.kind, AccessKind::Failure)
    }
}

/// Purpose of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Determines whether the action is executable.
    Guard,
    /// Is the effect of the action, or determines it.
    Effect,
    /// Is received, or determines where a received value is stored. The fields
    /// of a message are stored one after the other.
    Received,
    /// Determines an argument of a new process.
    Argument,
}

/// Kinds of accesses, with their targets.
#[derive(Clone, Copy, Debug)]
pub enum AccessKind<'n> {
    /// Reads a global variable or a local one of the process.
    Read(&'n Place),
    /// Reads `P[pid]:x`; a local variable is one of that template.
    ReadRemote {
        /// `P`.
        template: TemplateId,
        /// Process number; `None` if the template has only one process.
        pid: Option<&'n Expr>,
        /// `x`.
        place: &'n Place,
    },
    /// Stores the given value, or a received one.
    Write(&'n Place, Option<&'n Expr>),
    /// Reads a channel variable and uses the channel.
    Channel(ChannelUse<'n>),
    /// Tests whether a process is at a label: `P[pid]@l`.
    Location {
        /// `P`.
        template: TemplateId,
        /// Process number; `None` if the template has only one process.
        pid: Option<&'n Expr>,
    },
    /// Depends on the locations of all processes: `np_`, `pc_value(pid)`.
    Locations,
    /// Reads `_nr_pr`.
    NumberOfProcesses,
    /// Reads `_last`.
    Last,
    /// Reads `_priority`.
    OwnPriority,
    /// Reads `get_priority(pid)`.
    OtherPriority,
    /// Changes the priority of a process.
    SetPriority,
    /// Tests whether a process can move: `enabled(pid)`.
    Enabled,
    /// Tests whether no process can move: `timeout`.
    Timeout,
    /// Tests whether transitions before it are executable: `else`.
    Else,
    /// Tests whether transitions before it are executable, including a
    /// rendezvous that another process offers.
    Otherwise,
    /// Has the effects of the transitions of a `d_step`, from this location on.
    Deterministic(LocationId),
    /// Starts a process.
    Start(TemplateId),
    /// Ends the process, if it is the youngest.
    End,
    /// Can end in an error of the run.
    Failure,
}

/// An operation on the channel of a place.
#[derive(Clone, Copy, Debug)]
pub struct ChannelUse<'n> {
    /// Variable that contains the channel.
    pub place: &'n Place,
    /// The operation.
    pub operation: Operation,
    /// Number of message fields in the operation; `None` for a query.
    pub n_fields: Option<usize>,
}

/// Operations on channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `q!…`
    Send,
    /// `q!!…`
    SortedSend,
    /// `q?…`
    Receive,
    /// `q??…`
    RandomReceive,
    /// `q?<…>`
    Copy,
    /// `q??<…>`
    RandomCopy,
    /// `len(q)`
    Length,
    /// `empty(q)`
    Empty,
    /// `full(q)`
    Full,
    /// `nempty(q)`
    NotEmpty,
    /// `nfull(q)`
    NotFull,
    /// `q?[…]`
    Poll,
    /// `q??[…]`
    RandomPoll,
}

impl Operation {
    /// Returns whether it changes the messages of the channel.
    pub fn writes(self) -> bool {
        matches!(self, Self::Send | Self::SortedSend | Self::Receive | Self::RandomReceive)
    }

    /// Returns whether it sends.
    pub fn sends(self) -> bool {
        matches!(self, Self::Send | Self::SortedSend)
    }

    /// Returns whether it receives, even if the message stays in the channel.
    pub fn receives(self) -> bool {
        matches!(self, Self::Receive | Self::RandomReceive | Self::Copy | Self::RandomCopy)
    }
}

impl<'n> Scope<'n> {
    /// Creates the scope of any process of a template.
    pub fn any(network: &'n Network, template: TemplateId) -> Self {
        Self { network, template, process: None }
    }

    /// Calls `note` with every access of an action.
    pub fn action(self, action: &'n Action, note: &mut dyn FnMut(Access<'n>)) {
        Visitor { scope: self, role: Role::Effect, in_index: false, note }.action(action);
    }

    /// Calls `note` with every access of an expression, as part of a guard.
    pub fn guard(self, expr: &'n Expr, note: &mut dyn FnMut(Access<'n>)) {
        Visitor { scope: self, role: Role::Guard, in_index: false, note }.expr(expr);
    }

    /// Calls `note` with every access of a value, as part of an effect.
    pub fn value(self, expr: &'n Expr, note: &mut dyn FnMut(Access<'n>)) {
        Visitor { scope: self, role: Role::Effect, in_index: false, note }.expr(expr);
    }

    /// Calls `note` with every access of reading a place.
    pub fn read(self, place: &'n Place, note: &mut dyn FnMut(Access<'n>)) {
        Visitor { scope: self, role: Role::Guard, in_index: false, note }.read(place);
    }

    /// Calls `note` with every access of the initial values of the template's
    /// variables.
    pub fn initials(self, note: &mut dyn FnMut(Access<'n>)) {
        self.network.template(self.template).locals.iter().for_each(|it| self.initial(it, note));
    }

    /// Calls `note` with every access of the initial value of a variable.
    pub fn initial(self, variable: &'n Variable, note: &mut dyn FnMut(Access<'n>)) {
        match (&variable.initial, variable.ty) {
            (Initial::Value(expr), _) => self.value(expr, note),
            (Initial::List(values), _) => values.iter().for_each(|it| self.value(it, note)),
            (Initial::Zero, Type::Record(record)) => {
                let fields = &self.network.records[record.index()].fields;
                fields.iter().for_each(|it| self.initial(it, note));
            }
            (Initial::Zero | Initial::Channel(_), _) => {}
        }
    }

    /// Returns whether an index can be outside of an array. Its type may exclude
    /// that.
    fn may_exceed(self, index: &Expr, length: u32) -> bool {
        let (least, largest) = match (index.constant(self.process), &index.kind) {
            (Some(value), _) => (i64::from(value), i64::from(value)),
            (None, ExprKind::Read(place)) => {
                let ty = self.network.declared_type(place, self.template);
                ty.and_then(Type::range).unwrap_or((-1, -1))
            }
            _ => return true,
        };
        least < 0 || largest >= i64::from(length)
    }
}

struct Visitor<'n, 'f> {
    scope: Scope<'n>,
    role: Role,
    in_index: bool,
    note: &'f mut dyn FnMut(Access<'n>),
}

impl<'n> Visitor<'n, '_> {
    fn note(&mut self, kind: AccessKind<'n>) {
        (self.note)(Access { kind, role: self.role, in_index: self.in_index });
    }

    /// Returns a visitor for accesses with another role.
    fn with(&mut self, role: Role) -> Visitor<'n, '_> {
        Visitor { scope: self.scope, role, in_index: self.in_index, note: self.note }
    }

    fn action(&mut self, action: &'n Action) {
        match action {
            Action::Skip => {}
            Action::Guard(expr) => self.with(Role::Guard).expr(expr),
            Action::Else => self.with(Role::Guard).note(AccessKind::Else),
            Action::Otherwise => self.with(Role::Guard).note(AccessKind::Otherwise),
            Action::Assign(place, value) => {
                self.expr(value);
                self.write(place, Some(value));
            }
            Action::SetPriority(pid, value) => {
                self.expr(pid);
                self.expr(value);
                self.note(AccessKind::SetPriority);
            }
            Action::Send(send) => {
                let operation = if send.sorted { Operation::SortedSend } else { Operation::Send };
                self.with(Role::Guard).channel(&send.channel, operation, Some(send.values.len()));
                send.values.iter().for_each(|it| self.expr(it));
            }
            Action::Receive(receive) => {
                let operation = match (receive.any, receive.copy) {
                    (false, false) => Operation::Receive,
                    (true, false) => Operation::RandomReceive,
                    (false, true) => Operation::Copy,
                    (true, true) => Operation::RandomCopy,
                };
                self.with(Role::Guard).channel(&receive.channel, operation, Some(receive.patterns.len()));
                for pattern in &receive.patterns {
                    match pattern {
                        Pattern::Any => {}
                        Pattern::Match(expr) => self.with(Role::Guard).expr(expr),
                        Pattern::Store(place) => self.with(Role::Received).write(place, None),
                    }
                }
            }
            Action::Assert(expr) => {
                self.expr(expr);
                self.note(AccessKind::Failure);
            }
            Action::Fail(guard, _) => {
                self.with(Role::Guard).expr(guard);
                self.note(AccessKind::Failure);
            }
            Action::Print(pieces) => pieces.iter().filter_map(Format::expr).for_each(|it| self.expr(it)),
            Action::Deterministic(first) => self.note(AccessKind::Deterministic(*first)),
            Action::End => self.with(Role::Guard).note(AccessKind::End),
        }
    }

    /// Returns the value of an expression that is constant for the process.
    fn known(&self, expr: &Expr) -> Option<i32> {
        self.scope.process.and_then(|it| expr.constant(Some(it)))
    }

    fn expr(&mut self, expr: &'n Expr) {
        if self.known(expr).is_some() {
            return;
        }
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Pid => {}
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                if divides && right.constant(self.scope.process).is_none_or(|it| it == 0) {
                    self.note(AccessKind::Failure);
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition);
                match self.known(condition) {
                    Some(0) => self.expr(otherwise),
                    Some(_) => self.expr(then),
                    None => [then, otherwise].into_iter().for_each(|it| self.expr(it)),
                }
            }
            ExprKind::Channel(query, place) => self.channel(place, (*query).into(), None),
            ExprKind::Poll { channel, any, patterns } => {
                let operation = if *any { Operation::RandomPoll } else { Operation::Poll };
                self.channel(channel, operation, Some(patterns.len()));
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.expr(expr);
                    }
                }
                self.note(AccessKind::Failure);
            }
            ExprKind::Run { template, arguments, .. } => {
                arguments.iter().for_each(|it| self.with(Role::Argument).expr(it));
                let mut effect = self.with(Role::Effect);
                effect.note(AccessKind::Start(*template));
                effect.note(AccessKind::Failure);
            }
            ExprKind::Timeout => self.note(AccessKind::Timeout),
            ExprKind::NonProgress => self.note(AccessKind::Locations),
            ExprKind::NumberOfProcesses => self.note(AccessKind::NumberOfProcesses),
            ExprKind::Last => self.note(AccessKind::Last),
            ExprKind::Priority => self.note(AccessKind::OwnPriority),
            ExprKind::GetPriority(pid) => {
                self.expr(pid);
                self.note(AccessKind::OtherPriority);
            }
            ExprKind::Enabled(pid) => {
                self.expr(pid);
                self.note(AccessKind::Enabled);
                self.note(AccessKind::Failure);
            }
            ExprKind::PcValue(pid) => {
                self.expr(pid);
                self.note(AccessKind::Locations);
            }
            ExprKind::RemoteLabel { template, pid, .. } => {
                pid.iter().for_each(|it| self.expr(it));
                self.note(AccessKind::Location { template: *template, pid: pid.as_deref() });
            }
            ExprKind::RemoteVariable { template, pid, place } => {
                pid.iter().for_each(|it| self.expr(it));
                self.indices(place, *template);
                self.note(AccessKind::ReadRemote { template: *template, pid: pid.as_deref(), place });
            }
        }
    }

    fn read(&mut self, place: &'n Place) {
        self.indices(place, self.scope.template);
        self.note(AccessKind::Read(place));
    }

    fn write(&mut self, place: &'n Place, value: Option<&'n Expr>) {
        let Scope { network, template, .. } = self.scope;
        self.indices(place, template);
        self.note(AccessKind::Write(place, value));
        let range = network.variable(place.root, template).and_then(|it| it.range);
        if let Some((least, largest)) = range.filter(|_| place.fields.is_empty())
            && let Some(value) = value
            && value.constant(self.scope.process).is_none_or(|it| it < least || it > largest)
        {
            self.note(AccessKind::Failure);
        }
    }

    fn channel(&mut self, place: &'n Place, operation: Operation, n_fields: Option<usize>) {
        self.indices(place, self.scope.template);
        self.note(AccessKind::Channel(ChannelUse { place, operation, n_fields }));
        if self.scope.network.templates.iter().any(|it| !it.exclusive.is_empty()) {
            // The operation may violate a promise of another process.
            self.note(AccessKind::Failure);
        }
    }

    /// Visits the indices of a place; locals are those of `owner`.
    fn indices(&mut self, place: &'n Place, owner: TemplateId) {
        let network = self.scope.network;
        let Some(variable) = network.variable(place.root, owner) else { return };
        self.index(place.index.as_deref(), variable.length);
        let mut ty = variable.ty;
        for step in &place.fields {
            let Type::Record(record) = ty else { return };
            let field = &network.records[record.index()].fields[step.field.index()];
            self.index(step.index.as_deref(), field.length);
            ty = field.ty;
        }
    }

    fn index(&mut self, index: Option<&'n Expr>, length: Option<u32>) {
        let (Some(index), Some(length)) = (index, length) else { return };
        let was_in_index = std::mem::replace(&mut self.in_index, true);
        self.expr(index);
        if self.scope.may_exceed(index, length) {
            self.note(AccessKind::Failure);
        }
        self.in_index = was_in_index;
    }
}

impl From<ChannelQuery> for Operation {
    fn from(query: ChannelQuery) -> Self {
        match query {
            ChannelQuery::Length => Self::Length,
            ChannelQuery::Empty => Self::Empty,
            ChannelQuery::Full => Self::Full,
            ChannelQuery::NotEmpty => Self::NotEmpty,
            ChannelQuery::NotFull => Self::NotFull,
        }
    }
}
