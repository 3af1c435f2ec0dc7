//! Expressions that must be constant.

use super::super::ast::{Expr, ExprKind, Reference};
use super::super::limits;
use super::super::token::Mark;
use super::super::tree::{BinaryOp, Initial, UnaryOp};
use super::{Checker, Meaning};
use crate::diag::Diagnostic;

/// Number of elements of an array whose length is a variable without a value.
const DEFAULT_LENGTH: i32 = 8;

impl Checker<'_> {
    /// Evaluates a constant expression; returns `None` after an error.
    pub(super) fn constant_of(&mut self, expr: &Expr, what: &str) -> Option<i64> {
        match &expr.kind {
            ExprKind::Constant(value) => Some(i64::from(*value)),
            ExprKind::Unary(op, operand) => {
                let value = self.constant_of(operand, what)?;
                Some(apply_unary(*op, value))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant_of(left, what)?, self.constant_of(right, what)?);
                let value = apply(*op, left, right);
                if value.is_none() {
                    self.error("promela-constant", expr.mark, "division by zero");
                }
                value
            }
            ExprKind::Conditional(parts) => {
                let chosen = if self.constant_of(&parts[0], what)? != 0 { 1 } else { 2 };
                self.constant_of(&parts[chosen], what)
            }
            ExprKind::Reference(reference) => self.constant_reference(reference, what),
            ExprKind::Bad => None,
            _ => {
                self.error("promela-constant", expr.mark, format!("{what} must be constant"));
                None
            }
        }
    }

    /// Evaluates a symbolic name, or a variable whose initial value SPIN uses.
    fn constant_reference(&mut self, reference: &Reference, what: &str) -> Option<i64> {
        let mark = reference.mark;
        if super::exprs::is_predefined(&reference.name.text) {
            self.error("promela-constant", mark, format!("{what} must be constant"));
            return None;
        }
        match self.meaning(&reference.name)? {
            Meaning::Mtype(_, value) => Some(i64::from(value)),
            Meaning::Global(id) if reference.index.is_none() && reference.field.is_none() => {
                let value = match &self.globals[id.index()].initial {
                    Initial::Zero => Some(0),
                    initial => initial.number().map(i64::from),
                };
                self.first_value(mark, what, &reference.name.text, value)
            }
            _ => {
                self.error("promela-constant", mark, format!("{what} must be constant"));
                None
            }
        }
    }

    fn first_value(&mut self, mark: Mark, what: &str, name: &str, value: Option<i64>) -> Option<i64> {
        match value {
            Some(value) => {
                let message =
                    format!("{what} must be constant: the initial value of variable `{name}` is used");
                let diagnostic = Diagnostic::warning("promela-constant", mark.span, message)
                    .with_label(format!("treated as {value}"));
                self.report.push(mark, diagnostic);
            }
            None => self.error("promela-constant", mark, format!("{what} must be constant")),
        }
        value
    }

    /// Evaluates a constant that must be between two bounds.
    pub(super) fn bounded(&mut self, expr: &Expr, what: &str, min: i64, max: i64) -> Option<i64> {
        let value = self.constant_of(expr, what)?;
        self.within(value, expr.mark, what, min, max)
    }

    fn within(&mut self, value: i64, mark: Mark, what: &str, min: i64, max: i64) -> Option<i64> {
        if (min..=max).contains(&value) {
            return Some(value);
        }
        let message = format!("{what} must be from {min} to {max}, but is {value}");
        self.error("promela-range", mark, message);
        None
    }

    /// Returns the length of an array. If it is a variable, SPIN uses its
    /// initial value, if that is a positive number.
    pub(super) fn array_length(&mut self, expr: &Expr, what: &str) -> u32 {
        let ExprKind::Reference(reference) = &expr.kind else { return self.length(expr, what) };
        if reference.index.is_some() || reference.field.is_some() {
            return self.length(expr, what);
        }
        let declared =
            match (self.body.visible(&reference.name.text), self.global_names.get(&reference.name.text)) {
                (Some(id), _) => self.body.declared_number(id),
                (None, Some(id)) => self.globals[id.index()].initial.number(),
                (None, None) => return self.length(expr, what),
            };
        let length = declared.filter(|it| *it > 0).unwrap_or(DEFAULT_LENGTH);
        let name = &reference.name.text;
        let message = format!("{what} must be constant: the initial value of variable `{name}` is used");
        let label = match declared {
            Some(value) if value == length => format!("treated as {length}"),
            _ => format!("treated as {length}: the variable has no positive initial value"),
        };
        let warning = Diagnostic::warning("promela-constant", reference.mark.span, message).with_label(label);
        self.report.push(reference.mark, warning);
        let length = self.within(length.into(), reference.mark, what, 1, limits::ARRAY_LENGTH);
        length.unwrap_or(limits::ARRAY_LENGTH) as u32
    }

    /// Returns the length of an array; after an error the maximum, so that no
    /// index is reported.
    fn length(&mut self, expr: &Expr, what: &str) -> u32 {
        self.bounded(expr, what, 1, limits::ARRAY_LENGTH).unwrap_or(limits::ARRAY_LENGTH) as u32
    }

    pub(super) fn process_count(&mut self, expr: &Expr) -> u32 {
        self.bounded(expr, "the number of processes", 0, 255).unwrap_or(1) as u32
    }

    pub(super) fn priority(&mut self, expr: &Expr) -> u32 {
        self.bounded(expr, "a priority", 1, 255).unwrap_or(1) as u32
    }
}

fn apply_unary(op: UnaryOp, value: i64) -> i64 {
    match op {
        UnaryOp::Negate => -value,
        UnaryOp::Not => i64::from(value == 0),
        UnaryOp::Complement => !value,
    }
}

/// Applies an operator to 32-bit numbers; `None` for a division by zero.
fn apply(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    let truth = |condition: bool| Some(i64::from(condition));
    let wide = match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Remainder => left.checked_rem(right)?,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::ShiftLeft => left.wrapping_shl(right as u32 & 31),
        BinaryOp::ShiftRight => left.wrapping_shr(right as u32 & 31),
        BinaryOp::Equal => return truth(left == right),
        BinaryOp::NotEqual => return truth(left != right),
        BinaryOp::Less => return truth(left < right),
        BinaryOp::LessEqual => return truth(left <= right),
        BinaryOp::Greater => return truth(left > right),
        BinaryOp::GreaterEqual => return truth(left >= right),
        BinaryOp::And => return truth(left != 0 && right != 0),
        BinaryOp::Or => return truth(left != 0 || right != 0),
    };
    Some(i64::from(wide as i32))
}
