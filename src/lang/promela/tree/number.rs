//! The numbers that SPIN gives to statements, by which its trail files name
//! steps.
//!
//! SPIN counts as it reads: proctypes, claims and traces in the order of the
//! text, and within them each statement when it is complete. So a selection
//! has a number behind those of its options, and another one for the place
//! behind it; a loop has a third for where `break` leads. What is no step of
//! its own, such as a `goto`, has a number all the same.

use super::{BlockKind, Body, Choice, Guard, Label, LabelId, Statement, StatementKind};

/// Counts the statements of one body after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    next: u32,
}

impl Numbers {
    /// Numbers a body.
    pub fn body(&mut self, body: &mut Body) {
        let Body { labels, sequence, end, .. } = body;
        self.sequence(&mut sequence.statements, labels);
        *end = self.take(1);
    }

    fn take(&mut self, n: u32) -> u32 {
        let first = self.next;
        self.next += n;
        first
    }

    fn sequence(&mut self, statements: &mut [Statement], labels: &[Label]) {
        statements.iter_mut().for_each(|it| self.statement(it, labels));
    }

    fn statement(&mut self, statement: &mut Statement, labels: &[Label]) {
        self.inside(statement, labels);
        self.alone(statement, labels);
    }

    /// What a statement is made of comes before it.
    fn inside(&mut self, statement: &mut Statement, labels: &[Label]) {
        match &mut statement.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                choices.iter_mut().for_each(|it| self.choice(it, labels));
            }
            StatementKind::Block(_, sequence) => self.sequence(&mut sequence.statements, labels),
            StatementKind::Unless { main, escape } => self.unless(main, escape, labels),
            _ => {}
        }
    }

    fn choice(&mut self, choice: &mut Choice, labels: &[Label]) {
        let span = choice.span;
        if let Guard::Else { inside, number, .. } = &mut choice.guard {
            *number = self.take(1);
            // A block that holds nothing but `else` is no statement of the tree.
            let has_block = choice.statements.first().is_some_and(|it| it.span == span);
            if inside.is_some() && !has_block {
                self.take(1);
            }
        }
        self.sequence(&mut choice.statements, labels);
    }

    /// Both parts are read before either is a statement, the escape first; a
    /// block in braces never is one.
    fn unless(&mut self, main: &mut Statement, escape: &mut Statement, labels: &[Label]) {
        let is_braces = |it: &Statement| {
            it.labels.is_empty() && matches!(it.kind, StatementKind::Block(BlockKind::Plain, _))
        };
        self.inside(main, labels);
        self.inside(escape, labels);
        if !is_braces(escape) {
            self.alone(escape, labels);
        }
        if is_outside(main) {
            main.number = self.next + 2;
        } else if !is_braces(main) {
            self.alone(main, labels);
        }
    }

    /// A statement whose parts have their numbers.
    fn alone(&mut self, statement: &mut Statement, labels: &[Label]) {
        let has_meaning = statement.is_marked(labels);
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
