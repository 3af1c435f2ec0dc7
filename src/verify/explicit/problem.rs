//! What is asked of the explicit engine.

use super::{Observer, ObserverKind, Program, SearchResources, Semantics, Sequence};
use crate::explicit::layout::{Shape, Widths};
use crate::explicit::overflow::Apart;
use crate::net::Network;
use crate::verify::report::Constraint;

/// A property of the runs of a network.
#[derive(Clone, Debug)]
pub struct ExplicitProblem<'a> {
    /// The processes.
    pub network: &'a Network,
    /// The Promela model they are from, if they are: SPIN can follow its trails.
    pub promela: Option<&'a Program>,
    /// What is to be found out about them.
    pub aim: Aim,
    /// Are infinite runs ignored in which a continuously enabled process never
    /// moves?
    pub is_fair: bool,
    /// How they are run.
    pub semantics: Semantics,
    /// How states are remembered, and by how many threads.
    pub resources: SearchResources,
    /// The assumptions that the aim contains, for the report.
    pub assumptions: Vec<Constraint>,
}

impl<'a> ExplicitProblem<'a> {
    /// A problem about a Promela model, run as SPIN runs it.
    pub fn of_promela(program: &'a Program, aim: Aim) -> Self {
        Self { promela: Some(program), ..Self::new(&program.network, aim) }
    }

    /// A problem about a network.
    pub fn new(network: &'a Network, aim: Aim) -> Self {
        Self {
            network,
            promela: None,
            aim,
            is_fair: false,
            semantics: Semantics::default(),
            resources: SearchResources::default(),
            assumptions: Vec::new(),
        }
    }
}

/// What can be found out.
#[derive(Clone, Debug)]
pub enum Aim {
    /// No assertion fails, nothing ends where it must not, nothing goes wrong.
    Safety,
    /// No run passes an accept label again and again or stops at one.
    Acceptance,
    /// An observer never sees what it is looking for.
    Observer(Observer),
    /// Events come in the order that a property of this name wants.
    Sequence(String, Box<Sequence>),
}

impl Aim {
    /// What a user calls it.
    pub fn name(&self) -> &str {
        match self {
            Self::Safety => "safety",
            Self::Acceptance => "acceptance",
            Self::Observer(observer) => &observer.name,
            Self::Sequence(name, _) => name,
        }
    }

    /// Is it a formula?
    pub fn is_formula(&self) -> bool {
        matches!(self, Self::Observer(Observer { kind: ObserverKind::Formula(_), .. }))
    }
}

impl ExplicitProblem<'_> {
    pub(super) fn observer(&self) -> Option<&Observer> {
        match &self.aim {
            Aim::Observer(observer) => Some(observer),
            Aim::Safety | Aim::Acceptance | Aim::Sequence(..) => None,
        }
    }

    /// Which states may be kept apart from those of the search?
    pub(super) fn apart(&self) -> Apart {
        match self.resources {
            SearchResources { store, .. } if store.is_lossy() => Apart::Never,
            _ if self.is_fair => Apart::SameProcesses,
            _ => Apart::Always,
        }
    }

    /// The shape that the search begins with. A store that is not exact keeps
    /// no words of states: wide ones cost it no memory, and beginning again late
    /// would cost it more.
    pub(super) fn first_shape(&self) -> Shape {
        let shape = Shape::of(self.network);
        match self.resources.store.is_lossy() {
            true => Shape { widths: Widths::whole(), ..shape },
            false => shape,
        }
    }

    /// Can an infinite run be a counterexample?
    pub(super) fn asks_for_cycles(&self) -> bool {
        let accepts =
            |index: usize| self.network.templates[index].graph.locations.iter().any(|it| it.is_accept);
        match &self.aim {
            Aim::Safety | Aim::Sequence(..) => false,
            Aim::Acceptance => true,
            Aim::Observer(observer) => match observer.kind {
                ObserverKind::Formula(_) => accepts(observer.template.index()),
                ObserverKind::Claim => {
                    let is_other = |index: usize| {
                        self.network.observers.iter().any(|it| it.template.index() == index && it != observer)
                    };
                    (0..self.network.templates.len()).any(|index| !is_other(index) && accepts(index))
                }
            },
        }
    }
}
