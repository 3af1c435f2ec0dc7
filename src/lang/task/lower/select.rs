//! The alternatives of a `select!`.
//!
//! In the control graph an alternative is a chain of tests, those of its guard
//! and of its arguments, that ends with a rendezvous. Here the chain is one
//! transition: the rendezvous, possible only where all tests are true.

use super::Builder;
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::lang::task::program::{Action, PointId, Role};
use crate::net;

/// Alternatives of one `select!` at most, guards with `||` written out.
const MOST_ALTERNATIVES: usize = 4096;

/// Tests that are true together, and what happens then.
pub(super) struct Alternative {
    /// Edges before the rendezvous, in order.
    pub tests: Vec<usize>,
    /// The edge of the rendezvous.
    pub edge: usize,
}

impl Builder<'_> {
    /// Everything that can happen at a `select!`, `else` last.
    pub(super) fn select(&mut self, point: PointId) -> Result<(), Diagnostic> {
        let mut otherwise = Vec::new();
        for index in self.out[point.index()].clone() {
            let edge = &self.task.edges[index];
            match edge.role {
                Role::Otherwise => otherwise.push(index),
                Role::Terminate => {
                    let at = self.at(point);
                    self.graph.locations[at.index()].is_end = true;
                }
                Role::Plain | Role::OutOfRange => match self.alternatives(point, index)? {
                    Some(alternatives) => alternatives.iter().for_each(|it| self.action(it, point)),
                    None => self.edge(index),
                },
            }
        }
        for index in otherwise {
            let edge = &self.task.edges[index];
            let (to, span) = (self.at(edge.to), self.span_of(edge));
            self.add(point, net::Action::Otherwise, to, span, Vec::new());
        }
        Ok(())
    }

    /// The alternatives that begin with an edge. `None` if more than tests comes
    /// before a rendezvous: a guard that calls a function is evaluated step by
    /// step.
    fn alternatives(&self, point: PointId, first: usize) -> Result<Option<Vec<Alternative>>, Diagnostic> {
        let mut found = Vec::new();
        let mut open = vec![vec![first]];
        while let Some(mut path) = open.pop() {
            checkpoint();
            let Some(&last) = path.last() else { continue };
            let edge = &self.task.edges[last];
            match edge.action {
                Action::Call { .. } | Action::Accept { .. } => {
                    path.pop();
                    found.push(Alternative { tests: path, edge: last });
                }
                Action::Test { .. } | Action::Silent if path.len() <= self.task.n_points => {
                    let next = &self.out[edge.to.index()];
                    if edge.to == point || next.iter().any(|&it| self.task.edges[it].role != Role::Plain) {
                        return Ok(None);
                    }
                    open.extend(next.iter().rev().map(|&it| [&path[..], &[it]].concat()));
                }
                _ => return Ok(None),
            }
            if found.len() + open.len() > MOST_ALTERNATIVES {
                return Err(too_many(self.span_of(&self.task.edges[first])));
            }
        }
        Ok(Some(found))
    }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("the guard has more than {MOST_ALTERNATIVES} ways to be true");
    let help = "compute a part of it before the `select!`, or use the flow engine";
    Diagnostic::error("task-limit", span, message).with_help(help)
}
