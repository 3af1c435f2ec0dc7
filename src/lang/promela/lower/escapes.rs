//! Order of the escapes of a location that has several, because `unless` is
//! nested or begins several options of a selection.
//!
//! The first executable escape is taken, and no later one; within an escape,
//! every executable transition is an alternative. pan inserts the escapes
//! before the transitions of a location, in the order of the numbers of
//! locations, those of the last option first. If an inner escape already has
//! the outer ones as its own escapes, they become part of it. This is so if the
//! location has a higher number than the inner escape: at a selection, a loop
//! or a block that begins with the inner `unless`.

use super::{Builder, Escapes, LocationId};
use crate::net::{Location, TransitionId};

/// A transition that can be taken at a location.
#[derive(Clone, Copy)]
struct EscapeEntry {
    transition: TransitionId,
    /// The escape to which it belongs.
    escape: Option<LocationId>,
}

impl Builder<'_> {
    pub(super) fn order_escapes(&mut self, order: Escapes) {
        if self.graph.locations.iter().all(|it| it.escapes.len() < 2) {
            return;
        }
        let mut places: Vec<LocationId> = (0..self.graph.locations.len()).map(LocationId::new).collect();
        places.sort_by_key(|&it| self.number_of(it));
        let mut lists: Vec<Vec<EscapeEntry>> =
            self.graph.locations.iter().map(|it| self.own_entries(it)).collect();
        for at in places {
            let mut list = lists[at.index()].clone();
            let mut last = 0;
            let guards =
                lists[at.index()].iter().flat_map(|it| self.guards[it.transition.index()].iter().rev());
            for &escape in guards {
                for &EscapeEntry { transition, .. } in &lists[escape.index()] {
                    if list.iter().any(|it| it.transition == transition) {
                        continue;
                    }
                    let place = if order == Escapes::OuterFirst { 0 } else { last };
                    list.insert(place, EscapeEntry { transition, escape: Some(escape) });
                    last += 1;
                }
            }
            self.graph.locations[at.index()].escapes = self.escapes_of(&list[..last]);
            lists[at.index()] = list;
        }
    }

    /// Returns SPIN's number of a location.
    fn number_of(&self, place: LocationId) -> Option<u32> {
        let first = || self.graph.location(place).out.first();
        self.numbers[place.index()].or_else(|| self.statements[first()?.index()].number)
    }

    /// Returns the transitions of a location as written, with `else` at its
    /// position.
    fn own_entries(&self, location: &Location) -> Vec<EscapeEntry> {
        let mut own: Vec<EscapeEntry> =
            location.out.iter().map(|&transition| EscapeEntry { transition, escape: None }).collect();
        own.sort_by_key(|it| self.statements[it.transition.index()].number);
        own
    }

    /// Returns the locations of the escapes in a list; joined escapes get a new
    /// one.
    fn escapes_of(&mut self, list: &[EscapeEntry]) -> Vec<LocationId> {
        let mut escapes = Vec::new();
        for group in list.chunk_by(|one, other| one.escape == other.escape) {
            let escape = group[0].escape.expect("only escapes guard a location");
            let mut out: Vec<TransitionId> = group.iter().map(|it| it.transition).collect();
            let own = &self.graph.location(escape).out;
            if own.len() == out.len() && own.iter().all(|it| out.contains(it)) {
                escapes.push(escape);
                continue;
            }
            out.sort_by_key(|&it| self.graph.is_else(self.graph.transition(it)));
            let Location { span, atomic, deterministic, .. } = *self.graph.location(escape);
            let joined = self.add_location(span);
            let location = &mut self.graph.locations[joined.index()];
            (location.out, location.atomic, location.deterministic) = (out, atomic, deterministic);
            escapes.push(joined);
        }
        escapes
    }
}
