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
    /// The worst of all results.
    pub verdict: Answer,
    /// The exit code of the process: 0 holds, 1 violated, 2 bad input,
    /// 3 undecided or vacuous.
    pub exit_code: u8,
    pub counts: Counts,
    /// One per property that was checked, in the order of the input.
    pub results: Vec<PropertyResult<'a>>,
    /// Properties or files that could not be checked.
    pub unchecked: Vec<String>,
    /// Why they could not, with places.
    pub diagnostics: Vec<Remark>,
    pub elapsed_seconds: f64,
}

/// Who wrote the document.
#[derive(Serialize, JsonSchema)]
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

/// An answer.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Every execution that meets the constraints satisfies the property.
    Holds,
    /// No execution meets the constraints: nothing was shown.
    HoldsVacuously,
    /// A path of the model breaks the property.
    Violated,
    /// A limit was reached first.
    Undecided,
    /// The input could not be used.
    Error,
}

/// How many properties have which answer.
#[derive(Serialize, JsonSchema, Default)]
pub struct Counts {
    pub holds: usize,
    pub holds_vacuously: usize,
    pub violated: usize,
    pub undecided: usize,
    pub unchecked: usize,
}

/// The answer for one property and what it rests on.
#[derive(Serialize, JsonSchema)]
pub struct PropertyResult<'a> {
    /// `safety`, `acceptance`, or the name of a property, claim or formula.
    pub property: String,
    /// The file that asks for it: a property file, or that of the model.
    pub file: String,
    pub description: Option<String>,
    pub kind: PropertyKind,
    pub model: String,
    /// Constants or macros of the model that were set.
    pub settings: BTreeMap<String, String>,
    /// The engine that was used; the field of this name has what only it says.
    pub engine: EngineName,
    pub verdict: Answer,
    /// Did the search end by itself: by a violation or with nothing left?
    pub complete: bool,
    /// What stopped it otherwise.
    pub limit: Option<Limit>,
    /// As resolved: fed back it repeats the run.
    pub strategy: String,
    pub claims: Claims,
    pub search: Search,
    /// What only the flow engine says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// What only the explicit engine says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explicit: Option<Explicit>,
    pub counterexample: Option<Counterexample<'a>>,
    pub notes: Vec<Remark>,
    pub elapsed_seconds: f64,
}

/// What finds the answer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EngineName {
    /// Paths of the trace flow graph that meet the constraints.
    Flow,
    /// Every reachable state of the model.
    Explicit,
}

/// What an answer of the flow engine rests on.
#[derive(Serialize, JsonSchema)]
pub struct Flow {
    pub executions: ExecutionsKind,
    pub constraints: Vec<Constraint>,
    /// Constraints that are not checked: the verdict is relative to them.
    pub assumptions: Vec<String>,
    pub graph_form: String,
    pub graph: Graph,
}

/// What an answer of the explicit engine rests on.
#[derive(Serialize, JsonSchema)]
pub struct Explicit {
    /// Were only weakly fair runs considered?
    pub fair: bool,
    /// Constraints that are not checked: the verdict is relative to them.
    pub assumptions: Vec<String>,
    /// What a store that is not exact may have missed.
    pub coverage: Option<Coverage>,
    /// Bytes of one state before it is stored.
    pub state_bytes: usize,
    /// How often the search began again because states needed more room.
    pub restarts: usize,
    /// States expanded before the last start, and steps of random walks that
    /// look for the room states need.
    pub abandoned: u64,
    /// Did runs end in an error that does not belong to this property?
    pub met_fault: bool,
    /// What is never executed, by proctype; nothing if not every state was seen.
    pub unreached: Option<Vec<Unreached>>,
}

/// How much of a model was seen by a store that may miss states.
#[derive(Serialize, JsonSchema)]
pub struct Coverage {
    /// Of the states that were met, the part that was looked at.
    pub ratio: f64,
    /// States that were taken for others, as many as are to be expected.
    pub expected_omissions: f64,
    /// Bits per state, where states are bits.
    pub hash_factor: Option<f64>,
}

/// What kind of property it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKind {
    /// Assertions, end states, errors of the run.
    Safety,
    /// No cycle through an accept label.
    Acceptance,
    /// A `never` claim.
    Claim,
    /// A formula of temporal logic, an invariant among them.
    Formula,
    /// An order of events.
    Sequence,
}

/// The statements of a proctype that are never executed.
#[derive(Serialize, JsonSchema)]
pub struct Unreached {
    pub proctype: String,
    /// Of how many in all.
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
    /// No process ever comes to it.
    NotReached,
    /// A process comes to it, but it is never possible.
    NeverPossible,
}

/// A process that cannot move.
#[derive(Serialize, JsonSchema)]
pub struct Blocked {
    pub process: String,
    /// May a run end while the process is here?
    pub may_end: bool,
    /// The statements that could come next.
    pub statements: Vec<BlockedEntry>,
}

/// A statement that cannot be executed.
#[derive(Serialize, JsonSchema)]
pub struct BlockedEntry {
    pub statement: String,
    pub location: Location,
    /// Why it cannot be executed, for people.
    pub why: String,
}

/// One step of a run.
#[derive(Serialize, JsonSchema)]
pub struct Step {
    /// The task or process that acts; in a rendezvous caller and acceptor, or
    /// sender and receiver.
    pub processes: Vec<String>,
    /// What happens: a label of a task model or a statement; null for the end
    /// of a task.
    pub action: Option<String>,
    /// The event of the property, when it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// How the step follows the one before, where the engine knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeKind>,
    /// Where it is written, in the order of the processes.
    pub places: Vec<Place>,
    /// Variables and automata that changed.
    pub changes: Vec<Change>,
    /// What `printf` wrote, if anything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// How many statements a `d_step` has executed, if any; those that it
    /// repeats for ever are counted once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_inside: usize,
    /// The number of the first statement that a `d_step` repeats for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside_cycle: Option<usize>,
    /// The statements of a `d_step`; of more than a thousand the first and the
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

/// What stopped a search.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    States,
    Memory,
    Depth,
    /// New states may have been taken for known ones.
    Omissions,
    Time,
    Interrupt,
}

/// Which executions a property speaks of.
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

/// Where a constraint comes from.
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

/// What the strategy promises.
#[derive(Serialize, JsonSchema)]
pub struct Claims {
    /// Nothing found means nothing there.
    pub complete: bool,
    /// No counterexample is shorter: in steps of tasks, or in statements of
    /// processes before the one that fails, as SPIN counts them.
    pub shortest: bool,
    /// No counterexample breaks the property sooner.
    pub shortest_prefix: bool,
}

/// What the search did, in all and in each stage.
#[derive(Serialize, JsonSchema)]
pub struct Search {
    #[serde(flatten)]
    pub work: Work,
    pub stages: Vec<Work>,
}

/// Counts of node-tuples or states, memory and time.
#[derive(Serialize, JsonSchema)]
pub struct Work {
    /// Computed as successors, known ones included.
    pub generated: u64,
    /// Different ones kept.
    pub stored: u64,
    /// Those whose successors were computed.
    pub expanded: u64,
    /// Expanded again because a shorter path was found.
    pub reopened: u64,
    /// Left out because no violation can follow them.
    pub dropped: u64,
    /// The longest path followed.
    pub depth: u64,
    pub peak_frontier: u64,
    /// Memory of the visited set and of what waits.
    pub bytes: u64,
    pub elapsed_seconds: f64,
}

/// A run of the model that breaks the property.
#[derive(Serialize, JsonSchema)]
pub struct Counterexample<'a> {
    /// How many steps it has.
    pub length: usize,
    /// Steps after which the property is broken whatever follows; null if
    /// only the end of the execution breaks it, and in results of the explicit
    /// engine, whose counterexamples end with the error.
    pub prefix_length: Option<usize>,
    /// After how many steps the cycle begins; all if nothing moves any more.
    pub cycle: Option<usize>,
    /// The error at the end, for people.
    pub fault: Option<&'static str>,
    /// From the first on; of the flow engine ten thousand at most.
    #[schemars(with = "Vec<Step>")]
    pub steps: Steps<'a>,
    /// Where each process is blocked, if no process can move at the end.
    pub blocked: Vec<Blocked>,
    /// What the variables hold at the end, where the engine knows it.
    pub last: BTreeMap<String, String>,
}

/// How a step follows the one before.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    Start,
    Control,
    Parallel,
}

/// A place in a file; line and column are counted from one, columns in
/// characters.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Location {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// Where a step is written.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Place {
    #[serde(flatten)]
    pub location: Location,
    /// The line, without surrounding blanks; left out where the action is the
    /// statement at this place.
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
    /// The value or state before, where the engine knows it.
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

/// How bad it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeverityName {
    Note,
    Warning,
    Error,
}

/// Another place that explains a remark.
#[derive(Serialize, JsonSchema)]
pub struct Related {
    pub message: String,
    #[serde(flatten)]
    pub location: Location,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
