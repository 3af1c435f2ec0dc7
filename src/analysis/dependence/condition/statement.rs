//! The alternatives of a statement that one process executes without a
//! rendezvous.

use super::{Alternatives, Conditions};
use crate::analysis::dependence::conjunct::{BufferTest, Conjunct, Patterns};
use crate::analysis::dependence::state_part::{ChannelPart, StatePart};
use crate::analysis::dependence::system::Instance;
use crate::analysis::dependence::transitions::Edge;
use crate::net::{
    Action, BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, Receive, Send, TransitionId, UnaryOp,
};
use std::collections::BTreeSet;

impl<'n> Conditions<'_, 'n> {
    /// Returns the alternatives of an edge that one process takes without a
    /// rendezvous. `else` has one, without the conditions on the other
    /// statements.
    pub(super) fn alone(&self, edge: Edge) -> Alternatives<'n> {
        let instance = edge.instance();
        let graph = self.system.graph(instance);
        let action = &graph.transition(edge.transition).action;
        match action {
            Action::Skip | Action::Else | Action::Otherwise => vec![Vec::new()],
            Action::Assign(..) | Action::SetPriority(..) | Action::Assert(_) | Action::Print(_) => {
                vec![Vec::new()]
            }
            Action::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => vec![Vec::new()],
            Action::Guard(expr) | Action::Fail(expr, _) => {
                let mut conjuncts = Vec::new();
                self.split(instance, expr, &mut conjuncts);
                vec![conjuncts]
            }
            Action::Send(send) => self.send(instance, action, send),
            Action::Receive(receive) => self.receive(instance, action, receive),
            Action::Deterministic(first) => {
                let out = graph.location(*first).out.iter();
                out.flat_map(|it| self.first_inside(instance, *it)).collect()
            }
            Action::End => vec![vec![Conjunct::Youngest(instance.process)]],
        }
    }

    /// Returns the alternatives of the first statement of a `d_step`. A
    /// rendezvous send there is executable, and an error.
    fn first_inside(&self, instance: Instance, id: TransitionId) -> Alternatives<'n> {
        match &self.system.graph(instance).transition(id).action {
            Action::Send(send) if self.is_rendezvous(instance, &send.channel) => vec![Vec::new()],
            _ => self.alone(Edge::new(instance, id)),
        }
    }

    fn is_rendezvous(&self, instance: Instance, place: &Place) -> bool {
        self.system.channel_type(instance, place).is_some_and(|it| it.capacity == 0)
    }

    /// Returns the channel of a place, if it has a buffer and is known, and the
    /// model makes no promises about channels.
    fn buffer(&self, instance: Instance, place: &Place) -> Option<ChannelPart> {
        let has_buffer = self.system.channel_type(instance, place).is_some_and(|it| it.capacity > 0);
        let channel = self.system.channel(instance, place);
        (has_buffer && channel.is_certain() && self.system.promises.is_empty()).then_some(channel)
    }

    fn send(&self, instance: Instance, action: &'n Action, send: &'n Send) -> Alternatives<'n> {
        match self.buffer(instance, &send.channel) {
            Some(_) if self.system.loses_messages => vec![Vec::new()],
            Some(channel) => vec![vec![Conjunct::Buffer(channel, BufferTest::NotFull)]],
            None => self.message(instance, action, &send.channel, send.values.len()),
        }
    }

    fn receive(&self, instance: Instance, action: &'n Action, receive: &'n Receive) -> Alternatives<'n> {
        let conjuncts = self.taken(instance, &receive.channel, &receive.patterns, receive.any);
        match conjuncts {
            Some(conjuncts) => vec![conjuncts],
            None => self.message(instance, action, &receive.channel, receive.patterns.len()),
        }
    }

    /// Returns the alternatives of a message whose channel is unknown or has no
    /// buffer. Without a rendezvous it can only fail.
    fn message(
        &self,
        instance: Instance,
        action: &'n Action,
        channel: &Place,
        n_fields: usize,
    ) -> Alternatives<'n> {
        let mut may_fail = !self.system.promises.is_empty();
        let declared = self.system.channel_type(instance, channel);
        may_fail |= declared.is_none_or(|it| it.fields.len() != n_fields);
        self.system.scope(instance).action(action, &mut |access| may_fail |= access.is_failure());
        match self.is_rendezvous(instance, channel) && !may_fail {
            true => Vec::new(),
            false => vec![vec![Conjunct::DependsOn(self.system.reads_of_action(instance, action))]],
        }
    }

    /// Returns the conditions on a buffer under which a message is received;
    /// `None` if they are unknown.
    fn taken(
        &self,
        instance: Instance,
        channel: &Place,
        patterns: &'n [Pattern],
        any: bool,
    ) -> Option<Vec<Conjunct<'n>>> {
        let buffer = self.buffer(instance, channel)?;
        let (mut reads, mut is_selective) = (BTreeSet::new(), false);
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                if self.system.may_fail(instance, expr) {
                    return None;
                }
                reads.extend(self.system.reads_of(instance, expr));
                is_selective = true;
            }
        }
        if !is_selective {
            return Some(vec![Conjunct::Buffer(buffer, BufferTest::NotEmpty)]);
        }
        let patterns = Patterns { scope: self.system.scope(instance), patterns, reads };
        let mut conjuncts = vec![Conjunct::Buffer(buffer.clone(), BufferTest::Contains(patterns.clone()))];
        if !any {
            conjuncts.push(Conjunct::Buffer(buffer, BufferTest::FirstMatches(patterns)));
        }
        Some(conjuncts)
    }

    /// Splits an expression into conjuncts. An expression that may fail is not
    /// split: the statement is executable, as an error, whatever the rest is.
    pub(super) fn split(&self, instance: Instance, expr: &'n Expr, conjuncts: &mut Vec<Conjunct<'n>>) {
        match &expr.kind {
            _ if expr.constant(Some(instance.process)).is_some_and(|it| it != 0) => {}
            _ if expr.constant(Some(instance.process)) == Some(0) => conjuncts.push(Conjunct::never()),
            ExprKind::Binary(BinaryOp::And, left, right) if !self.system.may_fail(instance, left) => {
                self.split(instance, left, conjuncts);
                self.split(instance, right, conjuncts);
            }
            ExprKind::Timeout => conjuncts.push(Conjunct::Timeout),
            _ => match self.about_location(instance, expr).or_else(|| self.about_buffer(instance, expr)) {
                Some(found) => conjuncts.extend(found),
                None => conjuncts.push(self.test(instance, expr)),
            },
        }
    }

    fn test(&self, instance: Instance, expr: &'n Expr) -> Conjunct<'n> {
        let side = self.side(instance, expr);
        let uses_channel = side.reads.iter().any(|it| matches!(it, StatePart::Channel(_)));
        match uses_channel && !self.system.promises.is_empty() {
            // It may fail by violating a promise.
            true => Conjunct::DependsOn(side.reads),
            false => Conjunct::Test(side),
        }
    }

    /// Returns the conjuncts of `P[n]@l`, if the process is known.
    fn about_location(&self, instance: Instance, expr: &'n Expr) -> Option<Vec<Conjunct<'n>>> {
        let ExprKind::RemoteLabel { template, pid: Some(pid), label } = &expr.kind else { return None };
        let process = pid.constant(Some(instance.process))?;
        let at = self.system.network.template(*template).graph.labels[label.index()];
        let is_instance = |it: &&Instance| it.process as i32 == process && it.template == *template;
        let target = self.system.instances.iter().find(is_instance);
        Some(vec![target.map_or_else(Conjunct::never, |it| it.at(vec![at]))])
    }

    /// Returns the conjuncts of an expression that is a query of a buffer.
    fn about_buffer(&self, instance: Instance, expr: &'n Expr) -> Option<Vec<Conjunct<'n>>> {
        let (query, place, is_negated) = match &expr.kind {
            ExprKind::Channel(query, place) => (query, place, false),
            ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
                ExprKind::Channel(query, place) => (query, place, true),
                _ => return None,
            },
            ExprKind::Poll { channel, any, patterns } => {
                let n_fields = self.system.channel_type(instance, channel)?.fields.len();
                let names_all = patterns.len() <= n_fields;
                return self.taken(instance, channel, patterns, *any).filter(|_| names_all);
            }
            _ => return None,
        };
        let test = match (query, is_negated) {
            (ChannelQuery::Empty, false) | (ChannelQuery::NotEmpty | ChannelQuery::Length, true) => {
                BufferTest::Empty
            }
            (ChannelQuery::NotEmpty | ChannelQuery::Length, false) | (ChannelQuery::Empty, true) => {
                BufferTest::NotEmpty
            }
            (ChannelQuery::Full, false) | (ChannelQuery::NotFull, true) => BufferTest::Full,
            (ChannelQuery::NotFull, false) | (ChannelQuery::Full, true) => BufferTest::NotFull,
        };
        Some(vec![Conjunct::Buffer(self.buffer(instance, place)?, test)])
    }
}
