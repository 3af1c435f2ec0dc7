//! A drawing as a self-contained SVG picture, laid out here.
//!
//! The layout is the layered one of Sugiyama, Tagawa and Toda, as refined by
//! Gansner et al. ("A technique for drawing directed graphs", 1993):
//!
//! - `plan` measures nodes and merges parallel edges;
//! - `layers` turns back edges round and gives each node a layer;
//! - `order` breaks long edges with dummies and orders each layer so that
//!   few edges cross;
//! - `place` gives coordinates; each group has a lane of its own, so the
//!   boxes behind the groups never overlap;
//! - `route` draws edges as curves; `paint` writes the XML.
//!
//! Dashed edges take no part in the layout: there are too many of them and
//! they carry no order. The result depends on the drawing alone.

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
use place::Layout;
use plan::Plan;

/// The picture, ending with a newline.
pub fn render(drawing: &Drawing) -> String {
    let plan = Plan::new(drawing);
    let layout = layout(&plan);
    paint::picture(drawing, &plan, &layout)
}

fn layout(plan: &Plan) -> Layout {
    let layered = layers::assign(plan);
    let ordered = order::arrange(plan, &layered);
    place::coordinates(plan, &ordered)
}

/// Automata are read from left to right, programs from top to bottom.
pub(super) fn reads_from_left_to_right(drawing: &Drawing) -> bool {
    let state = |shape| matches!(shape, Shape::Circle | Shape::DoubleCircle | Shape::Plain);
    drawing.nodes.iter().all(|node| state(node.shape) && node.group.is_none())
}

/// The groups in the order of their first node.
pub(super) fn group_names(drawing: &Drawing) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for group in drawing.nodes.iter().filter_map(|node| node.group.as_deref()) {
        if !names.contains(&group) {
            names.push(group);
        }
    }
    names
}
