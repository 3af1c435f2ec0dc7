//! Syntax tree of a model: names are not resolved, inlines are expanded.

use super::token::Mark;
use super::tree::{BinaryOp, BlockKind, ChannelQuery, UnaryOp, Visibility};
use std::sync::Arc;

/// A name with its position.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: Arc<str>,
    pub mark: Mark,
}

/// A top-level unit of a model.
#[derive(Debug)]
pub enum Unit {
    Typedef { name: Name, fields: Vec<Declaration> },
    Declaration(Declaration),
    Mtype(Mtype),
    Proctype(Box<Proctype>),
    Claim { name: Option<Name>, mark: Mark, body: Body },
    Ltl { name: Option<Name>, mark: Mark, formula: Expr },
    Trace { is_negated: bool, mark: Mark, body: Body },
}

#[derive(Debug)]
pub struct Body {
    pub statements: Vec<Statement>,
    pub mark: Mark,
}

/// `mtype = { names }`.
#[derive(Clone, Debug)]
pub struct Mtype {
    pub set: Option<Name>,
    pub names: Vec<Name>,
    pub mark: Mark,
}

#[derive(Debug)]
pub struct Proctype {
    pub name: Name,
    pub is_init: bool,
    pub is_deterministic: bool,
    /// `active` with or without a number.
    pub active: Option<Option<Expr>>,
    pub parameters: Vec<Declaration>,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Body,
}

/// `byte a, b[3] = 1`.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub visibility: Visibility,
    pub ty: TypeName,
    pub variables: Vec<Declarator>,
}

#[derive(Clone, Debug)]
pub struct TypeName {
    /// A keyword or the name of a record.
    pub name: Name,
    /// `mtype:colour`.
    pub set: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    /// `:3`
    pub width: Option<Expr>,
    pub length: Option<Expr>,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug)]
pub enum Initial {
    Value(Expr),
    List(Vec<Expr>),
    Channel { capacity: Expr, fields: Vec<TypeName>, mark: Mark },
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub mark: Mark,
    /// Number of operators on the longest path to a leaf.
    pub depth: u16,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An error that has been reported.
    Bad,
    Constant(i32),
    Reference(Reference),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    Channel(ChannelQuery, Reference),
    Poll {
        channel: Reference,
        any: bool,
        arguments: Vec<Argument>,
    },
    Run {
        name: Name,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Timeout,
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    RemoteLabel {
        proctype: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    RemoteVariable {
        proctype: Name,
        pid: Option<Box<Expr>>,
        variable: Reference,
    },
    Temporal(Temporal, Box<Expr>),
    Temporal2(Temporal2, Box<Expr>, Box<Expr>),
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal {
    Always,
    Eventually,
    Next,
}

/// Operators of formulas with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal2 {
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
}

/// `name[index].field…`
#[derive(Clone, Debug)]
pub struct Reference {
    pub name: Name,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<Reference>>,
    pub mark: Mark,
}

/// An argument of a receive or poll.
#[derive(Clone, Debug)]
pub enum Argument {
    Reference(Reference),
    Constant(Expr),
    Eval(Expr),
}

#[derive(Debug)]
pub struct Statement {
    pub labels: Vec<Name>,
    pub kind: StatementKind,
    pub mark: Mark,
    /// The statement after expansion of macros and inlines, if it differs from
    /// the text at `mark`.
    pub text: Option<String>,
}

/// Lower or upper bound of a range.
#[derive(Debug)]
pub struct Bound {
    pub value: Expr,
    pub text: String,
}

#[derive(Debug)]
pub enum StatementKind {
    /// An error that has been reported.
    Bad,
    Declaration(Declaration),
    /// A declaration of `mtype` names, which is not allowed here.
    Mtype,
    Exclusive {
        is_send: bool,
        channels: Vec<Reference>,
    },
    /// A label without a statement.
    Nothing,
    Skip,
    Else,
    Guard(Expr),
    Assign(Reference, Expr),
    Increment(Reference, BinaryOp),
    SetPriority(Expr, Expr),
    Send {
        channel: Reference,
        sorted: bool,
        values: Vec<Expr>,
    },
    Receive {
        channel: Reference,
        any: bool,
        copy: bool,
        arguments: Vec<Argument>,
    },
    Assert(Expr),
    Printf {
        format: Name,
        arguments: Vec<Expr>,
    },
    Printm(Expr),
    If(Vec<Choice>),
    Do(Vec<Choice>),
    Block(BlockKind, Vec<Statement>),
    Unless(Box<Statement>, Box<Statement>),
    Goto(Name),
    Break,
    For {
        variable: Reference,
        over: Over,
        body: Vec<Statement>,
    },
    Select {
        variable: Reference,
        from: Bound,
        to: Bound,
        /// Whether SPIN expands it to a choice if it has few values.
        is_plain: bool,
    },
}

#[derive(Debug)]
pub struct Choice {
    pub statements: Vec<Statement>,
    pub mark: Mark,
}

/// The range or collection of a `for`.
#[derive(Debug)]
pub enum Over {
    Range(Box<[Bound; 2]>),
    In(Reference),
}
