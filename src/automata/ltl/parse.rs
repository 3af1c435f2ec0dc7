//! Parser for formulas.
//!
//! Precedence is that of SPIN's `ltl` blocks, loosest first:
//!
//! | operators | |
//! |---|---|
//! | `->` `implies`, `<->` `equivalent` | from the left |
//! | `\|\|` `\/` | |
//! | `&&` `/\` | |
//! | `U` `until` `stronguntil`, `W` `weakuntil`, `V` `R` `release` | from the left |
//! | `!`, `[]` `G` `always`, `<>` `F` `eventually`, `X` `next` | |
//!
//! (`spin -f` differs: there `&&`, `||`, `->` and `<->` bind alike.) Everything
//! else is an atom: a name or an expression such as `x > 0`, `len(q) == 0` or
//! `proc[1]@label`, or any text in braces. `true`, `false`, `1` and `0` are
//! constants.

use super::lex::{self, Operand, Operator};
use super::{AtomId, Formula};
use std::ops::Range;

/// Maximum nesting depth of formulas.
pub const MAX_DEPTH: usize = 200;

/// An error in the text of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes at fault.
    pub range: Range<usize>,
    /// Description of the error.
    pub message: String,
    /// What to write instead, if known.
    pub hint: Option<String>,
}

impl ParseError {
    /// Creates an error without a hint.
    pub fn new(range: Range<usize>, message: String) -> Self {
        Self { range, message, hint: None }
    }

    /// Adds a hint, if there is one.
    #[must_use]
    pub fn with_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for ParseError {}

/// Returns the atom for a part of the text, or why it is not an atom.
pub type Atoms<'a> = dyn FnMut(Range<usize>) -> Result<AtomId, ParseError> + 'a;

/// Parses a formula. `atoms` is called once for each atom, from left to right.
pub fn parse(text: &str, atoms: &mut Atoms<'_>) -> Result<Formula, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0, atoms };
    let formula = parser.formula(0)?;
    match lex::operator(text, parser.at)? {
        (Operator::End, _) => Ok(formula.0),
        (_, range) => Err(ParseError::new(range, "this `)` has no matching `(`".into())),
    }
}

/// A formula and its nesting depth.
type Deep = (Formula, usize);

struct Parser<'a, 'b> {
    text: &'a str,
    /// End of the text that has been read.
    at: usize,
    /// Number of operands that are being read.
    depth: usize,
    atoms: &'a mut Atoms<'b>,
}

impl Parser<'_, '_> {
    /// Parses operands joined by operators that bind at least as tightly as
    /// `least`.
    fn formula(&mut self, least: u32) -> Result<Deep, ParseError> {
        let mut left = self.operand()?;
        loop {
            let (operator, range) = lex::operator(self.text, self.at)?;
            let Some(tightness) = tightness(operator).filter(|tightness| least <= *tightness) else {
                return Ok(left);
            };
            self.at = range.end;
            let right = self.formula(tightness + 1)?;
            left = join(operator, left, right);
            check_depth(left.1, range)?;
        }
    }

    fn operand(&mut self) -> Result<Deep, ParseError> {
        let (operand, range) = lex::operand(self.text, self.at)?;
        self.depth += 1;
        check_depth(self.depth, range.clone())?;
        self.at = range.end;
        let read = match operand {
            Operand::Open => self.group(),
            Operand::Not => self.negation(range),
            Operand::Always => self.unary(Formula::Always),
            Operand::Eventually => self.unary(Formula::Eventually),
            Operand::Next => self.unary(Formula::Next),
            Operand::True => Ok((Formula::True, 1)),
            Operand::False => Ok((Formula::False, 1)),
            Operand::Name | Operand::Compound => self.atom(range),
            Operand::Braced => self.atom(lex::inside(self.text, range)?),
        };
        self.depth -= 1;
        read
    }

    fn group(&mut self) -> Result<Deep, ParseError> {
        let inner = self.formula(0)?;
        match lex::operator(self.text, self.at)? {
            (Operator::Close, range) => {
                self.at = range.end;
                Ok(inner)
            }
            (_, range) => Err(ParseError::new(range, "expected `)`".into())),
        }
    }

    /// Parses the operand of `!`. SPIN reads `! x > 0` as `(!x) > 0`, which is
    /// rarely intended.
    fn negation(&mut self, not: Range<usize>) -> Result<Deep, ParseError> {
        if let Ok((Operand::Compound, range)) = lex::operand(self.text, self.at) {
            let expression = &self.text[range.clone()];
            let message = "the operand of this `!` is ambiguous".to_owned();
            let hint = format!(
                "write `!({expression})` to negate the comparison, or `{{!{expression}}}` for one expression"
            );
            return Err(ParseError::new(not.start..range.end, message).with_hint(Some(hint)));
        }
        self.unary(Formula::Not)
    }

    fn unary(&mut self, make: fn(Box<Formula>) -> Formula) -> Result<Deep, ParseError> {
        let (inner, depth) = self.operand()?;
        Ok((make(Box::new(inner)), depth + 1))
    }

    fn atom(&mut self, range: Range<usize>) -> Result<Deep, ParseError> {
        Ok((Formula::Atom((self.atoms)(range)?), 1))
    }
}

fn tightness(operator: Operator) -> Option<u32> {
    match operator {
        Operator::End | Operator::Close => None,
        Operator::Implies | Operator::Equivalent => Some(0),
        Operator::Or => Some(1),
        Operator::And => Some(2),
        Operator::Until | Operator::Release | Operator::WeakUntil => Some(3),
    }
}

/// Joins two formulas; chains of `&&` and of `||` stay flat.
fn join(operator: Operator, (left, left_depth): Deep, (right, right_depth): Deep) -> Deep {
    let depth = left_depth.max(right_depth) + 1;
    let chained = left_depth.max(right_depth + 1);
    let two = |make: fn(Box<Formula>, Box<Formula>) -> Formula, left, right| {
        (make(Box::new(left), Box::new(right)), depth)
    };
    match (operator, left) {
        (Operator::And, Formula::And(parts)) => (Formula::And(followed(parts, right)), chained),
        (Operator::Or, Formula::Or(parts)) => (Formula::Or(followed(parts, right)), chained),
        (Operator::And, left) => (Formula::And(vec![left, right]), depth),
        (Operator::Or, left) => (Formula::Or(vec![left, right]), depth),
        (Operator::Implies, left) => two(Formula::Implies, left, right),
        (Operator::Equivalent, left) => two(Formula::Equivalent, left, right),
        (Operator::Until, left) => two(Formula::Until, left, right),
        (Operator::Release, left) => two(Formula::Release, left, right),
        (Operator::WeakUntil, left) => two(Formula::WeakUntil, left, right),
        (Operator::End | Operator::Close, _) => unreachable!("only operators have a tightness"),
    }
}

fn followed(mut parts: Vec<Formula>, part: Formula) -> Vec<Formula> {
    parts.push(part);
    parts
}

fn check_depth(depth: usize, range: Range<usize>) -> Result<(), ParseError> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    Err(ParseError::new(range, format!("the formula is nested more than {MAX_DEPTH} levels deep")))
}
