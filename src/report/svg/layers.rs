//! A layer for each node, so that nearly all links point in the same direction.

use super::plan::{Link, Plan};
use petgraph::Direction;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

pub(super) struct Layered {
    /// Layers, indexed by node.
    pub layer: Vec<usize>,
    /// Whether a link points against the layers, indexed by link.
    pub reversed: Vec<bool>,
}

/// Number of passes that pull nodes towards their neighbours.
const PULLS: usize = 4;

pub(super) fn assign(plan: &Plan) -> Layered {
    let has_groups = plan.lane.iter().any(|lane| lane % 2 == 1);
    let reversed = match has_groups {
        true => against_greedy_order(plan, &back_links(plan, |link| plan.is_within_group(link))),
        false => back_links(plan, |_| true),
    };
    let arcs: Vec<(usize, usize)> = plan
        .links
        .iter()
        .zip(&reversed)
        .map(|(link, reversed)| if *reversed { (link.to, link.from) } else { (link.from, link.to) })
        .collect();
    let dag = Dag::new(plan.boxes.len(), &arcs, if plan.spaced { 2 } else { 1 });
    let mut layer = dag.longest_paths();
    for _ in 0..PULLS {
        dag.pull(&mut layer);
    }
    close_up(&mut layer);
    Layered { layer, reversed }
}

/// Returns the links that close a cycle in a depth-first search along the
/// `followed` ones. The search starts at nodes without incoming links, then in
/// the order of the drawing.
fn back_links(plan: &Plan, followed: impl Fn(&Link) -> bool) -> Vec<bool> {
    let n = plan.boxes.len();
    let mut outgoing = vec![Vec::new(); n];
    let mut incoming = vec![0; n];
    for (id, link) in plan.links.iter().enumerate().filter(|(_, link)| followed(link)) {
        outgoing[link.from].push(id);
        incoming[link.to] += 1;
    }
    let mut roots: Vec<usize> = (0..n).collect();
    roots.sort_by_key(|node| incoming[*node] > 0);
    let mut reversed = vec![false; plan.links.len()];
    let mut seen = vec![false; n];
    let mut on_path = vec![false; n];
    for root in roots {
        if seen[root] {
            continue;
        }
        let mut path = vec![(root, 0)];
        (seen[root], on_path[root]) = (true, true);
        while let Some((node, next)) = path.last_mut() {
            let Some(&id) = outgoing[*node].get(*next) else {
                on_path[*node] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let target = plan.links[id].to;
            reversed[id] = on_path[target];
            if !seen[target] {
                (seen[target], on_path[target]) = (true, true);
                path.push((target, 0));
            }
        }
    }
    reversed
}

/// Returns the links against an order with few of them, found greedily (Eades,
/// Lin and Smyth 1993). Groups are side by side and linked in both directions:
/// a depth-first search would enter most of them in the middle. Within a group
/// its result is better, so the links that it found to go `back` are treated as
/// reversed.
fn against_greedy_order(plan: &Plan, back: &[bool]) -> Vec<bool> {
    let n = plan.boxes.len();
    let mut neighbours = vec![Vec::new(); n];
    let mut degrees = vec![Degrees::default(); n];
    for (link, back) in plan.links.iter().zip(back) {
        let (from, to) = if *back { (link.to, link.from) } else { (link.from, link.to) };
        degrees[from].outgoing += 1;
        degrees[to].incoming += 1;
        neighbours[from].push((to, true));
        neighbours[to].push((from, false));
    }
    let mut rank: Vec<Option<usize>> = vec![None; n];
    let (mut head, mut tail) = (0, n);
    while head < tail {
        let left = (0..n).filter(|node| rank[*node].is_none());
        let Some(node) = left.min_by_key(|node| degrees[*node].preference()) else { break };
        let goes_last = degrees[node].outgoing == 0 && degrees[node].incoming > 0;
        if goes_last {
            tail -= 1;
            rank[node] = Some(tail);
        } else {
            rank[node] = Some(head);
            head += 1;
        }
        for &(other, forwards) in &neighbours[node] {
            let degree = if forwards { &mut degrees[other].incoming } else { &mut degrees[other].outgoing };
            *degree -= 1;
        }
    }
    plan.links.iter().map(|link| rank[link.from] > rank[link.to]).collect()
}

/// Numbers of links to nodes that have no position in the order yet.
#[derive(Clone, Copy, Default)]
struct Degrees {
    incoming: usize,
    outgoing: usize,
}

impl Degrees {
    /// Returns the sort key: nodes without outgoing links, then nodes without
    /// incoming links, then by the difference.
    fn preference(self) -> (u8, isize) {
        match (self.incoming, self.outgoing) {
            (_, 0) => (0, 0),
            (0, _) => (1, 0),
            (incoming, outgoing) => (2, incoming as isize - outgoing as isize),
        }
    }
}

/// A graph without cycles whose arcs span at least `span` layers.
struct Dag {
    graph: DiGraph<(), ()>,
    /// All nodes, each after those above it.
    sorted: Vec<NodeIndex>,
    span: usize,
}

impl Dag {
    fn new(n: usize, arcs: &[(usize, usize)], span: usize) -> Self {
        let mut graph = DiGraph::with_capacity(n, arcs.len());
        for _ in 0..n {
            graph.add_node(());
        }
        graph.extend_with_edges(arcs.iter().map(|&(from, to)| (from as u32, to as u32)));
        let sorted = toposort(&graph, None).expect("links against the layers have been turned round");
        Self { graph, sorted, span }
    }

    fn above(&self, node: NodeIndex) -> impl Iterator<Item = usize> {
        self.graph.neighbors_directed(node, Direction::Incoming).map(NodeIndex::index)
    }

    fn below(&self, node: NodeIndex) -> impl Iterator<Item = usize> {
        self.graph.neighbors(node).map(NodeIndex::index)
    }

    fn longest_paths(&self) -> Vec<usize> {
        let mut layer = vec![0; self.graph.node_count()];
        for &node in &self.sorted {
            layer[node.index()] = self.above(node).map(|it| layer[it] + self.span).max().unwrap_or(0);
        }
        layer
    }

    /// Moves each node with more links below than above to its lowest possible
    /// layer, the lowest nodes first so that whole chains follow.
    fn pull(&self, layer: &mut [usize]) {
        for &node in self.sorted.iter().rev() {
            let Some(lowest) = self.below(node).map(|it| layer[it] - self.span).min() else { continue };
            if self.below(node).count() > self.above(node).count() {
                layer[node.index()] = lowest;
            }
        }
    }
}

/// Removes empty layers above the first node.
fn close_up(layer: &mut [usize]) {
    let first = layer.iter().copied().min().unwrap_or(0);
    layer.iter_mut().for_each(|it| *it -= first);
}
