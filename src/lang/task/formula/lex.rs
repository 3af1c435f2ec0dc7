//! Tokens of formulas.

use crate::diag::{Diagnostic, SourceId, Span};

/// A piece of the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Span,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a word that is an operator.
    Word,
    Number,
    Symbol,
    /// The end of the text.
    End,
}

/// Symbols, longer ones first.
const SYMBOLS: &[&str] = &[
    "<->", "->", "<>", "[]", "&&", "||", "==", "!=", "<=", ">=", "::", "(", ")", "[", "]", "!", "<", ">",
    "+", "-", "*", "/", "%", ".", "#",
];

/// Symbols of other notations, and what to write here.
const FOREIGN: &[(&str, &str)] = &[
    ("=>", "implication is written `->`"),
    ("=", "equality is written `==`"),
    ("&", "conjunction is written `&&`"),
    ("|", "disjunction is written `||`"),
    ("/\\", "conjunction is written `&&`"),
    ("\\/", "disjunction is written `||`"),
    ("~", "negation is written `!`"),
];

/// Splits a text; the last token is its end.
pub(super) fn tokens(source: SourceId, text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let (kind, length) = match rest.chars().next() {
            None => (Kind::End, 0),
            Some(first) if first.is_ascii_digit() => (Kind::Number, word_length(rest)),
            Some(first) if is_of_word(first) => (Kind::Word, word_length(rest)),
            Some(first) => match SYMBOLS.iter().find(|it| rest.starts_with(**it)) {
                Some(symbol) if !is_foreign(rest) => (Kind::Symbol, symbol.len()),
                _ => return Err(unknown(rest, first, |length| Span::new(source, at..at + length))),
            },
        };
        let span = Span::new(source, at..at + length);
        tokens.push(Token { kind, text: &rest[..length], span });
        if kind == Kind::End {
            return Ok(tokens);
        }
        at += length;
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len())
}

/// Returns whether the text begins with `/\`, which begins with a symbol of
/// formulas.
fn is_foreign(rest: &str) -> bool {
    rest.starts_with("/\\")
}

fn unknown(rest: &str, first: char, span: impl Fn(usize) -> Span) -> Diagnostic {
    let foreign = FOREIGN.iter().find(|(symbol, _)| rest.starts_with(symbol));
    let shown = foreign.map_or_else(|| first.to_string(), |(symbol, _)| (*symbol).to_string());
    let message = format!("`{shown}` is not an operator of formulas");
    let diagnostic = Diagnostic::error("formula-syntax", span(shown.len()), message);
    diagnostic.with_optional_help(foreign.map(|(_, help)| (*help).to_string()))
}
