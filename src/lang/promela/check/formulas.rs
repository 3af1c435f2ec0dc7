//! Formulas of temporal logic.

use super::super::ast::{self, ExprKind as Syntax, Temporal, Temporal2};
use super::super::tree::{BinaryOp, Formula, FormulaKind, UnaryOp};
use super::Checker;

impl Checker<'_> {
    pub(super) fn formula(&mut self, formula: &ast::Expr) -> Formula {
        let span = formula.mark.span;
        if !is_temporal(formula) {
            return Formula { kind: FormulaKind::Atom(self.plain_expr(formula)), span };
        }
        let kind = match &formula.kind {
            Syntax::Unary(UnaryOp::Not, operand) => FormulaKind::Not(self.boxed(operand)),
            Syntax::Binary(BinaryOp::And, left, right) => {
                FormulaKind::And(self.boxed(left), self.boxed(right))
            }
            Syntax::Binary(BinaryOp::Or, left, right) => FormulaKind::Or(self.boxed(left), self.boxed(right)),
            Syntax::Temporal(op, operand) => {
                let operand = self.boxed(operand);
                match op {
                    Temporal::Always => FormulaKind::Always(operand),
                    Temporal::Eventually => FormulaKind::Eventually(operand),
                    Temporal::Next => FormulaKind::Next(operand),
                }
            }
            Syntax::Temporal2(op, left, right) => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                match op {
                    Temporal2::Until => FormulaKind::Until(left, right),
                    Temporal2::WeakUntil => FormulaKind::WeakUntil(left, right),
                    Temporal2::Release => FormulaKind::Release(left, right),
                    Temporal2::Implies => FormulaKind::Implies(left, right),
                    Temporal2::Equivalent => FormulaKind::Equivalent(left, right),
                }
            }
            // Reports the error.
            _ => FormulaKind::Atom(self.plain_expr(formula)),
        };
        Formula { kind, span }
    }

    fn boxed(&mut self, formula: &ast::Expr) -> Box<Formula> {
        Box::new(self.formula(formula))
    }
}

/// Returns whether it contains a temporal operator.
fn is_temporal(expr: &ast::Expr) -> bool {
    match &expr.kind {
        Syntax::Temporal(..) | Syntax::Temporal2(..) => true,
        Syntax::Unary(_, operand) => is_temporal(operand),
        Syntax::Binary(_, left, right) => is_temporal(left) || is_temporal(right),
        Syntax::Conditional(parts) => parts.iter().any(is_temporal),
        _ => false,
    }
}
