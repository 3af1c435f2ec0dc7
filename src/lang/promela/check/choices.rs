//! Options of `if` and `do`, with their `else`.

use super::super::ast::{self, StatementKind as Syntax};
use super::super::token::Mark;
use super::super::tree::{BlockKind, Choice, Guard, LabelId, StatementKind};
use super::Checker;
use crate::diag::Diagnostic;

/// An `else` that begins an option.
struct Else<'a> {
    labels: Vec<LabelId>,
    /// The block it begins.
    inside: Option<BlockKind>,
    mark: Mark,
    /// What follows in that block.
    rest: &'a [ast::Statement],
}

impl Checker<'_> {
    pub(super) fn choices(&mut self, choices: &[ast::Choice]) -> Vec<Choice> {
        let mut first_else: Option<Mark> = None;
        let mut checked = Vec::new();
        for choice in choices {
            let choice = self.choice(choice, &mut first_else);
            checked.push(choice);
        }
        if let Some(mark) = first_else {
            let communicates = |choice: &Choice| {
                let first = choice.statements.first().map(|statement| &statement.kind);
                matches!(first, Some(StatementKind::Send(_) | StatementKind::Receive(_)))
                    && matches!(choice.guard, Guard::First)
            };
            if checked.iter().any(communicates) {
                let message = "`else` beside a send or receive: whether that can happen depends on others";
                self.warning("promela-else", mark, message);
            }
        }
        checked
    }

    fn choice(&mut self, choice: &ast::Choice, first_else: &mut Option<Mark>) -> Choice {
        let span = choice.mark.span;
        let mut statements = Vec::new();
        let Some(found) = self.leading_else(choice) else {
            for statement in &choice.statements {
                self.statement(statement, &mut statements);
            }
            if statements.is_empty() {
                statements = self.filled(statements, choice.mark).statements;
            }
            return Choice { guard: Guard::First, statements, span };
        };
        self.body.has_started = true;
        if let Some(first) = *first_else {
            let diagnostic =
                Diagnostic::error("promela-else", found.mark.span, "there is more than one `else`")
                    .with_related(first.span, "the first one");
            self.report.push(found.mark, diagnostic);
        }
        *first_else = first_else.or(Some(found.mark));
        if let Some(kind) = found.inside {
            let inner = self.scoped(found.rest);
            if !inner.is_empty() {
                let sequence = self.filled(inner, choice.mark);
                let block = StatementKind::Block(kind, sequence);
                statements.push(self.generated(block, choice.mark, Default::default()));
            }
        }
        for statement in &choice.statements[1..] {
            self.statement(statement, &mut statements);
        }
        let guard =
            Guard::Else { labels: found.labels, inside: found.inside, span: found.mark.span, number: 0 };
        Choice { guard, statements, span }
    }

    /// `else`, or a block that begins with it.
    fn leading_else<'a>(&mut self, choice: &'a ast::Choice) -> Option<Else<'a>> {
        let first = choice.statements.first()?;
        match &first.kind {
            Syntax::Else => {
                let labels = self.next_labels(&first.labels);
                Some(Else { labels, inside: None, mark: first.mark, rest: &[] })
            }
            Syntax::Block(kind, inner) => {
                let word = inner.first().filter(|inner| matches!(inner.kind, Syntax::Else))?;
                self.check_first_label(*kind, inner);
                let mut labels = self.next_labels(&first.labels);
                labels.extend(self.next_labels(&word.labels));
                Some(Else { labels, inside: Some(*kind), mark: word.mark, rest: &inner[1..] })
            }
            _ => None,
        }
    }
}
