//! What a reduced search is for.

use crate::analysis::accesses::{Access, AccessKind, Scope};
use crate::explicit::monitor::Monitor;
use crate::explicit::sequence::Sequence;
use crate::explicit::view::Semantics;
use crate::lang::spec::property::Executions;
use crate::net::{
    Action, Expr, ExprKind, Graph, LocationId, Network, Observer, ObserverKind, TemplateId, UnaryOp,
};
use std::fmt;

/// What a reduced search is for.
#[derive(Clone, Debug)]
pub enum Target<'n> {
    /// Failed assertions, invalid end states and runtime errors.
    Errors,
    /// States in which one of these expressions of an observer is true.
    States(TemplateId, Vec<&'n Expr>),
    /// A violated property of the order of events.
    Events(&'n Sequence),
}

/// Why all steps of every state are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irreducible {
    /// The model uses `_last`.
    Last,
    /// The model uses priorities.
    Priorities,
    /// The model uses `enabled`.
    Enabled,
    /// The model has a `trace` or `notrace`.
    Trace,
    /// Infinite runs are searched for.
    InfiniteRuns,
    /// The property is a claim, or a formula that is not an invariant.
    Observer,
    /// The property applies to runs that satisfy an assumption.
    Assumptions,
    /// The model has too many transitions.
    Size,
    /// In the states of random walks, few steps can be left out.
    Useless,
}

impl fmt::Display for Irreducible {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Last => "the model uses `_last`",
            Self::Priorities => "the model uses priorities",
            Self::Enabled => "the model uses `enabled`",
            Self::Trace => "the model has a `trace` or `notrace`",
            Self::InfiniteRuns => "infinite runs are searched for",
            Self::Observer => "the property is a claim, or a formula that is not an invariant",
            Self::Assumptions => "whether a run satisfies the assumptions is searched for, too",
            Self::Size => "the model has too many transitions",
            Self::Useless => "few steps can be left out",
        })
    }
}

impl<'n> Target<'n> {
    /// Returns the target of a search for a state in which an observer is at its
    /// end, if that depends on the current state alone.
    pub fn of_observer(network: &'n Network, observer: &Observer) -> Result<Self, Irreducible> {
        let graph = &network.template(observer.template).graph;
        match observer.kind {
            ObserverKind::Formula(_) => invariant(graph).map(|it| Self::States(observer.template, it)),
            ObserverKind::Claim => None,
        }
        .ok_or(Irreducible::Observer)
    }

    /// Returns the target of a search for a violated property of the order of
    /// events.
    pub fn of_sequence(sequence: &'n Sequence) -> Result<Self, Irreducible> {
        // Any state can show that the assumptions can be satisfied.
        let needs_any = sequence.executions == Executions::Prefixes && sequence.has_assumptions();
        match needs_any && !sequence.is_witness(Monitor::START, false) {
            true => Err(Irreducible::Assumptions),
            false => Ok(Self::Events(sequence)),
        }
    }

    /// Returns the expressions of the observer.
    pub(super) fn states(&self) -> &[&'n Expr] {
        match self {
            Self::States(_, all) => all,
            Self::Errors | Self::Events(_) => &[],
        }
    }

    pub(super) fn observer(&self) -> TemplateId {
        match self {
            Self::States(observer, _) => *observer,
            Self::Errors | Self::Events(_) => TemplateId(0),
        }
    }

    pub(super) fn sequence(&self) -> Option<&'n Sequence> {
        match self {
            Self::Events(sequence) => Some(sequence),
            Self::Errors | Self::States(..) => None,
        }
    }

    /// Returns whether the states in which no process can move are needed.
    pub(super) fn keeps_ends(&self, semantics: Semantics) -> bool {
        match self {
            Self::Errors => !semantics.allows_blocked_end,
            Self::States(..) => false,
            Self::Events(sequence) => {
                sequence.executions == Executions::Complete || sequence.monitor().is_wrong_without_events()
            }
        }
    }
}

/// Returns why a network cannot be searched with a reduction, if so.
pub fn irreducible(network: &Network) -> Option<Irreducible> {
    match () {
        () if network.uses.last => Some(Irreducible::Last),
        () if network.uses.priorities => Some(Irreducible::Priorities),
        () if network.trace.is_some() => Some(Irreducible::Trace),
        () => uses_enabled(network).then_some(Irreducible::Enabled),
    }
}

/// Returns whether a network tests whether a process can move.
fn uses_enabled(network: &Network) -> bool {
    let mut uses_it = false;
    let mut see = |access: Access| uses_it |= matches!(access.kind, AccessKind::Enabled);
    for (index, template) in network.templates.iter().enumerate() {
        let scope = Scope::any(network, TemplateId::new(index));
        template.provided.iter().for_each(|it| scope.guard(it, &mut see));
        template.graph.transitions.iter().for_each(|it| scope.action(&it.action, &mut see));
    }
    uses_it
}

/// Returns the conditions of which one must be true in a state so that an
/// observer that waits for it ends.
fn invariant(graph: &Graph) -> Option<Vec<&Expr>> {
    let mut conditions: Option<Vec<&Expr>> = None;
    let (mut seen, mut open) = (vec![Graph::ENTRY], vec![Graph::ENTRY]);
    while let Some(at) = open.pop() {
        let (mut here, mut staying) = (Vec::new(), Vec::new());
        for &id in &graph.location(at).out {
            let transition = graph.transition(id);
            let is_end = |it: LocationId| graph.location(it).is_end;
            match &transition.action {
                Action::Guard(expr) if is_end(transition.to) => here.push(expr),
                action @ (Action::Skip | Action::Guard(_)) if !is_end(transition.to) => {
                    if let Action::Guard(expr) = action {
                        staying.push(expr);
                    }
                    if !seen.contains(&transition.to) {
                        seen.push(transition.to);
                        open.push(transition.to);
                    }
                }
                _ => return None,
            }
        }
        // A run on which it can neither end nor stay would be dropped.
        if !staying.iter().all(|it| matches!(here[..], [only] if are_opposite(it, only))) {
            return None;
        }
        match &conditions {
            Some(known) if *known != here => return None,
            _ => conditions = Some(here),
        }
    }
    conditions.filter(|it| !it.is_empty())
}

/// Returns whether one expression is the negation of the other.
fn are_opposite(one: &Expr, other: &Expr) -> bool {
    let negates =
        |one: &Expr, other: &Expr| matches!(&one.kind, ExprKind::Unary(UnaryOp::Not, it) if **it == *other);
    negates(one, other) || negates(other, one)
}
