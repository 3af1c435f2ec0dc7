//! The effect of a transition: of its first statement and of all statements that
//! can follow before another process moves.
//!
//! Only the guard of the first statement is a conjunct: guards of later
//! statements determine how far the sequence gets, so they are reads of the
//! effect. A rendezvous inside a sequence moves a second process, which may
//! continue with its own sequence.

use super::effect::{BufferUse, Effect, Message, Written};
use super::state_part::StatePart;
use super::system::{Instance, System};
use super::transitions::{Edge, SystemTransition, Transitions};
use crate::analysis::accesses::{Access, AccessKind, ChannelUse, Operation, Role};
use crate::base::cancel::checkpoint;
use crate::net::{Action, BinaryOp, Expr, ExprKind, LocationId, Place};
use std::collections::HashSet;

pub(super) fn effect<'n>(
    system: &System<'n>,
    transitions: &Transitions,
    transition: &SystemTransition,
) -> Effect<'n> {
    checkpoint();
    let effect = Effect::default();
    let mut chain = Chain { system, transitions, effect, seen: HashSet::new(), open: Vec::new() };
    match transition.partner {
        None => chain.first(transition.first),
        Some(partner) => chain.first_meeting(transition.first, partner),
    }
    while let Some((instance, at)) = chain.open.pop() {
        chain.location(instance, at);
    }
    chain.effect
}

/// Position of a statement in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// The first one, whose guard is a conjunct.
    First,
    /// The first one, in a rendezvous: no buffer is used.
    Meeting,
    /// A later one.
    Later,
}

struct Chain<'s, 'n> {
    system: &'s System<'n>,
    transitions: &'s Transitions,
    effect: Effect<'n>,
    /// Locations from which the sequence continues.
    seen: HashSet<(Instance, LocationId)>,
    open: Vec<(Instance, LocationId)>,
}

impl<'n> Chain<'_, 'n> {
    fn first(&mut self, edge: Edge) {
        let instance = edge.instance();
        self.leaves(edge);
        let transition = self.system.graph(instance).transition(edge.transition);
        self.statement(instance, &transition.action, Position::First);
        self.arrive(edge, transition.keeps_control);
    }

    fn first_meeting(&mut self, sender: Edge, receiver: Edge) {
        self.leaves(sender);
        self.leaves(receiver);
        let send = self.system.graph(sender.instance()).transition(sender.transition);
        let receive = self.system.graph(receiver.instance()).transition(receiver.transition);
        self.statement(sender.instance(), &send.action, Position::Meeting);
        self.statement(receiver.instance(), &receive.action, Position::Meeting);
        let sender_keeps = self.system.network.sender_keeps_control && send.keeps_control;
        self.arrive(sender, sender_keeps && !receive.keeps_control);
        self.arrive(receiver, receive.keeps_control);
    }

    /// Adds the location at which the edge begins.
    fn leaves(&mut self, edge: Edge) {
        let from = self.system.sources(edge.instance(), edge.transition).iter().copied().collect();
        self.effect.movements.entry(edge.process).or_default().from = Some(from);
        if self.system.network.template(edge.template).is_deterministic {
            // Whether it is an error depends on the other executable
            // transitions.
            self.effect.reads.insert(StatePart::Everything);
        }
    }

    /// Adds the location at which the edge ends, and continues there if the
    /// process keeps control.
    fn arrive(&mut self, edge: Edge, goes_on: bool) {
        let instance = edge.instance();
        let graph = self.system.graph(instance);
        let transition = graph.transition(edge.transition);
        let mut to = vec![transition.to];
        match transition.action {
            Action::Deterministic(first) => {
                let number = graph.location(first).deterministic;
                let inside = |it: &LocationId| graph.location(*it).deterministic == number;
                let within = graph.locations.iter().filter(|it| it.deterministic == number);
                to = within.flat_map(|it| &it.out).map(|it| graph.transition(*it).to).collect();
                to.retain(|it| !inside(it));
            }
            Action::End => to.clear(),
            _ => {}
        }
        for at in to {
            self.effect.movements.entry(edge.process).or_default().to.insert(at);
            if goes_on && self.seen.insert((instance, at)) {
                self.open.push((instance, at));
            }
        }
    }

    /// Adds the effects of a location at which a process keeps control.
    fn location(&mut self, instance: Instance, at: LocationId) {
        checkpoint();
        let graph = self.system.graph(instance);
        self.provided(instance);
        let location = graph.location(at);
        let escapes = location.escapes.iter().map(|it| graph.location(*it));
        for &id in escapes.chain([location]).flat_map(|it| &it.out) {
            let edge = Edge::new(instance, id);
            let transition = graph.transition(id);
            self.statement(instance, &transition.action, Position::Later);
            self.arrive(edge, transition.keeps_control);
            for &receiver in self.transitions.receivers_of(edge) {
                self.meet(receiver);
            }
        }
    }

    /// Adds the effects of a process that may receive inside a sequence.
    fn meet(&mut self, receiver: Edge) {
        let instance = receiver.instance();
        self.effect.reads.extend([StatePart::Location(receiver.process), StatePart::Processes]);
        self.effect.movements.entry(receiver.process).or_default().from = None;
        self.provided(instance);
        let transition = self.system.graph(instance).transition(receiver.transition);
        self.statement(instance, &transition.action, Position::Later);
        self.arrive(receiver, transition.keeps_control);
    }

    fn provided(&mut self, instance: Instance) {
        if let Some(provided) = &self.system.network.template(instance.template).provided {
            self.effect.reads.extend(self.system.reads_of(instance, provided));
        }
    }

    fn statement(&mut self, instance: Instance, action: &'n Action, position: Position) {
        let system = self.system;
        system.scope(instance).action(action, &mut |access| self.access(instance, action, access, position));
    }

    fn access(&mut self, instance: Instance, action: &'n Action, access: Access<'n>, position: Position) {
        let is_conjunct = access.role == Role::Guard && position != Position::Later;
        match access.kind {
            AccessKind::Write(place, value) => self.write(instance, place, value),
            AccessKind::Channel(used) => self.channel(instance, action, used, is_conjunct, position),
            AccessKind::Deterministic(first) => {
                let graph = self.system.graph(instance);
                let number = graph.location(first).deterministic;
                for location in graph.locations.iter().filter(|it| it.deterministic == number) {
                    for &id in &location.out {
                        self.statement(instance, &graph.transition(id).action, Position::Later);
                    }
                }
            }
            AccessKind::Start(template) => {
                self.effect.starts.insert(template);
                self.effect.reads.extend(self.system.reads(instance, access.kind));
            }
            AccessKind::End => {
                self.effect.ends.insert(instance.process);
                self.effect.reads.insert(StatePart::Processes);
            }
            // `timeout` is false inside a sequence.
            AccessKind::Timeout if position == Position::Later => {}
            AccessKind::Read(place) if self.is_update(instance, action, place) => {}
            kind if !is_conjunct || takes_any(action) => {
                self.effect.reads.extend(self.system.reads(instance, kind));
            }
            _ => {}
        }
    }

    fn channel(
        &mut self,
        instance: Instance,
        action: &'n Action,
        used: ChannelUse<'n>,
        is_conjunct: bool,
        position: Position,
    ) {
        let is_message = used.operation.sends() || used.operation.receives();
        if is_conjunct && !is_message {
            return;
        }
        self.effect.reads.extend(self.system.reads_besides_buffer(instance, used));
        if position == Position::Meeting && is_message {
            return;
        }
        let channel = self.system.channel(instance, used.place);
        let how = match (used.operation, action) {
            _ if position == Position::Later && used.operation.writes() => BufferUse::Change,
            _ if position == Position::Later => BufferUse::Read,
            (Operation::Send, Action::Send(send)) => BufferUse::Append(Message {
                scope: self.system.scope(instance),
                values: &send.values,
                types: self.system.channel_type(instance, used.place).map_or(&[], |it| &it.fields),
            }),
            (Operation::Receive, _) => BufferUse::TakeFirst,
            (Operation::Copy, _) => BufferUse::ReadFirst,
            (operation, _) if operation.writes() => BufferUse::Change,
            _ => BufferUse::Read,
        };
        self.effect.buffers.push((channel, how));
    }

    fn write(&mut self, instance: Instance, place: &'n Place, value: Option<&'n Expr>) {
        let Some(part) = self.system.variable(instance, place) else { return };
        let constant = value.and_then(|it| it.constant(Some(instance.process)));
        let ty = self.system.network.declared_type(place, instance.template).unwrap_or(place.ty);
        let variable = self.system.network.variable(place.root, instance.template);
        let is_allowed = |constant: i32| {
            let range = variable.and_then(|it| it.range);
            range.is_none_or(|(least, largest)| (least..=largest).contains(&constant))
        };
        let written = match (constant, value) {
            (Some(constant), _) if is_allowed(constant) => Written::Constant(ty.stored(constant)),
            (None, Some(value)) if self.adds(instance, place, value) => Written::Sum,
            _ => Written::Unknown,
        };
        self.effect.write(part, written);
    }

    /// Returns whether a place is read only to add a constant to it.
    fn is_update(&self, instance: Instance, action: &Action, place: &Place) -> bool {
        let Action::Assign(target, value) = action else { return false };
        read_in_sum(value).is_some_and(|it| std::ptr::eq(it, place)) && self.adds(instance, target, value)
    }

    /// Returns whether an assignment adds a constant to a variable. Stores
    /// truncate, so sums do not depend on the order; leaving a range is an error
    /// and does.
    fn adds(&self, instance: Instance, place: &Place, value: &Expr) -> bool {
        let variable = self.system.network.variable(place.root, instance.template);
        read_in_sum(value) == Some(place)
            && variable.is_some_and(|it| it.range.is_none())
            && self.system.variable(instance, place).is_some_and(|it| it.is_certain())
    }
}

/// Returns whether it is a `q??…`, which can receive any message of the buffer:
/// the values that select it are read.
fn takes_any(action: &Action) -> bool {
    matches!(action, Action::Receive(receive) if receive.any)
}

/// Returns the variable to which a constant is added.
fn read_in_sum(value: &Expr) -> Option<&Place> {
    let ExprKind::Binary(op, left, right) = &value.kind else { return None };
    match (op, &left.kind, &right.kind) {
        (BinaryOp::Add | BinaryOp::Subtract, ExprKind::Read(place), ExprKind::Constant(_)) => Some(place),
        (BinaryOp::Add, ExprKind::Constant(_), ExprKind::Read(place)) => Some(place),
        _ => None,
    }
}
