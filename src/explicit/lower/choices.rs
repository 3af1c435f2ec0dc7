//! The options of selections and loops.

use super::{Builder, LocationId, Next, Origin};
use crate::explicit::program::{Action, Location};
use crate::lang::promela::tree::{BlockKind, Choice, Guard, Statement, StatementKind};

impl<'a> Builder<'a> {
    pub(super) fn choices(&mut self, place: LocationId, choices: &'a [Choice], next: Next) {
        // What `else` excludes stands before it.
        let is_else = |it: &&Choice| matches!(it.guard, Guard::Else { .. });
        let others = choices.iter().filter(|it| !is_else(it));
        for choice in others.chain(choices.iter().filter(is_else)) {
            let first = match &choice.guard {
                Guard::First => self.first_of(&choice.statements, next, false),
                Guard::Else { labels, inside, span, number } => {
                    let is_block = choice.statements.first().is_some_and(|it| it.span == choice.span);
                    let behind = match &choice.statements[..] {
                        [block, rest @ ..] if inside.is_some() && is_block => {
                            self.behind_else(block, rest, next)
                        }
                        statements => self.sequence(statements, next, false),
                    };
                    let first = self.add_location(*span);
                    let is_inside = *inside == Some(BlockKind::Atomic) && is_block;
                    if is_inside {
                        let atomic = self.graph.locations[behind.index()].atomic;
                        self.graph.locations[first.index()].atomic = atomic;
                    }
                    let keeps_control = is_inside || self.around.atomic.is_some();
                    self.add(first, Action::Else, behind, Origin::statement(*span, *number, keeps_control));
                    self.mark(labels, first);
                    first
                }
            };
            self.leave_also(place, first);
        }
    }

    /// What follows an `else` that a block begins with: the rest of the block,
    /// and what stands behind it.
    fn behind_else(&mut self, block: &'a Statement, rest: &'a [Statement], next: Next) -> LocationId {
        let StatementKind::Block(kind, sequence) = &block.kind else {
            unreachable!("`else` begins a block");
        };
        let at = self.sequence(rest, next, false);
        let next = rest.first().map_or(next, |second| self.next(second, at, false));
        if *kind == BlockKind::Deterministic {
            return self.entry(block, next, false, false);
        }
        let around = self.enter(*kind);
        let is_tail = self.around.atomic.is_some() && around.atomic.is_none();
        let place = self.sequence(&sequence.statements, next, is_tail);
        self.around = around;
        self.mark(&block.labels, place);
        place
    }

    /// What can happen at `first` can happen at `place` too.
    pub(super) fn leave_also(&mut self, place: LocationId, first: LocationId) {
        let Location { out, escapes, .. } = self.graph.locations[first.index()].clone();
        let location = &mut self.graph.locations[place.index()];
        location.out.extend(out);
        let new: Vec<_> = escapes.into_iter().filter(|it| !location.escapes.contains(it)).collect();
        location.escapes.extend(new);
    }
}
