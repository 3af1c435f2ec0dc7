//! Statements that wait until several tests are true together.
//!
//! In the control graph an alternative of a `select!` is a chain of tests, those
//! of its guard and of its arguments, that ends with a rendezvous, and a `wait!` is
//! a chain for each combination of values that makes its condition true. Here each
//! chain is one transition, enabled only if all tests are true: a task that tested
//! some of them has not committed to anything.

use super::points::{Exits, Move};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::lang::task::program::{Action, Edge, PointId, Program, Role, SiteId, Task};

/// Maximum number of chains of one `select!` or `wait!`.
const MAX_ALTERNATIVES: usize = 4096;

/// An action, after tests that are true in the same step.
#[derive(Debug)]
pub(super) struct Alternative {
    /// Edges before the action, in order.
    pub tests: Vec<usize>,
    /// The edge of the action.
    pub edge: usize,
    /// The statement.
    pub site: SiteId,
}

/// What an edge is for a chain.
enum Link {
    /// The last one.
    End,
    /// A test before others.
    Middle,
    /// Not a part of a chain.
    Other,
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
    let link = |edge: &Edge| match edge.action {
        Action::Call { .. } | Action::Accept { .. } => Link::End,
        Action::Test { .. } | Action::Silent if edge.to != point => Link::Middle,
        _ => Link::Other,
    };
    chains(task, exits, (first, None), link, (span, "guard", "select!"))
}

/// Returns the statement of an edge: its `wait!`, if some of the combinations of
/// values that make the condition true need several tests.
pub(super) fn statement(program: &Program, task: &Task, exits: &Exits, edge: usize) -> SiteId {
    let Edge { from, site, .. } = task.edges[edge];
    let span = |site: SiteId| program.sites[site.index()].span;
    let is_around = |wait: &SiteId| {
        let (whole, part) = (span(*wait), span(site));
        whole.source == part.source && whole.start <= part.start && part.end <= whole.end
    };
    let mut waits = exits.out[from.index()].iter().filter_map(|&it| task.waiting[task.edges[it].to.index()]);
    waits.find(is_around).unwrap_or(site)
}

/// Returns the moves of a `wait!` that begin with an edge of a statement; `None`
/// if the edge does not lead to a further test of a `wait!`.
pub(super) fn waits(
    task: &Task,
    exits: &Exits,
    (first, site): (usize, SiteId),
    span: Span,
) -> Result<Option<Vec<Move>>, Diagnostic> {
    if task.waiting[task.edges[first].to.index()].is_none() {
        return Ok(None);
    }
    let link = |edge: &Edge| match edge.action {
        Action::Test { .. } | Action::Silent if task.waiting[edge.to.index()].is_some() => Link::Middle,
        Action::Test { .. } | Action::Silent => Link::End,
        _ => Link::Other,
    };
    chains(task, exits, (first, Some(site)), link, (span, "condition", "wait!"))
}

/// Follows chains that begin with an edge; `None` if something else than a chain
/// begins with it. Their statement is `site`, else that of their last edge.
fn chains(
    task: &Task,
    exits: &Exits,
    (first, site): (usize, Option<SiteId>),
    link: impl Fn(&Edge) -> Link,
    (span, what, statement): (Span, &str, &str),
) -> Result<Option<Vec<Move>>, Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![vec![first]];
    while let Some(mut path) = open.pop() {
        checkpoint();
        let Some(&last) = path.last() else { continue };
        let edge = &task.edges[last];
        match link(edge) {
            Link::End => {
                path.pop();
                let site = site.unwrap_or(edge.site);
                found.push(Move::Action(Alternative { tests: path, edge: last, site }));
            }
            Link::Middle if path.len() <= task.n_points => {
                let next = &exits.out[edge.to.index()];
                if next.iter().any(|&it| task.edges[it].role != Role::Plain) {
                    return Ok(None);
                }
                let panics = exits.panics[edge.to.index()].iter();
                found.extend(panics.map(|&panic| Move::Panic { tests: path.clone(), panic }));
                open.extend(next.iter().rev().map(|&it| [&path[..], &[it]].concat()));
            }
            _ => return Ok(None),
        }
        if found.len() + open.len() > MAX_ALTERNATIVES {
            let message =
                format!("the {what} is true in more than {MAX_ALTERNATIVES} combinations of values");
            let help = format!(
                "compute a part of it before the `{statement}`; orders of events can be checked by the flow \
                 engine, which has no such limit"
            );
            return Err(Diagnostic::error("task-limit", span, message).with_help(help));
        }
    }
    Ok(Some(found))
}
