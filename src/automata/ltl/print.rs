//! Formulas as text, with SPIN's operators. Parentheses are added where a
//! reader would otherwise need to know precedences.

use super::lex::{self, Shape};
use super::{AtomId, Formula};
use std::fmt::{Display, Formatter, Result};

impl Formula {
    /// Returns the formula with the names of atoms, in a form that
    /// [`parse`](super::parse()) reads back. A name that is not an identifier
    /// is put into parentheses, or into braces if it looks like a formula.
    pub fn show<'a>(&'a self, name: &'a dyn Fn(AtomId) -> String) -> impl Display + 'a {
        Shown { formula: self, name }
    }
}

impl Display for Formula {
    /// Prints the formula with atoms named `p0`, `p1`, and so on.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&self.show(&|atom| format!("p{}", atom.0)), f)
    }
}

struct Shown<'a> {
    formula: &'a Formula,
    name: &'a dyn Fn(AtomId) -> String,
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        use Formula::*;
        match self.formula {
            True => write!(f, "true"),
            False => write!(f, "false"),
            Atom(atom) => {
                let name = (self.name)(*atom);
                match lex::shape(&name) {
                    Shape::Word => write!(f, "{name}"),
                    Shape::Expression => write!(f, "({name})"),
                    Shape::Other => write!(f, "{{{name}}}"),
                }
            }
            Not(inner) => write!(f, "!{}", self.operand(inner)),
            Next(inner) => write!(f, "X {}", self.operand(inner)),
            Always(inner) => write!(f, "[] {}", self.operand(inner)),
            Eventually(inner) => write!(f, "<> {}", self.operand(inner)),
            And(parts) if parts.is_empty() => write!(f, "true"),
            Or(parts) if parts.is_empty() => write!(f, "false"),
            And(parts) => self.chain(f, " && ", parts),
            Or(parts) => self.chain(f, " || ", parts),
            Implies(left, right) => write!(f, "{} -> {}", self.operand(left), self.operand(right)),
            Equivalent(left, right) => write!(f, "{} <-> {}", self.operand(left), self.operand(right)),
            Until(left, right) => self.temporal(f, left, "U", right),
            Release(left, right) => self.temporal(f, left, "V", right),
            WeakUntil(left, right) => self.temporal(f, left, "W", right),
            StrongRelease(left, right) => {
                let conjuncts = |part: &Formula| match part {
                    And(parts) => parts.clone(),
                    _ => vec![part.clone()],
                };
                self.temporal(f, right, "U", &And([conjuncts(left), conjuncts(right)].concat()))
            }
        }
    }
}

impl Shown<'_> {
    fn chain(&self, f: &mut Formatter<'_>, operator: &str, parts: &[Formula]) -> Result {
        for (index, part) in parts.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { operator }, self.operand(part))?;
        }
        Ok(())
    }

    /// Prints a temporal operator whose temporal operands are in parentheses,
    /// because not all readers expect `[] f U g` to be `([] f) U g`.
    fn temporal(&self, f: &mut Formatter<'_>, left: &Formula, operator: &str, right: &Formula) -> Result {
        let operand = |formula: &Formula| match formula {
            Formula::Always(_) | Formula::Eventually(_) | Formula::Next(_) => {
                format!("({})", Shown { formula, name: self.name })
            }
            _ => self.operand(formula),
        };
        write!(f, "{} {operator} {}", operand(left), operand(right))
    }

    /// Prints an operand, in parentheses unless it is a constant, an atom or
    /// has one operand.
    fn operand(&self, formula: &Formula) -> String {
        use Formula::*;
        let text = Shown { formula, name: self.name }.to_string();
        match formula {
            True | False | Atom(_) | Not(_) | Next(_) | Always(_) | Eventually(_) => text,
            _ => format!("({text})"),
        }
    }
}
