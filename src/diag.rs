//! Source texts, positions in them, and user errors as data.
//!
//! Parsers and checkers collect [`Diagnostic`]s and continue; only the command
//! line prints them. All texts of a run are in one [`Sources`], so a [`Span`]
//! identifies a line.

mod render;
mod suggest;
mod visible;

use crate::define_id;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use suggest::{did_you_mean, suggest};
pub use visible::{is_obeyed, visible, visible_json, visible_lines};

define_id!(
    /// A text in [`Sources`].
    SourceId
);

/// A text and the name by which the user knows it.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path as the user typed it, or a description such as `--set`.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Where a text comes from that is not in any file, such as the expansion
    /// of a macro.
    pub origin: Option<Span>,
    /// Start of each line, computed on first use.
    lines: OnceLock<Vec<usize>>,
    /// Whether the text is ASCII, so that columns are bytes.
    is_ascii: OnceLock<bool>,
}

impl Source {
    /// Returns the start of each line; the first line starts at 0.
    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let after = self.text.match_indices('\n').map(|(newline, _)| newline + 1);
            std::iter::once(0).chain(after).collect()
        })
    }

    /// Returns the number of characters in a range of bytes.
    fn n_characters(&self, range: Range<usize>) -> usize {
        match *self.is_ascii.get_or_init(|| self.text.is_ascii()) {
            true => range.len(),
            false => self.text[range].chars().count(),
        }
    }

    /// Returns the index, from zero, of the line that contains a byte.
    fn line_of(&self, byte: usize) -> usize {
        self.lines().partition_point(|&begin| begin <= byte).saturating_sub(1)
    }
}

/// All texts of a run. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Arc<Source>>,
}

/// A range of bytes of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The text it belongs to.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A line and a column, both counted from one; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information: an over-approximation, something unused.
    Note,
    /// Probably not what the user intended.
    Warning,
    /// The input cannot be used.
    Error,
}

/// An error or remark: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code for manuals and tests, such as `task-recursion`.
    pub code: &'static str,
    /// Severity.
    pub severity: Severity,
    /// The bytes at fault; `None` if the fault is not in a text.
    pub span: Option<Span>,
    /// One sentence in the user's words.
    pub message: String,
    /// Text shown under the marked bytes.
    pub label: Option<String>,
    /// Other spans that explain it.
    pub related: Vec<(Span, String)>,
    /// What to do instead, if known.
    pub help: Option<String>,
}

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add_from(name.into(), text.into(), None)
    }

    fn add_from(&mut self, name: String, text: String, origin: Option<Span>) -> SourceId {
        let id = SourceId::new(self.texts.len());
        let (lines, is_ascii) = (OnceLock::new(), OnceLock::new());
        self.texts.push(Arc::new(Source { name, text, origin, lines, is_ascii }));
        id
    }

    /// Adds a text that was generated from the text at `origin`.
    pub fn add_generated(&mut self, text: impl Into<String>, origin: Span) -> SourceId {
        self.add_from(self.get(origin.source).name.clone(), text.into(), Some(origin))
    }

    /// Iterates over all texts in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter().map(|it| &**it)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the span in a text of the user from which `span` was generated,
    /// or `span` itself.
    pub fn origin(&self, span: Span) -> Span {
        self.get(span.source).origin.unwrap_or(span)
    }

    /// Returns the text of an id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.texts[id.index()]
    }

    /// Returns the text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or("")
    }

    /// Returns line and column of the first byte of `span`.
    pub fn position(&self, span: Span) -> Position {
        let span = self.origin(span);
        let source = self.get(span.source);
        let start = span.start as usize;
        let start = if source.text.is_char_boundary(start) { start } else { source.text.len() };
        let line = source.line_of(start);
        Position { line: line + 1, column: source.n_characters(source.lines()[line]..start) + 1 }
    }

    /// Returns the whole line in which `span` begins, without surrounding
    /// blanks.
    pub fn line(&self, span: Span) -> &str {
        let span = self.origin(span);
        let source = self.get(span.source);
        let line = self.position(span).line - 1;
        let end = source.lines().get(line + 1).copied().unwrap_or(source.text.len());
        source.text[source.lines()[line]..end].trim()
    }
}

impl Span {
    /// Creates the span of the bytes `range` of `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let byte = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { source, start: byte(range.start), end: byte(range.end) }
    }

    /// Returns the range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the smallest span that contains both; `other` is in the same
    /// source.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl Diagnostic {
    /// Creates an error at a span.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message)
    }

    /// Creates a warning at a span.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(span), message)
    }

    /// Creates a note at a span.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, Some(span), message)
    }

    /// Creates an error that is not in a text, such as a missing file or a
    /// wrong flag.
    pub fn error_without_place(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, None, message)
    }

    /// Creates a diagnostic.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self { code, severity, span, message, label: None, related: Vec::new(), help: None }
    }

    /// Adds the text shown under the marked bytes.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds what to do instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to do instead, if there is a suggestion.
    #[must_use]
    pub fn with_optional_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Marks another span that explains the first.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Returns whether the input cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
