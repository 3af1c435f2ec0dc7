//! The numbers that SPIN gives to statements, by which its trail files name
//! steps.
//!
//! SPIN counts as it reads: proctypes, claims and traces in the order of the
//! text, and within them each statement when it is complete. So a selection
//! has a number behind those of its options, and another one for the place
//! behind it; a loop has a third for where `break` leads. What is no step of
//! its own, such as a `goto`, has a number all the same.
//!
//! Where an expression asks for the label of a jump, SPIN puts a step that
//! does nothing in the place of the jump, and the jump behind it. The jump
//! then has the number that is the next one when the expression is read.

use super::{
    BlockKind, Body, Expr, ExprKind, Label, LabelId, LabelUse, Model, Proctype, Statement, StatementKind,
    TemplateId,
};

/// Counts the statements of one body after another.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    next: u32,
    /// Labels that were used before their proctype was complete.
    later: Vec<(TemplateId, LabelId)>,
}

impl Numbers {
    /// Numbers a body; the proctypes are those before it.
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
        for (proctype, label) in std::mem::take(&mut self.later) {
            self.ask(proctype, label, &mut model.proctypes);
        }
        let provided: Vec<Expr> = model.proctypes.iter().filter_map(|it| it.provided.clone()).collect();
        let formulas = model.ltl.iter().flat_map(|it| it.formula.atoms());
        for expr in provided.iter().chain(formulas) {
            expr.each(&mut |it| self.note(it, &mut model.proctypes));
        }
    }

    /// Notes the label that an expression asks for, itself and not in its parts.
    fn note(&mut self, expr: &Expr, proctypes: &mut [Proctype]) {
        if let ExprKind::RemoteLabel { template: proctype, label, .. } = expr.kind {
            self.ask(proctype, label, proctypes);
        }
    }

    fn ask(&mut self, id: TemplateId, label: LabelId, proctypes: &mut [Proctype]) {
        let Some(proctype) = proctypes.get_mut(id.index()) else { return self.later.push((id, label)) };
        if let Some((statement, is_jump)) = proctype.body.with_unused_label(label) {
            statement.label_use = LabelUse::InModel(self.take(u32::from(is_jump)));
        }
    }
}

impl Body {
    /// Notes that a formula from elsewhere asks for a label.
    pub fn ask(&mut self, label: LabelId) {
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

/// The way through one body.
struct Counting<'a> {
    numbers: &'a mut Numbers,
    labels: &'a [Label],
    /// Those before it.
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

    /// What a statement is made of comes before it.
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

    /// Both parts are read before either is a statement, the escape first; a
    /// block in braces never is one.
    fn unless(&mut self, main: &mut Statement, escape: &mut Statement) {
        let is_braces = |it: &Statement| {
            it.labels.is_empty() && matches!(it.kind, StatementKind::Block(BlockKind::Plain, _))
        };
        self.inside(main);
        self.inside(escape);
        if !is_braces(escape) {
            self.alone(escape);
        }
        if is_outside(main) {
            main.number = self.numbers.next + 2;
        } else if !is_braces(main) {
            self.alone(main);
        }
    }

    /// A statement whose parts have their numbers.
    fn alone(&mut self, statement: &mut Statement) {
        let has_meaning = statement.is_marked(self.labels);
        statement.number = self.take(match &statement.kind {
            StatementKind::Unless { main, .. } if is_outside(main) => 3,
            StatementKind::If(_) | StatementKind::Unless { .. } => 2,
            StatementKind::Do(_) => 3,
            StatementKind::Block(BlockKind::Loop, _) => 0,
            StatementKind::Goto(_) | StatementKind::Break if has_meaning => 2,
            _ => 1,
        });
    }
}

/// A block with a label is put around the `unless` that it is the main part
/// of.
fn is_outside(main: &Statement) -> bool {
    main.labels.len() == 1
        && matches!(
            main.kind,
            StatementKind::Block(BlockKind::Plain | BlockKind::Atomic | BlockKind::Deterministic, _)
        )
}

impl Statement {
    /// Has it a label that means something?
    pub fn is_marked(&self, labels: &[Label]) -> bool {
        let meant = |label: &LabelId| &labels[label.index()];
        self.labels.iter().map(meant).any(|it| it.is_end() || it.is_progress() || it.is_accept())
    }
}
