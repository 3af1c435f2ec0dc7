//! Statements that no execution reaches, after a search that saw everything.
//!
//! Only executed transitions are noted while searching. Where processes can
//! stand follows from them, so what was come to but never possible can be
//! told from what was never come to: SPIN lists the latter only.

use crate::diag::Span;
use crate::explicit::Program;
use crate::explicit::program::{Action, Process, TransitionId};
use crate::lang::promela::tree::{Expr, ExprKind, ProctypeId};

/// The statements of a proctype that are never executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The proctype.
    pub proctype: String,
    /// All statements of it, its end counted as one.
    pub n_statements: usize,
    /// Those that are never executed, in the order of the text.
    pub statements: Vec<UnreachedStatement>,
}

/// A statement that is never executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreachedStatement {
    /// Where it was written.
    pub span: Span,
    /// A process comes to it, but it is never possible.
    pub is_blocked: bool,
}

/// What is never executed, if `is_executed` tells what was; proctypes
/// without such statements are left out.
pub fn unreached(
    program: &Program,
    is_executed: impl Fn(ProctypeId, TransitionId) -> bool,
) -> Vec<Unreached> {
    let started = started(program, &is_executed);
    let mut found = Vec::new();
    for (index, process) in program.processes.iter().enumerate() {
        let proctype = ProctypeId::new(index);
        let is_executed = |id: TransitionId| is_executed(proctype, id);
        let tried = tried(process, started[index], &is_executed);
        let all = (0..process.transitions.len()).map(TransitionId::new);
        let mut statements: Vec<UnreachedStatement> = all
            .filter(|&id| !is_executed(id))
            .map(|id| UnreachedStatement { span: process.transition(id).span, is_blocked: tried[id.index()] })
            .collect();
        statements.sort_unstable();
        statements.dedup();
        if !statements.is_empty() {
            found.push(Unreached {
                proctype: program.model.proctypes[index].name.clone(),
                n_statements: process.transitions.len(),
                statements,
            });
        }
    }
    found
}

/// Per proctype, whether there ever is a process of it.
fn started(program: &Program, is_executed: &impl Fn(ProctypeId, TransitionId) -> bool) -> Vec<bool> {
    let mut started: Vec<bool> = program.model.proctypes.iter().map(|it| it.active > 0).collect();
    for (index, process) in program.processes.iter().enumerate() {
        for (id, transition) in process.transitions.iter().enumerate() {
            let (Action::Guard(expr) | Action::Assign(_, expr)) = &transition.action else { continue };
            if let Expr { kind: ExprKind::Run { proctype, .. }, .. } = expr
                && is_executed(ProctypeId::new(index), TransitionId::new(id))
            {
                started[proctype.index()] = true;
            }
        }
    }
    started
}

/// Per transition, whether a process ever stands where it could be taken.
fn tried(process: &Process, is_started: bool, is_executed: &impl Fn(TransitionId) -> bool) -> Vec<bool> {
    let mut stood = vec![false; process.locations.len()];
    if is_started {
        stood[Process::ENTRY.index()] = true;
    }
    for (id, transition) in process.transitions.iter().enumerate() {
        if is_executed(TransitionId::new(id)) && transition.action != Action::End {
            stood[transition.to.index()] = true;
        }
    }
    let mut tried = vec![false; process.transitions.len()];
    let mut pending: Vec<usize> = (0..stood.len()).filter(|&it| stood[it]).collect();
    while let Some(at) = pending.pop() {
        let location = &process.locations[at];
        let mut next = location.escapes.clone();
        for &id in &location.out {
            tried[id.index()] = true;
            if let Action::Deterministic(first) = process.transition(id).action {
                next.push(first);
            }
        }
        for other in next {
            if !std::mem::replace(&mut stood[other.index()], true) {
                pending.push(other.index());
            }
        }
    }
    tried
}
