//! From a tree to a formula of the network: names are resolved, types and
//! ranges checked.
//!
//! Integers of a network have 32 bits. The range of every sum and product
//! follows from those of the variables, so one that does not fit is an error
//! here.

use super::names::{Known, Meaning, Names};
use super::tree::{Node, NodeKind, Part, Path, Temporal, Temporal2};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::lower::Lowered;
use crate::lang::task::program::{ConstantValue, Domain, Program};
use crate::net::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, TemplateId, UnaryOp};

/// Looks up names and checks types.
pub(super) struct Checker<'p> {
    program: &'p Program,
    lowered: &'p Lowered,
    names: Names<'p>,
    faults: Vec<Diagnostic>,
}

/// A value of the network.
struct Typed {
    expr: Expr,
    ty: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    /// The least and the greatest value.
    Int(i64, i64),
    /// An enum, by its position in [`Program::enums`].
    Enum(usize),
}

impl<'p> Checker<'p> {
    pub fn new(program: &'p Program, lowered: &'p Lowered) -> Self {
        Self { program, lowered, names: Names::new(program), faults: Vec::new() }
    }

    /// Checks a formula of temporal logic.
    pub fn formula(mut self, node: &Node) -> Result<Formula, Vec<Diagnostic>> {
        let formula = self.of_runs(node);
        formula.filter(|_| self.faults.is_empty()).ok_or(self.faults)
    }

    /// Checks a condition on a state.
    pub fn state(mut self, node: &Node) -> Result<Expr, Vec<Diagnostic>> {
        let expr = self.condition(node);
        expr.filter(|_| self.faults.is_empty()).ok_or(self.faults)
    }

    fn of_runs(&mut self, node: &Node) -> Option<Formula> {
        let span = node.span;
        if node.temporal().is_none() {
            return Some(Formula { kind: FormulaKind::Atom(self.condition(node)?), span });
        }
        let kind = match &node.kind {
            NodeKind::Not(inner) => FormulaKind::Not(self.boxed(inner)?),
            NodeKind::Temporal(operator, inner) => {
                let inner = self.boxed(inner)?;
                match operator {
                    Temporal::Always => FormulaKind::Always(inner),
                    Temporal::Eventually => FormulaKind::Eventually(inner),
                    Temporal::Next => FormulaKind::Next(inner),
                }
            }
            NodeKind::Temporal2(operator, left, right) => {
                let make = match operator {
                    Temporal2::Until => FormulaKind::Until,
                    Temporal2::WeakUntil => FormulaKind::WeakUntil,
                    Temporal2::Release => FormulaKind::Release,
                };
                self.both(left, right, make)?
            }
            NodeKind::Implies(left, right) => self.both(left, right, FormulaKind::Implies)?,
            NodeKind::Equivalent(left, right) => self.both(left, right, FormulaKind::Equivalent)?,
            NodeKind::Binary(BinaryOp::And, left, right) => self.both(left, right, FormulaKind::And)?,
            NodeKind::Binary(BinaryOp::Or, left, right) => self.both(left, right, FormulaKind::Or)?,
            // Reports an error unless it is a condition.
            _ => FormulaKind::Atom(self.condition(node)?),
        };
        Some(Formula { kind, span })
    }

    fn boxed(&mut self, node: &Node) -> Option<Box<Formula>> {
        self.of_runs(node).map(Box::new)
    }

    fn both(
        &mut self,
        left: &Node,
        right: &Node,
        make: fn(Box<Formula>, Box<Formula>) -> FormulaKind,
    ) -> Option<FormulaKind> {
        // Errors on both sides are reported together.
        let (left, right) = (self.boxed(left), self.boxed(right));
        Some(make(left?, right?))
    }

    fn condition(&mut self, node: &Node) -> Option<Expr> {
        let value = self.value(node)?;
        match value.ty {
            Type::Bool => Some(value.expr),
            ty => {
                let message = format!("expected a condition, found {}", self.type_name(ty));
                let help = match &node.kind {
                    NodeKind::Int(0 | 1) => "write `false` or `true`",
                    _ => "compare it with a value: `x == 1`",
                };
                self.fail("formula-type", node.span, message, Some(help))
            }
        }
    }

    fn value(&mut self, node: &Node) -> Option<Typed> {
        let span = node.span;
        match &node.kind {
            NodeKind::Bool(value) => Some(constant(i64::from(*value), Type::Bool, span)),
            NodeKind::Int(value) => Some(constant(*value, Type::Int(*value, *value), span)),
            NodeKind::Name(path) => self.name(path),
            NodeKind::Variant(enumeration, variant) => match self.names.variant(enumeration, variant) {
                Ok((index, value)) => Some(self.variant(index, value, span)),
                Err(fault) => self.report(fault),
            },
            NodeKind::Ended(task) => self.ended(task, span),
            NodeKind::Not(inner) => {
                let operand = self.value(inner)?;
                if operand.ty != Type::Bool {
                    let message =
                        format!("expected a condition after `!`, found {}", self.type_name(operand.ty));
                    return self.fail("formula-type", span, message, Some("write `!(x == 1)` or `x != 1`"));
                }
                Some(unary(UnaryOp::Not, operand.expr, Type::Bool, span))
            }
            NodeKind::Negate(inner) => {
                let operand = self.value(inner)?;
                let Type::Int(low, high) = operand.ty else {
                    let message =
                        format!("expected a number after `-`, found {}", self.type_name(operand.ty));
                    return self.fail("formula-type", span, message, None);
                };
                let ty = self.number(-high, -low, span)?;
                Some(unary(UnaryOp::Negate, operand.expr, ty, span))
            }
            NodeKind::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            NodeKind::Implies(left, right) => {
                let (left, right) = self.conditions(left, right)?;
                let not = unary(UnaryOp::Not, left, Type::Bool, span).expr;
                Some(joined(BinaryOp::Or, not, right, Type::Bool, span))
            }
            NodeKind::Equivalent(left, right) => {
                let (left, right) = self.conditions(left, right)?;
                Some(joined(BinaryOp::Equal, left, right, Type::Bool, span))
            }
            NodeKind::Temporal(..) | NodeKind::Temporal2(..) => {
                let message = "a temporal operator cannot be used inside a condition on one state";
                let help =
                    "move the comparison inside: `[] (x == 1)`; an invariant has no temporal operators";
                self.fail("formula-type", span, message, Some(help))
            }
        }
    }

    fn conditions(&mut self, left: &Node, right: &Node) -> Option<(Expr, Expr)> {
        let (left, right) = (self.condition(left), self.condition(right));
        Some((left?, right?))
    }

    fn binary(&mut self, operator: BinaryOp, left: &Node, right: &Node, span: Span) -> Option<Typed> {
        if matches!(operator, BinaryOp::And | BinaryOp::Or) {
            let (left, right) = self.conditions(left, right)?;
            return Some(joined(operator, left, right, Type::Bool, span));
        }
        let right_span = right.span;
        let (left, right) = (self.value(left), self.value(right));
        let (left, right) = (left?, right?);
        let ty = match operator {
            BinaryOp::Equal | BinaryOp::NotEqual => self.comparable(left.ty, right.ty, span)?,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.comparable(left.ty, right.ty, span)?;
                if !matches!(left.ty, Type::Int(..)) {
                    let message = format!("{} cannot be compared by order", self.type_name(left.ty));
                    return self.fail("formula-type", span, message, Some("compare with `==` or `!=`"));
                }
                Type::Bool
            }
            _ => self.arithmetic(operator, (left.ty, right.ty), right_span, span)?,
        };
        Some(joined(operator, left.expr, right.expr, ty, span))
    }

    /// Returns the type of a comparison.
    fn comparable(&mut self, left: Type, right: Type, span: Span) -> Option<Type> {
        match (left, right) {
            (Type::Int(..), Type::Int(..)) => Some(Type::Bool),
            _ if left == right => Some(Type::Bool),
            _ => {
                let (left, right) = (self.type_name(left), self.type_name(right));
                self.fail("formula-type", span, format!("{left} cannot be compared with {right}"), None)
            }
        }
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOp,
        (left, right): (Type, Type),
        right_span: Span,
        span: Span,
    ) -> Option<Type> {
        let (Type::Int(a, b), Type::Int(c, d)) = (left, right) else {
            let wrong = if matches!(left, Type::Int(..)) { right } else { left };
            let message = format!("expected numbers, found {}", self.type_name(wrong));
            return self.fail("formula-type", span, message, None);
        };
        let corners = |compute: fn(i64, i64) -> i64| {
            let all = [compute(a, c), compute(a, d), compute(b, c), compute(b, d)];
            all.into_iter().fold((i64::MAX, i64::MIN), |(low, high), it| (low.min(it), high.max(it)))
        };
        let (low, high) = match operator {
            BinaryOp::Add => (a + c, b + d),
            BinaryOp::Subtract => (a - d, b - c),
            BinaryOp::Multiply => corners(|left, right| left * right),
            _ if c <= 0 && 0 <= d => {
                return self.fail("formula-value", right_span, "the divisor may be 0", None);
            }
            // The quotient is not larger than the dividend, nor is the remainder.
            _ => {
                let bound = a.abs().max(b.abs());
                (-bound, bound)
            }
        };
        match operator {
            BinaryOp::Divide if a == b && c == d => self.number(a / c, a / c, span),
            BinaryOp::Remainder if a == b && c == d => self.number(a % c, a % c, span),
            _ => self.number(low, high, span),
        }
    }

    /// Returns the type of the numbers in a range, which must fit into 32 bits.
    fn number(&mut self, low: i64, high: i64, span: Span) -> Option<Type> {
        if i32::try_from(low).is_ok() && i32::try_from(high).is_ok() {
            return Some(Type::Int(low, high));
        }
        let message = format!("the value may not fit in 32 bits: it is between {low} and {high}");
        self.fail("formula-value", span, message, None)
    }

    fn name(&mut self, path: &Path) -> Option<Typed> {
        let known = self.known(path)?;
        match self.names.value(&known) {
            Ok(Meaning::Variable(id)) => {
                let ty = match &self.program.variables[id.index()].domain {
                    Domain::Bool => Type::Bool,
                    Domain::Int { lo, hi } => Type::Int(*lo, *hi),
                    domain @ Domain::Enum { .. } => {
                        let index = self.program.enums.iter().position(|it| it == domain);
                        Type::Enum(index.unwrap_or(usize::MAX))
                    }
                };
                let place = self.lowered.variable(id, path.span);
                Some(Typed { expr: Expr { kind: ExprKind::Read(place), span: path.span }, ty })
            }
            Ok(Meaning::Constant(value)) => self.constant(value, path.span),
            Err(fault) => self.report(fault),
        }
    }

    fn constant(&mut self, value: &ConstantValue, span: Span) -> Option<Typed> {
        match value {
            ConstantValue::Bool(value) => Some(constant(i64::from(*value), Type::Bool, span)),
            ConstantValue::Variant(index, value) => Some(self.variant(*index, *value, span)),
            ConstantValue::Int(value) if i32::try_from(*value).is_ok() => {
                Some(constant(*value, Type::Int(*value, *value), span))
            }
            ConstantValue::Int(value) => {
                let message = format!("the constant does not fit in 32 bits: its value is {value}");
                self.fail("formula-value", span, message, None)
            }
            ConstantValue::Array(_) => {
                let message = "this constant is an array";
                self.fail("formula-type", span, message, Some("select an element, such as `COST[0]`"))
            }
        }
    }

    fn variant(&self, index: usize, value: u32, span: Span) -> Typed {
        let code = self.lowered.variant(&self.program.enums[index], value);
        constant(i64::from(code), Type::Enum(index), span)
    }

    /// Checks `ended(task)`: the process is at the location where it has ended.
    fn ended(&mut self, path: &Path, span: Span) -> Option<Typed> {
        let known = self.known(path)?;
        let task = match self.names.task(&known) {
            Ok(task) => task,
            Err(fault) => return self.report(fault),
        };
        // A task that never ends has no such location.
        let Some(label) = self.lowered.end(task) else { return Some(constant(0, Type::Bool, span)) };
        let template = TemplateId::new(task.index());
        let kind = ExprKind::RemoteLabel { template, pid: None, label };
        Some(Typed { expr: Expr { kind, span }, ty: Type::Bool })
    }

    /// Returns a path with the values of its indices.
    fn known(&mut self, path: &Path) -> Option<Known> {
        let mut indices = Vec::new();
        for part in &path.parts {
            let Part::Index(index) = part else { continue };
            match self.value(index)?.ty {
                Type::Int(low, high) if low == high => indices.push(low),
                Type::Int(..) => {
                    let message = "an index in a formula must be constant";
                    let help = "write one condition per element: `w[0] == 1 || w[1] == 1`";
                    return self.fail("formula-index", index.span, message, Some(help));
                }
                ty => {
                    let message = format!("expected a number as index, found {}", self.type_name(ty));
                    return self.fail("formula-type", index.span, message, None);
                }
            }
        }
        Some(Known::new(path, &indices))
    }

    fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "a `bool`".to_string(),
            Type::Int(..) => "a number".to_string(),
            Type::Enum(index) => {
                let name = self.program.enums.get(index).map_or_else(String::new, Domain::name);
                format!("a value of `{name}`")
            }
        }
    }

    fn fail<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Option<T> {
        let fault = Diagnostic::error(code, span, message);
        self.report(fault.with_optional_help(help.map(str::to_string)))
    }

    fn report<T>(&mut self, fault: Diagnostic) -> Option<T> {
        self.faults.push(fault);
        None
    }
}

fn constant(value: i64, ty: Type, span: Span) -> Typed {
    Typed { expr: Expr { kind: ExprKind::Constant(value as i32), span }, ty }
}

fn unary(operator: UnaryOp, operand: Expr, ty: Type, span: Span) -> Typed {
    Typed { expr: Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span }, ty }
}

fn joined(operator: BinaryOp, left: Expr, right: Expr, ty: Type, span: Span) -> Typed {
    Typed { expr: Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }, ty }
}
