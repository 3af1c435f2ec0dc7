//! A layer for each node, so that nearly all links point the same way.

use super::plan::Plan;

pub(super) struct Layered {
    /// Indexed by node.
    pub layer: Vec<usize>,
    /// Indexed by link: does it point against the layers?
    pub reversed: Vec<bool>,
}

/// Passes that pull nodes towards their neighbours.
const PULLS: usize = 4;

pub(super) fn assign(plan: &Plan) -> Layered {
    let reversed = back_links(plan);
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

/// The links that close a cycle in a depth-first search which starts where
/// nothing comes in and then in the order of the drawing.
fn back_links(plan: &Plan) -> Vec<bool> {
    let n = plan.boxes.len();
    let mut outgoing = vec![Vec::new(); n];
    let mut incoming = vec![0; n];
    for (id, link) in plan.links.iter().enumerate() {
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

/// A graph without cycles whose arcs span at least `span` layers.
struct Dag {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// Every node after all above it.
    sorted: Vec<usize>,
    span: usize,
}

impl Dag {
    fn new(n: usize, arcs: &[(usize, usize)], span: usize) -> Self {
        let mut above = vec![Vec::new(); n];
        let mut below = vec![Vec::new(); n];
        for &(from, to) in arcs {
            above[to].push(from);
            below[from].push(to);
        }
        let mut missing: Vec<usize> = above.iter().map(Vec::len).collect();
        let mut sorted: Vec<usize> = (0..n).filter(|node| missing[*node] == 0).collect();
        let mut next = 0;
        while next < sorted.len() {
            for &node in &below[sorted[next]] {
                missing[node] -= 1;
                if missing[node] == 0 {
                    sorted.push(node);
                }
            }
            next += 1;
        }
        Self { above, below, sorted, span }
    }

    fn longest_paths(&self) -> Vec<usize> {
        let mut layer = vec![0; self.above.len()];
        for &node in &self.sorted {
            layer[node] = self.above[node].iter().map(|it| layer[*it] + self.span).max().unwrap_or(0);
        }
        layer
    }

    /// Moves each node to the end of its room where more of its links are,
    /// the lowest first so that whole chains follow.
    fn pull(&self, layer: &mut [usize]) {
        for &node in self.sorted.iter().rev() {
            let Some(lowest) = self.below[node].iter().map(|it| layer[*it] - self.span).min() else {
                continue;
            };
            if self.below[node].len() > self.above[node].len() {
                layer[node] = lowest;
            }
        }
    }
}

/// Removes layers above the first node.
fn close_up(layer: &mut [usize]) {
    let first = layer.iter().copied().min().unwrap_or(0);
    layer.iter_mut().for_each(|it| *it -= first);
}
