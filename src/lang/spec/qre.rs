//! Quantified regular expressions in LASER's notation:
//! `for events {a},{b} show no executions satisfy .*;{a};.*`.

use super::regex::{RegexSpec, braced_name};
use super::yaml::{Spanned, Text};
use crate::diag::{Diagnostic, Span};

/// A property in one sentence.
#[derive(Clone, Debug)]
pub(super) struct QreSpec {
    /// The alphabet: declared events or labels of the model.
    pub events: Vec<Spanned<String>>,
    pub events_span: Span,
    /// Whether it says `show no executions`.
    pub is_none: bool,
    pub regex: RegexSpec,
}

const FORM: &str = "write: for events {a},{b} show all|no executions satisfy EXPRESSION";

impl QreSpec {
    pub fn parse(text: &Text) -> Result<Self, Diagnostic> {
        let mut parser = Parser { text, at: 0 };
        parser.keyword("for")?;
        parser.keyword("events")?;
        let start = parser.at;
        let events = parser.events()?;
        let events_span = text.place(start..parser.at);
        parser.keyword("show")?;
        let is_none = match parser.word() {
            "no" | "none" => true,
            "all" => false,
            found => return Err(parser.expected("`all` or `no`", found)),
        };
        parser.advance(parser.word().len());
        parser.keyword("executions")?;
        parser.keyword("satisfy")?;
        let regex = RegexSpec::parse_from(text, parser.at)?;
        Ok(Self { events, events_span, is_none, regex })
    }
}

struct Parser<'a> {
    text: &'a Text,
    at: usize,
}

impl<'a> Parser<'a> {
    /// Reads `{a},{b}` or, with braces around it, `{{a},{b}}`.
    fn events(&mut self) -> Result<Vec<Spanned<String>>, Diagnostic> {
        let is_wrapped = self.rest().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('{'));
        if is_wrapped {
            self.advance(1);
        }
        let mut events = vec![self.event()?];
        while self.rest().starts_with(',') {
            self.advance(1);
            events.push(self.event()?);
        }
        if is_wrapped {
            if !self.rest().starts_with('}') {
                return Err(self.expected("`}`", self.word()));
            }
            self.advance(1);
        }
        Ok(events)
    }

    fn event(&mut self) -> Result<Spanned<String>, Diagnostic> {
        let Some((name, range)) = braced_name(&self.text.text, self.at) else {
            return Err(self.expected("an event in braces", self.word()));
        };
        self.advance(range.len());
        Ok(Spanned::new(name, self.text.place(range)))
    }

    fn keyword(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        self.advance(0);
        let word = self.word();
        if word != wanted {
            return Err(self.expected(&format!("`{wanted}`"), word));
        }
        self.advance(word.len());
        Ok(())
    }

    /// Returns the word that begins here.
    fn word(&self) -> &'a str {
        let rest = &self.text.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        &rest[..end]
    }

    fn expected(&self, wanted: &str, found: &str) -> Diagnostic {
        let length = match found.len() {
            0 => self.rest().chars().next().map_or(0, char::len_utf8),
            length => length,
        };
        let place = self.text.place(self.at..self.at + length);
        Diagnostic::error("spec-regex", place, format!("expected {wanted}")).with_help(FORM)
    }

    fn rest(&self) -> &'a str {
        &self.text.text[self.at..]
    }

    /// Skips some bytes and the blanks after them.
    fn advance(&mut self, length: usize) {
        self.at += length;
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
}
