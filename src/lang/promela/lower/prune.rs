//! Steps that SPIN removes from options: a `skip` after another `skip`, unless
//! it is the last statement of its option.

use crate::lang::promela::tree::{Expr, ExprKind, Model, Origin, Statement, StatementKind};

/// Removes them from the proctypes of a model; claims keep them.
pub(super) fn prune(model: &mut Model) {
    for proctype in &mut model.proctypes {
        prune_within(&mut proctype.body.sequence.statements);
    }
}

fn prune_within(statements: &mut [Statement]) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                // The iterations of a `for` are not written as options.
                let is_written = statement.origin != Origin::Loop;
                for choice in choices {
                    if is_written {
                        prune_option(&mut choice.statements);
                    }
                    prune_within(&mut choice.statements);
                }
            }
            StatementKind::Block(_, sequence) => prune_within(&mut sequence.statements),
            StatementKind::Unless { main, escape } => {
                prune_within(std::slice::from_mut(main));
                prune_within(std::slice::from_mut(escape));
            }
            _ => {}
        }
    }
}

fn prune_option(statements: &mut Vec<Statement>) {
    let mut at = 1;
    while at + 1 < statements.len() {
        match is_skip(&statements[at - 1]) && is_skip(&statements[at]) {
            true => drop(statements.remove(at)),
            false => at += 1,
        }
    }
}

fn is_skip(statement: &Statement) -> bool {
    let is_one = |expr: &Expr| expr.kind == ExprKind::Constant(1);
    // In SPIN the declaration of a record is another kind of statement.
    statement.labels.is_empty()
        && statement.origin != Origin::Declaration
        && match &statement.kind {
            StatementKind::Skip => true,
            StatementKind::Guard(expr) => is_one(expr),
            _ => false,
        }
}
