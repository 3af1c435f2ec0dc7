//! Control graphs of Promela processes as drawings.

use super::{append, arrow_to, solid};
use crate::diag::{Sources, Span};
use crate::net::TemplateId;
use crate::net::{Action, Location, LocationId, Network};
use crate::verify::drawing::{Drawing, Edge, Node, Shape, Tint};
use crate::verify::outline::statement;

/// Maximum number of characters of a statement.
const MAX_CHARACTERS: usize = 48;

/// Draws the control graphs of proctypes: locations with their labels,
/// statements on the edges. Locations of atomic sequences and of `d_step`s are
/// tinted; dashed edges lead to the escapes of `unless`.
pub fn processes(program: &Network, proctypes: &[TemplateId], sources: &Sources) -> Drawing {
    let name = |id: &TemplateId| program.templates[id.index()].name.as_str();
    let names: Vec<&str> = proctypes.iter().map(name).collect();
    let mut drawing =
        Drawing { title: format!("control graph of {}", names.join(", ")), ..Drawing::default() };
    for &proctype in proctypes {
        let mut one = process(program, proctype, sources);
        for node in &mut one.nodes {
            node.group = Some(program.templates[proctype.index()].name.clone());
        }
        append(&mut drawing, one);
    }
    drawing
}

fn process(program: &Network, proctype: TemplateId, sources: &Sources) -> Drawing {
    let graph = &program.templates[proctype.index()].graph;
    let labels = &program.templates[proctype.index()].labels;
    let ends =
        |location: &Location| location.out.iter().any(|&id| graph.transition(id).action == Action::End);
    let node = |(index, location): (usize, &Location)| {
        let mut lines = vec![index.to_string()];
        lines.extend(location.labels.iter().map(|label| labels[label.index()].name.clone()));
        if ends(location) {
            lines.push("-end-".to_string());
        }
        let marks = [
            ("end", location.is_end && !ends(location)),
            ("progress", location.is_progress),
            ("accept", location.is_accept),
        ];
        let marks = marks.into_iter().filter(|(_, is)| *is).map(|(mark, _)| format!("({mark})"));
        lines.extend(marks);
        Node {
            label: lines.join("\n"),
            shape: if location.is_end { Shape::DoubleCircle } else { Shape::Circle },
            group: None,
            tooltip: Some(place(location.span, sources)),
            tint: match (location.atomic, location.deterministic) {
                (_, Some(_)) => Tint::Deterministic,
                (Some(_), None) => Tint::Atomic,
                (None, None) => Tint::Plain,
            },
        }
    };
    let nodes = graph.locations.iter().enumerate().map(node).collect();
    let mut drawing = Drawing { title: String::new(), nodes, edges: Vec::new() };
    for (from, location) in graph.locations.iter().enumerate() {
        for &id in &location.out {
            let transition = graph.transition(id);
            drawing.edges.extend(match transition.action {
                Action::End => None,
                // Its content is drawn statement by statement.
                Action::Deterministic(first) => Some(solid(from, first.index(), "d_step".to_string())),
                _ => Some(solid(from, transition.to.index(), cut(&statement(transition.span, sources)))),
            });
        }
        let escape = |to: &LocationId| Edge {
            from,
            to: to.index(),
            label: "unless".to_string(),
            dashed: true,
            both_ways: false,
        };
        drawing.edges.extend(location.escapes.iter().map(escape));
    }
    arrow_to(&mut drawing, 0);
    drawing
}

fn place(span: Span, sources: &Sources) -> String {
    let position = sources.position(span);
    format!("{}:{}", sources.get(span.source).name, position.line)
}

fn cut(text: &str) -> String {
    match text.chars().count() > MAX_CHARACTERS {
        true => text.chars().take(MAX_CHARACTERS - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}
