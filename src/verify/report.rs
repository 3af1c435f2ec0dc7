//! What a check found and what that rests on, as plain data.

use super::engine::{EXPLICIT, Engine, FLOW};
use super::explicit::{Aim, BlockedProcess, Content, Fault, Omissions, Semantics, Spent};
use super::trail::{Step, Trail};
use super::unreached::Unreached;
pub use crate::base::control::{Counters, Stop};
use crate::diag::Diagnostic;
pub use crate::flow::component::Kind;
pub use crate::lang::spec::property::Executions;
pub use crate::search::StageCost;
pub use crate::search::strategy::Claims;
use std::time::Duration;

/// The answer for one property, whichever engine found it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the property.
    pub property: String,
    /// The file that asks for it, as the user knows it: a property file, or
    /// that of the model. Filled in by whoever has read it.
    pub file: String,
    /// What the property says, if its author did.
    pub description: Option<String>,
    /// The file of the model as the user knows it.
    pub model: String,
    /// Constants or macros of the model that were set, with their values.
    pub settings: Vec<(String, String)>,
    /// The answer.
    pub verdict: Verdict,
    /// The strategy as resolved; fed back it repeats the run.
    pub strategy: String,
    /// What the strategy promises.
    pub claims: Claims,
    /// What the search did.
    pub search: SearchCost,
    /// From the first byte read to the verdict.
    pub elapsed: Duration,
    /// Only with [`Verdict::Violated`].
    pub counterexample: Option<Counterexample>,
    /// Remarks: abstractions, dead rendezvous, a hint for a vacuous proof.
    pub notes: Vec<Diagnostic>,
    /// The engine, and what only it can say.
    pub basis: Basis,
}

/// What an answer rests on, by engine.
#[derive(Clone, Debug)]
pub enum Basis {
    /// A path of the trace flow graph was searched for.
    Flow(Box<FlowBasis>),
    /// The states of the model were searched.
    Explicit(Box<ExplicitBasis>),
}

/// What an answer of the flow engine rests on.
#[derive(Clone, Debug)]
pub struct FlowBasis {
    /// Which executions it speaks of.
    pub executions: Executions,
    /// The constraints in use, in order.
    pub constraints: Vec<Constraint>,
    /// The form of the graph as resolved: fed back it repeats the run.
    pub graph_form: String,
    /// The size of the trace flow graph.
    pub graph: GraphSize,
}

/// What an answer of the explicit engine rests on.
#[derive(Clone, Debug)]
pub struct ExplicitBasis {
    /// What was checked.
    pub aim: Aim,
    /// How the model was run.
    pub semantics: Semantics,
    /// What is assumed about the environment, and not checked.
    pub assumptions: Vec<Constraint>,
    /// Were only weakly fair runs considered?
    pub is_fair: bool,
    /// What a store that is not exact may have missed.
    pub omissions: Option<Omissions>,
    /// Did runs end in an error that does not belong to this property?
    pub has_met_fault: bool,
    /// Bytes of one state before it is stored.
    pub state_bytes: usize,
    /// Work that was abandoned before the last start of the search.
    pub spent: Spent,
    /// Statements that are never executed, if all states were seen.
    pub unreached: Option<Vec<Unreached>>,
}

/// The four answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every execution that meets the constraints satisfies the property.
    Holds,
    /// No execution meets the constraints, so nothing was shown.
    HoldsVacuously,
    /// There is a path of the model that meets the constraints and breaks
    /// the property.
    Violated,
    /// The search did not end.
    Undecided(Stop),
}

/// A constraint in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// `task:t1`, `variable:locked`, or the name of a context constraint.
    pub name: String,
    /// Where it comes from.
    pub kind: Kind,
    /// The number of its states, the violation state not counted; 0 if a
    /// limit was reached before it was built.
    pub n_states: usize,
}

/// The size of a trace flow graph, initial and final node not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphSize {
    /// All nodes.
    pub nodes: usize,
    /// Nodes that are a rendezvous.
    pub communication_nodes: usize,
    /// Edges within a task.
    pub control_edges: usize,
    /// May-immediately-precede edges between tasks.
    pub mip_edges: usize,
}

/// What the searches for an answer did; all but the times repeat exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchCost {
    /// Of all searches together.
    pub counters: Counters,
    /// Of each stage, over all searches.
    pub stages: Vec<StageCost>,
    /// Time of the searches alone.
    pub elapsed: Duration,
}

/// A run of the model that breaks the property.
#[derive(Clone, Debug, Default)]
pub struct Counterexample {
    /// Its steps; of the flow engine without initial and final node.
    pub trail: Trail,
    /// Number of steps after which the property is broken whatever follows:
    /// what a person reads first. Only the flow engine goes on after that.
    pub prefix: Option<usize>,
    /// The error at the end, unless the trail is a cycle.
    pub fault: Option<Fault>,
    /// What each process waits for, if no process can move at the end.
    pub blocked: Vec<BlockedProcess>,
    /// What the variables hold at the end.
    pub last: Vec<Content>,
}

impl Counterexample {
    /// Number of steps.
    pub fn length(&self) -> usize {
        self.trail.n_steps
    }
}

impl Report {
    /// What only the flow engine says.
    pub fn flow(&self) -> Option<&FlowBasis> {
        match &self.basis {
            Basis::Flow(basis) => Some(basis),
            Basis::Explicit(_) => None,
        }
    }

    /// What only the explicit engine says.
    pub fn explicit(&self) -> Option<&ExplicitBasis> {
        match &self.basis {
            Basis::Explicit(basis) => Some(basis),
            Basis::Flow(_) => None,
        }
    }

    /// The steps of the counterexample.
    pub fn trail(&self) -> Option<&Trail> {
        self.counterexample.as_ref().map(|it| &it.trail)
    }

    /// Number of steps of the counterexample; 0 without one.
    pub fn n_steps(&self) -> usize {
        self.trail().map_or(0, |it| it.n_steps)
    }

    /// The described steps of the counterexample, each with its position.
    pub fn steps(&self) -> &[(usize, Step)] {
        self.trail().map_or(&[], |it| &it.steps)
    }

    /// What the variables hold at the end of the counterexample.
    pub fn last(&self) -> &[Content] {
        self.counterexample.as_ref().map_or(&[], |it| &it.last)
    }

    /// The error at the end of the counterexample.
    pub fn fault(&self) -> Option<Fault> {
        self.counterexample.as_ref()?.fault
    }

    /// Position at which the cycle of the counterexample begins.
    pub fn cycle(&self) -> Option<usize> {
        self.trail()?.cycle
    }

    /// The constraints in use, in order.
    pub fn constraints(&self) -> &[Constraint] {
        match &self.basis {
            Basis::Flow(basis) => &basis.constraints,
            Basis::Explicit(basis) => &basis.assumptions,
        }
    }
}

impl Basis {
    /// The engine.
    pub fn engine(&self) -> &'static Engine {
        match self {
            Self::Flow(_) => &FLOW,
            Self::Explicit(_) => &EXPLICIT,
        }
    }
}

impl Verdict {
    /// One word or two for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsVacuously => "holds vacuously",
            Self::Violated => "violated",
            Self::Undecided(_) => "undecided",
        }
    }
}
