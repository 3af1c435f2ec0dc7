//! From text to a tree.

use super::lex::{Kind, Token, tokens};
use super::tree::{Node, NodeKind, Part, Path, Temporal, Temporal2, Word};
use crate::diag::{Diagnostic, SourceId, Span};
use crate::net::BinaryOp;

/// Maximum nesting depth of nodes and brackets.
const MAX_LEVELS: usize = 400;

/// Maximum number of indices and fields of a name.
const MAX_PARTS: usize = 64;

type Read<T> = Result<T, Diagnostic>;

/// Creates a node from the operands of an operator.
type Join = fn(Box<Node>, Box<Node>) -> NodeKind;

/// Operators between formulas and how strongly they bind.
const FORMULAS: &[(&str, usize, Join)] = &[
    ("->", 1, NodeKind::Implies),
    ("implies", 1, NodeKind::Implies),
    ("<->", 1, NodeKind::Equivalent),
    ("equivalent", 1, NodeKind::Equivalent),
    ("||", 2, |left, right| NodeKind::Binary(BinaryOp::Or, left, right)),
    ("&&", 3, |left, right| NodeKind::Binary(BinaryOp::And, left, right)),
    ("U", 4, |left, right| NodeKind::Temporal2(Temporal2::Until, left, right)),
    ("until", 4, |left, right| NodeKind::Temporal2(Temporal2::Until, left, right)),
    ("stronguntil", 4, |left, right| NodeKind::Temporal2(Temporal2::Until, left, right)),
    ("W", 4, |left, right| NodeKind::Temporal2(Temporal2::WeakUntil, left, right)),
    ("weakuntil", 4, |left, right| NodeKind::Temporal2(Temporal2::WeakUntil, left, right)),
    ("V", 4, |left, right| NodeKind::Temporal2(Temporal2::Release, left, right)),
    ("release", 4, |left, right| NodeKind::Temporal2(Temporal2::Release, left, right)),
];

/// Operators before a formula.
const PREFIXES: &[(&str, Temporal)] = &[
    ("[]", Temporal::Always),
    ("always", Temporal::Always),
    ("<>", Temporal::Eventually),
    ("eventually", Temporal::Eventually),
    ("X", Temporal::Next),
    ("next", Temporal::Next),
];

const COMPARISONS: &[(&str, BinaryOp)] = &[
    ("==", BinaryOp::Equal),
    ("!=", BinaryOp::NotEqual),
    ("<=", BinaryOp::LessEqual),
    (">=", BinaryOp::GreaterEqual),
    ("<", BinaryOp::Less),
    (">", BinaryOp::Greater),
];

const SUMS: &[(&str, BinaryOp)] = &[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)];

const PRODUCTS: &[(&str, BinaryOp)] =
    &[("*", BinaryOp::Multiply), ("/", BinaryOp::Divide), ("%", BinaryOp::Remainder)];

/// Reads a whole text.
pub(super) fn parse(source: SourceId, text: &str) -> Read<Node> {
    let mut parser = Parser { tokens: tokens(source, text)?, at: 0, level: 0 };
    let node = parser.formula(0)?;
    match parser.peek() {
        token if token.kind == Kind::End => Ok(node),
        token if token.text == ")" => Err(error(token.span, "this `)` has no matching `(`".to_string())),
        token => {
            let message = format!("an operator is missing before `{}`", token.text);
            Err(error(token.span, message).with_optional_help(foreign(token.text)))
        }
    }
}

fn error(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("formula-syntax", span, message)
}

/// Suggests the operator for a word of another notation.
fn foreign(word: &str) -> Option<String> {
    let meant = match word {
        "and" => "&&",
        "or" => "||",
        "R" => "V",
        "G" => "[]",
        "F" => "<>",
        "not" => "!",
        _ => return None,
    };
    Some(format!("write `{meant}` instead of `{word}`"))
}

struct Parser<'a> {
    /// The tokens; the last one is the end of the text.
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Number of brackets and operators around the current token.
    level: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &Token<'a> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token<'a> {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn take(&mut self, symbol: &str) -> bool {
        let is_there = self.peek().text == symbol;
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, symbol: &str, opened: Span) -> Read<Span> {
        let token = self.next();
        match token.text == symbol {
            true => Ok(token.span),
            false => {
                let found = shown(&token);
                let fault = error(token.span, format!("expected `{symbol}`, found {found}"));
                Err(fault.with_related(opened, "opened here"))
            }
        }
    }

    /// Parses operands joined by operators that bind more strongly than
    /// `least`.
    fn formula(&mut self, least: usize) -> Read<Node> {
        let mut left = self.prefixed()?;
        loop {
            let token = self.peek();
            let operator = FORMULAS.iter().find(|(text, ..)| token.text == *text);
            let Some((_, strength, join)) = operator.filter(|it| it.1 > least) else { return Ok(left) };
            self.next();
            let right = self.nested(|it| it.formula(*strength))?;
            left = joined(left, right, *join)?;
        }
    }

    fn prefixed(&mut self) -> Read<Node> {
        let Some(operator) = self.prefix() else { return self.comparison() };
        let start = self.next().span;
        let inner = self.nested(Self::prefixed)?;
        let (span, depth) = (start.to(inner.span), inner.depth + 1);
        node(NodeKind::Temporal(operator, Box::new(inner)), span, depth)
    }

    /// Returns the operator before a formula, if there is one. A word is an
    /// operator only if an operand follows: `X == 1` is about a variable.
    fn prefix(&self) -> Option<Temporal> {
        let token = self.peek();
        let (_, operator) = PREFIXES.iter().find(|(text, _)| token.text == *text)?;
        let next = self.peek_at(1);
        let is_operand = match next.kind {
            Kind::Word => FORMULAS.iter().all(|(text, ..)| next.text != *text) || self.names_operand(1),
            Kind::Number => true,
            Kind::Symbol => ["(", "!", "[]", "<>"].contains(&next.text),
            Kind::End => false,
        };
        (token.kind == Kind::Symbol || is_operand).then_some(*operator)
    }

    /// Returns whether a word that could be an operator between formulas is an
    /// operand, since no operand follows it.
    fn names_operand(&self, ahead: usize) -> bool {
        let next = self.peek_at(ahead + 1);
        match next.kind {
            Kind::Word | Kind::Number => false,
            Kind::Symbol => !["(", "!", "[]", "<>"].contains(&next.text),
            Kind::End => true,
        }
    }

    fn comparison(&mut self) -> Read<Node> {
        let left = self.chain(SUMS, |it| it.chain(PRODUCTS, Self::unary))?;
        let token = self.peek();
        let Some((_, op)) = COMPARISONS.iter().find(|(text, _)| token.text == *text) else { return Ok(left) };
        self.next();
        let right = self.chain(SUMS, |it| it.chain(PRODUCTS, Self::unary))?;
        let again = self.peek();
        if COMPARISONS.iter().any(|(text, _)| again.text == *text) {
            let fault = error(again.span, "comparisons cannot be chained".to_string());
            return Err(fault.with_help("write `a < b && b < c`"));
        }
        joined_by(*op, left, right)
    }

    fn chain(
        &mut self,
        operators: &[(&str, BinaryOp)],
        mut operand: impl FnMut(&mut Self) -> Read<Node>,
    ) -> Read<Node> {
        let mut left = operand(self)?;
        loop {
            let token = self.peek();
            let Some((_, op)) = operators.iter().find(|(text, _)| token.text == *text) else {
                return Ok(left);
            };
            self.next();
            let right = operand(self)?;
            left = joined_by(*op, left, right)?;
        }
    }

    fn unary(&mut self) -> Read<Node> {
        let make = match self.peek().text {
            "!" => NodeKind::Not,
            "-" => NodeKind::Negate,
            _ => return self.primary(),
        };
        let start = self.next().span;
        // The operand of a negation may be a formula.
        let inner = self.nested(|it| match it.prefix() {
            Some(_) => it.prefixed(),
            None => it.unary(),
        })?;
        let (span, depth) = (start.to(inner.span), inner.depth + 1);
        node(make(Box::new(inner)), span, depth)
    }

    fn primary(&mut self) -> Read<Node> {
        let token = self.next();
        match token.kind {
            Kind::Number => node(NodeKind::Int(number(&token)?), token.span, 1),
            Kind::Word => self.word(&token),
            Kind::Symbol if token.text == "(" => {
                let inner = self.nested(|it| it.formula(0))?;
                let end = self.expect(")", token.span)?;
                Ok(Node { span: token.span.to(end), ..inner })
            }
            Kind::Symbol | Kind::End => {
                let fault = error(token.span, format!("expected a formula, found {}", shown(&token)));
                let is_empty = token.kind == Kind::End && self.at == 1;
                Err(fault
                    .with_optional_help(is_empty.then(|| "write a condition, such as `x == 1`".to_string())))
            }
        }
    }

    fn word(&mut self, first: &Token) -> Read<Node> {
        match first.text {
            "true" | "false" => return node(NodeKind::Bool(first.text == "true"), first.span, 1),
            "ended" if self.peek().text == "(" => {
                let open = self.next().span;
                let token = self.next();
                if token.kind != Kind::Word {
                    let found = shown(&token);
                    return Err(error(token.span, format!("expected the name of a task, found {found}")));
                }
                let task = self.path(&token)?;
                let end = self.expect(")", open)?;
                return node(NodeKind::Ended(task), first.span.to(end), 1);
            }
            _ => {}
        }
        if self.peek().text == "(" {
            let fault = error(first.span, format!("unknown function `{}`", first.text));
            let help =
                foreign(first.text).unwrap_or_else(|| "the only function is `ended(task)`".to_string());
            return Err(fault.with_help(help));
        }
        if self.take("::") {
            let variant = self.next();
            if variant.kind != Kind::Word {
                let found = shown(&variant);
                return Err(error(
                    variant.span,
                    format!("expected a variant of `{}`, found {found}", first.text),
                ));
            }
            let word = |token: &Token| Word { text: token.text.to_string(), span: token.span };
            return node(NodeKind::Variant(word(first), word(&variant)), first.span.to(variant.span), 1);
        }
        let path = self.path(first)?;
        let span = path.span;
        node(NodeKind::Name(path), span, 1)
    }

    /// Parses a name with its indices and fields.
    fn path(&mut self, first: &Token) -> Read<Path> {
        let mut path = Path { parts: vec![Part::Word(first.text.to_string())], span: first.span };
        loop {
            let token = self.peek().clone();
            if path.parts.len() > MAX_PARTS {
                let message = format!("the name has more than {MAX_PARTS} parts");
                return Err(Diagnostic::error("formula-limit", path.span, message));
            }
            match token.text {
                "[" => {
                    self.next();
                    let index = self.nested(|it| it.formula(0))?;
                    path.span = path.span.to(self.expect("]", token.span)?);
                    path.parts.push(Part::Index(index));
                }
                "." => {
                    self.next();
                    let field = self.next();
                    if field.kind != Kind::Word {
                        let found = shown(&field);
                        return Err(error(field.span, format!("expected a name, found {found}")));
                    }
                    path.span = path.span.to(field.span);
                    path.parts.push(Part::Word(field.text.to_string()));
                }
                "#" => {
                    self.next();
                    let copy = self.next();
                    path.span = path.span.to(copy.span);
                    match path.parts.last_mut() {
                        Some(Part::Word(word)) if copy.kind == Kind::Number => {
                            *word += &format!("#{}", copy.text)
                        }
                        _ => {
                            return Err(error(copy.span, "expected a number after `#`".to_string()));
                        }
                    }
                }
                _ => return Ok(path),
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.level >= MAX_LEVELS {
            return Err(too_deep(self.peek().span));
        }
        self.level += 1;
        let result = read(self);
        self.level -= 1;
        result
    }
}

fn joined_by(op: BinaryOp, left: Node, right: Node) -> Read<Node> {
    let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth) + 1);
    node(NodeKind::Binary(op, Box::new(left), Box::new(right)), span, depth)
}

fn joined(left: Node, right: Node, join: Join) -> Read<Node> {
    let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth) + 1);
    node(join(Box::new(left), Box::new(right)), span, depth)
}

fn node(kind: NodeKind, span: Span, depth: usize) -> Read<Node> {
    match depth <= MAX_LEVELS {
        true => Ok(Node { kind, span, depth }),
        false => Err(too_deep(span)),
    }
}

fn too_deep(span: Span) -> Diagnostic {
    let message = format!("the formula is nested more than {MAX_LEVELS} levels deep");
    Diagnostic::error("formula-limit", span, message).with_help("split it into several formulas")
}

fn number(token: &Token) -> Read<i64> {
    let digits = token.text.replace('_', "");
    if !digits.bytes().all(|it| it.is_ascii_digit()) {
        return Err(error(token.span, format!("`{}` is not a number", token.text)));
    }
    digits.parse().ok().filter(|it| *it <= i64::from(i32::MAX)).ok_or_else(|| {
        let message =
            format!("the number is too large: the largest value of the explicit engine is {}", i32::MAX);
        Diagnostic::error("formula-value", token.span, message)
    })
}

fn shown(token: &Token) -> String {
    match token.kind {
        Kind::End => "the end".to_string(),
        _ => format!("`{}`", token.text),
    }
}
