//! A recursive-descent parser of regular expressions that keeps the span of
//! each name.

use super::events::Alphabet;
use super::yaml::{Spanned, Text};
use crate::automata::Regex;
use crate::diag::{Diagnostic, Span};

/// An expression with unresolved names.
#[derive(Clone, Debug)]
pub(super) enum RegexSpec {
    Empty,
    /// `.`, a name, `[…]` or `[-…]`.
    Set {
        names: Vec<Spanned<String>>,
        is_negated: bool,
    },
    Sequence(Vec<RegexSpec>),
    Alternation(Vec<RegexSpec>),
    Repeat {
        body: Box<RegexSpec>,
        at_least: u32,
        at_most: Option<u32>,
    },
}

impl RegexSpec {
    /// Reads the whole text.
    pub fn parse(text: &Text) -> Result<Self, Diagnostic> {
        Self::parse_from(text, 0)
    }

    /// Reads the text from byte `at` on.
    pub fn parse_from(text: &Text, at: usize) -> Result<Self, Diagnostic> {
        let mut parser = Parser { text, at, depth: 0 };
        parser.skip_blanks();
        let regex = parser.alternation()?;
        match parser.peek() {
            None => Ok(regex),
            Some(')') => Err(parser.error_here("this `)` has no matching `(`")),
            Some(_) => Err(parser.missing_semicolon()),
        }
    }

    /// Resolves the names to symbols of an alphabet.
    pub fn resolve(&self, alphabet: &Alphabet, mistakes: &mut Vec<Diagnostic>) -> Regex {
        let mut parts =
            |parts: &[RegexSpec]| parts.iter().map(|part| part.resolve(alphabet, mistakes)).collect();
        match self {
            Self::Empty => Regex::Empty,
            Self::Sequence(list) => Regex::Sequence(parts(list)),
            Self::Alternation(list) => Regex::Alternation(parts(list)),
            Self::Repeat { body, at_least, at_most } => {
                body.resolve(alphabet, mistakes).repeat(*at_least, *at_most)
            }
            Self::Set { names, is_negated } => {
                let mut symbols = Vec::new();
                for name in names {
                    match alphabet.symbols(name) {
                        Ok(found) => symbols.extend(found),
                        Err(mistake) => mistakes.push(mistake),
                    }
                }
                if *is_negated { Regex::NoneOf(symbols) } else { Regex::OneOf(symbols) }
            }
        }
    }
}

/// Maximum nesting depth; deeper expressions would exhaust the stack.
const MAX_DEPTH: usize = 100;

struct Parser<'a> {
    text: &'a Text,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, Diagnostic>;

impl Parser<'_> {
    fn alternation(&mut self) -> Parsed<RegexSpec> {
        self.separated('|', Self::sequence, RegexSpec::Alternation)
    }

    fn sequence(&mut self) -> Parsed<RegexSpec> {
        self.separated(';', Self::repetition, RegexSpec::Sequence)
    }

    fn separated(
        &mut self,
        separator: char,
        part: impl Fn(&mut Self) -> Parsed<RegexSpec>,
        join: impl Fn(Vec<RegexSpec>) -> RegexSpec,
    ) -> Parsed<RegexSpec> {
        let first = part(self)?;
        if self.peek() != Some(separator) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(separator) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn repetition(&mut self) -> Parsed<RegexSpec> {
        let mut body = self.atom()?;
        let mut n_operators = 0;
        while let Some((at_least, at_most)) = self.postfix()? {
            n_operators += 1;
            if n_operators > MAX_DEPTH {
                return Err(self.error_here("the repetitions are nested too deeply"));
            }
            body = RegexSpec::Repeat { body: Box::new(body), at_least, at_most };
        }
        Ok(body)
    }

    fn postfix(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        let bounds = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('^') => {
                self.eat('^');
                let count = self.count()?;
                return Ok(Some((count, Some(count))));
            }
            Some('{') if self.begins_count() => return self.braced_count().map(Some),
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(bounds))
    }

    /// Returns whether `{` begins a repetition count instead of a name.
    fn begins_count(&self) -> bool {
        let inner = self.rest().trim_start().strip_prefix('{');
        inner.is_some_and(|inner| inner.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    }

    fn braced_count(&mut self) -> Parsed<(u32, Option<u32>)> {
        self.skip_blanks();
        let start = self.at;
        self.eat('{');
        let at_least = self.count()?;
        let at_most = match self.eat(',') {
            false => Some(at_least),
            true if self.peek() == Some('}') => None,
            true => Some(self.count()?),
        };
        if !self.eat('}') {
            return Err(self
                .error_here("this repetition count is not closed")
                .with_help("write `{k}`, `{m,n}` or `{m,}`"));
        }
        if at_most.is_some_and(|at_most| at_most < at_least) {
            let message = "the upper bound of this repetition is less than the lower bound";
            return Err(self.error(start..self.at, message).with_help("write the smaller number first"));
        }
        Ok((at_least, at_most))
    }

    fn count(&mut self) -> Parsed<u32> {
        self.skip_blanks();
        let digits = self.rest().chars().take_while(char::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.error_here("expected a number"));
        }
        let range = self.at..self.at + digits;
        let number = self.text.text[range.clone()].parse();
        self.at = range.end;
        number.map_err(|_| self.error(range, "this repetition count is too large"))
    }

    fn atom(&mut self) -> Parsed<RegexSpec> {
        match self.peek() {
            Some('.') => {
                self.advance();
                Ok(RegexSpec::Set { names: Vec::new(), is_negated: true })
            }
            Some('(') => self.group(),
            Some('[') => self.set(),
            Some(_) => {
                let name = self.name()?;
                Ok(RegexSpec::Set { names: vec![name], is_negated: false })
            }
            None => Err(self.missing_expression()),
        }
    }

    fn group(&mut self) -> Parsed<RegexSpec> {
        let open = self.at;
        self.eat('(');
        if self.eat(')') {
            return Ok(RegexSpec::Empty);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error_here(format!("parentheses are nested more than {MAX_DEPTH} levels deep")));
        }
        let inner = self.alternation()?;
        self.depth -= 1;
        match self.peek() {
            Some(')') => self.advance(),
            None => return Err(self.error(open..open + 1, "this `(` is not closed")),
            Some(_) => return Err(self.missing_semicolon()),
        }
        Ok(inner)
    }

    fn set(&mut self) -> Parsed<RegexSpec> {
        let open = self.at;
        self.eat('[');
        let is_negated = self.eat('-');
        if self.peek() == Some(']') {
            self.advance();
            return Err(self.error(open..self.at, "this set of events is empty"));
        }
        let mut names = vec![self.name()?];
        while self.eat(',') {
            names.push(self.name()?);
        }
        match self.peek() {
            Some(']') => self.advance(),
            None => return Err(self.error(open..open + 1, "this `[` is not closed")),
            Some(_) => return Err(self.error_here("expected `,` or `]` between the events of a set")),
        }
        Ok(RegexSpec::Set { names, is_negated })
    }

    /// Reads an identifier, or any name in braces.
    fn name(&mut self) -> Parsed<Spanned<String>> {
        self.skip_blanks();
        if self.peek() == Some('{') {
            let (name, range) = braced_name(&self.text.text, self.at)
                .ok_or_else(|| self.error(self.at..self.at + 1, "this `{` is not closed"))?;
            self.at = range.end;
            return Ok(Spanned::new(name, self.text.place(range)));
        }
        let length: usize = self.rest().chars().take_while(|&c| is_name_char(c)).map(char::len_utf8).sum();
        if length == 0 {
            return Err(self.missing_expression());
        }
        let range = self.at..self.at + length;
        self.at = range.end;
        Ok(Spanned::new(self.text.text[range.clone()].to_string(), self.text.place(range)))
    }

    fn missing_expression(&self) -> Diagnostic {
        let help = "write an event, `.`, `[…]` or `(…)`; `()` is the empty sequence";
        match self.peek() {
            None => self.error_here("the expression is incomplete").with_help(help),
            Some(found) => self.error_here(format!("unexpected `{found}`")).with_help(help),
        }
    }

    fn missing_semicolon(&self) -> Diagnostic {
        let Some(found) = self.peek().filter(|&c| is_name_char(c) || "{[(.".contains(c)) else {
            return self.missing_expression();
        };
        let help = match self.dotted_name() {
            Some(name) => format!("write a name that contains dots as `{{{name}}}`"),
            None => "write `a; b` for a sequence, `a | b` for alternatives".to_string(),
        };
        self.error_here(format!("`;` or `|` is missing before `{found}`")).with_help(help)
    }

    /// Returns the name around a dot that was meant as part of it: `t2.lock`.
    fn dotted_name(&self) -> Option<String> {
        let is_part = |c: char| is_name_char(c) || c == '.';
        let text = &self.text.text;
        let start = text[..self.at].rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
        let end = text[self.at..].find(|c| !is_part(c)).map_or(text.len(), |length| self.at + length);
        let name = text.get(start..end)?;
        let is_dotted = name.contains('.') && !name.starts_with('.') && !name.ends_with('.');
        is_dotted.then(|| name.to_string())
    }

    fn peek(&self) -> Option<char> {
        self.rest().trim_start().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance();
        }
        found
    }

    fn advance(&mut self) {
        self.skip_blanks();
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.skip_blanks();
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &str {
        &self.text.text[self.at..]
    }

    fn error_here(&self, message: impl Into<String>) -> Diagnostic {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        let at = self.at + blanks;
        let length = self.peek().map_or(0, char::len_utf8);
        self.error(at..at + length, message)
    }

    fn error(&self, range: std::ops::Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("spec-regex", self.place(range), message)
    }

    fn place(&self, range: std::ops::Range<usize>) -> Span {
        self.text.place(range)
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the name in the braces that open at byte `at`, and the range with
/// braces.
pub(super) fn braced_name(text: &str, at: usize) -> Option<(String, std::ops::Range<usize>)> {
    let inner = text.get(at..)?.strip_prefix('{')?;
    let length = inner.find('}')?;
    Some((inner[..length].trim().to_string(), at..at + length + 2))
}
