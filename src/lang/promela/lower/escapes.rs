//! Which escapes go before which where a place has several: `unless` stands
//! within `unless`, or begins several options of a selection.
//!
//! The first escape that can be taken is, and none behind it; of one escape
//! everything that can happen does. pan puts the escapes before what a place
//! leads to, place by place in the order of their numbers, those of the last
//! option first. Where an inner escape has its own escapes already, the outer
//! ones, they become part of it and go with it; that is so where a place is
//! numbered behind the inner escape: at a selection, a loop or a block that
//! begins with the inner `unless`.

use super::{Builder, Escapes, LocationId};
use crate::net::{Location, TransitionId};

/// What can happen at a place.
#[derive(Clone, Copy)]
struct Entry {
    transition: TransitionId,
    /// The escape that it is taken for.
    escape: Option<LocationId>,
}

impl Builder<'_> {
    pub(super) fn order_escapes(&mut self, order: Escapes) {
        if self.graph.locations.iter().all(|it| it.escapes.len() < 2) {
            return;
        }
        let mut places: Vec<LocationId> = (0..self.graph.locations.len()).map(LocationId::new).collect();
        places.sort_by_key(|&it| self.number_of(it));
        let mut lists: Vec<Vec<Entry>> = self.graph.locations.iter().map(|it| self.own(it)).collect();
        for at in places {
            let mut list = lists[at.index()].clone();
            let mut last = 0;
            let guards =
                lists[at.index()].iter().flat_map(|it| self.guards[it.transition.index()].iter().rev());
            for &escape in guards {
                for &Entry { transition, .. } in &lists[escape.index()] {
                    if list.iter().any(|it| it.transition == transition) {
                        continue;
                    }
                    let place = if order == Escapes::OuterFirst { 0 } else { last };
                    list.insert(place, Entry { transition, escape: Some(escape) });
                    last += 1;
                }
            }
            self.graph.locations[at.index()].escapes = self.escapes_of(&list[..last]);
            lists[at.index()] = list;
        }
    }

    /// SPIN's number of a place.
    fn number_of(&self, place: LocationId) -> Option<u32> {
        let first = || self.graph.location(place).out.first();
        self.numbers[place.index()].or_else(|| self.statements[first()?.index()].number)
    }

    /// As written, `else` in its place.
    fn own(&self, location: &Location) -> Vec<Entry> {
        let mut own: Vec<Entry> =
            location.out.iter().map(|&transition| Entry { transition, escape: None }).collect();
        own.sort_by_key(|it| self.statements[it.transition.index()].number);
        own
    }

    /// Places for the escapes of a list, new ones where escapes go together.
    fn escapes_of(&mut self, list: &[Entry]) -> Vec<LocationId> {
        let mut escapes = Vec::new();
        for group in list.chunk_by(|one, other| one.escape == other.escape) {
            let escape = group[0].escape.expect("what guards a place is an escape");
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
