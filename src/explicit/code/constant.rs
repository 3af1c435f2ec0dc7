//! What is known of expressions before any state is.

use super::run::binary;
use crate::net::{BinaryOp, ChannelQuery, Expr, ExprKind, Place, UnaryOp};

/// The value of an expression that reads nothing but its process number and
/// goes well.
pub(super) fn constant(expr: &Expr, process: usize) -> Option<i32> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(*value),
        ExprKind::Pid => Some(process as i32),
        ExprKind::Unary(op, operand) => constant(operand, process).map(|value| match op {
            UnaryOp::Negate => value.wrapping_neg(),
            UnaryOp::Not => i32::from(value == 0),
            UnaryOp::Complement => !value,
        }),
        ExprKind::Binary(op, left, right) => {
            let left = constant(left, process)?;
            match op {
                BinaryOp::And if left == 0 => Some(0),
                BinaryOp::Or if left != 0 => Some(1),
                _ => binary(*op, left, constant(right, process)?),
            }
        }
        _ => None,
    }
}

/// Shows every comparison of a variable with a constant to `note`.
pub(in crate::explicit) fn comparisons(expr: &Expr, note: &mut impl FnMut(&Place, i32)) {
    match &expr.kind {
        ExprKind::Unary(_, operand) => comparisons(operand, note),
        ExprKind::Binary(_, left, right) => {
            for (one, other) in [(left, right), (right, left)] {
                if let (ExprKind::Read(place), Some(value)) = (&one.kind, constant(other, 0)) {
                    note(place, value);
                }
                comparisons(one, note);
            }
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|part| comparisons(part, note));
        }
        _ => {}
    }
}

pub(super) fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// Is it always 0 or 1?
pub(super) fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => compares(*op) || matches!(op, BinaryOp::And | BinaryOp::Or),
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Channel(query, _) => *query != ChannelQuery::Length,
        ExprKind::Poll { .. } | ExprKind::Timeout | ExprKind::RemoteLabel { .. } => true,
        _ => false,
    }
}
