//! Statements.

use super::{Expr, Format, LabelId, Place, Receive, Send};
use crate::diag::Span;

/// Statements one after another. Only the body of a process that does nothing
/// but declare has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// In the order of the text.
    pub statements: Vec<Statement>,
    /// From the first to the last.
    pub span: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Labels in front of it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it was written: in the body of a macro or inline, if it comes
    /// from there.
    pub span: Span,
    /// The outermost use of the macro or inline it comes from.
    pub used_at: Option<Span>,
    /// Who wrote it.
    pub origin: Origin,
    /// SPIN's number, see [`Numbers`](super::Numbers). The place behind a
    /// selection or an `unless` has the next one, as has the place behind the
    /// options of a loop; where `break` leads, the one after that. A jump with
    /// a label that means something is the jump and, next, what is marked.
    pub number: u32,
    /// Does an expression ask for a label in front of it, as `P@label` does?
    pub asked: Asked,
}

/// Who asks for the label of a statement. If it is a jump, a step that does
/// nothing stands in its place, so that a process can be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Asked {
    /// Nobody.
    #[default]
    Never,
    /// The text of the model; the number is that of the jump behind the step.
    InText(u32),
    /// Only a formula from elsewhere: for SPIN there is no such step.
    Elsewhere,
}

/// Why a statement is there.
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
    /// Part of what `for` or `select` stands for.
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
        /// What is changed.
        place: Place,
        /// The new value; a `run` may stand here.
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
        /// What runs.
        main: Box<Statement>,
        /// What ends it: tried before every step of `main`.
        escape: Box<Statement>,
    },
    /// `goto label`.
    Goto(LabelId),
    /// `break` out of the innermost `do`.
    Break,
}

/// What holds a sequence together.
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
    /// What it computes itself, not what the statements in it do; in the order
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

    /// Is it `goto` or `break`?
    pub fn is_jump(&self) -> bool {
        matches!(self.kind, StatementKind::Goto(_) | StatementKind::Break)
    }
}
