//! Expressions and places that hold values.

use super::data::{FieldId, GlobalId, LabelId, LocalId, TemplateId, Type};
use crate::diag::Span;

/// A value. Two are equal if they compute the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it was written: in the body of a macro or inline, if it comes
    /// from there.
    pub span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number; also `true`, `false`, a character, `skip`, an mtype name.
    Constant(i32),
    /// The content of a variable.
    Read(Place),
    /// `-a`, `!a`, `~a`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`; `&&` and `||` look at `b` only if they must.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> then : otherwise)`.
    Conditional {
        /// Chooses.
        condition: Box<Expr>,
        /// If it is not 0.
        then: Box<Expr>,
        /// If it is 0.
        otherwise: Box<Expr>,
    },
    /// `len(q)`, `empty(q)` and their like.
    Channel(ChannelQuery, Place),
    /// `q?[…]` and `q??[…]`: could the receive happen? Stores nothing.
    Poll {
        /// The channel.
        channel: Place,
        /// `??`: any message of the buffer counts, not only the first.
        any: bool,
        /// What the message must be; a [`Pattern::Store`] accepts anything.
        patterns: Vec<Pattern>,
    },
    /// `run P(…)`: the new process number, 0 if there is no room. At most one
    /// per expression.
    Run {
        /// What to start.
        template: TemplateId,
        /// One value per parameter; records are written out as their fields.
        arguments: Vec<Expr>,
        /// `priority n`.
        priority: Option<u32>,
    },
    /// `timeout`: nothing in the system can move.
    Timeout,
    /// `np_`: no process is at a progress label. Claims only.
    NonProgress,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    NumberOfProcesses,
    /// `_last`.
    Last,
    /// `_priority`: of this process.
    Priority,
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `get_priority(pid)`.
    GetPriority(Box<Expr>),
    /// `P[pid]@label`, `P@label`: is that process there?
    RemoteLabel {
        /// The template named.
        template: TemplateId,
        /// Which process; `None` if the template has one only.
        pid: Option<Box<Expr>>,
        /// A label of the template.
        label: LabelId,
    },
    /// `P[pid]:variable`, `P:variable`.
    RemoteVariable {
        /// The template named.
        template: TemplateId,
        /// Which process; `None` if the template has one only.
        pid: Option<Box<Expr>>,
        /// Its root is a local of that template.
        place: Place,
    },
}

/// A variable, an element or a field: what can be read and assigned. Two are
/// equal if they mean the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// `[index]` behind it: present if and only if the variable is an array.
    pub index: Option<Box<Expr>>,
    /// `.field[index]`, outermost first.
    pub fields: Vec<FieldStep>,
    /// The type of what stands there, never an array.
    pub ty: Type,
    /// The whole reference.
    pub span: Span,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A local variable of the body at hand, or of the template of a remote
    /// reference.
    Local(LocalId),
    /// `_`: writes are forgotten, reads are not allowed.
    Scratch,
}

/// `.field` or `.field[index]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldStep {
    /// A field of the record before it.
    pub field: FieldId,
    /// The element: present if and only if the field is an array.
    pub index: Option<Box<Expr>>,
}

/// One argument of a receive or poll.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A variable: anything goes and is stored there (not by a poll).
    Store(Place),
    /// `_`: anything goes.
    Any,
    /// A constant, an mtype name or `eval(…)`: the field must be equal.
    Match(Expr),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`; by zero is an error of the run.
    Divide,
    /// `%`; by zero is an error of the run.
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

/// Questions about a channel.
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
    /// Itself and all that it is made of, in the order of the text.
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
    /// The expressions of its indices.
    pub fn each_expr(&self, see: &mut dyn FnMut(&Expr)) {
        let indices = self.index.iter().chain(self.fields.iter().filter_map(|it| it.index.as_ref()));
        indices.for_each(|it| it.each(see));
    }
}

impl Pattern {
    /// Its expressions.
    pub fn each_expr(&self, see: &mut dyn FnMut(&Expr)) {
        match self {
            Self::Any => {}
            Self::Store(place) => place.each_expr(see),
            Self::Match(expr) => expr.each(see),
        }
    }
}
