//! Cycles near the first state.
//!
//! Depth-first search finds a cycle soon, but rarely a near one. So once there
//! is one, the states around the first are looked through breadth first for
//! others: at least some, else no more than the search before had to look at.

use super::{Walk, Watcher, Waypoint};
use crate::search::explore::EXPANSIONS_PER_WATCH;
use crate::search::space::{Space, StateId};
use crate::system::{Marked, Successors};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// States that are looked through at least, if there are so many.
const FEWEST: usize = 100_000;

/// States that are looked through at most.
const MOST: usize = 400_000;

/// Components that are tried, the nearest first.
const MOST_COMPONENTS: usize = 8;

/// A way into a cycle and round it, over the states of a space.
pub(super) struct Lasso {
    pub space: Space,
    pub path: Vec<Waypoint>,
    /// Where in the path the cycle begins.
    pub start: usize,
}

/// A shorter way than one of `length` states, which a search found that stored
/// `n_stored`.
pub(super) fn shorter<S: Marked>(
    system: &mut S,
    length: usize,
    n_stored: usize,
    watch: Watcher,
) -> Option<Lasso> {
    let mut walk = Walk::new(system);
    let graph = walk.surroundings(n_stored.clamp(FEWEST, MOST), length, watch)?;
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
    let numbers: Vec<u32> = (1..=marks.len() as u32).filter(has_cycle).take(MOST_COMPONENTS).collect();
    let mut best: Option<(Vec<Waypoint>, usize)> = None;
    for wanted in numbers {
        let Some((path, Some(start))) = walk.lasso(|number| number == wanted) else { continue };
        if path.len() < best.as_ref().map_or(length, |(path, _)| path.len()) {
            best = Some((path, start));
        }
    }
    best.map(|(path, start)| Lasso { space: walk.space, path, start })
}

impl<S: Marked> Walk<'_, S> {
    /// The states around the first, in the order of their distance, up to a
    /// number and a distance; steps have their marks.
    fn surroundings(&mut self, most: usize, far: usize, watch: Watcher) -> Option<DiGraph<(), u64>> {
        let mut graph = DiGraph::new();
        let mut first = vec![0; self.system.width()];
        self.system.initial(&mut first);
        self.arrive(&first, None);
        graph.add_node(());
        let mut distances = vec![0];
        let mut at = 0;
        while at < self.space.n_states() && self.space.n_states() < most && distances[at] < far {
            let id = StateId::new(at);
            self.expand(id);
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
            at += 1;
            if self.counters.expanded.is_multiple_of(EXPANSIONS_PER_WATCH) && watch(&self.counters).is_some()
            {
                return None;
            }
        }
        Some(graph)
    }
}
