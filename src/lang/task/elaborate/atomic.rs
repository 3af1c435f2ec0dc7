//! Atomic blocks: which points are strictly inside one, and which actions are
//! not allowed there.
//!
//! A task is strictly inside from the first action of the block to the last.
//! Only the first action may wait: inside, the task would block all others,
//! also those that it waits for.

use super::Elaborator;
use super::control::Leaves;
use super::graph::Graph;
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::Block;
use crate::lang::task::program::{Action, EntryId, PointId, SiteId};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The atomic block that is being elaborated.
#[derive(Default)]
pub struct AtomicBlock {
    /// Points where jumps have left the block.
    pub exits: HashSet<PointId>,
    /// The edges of blocking conditions.
    pub waits: Vec<Range<usize>>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn atomic(&mut self, block: &'a Block, from: PointId, span: Span) -> Leaves {
        // A block in a block is part of the outer one.
        if self.task.atomic.is_some() {
            return self.block(block, from);
        }
        // A loop in here must not return to the point before the block.
        let start = self.point(span);
        self.silent(from, start, span);
        let first = self.task.graph.edges().len();
        self.task.atomic = Some(AtomicBlock::default());
        let leaves = self.block(block, start);
        let mut ends = Vec::with_capacity(leaves.len());
        for (point, val) in leaves {
            let end = self.point(span);
            self.silent(point, end, span);
            ends.push((end, val));
        }
        let mut atomic = self.task.atomic.take().unwrap_or_default();
        atomic.exits.extend(ends.iter().map(|(end, _)| *end));
        atomic.exits.insert(Graph::END);
        let inside = self.inside(first, &atomic.exits);
        self.check_waiting(first, &inside, &atomic.waits);
        self.task.graph.mark_atomic(&inside);
        ends
    }

    /// Returns the points of the block after its first action.
    fn inside(&self, first: usize, exits: &HashSet<PointId>) -> HashSet<PointId> {
        let edges = &self.task.graph.edges()[first..];
        let mut successors: HashMap<PointId, Vec<PointId>> = HashMap::new();
        let mut open = Vec::new();
        for edge in edges.iter().filter(|edge| !exits.contains(&edge.to)) {
            successors.entry(edge.from).or_default().push(edge.to);
            if edge.action != Action::Silent {
                open.push(edge.to);
            }
        }
        let mut inside = HashSet::new();
        while let Some(point) = open.pop() {
            if inside.insert(point) {
                open.extend(successors.get(&point).into_iter().flatten());
            }
        }
        inside
    }

    fn check_waiting(&mut self, first: usize, inside: &HashSet<PointId>, waits: &[Range<usize>]) {
        let edges = self.task.graph.edges();
        let mut wrong: Vec<(SiteId, &str)> = Vec::new();
        for edge in &edges[first..] {
            match edge.action {
                Action::Accept { body: Some(_), .. } => {
                    wrong.push((edge.site, "an `accept!` with a body is not allowed in an `atomic!` block"));
                }
                Action::Call { .. } | Action::Accept { .. } if inside.contains(&edge.from) => {
                    wrong.push((edge.site, "this action may block inside an `atomic!` block"));
                }
                _ => (),
            }
        }
        for edge in waits.iter().flat_map(|range| &edges[range.clone()]) {
            if inside.contains(&edge.from) {
                wrong.push((edge.site, "this condition may block inside an `atomic!` block"));
            }
        }
        for (site, message) in wrong {
            let span = self.program.sites[site.index()].span;
            let help = "only the first action of the block may block, on one variable or one rendezvous: \
                        after it, no other task moves until the block ends";
            self.report(Diagnostic::error("task-atomic", span, message).with_help(help));
        }
    }

    /// Records that a jump leads to a point outside the block.
    pub(super) fn leaves_atomic(&mut self, was_inside: bool, target: PointId) {
        if let Some(atomic) = self.task.atomic.as_mut().filter(|_| !was_inside) {
            atomic.exits.insert(target);
        }
    }

    /// Returns whether the current point is in an atomic block.
    pub(super) fn is_in_atomic(&self) -> bool {
        self.task.atomic.is_some()
    }

    /// Records the edges that a blocking condition has added since `first`.
    pub(super) fn waited_since(&mut self, first: usize) {
        let last = self.task.graph.edges().len();
        if let Some(atomic) = &mut self.task.atomic {
            atomic.waits.push(first..last);
        }
    }

    /// Reports rendezvous after which both tasks are inside their blocks.
    pub(super) fn check_both_inside(&mut self) {
        let mut accepts: HashMap<EntryId, SiteId> = HashMap::new();
        let mut calls: Vec<(EntryId, SiteId)> = Vec::new();
        for task in &self.program.tasks {
            for edge in task.edges.iter().filter(|edge| task.atomic[edge.to.index()]) {
                match edge.action {
                    Action::Accept { entry, .. } => _ = accepts.insert(entry, edge.site),
                    Action::Call { entry } => calls.push((entry, edge.site)),
                    _ => (),
                }
            }
        }
        for (entry, call) in calls {
            let Some(accept) = accepts.get(&entry) else { continue };
            let label = &self.program.entries[entry.index()].label;
            let message = format!("caller and acceptor of `{label}` both continue inside an `atomic!` block");
            let (call, accept) =
                (self.program.sites[call.index()].span, self.program.sites[accept.index()].span);
            let diagnostic = Diagnostic::error("task-atomic", call, message)
                .with_related(accept, "the other side")
                .with_help("neither task could move until the other has left its block: end one of the blocks after the rendezvous");
            self.report(diagnostic);
        }
    }
}
