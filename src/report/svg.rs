//! A drawing as a self-contained SVG picture, laid out here.
//!
//! The layout is the layered one of Sugiyama, Tagawa and Toda, as refined by
//! Gansner et al. ("A technique for drawing directed graphs", 1993):
//!
//! - `plan` measures nodes and merges parallel edges;
//! - `layers` reverses back edges and assigns a layer to each node;
//! - `order` breaks long edges with dummies and orders each layer so that
//!   few edges cross;
//! - `place` computes coordinates; each group has its own lane, so the boxes
//!   behind the groups never overlap;
//! - `route` draws edges as curves; `paint` writes the XML.
//!
//! Dashed edges take no part in the layout: there are too many of them and they
//! imply no order. The result depends on the drawing alone.

mod layers;
mod order;
mod paint;
mod place;
mod plan;
mod route;
#[cfg(test)]
mod tests;

use crate::verify::drawing::{Drawing, Shape};
pub(super) use paint::{escape, number};
use plan::Plan;

/// Maximum number of nodes of a picture; their layout takes about a second.
const MAX_NODES: usize = 3000;

/// Maximum number of solid edges of a picture.
const MAX_EDGES: usize = 10_000;

/// Maximum number of dashed edges; if there are more, all are left out, since
/// they would cover the rest.
const MAX_DASHED: usize = 5000;

/// Maximum number of nodes and of points where an edge crosses a layer.
const MAX_VERTICES: usize = 50_000;

/// A picture and what was left out.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The XML, ending with a newline.
    pub text: String,
    /// Number of dashed edges that were left out because there were too many.
    pub n_left_out: usize,
}

/// A graph that is too large to be laid out in about a second, or to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Number of nodes.
    pub n_nodes: usize,
    /// Number of edges.
    pub n_edges: usize,
}

/// Draws a graph that is not too large.
pub fn render(drawing: &Drawing) -> Result<Picture, TooLarge> {
    let too_large = TooLarge { n_nodes: drawing.nodes.len(), n_edges: drawing.edges.len() };
    let n_dashed = drawing.edges.iter().filter(|edge| edge.dashed).count();
    if drawing.nodes.len() > MAX_NODES || drawing.edges.len() - n_dashed > MAX_EDGES {
        return Err(too_large);
    }
    let n_left_out = if n_dashed > MAX_DASHED { n_dashed } else { 0 };
    let mut plan = Plan::new(drawing, n_left_out == 0);
    // Without spare layers for labels a graph may still fit.
    let mut layered = layers::assign(&plan);
    if order::n_vertices(&plan, &layered) > MAX_VERTICES && plan.spaced {
        plan.spaced = false;
        layered = layers::assign(&plan);
    }
    if order::n_vertices(&plan, &layered) > MAX_VERTICES {
        return Err(too_large);
    }
    let ordered = order::arrange(&plan, &layered);
    let layout = place::coordinates(&plan, &ordered);
    Ok(Picture { text: paint::picture(drawing, &plan, &layout), n_left_out })
}

/// Returns whether the drawing is read from left to right, like an automaton;
/// programs are read from top to bottom.
pub(super) fn reads_from_left_to_right(drawing: &Drawing) -> bool {
    let state = |shape| matches!(shape, Shape::Circle | Shape::DoubleCircle | Shape::Plain);
    drawing.nodes.iter().all(|node| state(node.shape) && node.group.is_none())
}

/// Returns the groups in the order of their first node.
pub(super) fn group_names(drawing: &Drawing) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for group in drawing.nodes.iter().filter_map(|node| node.group.as_deref()) {
        if !names.contains(&group) {
            names.push(group);
        }
    }
    names
}
