//! The conjuncts of transitions.
//!
//! A statement can be executable under several conditions, its *alternatives*:
//! a rendezvous with one of several processes, a `d_step` that begins with one
//! of several statements. Each is a list of conjuncts. `else` is executable if
//! no alternative of the statements before it is; with escapes, a statement is
//! executable if no alternative of an escape is. [`statement`] computes the
//! alternatives of statements, [`meeting`] those of a rendezvous.

mod meeting;
mod statement;

use super::ErrorCondition;
use super::conjunct::{Conjunct, Side};
use super::effect::Effect;
use super::state_part::StatePart;
use super::system::{Instance, System};
use super::transitions::{Edge, SystemTransition, Transitions};
use crate::base::cancel::checkpoint;
use crate::net::{Action, BinaryOp, Expr, ExprKind, LocationId, TransitionId, UnaryOp};
use std::collections::BTreeSet;

/// Lists of conjuncts, of which at least one must be entirely true.
type Alternatives<'n> = Vec<Vec<Conjunct<'n>>>;

/// Computes the conjuncts of transitions.
pub(super) struct Conditions<'s, 'n> {
    pub system: &'s System<'n>,
    pub transitions: &'s Transitions,
}

impl<'n> Conditions<'_, 'n> {
    /// Returns the conjuncts of a transition.
    pub fn of(&self, transition: &SystemTransition) -> Vec<Conjunct<'n>> {
        checkpoint();
        let edge = transition.first;
        let instance = edge.instance();
        let mut conjuncts = self.context(edge, |before, at| self.comes_first(edge, before, at));
        match &self.system.network.template(edge.template).provided {
            // The error occurs whatever the other conditions are.
            Some(provided) if self.system.may_fail(instance, provided) => {
                conjuncts.truncate(1);
                conjuncts.push(Conjunct::DependsOn(BTreeSet::from([StatePart::Everything])));
                return conjuncts;
            }
            Some(provided) => self.split(instance, provided, &mut conjuncts),
            None => {}
        }
        if self.system.network.uses.priorities {
            // A process of higher priority may prevent it.
            conjuncts.push(Conjunct::DependsOn(BTreeSet::from([StatePart::Everything])));
        }
        match transition.partner {
            Some(partner) => conjuncts.extend(any_of(self.meeting(edge, partner))),
            None if self.is_else(edge) => {}
            None => conjuncts.extend(any_of(self.alone(edge))),
        }
        conjuncts
    }

    /// Returns when an effect is an error.
    pub fn error(&self, effect: &Effect<'n>) -> ErrorCondition<'n> {
        match effect.assertion {
            _ if effect.may_fail => ErrorCondition::Possible { is_assertion: false },
            _ if effect.may_fail_later => ErrorCondition::Possible { is_assertion: true },
            None => ErrorCondition::Never,
            Some((instance, expr)) => ErrorCondition::Assertion(self.goal(instance, expr, false)),
        }
    }

    /// Returns the conditions under which an expression is true or, if `value`
    /// is `false`, not true. Both sides of `||` are distinguished: the
    /// conditions of transitions leave it whole, because a write that changes
    /// one side seldom changes the whole.
    pub fn goal(&self, instance: Instance, expr: &'n Expr, value: bool) -> Vec<Conjunct<'n>> {
        let side = |it: &'n Expr| self.goal(instance, it, value);
        let known = expr.constant(Some(instance.process)).map(|it| (it != 0) == value);
        match &expr.kind {
            _ if known == Some(true) => Vec::new(),
            _ if known == Some(false) => vec![Conjunct::never()],
            _ if self.system.may_fail(instance, expr) => self.whole(instance, expr, value),
            ExprKind::Unary(UnaryOp::Not, inner) => self.goal(instance, inner, !value),
            ExprKind::Binary(BinaryOp::And, left, right) if value => [side(left), side(right)].concat(),
            ExprKind::Binary(BinaryOp::Or, left, right) if !value => [side(left), side(right)].concat(),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                any_of(vec![side(left), side(right)])
            }
            _ => self.whole(instance, expr, value),
        }
    }

    fn whole(&self, instance: Instance, expr: &'n Expr, value: bool) -> Vec<Conjunct<'n>> {
        let mut conjuncts = Vec::new();
        self.split(instance, expr, &mut conjuncts);
        match value {
            true => conjuncts,
            false => vec![Conjunct::NoneOf(vec![conjuncts])],
        }
    }

    fn is_else(&self, edge: Edge) -> bool {
        let graph = self.system.graph(edge.instance());
        graph.is_else(graph.transition(edge.transition))
    }

    /// Returns the conditions that the process is where the edge can be taken
    /// and that nothing has precedence. `first` returns the alternatives that
    /// have precedence, given the escapes that are tried before and the location
    /// that the edge leaves.
    fn context(
        &self,
        edge: Edge,
        first: impl Fn(&[LocationId], LocationId) -> Alternatives<'n>,
    ) -> Vec<Conjunct<'n>> {
        let graph = self.system.graph(edge.instance());
        let at = |locations: Vec<LocationId>| edge.instance().at(locations);
        let sources = self.system.sources(edge.instance(), edge.transition);
        let mut contexts = Vec::new();
        for &source in sources {
            let mut tried = graph.location(source).escapes.clone();
            tried.push(source);
            for (index, &location) in tried.iter().enumerate() {
                if graph.location(location).out.contains(&edge.transition) {
                    contexts.push((source, none_of(first(&tried[..index], location))));
                }
            }
        }
        let mut conjuncts = vec![at(sources.to_vec())];
        match &mut contexts[..] {
            [(_, first)] => conjuncts.append(first),
            contexts if contexts.iter().all(|(_, first)| first.is_empty()) => {}
            _ => {
                let with_location = |(source, first): (LocationId, Vec<Conjunct<'n>>)| {
                    [at(vec![source])].into_iter().chain(first).collect()
                };
                conjuncts.push(Conjunct::AnyOf(contexts.into_iter().map(with_location).collect()));
            }
        }
        conjuncts
    }

    /// Returns the alternatives that have precedence over an edge: escapes that
    /// are tried before, and for `else` the statements before it.
    fn comes_first(&self, edge: Edge, before: &[LocationId], at: LocationId) -> Alternatives<'n> {
        let graph = self.system.graph(edge.instance());
        let mut first = Vec::new();
        for &escape in before {
            for position in 0..graph.location(escape).out.len() {
                first.extend(self.option(edge.instance(), escape, position));
            }
        }
        let position = graph.location(at).out.iter().position(|it| *it == edge.transition);
        if let Some(position) = position.filter(|_| self.is_else(edge)) {
            first.extend(self.options_before(edge.instance(), at, position));
        }
        first
    }

    /// Returns the alternatives of an option of a location.
    fn option(&self, instance: Instance, at: LocationId, position: usize) -> Alternatives<'n> {
        let edge = Edge::new(instance, self.system.graph(instance).location(at).out[position]);
        match self.is_else(edge) {
            true => vec![none_of(self.options_before(instance, at, position))],
            false => {
                let receivers = self.transitions.receivers_of(edge).iter();
                let meetings = receivers.flat_map(|it| self.meeting(edge, *it));
                self.alone(edge).into_iter().chain(meetings).collect()
            }
        }
    }

    /// Returns the alternatives that must be impossible for an `else` at a
    /// position.
    fn options_before(&self, instance: Instance, at: LocationId, position: usize) -> Alternatives<'n> {
        let graph = self.system.graph(instance);
        let out = &graph.location(at).out;
        let is_otherwise = |id: TransitionId| graph.transition(id).action == Action::Otherwise;
        let asks_for_offers = is_otherwise(out[position]);
        let mut alternatives = Vec::new();
        for (before, &id) in out[..position].iter().enumerate() {
            if asks_for_offers && is_otherwise(id) {
                continue;
            }
            alternatives.extend(self.option(instance, at, before));
            if asks_for_offers {
                alternatives.extend(self.offers(Edge::new(instance, id)));
            }
        }
        alternatives
    }

    fn side(&self, instance: Instance, expr: &'n Expr) -> Side<'n> {
        Side { scope: self.system.scope(instance), expr, reads: self.system.reads_of(instance, expr) }
    }
}

/// Returns the condition that at least one alternative is executable.
fn any_of(mut alternatives: Alternatives<'_>) -> Vec<Conjunct<'_>> {
    match alternatives.len() {
        _ if alternatives.iter().any(Vec::is_empty) => Vec::new(),
        1 => alternatives.remove(0),
        _ => vec![Conjunct::AnyOf(alternatives)],
    }
}

/// Returns the condition that no alternative is executable.
fn none_of(alternatives: Alternatives<'_>) -> Vec<Conjunct<'_>> {
    match alternatives.is_empty() {
        true => Vec::new(),
        false => vec![Conjunct::NoneOf(alternatives)],
    }
}
