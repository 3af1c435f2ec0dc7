//! Source texts, places in them, and mistakes of the user as data.
//!
//! Parsers and checkers collect [`Diagnostic`]s and go on; only the command
//! line prints them. All texts of a run live in one [`Sources`], so a
//! [`Span`] is enough to find the line.

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

/// A text and the name under which the user knows it.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path as the user typed it, or a description such as `--set`.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Of a text that nobody wrote like this, since a macro or the like made
    /// it: where it comes from.
    pub home: Option<Span>,
    /// Where its lines begin, once that has been asked for.
    lines: OnceLock<Vec<usize>>,
    /// Is every character a byte? Then columns need not be counted.
    is_ascii: OnceLock<bool>,
}

impl Source {
    /// Where each line begins; the first begins the text.
    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let after = self.text.match_indices('\n').map(|(newline, _)| newline + 1);
            std::iter::once(0).chain(after).collect()
        })
    }

    /// How many characters some bytes of the text are.
    fn n_characters(&self, range: Range<usize>) -> usize {
        match *self.is_ascii.get_or_init(|| self.text.is_ascii()) {
            true => range.len(),
            false => self.text[range].chars().count(),
        }
    }

    /// The number, from zero, of the line that holds a byte of the text.
    fn line_of(&self, byte: usize) -> usize {
        self.lines().partition_point(|&begin| begin <= byte).saturating_sub(1)
    }
}

/// All texts of a run. A clone shares them.
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

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing: an abstraction, something unused.
    Note,
    /// Probably not what was meant.
    Warning,
    /// The input cannot be used.
    Error,
}

/// One mistake or remark: where, what, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, for manuals and tests: `task-recursion`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The bytes at fault; `None` when the fault has no place in a text.
    pub span: Option<Span>,
    /// One sentence in the user's words.
    pub message: String,
    /// What to write under the marked bytes.
    pub label: Option<String>,
    /// Other places that explain it.
    pub related: Vec<(Span, String)>,
    /// What to do instead, when we know.
    pub help: Option<String>,
}

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add_from(name.into(), text.into(), None)
    }

    fn add_from(&mut self, name: String, text: String, home: Option<Span>) -> SourceId {
        let id = SourceId::new(self.texts.len());
        let (lines, is_ascii) = (OnceLock::new(), OnceLock::new());
        self.texts.push(Arc::new(Source { name, text, home, lines, is_ascii }));
        id
    }

    /// Adds a text that was made of what stands at `home`.
    pub fn add_made(&mut self, text: impl Into<String>, home: Span) -> SourceId {
        self.add_from(self.get(home.source).name.clone(), text.into(), Some(home))
    }

    /// All texts, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter().map(|it| &**it)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// A place that somebody wrote.
    pub fn home(&self, span: Span) -> Span {
        self.get(span.source).home.unwrap_or(span)
    }

    /// The text of an id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.texts[id.index()]
    }

    /// The marked text.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or("")
    }

    /// Line and column of the first byte of `span`.
    pub fn position(&self, span: Span) -> Position {
        let span = self.home(span);
        let source = self.get(span.source);
        let start = span.start as usize;
        let start = if source.text.is_char_boundary(start) { start } else { source.text.len() };
        let line = source.line_of(start);
        Position { line: line + 1, column: source.n_characters(source.lines()[line]..start) + 1 }
    }

    /// The whole line in which `span` begins, without surrounding blanks.
    pub fn line(&self, span: Span) -> &str {
        let span = self.home(span);
        let source = self.get(span.source);
        let line = self.position(span).line - 1;
        let end = source.lines().get(line + 1).copied().unwrap_or(source.text.len());
        source.text[source.lines()[line]..end].trim()
    }
}

impl Span {
    /// The bytes `range` of `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let byte = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { source, start: byte(range.start), end: byte(range.end) }
    }

    /// The bytes of the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span with both; `other` is of the same source.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message)
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(span), message)
    }

    /// A remark at a place.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, Some(span), message)
    }

    /// An error that is in no text: a missing file, a wrong flag.
    pub fn error_without_place(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, None, message)
    }

    /// Any diagnostic.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self { code, severity, span, message, label: None, related: Vec::new(), help: None }
    }

    /// Says under the marked bytes what is wrong with them.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Says what to do instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, when there is something to say.
    #[must_use]
    pub fn with_optional_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Marks another place that explains the first.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Does it make the input unusable?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
