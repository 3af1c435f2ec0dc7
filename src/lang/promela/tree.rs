//! A checked Promela model: every name is resolved, every constant is folded,
//! every node has its span.
//!
//! Shorthand is expanded as SPIN does it, so that the control graph of the tree
//! has the same steps: a declaration after the first statement is an
//! assignment, `for` and `select` are loops and choices, an inline is its body,
//! a record in a message is its fields. [`Origin`] distinguishes steps that the
//! user did not write.
//!
//! Expressions are evaluated as in C on `int`; a store truncates to the
//! [`Type`] of the place. Here only expressions that must be constant are
//! evaluated.

mod ltl;
mod number;
mod stmt;

use super::Macros;
use crate::diag::Span;

pub use ltl::LtlBlock;
pub use number::Numbers;
pub use stmt::{BlockKind, Choice, LabelUse, Origin, Sequence, Statement, StatementKind};

// All types but those of statements are shared with `net`.
pub(in crate::lang::promela) use crate::net::{
    BinaryOp, ChannelQuery, ChannelType, Exclusive, Expr, ExprKind, FieldId, FieldStep, Format, Formula,
    FormulaKind, GlobalId, Initial, Label, LabelId, LocalId, MtypeId, MtypeSet, Pattern, Place, Receive,
    Record, RecordId, Root, Send, TemplateId, Type, UnaryOp, Variable, Visibility,
};

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The `typedef`s; a record contains only records before it.
    pub records: Vec<Record>,
    /// The sets of `mtype` names; the first one is the unnamed set, which may
    /// be empty.
    pub mtypes: Vec<MtypeSet>,
    /// Global variables in the order of the text.
    pub globals: Vec<Variable>,
    /// Proctypes in the order of the text, including `init`. Processes that are
    /// active from the start are created in this order, so `init` has process
    /// number 0 only if no `active` proctype precedes it.
    pub proctypes: Vec<Proctype>,
    /// `never` claims.
    pub claims: Vec<Claim>,
    /// `ltl` blocks.
    pub ltl: Vec<LtlBlock>,
    /// `trace` and `notrace` bodies; SPIN allows one.
    pub traces: Vec<Trace>,
    /// Macros at the end of the text, which formulas from outside the model can
    /// use.
    pub macros: Macros,
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

/// A proctype or `init`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// The name; `init` for the initial process.
    pub name: String,
    /// Position of the name.
    pub span: Span,
    /// Whether it is `init`.
    pub is_init: bool,
    /// Whether it is a `D_proctype`: deterministic, according to the user.
    pub is_deterministic: bool,
    /// Number of processes at the start: n of `active [n]`, 1 for `init`,
    /// otherwise 0. Their parameters are 0.
    pub active: u32,
    /// `priority n`; the default is 1.
    pub priority: u32,
    /// `provided (condition)`.
    pub provided: Option<Expr>,
    /// Number of parameters: the first locals of the body.
    pub parameters: u32,
    /// `xr` and `xs` promises.
    pub exclusive: Vec<Exclusive>,
    /// Statements.
    pub body: Body,
}

/// A `never` claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name; SPIN calls a claim without a name `never_0`, `never_1`, …
    pub name: String,
    /// Position of the beginning.
    pub span: Span,
    /// Statements of the observer.
    pub body: Body,
}

/// `trace { … }` or `notrace { … }`: sends and receives only. A sent
/// [`Root::Scratch`] represents any value.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it is a `notrace`.
    pub is_negated: bool,
    /// Position of the beginning.
    pub span: Span,
    /// The events it describes.
    pub body: Body,
}
