//! The numbers that SPIN assigns to statements and uses in its trail files.
//!
//! SPIN counts as it parses: proctypes, claims and traces in the order of the
//! text, and within them each statement when it is complete. So a selection has
//! a number after those of its options, and another one for the location after
//! it; a loop has a third for the target of `break`. Statements that are not
//! separate steps, such as `goto`, have a number as well.
//!
//! If an expression uses the label of a jump, SPIN replaces the jump by a step
//! without effect, followed by the jump. The jump then has the number that is
//! the next one when the expression is parsed.

use super::{
    BlockKind, Body, Expr, ExprKind, Label, LabelId, LabelUse, Model, Proctype, Statement, StatementKind,
    TemplateId,
};

/// Counts the statements of one body after another.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    next: u32,
    /// Labels that were used before their proctype was complete.
    pending: Vec<(TemplateId, LabelId)>,
}

impl Numbers {
    /// Numbers a body; `proctypes` are those before it.
    pub fn body(&mut self, body: &mut Body, proctypes: &mut [Proctype]) {
        let Body { labels, sequence, end, .. } = body;
        Counting { numbers: self, labels, proctypes }.sequence(&mut sequence.statements);
        *end = self.take(1);
    }

    fn take(&mut self, n: u32) -> u32 {
        let first = self.next;
        self.next += n;
        first
    }

    /// Records the uses of labels outside statements, or before the proctype
    /// of the label.
    pub fn finish(&mut self, model: &mut Model) {
        for (proctype, label) in std::mem::take(&mut self.pending) {
            self.use_label(proctype, label, &mut model.proctypes);
        }
        let provided: Vec<Expr> = model.proctypes.iter().filter_map(|it| it.provided.clone()).collect();
        let formulas = model.ltl.iter().flat_map(|it| it.formula.atoms());
        for expr in provided.iter().chain(formulas) {
            expr.each(&mut |it| self.note(it, &mut model.proctypes));
        }
    }

    /// Records the label that an expression uses, without its subexpressions.
    fn note(&mut self, expr: &Expr, proctypes: &mut [Proctype]) {
        if let ExprKind::RemoteLabel { template: proctype, label, .. } = expr.kind {
            self.use_label(proctype, label, proctypes);
        }
    }

    fn use_label(&mut self, id: TemplateId, label: LabelId, proctypes: &mut [Proctype]) {
        let Some(proctype) = proctypes.get_mut(id.index()) else { return self.pending.push((id, label)) };
        if let Some((statement, is_jump)) = proctype.body.with_unused_label(label) {
            statement.label_use = LabelUse::InModel(self.take(u32::from(is_jump)));
        }
    }
}

impl Body {
    /// Records that a formula from outside the model uses a label.
    pub fn use_label(&mut self, label: LabelId) {
        if let Some((statement, _)) = self.with_unused_label(label) {
            statement.label_use = LabelUse::InFormula;
        }
    }

    /// Returns the statement of a label that was not used yet, and whether it is
    /// a jump, which is not a step unless its label is used.
    fn with_unused_label(&mut self, label: LabelId) -> Option<(&mut Statement, bool)> {
        let statement = self.sequence.statements.iter_mut().find_map(|it| it.with_label(label))?;
        let is_jump = statement.is_jump() && !statement.is_marked(&self.labels);
        (statement.label_use == LabelUse::None).then_some((statement, is_jump))
    }
}

/// Traversal of one body.
struct Counting<'a> {
    numbers: &'a mut Numbers,
    labels: &'a [Label],
    /// Proctypes before the body.
    proctypes: &'a mut [Proctype],
}

impl Counting<'_> {
    fn take(&mut self, n: u32) -> u32 {
        self.numbers.take(n)
    }

    fn sequence(&mut self, statements: &mut [Statement]) {
        statements.iter_mut().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.inside(statement);
        self.alone(statement);
    }

    /// Numbers the parts of a statement, which precede it.
    fn inside(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                choices.iter_mut().for_each(|it| self.sequence(&mut it.statements));
            }
            StatementKind::Block(_, sequence) => self.sequence(&mut sequence.statements),
            StatementKind::Unless { main, escape } => self.unless(main, escape),
            _ => statement.each_expr(&mut |it| self.numbers.note(it, self.proctypes)),
        }
    }

    /// Numbers the parts of an `unless`. Both are parsed before either is a
    /// statement, the escape first; a block in braces never is one.
    fn unless(&mut self, main: &mut Statement, escape: &mut Statement) {
        let is_braces = |it: &Statement| {
            it.labels.is_empty() && matches!(it.kind, StatementKind::Block(BlockKind::Plain, _))
        };
        self.inside(main);
        self.inside(escape);
        if !is_braces(escape) {
            self.alone(escape);
        }
        if is_labelled_block(main) {
            main.number = self.numbers.next + 2;
        } else if !is_braces(main) {
            self.alone(main);
        }
    }

    /// Numbers a statement whose parts are numbered.
    fn alone(&mut self, statement: &mut Statement) {
        let has_meaning = statement.is_marked(self.labels);
        statement.number = self.take(match &statement.kind {
            StatementKind::Unless { main, .. } if is_labelled_block(main) => 3,
            StatementKind::If(_) | StatementKind::Unless { .. } => 2,
            StatementKind::Do(_) => 3,
            StatementKind::Block(BlockKind::Loop, _) => 0,
            StatementKind::Goto(_) | StatementKind::Break if has_meaning => 2,
            _ => 1,
        });
    }
}

/// Returns whether the main part of an `unless` is a block with a label: then
/// SPIN puts the block around the `unless`.
fn is_labelled_block(main: &Statement) -> bool {
    main.labels.len() == 1
        && matches!(
            main.kind,
            StatementKind::Block(BlockKind::Plain | BlockKind::Atomic | BlockKind::Deterministic, _)
        )
}

impl Statement {
    /// Returns whether it has an end, progress or accept label.
    pub fn is_marked(&self, labels: &[Label]) -> bool {
        let label_of = |label: &LabelId| &labels[label.index()];
        self.labels.iter().map(label_of).any(|it| it.is_end() || it.is_progress() || it.is_accept())
    }
}
