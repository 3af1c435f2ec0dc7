//! Steps that SPIN leaves out of options: of one `skip` behind another the
//! second, unless it is the last statement of its option.

use crate::lang::promela::tree::{Expr, ExprKind, Model, Origin, Statement, StatementKind};

/// Leaves them out of the proctypes of a model; claims keep them.
pub(super) fn prune(model: &mut Model) {
    for proctype in &mut model.proctypes {
        prune_within(&mut proctype.body.sequence.statements);
    }
}

fn prune_within(statements: &mut [Statement]) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                // The rounds of a `for` are no options of the text.
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
    // For SPIN the declaration of a record is another kind of statement.
    statement.labels.is_empty()
        && statement.origin != Origin::Declaration
        && match &statement.kind {
            StatementKind::Skip => true,
            StatementKind::Guard(expr) => is_one(expr),
            _ => false,
        }
}
