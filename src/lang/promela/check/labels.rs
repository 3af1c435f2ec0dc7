//! Labels and jumps.
//!
//! A label in an inline is local to each use of the inline, so that an inline
//! with its own loop can be used twice.

use super::super::ast::{Choice, Name, Statement, StatementKind};
use super::super::token::{UseId, UseKind};
use super::super::tree::{BlockKind, LabelId};
use super::Checker;
use super::outline::{Jump, inline_around};
use crate::diag::{Diagnostic, did_you_mean};
use std::collections::HashMap;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn check_labels(&mut self) {
        let mut known: HashMap<(Arc<str>, Option<UseId>), usize> = HashMap::new();
        let mut twice = Vec::new();
        for (index, label) in self.body.labels.iter().enumerate() {
            let first = *known.entry((label.name.clone(), label.inline)).or_insert(index);
            if first != index {
                twice.push((label.name.clone(), label.mark, self.body.labels[first].mark.span));
            }
        }
        for (name, mark, first) in twice {
            self.redeclared(mark, &format!("label `{name}`"), first);
        }
    }

    pub(super) fn check_jumps(&mut self, jumps: &[Jump]) {
        for jump in jumps {
            let Some(id) = self.find_label(&jump.target) else {
                self.unknown_label(&jump.target);
                continue;
            };
            let label = &self.body.labels[id.index()];
            if label.d_step == jump.d_step {
                continue;
            }
            let message = match jump.d_step {
                Some(_) => format!("`goto {}` jumps out of a `d_step`", jump.target.text),
                None => format!("`goto {}` jumps into a `d_step`", jump.target.text),
            };
            let diagnostic = Diagnostic::error("promela-d-step", jump.target.mark.span, message)
                .with_related(label.mark.span, "the label")
                .with_help("a `d_step` is executed as one step: use `atomic`, or keep the `goto` and its label on the same side");
            self.report.push(jump.target.mark, diagnostic);
        }
    }

    /// Returns the target of a `goto`: a label of the same inline, otherwise of
    /// an enclosing one, otherwise any label of this name.
    pub(super) fn find_label(&self, target: &Name) -> Option<LabelId> {
        let labels = &self.body.labels;
        let find = |inline: Option<UseId>| {
            labels.iter().position(|label| label.name == target.text && label.inline == inline)
        };
        let around = self.report.chain(target.mark.from);
        let mut inlines = around.filter(|(_, used)| used.kind == UseKind::Inline).map(|(id, _)| Some(id));
        let found = inlines.find_map(find).or_else(|| find(None));
        found.or_else(|| labels.iter().position(|label| label.name == target.text)).map(LabelId::new)
    }

    fn unknown_label(&mut self, target: &Name) {
        let help = did_you_mean(&target.text, self.body.labels.iter().map(|label| &*label.name));
        let message = format!("no label is named `{}` in this body", target.text);
        let diagnostic =
            Diagnostic::error("promela-label", target.mark.span, message).with_optional_help(help);
        self.report.push(target.mark, diagnostic);
    }

    /// Warns about labels at the first statement of an option. The statement
    /// begins at the location of the selection, so no process is ever at such a
    /// label; as in SPIN, the label marks the locations after the statement.
    pub(super) fn check_option_labels(&mut self, choice: &Choice) {
        let Some(mut first) = choice.statements.first() else { return };
        if let StatementKind::Unless(main, _) = &first.kind
            && first.labels.is_empty()
        {
            first = main;
        }
        for label in &first.labels {
            let message = format!(
                "label `{}` is at the first statement of an option, which has no separate control state",
                label.text
            );
            let help = "put it before `if` or `do`; here an end, progress or accept label marks the states after the \
                        statement, as in SPIN";
            let diagnostic = Diagnostic::warning("promela-label", label.mark.span, message).with_help(help);
            self.report.push(label.mark, diagnostic);
        }
    }

    /// Rejects labels for which SPIN has no location: before `unless`, except
    /// if the main part is a block or loop, and at the escape, which begins at
    /// every location of the main part.
    pub(super) fn check_unless_labels(&mut self, main: &Statement, escape: &Statement) {
        let has_place = match &main.kind {
            StatementKind::Block(kind, _) => *kind != BlockKind::Deterministic,
            StatementKind::Select { is_plain, .. } => !is_plain,
            StatementKind::Do(_) | StatementKind::For { .. } => true,
            _ => false,
        };
        if let [first, others @ ..] = &main.labels[..]
            && (!has_place || !others.is_empty())
        {
            let message =
                format!("label `{}` is not allowed directly before a statement with `unless`", first.text);
            let help = format!("write `{}: {{ … unless … }}`", first.text);
            self.error_with_help("promela-label", first.mark, message, &help);
        }
        if let Some(label) = escape.labels.first() {
            let message =
                format!("label `{}` is at the start of an escape, which cannot be a jump target", label.text);
            let help = "put the label before a later statement of the escape";
            self.error_with_help("promela-label", label.mark, message, help);
        }
    }

    /// Rejects a label at the first statement of a block: a block is entered at
    /// its brace, so the label must be before it.
    pub(super) fn check_first_label(&mut self, kind: BlockKind, statements: &[Statement]) {
        // Declarations within a block are steps, but `xr` and `xs` are not.
        let first = statements.iter().find(|it| !matches!(it.kind, StatementKind::Exclusive { .. }));
        let Some(label) = first.and_then(|first| first.labels.first()) else { return };
        let word = match kind {
            BlockKind::Atomic => "atomic {",
            BlockKind::Deterministic => "d_step {",
            BlockKind::Plain | BlockKind::Loop => "{",
        };
        let message = format!("label `{}` is at the first statement of a block", label.text);
        let help = format!("write `{}: {word} …`", label.text);
        // The block of an inline call has no brace in the text.
        let help = match inline_around(label.mark, self.report) {
            Some(_) => {
                "put `skip` before the label, or move the label before the call of the inline".to_string()
            }
            None => help,
        };
        self.error_with_help("promela-label", label.mark, message, &help);
    }
}
