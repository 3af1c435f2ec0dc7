//! Cycles near the initial state.
//!
//! Depth-first search finds a cycle soon, but rarely a near one. So after it
//! has found one, a breadth-first search from the initial state looks for
//! others. It visits at most as many states as the search before, but at least
//! a minimum number.

use super::{NoPath, Walk, Watcher, Waypoint};
use crate::base::control::Counters;
use crate::search::explore::Limits;
use crate::search::space::{Space, StateId};
use crate::system::{Marked, Successors};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Minimum number of states to visit, if there are that many.
const MIN_VISITED: u64 = 100_000;

/// Maximum number of states to visit.
const MAX_VISITED: u64 = 400_000;

/// Maximum number of components to try, the nearest first.
const MAX_COMPONENTS: usize = 8;

/// Estimated size of a step in the graph.
const BYTES_PER_STEP: usize = 32;

/// A path into a cycle and around it, over the states of a space.
pub(super) struct CyclePath {
    pub space: Space,
    pub path: Vec<Waypoint>,
    /// Index in the path at which the cycle begins.
    pub start: usize,
}

/// Returns a path that is shorter than `length` states, which a search within
/// `limits` found with this cost.
pub(super) fn shorter<S: Marked>(
    system: &mut S,
    length: usize,
    cost: &Counters,
    limits: Limits,
    watch: Watcher,
) -> Option<CyclePath> {
    let mut walk = Walk::new(system);
    let most = cost.stored.clamp(MIN_VISITED, MAX_VISITED).min(limits.max_states.unwrap_or(MAX_VISITED));
    let bytes = limits.max_bytes.map(|it| it.saturating_sub(cost.bytes));
    let graph = walk.surroundings(Limits { max_states: Some(most), max_bytes: bytes }, length, watch)?;
    let mut components: Vec<Vec<NodeIndex>> = kosaraju_scc(&graph);
    components.iter_mut().for_each(|it| it.sort_unstable());
    components.sort_unstable_by_key(|it| it[0]);
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|state| walk.numbers[state.index()] = number as u32 + 1);
    }
    let mut marks = vec![0; components.len()];
    for edge in graph.raw_edges() {
        let number = walk.numbers[edge.source().index()];
        if number == walk.numbers[edge.target().index()] {
            marks[number as usize - 1] |= edge.weight;
        }
    }
    let has_cycle = |number: &u32| marks[*number as usize - 1] == walk.all_marks;
    let numbers: Vec<u32> = (1..=marks.len() as u32).filter(has_cycle).take(MAX_COMPONENTS).collect();
    let mut best: Option<(Vec<Waypoint>, usize)> = None;
    for wanted in numbers {
        let (path, start) = match walk.lasso(|number| number == wanted, watch) {
            Ok(lasso) => lasso,
            Err(NoPath::Changed | NoPath::Restart) => continue,
            Err(NoPath::Stopped(_)) => break,
        };
        if path.len() < best.as_ref().map_or(length, |(path, _)| path.len()) {
            best = Some((path, start));
        }
    }
    best.map(|(path, start)| CyclePath { space: walk.space, path, start })
}

impl<S: Marked> Walk<'_, S> {
    /// Returns the graph of the states near the initial one, in the order of
    /// their distance, up to a number and a distance; edges have the marks of
    /// the steps. `None` if there is no time or memory, or if the system cannot
    /// continue.
    fn surroundings(&mut self, limits: Limits, far: usize, watch: Watcher) -> Option<DiGraph<(), u64>> {
        let most = limits.max_states.unwrap_or(MAX_VISITED) as usize;
        let mut graph = DiGraph::new();
        let mut first = vec![0; self.system.width()];
        self.system.initial(&mut first);
        self.arrive(&first, None);
        graph.add_node(());
        let mut distances = vec![0];
        let mut at = 0;
        while at < self.space.n_states() && self.space.n_states() < most && distances[at] < far {
            let id = StateId::new(at);
            self.expand(id).ok()?;
            let successors = std::mem::replace(&mut self.successors, Successors::new(self.state.len()));
            for (index, next) in successors.iter().enumerate() {
                let to = self.arrive(next, Some(id));
                if to.index() == graph.node_count() {
                    graph.add_node(());
                    distances.push(distances[at] + 1);
                }
                graph.add_edge(NodeIndex::new(at), NodeIndex::new(to.index()), self.marks[index]);
            }
            self.successors = successors;
            self.counters.expanded += 1;
            self.counters.generated += self.successors.len() as u64;
            at += 1;
            if self.interval.is_due() {
                let bytes = self.space.bytes() + graph.edge_count() * BYTES_PER_STEP;
                let is_too_much = limits.max_bytes.is_some_and(|limit| bytes as u64 > limit);
                if is_too_much || watch(&self.counters).is_some() {
                    return None;
                }
            }
        }
        Some(graph)
    }
}
