//! Coordinates.
//!
//! Across the layers, each vertex should be where its neighbours are. In one
//! layer the best positions that preserve order and distances are computed
//! exactly, by pooling adjacent violators; sweeps up and down propagate them
//! over the layers. Later sweeps give more weight to neighbours that are
//! aligned already, so that a long link is straight with a few bends. Lanes are
//! solved separately and then placed side by side.

use super::order::{Ordered, Vertex};
use super::plan::Plan;
use crate::base::cancel::checkpoint;

/// The positions of everything; x to the right, y downwards.
pub(super) struct Layout {
    /// Centres of the nodes.
    pub nodes: Vec<Point>,
    /// Per link, the points it passes, the ends being centres of nodes.
    pub links: Vec<Vec<Point>>,
    /// Per link, where the label is anchored: its left middle, or with
    /// layers side by side its bottom centre.
    pub labels: Vec<Option<Point>>,
    /// Per link, whether the chain of points runs against the link.
    pub reversed: Vec<bool>,
    /// Per group in order, the box behind it.
    pub groups: Vec<Area>,
    /// The area of all of the above.
    pub area: Area,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// Distance between neighbours of one layer.
const SIDE_GAP: f64 = 22.0;
/// Distance between neighbours of which one is the bend of a link.
const DUMMY_GAP: f64 = 8.0;
/// Distance between layers; half of it with an extra layer for labels between
/// them.
const LAYER_GAP: f64 = 38.0;
/// Distance of layers as a share of how far links go sideways between them.
const SLOPE: f64 = 0.3;
const MAX_LAYER_GAP: f64 = 60.0;
/// Distance between lanes, besides the padding of the group boxes.
const LANE_GAP: f64 = 18.0;
/// Padding around the nodes of a group.
const GROUP_PADDING: f64 = 12.0;
/// Height of the name of a group, above its nodes.
pub(super) const GROUP_TITLE: f64 = 20.0;

/// Maximum cost of all sweeps of a lane, in visits of vertices.
const BUDGET: usize = 120_000;

pub(super) fn coordinates(plan: &Plan, ordered: &Ordered) -> Layout {
    let across = across_layers(plan, ordered);
    let along = along_layers(plan, ordered, &across);
    let point = |vertex: usize, shift: f64| {
        let along = along[ordered.vertices[vertex].layer].middle + shift;
        match plan.sideways {
            true => Point { x: along, y: across[vertex] },
            false => Point { x: across[vertex], y: along },
        }
    };
    let links = ordered.chains.iter().map(|chain| {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let mut points = vec![point(first, 0.0)];
        for &bend in &chain[1..chain.len() - 1] {
            let half = along[ordered.vertices[bend].layer].thickness / 2.0;
            points.extend([point(bend, -half), point(bend, half)]);
        }
        points.push(point(last, 0.0));
        points.dedup();
        points
    });
    let mut layout = Layout {
        nodes: (0..plan.boxes.len()).map(|node| point(node, 0.0)).collect(),
        links: links.collect(),
        labels: ordered.labels.iter().map(|label| label.map(|vertex| point(vertex, 0.0))).collect(),
        reversed: ordered.reversed.clone(),
        groups: Vec::new(),
        area: Area { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 },
    };
    layout.groups = group_areas(plan, ordered, &layout);
    layout.area = whole_area(plan, ordered, &layout);
    layout
}

struct Band {
    middle: f64,
    thickness: f64,
}

fn along_layers(plan: &Plan, ordered: &Ordered, across: &[f64]) -> Vec<Band> {
    let least = if plan.spaced { LAYER_GAP / 2.0 } else { LAYER_GAP };
    let mut start = 0.0;
    let mut bands = Vec::new();
    for layer in &ordered.layers {
        let thickness = layer.iter().map(|it| ordered.vertices[*it].thickness).fold(0.0, f64::max);
        bands.push(Band { middle: start + thickness / 2.0, thickness });
        start += thickness + least.max(farthest(ordered, layer, across) * SLOPE).min(MAX_LAYER_GAP);
    }
    bands
}

/// Returns how far links go sideways between a layer and the next.
fn farthest(ordered: &Ordered, layer: &[usize], across: &[f64]) -> f64 {
    let links = layer.iter().flat_map(|&id| ordered.below[id].iter().map(move |&other| (id, other)));
    links.map(|(id, other)| (across[other] - across[id]).abs()).fold(0.0, f64::max)
}

fn across_layers(plan: &Plan, ordered: &Ordered) -> Vec<f64> {
    let mut across = vec![0.0; ordered.vertices.len()];
    let last_lane = ordered.vertices.iter().map(|it| it.lane).max().unwrap_or(0);
    let mut start = 0.0;
    for lane in 0..=last_lane {
        let of_lane = |layer: &Vec<usize>| {
            layer.iter().copied().filter(|it| ordered.vertices[*it].lane == lane).collect::<Vec<_>>()
        };
        let layers: Vec<Vec<usize>> = ordered.layers.iter().map(of_lane).collect();
        if layers.iter().all(Vec::is_empty) {
            continue;
        }
        place_lane(ordered, &layers, &mut across);
        let padding = if lane % 2 == 1 { GROUP_PADDING } else { 0.0 };
        let vertices = || layers.iter().flatten().map(|id| (*id, &ordered.vertices[*id]));
        let left = vertices().map(|(id, it)| across[id] - it.before).fold(f64::INFINITY, f64::min);
        let right = vertices().map(|(id, it)| across[id] + it.after).fold(f64::NEG_INFINITY, f64::max);
        for &id in layers.iter().flatten() {
            across[id] += start + padding - left;
        }
        let width = (right - left).max(plan.lane_width(lane));
        start += width + 2.0 * padding + LANE_GAP;
    }
    across
}

fn place_lane(ordered: &Ordered, layers: &[Vec<usize>], across: &mut [f64]) {
    let solver = Solver { ordered };
    for layer in layers {
        solver.settle(layer, across, |_, _| (0.0, 1.0));
    }
    let size: usize = layers.iter().map(Vec::len).sum();
    let sweeps = (BUDGET / size.max(1)).clamp(4, 80);
    for sweep in 0..sweeps {
        checkpoint();
        let late = sweep >= sweeps / 4;
        match sweep % 2 {
            0 => layers.iter().for_each(|layer| solver.follow(layer, across, [true, late])),
            _ => layers.iter().rev().for_each(|layer| solver.follow(layer, across, [late, true])),
        }
    }
}

struct Solver<'a> {
    ordered: &'a Ordered,
}

impl Solver<'_> {
    /// Moves a layer towards its neighbours above, below or both.
    fn follow(&self, layer: &[usize], across: &mut [f64], [above, below]: [bool; 2]) {
        let vertices = &self.ordered.vertices;
        let wish = |id: usize, across: &[f64]| {
            let mut sum = (0.0, 0.0);
            let sides = [(above, &self.ordered.above[id]), (below, &self.ordered.below[id])];
            for &other in sides.iter().filter(|(wanted, _)| *wanted).flat_map(|(_, side)| *side) {
                if vertices[other].lane == vertices[id].lane {
                    let apart = if above && below { (across[other] - across[id]).abs() } else { 0.0 };
                    let weight = pull(&vertices[id], &vertices[other]) / (0.5 + apart);
                    sum = (sum.0 + weight * across[other], sum.1 + weight);
                }
            }
            // A vertex without neighbours there stays, but gives way to all others.
            if sum.1 == 0.0 { (across[id], 1e-6) } else { (sum.0 / sum.1, sum.1) }
        };
        self.settle(layer, across, wish);
    }

    /// Computes the positions of one layer closest to the wishes.
    ///
    /// With the sums of the minimum distances subtracted, "preserve order and
    /// distances" becomes "do not decrease", and the least squares solution of
    /// that is found by merging neighbours that violate it.
    fn settle(&self, layer: &[usize], across: &mut [f64], wish: impl Fn(usize, &[f64]) -> (f64, f64)) {
        let vertices = &self.ordered.vertices;
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(layer.len());
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        for (index, &id) in layer.iter().enumerate() {
            if index > 0 {
                offset += distance(&vertices[layer[index - 1]], &vertices[id]);
            }
            offsets.push(offset);
            let (position, weight) = wish(id, across);
            let mut block = (position - offset, weight, 1);
            while let Some(last) = blocks.pop_if(|last| last.0 > block.0) {
                let weight = last.1 + block.1;
                block = ((last.0 * last.1 + block.0 * block.1) / weight, weight, last.2 + block.2);
            }
            blocks.push(block);
        }
        let positions = blocks.into_iter().flat_map(|(position, _, count)| vec![position; count]);
        for ((position, offset), id) in positions.zip(offsets).zip(layer) {
            across[*id] = position + offset;
        }
    }
}

/// Returns the weight of a link; long links should be straight first of all.
fn pull(a: &Vertex, b: &Vertex) -> f64 {
    match (a.is_dummy, b.is_dummy) {
        (true, true) => 8.0,
        (false, false) => 1.0,
        _ => 2.0,
    }
}

fn distance(a: &Vertex, b: &Vertex) -> f64 {
    let gap = if a.is_dummy || b.is_dummy { DUMMY_GAP } else { SIDE_GAP };
    a.after + gap + b.before
}

fn group_areas(plan: &Plan, ordered: &Ordered, layout: &Layout) -> Vec<Area> {
    let last_lane = plan.lane.iter().max().copied().unwrap_or(0);
    let lanes = (1..=last_lane).step_by(2);
    let area = |lane: usize| {
        let members = (0..plan.boxes.len()).filter(|node| plan.lane[*node] == lane);
        let mut area = bounds(members.map(|node| node_area(plan, ordered, layout, node)));
        area.right = area.right.max(area.left + plan.lane_width(lane)) + GROUP_PADDING;
        area.left -= GROUP_PADDING;
        area.top -= GROUP_PADDING + GROUP_TITLE;
        area.bottom += GROUP_PADDING;
        area
    };
    lanes.map(area).collect()
}

/// Returns the area of a node with its self loop.
fn node_area(plan: &Plan, ordered: &Ordered, layout: &Layout, node: usize) -> Area {
    let centre = layout.nodes[node];
    let vertex = &ordered.vertices[node];
    let half = vertex.thickness / 2.0;
    match plan.sideways {
        true => Area {
            left: centre.x - half,
            right: centre.x + half,
            top: centre.y - vertex.before,
            bottom: centre.y + vertex.after,
        },
        false => Area {
            left: centre.x - vertex.before,
            right: centre.x + vertex.after,
            top: centre.y - half,
            bottom: centre.y + half,
        },
    }
}

fn whole_area(plan: &Plan, ordered: &Ordered, layout: &Layout) -> Area {
    let nodes = (0..plan.boxes.len()).map(|node| node_area(plan, ordered, layout, node));
    let points = layout.links.iter().flatten().map(|point| Area {
        left: point.x,
        right: point.x,
        top: point.y,
        bottom: point.y,
    });
    let labels = ordered.labels.iter().flatten().zip(layout.labels.iter().flatten());
    let labels = labels.map(|(vertex, at)| {
        let vertex = &ordered.vertices[*vertex];
        match plan.sideways {
            true => {
                let half = vertex.thickness / 2.0;
                Area { left: at.x - half, right: at.x + half, top: at.y - vertex.before, bottom: at.y }
            }
            false => Area { left: at.x, right: at.x + vertex.after, top: at.y, bottom: at.y },
        }
    });
    bounds(nodes.chain(points).chain(labels).chain(layout.groups.iter().copied()))
}

/// Returns the smallest area around all; a point if there are none.
fn bounds(areas: impl Iterator<Item = Area>) -> Area {
    let join = |a: Area, b: Area| Area {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    };
    areas.reduce(join).unwrap_or(Area { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 })
}
