//! The effect of a transition: of its first statement and of all statements that
//! can follow before another process moves.
//!
//! Only the guard of the first statement is a conjunct: guards of later
//! statements determine how far the sequence gets, so they are reads of the
//! effect. A rendezvous inside a sequence moves a second process, which may
//! continue with its own sequence.

use super::effect::{BufferUse, Effect, Message, Written};
use super::state_part::{ChannelPart, StatePart};
use super::system::{Instance, System};
use super::transitions::{Edge, SystemTransition, Transitions};
use crate::analysis::accesses::{Access, AccessKind, ChannelUse, Operation, Role};
use crate::base::cancel::checkpoint;
use crate::net::{Action, BinaryOp, ChannelType, Expr, ExprKind, Graph, LocationId, Place, TransitionId};
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
        self.statement(instance, edge.transition, Position::First);
        self.arrive(edge, self.system.graph(instance).transition(edge.transition).keeps_control);
    }

    fn first_meeting(&mut self, sender: Edge, receiver: Edge) {
        self.leaves(sender);
        self.leaves(receiver);
        let send = self.system.graph(sender.instance()).transition(sender.transition);
        let receive = self.system.graph(receiver.instance()).transition(receiver.transition);
        self.statement(sender.instance(), sender.transition, Position::Meeting);
        self.statement(receiver.instance(), receiver.transition, Position::Meeting);
        let sender_keeps = self.system.network.sender_keeps_control && send.keeps_control;
        self.arrive(sender, sender_keeps && !receive.keeps_control);
        self.arrive(receiver, receive.keeps_control);
    }

    /// Adds the location at which the edge begins.
    fn leaves(&mut self, edge: Edge) {
        let from = self.system.sources(edge.instance(), edge.transition).iter().copied().collect();
        self.effect.movements.entry(edge.process).or_default().from = Some(from);
        let template = self.system.network.template(edge.template);
        if template.is_deterministic {
            // Whether it is an error depends on the other executable
            // transitions.
            self.effect.reads.insert(StatePart::Everything);
            self.effect.may_fail = true;
        }
        let provided = template.provided.as_ref();
        self.effect.may_fail |= provided.is_some_and(|it| self.system.may_fail(edge.instance(), it));
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
            self.statement(instance, id, Position::Later);
            self.arrive(edge, graph.transition(id).keeps_control);
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
        self.statement(instance, receiver.transition, Position::Later);
        self.arrive(receiver, self.system.graph(instance).transition(receiver.transition).keeps_control);
    }

    fn provided(&mut self, instance: Instance) {
        if let Some(provided) = &self.system.network.template(instance.template).provided {
            self.effect.reads.extend(self.system.reads_of(instance, provided));
            self.effect.may_fail |= self.system.may_fail(instance, provided);
        }
    }

    fn statement(&mut self, instance: Instance, id: TransitionId, position: Position) {
        let system = self.system;
        let action = &system.graph(instance).transition(id).action;
        self.effect.executes.insert((instance, id));
        system.scope(instance).action(action, &mut |access| self.access(instance, action, access, position));
    }

    fn access(&mut self, instance: Instance, action: &'n Action, access: Access<'n>, position: Position) {
        let is_conjunct = access.role == Role::Guard && position != Position::Later;
        match access.kind {
            AccessKind::Write(place, value) => self.write(instance, place, value),
            AccessKind::Channel(used) => self.channel(instance, action, used, is_conjunct, position),
            AccessKind::Failure => self.failure(instance, action, position),
            AccessKind::Deterministic(first) => {
                let graph = self.system.graph(instance);
                self.effect.may_fail |= may_stick(graph, first);
                let number = graph.location(first).deterministic;
                for location in graph.locations.iter().filter(|it| it.deterministic == number) {
                    for &id in &location.out {
                        self.statement(instance, id, Position::Later);
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

    /// Adds a possible error.
    fn failure(&mut self, instance: Instance, action: &'n Action, position: Position) {
        match action {
            Action::Assert(expr) if !self.system.may_fail(instance, expr) => match position {
                Position::First => self.effect.assertion = Some((instance, expr)),
                Position::Meeting | Position::Later => self.effect.may_fail_later = true,
            },
            _ => self.effect.may_fail = true,
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
        let declared = self.system.channel_type(instance, used.place);
        let is_sound = |it: &ChannelType| used.n_fields.is_none_or(|n_fields| n_fields == it.fields.len());
        // There may be no channel, or one with other fields.
        self.effect.may_fail |=
            !declared.is_some_and(is_sound) || self.system.channel(instance, used.place) == ChannelPart::Any;
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

/// Returns whether a `d_step` may block after its first statement, or not end.
fn may_stick(graph: &Graph, first: LocationId) -> bool {
    let number = graph.location(first).deterministic;
    let inside = |it: &LocationId| graph.location(*it).deterministic == number;
    let next =
        |at: LocationId| graph.location(at).out.iter().map(|it| graph.transition(*it).to).filter(inside);
    // In an order without edges backwards, no statement is repeated.
    let (mut done, mut path) = (HashSet::new(), vec![(first, next(first).collect::<Vec<_>>())]);
    while let Some((at, left)) = path.last_mut() {
        let (at, Some(to)) = (*at, left.pop()) else {
            done.extend(path.pop().map(|it| it.0));
            continue;
        };
        if at == to || path.iter().any(|it| it.0 == to) {
            return true;
        }
        if !done.contains(&to) {
            path.push((to, next(to).collect()));
        }
    }
    // The first statement is executable if the `d_step` is, but for a rendezvous.
    let mut begins = graph.location(first).out.iter().map(|it| &graph.transition(*it).action);
    begins.any(|it| matches!(it, Action::Send(_)))
        || done.into_iter().filter(|it| *it != first).any(|at| {
            let always = |action: &Action| {
                matches!(
                    action,
                    Action::Skip | Action::Else | Action::Assign(..) | Action::Assert(_) | Action::Print(_)
                )
            };
            !graph.location(at).out.iter().any(|it| always(&graph.transition(*it).action))
        })
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
