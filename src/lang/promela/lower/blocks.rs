//! Blocks that are entered and left: atomic sequences and `d_step`s.

use super::{Around, Builder, LocationId, Next, Origin};
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
        if kind == BlockKind::Deterministic && self.around.deterministic.is_none() {
            return self.deterministic(sequence, next, origin);
        }
        let around = self.enter(kind);
        // Of a sequence within another one, only the end of the outer one counts.
        let is_tail = self.around.atomic.is_some() && (around.atomic.is_none() || is_last);
        let place = self.first_of(&sequence.statements, next, is_tail);
        self.around = around;
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

    /// SPIN has a place for a block as such. It differs from that of the first
    /// statement where this can be come back to, as to a loop.
    pub(super) fn entrance(&mut self, first: LocationId, span: Span) -> LocationId {
        if self.graph.locations[first.index()].out.is_empty() {
            return first;
        }
        let place = self.add_location(span);
        self.leave_also(place, first);
        place
    }

    /// Begins a block; what was around it is to be put back behind it.
    pub(super) fn enter(&mut self, kind: BlockKind) -> Around {
        let around = self.around.clone();
        if kind == BlockKind::Atomic && around.deterministic.is_none() {
            self.n_blocks += 1;
            self.around.atomic = around.atomic.or(Some(self.n_blocks));
        }
        around
    }

    pub(super) fn deterministic(&mut self, sequence: &'a Sequence, next: Next, origin: Origin) -> LocationId {
        self.n_blocks += 1;
        let number = Some(self.n_blocks);
        let place = self.add_location(sequence.span);
        let around = std::mem::take(&mut self.around);
        let Origin { keeps_control, .. } = origin;
        self.around = Around { deterministic: number, exit: around.exit, keeps_control, ..Around::default() };
        let first = self.first_of(&sequence.statements, Next::outside(next.at), false);
        self.around = around;
        self.add(place, Action::Deterministic(first), next.at, origin);
        place
    }
}
