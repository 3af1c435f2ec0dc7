//! The effective options of a run, recorded in reports so that a verdict can be
//! repeated.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The effective configuration of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Configuration {
    /// The property files, in the order they were read.
    pub files: Vec<String>,
    /// Only properties whose name matches are checked.
    pub property_filter: Option<String>,
    /// A model that replaces the one the property files name.
    pub model: Option<String>,
    /// Constants of the model set on the command line.
    pub settings: BTreeMap<String, i64>,
    /// Constraints of the command line, in order.
    pub constraints: Vec<String>,
    /// Are the constraints named in the property files used too?
    pub default_constraints: bool,
    /// `auto` or a search strategy.
    pub strategy: String,
    /// `complete`, `prefixes`, or null where each property decides.
    pub executions: Option<String>,
    /// The engine for task models: `flow` or `explicit`.
    pub engine: String,
    /// The form of the trace flow graph as asked for.
    pub graph: String,
    /// When the graph itself serves as a constraint.
    pub adjacency: String,
    /// Whether the explicit engine confirms counterexamples of the flow engine: `auto`, `never` or
    /// `always`.
    pub confirm: String,
    /// Node-tuples after which a search gives up.
    pub max_states: Option<u64>,
    /// Bytes after which a search gives up.
    pub max_memory_bytes: Option<u64>,
    /// Time after which the check of one property gives up.
    pub timeout_seconds: Option<f64>,
    /// What only Promela models understand.
    pub promela: PromelaConfiguration,
}

/// How Promela models were looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PromelaConfiguration {
    /// Macros of the command line.
    pub definitions: BTreeMap<String, String>,
    /// Formulas of the command line.
    pub ltl: Vec<String>,
    /// Invariants of the command line.
    pub invariants: Vec<String>,
    /// Were acceptance cycles looked for?
    pub acceptance: bool,
    /// Were cycles without progress looked for?
    pub progress: bool,
    /// Do only fair runs count?
    pub fair: bool,
    /// Labels that the heuristic `dangerous` approaches.
    pub dangerous: Vec<String>,
    /// The trail whose last state heuristics approach.
    pub target: Option<String>,
    /// Errors that count as none: `assertions`, `end-states`, `promises`.
    pub ignored: Vec<String>,
    /// Does a run end well only where no message waits?
    pub empty_channels: bool,
    /// Does a full channel lose messages?
    pub lose_messages: bool,
    /// Is the inner escape of nested `unless` tried first?
    pub inner_unless_first: bool,
    /// How states were remembered.
    pub store: String,
    /// Threads for breadth-first search.
    pub threads: u16,
    /// Which steps of a state were searched: `auto`, `stubborn` or `none`.
    pub reduction: String,
}
