//! A program as plain data, for `trapline graph program --format json`.

mod build;

use crate::diag::{Sources, Span};
use schemars::JsonSchema;
use serde::Serialize;

pub use build::outline;

/// A program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Outline {
    /// The `mtype` declarations; plain `mtype` is the first.
    pub mtypes: Vec<Mtype>,
    /// The `typedef`s.
    pub records: Vec<Record>,
    /// The global variables.
    pub globals: Vec<Variable>,
    /// The channels that are declared with variables.
    pub channels: Vec<Channel>,
    /// The proctypes, in the order of the text.
    pub processes: Vec<Process>,
}

/// An `mtype` with its names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mtype {
    /// The name of the `mtype`; null for plain `mtype`.
    pub name: Option<String>,
    /// The names in the order of their values; the first has the value 1.
    pub names: Vec<String>,
}

/// A `typedef`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// The fields, in the order of the text.
    pub fields: Vec<Variable>,
    /// Location of the declaration.
    pub place: Place,
}

/// A variable or field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Type as declared: `byte`, `unsigned : 3`, `mtype:colour`, the name of a
    /// record.
    #[serde(rename = "type")]
    pub ty: String,
    /// Number of elements, if it is an array.
    pub length: Option<u32>,
    /// Range of a scalar or element; null for a record.
    pub domain: Option<Domain>,
    /// Initial value as written, `0` by default; null for a record.
    pub initial: Option<String>,
    /// Whether it is a parameter of its proctype.
    pub parameter: bool,
    /// Whether it is not part of states.
    pub hidden: bool,
    /// Location of the declaration.
    pub place: Place,
}

/// The range of a type.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Domain {
    /// The smallest value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
}

/// A channel that is declared with a variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Channel {
    /// The variable: `q`, `r.q`, `P:q`.
    pub variable: String,
    /// Number of channels: one per element of an array. Channels of locals are
    /// created with every process.
    pub count: u64,
    /// Maximum number of messages; 0 for a rendezvous.
    pub capacity: u32,
    /// Types of the fields of a message.
    pub fields: Vec<String>,
    /// Location of the declaration.
    pub place: Place,
}

/// A proctype and its control graph.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Process {
    /// Its name; `init` for the initial process.
    pub name: String,
    /// Number of processes that are active initially.
    pub active: u32,
    /// The priority.
    pub priority: u32,
    /// The `provided` clause as written.
    pub provided: Option<String>,
    /// Parameters first, then the variables of all blocks.
    pub locals: Vec<Variable>,
    /// The locations; processes begin at the first one.
    pub locations: Vec<Location>,
    /// The transitions between locations.
    pub transitions: Vec<Transition>,
    /// Location of the declaration.
    pub place: Place,
}

/// A location of a control graph.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Location {
    /// The number by which transitions and escapes refer to it.
    pub id: u32,
    /// The labels that mark it.
    pub labels: Vec<String>,
    /// Whether it is a valid end state.
    pub end: bool,
    /// Whether it has a progress label.
    pub progress: bool,
    /// Whether it has an accept label.
    pub accept: bool,
    /// The atomic sequence it is in, by number.
    pub atomic: Option<u32>,
    /// The `d_step` it is in, by number.
    pub d_step: Option<u32>,
    /// Locations of escapes that are tried first, outermost first.
    pub escapes: Vec<u32>,
    /// Transitions that leave it, in the order in which they are tried.
    pub transitions: Vec<u32>,
    /// The first statement here.
    pub place: Place,
}

/// A transition between locations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Transition {
    /// The number by which locations refer to it.
    pub id: u32,
    /// The next location; null at the end of the process.
    pub to: Option<u32>,
    /// The location where a `d_step` begins.
    pub d_step: Option<u32>,
    /// The statement as written.
    pub statement: String,
    /// The guard as written; null if the transition is always enabled. A send
    /// or receive is both guard and effect.
    pub guard: Option<String>,
    /// The effect as written; null if only the location changes.
    pub effect: Option<String>,
    /// What the guard reads.
    pub guard_reads: Vec<String>,
    /// What guard and effect read.
    pub reads: Vec<String>,
    /// What the effect may write. Every transition reads and writes the
    /// location of its own process, which is not listed.
    pub writes: Vec<String>,
    /// The operations on channels.
    pub operations: Vec<Operation>,
    /// What the partner of a rendezvous adds, for all possible partners.
    pub partner: Option<Partner>,
    /// Whether it can end in an error.
    pub may_fail: bool,
    /// Whether the process keeps control after it, inside an atomic sequence.
    pub keeps_control: bool,
    /// Location of the statement.
    pub place: Place,
}

/// An operation on a channel.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Operation {
    /// `channel q`, or `any channel`.
    pub channel: String,
    /// The name of the operation: `send`, `receive`, `len`, `poll` and others.
    pub operation: String,
}

/// The other side of a rendezvous.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Partner {
    /// What the guard and effect of the partner read.
    pub reads: Vec<String>,
    /// What the effect of the partner may write.
    pub writes: Vec<String>,
}

/// A position in a file; lines and columns are counted from one, columns in
/// characters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Place {
    /// The file.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Place {
    fn new(span: Span, sources: &Sources) -> Self {
        let position = sources.position(span);
        Self { file: sources.get(span.source).name.clone(), line: position.line, column: position.column }
    }
}

/// Returns a statement on one line; the end of a process is its closing brace.
pub fn statement(span: Span, sources: &Sources) -> String {
    let words: Vec<&str> = sources.slice(span).split_whitespace().collect();
    match words.is_empty() || words == ["}"] {
        true => "-end-".to_string(),
        false => words.join(" "),
    }
}
