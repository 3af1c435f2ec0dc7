//! Dependence between the transitions of a system.
//!
//! A [transition](SystemTransition) of a system is a transition of one process,
//! or a send and a receive that meet in a rendezvous. It includes everything
//! that happens before another process can move: a `d_step` is one transition,
//! and so is an atomic sequence from one of its statements to the point where
//! the process gives up or loses control. Transitions have dense numbers
//! (`transitions`).
//!
//! A transition is enabled if all its [conjuncts](Conjunct) are true
//! (`condition`); the location of the process is one of them. A transition
//! that ends in an error is enabled. Its changes of the state are its
//! `effect`.
//!
//! - Two transitions *accord* (`accord`) if, whenever both are enabled, neither
//!   disables the other and both orders end in the same state. Transitions that
//!   are never enabled together accord. A transition that fails stops the run;
//!   that is not a conflict.
//! - The *enablers* of a conjunct that is false are all transitions that can make
//!   it true (`change`).
//!
//! Both relations can contain too many dependences, never too few. They are
//! valid in states whose processes are all among those for which they were
//! computed: if a network starts another process, they must be computed again.
//! The rules depend on the kinds of statements; for their justification see the
//! literature on stubborn sets (Valmari; Laarman, Pater, van de Pol, Hansen:
//! "Guard-based partial-order reduction", STTT 2016).

mod accord;
mod chain;
mod change;
mod condition;
mod conjunct;
mod effect;
mod exclusion;
mod state_part;
mod system;
#[cfg(test)]
mod tests;
mod transitions;

use crate::net::{Expr, LocationId, Network, TemplateId, TransitionId};
use effect::Effect;
use system::{Instance, System};
use transitions::Transitions;

pub use conjunct::{BufferTest, Conjunct, Patterns, Side};
pub use state_part::{ChannelPart, StatePart, VariableOwner, VariablePart};
pub use transitions::{Edge, SystemTransition, SystemTransitionId};

/// Condition under which a transition that is executed ends in an error.
#[derive(Clone, Debug)]
pub enum ErrorCondition<'n> {
    /// It never does.
    Never,
    /// Only its assertion can fail, which it does if all these are true.
    Assertion(Vec<Conjunct<'n>>),
    /// It may end in an error; only in failed assertions, if
    /// `is_assertion`.
    Possible {
        /// Whether all its errors are failed assertions.
        is_assertion: bool,
    },
}

/// The dependences between the transitions of a system.
#[derive(Debug)]
pub struct Dependence<'n> {
    transitions: Transitions,
    conjuncts: Vec<Vec<Conjunct<'n>>>,
    effects: Vec<Effect<'n>>,
    errors: Vec<ErrorCondition<'n>>,
    /// Whether no transitions accord, because steps depend on more than their
    /// effects.
    is_total: bool,
    loses_messages: bool,
}

impl<'n> Dependence<'n> {
    /// Computes the dependences in a network whose process numbers can have the
    /// given templates. `loses_messages`: a send to a full channel is
    /// executable.
    pub fn new(network: &'n Network, processes: &[Vec<TemplateId>], loses_messages: bool) -> Self {
        Self::within(network, processes, loses_messages, usize::MAX).expect("there is no limit")
    }

    /// Computes the dependences like [`Self::new`], unless there are more than
    /// `max_transitions` transitions.
    pub fn within(
        network: &'n Network,
        processes: &[Vec<TemplateId>],
        loses_messages: bool,
        max_transitions: usize,
    ) -> Option<Self> {
        let system = System::new(network, processes, loses_messages);
        let transitions = Transitions::within(&system, max_transitions)?;
        let all = transitions.all();
        let conditions = condition::Conditions { system: &system, transitions: &transitions };
        let effects: Vec<Effect> = all.iter().map(|it| chain::effect(&system, &transitions, it)).collect();
        Some(Self {
            conjuncts: all.iter().map(|it| conditions.of(it)).collect(),
            errors: effects.iter().map(|it| conditions.error(it)).collect(),
            effects,
            is_total: network.uses.last || network.uses.priorities || network.trace.is_some(),
            loses_messages,
            transitions,
        })
    }

    /// Returns the conditions under which an expression of an observer is true,
    /// which include that its evaluation fails.
    pub fn observed(
        network: &'n Network,
        processes: &[Vec<TemplateId>],
        observer: TemplateId,
        expr: &'n Expr,
    ) -> Vec<Conjunct<'n>> {
        let system = System::new(network, processes, false);
        let conditions = condition::Conditions { system: &system, transitions: &Transitions::default() };
        conditions.goal(Instance { process: 0, template: observer }, expr, true)
    }

    /// Returns the number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.transitions.all().len()
    }

    /// Returns a transition.
    pub fn transition(&self, id: SystemTransitionId) -> SystemTransition {
        self.transitions.all()[id.index()]
    }

    /// Returns the number of a transition, if it is one of the system.
    pub fn find(&self, transition: &SystemTransition) -> Option<SystemTransitionId> {
        self.transitions.find(transition)
    }

    /// Returns the conditions under which a transition is enabled.
    pub fn conjuncts(&self, id: SystemTransitionId) -> &[Conjunct<'n>] {
        &self.conjuncts[id.index()]
    }

    /// Returns whether two different transitions accord.
    pub fn accords(&self, one: SystemTransitionId, other: SystemTransitionId) -> bool {
        let (a, b) = (one.index(), other.index());
        let excludes = || exclusion::exclude(&self.conjuncts[a], &self.conjuncts[b]);
        let disables =
            |by: usize, of: usize| self.conjuncts[of].iter().any(|it| self.effects[by].may_change(it, false));
        !self.is_total
            && a != b
            && (excludes()
                || !disables(a, b)
                    && !disables(b, a)
                    && accord::commute(&self.effects[a], &self.effects[b], self.loses_messages))
    }

    /// Iterates over the transitions that can make a false conjunct true.
    pub fn enablers(&self, conjunct: &Conjunct) -> impl Iterator<Item = SystemTransitionId> {
        let enables = move |id: &SystemTransitionId| {
            self.is_total || self.effects[id.index()].may_change(conjunct, true)
        };
        (0..self.n_transitions()).map(SystemTransitionId::new).filter(enables)
    }

    /// Returns whether a transition can make a true conjunct false.
    pub fn disables(&self, id: SystemTransitionId, conjunct: &Conjunct) -> bool {
        self.is_total || self.effects[id.index()].may_change(conjunct, false)
    }

    /// Returns when a transition ends in an error.
    pub fn error(&self, id: SystemTransitionId) -> &ErrorCondition<'n> {
        &self.errors[id.index()]
    }

    /// Iterates over the transitions of processes that a transition may execute.
    pub fn executes(&self, id: SystemTransitionId) -> impl Iterator<Item = Edge> {
        let edge = |&(instance, transition): &(Instance, TransitionId)| Edge::new(instance, transition);
        self.effects[id.index()].executes.iter().map(edge)
    }

    /// Returns whether a transition may start a process.
    pub fn starts_process(&self, id: SystemTransitionId) -> bool {
        !self.effects[id.index()].starts.is_empty()
    }

    /// Returns whether a transition may move a process away from a location.
    pub fn may_leave(&self, id: SystemTransitionId, process: usize, location: LocationId) -> bool {
        let movement = self.effects[id.index()].movements.get(&process);
        movement.is_some_and(|it| it.from.as_ref().is_none_or(|from| from.contains(&location)))
    }

    /// Returns whether no transitions accord: the model uses `_last`,
    /// priorities or a trace.
    pub fn is_total(&self) -> bool {
        self.is_total
    }

    /// Returns whether a transition can make a false conjunct true.
    pub fn enables(&self, id: SystemTransitionId, conjunct: &Conjunct) -> bool {
        self.is_total || self.effects[id.index()].may_change(conjunct, true)
    }
}
