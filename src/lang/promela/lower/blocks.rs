//! Blocks: atomic sequences and `d_step`s.

use super::{BlockContext, Builder, LocationId, Next, Origin};
use crate::diag::Span;
use crate::lang::promela::tree::{BlockKind, Sequence};
use crate::net::Action;

impl<'a> Builder<'a> {
    pub(super) fn block(
        &mut self,
        kind: BlockKind,
        sequence: &'a Sequence,
        next: Next,
        is_first: bool,
        is_last: bool,
        origin: Origin,
    ) -> LocationId {
        if kind == BlockKind::Deterministic && self.context.deterministic.is_none() {
            return self.deterministic(sequence, next, origin);
        }
        let outer = self.enter(kind);
        // A nested sequence ends only where the outer one ends.
        let is_tail = self.context.atomic.is_some() && (outer.atomic.is_none() || is_last);
        let place = self.first_of(&sequence.statements, next, is_tail);
        self.context = outer;
        let number = origin.number.filter(|it| *it > 0);
        let place = match kind {
            BlockKind::Plain | BlockKind::Atomic if !is_first => self.entrance(place, sequence.span),
            _ => place,
        };
        if kind != BlockKind::Loop && number.is_some() && place != next.at {
            self.numbers[place.index()] = number;
        }
        place
    }

    /// Returns the location of a block. In SPIN it differs from that of the
    /// first statement, to which a process may return, as in a loop.
    pub(super) fn entrance(&mut self, first: LocationId, span: Span) -> LocationId {
        if self.graph.locations[first.index()].out.is_empty() {
            return first;
        }
        let place = self.add_location(span);
        self.copy_transitions(place, first);
        place
    }

    /// Enters a block and returns the outer context, which the caller must
    /// restore.
    pub(super) fn enter(&mut self, kind: BlockKind) -> BlockContext {
        let outer = self.context.clone();
        if kind == BlockKind::Atomic && outer.deterministic.is_none() {
            self.n_blocks += 1;
            self.context.atomic = outer.atomic.or(Some(self.n_blocks));
        }
        outer
    }

    pub(super) fn deterministic(&mut self, sequence: &'a Sequence, next: Next, origin: Origin) -> LocationId {
        self.n_blocks += 1;
        let number = Some(self.n_blocks);
        let place = self.add_location(sequence.span);
        let outer = std::mem::take(&mut self.context);
        let Origin { keeps_control, .. } = origin;
        self.context = BlockContext {
            deterministic: number,
            exit: outer.exit,
            keeps_control,
            ..BlockContext::default()
        };
        let first = self.first_of(&sequence.statements, Next::outside(next.at), false);
        self.context = outer;
        self.add(place, Action::Deterministic(first), next.at, origin);
        place
    }
}
