//! Input of the layout: sizes of nodes and labels, edges without duplicates,
//! and the lane of each node.

use crate::verify::drawing::{Drawing, Edge, Shape};
use std::collections::HashMap;

/// Height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// Extent of a self loop beyond its node.
pub(super) const LOOP: f64 = 26.0;

/// Maximum number of lines of a label; the others are counted.
const MAX_LABEL_LINES: usize = 8;

pub(super) struct Plan {
    /// Whether the layout is left to right instead of top to bottom.
    pub sideways: bool,
    pub boxes: Vec<NodeBox>,
    /// Solid edges between different nodes, at most one per direction.
    pub links: Vec<Link>,
    /// Self loops, at most one per node.
    pub loops: Vec<Loop>,
    /// Dashed edges between different nodes.
    pub dashed: Vec<Link>,
    /// Lanes: odd ones are groups, even ones are between them.
    pub lane: Vec<usize>,
    /// Widths of the names of the groups.
    titles: Vec<f64>,
    /// Whether links need a layer between their ends, for labels or because two
    /// nodes are linked in both directions.
    pub spaced: bool,
}

/// The extent of a node, self loop not included.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeBox {
    pub width: f64,
    pub height: f64,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    pub from: usize,
    pub to: usize,
    pub label: Vec<String>,
    pub both_ways: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub node: usize,
    pub label: Vec<String>,
}

impl Plan {
    pub fn new(drawing: &Drawing, with_dashed: bool) -> Self {
        let n_nodes = drawing.nodes.len();
        let known = |edge: &&Edge| edge.from < n_nodes && edge.to < n_nodes && (with_dashed || !edge.dashed);
        let mut plan = Self {
            sideways: super::reads_from_left_to_right(drawing),
            boxes: drawing.nodes.iter().map(|node| node_box(&node.label, node.shape)).collect(),
            links: Vec::new(),
            loops: Vec::new(),
            dashed: Vec::new(),
            lane: Vec::new(),
            // They are set in bold, which is wider.
            titles: super::group_names(drawing).iter().map(|name| text_width(name) * 1.15).collect(),
            spaced: false,
        };
        let mut merged = HashMap::new();
        for edge in drawing.edges.iter().filter(known) {
            plan.add(edge, &mut merged);
        }
        let mut labels = plan.links.iter_mut().chain(&mut plan.dashed).map(|link| &mut link.label);
        labels.by_ref().for_each(fold);
        plan.loops.iter_mut().for_each(|it| fold(&mut it.label));
        let labelled = plan.links.iter().any(|link| !link.label.is_empty());
        plan.spaced = labelled || plan.has_opposites();
        plan.lane = lanes(drawing, &plan.links);
        plan
    }

    /// Adds an edge, or its label to an existing one. `merged` has the
    /// positions of loops and links; dashed edges have no duplicates.
    fn add(&mut self, edge: &Edge, merged: &mut HashMap<(usize, usize, bool), usize>) {
        let label = edge.label.lines().map(str::to_string);
        let Edge { from, to, both_ways, .. } = *edge;
        if from == to {
            let at = *merged.entry((from, to, false)).or_insert(self.loops.len());
            if at == self.loops.len() {
                self.loops.push(Loop { node: from, label: Vec::new() });
            }
            return self.loops[at].label.extend(label);
        }
        let link = Link { from, to, label: Vec::new(), both_ways };
        if edge.dashed {
            return self.dashed.push(Link { label: label.collect(), ..link });
        }
        let at = *merged.entry((from, to, both_ways)).or_insert(self.links.len());
        if at == self.links.len() {
            self.links.push(link);
        }
        self.links[at].label.extend(label);
    }

    pub fn is_within_group(&self, link: &Link) -> bool {
        let lane = self.lane[link.from];
        lane % 2 == 1 && lane == self.lane[link.to]
    }

    /// Returns the width that the name of a group needs.
    pub fn lane_width(&self, lane: usize) -> f64 {
        if lane % 2 == 1 { self.titles.get(lane / 2).copied().unwrap_or(0.0) } else { 0.0 }
    }

    fn has_opposites(&self) -> bool {
        let mut pairs: Vec<(usize, usize)> =
            self.links.iter().map(|it| (it.from.min(it.to), it.from.max(it.to))).collect();
        pairs.sort_unstable();
        pairs.windows(2).any(|pair| pair[0] == pair[1])
    }
}

fn fold(label: &mut Vec<String>) {
    if label.len() > MAX_LABEL_LINES {
        let hidden = label.len() - MAX_LABEL_LINES + 1;
        label.truncate(MAX_LABEL_LINES - 1);
        label.push(format!("… {hidden} more"));
    }
}

/// Returns the lane of each node. A node without a group is between the groups
/// of its neighbours.
fn lanes(drawing: &Drawing, links: &[Link]) -> Vec<usize> {
    let groups = super::group_names(drawing);
    let group_lane = |node: usize| {
        let group = drawing.nodes[node].group.as_deref()?;
        groups.iter().position(|name| *name == group).map(|position| 2 * position + 1)
    };
    let mut sums = vec![(0, 0); drawing.nodes.len()];
    for link in links {
        for (node, other) in [(link.from, link.to), (link.to, link.from)] {
            if let Some(lane) = group_lane(other) {
                sums[node].0 += lane;
                sums[node].1 += 1;
            }
        }
    }
    let between = |(sum, count): (usize, usize)| match count {
        0 => groups.len() / 2 * 2,
        _ => (sum as f64 / count as f64 / 2.0).round() as usize * 2,
    };
    (0..drawing.nodes.len()).map(|node| group_lane(node).unwrap_or_else(|| between(sums[node]))).collect()
}

fn node_box(label: &str, shape: Shape) -> NodeBox {
    let lines: Vec<&str> = label.lines().collect();
    let (width, height) = text_size(&lines);
    let (width, height) = match shape {
        Shape::Box => (width + 18.0, height + 10.0),
        Shape::Diamond => (width * 1.25 + 34.0, height * 1.5 + 22.0),
        Shape::Triangle => (width * 1.5 + 40.0, height * 1.5 + 22.0),
        Shape::Circle | Shape::DoubleCircle => {
            let diameter = (width.hypot(height) + 10.0).max(36.0);
            (diameter, diameter)
        }
        Shape::Plain if label.is_empty() => (4.0, 4.0),
        Shape::Plain => (width + 6.0, height + 2.0),
    };
    NodeBox { width: width.max(4.0), height: height.max(4.0), shape }
}

/// Estimates width and height of lines of text, generously.
pub(super) fn text_size<S: AsRef<str>>(lines: &[S]) -> (f64, f64) {
    let width = lines.iter().map(|line| text_width(line.as_ref())).fold(0.0, f64::max);
    (width, lines.len() as f64 * LINE)
}

/// Estimates the width of a line, for DejaVu Sans at 12 pixels, the widest of
/// the likely fonts.
fn text_width(line: &str) -> f64 {
    let advance = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '\'' | '|' => 3.7,
        '.' | ',' | ':' | ';' | ' ' | '!' | '/' | '\\' => 4.1,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' => 5.0,
        'm' | 'M' | 'w' | 'W' | '@' | '%' | '=' | '<' | '>' | '+' | '→' => 10.4,
        'A'..='Z' => 8.6,
        c if c.is_ascii() => 7.5,
        _ => 12.0,
    };
    line.chars().map(advance).sum()
}
