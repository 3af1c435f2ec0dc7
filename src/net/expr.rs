//! Expressions, and the places that they read.

use super::data::{FieldId, GlobalId, LabelId, LocalId, TemplateId, Type};
use crate::diag::Span;

/// An expression. Two are equal if they compute the same, wherever they are
/// written.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Operator and operands.
    pub kind: ExprKind,
    /// Span in the source; in the body of a macro or inline, if it comes from
    /// there.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, including `true`, `false`, characters, `skip` and mtype names.
    Constant(i32),
    /// The value of a variable.
    Read(Place),
    /// `-a`, `!a`, `~a`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`; `&&` and `||` evaluate `b` only if necessary.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> then : otherwise)`.
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// Value if it is not 0.
        then: Box<Expr>,
        /// Value if it is 0.
        otherwise: Box<Expr>,
    },
    /// `len(q)`, `empty(q)` and similar queries.
    Channel(ChannelQuery, Place),
    /// `q?[…]` and `q??[…]`: whether the receive is executable. Stores nothing.
    Poll {
        /// The channel.
        channel: Place,
        /// Whether any message of the buffer may match (`??`), not only the
        /// first.
        any: bool,
        /// Patterns of the fields; a [`Pattern::Store`] matches any value.
        patterns: Vec<Pattern>,
    },
    /// `run P(…)`: the number of the new process, 0 if there are too many. At
    /// most one per expression.
    Run {
        /// Template to instantiate.
        template: TemplateId,
        /// One value per parameter; records are replaced by their fields.
        arguments: Vec<Expr>,
        /// `priority n`.
        priority: Option<u32>,
    },
    /// `timeout`: no process can move.
    Timeout,
    /// `np_`: no process is at a progress label. Only in claims.
    NonProgress,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    NumberOfProcesses,
    /// `_last`.
    Last,
    /// `_priority` of this process.
    Priority,
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `get_priority(pid)`.
    GetPriority(Box<Expr>),
    /// `P[pid]@label`, `P@label`: whether that process is at the label.
    RemoteLabel {
        /// The template.
        template: TemplateId,
        /// Process number; `None` if the template has only one process.
        pid: Option<Box<Expr>>,
        /// A label of the template.
        label: LabelId,
    },
    /// `P[pid]:variable`, `P:variable`.
    RemoteVariable {
        /// The template.
        template: TemplateId,
        /// Process number; `None` if the template has only one process.
        pid: Option<Box<Expr>>,
        /// Variable; its root is a local of that template.
        place: Place,
    },
}

/// A variable, an element or a field, which can be read and assigned. Two are
/// equal if they refer to the same, wherever they are written.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// Index of the variable: present if and only if the variable is an array.
    pub index: Option<Box<Expr>>,
    /// Fields, `.field[index]`, outermost first.
    pub fields: Vec<FieldStep>,
    /// Type of the value, never an array.
    pub ty: Type,
    /// Span of the whole reference.
    pub span: Span,
}

/// Variable of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A local variable of the current template, or of the template of a remote
    /// reference.
    Local(LocalId),
    /// `_`: written values are discarded, reads are not allowed.
    Scratch,
}

/// `.field` or `.field[index]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldStep {
    /// Field of the record before it.
    pub field: FieldId,
    /// Index: present if and only if the field is an array.
    pub index: Option<Box<Expr>>,
}

/// One argument of a receive or poll.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A variable: matches any value and stores it (a poll stores nothing).
    Store(Place),
    /// `_`: matches any value.
    Any,
    /// A constant, an mtype name or `eval(…)`: the field must be equal.
    Match(Expr),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`; division by zero is an error of the run.
    Divide,
    /// `%`; division by zero is an error of the run.
    Remainder,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Queries of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelQuery {
    /// `len`: number of messages.
    Length,
    /// `empty`
    Empty,
    /// `full`
    Full,
    /// `nempty`
    NotEmpty,
    /// `nfull`
    NotFull,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        (self.root, &self.index, &self.fields) == (other.root, &other.index, &other.fields)
    }
}

impl Expr {
    /// Calls `see` with the expression and all its subexpressions, in the order
    /// of the text.
    pub fn each(&self, see: &mut dyn FnMut(&Self)) {
        see(self);
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::NonProgress
            | ExprKind::Timeout
            | ExprKind::Pid
            | ExprKind::Last
            | ExprKind::Priority
            | ExprKind::NumberOfProcesses => {}
            ExprKind::Read(place) | ExprKind::Channel(_, place) => place.each_expr(see),
            ExprKind::Unary(_, operand) => operand.each(see),
            ExprKind::Binary(_, left, right) => {
                left.each(see);
                right.each(see);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|it| it.each(see));
            }
            ExprKind::Poll { channel, patterns, .. } => {
                channel.each_expr(see);
                patterns.iter().for_each(|it| it.each_expr(see));
            }
            ExprKind::Run { arguments, .. } => arguments.iter().for_each(|it| it.each(see)),
            ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => pid.each(see),
            ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|it| it.each(see)),
            ExprKind::RemoteVariable { pid, place, .. } => {
                pid.iter().for_each(|it| it.each(see));
                place.each_expr(see);
            }
        }
    }
}

impl Place {
    /// Calls `see` with the expressions of its indices.
    pub fn each_expr(&self, see: &mut dyn FnMut(&Expr)) {
        let indices = self.index.iter().chain(self.fields.iter().filter_map(|it| it.index.as_ref()));
        indices.for_each(|it| it.each(see));
    }
}

impl Pattern {
    /// Calls `see` with its expressions.
    pub fn each_expr(&self, see: &mut dyn FnMut(&Expr)) {
        match self {
            Self::Any => {}
            Self::Store(place) => place.each_expr(see),
            Self::Match(expr) => expr.each(see),
        }
    }
}
