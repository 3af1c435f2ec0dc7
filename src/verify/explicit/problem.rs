//! Problems for the explicit engine.

use super::{Fault, Observer, ObserverKind, Program, SearchResources, Semantics, Sequence};
use crate::explicit::Engine;
use crate::explicit::growing::{ProductViews, SystemViews};
use crate::explicit::heuristics;
use crate::explicit::heuristics::TargetState;
use crate::explicit::layout::{Shape, Widths};
use crate::explicit::overflow::SeparateStorage;
use crate::explicit::reduce::{Irreducible, Reductions, Target, irreducible};
use crate::net::{Network, StepLabels};
use crate::verify::report::Constraint;

/// A property of the runs of a network.
#[derive(Clone, Debug)]
pub struct ExplicitProblem<'a> {
    /// The processes.
    pub network: &'a Network,
    /// The Promela model of the network, if it has one: SPIN can replay its
    /// trails.
    pub promela: Option<&'a Program>,
    /// The property to check.
    pub aim: Aim,
    /// Whether weak fairness is assumed: infinite runs in which a continuously
    /// enabled process never moves are ignored.
    pub is_fair: bool,
    /// Semantics of the processes.
    pub semantics: Semantics,
    /// Store and threads of the search.
    pub resources: SearchResources,
    /// Whether steps are left out that no counterexample needs.
    pub reduction: ReductionChoice,
    /// The assumptions that are part of the aim, for the report.
    pub assumptions: Vec<Constraint>,
    /// Whether irrelevant steps of a counterexample are dropped, unless it is
    /// known to be shortest.
    pub shortens: bool,
    /// What heuristics know besides the property.
    pub marks: Marks<'a>,
}

/// States and locations that a user has marked for heuristics.
#[derive(Clone, Debug, Default)]
pub struct Marks<'a> {
    /// Names of dangerous labels; `*` at the end matches any text.
    pub dangerous: Vec<String>,
    /// Event labels of transitions, for task models.
    pub steps: &'a [StepLabels],
    /// A state to which a distance is estimated.
    pub target: Option<TargetState>,
}

impl<'a> ExplicitProblem<'a> {
    /// Creates a problem about a Promela model with the semantics of SPIN.
    pub fn of_promela(program: &'a Program, aim: Aim) -> Self {
        Self { promela: Some(program), ..Self::new(&program.network, aim) }
    }

    /// Creates a problem about a network.
    pub fn new(network: &'a Network, aim: Aim) -> Self {
        Self {
            network,
            promela: None,
            aim,
            is_fair: false,
            semantics: Semantics::default(),
            resources: SearchResources::default(),
            reduction: ReductionChoice::default(),
            assumptions: Vec::new(),
            shortens: false,
            marks: Marks::default(),
        }
    }

    /// Returns the same problem, in which all steps of every state are searched.
    pub fn without_reduction(self) -> Self {
        Self { reduction: ReductionChoice::None, ..self }
    }
}

/// Which steps of a state are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionChoice {
    /// Those of a stubborn set, where that is possible and worth its cost.
    #[default]
    Auto,
    /// Those of a stubborn set, where that is possible.
    Stubborn,
    /// All.
    None,
}

/// Which steps of a state were searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReductionUsed {
    /// Those of a stubborn set.
    Stubborn,
    /// All, as requested.
    None,
    /// All, for a reason.
    Refused(Irreducible),
}

/// The kinds of properties.
#[derive(Clone, Debug)]
pub enum Aim {
    /// No violated assertions, invalid end states or runtime errors.
    Safety,
    /// No run visits an accept label infinitely often or ends at one.
    Acceptance,
    /// No run is accepted by an observer.
    Observer(Observer),
    /// The events of every run satisfy a property of this name.
    Sequence(String, Box<Sequence>),
}

impl Aim {
    /// Returns the name that reports show.
    pub fn name(&self) -> &str {
        match self {
            Self::Safety => "safety",
            Self::Acceptance => "acceptance",
            Self::Observer(observer) => &observer.name,
            Self::Sequence(name, _) => name,
        }
    }

    /// Returns whether it is a formula.
    pub fn is_formula(&self) -> bool {
        matches!(self, Self::Observer(Observer { kind: ObserverKind::Formula(_), .. }))
    }
}

impl<'a> ExplicitProblem<'a> {
    /// Builds the engine for a shape.
    pub(super) fn engine(&'a self, shape: &Shape) -> Engine<'a> {
        match &self.aim {
            Aim::Sequence(_, sequence) => Engine::following(sequence, self.network, shape),
            _ => Engine::with_observer(self.observer(), self.network, shape),
        }
    }

    /// Returns whether the system is searched without an observer.
    pub(super) fn is_alone(&self) -> bool {
        matches!(self.aim, Aim::Safety | Aim::Sequence(..))
    }

    /// Returns the semantics of the system without an observer.
    pub(super) fn semantics_alone(&self) -> Semantics {
        let is_sequence = matches!(self.aim, Aim::Sequence(..));
        let allows_blocked_end = self.semantics.allows_blocked_end || is_sequence;
        Semantics { allows_blocked_end, ..self.semantics }
    }

    /// Returns the views of a search without an observer.
    pub(super) fn system_views(&self) -> SystemViews {
        SystemViews(self.semantics_alone())
    }

    /// Returns the views of a search with the observer.
    pub(super) fn product_views(&self) -> ProductViews {
        ProductViews { semantics: self.semantics, is_fair: self.is_fair }
    }

    /// Returns whether a state with the fault of this number violates the
    /// property; 0 is no fault.
    pub(super) fn is_goal(&self, fault: i32) -> bool {
        match self.aim {
            Aim::Sequence(..) => fault == Fault::Sequence.number(),
            _ => fault != 0,
        }
    }

    pub(super) fn observer(&self) -> Option<&Observer> {
        match &self.aim {
            Aim::Observer(observer) => Some(observer),
            Aim::Safety | Aim::Acceptance | Aim::Sequence(..) => None,
        }
    }

    /// Returns the reduction of the search, or why it is not reduced.
    pub(super) fn reductions(&self) -> Result<Reductions<'_>, ReductionUsed> {
        if self.reduction == ReductionChoice::None {
            return Err(ReductionUsed::None);
        }
        let target = match &self.aim {
            _ if self.asks_for_cycles() => Err(Irreducible::InfiniteRuns),
            Aim::Acceptance => Err(Irreducible::InfiniteRuns),
            Aim::Safety => Ok(Target::Errors),
            Aim::Observer(observer) => Target::of_observer(self.network, observer),
            Aim::Sequence(_, sequence) => Target::of_sequence(sequence),
        };
        let target = irreducible(self.network).map_or(target, Err).map_err(ReductionUsed::Refused)?;
        Ok(Reductions::new(self.network, self.semantics, target))
    }

    /// Returns what a heuristic needs to know.
    pub(super) fn goal(&self) -> heuristics::Goal<'_> {
        let (aim, executions) = match &self.aim {
            Aim::Safety | Aim::Acceptance => (heuristics::Aim::Errors, None),
            Aim::Observer(observer) => (heuristics::Aim::Observer(observer.template), None),
            Aim::Sequence(_, sequence) => (heuristics::Aim::Sequence, Some(sequence.executions)),
        };
        let Marks { dangerous, steps, target } = &self.marks;
        let semantics = self.semantics;
        heuristics::Goal { aim, semantics, executions, dangerous, steps, target: target.as_ref() }
    }

    /// Returns whether every continuation of some run violates the property, but
    /// only at its end.
    pub(super) fn has_trap(&self) -> bool {
        matches!(&self.aim, Aim::Sequence(_, sequence) if sequence.has_trap())
    }

    /// Returns which states may be stored separately from those of the search.
    pub(super) fn apart(&self) -> SeparateStorage {
        match self.resources {
            SearchResources { store, .. } if store.is_lossy() => SeparateStorage::Never,
            _ if self.is_fair => SeparateStorage::SameProcesses,
            _ => SeparateStorage::Always,
        }
    }

    /// Returns the shape that the search begins with. An inexact store keeps no
    /// words of states, so wide states cost no memory, while a late restart
    /// would cost time.
    pub(super) fn first_shape(&self) -> Shape {
        let mut shape = Shape::of(self.network);
        if let Some(target) = &self.marks.target {
            shape.include(&target.shape);
        }
        match self.resources.store.is_lossy() {
            true => Shape { widths: Widths::whole(), ..shape },
            false => shape,
        }
    }

    /// Returns whether an infinite run can be a counterexample.
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
