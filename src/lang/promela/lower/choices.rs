//! The options of selections and loops.

use super::{Builder, LocationId, Next};
use crate::lang::promela::tree::{Choice, Statement, StatementKind};
use crate::net::Location;

impl<'a> Builder<'a> {
    /// Adds the options of a selection or loop to its place. An option that
    /// begins with `else` goes last; an `else` within a block stays in the
    /// order of the text, as in SPIN.
    pub(super) fn choices(&mut self, place: LocationId, choices: &'a [Choice], next: Next) {
        let begins_with_else =
            |it: &&Choice| matches!(it.statements.first(), Some(Statement { kind: StatementKind::Else, .. }));
        let others = choices.iter().filter(|it| !begins_with_else(it));
        for choice in others.chain(choices.iter().filter(begins_with_else)) {
            let first = self.first_of(&choice.statements, next, false);
            self.copy_transitions(place, first);
            if let Some(guard) = choice.statements.first() {
                self.option_labels.extend(guard.guard_labels());
            }
        }
    }

    /// Adds the transitions and escapes of `first` to `place`.
    pub(super) fn copy_transitions(&mut self, place: LocationId, first: LocationId) {
        let Location { out, escapes, .. } = self.graph.locations[first.index()].clone();
        let location = &mut self.graph.locations[place.index()];
        location.out.extend(out);
        let new: Vec<_> = escapes.into_iter().filter(|it| !location.escapes.contains(it)).collect();
        location.escapes.extend(new);
    }
}
