//! Distances in the control graphs of processes, in statements.
//!
//! A process reaches a location only by executing statements, and every
//! statement adds to the cost of a path. So the number of statements on the
//! shortest path in the control graph, without regard to guards, never exceeds
//! the cost of reaching the location. A process that does not exist yet is
//! started by one that exists: an edge leads from each `run` to the first
//! location of the new process.

use crate::analysis::accesses::{AccessKind, Scope};
use crate::base::cancel::checkpoint;
use crate::explicit::engine::Engine;
use crate::net::{Action, Graph, LocationId, Network, TemplateId, Transition, TransitionId};
use crate::system::Word;
use std::collections::BTreeSet;

/// A location of a template, numbered over all templates.
pub(super) type Node = usize;

/// Not reachable.
pub(super) const NEVER: u32 = u32::MAX;

/// The control graphs of a network as one graph.
#[derive(Debug)]
pub(super) struct Control {
    /// Node of the first location, per template.
    first: Vec<Node>,
    /// Edges against their direction: predecessor and length.
    before: Vec<Vec<(u32, u32)>>,
    /// Length of a statement that is not a rendezvous.
    pub unit: u32,
}

/// Which paths a graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paths {
    /// Of a process and then of processes that it starts. Every statement has
    /// the length 1.
    Descendants,
    /// Of a process number: after the end of its process, the number can be
    /// given to a new one. Where a rendezvous of two processes is one statement,
    /// it counts half for each, so that lengths of several processes can be
    /// added up.
    Numbers,
}

/// Returns the transitions that a process can execute at a location, including
/// those of escapes.
pub(super) fn transitions(graph: &Graph, location: LocationId) -> impl Iterator<Item = TransitionId> + '_ {
    let here = graph.location(location);
    let places = here.escapes.iter().copied().chain([location]);
    places.flat_map(|at| graph.location(at).out.iter().copied())
}

/// Returns the transitions that are executed inside a `d_step`, and the
/// locations at which it can end.
pub(super) fn inside(graph: &Graph, first: LocationId) -> (Vec<TransitionId>, BTreeSet<LocationId>) {
    let number = graph.location(first).deterministic;
    let (mut seen, mut pending) = (BTreeSet::from([first]), vec![first]);
    let (mut all, mut exits) = (Vec::new(), BTreeSet::new());
    while let Some(at) = pending.pop() {
        for &id in &graph.location(at).out {
            all.push(id);
            let to = graph.transition(id).to;
            if graph.location(to).deterministic != number {
                exits.insert(to);
            } else if seen.insert(to) {
                pending.push(to);
            }
        }
    }
    (all, exits)
}

impl Control {
    /// Creates the graph of a network.
    pub fn new(network: &Network, paths: Paths) -> Self {
        let mut first = Vec::new();
        let mut n_nodes = 0;
        for graph in network.graphs() {
            first.push(n_nodes);
            n_nodes += graph.locations.len();
        }
        let halves = paths == Paths::Numbers && network.counts_rendezvous_once;
        let unit = if halves { 2 } else { 1 };
        // One more node: a number without a process.
        let mut control = Self { first, before: vec![Vec::new(); n_nodes + 1], unit };
        for index in 0..network.templates.len() {
            control.add_template(network, TemplateId::new(index), paths);
        }
        if paths == Paths::Numbers {
            for index in 0..network.templates.len() {
                let entry = control.node(TemplateId::new(index), Graph::ENTRY.index());
                control.before[entry].push((n_nodes as u32, 0));
            }
        }
        for edges in &mut control.before {
            edges.sort_unstable();
            edges.dedup();
        }
        control
    }

    fn add_template(&mut self, network: &Network, template: TemplateId, paths: Paths) {
        let graph = &network.template(template).graph;
        for location in (0..graph.locations.len()).map(LocationId::new) {
            checkpoint();
            let from = self.node(template, location.index()) as u32;
            for id in transitions(graph, location) {
                let transition = graph.transition(id);
                let length = match transition.action {
                    Action::Send(_) | Action::Receive(_) => 1,
                    _ => self.unit,
                };
                self.add_edges(network, (template, transition), (from, length), paths);
            }
        }
    }

    fn add_edges(
        &mut self,
        network: &Network,
        (template, transition): (TemplateId, &Transition),
        (from, length): (u32, u32),
        paths: Paths,
    ) {
        let graph = &network.template(template).graph;
        if transition.action == Action::End {
            if paths == Paths::Numbers {
                let nowhere = self.nowhere();
                self.before[nowhere].push((from, length));
            }
            return;
        }
        let mut ends = BTreeSet::from([transition.to]);
        if let Action::Deterministic(first) = transition.action {
            // An error ends the run within the `d_step`.
            ends.insert(first);
            ends.extend(inside(graph, first).0.into_iter().map(|id| graph.transition(id).to));
        }
        for to in ends {
            let to = self.node(template, to.index());
            self.before[to].push((from, length));
        }
        if paths == Paths::Descendants {
            for started in started(network, template, transition) {
                let entry = self.node(started, Graph::ENTRY.index());
                self.before[entry].push((from, length));
            }
        }
    }

    /// Returns the node of a location.
    pub fn node(&self, template: TemplateId, location: usize) -> Node {
        self.first[template.index()] + location
    }

    /// Returns the node of a number without a process.
    pub fn nowhere(&self) -> Node {
        self.before.len() - 1
    }

    /// Returns the node of a living process.
    #[inline]
    pub fn node_of(&self, engine: &Engine, process: usize, state: &[Word]) -> Node {
        let room = &engine.layout.processes[process];
        let template = room.options[room.tag.get(state) as usize].template;
        self.node(template, room.location.get(state) as usize)
    }

    /// Returns the length of the shortest path from each node to the nearest of
    /// `targets`, each with a length that is added.
    pub fn distances(&self, targets: impl IntoIterator<Item = (Node, u32)>) -> Vec<u32> {
        let mut distances = vec![NEVER; self.before.len()];
        let mut layers: Vec<Vec<u32>> = Vec::new();
        let mut reach = |node: usize, distance: u32, layers: &mut Vec<Vec<u32>>| {
            if distance < distances[node] {
                distances[node] = distance;
                let index = distance as usize;
                if layers.len() <= index {
                    layers.resize(index + 1, Vec::new());
                }
                layers[index].push(node as u32);
            }
        };
        targets.into_iter().for_each(|(node, length)| reach(node, length, &mut layers));
        let mut index = 0;
        while index < layers.len() {
            checkpoint();
            // Edges without a length add to the current layer.
            while let Some(node) = layers[index].pop() {
                for &(from, length) in &self.before[node as usize] {
                    reach(from as usize, index as u32 + length, &mut layers);
                }
            }
            index += 1;
        }
        distances
    }

    /// Returns the smallest distance of a living process.
    pub fn nearest(&self, distances: &[u32], engine: &Engine, state: &[Word]) -> u32 {
        let n_processes = engine.layout.n_processes.get(state) as usize;
        let of_process = |process| distances[self.node_of(engine, process, state)];
        (0..n_processes).map(of_process).min().unwrap_or(NEVER)
    }
}

/// Returns the templates of which a transition can start a process.
fn started(network: &Network, template: TemplateId, transition: &Transition) -> BTreeSet<TemplateId> {
    let scope = Scope::any(network, template);
    let graph = &network.template(template).graph;
    let mut all = BTreeSet::new();
    for action in executed(graph, transition) {
        scope.action(action, &mut |access| {
            if let AccessKind::Start(started) = access.kind {
                all.insert(started);
            }
        });
    }
    all
}

/// Returns the actions that a transition executes: those inside of a `d_step`.
pub(super) fn executed<'n>(graph: &'n Graph, transition: &'n Transition) -> Vec<&'n Action> {
    match transition.action {
        Action::Deterministic(first) => {
            inside(graph, first).0.into_iter().map(|id| &graph.transition(id).action).collect()
        }
        _ => vec![&transition.action],
    }
}
