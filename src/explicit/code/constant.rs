//! Facts about expressions that hold in every state.

use crate::net::{BinaryOp, ChannelQuery, Expr, ExprKind, Place, UnaryOp};

/// Calls `note` with every comparison of a variable with a constant.
pub(in crate::explicit) fn comparisons(expr: &Expr, note: &mut impl FnMut(&Place, i32)) {
    match &expr.kind {
        ExprKind::Unary(_, operand) => comparisons(operand, note),
        ExprKind::Binary(_, left, right) => {
            for (one, other) in [(left, right), (right, left)] {
                if let (ExprKind::Read(place), Some(value)) = (&one.kind, other.constant(Some(0))) {
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

/// Returns whether an expression is always 0 or 1.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => op.compares() || matches!(op, BinaryOp::And | BinaryOp::Or),
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Channel(query, _) => *query != ChannelQuery::Length,
        ExprKind::Poll { .. } | ExprKind::Timeout | ExprKind::RemoteLabel { .. } => true,
        _ => false,
    }
}
