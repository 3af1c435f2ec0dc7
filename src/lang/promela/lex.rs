//! Splits text into tokens. Comments are removed, continued lines are joined;
//! directives are not interpreted yet.

use super::token::{Kind, Mark, Token};
use crate::base::cancel::checkpoint;
use crate::diag::{SourceId, Span};
use std::sync::Arc;

/// Operators and brackets, longer ones first.
const PUNCTUATION: &[&str] = &[
    "<->", "...", "::", "->", "..", "!!", "??", "++", "--", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||",
    "##", "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "?", "!", "=", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "~", "@", "#",
];

/// The end of a comment without its beginning, after a nested comment; skipped.
const COMMENT_END: &str = "*/";

/// Another spelling of the arrow.
const LONG_ARROW: &str = "-->";
const ARROW: &str = "->";

/// Splits a text into tokens; invalid ones are [`Kind::Bad`].
pub fn lex(source: SourceId, text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        text,
        position: 0,
        starts_line: true,
        in_directive: false,
        spaced: false,
        tokens: Vec::new(),
    };
    while lexer.position < text.len() {
        checkpoint();
        lexer.next();
    }
    lexer.tokens
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    position: usize,
    starts_line: bool,
    /// Whether the line begins with `#`. A comment does not end such a line.
    in_directive: bool,
    spaced: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn next(&mut self) {
        let rest = &self.text[self.position..];
        let first = rest.chars().next().expect("the text is not at its end");
        if let Some(length) = joined_line(rest) {
            self.skip(length);
        } else if first.is_whitespace() || first == '\0' {
            self.starts_line |= first == '\n';
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") {
            self.skip(line_length(rest));
        } else if rest.starts_with("/*") {
            self.comment(rest);
        } else if rest.starts_with(COMMENT_END) {
            self.skip(COMMENT_END.len());
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.push(Kind::Name, length_while(rest, |c| c.is_ascii_alphanumeric() || c == '_'));
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if first == '"' || first == '\'' {
            self.quoted(rest, first);
        } else if let Some(arrow) = rest.strip_prefix(LONG_ARROW) {
            self.push_as(Kind::Punct, rest.len() - arrow.len(), ARROW);
        } else if let Some(punct) = PUNCTUATION.iter().find(|punct| rest.starts_with(**punct)) {
            self.push(Kind::Punct, punct.len());
        } else {
            self.push(Kind::Bad("this character is not part of Promela"), first.len_utf8());
        }
    }

    fn skip(&mut self, length: usize) {
        self.position += length;
        self.spaced = true;
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let text = self.text;
        self.push_as(kind, length, &text[self.position..self.position + length]);
    }

    fn push_as(&mut self, kind: Kind, length: usize, text: &str) {
        let range = self.position..self.position + length;
        if self.starts_line {
            self.in_directive = text == "#";
        }
        self.tokens.push(Token {
            kind,
            text: Arc::from(text),
            mark: Mark { span: Span::new(self.source, range), from: None },
            starts_line: self.starts_line,
            spaced: self.spaced,
        });
        self.position += length;
        self.starts_line = false;
        self.spaced = false;
    }

    fn comment(&mut self, rest: &str) {
        match rest[2..].find("*/") {
            Some(end) => {
                self.starts_line |= !self.in_directive && rest[..end + 2].contains('\n');
                self.skip(end + 4);
            }
            None => {
                self.push(Kind::Bad("this comment is never closed"), 2);
                self.position = self.text.len();
            }
        }
    }

    /// Reads a number. All numbers are decimal, even `010`; larger ones lose
    /// their upper bits, as in C.
    fn number(&mut self, rest: &str) {
        let length = length_while(rest, |c| c.is_ascii_alphanumeric());
        let digits = length_while(rest, |c| c.is_ascii_digit());
        if rest.starts_with("0x") || rest.starts_with("0X") {
            self.push(Kind::Bad("Promela has only decimal numbers"), length);
        } else if digits < length {
            self.push(Kind::Bad("this is neither a number nor a name: a name begins with a letter"), length);
        } else {
            let value = rest[..digits].parse::<i64>().unwrap_or(i64::MAX);
            self.push(Kind::Number(value as i32), digits);
        }
    }

    fn quoted(&mut self, rest: &str, quote: char) {
        let Some(length) = quoted_length(rest, quote) else {
            let missing = match quote {
                '"' => "this string has no closing quote",
                _ => "this character has no closing quote",
            };
            return self.push(Kind::Bad(missing), line_length(rest).max(1));
        };
        match quote {
            '"' => self.push(Kind::Text, length),
            _ => match character(&rest[1..length - 1]) {
                Some(value) => self.push(Kind::Number(value), length),
                None => self.push(Kind::Bad("expected exactly one character between single quotes"), length),
            },
        }
    }
}

/// Returns the length of a backslash and the line end that it removes.
fn joined_line(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('\\')?;
    let blanks = length_while(after, |c| matches!(c, ' ' | '\t' | '\r'));
    after[blanks..].starts_with('\n').then_some(blanks + 2)
}

/// Returns the length up to the end of the line, with joined lines.
fn line_length(rest: &str) -> usize {
    let mut end = 0;
    loop {
        end += rest[end..].find('\n').unwrap_or(rest.len() - end);
        if end == rest.len() || !rest[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        end += 1;
    }
}

fn length_while(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accepts(c)).unwrap_or(text.len())
}

/// Returns the length with both quotes, if the closing one is on the same line.
fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !escaped => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(index + 1),
            _ => {}
        }
    }
    None
}

fn character(inner: &str) -> Option<i32> {
    let mut chars = inner.chars();
    let value = match chars.next()? {
        '\\' => match chars.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'f' => 12,
            '0' => 0,
            other => other as i32,
        },
        other => other as i32,
    };
    chars.next().is_none().then_some(value)
}
