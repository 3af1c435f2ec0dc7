//! Lexical analysis of formulas.
//!
//! The meaning of a character depends on its context: `[` begins an operator
//! where an operand is expected and an index after a name. So there are two
//! functions, [`operand`] and [`operator`], and the parser calls the right one.
//! Expressions are skipped, not parsed: `len(q) == 0` is one atom.

use super::ParseError;
use std::ops::Range;

/// Tokens where an operand is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Open,
    Not,
    Always,
    Eventually,
    Next,
    True,
    False,
    /// A name, optionally with index, label or arguments.
    Name,
    /// Any text in braces.
    Braced,
    /// Operands joined by operators of expressions, such as `x > 0`.
    Compound,
}

/// Tokens after an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    End,
    Close,
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    Release,
    WeakUntil,
}

/// A token and its range in the text.
pub(super) type Found<T> = Result<(T, Range<usize>), ParseError>;

const PREFIXES: &[(&str, Operand)] = &[
    ("always", Operand::Always),
    ("G", Operand::Always),
    ("eventually", Operand::Eventually),
    ("F", Operand::Eventually),
    ("next", Operand::Next),
    ("X", Operand::Next),
];

const INFIXES: &[(&str, Operator)] = &[
    ("<->", Operator::Equivalent),
    ("->", Operator::Implies),
    ("&&", Operator::And),
    ("/\\", Operator::And),
    ("||", Operator::Or),
    ("\\/", Operator::Or),
    (")", Operator::Close),
    ("until", Operator::Until),
    ("stronguntil", Operator::Until),
    ("U", Operator::Until),
    ("weakuntil", Operator::WeakUntil),
    ("W", Operator::WeakUntil),
    ("release", Operator::Release),
    ("V", Operator::Release),
    ("R", Operator::Release),
    ("implies", Operator::Implies),
    ("equivalent", Operator::Equivalent),
];

/// Operators inside the expression of an atom, longer ones first.
const EXPRESSION_OPERATORS: &[&str] =
    &["==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^"];

/// Operators of other notations, and what to write here.
const FOREIGN: &[(&str, &str)] =
    &[("=>", "`->`"), ("and", "`&&`"), ("or", "`||`"), ("=", "`==`"), ("M", "`g U (f && g)`")];

/// Returns the operand that begins at or after `at`.
pub(super) fn operand(text: &str, at: usize) -> Found<Operand> {
    let at = skip_space(text, at);
    let rest = &text[at..];
    if let Some(&(name, operand)) = PREFIXES.iter().find(|(name, _)| *name == word(rest)) {
        return Ok((operand, at..at + name.len()));
    }
    if let Some(length) = box_length(rest) {
        return Ok((Operand::Always, at..at + length));
    }
    if rest.starts_with("<>") {
        return Ok((Operand::Eventually, at..at + 2));
    }
    if rest.starts_with('!') {
        return Ok((Operand::Not, at..at + 1));
    }
    if rest.starts_with('{') {
        return Ok((Operand::Braced, at..group_end(text, at)?));
    }
    if rest.starts_with('(') && !expression_goes_on(text, group_end(text, at)?) {
        return Ok((Operand::Open, at..at + 1));
    }
    if let Ok((_, range)) = infix(text, at) {
        return Err(missing_operand(text, range));
    }
    atom(text, at)
}

/// Returns the operator that begins at or after `at`.
pub(super) fn operator(text: &str, at: usize) -> Found<Operator> {
    let at = skip_space(text, at);
    let rest = &text[at..];
    if rest.is_empty() {
        return Ok((Operator::End, at..at));
    }
    infix(text, at).map_err(|range| {
        let message = format!("expected an operator before `{}`", &text[range.clone()]);
        let foreign = FOREIGN.iter().find(|(name, _)| *name == word(rest) || is_symbol(name, rest));
        ParseError::new(range, message)
            .with_hint(foreign.map(|(name, meant)| format!("`{name}` is written {meant} here")))
    })
}

/// How the parser would read a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One word that is not an operator.
    Word,
    /// One atom.
    Expression,
    /// Something else.
    Other,
}

/// Returns how the parser would read this text in a formula.
pub(super) fn shape(text: &str) -> Shape {
    match operand(text, 0) {
        Ok((Operand::Name | Operand::Compound, range)) if range == (0..text.len()) => {
            if word(text) == text {
                Shape::Word
            } else {
                Shape::Expression
            }
        }
        _ => Shape::Other,
    }
}

fn infix(text: &str, at: usize) -> Result<(Operator, Range<usize>), Range<usize>> {
    let rest = &text[at..];
    let found = INFIXES.iter().find(|(name, _)| *name == word(rest) || is_symbol(name, rest));
    match found {
        Some(&(name, operator)) => Ok((operator, at..at + name.len())),
        None => Err(at..at + unit_length(rest)),
    }
}

fn missing_operand(text: &str, range: Range<usize>) -> ParseError {
    let message = format!("expected a formula before `{}`", &text[range.clone()]);
    let is_word = text[range.clone()].starts_with(char::is_alphabetic);
    let hint = is_word.then(|| format!("if this is a name, write `{{{}}}`", &text[range.clone()]));
    ParseError::new(range, message).with_hint(hint)
}

/// Returns the range between braces, without surrounding space.
pub(super) fn inside(text: &str, braces: Range<usize>) -> Result<Range<usize>, ParseError> {
    let inner = &text[braces.start + 1..braces.end - 1];
    let start = skip_space(text, braces.start + 1);
    match inner.trim().len() {
        0 => Err(ParseError::new(braces, "these braces are empty".into())),
        length => Ok(start..start + length),
    }
}

/// Returns the longest expression that begins at `at`.
fn atom(text: &str, at: usize) -> Found<Operand> {
    let mut end = primary(text, at)?;
    let mut kind = Operand::Name;
    while let Some(operator_end) = expression_operator(text, end) {
        kind = Operand::Compound;
        end = primary(text, operator_end)?;
    }
    match &text[at..end] {
        "true" | "1" => kind = Operand::True,
        "false" | "0" => kind = Operand::False,
        _ => {}
    }
    Ok((kind, at..end))
}

/// Returns the end of an operand of an expression: signs, then a name, a number
/// or a group, then indices, arguments, labels and fields.
fn primary(text: &str, at: usize) -> Result<usize, ParseError> {
    let mut at = skip_space(text, at);
    while text[at..].starts_with(['-', '~', '!']) {
        at = skip_space(text, at + 1);
    }
    let mut end = match word(&text[at..]).len() {
        0 if text[at..].starts_with('(') => group_end(text, at)?,
        0 => return Err(no_operand(text, at)),
        length => at + length,
    };
    loop {
        let rest = &text[end..];
        let poll = rest.len() - rest.trim_start_matches('?').len();
        end = if rest[poll..].starts_with('[') && box_length(rest).is_none() {
            group_end(text, end + poll)?
        } else if rest.starts_with('(') {
            group_end(text, end)?
        } else if rest.starts_with(['@', '.', ':']) && !word(&rest[1..]).is_empty() {
            end + 1 + word(&rest[1..]).len()
        } else {
            return Ok(end);
        };
    }
}

fn no_operand(text: &str, at: usize) -> ParseError {
    match text[at..].chars().next() {
        None => ParseError::new(at..at, "the formula is incomplete".into()),
        Some(_) => {
            let range = at..at + unit_length(&text[at..]);
            let message = format!("expected a formula or an expression, found `{}`", &text[range.clone()]);
            ParseError::new(range, message)
        }
    }
}

fn expression_goes_on(text: &str, at: usize) -> bool {
    expression_operator(text, at).is_some()
}

/// Returns the end of the expression operator that follows, if there is one.
fn expression_operator(text: &str, at: usize) -> Option<usize> {
    let at = skip_space(text, at);
    let rest = &text[at..];
    let is_of_formulas = ["<->", "<>", "->", "&&", "||", "/\\"].iter().any(|name| rest.starts_with(name));
    let operator = EXPRESSION_OPERATORS.iter().find(|name| rest.starts_with(**name))?;
    (!is_of_formulas).then_some(at + operator.len())
}

/// Returns the end of the group that the bracket at `at` opens.
fn group_end(text: &str, at: usize) -> Result<usize, ParseError> {
    let mut open: Vec<char> = Vec::new();
    for (offset, letter) in text[at..].char_indices() {
        match letter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(letter) => {
                let place = at + offset;
                return Err(ParseError::new(
                    place..place + 1,
                    format!("this `{letter}` has no matching opening bracket"),
                ));
            }
            _ => {}
        }
        if open.is_empty() {
            return Ok(at + offset + letter.len_utf8());
        }
    }
    let message = format!("this `{}` is not closed", &text[at..at + 1]);
    Err(ParseError::new(at..at + 1, message))
}

/// Returns the length of `[]`, with or without space between the brackets.
fn box_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let closing = inner.trim_start().strip_prefix(']')?;
    Some(rest.len() - closing.len())
}

/// Returns the identifier or number at the beginning of a text, possibly empty.
fn word(rest: &str) -> &str {
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &rest[..end.unwrap_or(rest.len())]
}

fn is_symbol(name: &str, rest: &str) -> bool {
    !name.starts_with(char::is_alphabetic) && rest.starts_with(name)
}

/// Returns how many bytes of the text an error message should mark.
fn unit_length(rest: &str) -> usize {
    word(rest).len().max(rest.chars().next().map_or(0, char::len_utf8))
}

fn skip_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start().len()
}
