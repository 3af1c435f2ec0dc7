//! Arithmetic and comparison of values.

use super::Elaborator;
use super::values::{Known, Need, PANIC_HELP, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::Operator;
use crate::net::Failure;

impl<'a> Elaborator<'a> {
    /// Applies a strict operator to two values.
    pub(super) fn apply(
        &mut self,
        operator: Operator,
        operands: (Val, Val),
        span: Span,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        match operands {
            (Val::Unknown, _) | (_, Val::Unknown) => Ok(Val::Unknown),
            (Val::Int(a), Val::Int(b)) => match compare(operator, a, b) {
                Some(result) => Ok(Val::Bool(result)),
                None => self.arithmetic(operator, a, b, span, known),
            },
            (Val::Bool(a), Val::Bool(b)) => match boolean(operator, a, b) {
                Some(result) => Ok(Val::Bool(result)),
                None => self.no_operator(operator, operands, span),
            },
            (Val::Enum(ty, a), Val::Enum(of, b)) if ty == of => match (operator, compare(operator, a, b)) {
                (Operator::Eq | Operator::Ne, Some(result)) => Ok(Val::Bool(result)),
                _ => self.no_operator(operator, operands, span),
            },
            _ => self.no_operator(operator, operands, span),
        }
    }

    fn arithmetic(
        &mut self,
        operator: Operator,
        a: i64,
        b: i64,
        span: Span,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        let zero = b == 0 && matches!(operator, Operator::Div | Operator::Rem);
        let shift = u32::try_from(b).ok();
        let result = match operator {
            Operator::Add => a.checked_add(b),
            Operator::Sub => a.checked_sub(b),
            Operator::Mul => a.checked_mul(b),
            Operator::Div => a.checked_div(b),
            Operator::Rem => a.checked_rem(b),
            Operator::BitAnd => Some(a & b),
            Operator::BitOr => Some(a | b),
            Operator::BitXor => Some(a ^ b),
            Operator::Shl => {
                shift.and_then(|shift| 1i64.checked_shl(shift)).and_then(|factor| a.checked_mul(factor))
            }
            Operator::Shr => shift.and_then(|shift| a.checked_shr(shift)),
            _ => return self.no_operator(operator, (Val::Int(a), Val::Int(b)), span),
        };
        // With values of variables this may be a case that never happens.
        if result.is_none() && (known.split || self.saw_split) {
            let (failure, message) = match zero {
                true => (Failure::DivisionByZero, "this division can be by zero"),
                false => (Failure::Overflow, "the result may not fit in 64 bits"),
            };
            self.report(Diagnostic::note("task-value", span, message).with_help(PANIC_HELP));
            return Err(Need::Panic(failure, span));
        }
        if zero {
            self.error("task-value", span, "division by zero");
            return Err(Need::Fault);
        }
        self.number(result, span)
    }

    pub(super) fn number(&mut self, result: Option<i64>, span: Span) -> Result<Val, Need<'a>> {
        if result.is_none() {
            self.error("task-value", span, "this number does not fit in 64 bits");
        }
        result.map(Val::Int).ok_or(Need::Fault)
    }

    fn no_operator<T>(
        &mut self,
        operator: Operator,
        operands: (Val, Val),
        span: Span,
    ) -> Result<T, Need<'a>> {
        let (a, b) = (self.describe(operands.0), self.describe(operands.1));
        let message = format!("`{}` cannot be applied to {a} and {b}", symbol(operator));
        self.error("task-type", span, message);
        Err(Need::Fault)
    }
}

fn compare<T: PartialOrd>(operator: Operator, a: T, b: T) -> Option<bool> {
    match operator {
        Operator::Eq => Some(a == b),
        Operator::Ne => Some(a != b),
        Operator::Lt => Some(a < b),
        Operator::Le => Some(a <= b),
        Operator::Gt => Some(a > b),
        Operator::Ge => Some(a >= b),
        _ => None,
    }
}

fn boolean(operator: Operator, a: bool, b: bool) -> Option<bool> {
    match operator {
        Operator::BitAnd => Some(a & b),
        Operator::BitOr => Some(a | b),
        Operator::BitXor => Some(a ^ b),
        _ => compare(operator, a, b),
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Sub => "-",
        Operator::Mul => "*",
        Operator::Div => "/",
        Operator::Rem => "%",
        Operator::And => "&&",
        Operator::Or => "||",
        Operator::BitAnd => "&",
        Operator::BitOr => "|",
        Operator::BitXor => "^",
        Operator::Shl => "<<",
        Operator::Shr => ">>",
        Operator::Eq => "==",
        Operator::Ne => "!=",
        Operator::Lt => "<",
        Operator::Le => "<=",
        Operator::Gt => ">",
        Operator::Ge => ">=",
    }
}
