//! The alternatives of a `select!`.
//!
//! In the control graph an alternative is a chain of tests, those of its guard
//! and of its arguments, that ends with a rendezvous. Here the chain is one
//! transition: the rendezvous, enabled only if all tests are true.

use super::points::{Exits, Move};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::lang::task::program::{Action, PointId, Role, Task};

/// Maximum number of alternatives of one `select!`, with `||` in guards
/// expanded.
const MAX_ALTERNATIVES: usize = 4096;

/// Tests that are true together, and the rendezvous after them.
#[derive(Debug)]
pub(super) struct Alternative {
    /// Edges before the rendezvous, in order.
    pub tests: Vec<usize>,
    /// The edge of the rendezvous.
    pub edge: usize,
}

/// Returns the alternatives of the `select!` at `point` that begin with an
/// edge, and the errors of their tests; `None` if something other than tests
/// precedes a rendezvous: a guard that calls a function is evaluated step by
/// step.
pub(super) fn alternatives(
    task: &Task,
    exits: &Exits,
    point: PointId,
    first: usize,
    span: Span,
) -> Result<Option<Vec<Move>>, Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![vec![first]];
    while let Some(mut path) = open.pop() {
        checkpoint();
        let Some(&last) = path.last() else { continue };
        let edge = &task.edges[last];
        match edge.action {
            Action::Call { .. } | Action::Accept { .. } => {
                path.pop();
                found.push(Move::Action(Alternative { tests: path, edge: last }));
            }
            Action::Test { .. } | Action::Silent if path.len() <= task.n_points => {
                let next = &exits.out[edge.to.index()];
                if edge.to == point || next.iter().any(|&it| task.edges[it].role != Role::Plain) {
                    return Ok(None);
                }
                let panics = exits.panics[edge.to.index()].iter();
                found.extend(panics.map(|&panic| Move::Panic { tests: path.clone(), panic }));
                open.extend(next.iter().rev().map(|&it| [&path[..], &[it]].concat()));
            }
            _ => return Ok(None),
        }
        if found.len() + open.len() > MAX_ALTERNATIVES {
            return Err(too_many(span));
        }
    }
    Ok(Some(found))
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("the guard is true in more than {MAX_ALTERNATIVES} combinations of values");
    let help = "compute a part of it before the `select!`; orders of events can be checked by the flow engine, which has no such limit";
    Diagnostic::error("task-limit", span, message).with_help(help)
}
