//! Statements.

use super::super::ast::{self, Reference, StatementKind as Syntax};
use super::super::token::Mark;
use super::super::tree::{
    BinaryOp, BlockKind, Exclusive, Expr, ExprKind, LabelId, LabelUse, Origin, Place, Sequence, Statement,
    StatementKind, Type,
};
use super::body::BreakBlock;
use super::{Checker, Context, constant};
use crate::base::cancel::checkpoint;
use crate::diag::Diagnostic;

impl Checker<'_> {
    /// Appends the checked statements of a statement.
    pub(super) fn statement(&mut self, statement: &ast::Statement, out: &mut Vec<Statement>) {
        checkpoint();
        let labels = self.next_labels(&statement.labels);
        self.check_label_names(&statement.labels);
        match &statement.kind {
            Syntax::Declaration(declaration) => self.local_declaration(declaration, statement.mark, out),
            Syntax::Exclusive { is_send, channels } => self.exclusive(*is_send, channels),
            Syntax::Mtype => {
                let help = "move the declaration out of the proctype";
                self.error_with_help(
                    "promela-mtype",
                    statement.mark,
                    "`mtype` names can only be declared globally",
                    help,
                );
            }
            kind => {
                self.body.has_started = true;
                self.check_place(kind, statement.mark);
                let mut kind = self.kind(kind, statement.mark);
                let labels = with_loop(labels, &mut kind);
                let used_at = self.report.outermost_use(statement.mark);
                let span = match &statement.text {
                    Some(text) => self.report.generated_text(text.as_str(), statement.mark.span),
                    None => statement.mark.span,
                };
                out.push(Statement {
                    labels,
                    kind,
                    span,
                    used_at,
                    origin: Origin::Written,
                    number: 0,
                    label_use: LabelUse::None,
                });
            }
        }
    }

    /// Checks a statement where exactly one is required.
    fn single(&mut self, statement: &ast::Statement) -> Statement {
        let mut statements = Vec::new();
        self.statement(statement, &mut statements);
        match statements.len() {
            1 => statements.remove(0),
            _ => {
                let sequence = self.filled(statements, statement.mark);
                let kind = StatementKind::Block(BlockKind::Plain, sequence);
                self.generated(kind, statement.mark, Origin::Written)
            }
        }
    }

    fn check_label_names(&mut self, labels: &[ast::Name]) {
        for label in labels {
            if self.body.visible(&label.text).is_some() || self.global_names.contains_key(&label.text) {
                let message = format!("label `{}` has the same name as a variable", label.text);
                self.error("promela-label", label.mark, message);
            }
        }
    }

    /// Rejects statements that are not allowed in a claim or trace.
    fn check_place(&mut self, kind: &Syntax, mark: Mark) {
        match (self.context, kind) {
            (Context::Claim, Syntax::Send { .. } | Syntax::Receive { .. }) => {
                self.error("promela-claim", mark, "a claim cannot send or receive");
            }
            (
                Context::Claim,
                Syntax::Assign(..)
                | Syntax::Increment(..)
                | Syntax::SetPriority(..)
                | Syntax::For { .. }
                | Syntax::Select { .. },
            ) => {
                self.warning("promela-claim", mark, "a claim should not change the state");
            }
            (
                Context::Trace,
                Syntax::Assign(..)
                | Syntax::Increment(..)
                | Syntax::Guard(_)
                | Syntax::SetPriority(..)
                | Syntax::Assert(_)
                | Syntax::Printf { .. }
                | Syntax::Printm(_)
                | Syntax::Skip
                | Syntax::Block(..)
                | Syntax::For { .. }
                | Syntax::Select { .. },
            ) => {
                self.error("promela-trace", mark, "a trace can only contain sends and receives");
            }
            (
                Context::Trace,
                Syntax::Send { sorted: true, .. }
                | Syntax::Receive { any: true, .. }
                | Syntax::Receive { copy: true, .. },
            ) => {
                let help = "in a trace, `q!…` matches every send to `q`, and `q?…` every receive";
                self.error_with_help("promela-trace", mark, "a trace can only use `!` and `?`", help);
            }
            _ => {}
        }
    }

    fn kind(&mut self, kind: &Syntax, mark: Mark) -> StatementKind {
        match kind {
            Syntax::Bad
            | Syntax::Nothing
            | Syntax::Skip
            | Syntax::Declaration(_)
            | Syntax::Mtype
            | Syntax::Exclusive { .. } => StatementKind::Skip,
            Syntax::Else => {
                if self.body.leading_else.take() != Some(mark) {
                    self.warning(
                        "promela-else",
                        mark,
                        "`else` is always executable here: it is not the guard of an option",
                    );
                }
                StatementKind::Else
            }
            Syntax::Guard(condition) => StatementKind::Guard(self.expr(condition)),
            Syntax::Assign(target, value) => self.assign(target, value),
            Syntax::Increment(target, op) => self.increment(target, *op),
            Syntax::SetPriority(pid, value) => {
                StatementKind::SetPriority { pid: self.plain_expr(pid), value: self.plain_expr(value) }
            }
            Syntax::Send { channel, sorted, values } => self.send(channel, *sorted, values),
            Syntax::Receive { channel, any, copy, arguments } => {
                self.receive(channel, *any, *copy, arguments)
            }
            Syntax::Assert(condition) => StatementKind::Assert(self.expr(condition)),
            Syntax::Printf { format, arguments } => self.printf(format, arguments),
            Syntax::Printm(value) => self.printm(value),
            Syntax::If(choices) => StatementKind::If(self.choices(choices)),
            Syntax::Do(choices) => {
                self.body.break_blocks.push(BreakBlock::Loop);
                let choices = self.choices(choices);
                self.body.break_blocks.pop();
                StatementKind::Do(choices)
            }
            Syntax::Block(kind, statements) => self.block(*kind, statements, mark),
            Syntax::Unless(main, escape) => {
                self.check_unless_labels(main, escape);
                if self.body.break_blocks.contains(&BreakBlock::DStep) {
                    let message = "`unless` inside a `d_step` is ignored, as in SPIN";
                    self.warning("promela-d-step", mark, message);
                }
                let main = Box::new(self.single(main));
                StatementKind::Unless { main, escape: Box::new(self.single(escape)) }
            }
            Syntax::Goto(target) => match self.find_label(target) {
                Some(label) => StatementKind::Goto(label),
                None => StatementKind::Skip,
            },
            Syntax::Break => self.break_out(mark),
            Syntax::For { variable, over, body } => self.for_loop(variable, over, body, mark),
            Syntax::Select { variable, from, to, is_plain } => {
                self.select(variable, (from, to), *is_plain, mark)
            }
        }
    }

    fn assign(&mut self, target: &Reference, value: &ast::Expr) -> StatementKind {
        if &*target.name.text == "_priority" && target.index.is_none() && target.field.is_none() {
            let pid = Expr { kind: ExprKind::Pid, span: target.mark.span };
            return StatementKind::SetPriority { pid, value: self.plain_expr(value) };
        }
        let place = self.target(target);
        if let Some(place) = &place {
            self.check_set(place.ty, &target.name.text, value);
        }
        self.check_computes_without_channels(value);
        let value_mark = value.mark;
        let value = self.expr(value);
        let Some(place) = place else { return StatementKind::Skip };
        if place.ty == Type::Chan && place.fields.is_empty() && matches!(value.kind, ExprKind::Constant(_)) {
            let message = format!("cannot assign a constant to the channel `{}`", target.name.text);
            self.error("promela-channel", value_mark, message);
        }
        StatementKind::Assign { place, value }
    }

    fn increment(&mut self, target: &Reference, op: BinaryOp) -> StatementKind {
        if &*target.name.text == "_" {
            self.error("promela-read-only", target.mark, "`_` is write-only and cannot be read");
            return StatementKind::Skip;
        }
        match self.target(target) {
            Some(place) if place.ty == Type::Chan && place.fields.is_empty() => {
                self.no_arithmetic(target.mark);
                StatementKind::Skip
            }
            Some(place) => StatementKind::Assign { value: by_one(&place, op), place },
            None => StatementKind::Skip,
        }
    }

    fn block(&mut self, kind: BlockKind, statements: &[ast::Statement], mark: Mark) -> StatementKind {
        self.check_first_label(kind, statements);
        if kind == BlockKind::Deterministic {
            self.body.break_blocks.push(BreakBlock::DStep);
        }
        let inner = self.scoped(statements);
        if kind == BlockKind::Deterministic {
            self.body.break_blocks.pop();
        }
        StatementKind::Block(kind, self.filled(inner, mark))
    }

    /// Returns a sequence; an empty one gets a step without effect.
    pub(super) fn filled(&mut self, mut statements: Vec<Statement>, mark: Mark) -> Sequence {
        if statements.is_empty() {
            statements.push(self.generated(StatementKind::Skip, mark, Origin::Declaration));
        }
        Sequence { statements, span: mark.span }
    }

    fn break_out(&mut self, mark: Mark) -> StatementKind {
        match self.body.break_blocks.last() {
            Some(BreakBlock::Loop) => {}
            Some(BreakBlock::DStep) if self.body.break_blocks.contains(&BreakBlock::Loop) => {
                self.error("promela-d-step", mark, "`break` jumps out of a `d_step`");
            }
            _ => self.error("promela-break", mark, "`break` outside a `do` or `for` loop"),
        }
        StatementKind::Break
    }

    fn exclusive(&mut self, is_send: bool, channels: &[Reference]) {
        for reference in channels {
            if let Some(index) = &reference.index {
                let message = "`xr` and `xs` take channel variables, not array elements";
                let help = "give the element a name, `chan name = array[3]`, and use that name";
                let diagnostic = Diagnostic::warning("promela-channel", index.mark.span, message);
                self.report.push(index.mark, diagnostic.with_help(help));
            }
            if let Some(channel) = self.channel(reference) {
                self.body.exclusive.push(Exclusive { channel, is_send, span: reference.mark.span });
            }
        }
    }
}

/// Moves labels before `for` or `select` to the loop after the initial
/// assignment: as in SPIN, a `goto` continues with the current counter. Returns
/// the remaining labels.
fn with_loop(labels: Vec<LabelId>, kind: &mut StatementKind) -> Vec<LabelId> {
    match kind {
        StatementKind::Block(BlockKind::Loop, Sequence { statements, .. }) => match statements.last_mut() {
            Some(last) => {
                last.labels.extend(labels);
                Vec::new()
            }
            None => labels,
        },
        _ => labels,
    }
}

/// Returns the value of a place plus or minus one.
pub fn by_one(place: &Place, op: BinaryOp) -> Expr {
    let span = place.span;
    let left = Box::new(Expr { kind: ExprKind::Read(place.clone()), span });
    Expr { kind: ExprKind::Binary(op, left, Box::new(constant(1, span))), span }
}
