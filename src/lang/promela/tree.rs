//! A Promela model, checked: every name is resolved, every constant is
//! folded, every node knows its place in the text.
//!
//! What SPIN writes as shorthand is written out, in the way SPIN does it, so
//! that a control graph made from the tree has the same steps: a declaration
//! after the first statement is an assignment, `for` and `select` are loops
//! and choices, an inline is its body, a record in a message is its fields.
//! [`Origin`] tells which steps nobody wrote.
//!
//! Evaluation is that of C on `int`; a store truncates to the [`Type`] of the
//! place. Nothing of that is done here, except in expressions the language
//! wants constant.

mod expr;
mod ltl;
mod number;
mod stmt;

use super::Macros;
use crate::define_id;
use crate::diag::Span;

pub use expr::{BinaryOp, ChannelQuery, Expr, ExprKind, FieldStep, Pattern, Place, Root, UnaryOp};
pub use ltl::{Formula, FormulaKind, LtlBlock};
pub use number::Numbers;
pub use stmt::{Asked, BlockKind, Choice, Format, Origin, Receive, Send, Sequence, Statement, StatementKind};

define_id!(
    /// A `typedef` in [`Model::records`].
    RecordId
);
define_id!(
    /// A set of `mtype` names in [`Model::mtypes`].
    MtypeId
);
define_id!(
    /// A variable in [`Model::globals`].
    GlobalId
);
define_id!(
    /// A variable in [`Body::locals`].
    LocalId
);
define_id!(
    /// A label in [`Body::labels`].
    LabelId
);
define_id!(
    /// A proctype in [`Model::proctypes`].
    ProctypeId
);
define_id!(
    /// A field in [`Record::fields`].
    FieldId
);

/// A whole model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The `typedef`s; a record holds only records before it.
    pub records: Vec<Record>,
    /// The sets of `mtype` names; the first one is the unnamed set, which may
    /// be empty.
    pub mtypes: Vec<MtypeSet>,
    /// Global variables in the order of the text.
    pub globals: Vec<Variable>,
    /// Proctypes in the order of the text, `init` among them. Processes that
    /// are active from the start are created in this order, so `init` has
    /// process number 0 only if no `active` proctype stands before it.
    pub proctypes: Vec<Proctype>,
    /// `never` claims.
    pub claims: Vec<Claim>,
    /// `ltl` blocks.
    pub ltl: Vec<LtlBlock>,
    /// `trace` and `notrace` bodies; SPIN allows one.
    pub traces: Vec<Trace>,
    /// Definitions that stand at the end of the text, for formulas from
    /// elsewhere that use them.
    pub macros: Macros,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name.
    pub name: String,
    /// Where the name stands in its declaration.
    pub span: Span,
    /// Its fields; initial values belong to every variable of the type.
    pub fields: Vec<Variable>,
}

/// A set of symbolic names: `mtype = {a, b}` or `mtype:colour = {red}`.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// `None` for plain `mtype`.
    pub name: Option<String>,
    /// The names by value: `names[0]` is worth 1. SPIN numbers each
    /// declaration from its last name to its first and goes on from there
    /// with the next declaration of the same set.
    pub names: Vec<String>,
}

/// A type of a variable, field, parameter or message field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One bit.
    Bit,
    /// One bit.
    Bool,
    /// 0..255.
    Byte,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// The given number of bits without sign, 1..=32.
    Unsigned(u8),
    /// A process number, stored as a byte.
    Pid,
    /// A symbolic name of a set, stored as a byte; 0 is no name.
    Mtype(MtypeId),
    /// A channel, stored as a byte; 0 is no channel.
    Chan,
    /// A record.
    Record(RecordId),
}

/// Prefix of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// None.
    #[default]
    Plain,
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: of interest in message charts.
    Show,
    /// `local`: used by one process only, a promise of the user.
    Local,
}

/// A global, a local, a parameter or a field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name as written. Locals of different blocks may share one.
    pub name: String,
    /// Where the name stands in its declaration.
    pub span: Span,
    /// The type, of an element if it is an array.
    pub ty: Type,
    /// Number of elements; `None` for a scalar. An array of one element is
    /// still an array.
    pub length: Option<u32>,
    /// Value at the start: of the run for globals, of the process for locals.
    /// A local declared after the first statement or in an inner block has
    /// [`Initial::Zero`] here and an assignment where the declaration stands.
    pub initial: Initial,
    /// Prefix of the declaration.
    pub visibility: Visibility,
}

/// What a variable holds before anything is assigned to it.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero everywhere; records look at their fields.
    Zero,
    /// The value, of every element of an array. May name variables declared
    /// earlier, parameters among them; contains no `run`.
    Value(Expr),
    /// Elements of an array, constants, at most as many as it has; those that
    /// are missing repeat the last one given.
    List(Vec<Expr>),
    /// A new channel, one per element of an array.
    Channel(ChannelType),
}

impl Initial {
    /// The value, if it is written as a number.
    pub fn number(&self) -> Option<i32> {
        match self {
            Self::Value(Expr { kind: ExprKind::Constant(value), .. }) => Some(*value),
            _ => None,
        }
    }
}

/// `[capacity] of { fields }`.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// 0 for a rendezvous.
    pub capacity: u32,
    /// Types of a message. Records are written out as their fields, arrays
    /// in records as their elements: no [`Type::Record`] is left.
    pub fields: Vec<Type>,
    /// The declaration.
    pub span: Span,
}

/// Variables, labels and statements of a proctype, claim or trace.
#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters first, then the variables of all blocks in the order of the
    /// text. All of them exist as long as the process does.
    pub locals: Vec<Variable>,
    /// Labels in the order of the text.
    pub labels: Vec<Label>,
    /// Statements.
    pub sequence: Sequence,
    /// SPIN's number of the end.
    pub end: u32,
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name; its beginning says what it means (`end`, `progress`,
    /// `accept`).
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A proctype or `init`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// The name; `init` for the initial process.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Is it `init`?
    pub is_init: bool,
    /// Declared with `D_proctype`: deterministic, a promise of the user.
    pub is_deterministic: bool,
    /// Processes at the start: n of `active [n]`, 1 for `init`, else 0. Their
    /// parameters are 0.
    pub active: u32,
    /// `priority n`; 1 if not given.
    pub priority: u32,
    /// `provided (condition)`.
    pub provided: Option<Expr>,
    /// Number of parameters: the first locals of the body.
    pub parameters: u32,
    /// `xr` and `xs` promises.
    pub exclusive: Vec<Exclusive>,
    /// What it does.
    pub body: Body,
}

/// `xr q` or `xs q`.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// The channel variable.
    pub channel: Place,
    /// `xs`: the process is the only sender; otherwise the only receiver.
    pub is_send: bool,
    /// The place of the promise.
    pub span: Span,
}

/// A `never` claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// As written; SPIN calls a claim without a name `never_0`, `never_1`, …
    pub name: String,
    /// Where it begins.
    pub span: Span,
    /// What it observes.
    pub body: Body,
}

/// `trace { … }` or `notrace { … }`: sends and receives only. A sent
/// [`Root::Scratch`] stands for any value.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`.
    pub is_negated: bool,
    /// Where it begins.
    pub span: Span,
    /// The events it describes.
    pub body: Body,
}

impl Label {
    /// Marks a state in which a process may rest for ever.
    pub fn is_end(&self) -> bool {
        self.name.starts_with("end")
    }

    /// Marks progress.
    pub fn is_progress(&self) -> bool {
        self.name.starts_with("progress")
    }

    /// Marks acceptance.
    pub fn is_accept(&self) -> bool {
        self.name.starts_with("accept")
    }
}
