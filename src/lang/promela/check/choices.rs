//! Checks `else` in the options of `if` and `do`.

use super::super::ast::{self, StatementKind as Syntax};
use super::super::token::Mark;
use super::super::tree::{BlockKind, Choice, StatementKind};
use super::Checker;
use crate::diag::Diagnostic;

/// An `else` that begins an option, directly or within blocks.
#[derive(Clone, Copy)]
struct LeadingElse {
    mark: Mark,
    /// Whether it is inside a block. SPIN then keeps the order of the options,
    /// while an option that begins with `else` itself is tried last.
    is_inside: bool,
    /// Whether it is in a `d_step`; SPIN allows several of these.
    is_in_d_step: bool,
}

impl Checker<'_> {
    pub(super) fn choices(&mut self, choices: &[ast::Choice]) -> Vec<Choice> {
        let leading: Vec<Option<LeadingElse>> = choices.iter().map(leading_else).collect();
        self.check_number_of_else(&leading);
        let mut checked = Vec::new();
        for (choice, leading) in choices.iter().zip(&leading) {
            checked.push(self.choice(choice, *leading));
        }
        if let Some(first) = leading.iter().flatten().next() {
            let communicates = |choice: &Choice| {
                let first = choice.statements.first().map(|statement| &statement.kind);
                matches!(first, Some(StatementKind::Send(_) | StatementKind::Receive(_)))
            };
            if checked.iter().any(communicates) {
                let message = "`else` next to a send or receive: whether `else` is executable depends on other processes";
                self.warning("promela-else", first.mark, message);
            }
        }
        checked
    }

    fn check_number_of_else(&mut self, leading: &[Option<LeadingElse>]) {
        let mut exclusive = leading.iter().flatten().filter(|it| !it.is_in_d_step);
        if let Some(first) = exclusive.next() {
            for second in exclusive {
                let message = "there is more than one `else`";
                let diagnostic = Diagnostic::error("promela-else", second.mark.span, message)
                    .with_related(first.mark.span, "the first `else`");
                self.report.push(second.mark, diagnostic);
            }
        }
        for (index, it) in leading.iter().enumerate() {
            if let Some(LeadingElse { mark, is_inside: true, .. }) = it
                && index + 1 < leading.len()
            {
                let message = "`else` inside a block ignores the options that follow it";
                let diagnostic = Diagnostic::warning("promela-else", mark.span, message)
                    .with_help("put this option last, or move `else` before the block");
                self.report.push(*mark, diagnostic);
            }
        }
    }

    fn choice(&mut self, choice: &ast::Choice, leading: Option<LeadingElse>) -> Choice {
        let span = choice.mark.span;
        self.check_option_labels(choice);
        self.body.leading_else = leading.map(|it| it.mark);
        let mut statements = Vec::new();
        for statement in &choice.statements {
            self.statement(statement, &mut statements);
        }
        if statements.is_empty() {
            statements = self.filled(statements, choice.mark).statements;
        }
        Choice { statements, span }
    }
}

/// Returns the `else` with which an option begins.
fn leading_else(choice: &ast::Choice) -> Option<LeadingElse> {
    let mut first = choice.statements.first()?;
    let (mut is_inside, mut is_in_d_step) = (false, false);
    loop {
        first = match &first.kind {
            Syntax::Else => return Some(LeadingElse { mark: first.mark, is_inside, is_in_d_step }),
            Syntax::Block(kind, inner) => {
                is_inside = true;
                is_in_d_step |= *kind == BlockKind::Deterministic;
                inner.first()?
            }
            Syntax::Unless(main, _) => {
                is_inside = true;
                main
            }
            _ => return None,
        };
    }
}
