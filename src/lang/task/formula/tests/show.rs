//! Formulas of a network as text, with all brackets.

use crate::net::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, Network, Root, UnaryOp};

pub(super) fn show_formula(formula: &Formula, network: &Network) -> String {
    let show = |it: &Formula| show_formula(it, network);
    match &formula.kind {
        FormulaKind::Atom(expr) => show_expr(expr, network),
        FormulaKind::Not(f) => format!("!{}", show(f)),
        FormulaKind::And(f, g) => format!("({} and {})", show(f), show(g)),
        FormulaKind::Or(f, g) => format!("({} or {})", show(f), show(g)),
        FormulaKind::Implies(f, g) => format!("({} -> {})", show(f), show(g)),
        FormulaKind::Equivalent(f, g) => format!("({} <-> {})", show(f), show(g)),
        FormulaKind::Always(f) => format!("[]{}", show(f)),
        FormulaKind::Eventually(f) => format!("<>{}", show(f)),
        FormulaKind::Next(f) => format!("X {}", show(f)),
        FormulaKind::Until(f, g) => format!("({} U {})", show(f), show(g)),
        FormulaKind::WeakUntil(f, g) => format!("({} W {})", show(f), show(g)),
        FormulaKind::Release(f, g) => format!("({} V {})", show(f), show(g)),
    }
}

pub(super) fn show_expr(expr: &Expr, network: &Network) -> String {
    let show = |it: &Expr| show_expr(it, network);
    match &expr.kind {
        ExprKind::Constant(value) => value.to_string(),
        ExprKind::Read(place) => match place.root {
            Root::Global(id) => network.globals[id.index()].name.clone(),
            root => panic!("{root:?} is not a variable of a task model"),
        },
        ExprKind::Unary(operator, operand) => {
            let sign = if *operator == UnaryOp::Not { "!" } else { "-" };
            format!("{sign}{}", show(operand))
        }
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", show(left), sign(*operator), show(right))
        }
        ExprKind::RemoteLabel { template, .. } => {
            let template = network.template(*template);
            format!("{}@{}", template.name, template.labels[0].name)
        }
        kind => panic!("{kind:?} is not in formulas"),
    }
}

fn sign(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        operator => panic!("{operator:?} is not in formulas"),
    }
}
