//! Statements.

use super::{Expr, Format, LabelId, Place, Receive, Send};
use crate::diag::Span;

/// A list of statements. It is empty only for the body of a process that
/// contains nothing but declarations.
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
    /// Labels before it.
    pub labels: Vec<LabelId>,
    /// Kind.
    pub kind: StatementKind,
    /// Position: in the body of a macro or inline, if it comes from there.
    pub span: Span,
    /// The outermost use of the macro or inline from which it comes.
    pub used_at: Option<Span>,
    /// Whether the user wrote it.
    pub origin: Origin,
    /// SPIN's number, see [`Numbers`](super::Numbers). The location after a
    /// selection or an `unless` has the next number, and so has the location
    /// after the options of a loop; the target of `break` has the one after
    /// that. A jump with an end, progress or accept label has two numbers: the
    /// jump and then the marked step.
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
    /// A declaration after the first statement or in an inner block. In SPIN it
    /// is a step each time it is reached: scalars (also without an initialiser)
    /// and element 0 of arrays are assigned, a record is a step without effect
    /// ([`StatementKind::Skip`]).
    Declaration,
    /// Part of the expansion of `for` or `select`.
    Loop,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `skip` and equivalent statements: a step that is always executable and
    /// has no effect.
    Skip,
    /// `else`: executable if nothing listed before it at the same location is.
    /// At the beginning of an option these are all other options.
    Else,
    /// An expression: blocks while it is 0.
    Guard(Expr),
    /// `place = value`; `++` and `--` are expanded as in SPIN.
    Assign {
        /// Assigned variable.
        place: Place,
        /// New value; `run` is allowed here.
        value: Expr,
    },
    /// `set_priority(pid, value)`.
    SetPriority {
        /// The process.
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
    /// `printf("…", …)`: text and arguments. `printm(x)` is the single piece
    /// [`Format::Mtype`].
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
    /// `for` and `select`, expanded:
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

    /// Returns the statement with a label: itself or a nested one.
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

    /// Returns the labels of the location of an option that begins with this
    /// statement.
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
