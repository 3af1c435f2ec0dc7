//! YAML as a tree in which every value has a span.
//!
//! Scalars stay text: an event may be called `on` or `1`, and the reader of a
//! key decides whether a text is a number. The tree is built from the parser's
//! events and not with serde, because serde loses spans below enums and stops
//! at the first error.

use crate::diag::{Diagnostic, SourceId, Sources, Span};
use serde_saphyr::granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span as YamlSpan, Tag};
use std::collections::BTreeMap;

/// A value and its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Position in the file.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Creates a value with a span.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// A value of the file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Text(Text),
    List(Vec<Node>),
    Map(Vec<(Spanned<String>, Node)>),
}

/// A scalar.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    /// For each byte of the text and for its end, the byte of the file; only if
    /// the file contains the text unescaped.
    file_bytes: Option<Vec<usize>>,
    span: Span,
}

impl Text {
    /// Creates a scalar; `at` is the byte of the file after the opening quote,
    /// if any.
    fn new(text: String, file: &str, at: usize, span: Span) -> Self {
        let file_bytes = align(&text, file, at);
        Self { text, file_bytes, span }
    }

    /// Returns the span of the scalar.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the span of some bytes of the text; the whole scalar if the file
    /// spells them differently.
    pub fn place(&self, range: std::ops::Range<usize>) -> Span {
        let Some(bytes) = &self.file_bytes else { return self.span };
        let start = bytes[range.start];
        let end = if range.is_empty() { start } else { bytes[range.end - 1] + 1 };
        Span::new(self.span.source, start..end)
    }
}

/// Finds a text in the file. Any blanks match any blanks, since lines of a
/// block lose their indentation or are joined.
fn align(text: &str, file: &str, mut at: usize) -> Option<Vec<usize>> {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    let skip_blanks = |at: usize| at + file[at..].len() - file[at..].trim_start().len();
    for c in text.chars() {
        if !c.is_whitespace() {
            if !file.get(at..)?.starts_with(c) {
                at = skip_blanks(at);
            }
            if !file[at..].starts_with(c) {
                return None;
            }
        }
        bytes.extend(at..at + c.len_utf8());
        let blank_here = || file[at..].starts_with(char::is_whitespace);
        if !c.is_whitespace() || blank_here() {
            at += file[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    bytes.push(at);
    Some(bytes)
}

/// Maximum number of values, which aliases can multiply; a specification has
/// hundreds at most.
const MAX_NODES: usize = 20_000;

/// Reads the only document of a source.
pub(crate) fn read(source: SourceId, sources: &Sources) -> Result<Node, Diagnostic> {
    let text = sources.get(source).text.as_str();
    let mut options = Options::default();
    options.set_emit_comments(false);
    options.flow_nesting_limit = 40;
    options.block_nesting_limit = 40;
    let parser = Parser::new_from_str_with_options(text, options);
    let mut reader = Reader { source, text, parser, anchors: BTreeMap::new(), n_nodes: 0 };
    reader.document()
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    parser: Parser<'a, serde_saphyr::granit_parser::StrInput<'a>>,
    anchors: BTreeMap<usize, Node>,
    n_nodes: usize,
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Result<Node, Diagnostic> {
        let mut root = None;
        loop {
            let (event, span) = self.event()?;
            match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => (),
                Event::StreamEnd => break,
                _ if root.is_some() => {
                    return Err(
                        self.error(span, "expected a single YAML document, but a second one begins here")
                    );
                }
                event => root = Some(self.node(event, span)?),
            }
        }
        let empty = || Node { span: Span::new(self.source, 0..0), value: Value::Null };
        Ok(root.unwrap_or_else(empty))
    }

    fn event(&mut self) -> Result<(Event<'a>, Span), Diagnostic> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, self.span(&span))),
            Some(Err(error)) => Err(self.syntax_error(&error)),
            None => Ok((Event::StreamEnd, Span::new(self.source, self.text.len()..self.text.len()))),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span) -> Result<Node, Diagnostic> {
        self.count(1, span)?;
        let anchor = event.anchor_id();
        if let Event::Scalar(.., Some(tag))
        | Event::SequenceStart(.., Some(tag))
        | Event::MappingStart(.., Some(tag)) = &event
        {
            self.expect_known_tag(tag, span)?;
        }
        let node = match event {
            Event::Scalar(text, style, ..) => self.scalar(text.into_owned(), style, span),
            Event::SequenceStart(..) => self.list(span)?,
            Event::MappingStart(..) => self.map(span)?,
            Event::Alias(id) => self.alias(id, span)?,
            _ => return Err(self.error(span, "expected a value")),
        };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// Rejects tags other than those of YAML itself, since they would be
    /// ignored.
    fn expect_known_tag(&self, tag: &Tag, span: Span) -> Result<(), Diagnostic> {
        const CORE: &str = "tag:yaml.org,2002:";
        const KNOWN: [&str; 7] = ["str", "int", "float", "bool", "null", "seq", "map"];
        if (tag.handle() == CORE && KNOWN.contains(&tag.suffix()))
            || (tag.handle(), tag.suffix()) == ("", "!")
        {
            return Ok(());
        }
        let shown = format!("{}{}", tag.handle().replace(CORE, "!!"), tag.suffix());
        let message = format!("the tag `{shown}` is not supported");
        Err(self
            .error(span, message)
            .with_help("remove the tag, or put the text in quotes if it begins with `!`"))
    }

    fn scalar(&self, text: String, style: ScalarStyle, span: Span) -> Node {
        let is_null = style == ScalarStyle::Plain && matches!(text.as_str(), "" | "~" | "null");
        let value = if is_null {
            Value::Null
        } else {
            let quote = usize::from(matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
            Value::Text(Text::new(text, self.text, span.start as usize + quote, span))
        };
        Node { span, value }
    }

    fn list(&mut self, start: Span) -> Result<Node, Diagnostic> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.event()?;
            if event == Event::SequenceEnd {
                let span = whole(start, items.last().map(|item: &Node| item.span), span);
                return Ok(Node { span, value: Value::List(items) });
            }
            items.push(self.node(event, span)?);
        }
    }

    fn map(&mut self, start: Span) -> Result<Node, Diagnostic> {
        let mut entries: Vec<(Spanned<String>, Node)> = Vec::new();
        loop {
            let (event, span) = self.event()?;
            if event == Event::MappingEnd {
                let span = whole(start, entries.last().map(|(_, value)| value.span), span);
                return Ok(Node { span, value: Value::Map(entries) });
            }
            let Event::Scalar(key, .., tag) = event else {
                return Err(self
                    .error(span, "a key must be a string")
                    .with_optional_help(quoting(self.text, span)));
            };
            if let Some(tag) = &tag {
                self.expect_known_tag(tag, span)?;
            }
            let key = Spanned::new(key.into_owned(), span);
            let (event, span) = self.event()?;
            entries.push((key, self.node(event, span)?));
        }
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<Node, Diagnostic> {
        let Some(node) = self.anchors.get(&id).cloned() else {
            return Err(self.error(span, "this alias refers to the value that contains it"));
        };
        self.count(size(&node), span)?;
        Ok(node)
    }

    fn count(&mut self, n_nodes: usize, span: Span) -> Result<(), Diagnostic> {
        self.n_nodes += n_nodes;
        if self.n_nodes > MAX_NODES {
            return Err(self.error(span, format!("the file contains more than {MAX_NODES} values")));
        }
        Ok(())
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("spec-yaml", span, message)
    }

    fn syntax_error(&self, error: &ScanError) -> Diagnostic {
        let at = error.marker().byte_offset().unwrap_or(self.text.len()).min(self.text.len());
        let end = self.text[at..].chars().next().filter(|c| *c != '\n').map_or(at, |c| at + c.len_utf8());
        let span = Span::new(self.source, at..end);
        let message = match &self.text[at..end] {
            "*" => "a string that begins with `*` must be in quotes".to_string(),
            _ => format!("this is not YAML: {}", error.info()),
        };
        self.error(span, message).with_optional_help(quoting(self.text, span))
    }

    fn span(&self, span: &YamlSpan) -> Span {
        Span::new(self.source, span.byte_range().unwrap_or(0..0))
    }
}

/// Returns the span of a collection: flow style ends with its bracket, block
/// style with its last value.
fn whole(start: Span, last: Option<Span>, end: Span) -> Span {
    let is_bracket = end.start < end.end;
    if is_bracket { start.to(end) } else { last.map_or(start, |last| start.to(last)) }
}

fn size(node: &Node) -> usize {
    match &node.value {
        Value::Null | Value::Text(_) => 1,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|(_, value)| size(value)).sum::<usize>(),
    }
}

/// Suggests quotes: most syntax errors are labels without them.
fn quoting(text: &str, span: Span) -> Option<String> {
    let before = text.get(..span.start as usize)?;
    let line = text[before.rfind('\n').map_or(0, |at| at + 1)..].lines().next()?;
    line.contains(['*', '[', '{', ';', '|', '%', '@', '`'])
        .then(|| "put labels and expressions with special characters in quotes: \"a[*]\"".to_string())
}
