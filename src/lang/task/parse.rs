//! Translation of a text to a syntax tree, with syn.
//!
//! The text is never compiled: syn parses the Rust syntax, and [`macros`]
//! parses the bodies of Trapline's own macros. An error is reported and leaves
//! an `Error` node, so that one run reports several errors.

mod exprs;
mod items;
mod macros;
mod nesting;
mod patterns;
mod statements;

use super::ast::Model;
use super::limits;
use crate::diag::{Diagnostic, SourceId, Span};
use proc_macro2::TokenStream;
use std::str::FromStr;

/// Parses a text. The model contains what could be parsed.
pub fn parse(source: SourceId, text: &str) -> (Model, Vec<Diagnostic>) {
    let mut parser =
        Parser { source, base: prelude_bytes(text), diagnostics: Vec::new(), accepts: Vec::new() };
    let model = parser.file(text);
    (model, parser.diagnostics)
}

/// The state of the conversion.
struct Parser {
    source: SourceId,
    /// Bytes before the text that the lexer sees.
    base: usize,
    diagnostics: Vec<Diagnostic>,
    /// The entries that the current function accepts.
    accepts: Vec<String>,
}

impl Parser {
    fn file(&mut self, text: &str) -> Model {
        if text.len() > limits::SOURCE_BYTES {
            let message = format!("the model is larger than {} bytes", limits::SOURCE_BYTES);
            self.diagnostics.push(Diagnostic::error("task-limit", Span::new(self.source, 0..0), message));
            return Model::default();
        }
        let tokens = match TokenStream::from_str(&text[self.base..]) {
            Ok(tokens) => tokens,
            Err(error) => {
                let span = self.span(error.span());
                self.error("task-syntax", span, lexer_message(&text[span.start as usize..]));
                return Model::default();
            }
        };
        if let Some(place) = nesting::too_deep(&tokens) {
            let span = self.span(place);
            let message = format!("this is nested more than {} levels deep", limits::NESTING);
            self.error("task-limit", span, message);
            return Model::default();
        }
        match syn::parse2::<syn::File>(tokens) {
            Ok(file) => self.items(file.items),
            Err(error) => {
                self.syntax_error(error, text.len());
                Model::default()
            }
        }
    }

    /// Reports a syntax error of syn.
    fn syntax_error(&mut self, error: syn::Error, end: usize) {
        for error in error {
            let mut span = self.span(error.span());
            // syn has no position for something that is missing at the end of the text.
            if span.start as usize == self.base && span.end == span.start {
                span = Span::new(self.source, end..end);
            }
            self.error("task-syntax", span, format!("this is not Rust syntax: {error}"));
        }
    }

    fn span(&self, span: proc_macro2::Span) -> Span {
        let range = span.byte_range();
        Span::new(self.source, range.start + self.base..range.end + self.base)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn unsupported(&mut self, span: Span, what: &str, help: Option<&str>) {
        let diagnostic =
            Diagnostic::error("task-unsupported", span, format!("{what} is not supported in a model"));
        self.diagnostics.push(diagnostic.with_optional_help(help.map(String::from)));
    }
}

/// Returns the length of a byte order mark and a `#!` line, which are not Rust
/// tokens.
fn prelude_bytes(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[mark..];
    if rest.starts_with("#!") && !rest[2..].trim_start().starts_with('[') {
        mark + rest.find('\n').unwrap_or(rest.len())
    } else {
        mark
    }
}

fn lexer_message(rest: &str) -> &'static str {
    match rest.chars().next() {
        Some('(' | '[' | '{') => "this bracket is never closed",
        Some(')' | ']' | '}') => "this bracket does not match the last open bracket",
        Some('"') => "this string is never closed",
        _ => "this is not a Rust token",
    }
}
