//! Statements.

use super::{Expr, Format, LabelId, Place, Receive, Send};
use crate::diag::Span;

/// Statements one after another. Only the body of a process that does nothing
/// but declare has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The statements, in the order of the text.
    pub statements: Vec<Statement>,
    /// Span of all statements.
    pub span: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Labels in front of it.
    pub labels: Vec<LabelId>,
    /// Kind.
    pub kind: StatementKind,
    /// Position: in the body of a macro or inline, if it comes from there.
    pub span: Span,
    /// The outermost use of the macro or inline it comes from.
    pub used_at: Option<Span>,
    /// Whether the user wrote it.
    pub origin: Origin,
    /// SPIN's number, see [`Numbers`](super::Numbers). The place behind a
    /// selection or an `unless` has the next one, as has the place behind the
    /// options of a loop; where `break` leads, the one after that. A jump with
    /// a label that means something is the jump and, next, what is marked.
    pub number: u32,
    /// Whether an expression such as `P@label` uses one of its labels.
    pub label_use: LabelUse,
}

/// Whether an expression such as `P@label` uses a label of a statement. If the
/// statement is a jump, a step without effect replaces it, so that a process
/// can be at the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LabelUse {
    /// No expression uses it.
    #[default]
    None,
    /// The model uses it; the number is that of the jump after the step.
    InModel(u32),
    /// Only a formula from outside the model uses it: SPIN has no such step.
    InFormula,
}

/// The origin of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Origin {
    /// The user wrote it.
    #[default]
    Written,
    /// A declaration after the first statement or in an inner block. SPIN
    /// makes it a step each time it is passed: scalars (also without an
    /// initialiser) and element 0 of arrays are assigned, a record gives a
    /// step that does nothing ([`StatementKind::Skip`]).
    Declaration,
    /// Part of the expansion of `for` or `select`.
    Loop,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `skip`, and what SPIN treats like it: a step that is always possible
    /// and changes nothing.
    Skip,
    /// `else`: possible if nothing listed before it at the same location is.
    /// First in an option, this is whatever else the selection offers.
    Else,
    /// An expression: blocks while it is 0.
    Guard(Expr),
    /// `place = value`; `++` and `--` are written out as SPIN does.
    Assign {
        /// Assigned variable.
        place: Place,
        /// New value; `run` is allowed here.
        value: Expr,
    },
    /// `set_priority(pid, value)`.
    SetPriority {
        /// Which process.
        pid: Expr,
        /// Its new priority.
        value: Expr,
    },
    /// `q!…`
    Send(Send),
    /// `q?…`
    Receive(Receive),
    /// `assert(…)`
    Assert(Expr),
    /// `printf("…", …)`: pieces and, among them, arguments. `printm(x)` is
    /// the single piece [`Format::Mtype`].
    Print(Vec<Format>),
    /// `if`
    If(Vec<Choice>),
    /// `do`
    Do(Vec<Choice>),
    /// Braces with or without `atomic` or `d_step`.
    Block(BlockKind, Sequence),
    /// `main unless escape`.
    Unless {
        /// Main statement.
        main: Box<Statement>,
        /// Escape, tried before every step of `main`.
        escape: Box<Statement>,
    },
    /// `goto label`.
    Goto(LabelId),
    /// `break` out of the innermost `do`.
    Break,
}

/// Kinds of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `{ … }`
    Plain,
    /// `atomic { … }`
    Atomic,
    /// `d_step { … }`
    Deterministic,
    /// `for` and `select`, written out:
    ///
    /// - `for (i : a .. b) { … }` is `i = a; do :: i <= b -> …; i++ :: else -> break od`;
    /// - `for (i in array)` counts from 0 to the length less one;
    /// - `for (m in q)` is `n = 0; do :: n < len(q) -> q?m; q!m; …; n++ :: else -> break od`
    ///   with a hidden local `n`;
    /// - `select (i : 1 .. 6)` is one `if` with an assignment per value if
    ///   these are few and the text is as plain as that, otherwise
    ///   `i = 1; do :: i < 6 -> i++ :: break od`.
    Loop,
}

/// One option of `if` or `do`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The statements; the first one is the guard.
    pub statements: Vec<Statement>,
    /// The whole option.
    pub span: Span,
}

impl Statement {
    /// Visits its own expressions, not those of nested statements, in the order
    /// of the text.
    pub fn each_expr(&self, see: &mut dyn FnMut(&Expr)) {
        match &self.kind {
            StatementKind::Guard(expr) | StatementKind::Assert(expr) => expr.each(see),
            StatementKind::Assign { place, value } => {
                place.each_expr(see);
                value.each(see);
            }
            StatementKind::SetPriority { pid, value } => {
                pid.each(see);
                value.each(see);
            }
            StatementKind::Send(send) => {
                send.channel.each_expr(see);
                send.values.iter().for_each(|it| it.each(see));
            }
            StatementKind::Receive(receive) => {
                receive.channel.each_expr(see);
                receive.patterns.iter().for_each(|it| it.each_expr(see));
            }
            StatementKind::Print(pieces) => {
                pieces.iter().filter_map(Format::expr).for_each(|it| it.each(see))
            }
            StatementKind::Skip
            | StatementKind::Else
            | StatementKind::If(_)
            | StatementKind::Do(_)
            | StatementKind::Block(..)
            | StatementKind::Unless { .. }
            | StatementKind::Goto(_)
            | StatementKind::Break => {}
        }
    }

    /// The statement with a label, itself or within it.
    pub fn with_label(&mut self, label: LabelId) -> Option<&mut Self> {
        if self.labels.contains(&label) {
            return Some(self);
        }
        match &mut self.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                choices.iter_mut().flat_map(|it| &mut it.statements).find_map(|it| it.with_label(label))
            }
            StatementKind::Block(_, sequence) => {
                sequence.statements.iter_mut().find_map(|it| it.with_label(label))
            }
            StatementKind::Unless { main, escape } => {
                main.with_label(label).or_else(|| escape.with_label(label))
            }
            _ => None,
        }
    }

    /// Labels of the place that an option has if it begins with this statement.
    pub fn guard_labels(&self) -> &[LabelId] {
        match &self.kind {
            StatementKind::Unless { main, .. } if self.labels.is_empty() => main.guard_labels(),
            StatementKind::Block(BlockKind::Loop, sequence) => match &sequence.statements[..] {
                [only] => only.guard_labels(),
                _ => &self.labels,
            },
            _ => &self.labels,
        }
    }

    /// Returns whether it is `goto` or `break`.
    pub fn is_jump(&self) -> bool {
        matches!(self.kind, StatementKind::Goto(_) | StatementKind::Break)
    }
}
