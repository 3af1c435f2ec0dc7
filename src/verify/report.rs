//! What a check found and what that rests on, as plain data.

pub use crate::base::control::{Counters, Stop};
use crate::diag::{Diagnostic, Span};
pub use crate::flow::component::Kind;
pub use crate::lang::spec::property::Executions;
pub use crate::search::StageCost;
pub use crate::search::strategy::Claims;
use std::time::Duration;

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the property.
    pub property: String,
    /// The file it is written in, as the user knows it; filled in by whoever
    /// has read it.
    pub file: String,
    /// What the property says, if its author did.
    pub description: Option<String>,
    /// The file of the model as the user knows it.
    pub model: String,
    /// The overridden constants of the model.
    pub settings: Vec<(String, i64)>,
    /// The answer.
    pub verdict: Verdict,
    /// Which executions it speaks of.
    pub executions: Executions,
    /// The constraints in use, in order.
    pub constraints: Vec<Constraint>,
    /// The strategy as resolved; fed back it repeats the run.
    pub strategy: String,
    /// What the strategy promises.
    pub claims: Claims,
    /// The form of the graph as resolved: fed back it repeats the run.
    pub graph_form: String,
    /// The size of the trace flow graph.
    pub graph: GraphSize,
    /// What the search did.
    pub search: SearchCost,
    /// From the first byte read to the verdict.
    pub elapsed: Duration,
    /// Only with [`Verdict::Violated`].
    pub counterexample: Option<Counterexample>,
    /// Remarks: abstractions, dead rendezvous, a hint for a vacuous proof.
    pub notes: Vec<Diagnostic>,
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

/// A path of the model that breaks the property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// From the first node on; initial and final node left out.
    pub steps: Vec<Step>,
    /// How many steps more there are, too many to be described.
    pub undescribed: usize,
    /// How many steps lead into the trap, if the property has one: what a
    /// person reads first.
    pub prefix: Option<usize>,
}

/// One node of a counterexample.
#[derive(Clone, Debug)]
pub struct Step {
    /// The task, or caller and acceptor of a rendezvous.
    pub tasks: Vec<String>,
    /// What happens, as a label of the model; `None` for a task's end.
    pub label: Option<String>,
    /// The name of the property's event, when it is one.
    pub event: Option<String>,
    /// Where it is written: one place per task.
    pub places: Vec<Place>,
    /// How this step follows the one before.
    pub edge: EdgeKind,
    /// Automata whose state changed.
    pub changes: Vec<Change>,
}

/// A place in a source with the inlined calls that lead to it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The statement or condition.
    pub span: Span,
    /// Function and place of each inlined call, outermost first.
    pub stack: Vec<(String, Span)>,
}

/// How a step follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// It is the first.
    Start,
    /// In the control flow of a task they share.
    Control,
    /// In another task, by interleaving.
    Parallel,
}

/// An automaton that changed its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `property`, or the name of a constraint.
    pub automaton: String,
    /// The state before.
    pub from: String,
    /// The state after.
    pub to: String,
}

impl Counterexample {
    /// How many steps it has.
    pub fn length(&self) -> usize {
        self.steps.len() + self.undescribed
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
