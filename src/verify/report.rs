//! The result of a check and what it depends on, as plain data.

pub use super::confirm::ConfirmBudget;
use super::engine::{EXPLICIT, Engine, FLOW};
use super::explicit::{
    Aim, BlockedProcess, Content, Fault, Obstacle, Omissions, ReductionUsed, Semantics, Spent,
};
use super::flow::Witness;
use super::trail::{Step, Trail};
use super::unreached::Unreached;
pub use crate::base::control::{Counters, Stop};
use crate::diag::{Diagnostic, Span};
pub use crate::flow::component::Kind;
pub use crate::lang::spec::property::Executions;
pub use crate::search::StageCost;
pub use crate::search::strategy::Claims;
use std::time::Duration;

/// The verdict for one property, from any engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the property.
    pub property: String,
    /// The file of the property, as the user typed it: a property file or a
    /// model. The caller, who has read the file, fills it in.
    pub file: String,
    /// The description of the property, if its author gave one.
    pub description: Option<String>,
    /// The file of the model, as the user typed it.
    pub model: String,
    /// Constants or macros of the model that were set, with their values.
    pub settings: Vec<(String, String)>,
    /// The verdict.
    pub verdict: Verdict,
    /// The strategy with presets resolved; the same text repeats the run.
    pub strategy: String,
    /// Guarantees of the strategy.
    pub claims: Claims,
    /// Cost of the search.
    pub search: SearchCost,
    /// Time from reading the first byte to the verdict.
    pub elapsed: Duration,
    /// The counterexample, only with [`Verdict::Violated`] and
    /// [`Verdict::Inconclusive`].
    pub counterexample: Option<Counterexample>,
    /// Remarks: abstractions, dead rendezvous, a hint for a vacuous proof.
    pub notes: Vec<Diagnostic>,
    /// The judgement of the explicit engine on a counterexample of the flow
    /// engine, if there is one.
    pub confirmation: Option<Box<Confirmation>>,
    /// The engine, with the details that only this engine has.
    pub basis: Basis,
}

/// What a verdict depends on, by engine.
#[derive(Clone, Debug)]
pub enum Basis {
    /// From a search for a path of the trace flow graph.
    Flow(Box<FlowBasis>),
    /// From a search through the states of the model.
    Explicit(Box<ExplicitBasis>),
}

/// What a verdict of the flow engine depends on.
#[derive(Clone, Debug)]
pub struct FlowBasis {
    /// The executions that must satisfy the property.
    pub executions: Executions,
    /// The constraints in use, in order.
    pub constraints: Vec<Constraint>,
    /// The resolved form of the graph; `--graph` with this text repeats the
    /// run.
    pub graph_form: String,
    /// The size of the trace flow graph.
    pub graph: GraphSize,
}

/// What a verdict of the explicit engine depends on.
#[derive(Clone, Debug)]
pub struct ExplicitBasis {
    /// The checked property.
    pub aim: Aim,
    /// The semantics used.
    pub semantics: Semantics,
    /// Assumptions about the environment, which are not checked.
    pub assumptions: Vec<Constraint>,
    /// Whether weak fairness was assumed.
    pub is_fair: bool,
    /// States that an inexact store may have missed.
    pub omissions: Option<Omissions>,
    /// Whether some runs ended in an error that another property reports.
    pub has_met_fault: bool,
    /// Bytes of one state before compression.
    pub state_bytes: usize,
    /// Work that was abandoned before the last start of the search.
    pub spent: Spent,
    /// Which steps were searched.
    pub reduction: ReductionUsed,
    /// Statements that are never executed, if every state was visited.
    pub unreached: Option<Vec<Unreached>>,
    /// How the counterexample was made shorter, if it was tried.
    pub improvement: Option<Improvement>,
}

/// How a counterexample was made shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Improvement {
    /// Its length before.
    pub before: TrailLength,
    /// Its length now.
    pub after: TrailLength,
    /// What was done, in order.
    pub actions: Vec<ImproveAction>,
    /// Whether no shorter run ends in the same kind of error, or in the same
    /// state if that was requested.
    pub is_shortest: bool,
    /// Whether it had to end in the same state.
    pub same_state: bool,
    /// Whether the error is another one than before: of another kind, or at
    /// another statement.
    pub is_other_error: bool,
    /// The limit that ended the work, if one did.
    pub stopped: Option<Stop>,
}

/// The length of a counterexample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrailLength {
    /// Number of steps.
    pub steps: usize,
    /// Number of statements: a rendezvous of Promela has two.
    pub statements: usize,
    /// Number of steps before the cycle, if it has one.
    pub prefix: Option<usize>,
    /// Number of times that another process moves than before.
    pub switches: usize,
}

/// One way of making a counterexample shorter, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImproveAction {
    /// The way.
    pub how: ImproveHow,
    /// Number of statements afterwards.
    pub statements: usize,
    /// Number of states whose successors were computed.
    pub n_expanded: u64,
    /// Whether it was completed within its budget.
    pub is_complete: bool,
}

/// The ways of making a counterexample shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImproveHow {
    /// Parts between two visits of a state were cut out.
    Loops,
    /// Steps at which no later step looks were dropped.
    Drop,
    /// Groups of steps were removed while the rest replays.
    Minimise,
    /// Other runs were searched.
    Search,
    /// Independent steps were reordered so that the process changes less often.
    Switches,
}

impl ImproveHow {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loops => "loops",
            Self::Drop => "drop",
            Self::Minimise => "minimise",
            Self::Search => "search",
            Self::Switches => "switches",
        }
    }
}

/// The five verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every execution that satisfies the constraints satisfies the property.
    Holds,
    /// No execution satisfies the constraints, so nothing was proved.
    HoldsVacuously,
    /// An execution violates the property. If the flow engine's counterexamples
    /// are not to be confirmed: a path of the graph that satisfies the
    /// constraints violates it.
    Violated,
    /// A path of the graph violates the property, but the explicit engine did
    /// not find out within its budget whether an execution does.
    Inconclusive,
    /// A limit stopped the search.
    Undecided(Stop),
}

/// The judgement of the explicit engine on a counterexample of the flow engine.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// What the explicit engine found.
    pub outcome: Outcome,
    /// The report of the engine that did not decide: of the flow engine if the
    /// explicit engine confirmed or refuted the violation, else of the explicit
    /// engine, if it searched at all.
    pub other: Option<Box<Report>>,
    /// Whether an execution has the events of the counterexample in their order;
    /// `None` if this is unknown.
    pub is_execution: Option<bool>,
    /// The first step of the counterexample that cannot happen.
    pub impossible: Option<ImpossibleStep>,
    /// A rule that rejects the counterexample, if no task and no variable does.
    pub learned: Option<Learned>,
    /// Constraints with which the flow engine proves a property whose
    /// counterexample was refuted, if they were found with little effort.
    pub proof: Option<ProvingSet>,
    /// The budget of the explicit engine; no limit of its own if `None`.
    pub budget: Option<ConfirmBudget>,
    /// Time of the explicit engine, for all of its searches.
    pub elapsed: Duration,
}

/// Constraints with which the flow engine proves a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvingSet {
    /// The constraints beside those in use, as the command line writes them.
    pub constraints: Vec<String>,
    /// Whether none of them can be left out.
    pub is_minimal: bool,
}

/// A rule about the order of events that rejects a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// Its name, also of its file without the ending.
    pub name: String,
    /// Its constraint file.
    pub text: String,
    /// Whether every execution satisfies it; otherwise it is an assumption.
    pub is_proved: bool,
}

/// What the explicit engine found about a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An execution violates the property.
    Confirmed,
    /// No execution violates it: every state was visited.
    Refuted,
    /// The budget, or a limit of the run, ended the search.
    Stopped(Stop),
    /// The explicit engine does not support the model.
    Refused(String),
}

/// The first step of a counterexample that cannot happen after the steps before
/// it, whatever else happens between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleStep {
    /// Its number, from 1; the number of steps plus one if only the end is not
    /// possible.
    pub step: usize,
    /// Why each task that takes part is not ready for it, in one of the states
    /// that come closest.
    pub reasons: Vec<Reason>,
}

/// Why a task is not ready for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The condition or guard of the statement is false.
    False {
        /// The task.
        task: String,
        /// The statement.
        span: Span,
        /// Whether it is the guard of an alternative.
        is_guard: bool,
        /// Whether the task has to pass the statement before it can take part.
        is_before: bool,
        /// The variables that the condition reads, with their values.
        values: Vec<Content>,
    },
    /// The task has to take the `else` of a `select!`, but another alternative is
    /// possible.
    Else {
        /// The task.
        task: String,
        /// The `else`.
        span: Span,
    },
    /// The task is at other statements.
    Elsewhere {
        /// The task.
        task: String,
        /// The statements.
        at: Vec<Span>,
    },
    /// A lock, a semaphore or a channel is not ready.
    Blocked {
        /// The task.
        task: String,
        /// Why the statement is blocked.
        obstacle: Obstacle,
    },
}

/// A constraint in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// `task:t1`, `variable:locked`, or the name of a context constraint.
    pub name: String,
    /// What it is generated from.
    pub kind: Kind,
    /// The number of its states without the violation state; 0 if a limit was
    /// reached before it was built.
    pub n_states: usize,
}

/// The size of a trace flow graph, without initial and final node.
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

/// The cost of all searches for a verdict; everything but the times is
/// deterministic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchCost {
    /// Counters of all searches together.
    pub counters: Counters,
    /// Cost of each stage, summed over all searches.
    pub stages: Vec<StageCost>,
    /// Time of the searches alone.
    pub elapsed: Duration,
}

/// A run of the model that violates the property.
#[derive(Clone, Debug, Default)]
pub struct Counterexample {
    /// Its steps, without the initial and final node of the flow engine.
    pub trail: Trail,
    /// Number of steps after which every continuation violates the property.
    /// Only counterexamples of the flow engine continue after that.
    pub prefix: Option<usize>,
    /// The error at the end, unless the trail is a cycle.
    pub fault: Option<Fault>,
    /// What each process is blocked at, if no process can move at the end.
    pub blocked: Vec<BlockedProcess>,
    /// Values of the variables at the end.
    pub last: Vec<Content>,
    /// Constraints that reject it; only for the flow engine, and not for very
    /// long counterexamples.
    pub proposals: Option<Proposals>,
}

/// Constraints that reject a counterexample of the flow engine.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// Sets of constraints, the best first.
    pub rejecting: Vec<Proposal>,
    /// Sets of constraints that reject further counterexamples with the first
    /// of `rejecting`, for a refinement.
    pub further: Vec<(Proposal, Witness)>,
    /// The counterexample, to test other constraints on it; only for a
    /// refinement.
    pub witness: Option<Witness>,
    /// Named sets of tasks and variables, the best first.
    pub sets: Vec<NamedProposal>,
    /// Constraint files, and sets with constraint files: assumptions about the
    /// environment, which are not checked.
    pub assumptions: Vec<NamedProposal>,
    /// Whether every task, variable, set and file was tested within the budget.
    pub is_complete: bool,
}

/// A constraint file or a set of constraints that rejects a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProposal {
    /// Its name on the command line: `FILE.yaml` or `FILE.yaml#SET`.
    pub name: String,
    /// The constraints that it adds.
    pub proposal: Proposal,
}

/// Additional constraints that reject a counterexample together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Number of the first step that cannot happen, from 1; the number of steps
    /// plus one if only the end is not possible.
    pub step: usize,
}

impl Proposal {
    /// Returns the names of the constraints.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.constraints.iter().map(|it| &it.name)
    }

    /// Returns the factor by which the constraints can multiply the number of
    /// node-tuples.
    pub fn n_states(&self) -> usize {
        self.constraints.iter().fold(1, |product, it| product.saturating_mul(it.n_states))
    }
}

impl Counterexample {
    /// Returns the number of steps.
    pub fn length(&self) -> usize {
        self.trail.n_steps
    }
}

impl Report {
    /// Returns the details of the flow engine.
    pub fn flow(&self) -> Option<&FlowBasis> {
        match &self.basis {
            Basis::Flow(basis) => Some(basis),
            Basis::Explicit(_) => None,
        }
    }

    /// Returns the details of the explicit engine.
    pub fn explicit(&self) -> Option<&ExplicitBasis> {
        match &self.basis {
            Basis::Explicit(basis) => Some(basis),
            Basis::Flow(_) => None,
        }
    }

    /// Returns the steps of the counterexample.
    pub fn trail(&self) -> Option<&Trail> {
        self.counterexample.as_ref().map(|it| &it.trail)
    }

    /// Returns the number of steps of the counterexample, or 0 without one.
    pub fn n_steps(&self) -> usize {
        self.trail().map_or(0, |it| it.n_steps)
    }

    /// Returns the described steps of the counterexample, each with its
    /// position.
    pub fn steps(&self) -> &[(usize, Step)] {
        self.trail().map_or(&[], |it| &it.steps)
    }

    /// Returns the values of the variables at the end of the counterexample.
    pub fn last(&self) -> &[Content] {
        self.counterexample.as_ref().map_or(&[], |it| &it.last)
    }

    /// Returns the error at the end of the counterexample.
    pub fn fault(&self) -> Option<Fault> {
        self.counterexample.as_ref()?.fault
    }

    /// Returns the position at which the cycle of the counterexample begins.
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
    /// Returns the engine.
    pub fn engine(&self) -> &'static Engine {
        match self {
            Self::Flow(_) => &FLOW,
            Self::Explicit(_) => &EXPLICIT,
        }
    }
}

impl Verdict {
    /// Returns the name that reports show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsVacuously => "holds vacuously",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
            Self::Undecided(_) => "undecided",
        }
    }
}
