//! What a statement alone reads and writes.

use super::made::{Assigned, channel_type};
use super::{Channel, Footprint, Operation, Owner, Part, Resource, Resources, Selector};
use crate::net::Action;
use crate::net::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Format, Initial, Network, Pattern, Place, Root, TemplateId, Type,
    Variable,
};

/// Looks at the statements of one template.
pub(super) struct Reader<'a> {
    pub network: &'a Network,
    pub assigned: &'a Assigned,
    pub template: TemplateId,
}

/// What an expression reads.
#[derive(Default)]
pub(super) struct Seen {
    pub reads: Resources,
    operations: Vec<(Channel, Operation)>,
    may_fail: bool,
}

impl Reader<'_> {
    /// The footprint of one action; of a `d_step`, nothing.
    pub fn action(&self, action: &Action) -> Footprint {
        let mut footprint = Footprint::default();
        let mut guard = Seen::default();
        let mut seen = Seen::default();
        match action {
            Action::Skip | Action::Else | Action::Deterministic(_) => {}
            // Who offers a rendezvous depends on where all others are.
            Action::Otherwise => drop(guard.reads.insert(Resource::Everything)),
            Action::Guard(expr) => match run_in(expr) {
                Some(template) => {
                    self.expr(expr, &mut seen);
                    self.run(template, &mut footprint);
                }
                None => self.expr(expr, &mut guard),
            },
            Action::Assign(place, value) => {
                self.expr(value, &mut seen);
                self.store(place, &mut seen, &mut footprint.writes);
                if let Some(template) = run_in(value) {
                    self.run(template, &mut footprint);
                }
            }
            Action::SetPriority(pid, value) => {
                self.expr(pid, &mut seen);
                self.expr(value, &mut seen);
                footprint.writes.insert(Resource::Priorities);
            }
            Action::Send(send) => {
                let operation = if send.sorted { Operation::SortedSend } else { Operation::Send };
                let channel = self.channel(&send.channel, operation, &mut guard);
                send.values.iter().for_each(|it| self.expr(it, &mut seen));
                seen.may_fail |= self.lacks_value(&channel, send.values.len());
                footprint.writes.insert(Resource::Channel(channel));
            }
            Action::Receive(receive) => {
                let operation = match (receive.any, receive.copy) {
                    (false, false) => Operation::Receive,
                    (true, false) => Operation::RandomReceive,
                    (false, true) => Operation::Copy,
                    (true, true) => Operation::RandomCopy,
                };
                let channel = self.channel(&receive.channel, operation, &mut guard);
                for pattern in &receive.patterns {
                    match pattern {
                        Pattern::Any => {}
                        Pattern::Match(expr) => self.expr(expr, &mut guard),
                        Pattern::Store(place) => self.store(place, &mut seen, &mut footprint.writes),
                    }
                }
                if operation.writes() {
                    footprint.writes.insert(Resource::Channel(channel));
                }
            }
            Action::Assert(expr) => {
                self.expr(expr, &mut seen);
                seen.may_fail = true;
            }
            Action::Print(pieces) => {
                pieces.iter().filter_map(Format::expr).for_each(|it| self.expr(it, &mut seen))
            }
            Action::End => {
                guard.reads.insert(Resource::Processes);
                footprint.writes.extend([Resource::Processes, Resource::Channels]);
            }
        }
        // A trace compares messages with whatever it likes.
        if self.network.trace.is_some() && matches!(action, Action::Send(_) | Action::Receive(_)) {
            seen.reads.insert(Resource::Everything);
            seen.may_fail = true;
        }
        footprint.operations.extend(guard.operations.into_iter().chain(seen.operations));
        footprint.may_fail |= guard.may_fail || seen.may_fail;
        // What a statement does may depend on what makes it possible.
        footprint.reads.extend(guard.reads.iter().cloned().chain(seen.reads));
        footprint.guard = guard.reads;
        footprint
    }

    /// A new process: its variables belong to [`Resource::Processes`].
    fn run(&self, template: TemplateId, footprint: &mut Footprint) {
        footprint.may_fail = true;
        let comes_and_goes = [Resource::Processes, Resource::Channels];
        footprint.reads.extend(comes_and_goes.iter().cloned());
        footprint.writes.extend(comes_and_goes);
        let new = Reader { template, ..*self };
        let mut seen = Seen::default();
        let locals = &self.network.templates[template.index()].locals;
        locals.iter().for_each(|it| new.initial(it, &mut seen));
        footprint.reads.extend(seen.reads.iter().map(|it| seen_from_outside(it, template)));
    }

    fn initial(&self, variable: &Variable, seen: &mut Seen) {
        match (&variable.initial, variable.ty) {
            (Initial::Value(expr), _) => self.expr(expr, seen),
            (Initial::List(values), _) => values.iter().for_each(|it| self.expr(it, seen)),
            (_, Type::Record(record)) => {
                let fields = &self.network.records[record.index()].fields;
                fields.iter().for_each(|it| self.initial(it, seen));
            }
            _ => {}
        }
    }

    fn store(&self, place: &Place, seen: &mut Seen, writes: &mut Resources) {
        if let Some(part) = self.touch(place, Owner::Own, seen) {
            writes.insert(Resource::Variable(part));
        }
    }

    /// The channel that stands in a variable, which is read.
    fn channel(&self, place: &Place, operation: Operation, seen: &mut Seen) -> Channel {
        let part = self.read(place, Owner::Own, seen);
        let fixed = part.filter(|it| !self.assigned.contains(self.template, it) && self.makes(it));
        if fixed.as_ref().is_none_or(|it| it.owner != Owner::Global) {
            seen.reads.insert(Resource::Channels);
        }
        let channel = match fixed {
            Some(part) => Channel::Of(part),
            None => {
                seen.may_fail = true;
                Channel::Any
            }
        };
        seen.reads.insert(Resource::Channel(channel.clone()));
        seen.operations.push((channel.clone(), operation));
        channel
    }

    /// Is a channel made for this part when its variable is?
    fn makes(&self, part: &Part) -> bool {
        channel_type(self.network, part, self.template).is_some()
    }

    fn lacks_value(&self, channel: &Channel, n_values: usize) -> bool {
        match channel {
            Channel::Of(part) => channel_type(self.network, part, self.template)
                .is_none_or(|(_, n_fields)| n_values < n_fields),
            Channel::Any => true,
        }
    }

    fn read(&self, place: &Place, owner: Owner, seen: &mut Seen) -> Option<Part> {
        let part = self.touch(place, owner, seen);
        seen.reads.extend(part.clone().map(Resource::Variable));
        part
    }

    /// What a place means, its indices being read.
    fn touch(&self, place: &Place, owner: Owner, seen: &mut Seen) -> Option<Part> {
        for index in place.index.iter().chain(place.fields.iter().filter_map(|it| it.index.as_ref())) {
            self.expr(index, seen);
        }
        let part = self.part(place, owner);
        seen.may_fail |= part.iter().any(|it| it.steps.contains(&Selector::AnyElement));
        part
    }

    /// What a place means; `owner` is whose locals are meant.
    fn part(&self, place: &Place, owner: Owner) -> Option<Part> {
        let (owner, variable) = match place.root {
            Root::Scratch => return None,
            Root::Global(global) => (Owner::Global, global.0),
            Root::Local(local) => (owner, local.0),
        };
        let mut part = Part { owner, variable, steps: Vec::new() };
        let declared = part.variable(self.network, self.template);
        let (mut ty, mut length) = (declared.ty, declared.length);
        part.steps.extend(selector(place.index.as_deref(), length));
        for step in &place.fields {
            let Type::Record(record) = ty else { break };
            let field = &self.network.records[record.index()].fields[step.field.index()];
            (ty, length) = (field.ty, field.length);
            part.steps.push(Selector::Field(step.field));
            part.steps.extend(selector(step.index.as_deref(), length));
        }
        Some(part)
    }

    /// Adds what an expression reads.
    pub fn expr(&self, expr: &Expr, seen: &mut Seen) {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Pid => {}
            ExprKind::Read(place) => {
                self.read(place, Owner::Own, seen);
            }
            ExprKind::Unary(_, operand) => self.expr(operand, seen),
            ExprKind::Binary(op, left, right) => {
                self.expr(left, seen);
                self.expr(right, seen);
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let is_sure = matches!(right.kind, ExprKind::Constant(value) if value != 0);
                seen.may_fail |= divides && !is_sure;
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|it| self.expr(it, seen));
            }
            ExprKind::Channel(query, place) => {
                let operation = match query {
                    ChannelQuery::Length => Operation::Length,
                    ChannelQuery::Empty => Operation::Empty,
                    ChannelQuery::Full => Operation::Full,
                    ChannelQuery::NotEmpty => Operation::NotEmpty,
                    ChannelQuery::NotFull => Operation::NotFull,
                };
                self.channel(place, operation, seen);
            }
            ExprKind::Poll { channel, any, patterns } => {
                let operation = if *any { Operation::RandomPoll } else { Operation::Poll };
                self.channel(channel, operation, seen);
                seen.may_fail = true;
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.expr(expr, seen);
                    }
                }
            }
            // What it does stands with the statement.
            ExprKind::Run { arguments, .. } => arguments.iter().for_each(|it| self.expr(it, seen)),
            ExprKind::Timeout => {
                seen.reads.insert(Resource::Everything);
            }
            ExprKind::NonProgress => {
                seen.reads.insert(Resource::Processes);
                seen.reads.extend(self.all_control());
            }
            ExprKind::NumberOfProcesses => {
                seen.reads.insert(Resource::Processes);
            }
            ExprKind::Last => {
                seen.reads.insert(Resource::Last);
            }
            ExprKind::Priority => {
                seen.reads.insert(Resource::Priorities);
            }
            ExprKind::GetPriority(pid) => {
                self.expr(pid, seen);
                seen.reads.extend([Resource::Processes, Resource::Priorities]);
            }
            ExprKind::Enabled(pid) => {
                self.expr(pid, seen);
                seen.reads.insert(Resource::Everything);
            }
            ExprKind::PcValue(pid) => {
                self.expr(pid, seen);
                seen.reads.insert(Resource::Processes);
                seen.reads.extend(self.all_control());
            }
            ExprKind::RemoteLabel { template, pid, .. } => {
                pid.iter().for_each(|it| self.expr(it, seen));
                seen.reads.extend([Resource::Processes, Resource::Control(*template)]);
            }
            ExprKind::RemoteVariable { template, pid, place } => {
                pid.iter().for_each(|it| self.expr(it, seen));
                seen.reads.insert(Resource::Processes);
                self.read(place, Owner::Process(*template), seen);
            }
        }
    }

    fn all_control(&self) -> impl Iterator<Item = Resource> {
        (0..self.network.templates.len()).map(|index| Resource::Control(TemplateId::new(index)))
    }
}

/// The element that an index means, if there is an index.
fn selector(index: Option<&Expr>, length: Option<u32>) -> Option<Selector> {
    let (index, length) = (index?, length?);
    Some(match index.kind {
        ExprKind::Constant(value) if (0..i64::from(length)).contains(&i64::from(value)) => {
            Selector::Element(value as u32)
        }
        _ => Selector::AnyElement,
    })
}

/// The template that an expression starts. The checker lets `run` stand
/// alone or as the value of an assignment only.
fn run_in(expr: &Expr) -> Option<TemplateId> {
    match expr.kind {
        ExprKind::Run { template, .. } => Some(template),
        _ => None,
    }
}

/// A resource of a process of the template as another process sees it.
pub(super) fn seen_from_outside(resource: &Resource, template: TemplateId) -> Resource {
    let moved = |part: &Part| match part.owner {
        Owner::Own => Part { owner: Owner::Process(template), ..part.clone() },
        _ => part.clone(),
    };
    match resource {
        Resource::Variable(part) => Resource::Variable(moved(part)),
        Resource::Channel(Channel::Of(part)) => Resource::Channel(Channel::Of(moved(part))),
        other => other.clone(),
    }
}
