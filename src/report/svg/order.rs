//! Dummies for long links, and an order within each layer with few crossings.

use super::layers::Layered;
use super::plan::{LOOP, Link, Plan, text_size};
use crate::base::cancel::checkpoint;

/// A node or a dummy. Its position across the layers is that of its anchor,
/// where links meet it.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub layer: usize,
    pub lane: usize,
    /// Room needed on either side of the anchor.
    pub before: f64,
    pub after: f64,
    /// Room needed along the layers.
    pub thickness: f64,
    pub is_dummy: bool,
}

pub(super) struct Ordered {
    /// All vertices, the nodes of the plan first.
    pub vertices: Vec<Vertex>,
    /// Vertices per layer, in order.
    pub layers: Vec<Vec<usize>>,
    /// Neighbours in the layers before and after.
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// Per link, its vertices from the first layer to the last.
    pub chains: Vec<Vec<usize>>,
    /// Per link, the dummy that holds the label.
    pub labels: Vec<Option<usize>>,
    pub reversed: Vec<bool>,
}

/// Maximum cost of all sweeps, in visits of vertices and links.
const BUDGET: usize = 1_500_000;

/// Returns the number of vertices: the nodes, and a dummy for each layer that a
/// link crosses.
pub(super) fn n_vertices(plan: &Plan, layered: &Layered) -> usize {
    let crossed = |link: &Link| layered.layer[link.from].abs_diff(layered.layer[link.to]).saturating_sub(1);
    plan.links.iter().map(crossed).fold(plan.boxes.len(), usize::saturating_add)
}

pub(super) fn arrange(plan: &Plan, layered: &Layered) -> Ordered {
    let mut ordered = with_dummies(plan, layered);
    ordered.first_order();
    ordered.reduce_crossings();
    ordered
}

fn with_dummies(plan: &Plan, layered: &Layered) -> Ordered {
    let n = plan.boxes.len();
    let mut ordered = Ordered {
        vertices: (0..n).map(|node| node_vertex(plan, node, layered.layer[node])).collect(),
        layers: vec![Vec::new(); layered.layer.iter().max().map_or(0, |last| last + 1)],
        above: vec![Vec::new(); n],
        below: vec![Vec::new(); n],
        chains: Vec::new(),
        labels: Vec::new(),
        reversed: layered.reversed.clone(),
    };
    for (link, reversed) in plan.links.iter().zip(&layered.reversed) {
        let (upper, lower) = if *reversed { (link.to, link.from) } else { (link.from, link.to) };
        ordered.add_chain(upper, lower, &link.label, plan);
    }
    ordered
}

fn node_vertex(plan: &Plan, node: usize, layer: usize) -> Vertex {
    let NodeSize { across, along } = node_size(plan, node);
    let mut vertex = Vertex {
        layer,
        lane: plan.lane[node],
        before: across / 2.0,
        after: across / 2.0,
        thickness: along,
        is_dummy: false,
    };
    if let Some(it) = plan.loops.iter().find(|it| it.node == node) {
        let (width, height) = text_size(&it.label);
        if plan.sideways {
            vertex.before += LOOP + height;
            vertex.thickness = vertex.thickness.max(width + 4.0);
        } else {
            vertex.after += LOOP + width + 6.0;
            vertex.thickness = vertex.thickness.max(height);
        }
    }
    vertex
}

struct NodeSize {
    across: f64,
    along: f64,
}

fn node_size(plan: &Plan, node: usize) -> NodeSize {
    let it = plan.boxes[node];
    match plan.sideways {
        true => NodeSize { across: it.height, along: it.width },
        false => NodeSize { across: it.width, along: it.height },
    }
}

fn dummy(layer: usize, lane: usize) -> Vertex {
    Vertex { layer, lane, before: 3.0, after: 3.0, thickness: 0.0, is_dummy: true }
}

/// Returns a dummy beside or below which the label is written.
fn label_dummy(layer: usize, lane: usize, label: &[String], sideways: bool) -> Vertex {
    let (width, height) = text_size(label);
    let vertex = dummy(layer, lane);
    match sideways {
        true => Vertex { before: height + 5.0, after: 3.0, thickness: width + 12.0, ..vertex },
        false => Vertex { before: 4.0, after: width + 12.0, thickness: height + 4.0, ..vertex },
    }
}

impl Ordered {
    fn add_chain(&mut self, upper: usize, lower: usize, label: &[String], plan: &Plan) {
        let (first, last) = (self.vertices[upper].layer, self.vertices[lower].layer);
        let middle = (first + last) / 2;
        let mut chain = vec![upper];
        let mut label_vertex = None;
        for layer in first + 1..last {
            let lane = self.lane_between(upper, lower, (layer - first) as f64 / (last - first) as f64);
            let id = self.vertices.len();
            let has_label = layer == middle && !label.is_empty();
            self.vertices.push(match has_label {
                true => label_dummy(layer, lane, label, plan.sideways),
                false => dummy(layer, lane),
            });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            if has_label {
                label_vertex = Some(id);
            }
            chain.push(id);
        }
        chain.push(lower);
        for pair in chain.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        self.chains.push(chain);
        self.labels.push(label_vertex);
    }

    /// Returns the lane of a dummy; links between groups run between the
    /// groups.
    fn lane_between(&self, upper: usize, lower: usize, share: f64) -> usize {
        let (from, to) = (self.vertices[upper].lane, self.vertices[lower].lane);
        if from == to {
            return from;
        }
        let lane = from as f64 + (to as f64 - from as f64) * share;
        (lane / 2.0).round() as usize * 2
    }

    /// Orders the vertices depth first from the first layer, which keeps chains
    /// together.
    fn first_order(&mut self) {
        let mut seen = vec![false; self.vertices.len()];
        let mut roots: Vec<usize> = (0..self.vertices.len()).collect();
        roots.sort_by_key(|vertex| self.vertices[*vertex].layer);
        for root in roots {
            let mut stack = vec![root];
            while let Some(vertex) = stack.pop() {
                if std::mem::replace(&mut seen[vertex], true) {
                    continue;
                }
                self.layers[self.vertices[vertex].layer].push(vertex);
                stack.extend(self.below[vertex].iter().rev().filter(|it| !seen[**it]));
            }
        }
        let vertices = &self.vertices;
        for layer in &mut self.layers {
            layer.sort_by_key(|vertex| vertices[*vertex].lane);
        }
    }

    fn reduce_crossings(&mut self) {
        let size = self.vertices.len() + self.below.iter().map(Vec::len).sum::<usize>();
        let sweeps = (BUDGET / size.max(1)).clamp(2, 24);
        let mut position = vec![0; self.vertices.len()];
        for layer in &self.layers {
            number(layer, &mut position);
        }
        let mut best = (self.crossings(&position), self.layers.clone());
        for sweep in 0..sweeps {
            checkpoint();
            if best.0 == 0 {
                break;
            }
            self.sweep(sweep % 2 == 0, &mut position);
            let crossings = self.crossings(&position);
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// Orders each layer by the mean position of the neighbours in the previous
    /// layer of the sweep.
    fn sweep(&mut self, downwards: bool, position: &mut [usize]) {
        let n = self.layers.len();
        for step in 1..n {
            let index = if downwards { step } else { n - 1 - step };
            let neighbours = if downwards { &self.above } else { &self.below };
            let key = |vertex: usize| match neighbours[vertex].len() {
                0 => position[vertex] as f64,
                count => {
                    neighbours[vertex].iter().map(|it| position[*it]).sum::<usize>() as f64 / count as f64
                }
            };
            let mut keyed: Vec<(usize, f64, usize)> = self.layers[index]
                .iter()
                .map(|vertex| (self.vertices[*vertex].lane, key(*vertex), *vertex))
                .collect();
            keyed.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            self.layers[index] = keyed.into_iter().map(|(_, _, vertex)| vertex).collect();
            number(&self.layers[index], position);
        }
    }

    fn crossings(&self, position: &[usize]) -> usize {
        let between = |layer: &Vec<usize>| {
            let mut ends = Vec::new();
            for &vertex in layer {
                let from = ends.len();
                ends.extend(self.below[vertex].iter().map(|it| position[*it]));
                ends[from..].sort_unstable();
            }
            inversions(&ends)
        };
        self.layers.iter().map(between).sum()
    }
}

fn number(layer: &[usize], position: &mut [usize]) {
    for (index, vertex) in layer.iter().enumerate() {
        position[*vertex] = index;
    }
}

/// Counts the pairs out of order, with a Fenwick tree.
fn inversions(values: &[usize]) -> usize {
    let size = values.iter().max().map_or(0, |last| last + 1);
    let mut tree = vec![0; size + 1];
    let mut count = 0;
    for (seen, value) in values.iter().enumerate() {
        let mut not_above = 0;
        let mut index = value + 1;
        while index > 0 {
            not_above += tree[index];
            index &= index - 1;
        }
        count += seen - not_above;
        let mut index = value + 1;
        while index <= size {
            tree[index] += 1;
            index += index & index.wrapping_neg();
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::inversions;

    #[test]
    fn inversions_are_pairs_out_of_order() {
        assert_eq!(inversions(&[0, 1, 2, 2]), 0);
        assert_eq!(inversions(&[3, 2, 1]), 3);
        assert_eq!(inversions(&[1, 0, 2, 0]), 3);
    }
}
