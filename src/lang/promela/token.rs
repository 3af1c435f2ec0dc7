//! Tokens and their origins: the text, a macro or an inline.

use super::limits;
use crate::define_id;
use crate::diag::{Diagnostic, Severity, SourceId, Span};
use std::sync::Arc;

define_id!(
    /// A use of a macro or inline in [`Report::uses`].
    UseId
);

/// A position in the text, and the expansions that inserted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Mark {
    /// Position in the text.
    pub span: Span,
    /// The innermost expansion.
    pub from: Option<UseId>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Name,
    /// A number or character.
    Number(i32),
    /// A string with its quotes.
    Text,
    /// An operator or bracket.
    Punct,
    /// An invalid token, with the error message.
    Bad(&'static str),
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Kind.
    pub kind: Kind,
    /// The text as written.
    pub text: Arc<str>,
    /// Position and expansion.
    pub mark: Mark,
    /// Whether a line ends between the token before it and this one.
    pub starts_line: bool,
    /// Whether white space precedes it.
    pub spaced: bool,
}

/// How a token was inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// By the body of a macro.
    Macro,
    /// As an argument of a macro: written where the macro is used.
    Argument,
    /// By the body of an inline.
    Inline,
}

/// A use of a macro or inline.
#[derive(Clone, Debug)]
pub struct Use {
    /// Its name.
    pub name: Arc<str>,
    /// Position of the use.
    pub span: Span,
    /// The expansion that contains the use.
    pub parent: Option<UseId>,
    /// Kind of the use.
    pub kind: UseKind,
}

/// Diagnostics so far, and the uses of macros and inlines that explain them.
#[derive(Debug, Default)]
pub struct Report {
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// All expansions.
    pub uses: Vec<Use>,
    /// Number of tokens produced by expansion; limited by `limits::TOKENS`.
    pub n_expanded: usize,
    /// Number of suppressed diagnostics.
    n_left_out: usize,
    /// Texts of expanded statements with their origins; they are added as
    /// sources after the `n_sources` existing ones.
    pub generated_texts: Vec<(String, Span)>,
    /// Number of texts that were read.
    pub n_sources: usize,
}

impl Token {
    /// Returns whether it is this name or operator.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Punct) && &*self.text == text
    }

    /// Returns the token for messages.
    pub fn shown(&self) -> String {
        match self.kind {
            Kind::End => "the end of the text".to_string(),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Returns a number with its noun: `1 argument`, `2 arguments`.
pub fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

impl Report {
    /// Adds a diagnostic at `mark`, without duplicates, with the uses that led
    /// there.
    pub fn push(&mut self, mark: Mark, mut diagnostic: Diagnostic) {
        let known = |other: &Diagnostic| {
            other.code == diagnostic.code
                && other.span == diagnostic.span
                && other.message == diagnostic.message
        };
        if self.diagnostics.iter().any(known) {
            return;
        }
        let same = |it: &&Diagnostic| it.code == diagnostic.code && it.message == diagnostic.message;
        let is_enough = limits::DIAGNOSTICS <= self.diagnostics.len()
            || limits::SAME_MESSAGES <= self.diagnostics.iter().filter(same).count();
        // At least one error must be reported if there are any.
        if is_enough && (!diagnostic.is_error() || self.has_errors()) {
            self.n_left_out += 1;
            return;
        }
        let mut from = mark.from;
        while let Some(id) = from {
            let used = &self.uses[id.index()];
            if used.kind != UseKind::Argument && diagnostic.related.len() < 4 {
                diagnostic.related.push((used.span, format!("in the expansion of `{}`", used.name)));
            }
            from = used.parent;
        }
        self.diagnostics.push(diagnostic);
    }

    /// Adds a text that was generated from the text at `origin`.
    pub fn generated_text(&mut self, text: impl Into<String>, origin: Span) -> Span {
        let text = text.into();
        let source = SourceId::new(self.n_sources + self.generated_texts.len());
        let span = Span::new(source, 0..text.len());
        self.generated_texts.push((text, origin));
        span
    }

    /// Returns whether a limit was exceeded.
    pub fn has_met_limit(&self) -> bool {
        self.diagnostics.iter().any(|it| it.code == "promela-limit")
    }

    /// Returns all diagnostics, with a note about suppressed ones.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if self.n_left_out > 0 {
            let message = format!("{} similar messages are not shown", self.n_left_out);
            self.diagnostics.push(Diagnostic::new(Severity::Note, "promela-more", None, message));
        }
        self.diagnostics
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.push(mark, Diagnostic::error(code, mark.span, message));
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.push(mark, Diagnostic::warning(code, mark.span, message));
    }

    /// Records a use.
    pub fn add_use(&mut self, name: &Arc<str>, mark: Mark, kind: UseKind) -> UseId {
        let id = UseId::new(self.uses.len());
        self.uses.push(Use { name: name.clone(), span: mark.span, parent: mark.from, kind });
        id
    }

    /// Returns a mark and the uses of macros that contain it, innermost first.
    pub fn contexts(&self, mark: Mark) -> impl Iterator<Item = Mark> {
        let uses = self.chain(mark.from).map(|(_, it)| Mark { span: it.span, from: it.parent });
        std::iter::once(mark).chain(uses)
    }

    /// Iterates over the expansions that contain a position, innermost first.
    pub fn chain(&self, from: Option<UseId>) -> impl Iterator<Item = (UseId, &Use)> {
        let mut next = from;
        std::iter::from_fn(move || {
            let id = next?;
            let used = &self.uses[id.index()];
            next = used.parent;
            Some((id, used))
        })
    }

    /// Returns the position of the outermost use that inserted `mark`.
    pub fn outermost_use(&self, mark: Mark) -> Option<Span> {
        self.chain(mark.from)
            .filter(|(_, used)| used.kind != UseKind::Argument)
            .last()
            .map(|(_, used)| used.span)
    }

    /// Returns whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
