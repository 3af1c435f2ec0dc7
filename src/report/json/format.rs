//! The JSON document, field by field: serde writes these structs and schemars
//! publishes them. The comments become descriptions in the schema.
#![allow(missing_docs, reason = "a comment that repeats a field's name would only lengthen the schema")]

use super::trail::TrailEntries;
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
    pub results: Vec<PropertyResult>,
    /// Models that were checked as a whole.
    pub models: Vec<ModelResult<'a>>,
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
pub struct PropertyResult {
    pub property: String,
    /// The property file.
    pub file: String,
    pub description: Option<String>,
    pub model: String,
    /// Overridden constants of the model.
    pub settings: BTreeMap<String, i64>,
    pub verdict: Answer,
    /// Did the search end by itself: by a violation or with nothing left?
    pub complete: bool,
    /// What stopped it otherwise.
    pub limit: Option<Limit>,
    pub executions: ExecutionsKind,
    pub constraints: Vec<Constraint>,
    /// Constraints that are not checked: the verdict is relative to them.
    pub assumptions: Vec<String>,
    /// As resolved: fed back it repeats the run.
    pub strategy: String,
    pub claims: Claims,
    pub graph_form: String,
    pub graph: Graph,
    pub search: Search,
    pub counterexample: Option<Counterexample>,
    pub notes: Vec<Remark>,
    pub elapsed_seconds: f64,
}

/// The answer for one property of a model that is searched state by state.
#[derive(Serialize, JsonSchema)]
pub struct ModelResult<'a> {
    pub model: String,
    /// `safety`, `acceptance`, or the name of a claim or formula.
    pub property: String,
    /// The file that asks for it: a property file, or that of the model.
    pub file: String,
    pub kind: ModelPropertyKind,
    /// Do only weakly fair runs count?
    pub fair: bool,
    /// Definitions from the command line.
    pub definitions: BTreeMap<String, String>,
    pub verdict: Answer,
    /// Did the search end by itself: by a violation or with nothing left?
    pub complete: bool,
    /// What stopped it otherwise.
    pub limit: Option<Limit>,
    /// What a store that is not exact may have missed.
    pub coverage: Option<Coverage>,
    /// What is wrong, if it is violated and not by a cycle.
    pub fault: Option<&'static str>,
    pub strategy: String,
    pub claims: Claims,
    pub search: Search,
    /// Bytes of one state before it is stored.
    pub state_bytes: usize,
    /// How often the search began again because states needed more room.
    pub restarts: usize,
    /// States expanded before the last start, and steps of random walks that
    /// look for the room states need.
    pub abandoned: u64,
    /// Did runs end in an error that is none of this property?
    pub met_fault: bool,
    /// The statements from the start to the error, or once round the cycle.
    #[schemars(with = "Vec<TrailEntry>")]
    pub trail: TrailEntries<'a>,
    /// Where in the trail the cycle begins; at its end if nothing moves any
    /// more.
    pub cycle: Option<usize>,
    /// What is never executed, by proctype; nothing if not every state was seen.
    pub unreached: Option<Vec<Unreached>>,
    /// Where each process is blocked, if no process can move at its end.
    pub blocked: Vec<Blocked>,
    /// What the variables hold at its end.
    pub last: BTreeMap<String, String>,
    pub elapsed_seconds: f64,
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

/// What kind of property of a model it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelPropertyKind {
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

/// A statement of a trail.
#[derive(Serialize, JsonSchema)]
pub struct TrailEntry {
    pub process: String,
    pub statement: String,
    pub location: Location,
    /// Who receives, in a rendezvous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// Variables that changed.
    pub changes: BTreeMap<String, String>,
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
    /// All variables after the statement, if `--states` was given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, String>,
}

/// A statement within a `d_step`.
#[derive(Serialize, JsonSchema)]
pub struct InnerEntry {
    /// Counted from one.
    pub number: usize,
    pub statement: String,
    pub location: Location,
    /// Variables that changed.
    pub changes: BTreeMap<String, String>,
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

/// Counts of node-tuples, memory and time.
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

/// A path of the model that breaks the property.
#[derive(Serialize, JsonSchema)]
pub struct Counterexample {
    pub length: usize,
    /// Steps after which the property is broken whatever follows; null if
    /// it is broken only by the end of the execution.
    pub prefix_length: Option<usize>,
    /// The first ten thousand at most.
    pub steps: Vec<Step>,
}

/// One step of a counterexample.
#[derive(Serialize, JsonSchema)]
pub struct Step {
    /// Counted from one.
    pub number: usize,
    /// The task, or caller and acceptor of a rendezvous.
    pub tasks: Vec<String>,
    /// What happens; null for the end of a task.
    pub label: Option<String>,
    /// The event of the property, when it is one.
    pub event: Option<String>,
    pub edge: EdgeKind,
    pub places: Vec<Place>,
    /// Automata whose state changed.
    pub changes: Vec<Change>,
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
#[derive(Serialize, JsonSchema)]
pub struct Place {
    #[serde(flatten)]
    pub location: Location,
    /// The line, without surrounding blanks.
    pub source: String,
    /// Inlined calls that lead there, outermost first.
    pub stack: Vec<Call>,
}

/// An inlined call.
#[derive(Serialize, JsonSchema)]
pub struct Call {
    pub function: String,
    #[serde(flatten)]
    pub location: Location,
}

/// An automaton that changed its state.
#[derive(Serialize, JsonSchema)]
pub struct Change {
    /// `property` or the name of a constraint.
    pub automaton: String,
    pub from: String,
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
