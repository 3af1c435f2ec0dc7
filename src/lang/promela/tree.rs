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

mod ltl;
mod number;
mod stmt;

use super::Macros;
use crate::diag::Span;

pub use ltl::LtlBlock;
pub use number::Numbers;
pub use stmt::{BlockKind, Choice, LabelUse, Origin, Sequence, Statement, StatementKind};

// What a network has too is the network's; only the statements are Promela's.
pub(in crate::lang::promela) use crate::net::{
    BinaryOp, ChannelQuery, ChannelType, Exclusive, Expr, ExprKind, FieldId, FieldStep, Format, Formula,
    FormulaKind, GlobalId, Initial, Label, LabelId, LocalId, MtypeId, MtypeSet, Pattern, Place, Receive,
    Record, RecordId, Root, Send, TemplateId, Type, UnaryOp, Variable, Visibility,
};

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
    /// Statements.
    pub body: Body,
}

/// A `never` claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// As written; SPIN calls a claim without a name `never_0`, `never_1`, …
    pub name: String,
    /// Position of the beginning.
    pub span: Span,
    /// Statements of the observer.
    pub body: Body,
}

/// `trace { … }` or `notrace { … }`: sends and receives only. A sent
/// [`Root::Scratch`] stands for any value.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`.
    pub is_negated: bool,
    /// Position of the beginning.
    pub span: Span,
    /// The events it describes.
    pub body: Body,
}
