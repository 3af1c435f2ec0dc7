//! The JSON document, field by field: serde writes these structs and schemars
//! publishes them. The comments become descriptions in the schema.
#![allow(missing_docs, reason = "a comment that repeats a field's name would only lengthen the schema")]

use super::steps::Steps;
use crate::report::configuration::Configuration;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of one run of `trapline check`.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    pub schema_version: u32,
    pub tool: Tool,
    pub configuration: Configuration,
    /// The worst verdict of all results.
    pub verdict: Answer,
    /// The exit code of the process: 0 holds, 1 violated, 2 bad input,
    /// 3 undecided or vacuous.
    pub exit_code: u8,
    pub counts: Counts,
    /// One per property that was checked, in the order of the input.
    pub results: Vec<PropertyResult<'a>>,
    /// Properties or files that could not be checked.
    pub unchecked: Vec<String>,
    /// The reasons, with their locations.
    pub diagnostics: Vec<Remark>,
    pub elapsed_seconds: f64,
}

/// The program that wrote the document.
#[derive(Serialize, JsonSchema)]
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

/// A verdict.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Every execution that satisfies the constraints satisfies the property.
    Holds,
    /// No execution satisfies the constraints: nothing was proved.
    HoldsVacuously,
    /// An execution of the model violates the property, or a path of the trace flow graph that
    /// was not to be confirmed.
    Violated,
    /// A path of the trace flow graph violates the property; whether an execution does is unknown.
    Inconclusive,
    /// A limit was reached first.
    Undecided,
    /// The input could not be used.
    Error,
}

/// The number of properties per verdict.
#[derive(Serialize, JsonSchema, Default)]
pub struct Counts {
    pub holds: usize,
    pub holds_vacuously: usize,
    pub violated: usize,
    pub inconclusive: usize,
    pub undecided: usize,
    pub unchecked: usize,
}

/// The verdict for one property and what it depends on.
#[derive(Serialize, JsonSchema)]
pub struct PropertyResult<'a> {
    /// `safety`, `acceptance`, or the name of a property, claim or formula.
    pub property: String,
    /// The file of the property: a property file or a model.
    pub file: String,
    pub description: Option<String>,
    pub kind: PropertyKind,
    pub model: String,
    /// Constants or macros of the model that were set.
    pub settings: BTreeMap<String, String>,
    /// The engine that was used; the field with its name has the details of this engine.
    pub engine: EngineName,
    pub verdict: Answer,
    /// Whether the search ended with a violation or visited everything, without reaching a limit.
    pub complete: bool,
    /// The limit that stopped the search, if any.
    pub limit: Option<Limit>,
    /// The strategy with presets resolved; `--strategy` with this text repeats the run.
    pub strategy: String,
    pub claims: Claims,
    pub search: Search,
    /// Details of the flow engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// Details of the explicit engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explicit: Option<Explicit>,
    pub counterexample: Option<Counterexample<'a>>,
    /// The judgement of the explicit engine on a counterexample of the flow engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation<'a>>,
    pub notes: Vec<Remark>,
    pub elapsed_seconds: f64,
}

/// The judgement of the explicit engine on a counterexample of the flow engine.
#[derive(Serialize, JsonSchema)]
pub struct Confirmation<'a> {
    pub outcome: OutcomeName,
    /// The limit that ended the search, or why the explicit engine cannot search the model.
    pub why: Option<String>,
    /// Whether an execution has the events of the counterexample in their order; null if this is unknown.
    pub execution: Option<bool>,
    /// The first step of the counterexample that cannot happen.
    pub impossible: Option<ImpossibleStep>,
    /// A rule that rejects the counterexample, if no task and no variable does.
    pub learned: Option<LearnedRule>,
    /// Constraints with which the flow engine proves the property, if its counterexample was refuted
    /// and they were found with little effort.
    pub proof: Option<ProvingSet>,
    /// The budget of the explicit engine; null if it has only the limits of the run.
    pub budget: Option<Budget>,
    /// The search of the engine that did not decide.
    pub search: Option<Search>,
    /// What the search of the flow engine depends on, if the explicit engine decided.
    pub flow: Option<Flow>,
    /// The counterexample of the flow engine, if the explicit engine decided.
    pub path: Option<Counterexample<'a>>,
    pub elapsed_seconds: f64,
}

/// Constraints with which the flow engine proves a property.
#[derive(Serialize, JsonSchema)]
pub struct ProvingSet {
    /// The constraints beside those in use.
    pub constraints: Vec<String>,
    /// The same as arguments of the command line.
    pub arguments: String,
    /// Whether none of them can be left out.
    pub minimal: bool,
}

/// What the explicit engine found about a counterexample of the flow engine.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeName {
    /// An execution violates the property.
    Confirmed,
    /// No execution violates it.
    Refuted,
    /// The budget or a limit ended the search.
    Stopped,
    /// The explicit engine does not support the model.
    Refused,
}

/// The first step of a counterexample that cannot happen after the steps before it.
#[derive(Serialize, JsonSchema)]
pub struct ImpossibleStep {
    /// Its number, from 1; the number of steps plus one if only the end is not possible.
    pub step: usize,
    /// Why, as sentences.
    pub reasons: Vec<String>,
}

/// A rule about the order of events that rejects a counterexample.
#[derive(Serialize, JsonSchema)]
pub struct LearnedRule {
    pub name: String,
    /// Whether every execution satisfies it; otherwise it is an assumption.
    pub proved: bool,
    /// Its constraint file.
    pub text: String,
}

/// The budget of the explicit engine for one counterexample.
#[derive(Serialize, JsonSchema)]
pub struct Budget {
    pub states: u64,
    pub bytes: u64,
    /// The time limit. Not a measurement.
    pub seconds: f64,
}

/// The engine that computes the verdict.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EngineName {
    /// Searches paths of the trace flow graph that satisfy the constraints.
    Flow,
    /// Searches every reachable state of the model.
    Explicit,
}

/// What a verdict of the flow engine depends on.
#[derive(Serialize, JsonSchema)]
pub struct Flow {
    pub executions: ExecutionsKind,
    pub constraints: Vec<Constraint>,
    /// Constraints that are not checked: the verdict is relative to them.
    pub assumptions: Vec<String>,
    pub graph_form: String,
    pub graph: Graph,
}

/// What a verdict of the explicit engine depends on.
#[derive(Serialize, JsonSchema)]
pub struct Explicit {
    /// Whether weak fairness was assumed.
    pub fair: bool,
    /// Constraints that are not checked: the verdict is relative to them.
    pub assumptions: Vec<String>,
    /// The labels of the task model that the property and its assumptions name, for an order of events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// The states that an inexact store may have missed.
    pub coverage: Option<Coverage>,
    /// Bytes of one state before compression.
    pub state_bytes: usize,
    /// The number of restarts because states needed more bits.
    pub restarts: usize,
    /// States expanded before the last restart, and steps of the random walks
    /// that estimate the size of states.
    pub abandoned: u64,
    /// Whether some runs ended in an error that another property reports.
    pub met_fault: bool,
    /// Which steps of a state were searched: those of a stubborn set, or all.
    pub reduction: Reduction,
    /// Why all steps were searched; null if they were not, or by request.
    pub reduction_refused: Option<String>,
    /// The statements that are never executed, by proctype; null unless every state was visited by all its steps.
    pub unreached: Option<Vec<Unreached>>,
    /// How the counterexample was made shorter; null if it was not.
    pub improvement: Option<Improved>,
}

/// How a counterexample was made shorter.
#[derive(Serialize, JsonSchema)]
pub struct Improved {
    /// Its length before.
    pub before: TrailLength,
    /// Its length now.
    pub after: TrailLength,
    /// What was done, in order.
    pub actions: Vec<ImproveAction>,
    /// Whether no run with fewer statements ends in the same kind of error, or
    /// in the same state with `--keep state`.
    pub shortest: bool,
    /// Whether the error is now at another statement.
    pub other_error: bool,
    /// The limit that ended the work, if one did.
    pub limit: Option<Limit>,
}

/// The length of a counterexample.
#[derive(Serialize, JsonSchema)]
pub struct TrailLength {
    /// Number of steps.
    pub steps: usize,
    /// Number of statements; a rendezvous of Promela has two.
    pub statements: usize,
    /// Number of steps before the cycle; null if it has none.
    pub prefix: Option<usize>,
    /// Number of steps that another process takes than the step before.
    pub switches: usize,
}

/// One way of making a counterexample shorter, and its result.
#[derive(Serialize, JsonSchema)]
pub struct ImproveAction {
    /// `loops`: parts between two visits of a state were cut out. `drop`: steps
    /// at which no later step looks were dropped. `minimise`: groups of steps
    /// were removed. `search`: other runs were searched. `switches`: independent
    /// steps were reordered.
    pub how: String,
    /// Number of statements afterwards, with one for the end of a blocked run.
    pub statements: usize,
    /// Number of states whose successors were computed.
    pub expanded: u64,
    /// Whether it was completed within its budget.
    pub complete: bool,
}

/// Which steps of a state were searched.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// Those of a stubborn set.
    Stubborn,
    /// All.
    None,
}

/// The coverage of a search with a store that may miss states.
#[derive(Serialize, JsonSchema)]
pub struct Coverage {
    /// The fraction of the generated states that were explored.
    pub ratio: f64,
    /// The expected number of states that were missed because of hash collisions.
    pub expected_omissions: f64,
    /// The hash factor of a bitstate store: bits per stored state.
    pub hash_factor: Option<f64>,
}

/// The kind of a property.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKind {
    /// Assertions, invalid end states and runtime errors.
    Safety,
    /// No cycle through an accept label.
    Acceptance,
    /// A `never` claim.
    Claim,
    /// An LTL formula or an invariant.
    Formula,
    /// A property of event sequences.
    Sequence,
}

/// The statements of a proctype that are never executed.
#[derive(Serialize, JsonSchema)]
pub struct Unreached {
    pub proctype: String,
    /// The number of all statements of the proctype.
    pub n_statements: usize,
    pub statements: Vec<UnreachedStatement>,
}

/// A statement that is never executed.
#[derive(Serialize, JsonSchema)]
pub struct UnreachedStatement {
    pub statement: String,
    pub location: Location,
    pub why: Why,
}

/// Why a statement is never executed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// No path of the control graph leads to it.
    NoPath,
    /// No process ever reaches it.
    NotReached,
    /// A process reaches it, but it is never executable.
    NeverPossible,
}

/// A process that cannot move.
#[derive(Serialize, JsonSchema)]
pub struct Blocked {
    pub process: String,
    /// Whether the process is at a valid end state.
    pub may_end: bool,
    /// The next statements of the process, none of which is executable.
    pub statements: Vec<BlockedEntry>,
}

/// A statement that cannot be executed.
#[derive(Serialize, JsonSchema)]
pub struct BlockedEntry {
    pub statement: String,
    pub location: Location,
    /// Inlined calls that lead there, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Call>,
    /// The reason why it cannot be executed, as text.
    pub why: String,
}

/// One step of a run.
#[derive(Serialize, JsonSchema)]
pub struct Step {
    /// The task or process that moves; for a rendezvous, caller and acceptor or
    /// sender and receiver.
    pub processes: Vec<String>,
    /// The label of a task model, or the statement; null for the end
    /// of a task.
    pub action: Option<String>,
    /// Which alternative of the statement it is, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
    /// The event of the property, if the step is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// How the step follows the previous one; only for the flow engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeKind>,
    /// The source locations, in the order of the processes.
    pub places: Vec<Place>,
    /// Variables and automata that changed.
    pub changes: Vec<Change>,
    /// The output of `printf`, if any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The number of statements executed in a `d_step`, if any; those that it
    /// repeats forever are counted once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_inside: usize,
    /// The number of the first statement that a `d_step` repeats forever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside_cycle: Option<usize>,
    /// The statements of a `d_step`; if there are more than a thousand, the first and the
    /// last five hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<InnerEntry>,
    /// All variables after the step, if `--states` was given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, String>,
}

/// A statement within a `d_step`.
#[derive(Serialize, JsonSchema)]
pub struct InnerEntry {
    /// Counted from one.
    pub number: usize,
    pub action: String,
    pub place: Place,
    /// Variables that changed.
    pub changes: Vec<Change>,
}

/// The limit that stopped a search.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    States,
    Memory,
    Depth,
    /// New states may have been mistaken for visited ones.
    Omissions,
    Time,
    Interrupt,
}

/// The executions that must satisfy a property.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionsKind {
    /// Those in which every task reaches its end.
    Complete,
    /// Every reachable prefix.
    Prefixes,
}

/// A constraint in use.
#[derive(Serialize, JsonSchema)]
pub struct Constraint {
    pub name: String,
    pub kind: Kind,
    pub states: usize,
}

/// The kind of a constraint.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Task,
    Variable,
    Context,
    Adjacency,
}

/// The size of the trace flow graph, initial and final node not counted.
#[derive(Serialize, JsonSchema)]
pub struct Graph {
    pub nodes: usize,
    pub communication_nodes: usize,
    pub control_edges: usize,
    pub mip_edges: usize,
}

/// The guarantees of the strategy.
#[derive(Serialize, JsonSchema)]
pub struct Claims {
    /// A search that finds no violation proves that there is none.
    pub complete: bool,
    /// No counterexample is shorter, counted in steps of tasks or in statements of
    /// processes before the failing one, as in SPIN.
    pub shortest: bool,
    /// No counterexample violates the property earlier.
    pub shortest_prefix: bool,
}

/// The cost of the search, in total and per stage.
#[derive(Serialize, JsonSchema)]
pub struct Search {
    #[serde(flatten)]
    pub work: Work,
    pub stages: Vec<Work>,
}

/// Counts of node-tuples or states, memory and time.
#[derive(Serialize, JsonSchema)]
pub struct Work {
    /// Successors computed, including visited ones.
    pub generated: u64,
    /// Different ones stored.
    pub stored: u64,
    /// Expanded ones, whose successors were computed.
    pub expanded: u64,
    /// Expanded again because a shorter path was found.
    pub reopened: u64,
    /// Dropped because no violation is reachable from them.
    pub dropped: u64,
    /// Length of the longest path explored.
    pub depth: u64,
    pub peak_frontier: u64,
    /// Memory of the visited set and the frontier.
    pub bytes: u64,
    pub elapsed_seconds: f64,
}

/// A run of the model that violates the property.
#[derive(Serialize, JsonSchema)]
pub struct Counterexample<'a> {
    /// The number of steps.
    pub length: usize,
    /// The number of steps after which every continuation violates the property; null if
    /// only the end of the execution violates it, and in results of the explicit
    /// engine, whose counterexamples end with the error.
    pub prefix_length: Option<usize>,
    /// The number of steps before the cycle; the number of all steps if no process moves after them.
    pub cycle: Option<usize>,
    /// The error at the end, as text.
    pub fault: Option<&'static str>,
    /// The steps from the first one on; at most ten thousand for the flow engine.
    #[schemars(with = "Vec<Step>")]
    pub steps: Steps<'a>,
    /// Where each process is blocked, if no process can move at the end.
    pub blocked: Vec<Blocked>,
    /// The values of the variables at the end; only for the explicit engine.
    pub last: BTreeMap<String, String>,
    /// Constraints that reject the counterexample; only for the flow engine, and null for very long
    /// counterexamples.
    pub proposals: Option<Proposals>,
}

/// Constraints that reject a counterexample.
#[derive(Serialize, JsonSchema)]
pub struct Proposals {
    /// Whether every task, variable, set and file was tested within the budget.
    pub complete: bool,
    /// Sets of tasks and variables, the best first.
    pub rejecting: Vec<Proposal>,
    /// Named sets of tasks and variables from the folders `constraints`.
    pub sets: Vec<Proposal>,
    /// Constraint files from the folders `constraints`, and sets with such files. They are
    /// assumptions, which are not checked.
    pub assumptions: Vec<Proposal>,
}

/// Constraints that reject a counterexample together.
#[derive(Serialize, JsonSchema)]
pub struct Proposal {
    /// Arguments of the command line that add them.
    pub arguments: String,
    pub constraints: Vec<Constraint>,
    /// The number of the first step that cannot happen, from 1; the number of steps plus one if only
    /// the end is not possible.
    pub step: usize,
}

/// How a step follows the previous one.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    Start,
    Control,
    Parallel,
}

/// A position in a file; lines and columns are counted from one, columns in
/// characters.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Location {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// The source location of a step.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Place {
    #[serde(flatten)]
    pub location: Location,
    /// The line, without surrounding blanks; omitted where the action is the
    /// statement at this location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Inlined calls that lead there, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Call>,
}

/// An inlined call.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Call {
    pub function: String,
    #[serde(flatten)]
    pub location: Location,
}

/// A variable or automaton that changed.
#[derive(Serialize, JsonSchema)]
pub struct Change {
    /// The variable or channel; `property` or the name of a constraint.
    pub name: String,
    /// The previous value or state; only for the flow engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub to: String,
}

/// A note, a warning or an error.
#[derive(Serialize, JsonSchema)]
pub struct Remark {
    pub code: &'static str,
    pub severity: SeverityName,
    pub message: String,
    pub label: Option<String>,
    pub help: Option<String>,
    pub location: Option<Location>,
    pub related: Vec<Related>,
}

/// The severity of a remark.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeverityName {
    Note,
    Warning,
    Error,
}

/// Another location that explains a remark.
#[derive(Serialize, JsonSchema)]
pub struct Related {
    pub message: String,
    #[serde(flatten)]
    pub location: Location,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
