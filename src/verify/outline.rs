//! A program as plain data: everything of the intermediate representation
//! that a reader of `trapline graph program --format json` may want.

mod build;

use crate::diag::{Sources, Span};
use schemars::JsonSchema;
use serde::Serialize;

pub use build::outline;

/// A program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Outline {
    /// The symbolic names by set; the plain set first.
    pub mtypes: Vec<Mtype>,
    /// The `typedef`s.
    pub records: Vec<Record>,
    /// The global variables.
    pub globals: Vec<Variable>,
    /// The channels that are made with variables.
    pub channels: Vec<Channel>,
    /// The proctypes, in the order of the text.
    pub processes: Vec<Process>,
}

/// A set of symbolic names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mtype {
    /// Nothing for plain `mtype`.
    pub name: Option<String>,
    /// By value: the first one is worth 1.
    pub names: Vec<String>,
}

/// A `typedef`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// In the order of the text.
    pub fields: Vec<Variable>,
    /// Where it was declared.
    pub place: Place,
}

/// A variable or field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// As declared: `byte`, `unsigned : 3`, `mtype:colour`, the name of a record.
    #[serde(rename = "type")]
    pub ty: String,
    /// Number of elements, if it is an array.
    pub length: Option<u32>,
    /// The values of a scalar or element; nothing for a record.
    pub domain: Option<Domain>,
    /// At the start, as written; `0` if nothing was, nothing for a record.
    pub initial: Option<String>,
    /// Is it a parameter of its proctype?
    pub parameter: bool,
    /// Is it left out of states?
    pub hidden: bool,
    /// Where it was declared.
    pub place: Place,
}

/// The values that a type can hold.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Domain {
    /// The least one.
    pub min: i64,
    /// The largest one.
    pub max: i64,
}

/// A channel that is made with a variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Channel {
    /// The variable: `q`, `r.q`, `P:q`.
    pub variable: String,
    /// How many there are of it: one per element of an array. Those of locals
    /// are made with every process.
    pub count: u64,
    /// Messages at most; 0 for a rendezvous.
    pub capacity: u32,
    /// Types of the fields of a message.
    pub fields: Vec<String>,
    /// Where it was declared.
    pub place: Place,
}

/// A proctype and its control graph.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Process {
    /// Its name; `init` for the initial process.
    pub name: String,
    /// Processes at the start.
    pub active: u32,
    /// The priority.
    pub priority: u32,
    /// What must hold for it to move, as written.
    pub provided: Option<String>,
    /// Parameters first, then the variables of all blocks.
    pub locals: Vec<Variable>,
    /// Processes begin at the first one.
    pub locations: Vec<Location>,
    /// What leads from one to another.
    pub transitions: Vec<Transition>,
    /// Where it was declared.
    pub place: Place,
}

/// A place between two steps.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Location {
    /// As transitions and escapes call it.
    pub id: u32,
    /// The labels that mark it.
    pub labels: Vec<String>,
    /// May a process rest here?
    pub end: bool,
    /// Has it a label of progress?
    pub progress: bool,
    /// Has it a label of acceptance?
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

/// A statement that leads to another location.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Transition {
    /// As locations call it.
    pub id: u32,
    /// Where the process stands then; nothing at its end.
    pub to: Option<u32>,
    /// The location where a `d_step` begins.
    pub d_step: Option<u32>,
    /// As written.
    pub statement: String,
    /// What must hold, as written; nothing if it is always possible. A send or
    /// receive is guard and effect in one.
    pub guard: Option<String>,
    /// What is done, as written; nothing if only the location changes.
    pub effect: Option<String>,
    /// What decides whether it is possible.
    pub guard_reads: Vec<String>,
    /// What decides what it does, the former included.
    pub reads: Vec<String>,
    /// What it may change. The process' own location is read and written by
    /// every transition and not listed.
    pub writes: Vec<String>,
    /// What is done with channels.
    pub operations: Vec<Operation>,
    /// What a partner in a rendezvous adds, whoever it is.
    pub partner: Option<Partner>,
    /// May it end in an error?
    pub may_fail: bool,
    /// Does the process keep control afterwards, within an atomic sequence?
    pub keeps_control: bool,
    /// Where it was written.
    pub place: Place,
}

/// Something done with a channel.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Operation {
    /// `channel q`, or `any channel`.
    pub channel: String,
    /// `send`, `receive`, `len`, `poll` and their like.
    pub operation: String,
}

/// The other side of a rendezvous.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Partner {
    /// What decides whether there is one and what it does.
    pub reads: Vec<String>,
    /// What it may change.
    pub writes: Vec<String>,
}

/// A place in a file; lines and columns are counted from one, columns in
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

/// A statement on one line; the end of a process is its closing brace.
pub fn statement(span: Span, sources: &Sources) -> String {
    let words: Vec<&str> = sources.slice(span).split_whitespace().collect();
    match words.is_empty() || words == ["}"] {
        true => "-end-".to_string(),
        false => words.join(" "),
    }
}
