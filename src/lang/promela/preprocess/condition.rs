//! Conditions of `#if`.

use super::super::limits;
use super::super::token::{Kind, Mark, Report, Token};

/// Returns whether the condition is true. Undefined names are 0.
pub fn evaluate(tokens: &[Token], place: Mark, report: &mut Report) -> bool {
    let mut reader = Reader { tokens, position: 0, place, report, nesting: 0, n_unneeded: 0, failed: false };
    let value = reader.conditional();
    if !reader.failed && reader.position < tokens.len() {
        let token = &tokens[reader.position];
        reader.fail(token.mark, format!("unexpected {} after the condition", token.shown()));
    }
    !reader.failed && value != 0
}

struct Reader<'a> {
    tokens: &'a [Token],
    position: usize,
    place: Mark,
    report: &'a mut Report,
    nesting: usize,
    /// Number of enclosing operators that do not need the current operand.
    n_unneeded: usize,
    failed: bool,
}

/// Binary operators and their precedence.
const BINARY: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

impl Reader<'_> {
    fn conditional(&mut self) -> i64 {
        let condition = self.binary(0);
        if !self.take("?") {
            return condition;
        }
        let then = self.reading(condition == 0, |it| it.nested(Self::conditional));
        if !self.take(":") {
            self.unexpected("`:`");
        }
        let otherwise = self.reading(condition != 0, |it| it.nested(Self::conditional));
        if condition != 0 { then } else { otherwise }
    }

    fn binary(&mut self, min_precedence: u8) -> i64 {
        let mut left = self.unary();
        while let Some(token) = self.tokens.get(self.position) {
            let Some((op, precedence)) = BINARY.iter().find(|(op, _)| token.is(op)) else { break };
            if *precedence <= min_precedence || self.failed {
                break;
            }
            self.position += 1;
            let place = token.mark;
            let is_decided = *op == "&&" && left == 0 || *op == "||" && left != 0;
            let right = self.reading(is_decided, |it| it.binary(*precedence));
            if right == 0 && ["/", "%"].contains(op) && self.n_unneeded == 0 && !self.failed {
                self.fail(place, "division by zero in the condition".to_string());
            }
            left = Self::apply(op, left, right);
        }
        left
    }

    /// Reads an operand whose value may not be needed.
    fn reading(&mut self, is_unneeded: bool, read: impl FnOnce(&mut Self) -> i64) -> i64 {
        self.n_unneeded += usize::from(is_unneeded);
        let value = read(self);
        self.n_unneeded -= usize::from(is_unneeded);
        value
    }

    fn apply(op: &str, left: i64, right: i64) -> i64 {
        match op {
            "||" => i64::from(left != 0 || right != 0),
            "&&" => i64::from(left != 0 && right != 0),
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "<" => i64::from(left < right),
            ">" => i64::from(left > right),
            "<=" => i64::from(left <= right),
            ">=" => i64::from(left >= right),
            "<<" => left.wrapping_shl(right as u32),
            ">>" => left.wrapping_shr(right as u32),
            "+" => left.wrapping_add(right),
            "-" => left.wrapping_sub(right),
            "*" => left.wrapping_mul(right),
            "/" => left.checked_div(right).unwrap_or(0),
            _ => left.checked_rem(right).unwrap_or(0),
        }
    }

    fn unary(&mut self) -> i64 {
        if self.take("!") {
            i64::from(self.nested(Self::unary) == 0)
        } else if self.take("!!") {
            i64::from(self.nested(Self::unary) != 0)
        } else if self.take("-") {
            self.nested(Self::unary).wrapping_neg()
        } else if self.take("+") {
            self.nested(Self::unary)
        } else if self.take("~") {
            !self.nested(Self::unary)
        } else if self.take("(") {
            let value = self.nested(Self::conditional);
            if !self.take(")") {
                self.unexpected("`)`");
            }
            value
        } else {
            self.operand()
        }
    }

    fn operand(&mut self) -> i64 {
        let value = match self.tokens.get(self.position).map(|token| token.kind) {
            Some(Kind::Number(value)) => i64::from(value),
            Some(Kind::Name) => 0,
            _ => {
                self.unexpected("a number or a name");
                return 0;
            }
        };
        self.position += 1;
        value
    }

    fn nested(&mut self, read: fn(&mut Self) -> i64) -> i64 {
        if self.failed || limits::MACRO_NESTING <= self.nesting {
            let place = self.place;
            self.fail(place, "the condition is nested too deeply".to_string());
            return 0;
        }
        self.nesting += 1;
        let value = read(self);
        self.nesting -= 1;
        value
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.position).is_some_and(|token| token.is(text));
        self.position += usize::from(found);
        found
    }

    fn unexpected(&mut self, expected: &str) {
        let (mark, found) = match self.tokens.get(self.position) {
            Some(token) => (token.mark, token.shown()),
            None => (self.place, "the end of the line".to_string()),
        };
        self.fail(mark, format!("expected {expected} in the condition, found {found}"));
    }

    fn fail(&mut self, mark: Mark, message: String) {
        if !self.failed {
            self.report.error("promela-condition", mark, message);
        }
        self.failed = true;
    }
}
