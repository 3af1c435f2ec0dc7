//! Statements that are never executed, after a search that visited every state.
//!
//! Only executed transitions are recorded during the search. The locations that
//! processes reach follow from them, so statements that were reached but never
//! executable are distinguished from statements that were never reached. SPIN
//! lists the latter only, and never `skip`. A statement of a task has a copy
//! for each value it was expanded for and each point where its task can be
//! next; it is executed if one of them is.

use crate::diag::Span;
use crate::net::{Action, Graph, LocationId, Network, TransitionId};
use crate::net::{Expr, ExprKind, TemplateId};
use std::collections::HashSet;

/// The statements of a proctype that are never executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The proctype.
    pub proctype: String,
    /// Number of its statements, including its end.
    pub n_statements: usize,
    /// Those that are never executed, in the order of the text.
    pub statements: Vec<UnreachedStatement>,
}

/// A statement that is never executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreachedStatement {
    /// Its source location.
    pub span: Span,
    /// Why it is never executed.
    pub why: Why,
}

/// Why a statement is never executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// No path of the control graph leads to it.
    NoPath,
    /// No process ever reaches it.
    NotReached,
    /// A process reaches it, but it is never executable.
    NeverPossible,
}

/// Returns the statements that are never executed, by proctype, given which
/// transitions were; omits proctypes without such statements.
pub fn unreached(
    program: &Network,
    is_executed: impl Fn(TemplateId, TransitionId) -> bool,
) -> Vec<Unreached> {
    let started = started(program, &is_executed);
    let mut found = Vec::new();
    for (index, process) in program.graphs().enumerate() {
        // Each observer is checked separately.
        if program.is_observer(TemplateId::new(index)) {
            continue;
        }
        let is_executed = |id: TransitionId| is_executed(TemplateId::new(index), id);
        let reached = reached(process, started[index], &is_executed);
        let tried = leaving(process, reached, false);
        let possible = leaving(process, vec![Graph::ENTRY], true);
        let statement = |id: TransitionId| UnreachedStatement {
            span: process.transition(id).span,
            why: match (tried[id.index()], possible[id.index()]) {
                (true, _) => Why::NeverPossible,
                (false, true) => Why::NotReached,
                (false, false) => Why::NoPath,
            },
        };
        // An error is not a statement and need not occur.
        let is_statement = |id: &TransitionId| !matches!(process.transition(*id).action, Action::Fail(..));
        let all = || (0..process.transitions.len()).map(TransitionId::new).filter(is_statement);
        let mut statements: Vec<_> = all().filter(|&id| !is_executed(id)).map(statement).collect();
        statements.sort_unstable();
        let n_statements = match program.has_copies {
            true => {
                let span = |id: TransitionId| process.transition(id).span;
                let executed: HashSet<Span> = all().filter(|&id| is_executed(id)).map(span).collect();
                statements.retain(|it| !executed.contains(&it.span));
                // Keeps the reason of the copy that came closest to being executed.
                statements.reverse();
                statements.dedup_by_key(|it| it.span);
                statements.reverse();
                all().map(span).collect::<HashSet<Span>>().len()
            }
            false => all().count(),
        };
        statements.dedup();
        if !statements.is_empty() {
            let proctype = program.templates[index].name.clone();
            found.push(Unreached { proctype, n_statements, statements });
        }
    }
    found
}

/// Returns, per proctype, whether a process of it is ever started.
fn started(program: &Network, is_executed: &impl Fn(TemplateId, TransitionId) -> bool) -> Vec<bool> {
    let mut started: Vec<bool> = program.templates.iter().map(|it| it.active > 0).collect();
    for (index, process) in program.graphs().enumerate() {
        for (id, transition) in process.transitions.iter().enumerate() {
            let (Action::Guard(expr) | Action::Assign(_, expr)) = &transition.action else { continue };
            if let Expr { kind: ExprKind::Run { template: proctype, .. }, .. } = expr
                && is_executed(TemplateId::new(index), TransitionId::new(id))
            {
                started[proctype.index()] = true;
            }
        }
    }
    started
}

/// Returns the locations that processes reach.
fn reached(
    process: &Graph,
    is_started: bool,
    is_executed: &impl Fn(TransitionId) -> bool,
) -> Vec<LocationId> {
    let ids = (0..process.transitions.len()).map(TransitionId::new).filter(|&id| is_executed(id));
    let moves = ids.map(|id| process.transition(id)).filter(|it| it.action != Action::End);
    is_started.then_some(Graph::ENTRY).into_iter().chain(moves.map(|it| it.to)).collect()
}

/// Returns, per transition, whether it leaves one of the locations, one of
/// their escapes, or the beginning of a `d_step` there; `transitively` also
/// follows these transitions.
fn leaving(process: &Graph, mut pending: Vec<LocationId>, transitively: bool) -> Vec<bool> {
    let mut leaving = vec![false; process.transitions.len()];
    let mut seen = vec![false; process.locations.len()];
    while let Some(at) = pending.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        let location = process.location(at);
        pending.extend(&location.escapes);
        for &id in &location.out {
            leaving[id.index()] = true;
            let transition = process.transition(id);
            if let Action::Deterministic(first) = transition.action {
                pending.push(first);
            }
            if transition.action != Action::End && transitively {
                pending.push(transition.to);
            }
        }
    }
    leaving
}
