//! A recursive-descent parser from tokens to the syntax tree. After an error it
//! continues after the current statement or declaration.

mod declare;
mod exprs;
mod inlines;
mod statements;
mod units;

use super::ast;
use super::limits;
use super::token::{Kind, Mark, Report, Token};
use crate::diag::Diagnostic;
use inlines::Inline;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// An error was reported; parsing of the current construct stops.
pub struct Failed;

/// Result of a parsing function.
pub type Read<T> = Result<T, Failed>;

/// Reads a whole model.
pub fn units(tokens: Vec<Token>, report: &mut Report) -> Vec<ast::Unit> {
    Parser::new(tokens, report).units()
}

/// Reads one expression; `is_formula` adds the operators of temporal logic.
pub fn expression(
    tokens: Vec<Token>,
    is_formula: bool,
    proctypes: HashSet<Arc<str>>,
    report: &mut Report,
) -> Option<ast::Expr> {
    let mut parser = Parser::new(tokens, report);
    parser.proctypes = proctypes;
    parser.is_formula = is_formula;
    let expr = parser.expr().ok()?;
    if parser.peek().kind != Kind::End {
        let _ = parser.unexpected::<()>("the end of the expression");
        return None;
    }
    Some(expr)
}

struct Parser<'a> {
    report: &'a mut Report,
    /// Remaining tokens in reverse order: the next token is the last one.
    rest: Vec<Token>,
    /// The previous token.
    previous: Token,
    inlines: HashMap<Arc<str>, Arc<Inline>>,
    proctypes: HashSet<Arc<str>>,
    records: HashSet<Arc<str>>,
    /// The variables to which `return` of the enclosing inlines assigns.
    returns: Vec<Option<ast::Reference>>,
    /// Whether the parser is in the formula of an `ltl` block.
    is_formula: bool,
    /// Whether a line end separates statements here.
    lines_count: bool,
    nesting: usize,
    statement_nesting: usize,
    /// Tokens consumed since the beginning of the current statement.
    taken: Vec<Token>,
    gave_up: bool,
}

impl<'a> Parser<'a> {
    fn new(mut tokens: Vec<Token>, report: &'a mut Report) -> Self {
        let previous = tokens.last().cloned().expect("the last token is the end");
        // Remote references may name a proctype before its declaration.
        let after = |words: [&str; 2]| {
            let is_named = |pair: &&[Token]| words.iter().any(|word| pair[0].is(word));
            tokens.windows(2).filter(is_named).map(|pair| pair[1].text.clone()).collect()
        };
        let proctypes = after(["proctype", "D_proctype"]);
        let records = after(["typedef", "typedef"]);
        tokens.reverse();
        Self {
            report,
            rest: tokens,
            previous,
            inlines: HashMap::new(),
            proctypes,
            records,
            returns: Vec::new(),
            is_formula: false,
            lines_count: false,
            nesting: 0,
            statement_nesting: 0,
            taken: Vec::new(),
            gave_up: false,
        }
    }

    fn peek(&self) -> &Token {
        self.rest.last().expect("the end is never consumed")
    }

    /// Returns the token `distance` after the next one.
    fn peek_at(&self, distance: usize) -> &Token {
        let index = (self.rest.len() - 1).saturating_sub(distance);
        &self.rest[index]
    }

    fn at(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    fn at_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.at(text))
    }

    fn next(&mut self) -> Token {
        let token = match self.rest.len() {
            1 => self.peek().clone(),
            _ => self.rest.pop().expect("the end is never consumed"),
        };
        self.previous = token.clone();
        self.taken.push(token.clone());
        token
    }

    /// Returns the tokens consumed since `start` as one line.
    fn text_since(&self, start: usize) -> String {
        let mut text = String::new();
        for token in &self.taken[start..] {
            if !text.is_empty() && (token.spaced || token.starts_line) {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Read<Token> {
        match self.at(text) {
            true => Ok(self.next()),
            false => self.unexpected(&format!("`{text}`")),
        }
    }

    fn name(&mut self, what: &str) -> Read<ast::Name> {
        let token = self.peek();
        if token.kind != Kind::Name {
            return self.unexpected(what);
        }
        if is_keyword(&token.text) {
            let (mark, message) = (token.mark, format!("`{}` is a keyword", token.text));
            let diagnostic = Diagnostic::error("promela-syntax", mark.span, message)
                .with_label(format!("expected {what}"));
            self.report.push(mark, diagnostic);
            return Err(Failed);
        }
        let token = self.next();
        Ok(ast::Name { text: token.text, mark: token.mark })
    }

    /// Returns the span from a mark to the last token, if both are in the same
    /// text or come from macro calls in the same text.
    fn since(&self, start: Mark) -> Mark {
        self.joined(start).unwrap_or(start)
    }

    fn joined(&self, start: Mark) -> Option<Mark> {
        let ends: Vec<Mark> = self.report.contexts(self.previous.mark).collect();
        let joined = |start: Mark| {
            let is_end = |end: &&Mark| {
                start.from == end.from
                    && start.span.source == end.span.source
                    && start.span.start <= end.span.start
            };
            ends.iter().find(is_end).map(|end| Mark { span: start.span.to(end.span), from: start.from })
        };
        self.report.contexts(start).find_map(joined)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Read<T> {
        let token = self.peek().clone();
        self.unexpected_at(&token, wanted)
    }

    fn unexpected_at<T>(&mut self, token: &Token, wanted: &str) -> Read<T> {
        // An invalid token has been reported.
        if !matches!(token.kind, Kind::Bad(_)) {
            let message = format!("expected {wanted}, found {}", token.shown());
            let diagnostic = Diagnostic::error("promela-syntax", token.mark.span, message)
                .with_optional_help(foreign_syntax_help(&self.previous, token, wanted).map(str::to_string));
            self.report.push(token.mark, diagnostic);
            self.stop_at_limit();
        }
        Err(Failed)
    }

    fn error(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.report.error(code, mark, message);
        self.stop_at_limit();
    }

    fn stop_at_limit(&mut self) {
        if limits::ERRORS <= self.report.diagnostics.len() {
            self.give_up();
        }
    }

    /// Stops parsing.
    fn give_up(&mut self) {
        self.gave_up = true;
        self.rest.truncate(1);
    }

    /// Skips `( … )`, `{ … }` or `[ … ]`, including nested brackets.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        while self.peek().kind != Kind::End {
            let token = self.next();
            if ["(", "{", "["].iter().any(|open| token.is(open)) {
                depth += 1;
            } else if [")", "}", "]"].iter().any(|close| token.is(close)) {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Reports embedded C and skips it.
    fn embedded_c(&mut self) {
        let word = self.next();
        let message = format!("embedded C (`{}`) is not supported", word.text);
        let diagnostic = Diagnostic::error("promela-embedded-c", word.mark.span, message)
            .with_help("model the effect in Promela, or check the model with SPIN and a C compiler");
        self.report.push(word.mark, diagnostic);
        while self.peek().kind == Kind::Text {
            self.next();
        }
        for open in ["[", "{"] {
            if self.at(open) {
                self.skip_group();
            }
        }
    }
}

/// Words that cannot be used as names.
const KEYWORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "D_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "inline",
    "init",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The expected text after the variable of a loop.
const RANGE: &str = "`:` and a range";

/// Suggests Promela syntax for constructs of C or Java.
fn foreign_syntax_help(previous: &Token, token: &Token, wanted: &str) -> Option<&'static str> {
    const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "<<", ">>"];
    const SELECTION: &str = "write a selection as `if :: x == 1 -> … :: else -> … fi`";
    match &*token.text {
        "=" if wanted == RANGE => Some("write `for (i : 0 .. 9) { … }`"),
        "=" if OPERATORS.iter().any(|it| previous.is(it)) => Some("write `x = x + 1` instead of `x += 1`"),
        "=" => Some("`==` compares, `=` assigns"),
        "(" if previous.is("while") => Some("write a loop as `do :: condition -> … :: else -> break od`"),
        "(" if previous.is("switch") || wanted.ends_with("option of `if`") => Some(SELECTION),
        "?" if wanted.starts_with("`;`") => Some("write a conditional value as `(condition -> 1 : 2)`"),
        _ => None,
    }
}
