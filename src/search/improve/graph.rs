//! The known part of a system as a graph: shortest paths and shortest cycles.

use super::super::explore::Cut;
use super::super::space::{Arrival, Space, StateId};
use crate::system::Word;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;

/// Number of an unknown edge or node.
const NONE: u32 = u32::MAX;

/// Estimated memory of an edge, also while components are computed.
const BYTES_PER_EDGE: usize = 48;

/// Estimated memory of a node beside its state.
const BYTES_PER_NODE: usize = 48;

/// A step between two known states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub to: u32,
    /// Index among the successors.
    pub choice: u32,
    pub cost: u32,
    pub marks: u64,
}

/// Known states; the successors of some of them are known too.
pub(super) struct Graph {
    pub states: Space,
    /// Edges of each node as a range; not expanded if it begins at [`NONE`].
    ranges: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    goals: Vec<bool>,
    pub n_expanded: u64,
}

/// Shortest distances from some nodes.
pub(super) struct Distances {
    /// Per node; [`NONE`] if it is not reached.
    pub of: Vec<u32>,
    /// Per node, the node before it and the edge from there.
    before: Vec<(u32, u32)>,
    /// The nearest goal, if one is within the bound.
    pub goal: Option<u32>,
    /// Whether no unknown path leads to a goal that is nearer, or within the
    /// bound if there is none.
    pub is_complete: bool,
}

/// A path to a node and a cycle back to it.
pub(super) struct Lasso {
    pub seed: u32,
    /// Edges of the cycle, each with the node it leaves.
    pub cycle: Vec<(u32, Edge)>,
}

impl Graph {
    pub fn new(width: usize) -> Self {
        Self {
            states: Space::without_parents(width),
            ranges: Vec::new(),
            edges: Vec::new(),
            goals: Vec::new(),
            n_expanded: 0,
        }
    }

    /// Adds a state unless it is known, and returns its number.
    pub fn add(&mut self, state: &[Word], is_goal: impl FnOnce() -> bool) -> u32 {
        match self.states.insert(Space::hash(state), state, None) {
            Arrival::Known(id) => id.0,
            Arrival::New(id) => {
                self.ranges.push((NONE, NONE));
                self.goals.push(is_goal());
                id.0
            }
        }
    }

    pub fn state(&self, node: u32) -> &[Word] {
        self.states.state(StateId(node))
    }

    pub fn n_nodes(&self) -> usize {
        self.ranges.len()
    }

    pub fn is_expanded(&self, node: u32) -> bool {
        self.ranges[node as usize].0 != NONE
    }

    /// Sets the successors of a node.
    pub fn expand(&mut self, node: u32, edges: impl IntoIterator<Item = Edge>) {
        let start = self.edges.len() as u32;
        self.edges.extend(edges);
        self.ranges[node as usize] = (start, self.edges.len() as u32);
        self.n_expanded += 1;
    }

    pub fn bytes(&self) -> u64 {
        let around = self.edges.len() * BYTES_PER_EDGE + self.n_nodes() * BYTES_PER_NODE;
        (self.states.bytes() + around) as u64
    }

    fn edges(&self, node: u32) -> &[Edge] {
        match self.ranges[node as usize] {
            (NONE, _) => &[],
            (start, end) => &self.edges[start as usize..end as usize],
        }
    }

    /// Computes the distances from `sources` below `bound`, up to the first goal
    /// if `ends_at_goal`. `expand` is called for a node whose successors are not
    /// known, and returns whether it added them.
    pub fn distances(
        &mut self,
        sources: &[u32],
        (bound, ends_at_goal): (u64, bool),
        mut expand: impl FnMut(&mut Self, u32) -> Result<bool, Cut>,
    ) -> Result<Distances, Cut> {
        let mut found = Distances { of: Vec::new(), before: Vec::new(), goal: None, is_complete: true };
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new()];
        found.grow(self.n_nodes());
        for &source in sources {
            found.of[source as usize] = 0;
            buckets[0].push(source);
        }
        let mut now = 0;
        while now < buckets.len() {
            let mut at = 0;
            while let Some(&node) = buckets[now].get(at) {
                at += 1;
                if found.of[node as usize] as usize != now {
                    continue;
                }
                if self.goals[node as usize] {
                    found.goal = found.goal.or(Some(node));
                    match ends_at_goal {
                        true => return Ok(found),
                        false => continue,
                    }
                }
                if now as u64 + 1 >= bound {
                    continue;
                }
                if !self.is_expanded(node) {
                    if !expand(self, node)? {
                        found.is_complete = false;
                        continue;
                    }
                    found.grow(self.n_nodes());
                }
                for (index, edge) in self.edges(node).iter().enumerate() {
                    let distance = now + edge.cost as usize;
                    if (distance as u64) < bound && distance < found.of[edge.to as usize] as usize {
                        found.of[edge.to as usize] = distance as u32;
                        found.before[edge.to as usize] = (node, index as u32);
                        if buckets.len() <= distance {
                            buckets.resize_with(distance + 1, Vec::new);
                        }
                        buckets[distance].push(edge.to);
                    }
                }
            }
            buckets[now] = Vec::new();
            now += 1;
        }
        Ok(found)
    }

    /// Returns the edges from a source to a node, each with the node it leaves.
    pub fn path(&self, distances: &Distances, node: u32) -> Vec<(u32, Edge)> {
        let mut path = Vec::new();
        let mut at = node;
        while let (before, edge) = distances.before[at as usize]
            && before != NONE
        {
            path.push((before, self.edges(before)[edge as usize]));
            at = before;
        }
        path.reverse();
        path
    }

    /// Finds the shortest path to a cycle with all marks and once around it,
    /// below `bound`. `effort` is the maximum number of steps around cycles;
    /// 0 remains if not all cycles were tried.
    pub fn shortest_lasso(
        &self,
        distances: &Distances,
        all_marks: u64,
        mut bound: u64,
        effort: &mut u64,
    ) -> Option<Lasso> {
        let components = self.components(all_marks);
        let mut seeds: Vec<u32> = (0..self.n_nodes() as u32)
            .filter(|it| components[*it as usize] != NONE && distances.of[*it as usize] != NONE)
            .collect();
        seeds.sort_by_key(|it| distances.of[*it as usize]);
        let mut best = None;
        for seed in seeds {
            let distance = distances.of[seed as usize];
            if u64::from(distance) + 1 >= bound || *effort == 0 {
                break;
            }
            let around =
                self.shortest_cycle(seed, &components, all_marks, bound - u64::from(distance), effort);
            if let Some(cycle) = around {
                bound = u64::from(distance) + cycle.iter().map(|(_, edge)| u64::from(edge.cost)).sum::<u64>();
                best = Some(Lasso { seed, cycle });
            }
        }
        best
    }

    /// Returns the component of each node, if the component has a cycle with all
    /// marks, else [`NONE`].
    fn components(&self, all_marks: u64) -> Vec<u32> {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.n_nodes(), self.edges.len());
        for _ in 0..self.n_nodes() {
            graph.add_node(());
        }
        for node in 0..self.n_nodes() as u32 {
            for edge in self.edges(node) {
                graph.add_edge(NodeIndex::new(node as usize), NodeIndex::new(edge.to as usize), ());
            }
        }
        let found = kosaraju_scc(&graph);
        let mut of = vec![NONE; self.n_nodes()];
        for (number, component) in found.iter().enumerate() {
            component.iter().for_each(|it| of[it.index()] = number as u32);
        }
        let mut marks = vec![0; found.len()];
        let mut has_step = vec![false; found.len()];
        for node in 0..self.n_nodes() as u32 {
            let number = of[node as usize];
            for edge in self.edges(node).iter().filter(|it| of[it.to as usize] == number) {
                marks[number as usize] |= edge.marks;
                has_step[number as usize] = true;
            }
        }
        let is_good = |it: u32| has_step[it as usize] && marks[it as usize] & all_marks == all_marks;
        of.iter_mut().filter(|it| !is_good(**it)).for_each(|it| *it = NONE);
        of
    }

    /// Finds the shortest cycle through a node with all marks, below `bound`.
    fn shortest_cycle(
        &self,
        seed: u32,
        components: &[u32],
        all_marks: u64,
        bound: u64,
        effort: &mut u64,
    ) -> Option<Vec<(u32, Edge)>> {
        /// A node with the marks seen so far, and how it was reached.
        struct Visit {
            node: u32,
            marks: u64,
            from: Option<(usize, Edge)>,
        }
        let mut visits = vec![Visit { node: seed, marks: 0, from: None }];
        let mut costs: HashMap<(u32, u64), u64> = HashMap::from([((seed, 0), 0)]);
        let mut buckets: Vec<Vec<usize>> = vec![vec![0]];
        let mut now = 0;
        while now < buckets.len() {
            let mut at = 0;
            while let Some(&index) = buckets[now].get(at) {
                at += 1;
                let Visit { node, marks, .. } = visits[index];
                if costs.get(&(node, marks)).is_some_and(|it| *it != now as u64) {
                    continue;
                }
                if index > 0 && node == seed && marks & all_marks == all_marks {
                    let mut cycle = Vec::new();
                    let mut visit = &visits[index];
                    while let Some((before, edge)) = visit.from {
                        visit = &visits[before];
                        cycle.push((visit.node, edge));
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                for edge in self
                    .edges(node)
                    .iter()
                    .filter(|it| components[it.to as usize] == components[seed as usize])
                {
                    *effort = effort.checked_sub(1)?;
                    let cost = now as u64 + u64::from(edge.cost);
                    let next = (edge.to, (marks | edge.marks) & all_marks);
                    if cost >= bound || costs.get(&next).is_some_and(|it| *it <= cost) {
                        continue;
                    }
                    costs.insert(next, cost);
                    visits.push(Visit { node: next.0, marks: next.1, from: Some((index, *edge)) });
                    if buckets.len() <= cost as usize {
                        buckets.resize_with(cost as usize + 1, Vec::new);
                    }
                    buckets[cost as usize].push(visits.len() - 1);
                }
            }
            now += 1;
        }
        None
    }
}

impl Distances {
    fn grow(&mut self, n_nodes: usize) {
        self.of.resize(n_nodes, NONE);
        self.before.resize(n_nodes, (NONE, NONE));
    }
}
