//! Last phase of lowering: resolves labels and removes unreachable locations.

use super::program::SpinTemplate;
use super::{Builder, Escapes, LabelId, LocationId};
use crate::net::{Action, Graph, Label};

impl Builder<'_> {
    pub(super) fn finish(mut self, first: LocationId, escapes: Escapes) -> (Graph, SpinTemplate) {
        self.resolve();
        self.order_escapes(escapes);
        self.put_labels();
        let first = self.resolved(first);
        let order = self.reachable(first);
        let statements = SpinTemplate { statements: self.statements, end: self.body.end };
        (renumbered(self.graph, &order), statements)
    }

    /// Returns the location that `id` represents. A label on a `goto` to itself
    /// represents itself: it has no transitions.
    fn resolved(&self, id: LocationId) -> LocationId {
        let mut at = id;
        for _ in 0..self.forwards_to.len() {
            match self.forwards_to[at.index()] {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    fn resolve(&mut self) {
        for index in 0..self.graph.transitions.len() {
            let to = self.resolved(self.graph.transitions[index].to);
            self.graph.transitions[index].to = if self.skips_jumps[index] { self.past_jumps(to) } else { to };
            if let Action::Deterministic(first) = self.graph.transitions[index].action {
                self.graph.transitions[index].action = Action::Deterministic(self.resolved(first));
            }
        }
        for index in 0..self.graph.locations.len() {
            self.graph.locations[index].escapes = self.all_resolved(&self.graph.locations[index].escapes);
        }
        self.guards = self.guards.iter().map(|it| self.all_resolved(it)).collect();
    }

    fn all_resolved(&self, ids: &[LocationId]) -> Vec<LocationId> {
        ids.iter().map(|&it| self.resolved(it)).collect()
    }

    /// Returns the location after all jumps from `id`; one of them if they form
    /// a cycle.
    fn past_jumps(&self, id: LocationId) -> LocationId {
        let mut at = id;
        for _ in 0..self.jump_targets.len() {
            match self.jump_targets[at.index()] {
                Some(next) => at = self.resolved(next),
                None => break,
            }
        }
        at
    }

    fn put_labels(&mut self) {
        for (index, label) in self.body.labels.iter().enumerate() {
            let place = self.resolved(self.labels[index]);
            self.graph.locations[place.index()].labels.push(LabelId::new(index));
            mark(&mut self.graph, place, label);
            self.labels[index] = place;
        }
        for label in std::mem::take(&mut self.option_labels) {
            let out = self.graph.location(self.labels[label.index()]).out.clone();
            for transition in out {
                let to = self.graph.transition(transition).to;
                mark(&mut self.graph, to, &self.body.labels[label.index()]);
            }
        }
        self.graph.labels = std::mem::take(&mut self.labels);
    }

    /// Returns the reachable locations, `first` first, and those with a label,
    /// to which expressions can refer.
    fn reachable(&self, first: LocationId) -> Vec<LocationId> {
        let mut order = Vec::new();
        let mut pending: Vec<LocationId> = self.graph.labels.iter().rev().copied().chain([first]).collect();
        let mut seen = vec![false; self.graph.locations.len()];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            order.push(id);
            let location = self.graph.location(id);
            for &out in location.out.iter().rev() {
                let transition = self.graph.transition(out);
                if transition.action != Action::End {
                    pending.push(transition.to);
                }
                if let Action::Deterministic(first) = transition.action {
                    pending.push(first);
                }
            }
            pending.extend(location.escapes.iter().rev());
        }
        order[1..].sort_unstable();
        order
    }
}

/// Applies the meaning of a label to a location.
fn mark(graph: &mut Graph, place: LocationId, label: &Label) {
    let location = &mut graph.locations[place.index()];
    location.is_end |= label.is_end();
    location.is_progress |= label.is_progress();
    location.is_accept |= label.is_accept();
}

/// Returns the graph with only the locations of `order`, in that order.
fn renumbered(mut graph: Graph, order: &[LocationId]) -> Graph {
    let mut number = vec![LocationId(0); graph.locations.len()];
    for (index, old) in order.iter().enumerate() {
        number[old.index()] = LocationId::new(index);
    }
    for transition in &mut graph.transitions {
        transition.to = number[transition.to.index()];
        if let Action::Deterministic(first) = &mut transition.action {
            *first = number[first.index()];
        }
    }
    let mut locations: Vec<_> = order.iter().map(|old| graph.locations[old.index()].clone()).collect();
    for location in &mut locations {
        location.escapes.iter_mut().for_each(|it| *it = number[it.index()]);
    }
    graph.labels.iter_mut().for_each(|it| *it = number[it.index()]);
    graph.locations = locations;
    graph
}
