//! A drawing for Graphviz.

use crate::base::cancel::checkpoint;
use crate::diag::visible_lines;
use crate::verify::drawing::{Drawing, Edge, Node, Shape, Tint};
use std::fmt::Write;

/// Renders the drawing in the DOT language, ending with a newline.
pub fn render(drawing: &Drawing) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quote(&drawing.title));
    let _ = writeln!(out, "  label={}; labelloc=t;", quote(&drawing.title));
    if super::svg::reads_from_left_to_right(drawing) {
        out.push_str("  rankdir=LR;\n");
    }
    out.push_str("  node [fontname=\"Helvetica\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    nodes(drawing, &mut out);
    for edge in &drawing.edges {
        checkpoint();
        let _ = writeln!(out, "  n{} -> n{}{};", edge.from, edge.to, edge_attributes(edge));
    }
    out.push_str("}\n");
    out
}

fn nodes(drawing: &Drawing, out: &mut String) {
    let groups = super::svg::group_names(drawing);
    let members = |group: Option<&str>| {
        let nodes = drawing.nodes.iter().enumerate();
        nodes.filter(move |(_, node)| node.group.as_deref() == group).collect::<Vec<_>>()
    };
    for (position, group) in groups.iter().enumerate() {
        checkpoint();
        let _ = writeln!(out, "  subgraph cluster_{position} {{");
        let _ = writeln!(out, "    label={}; style=\"rounded,filled\"; color=\"#f1f5f9\";", quote(group));
        for (id, node) in members(Some(group)) {
            let _ = writeln!(out, "    n{id} [{}];", node_attributes(node));
        }
        out.push_str("  }\n");
    }
    for (id, node) in members(None) {
        let _ = writeln!(out, "  n{id} [{}];", node_attributes(node));
    }
}

fn node_attributes(node: &Node) -> String {
    let shape = match node.shape {
        Shape::Box => "shape=box, style=\"rounded,filled\", fillcolor=white",
        Shape::Diamond => "shape=diamond, style=filled, fillcolor=\"#fef3c7\"",
        Shape::Triangle => "shape=triangle",
        Shape::Circle => "shape=circle",
        Shape::DoubleCircle => "shape=doublecircle",
        Shape::Plain => "shape=plaintext",
    };
    let fill = match node.tint {
        Tint::Plain => "",
        Tint::Atomic => ", style=filled, fillcolor=\"#dbeafe\"",
        Tint::Deterministic => ", style=filled, fillcolor=\"#dcfce7\"",
    };
    let tooltip = node.tooltip.as_ref().map_or(String::new(), |text| format!(", tooltip={}", quote(text)));
    format!("label={}, {shape}{fill}{tooltip}", quote(&node.label))
}

fn edge_attributes(edge: &Edge) -> String {
    let mut attributes = Vec::new();
    if !edge.label.is_empty() {
        attributes.push(format!("label={}", quote(&edge.label)));
    }
    if edge.dashed {
        attributes.push("style=dashed, color=\"#94a3b8\", constraint=false".to_string());
    }
    if edge.both_ways {
        attributes.push("dir=both".to_string());
    }
    if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) }
}

/// Returns a DOT string: only quotes, backslashes and line ends are special in
/// it.
fn quote(text: &str) -> String {
    let text = text.replace('\r', "");
    let escaped = visible_lines(&text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn groups_are_clusters_and_shapes_are_kept() {
        let node = |label: &str, shape, group: Option<&str>| Node {
            label: label.to_string(),
            shape,
            group: group.map(str::to_string),
            tooltip: None,
            tint: Tint::Plain,
        };
        let edge = |from, to, label: &str, dashed| Edge {
            from,
            to,
            label: label.to_string(),
            dashed,
            both_ways: dashed,
        };
        let mut drawing = Drawing {
            title: "lock \"model\"".to_string(),
            nodes: vec![
                node("start", Shape::Triangle, None),
                node("x=1\ny", Shape::Box, Some("t1")),
                node("z", Shape::Box, Some("t2")),
                node("t2.lock", Shape::Diamond, None),
                node("q", Shape::DoubleCircle, None),
            ],
            edges: vec![edge(0, 1, "", false), edge(1, 3, "a\\b", false), edge(1, 2, "", true)],
        };
        drawing.nodes[1].tooltip = Some("lock.rs:3".to_string());
        expect![[r##"
            digraph "lock \"model\"" {
              label="lock \"model\""; labelloc=t;
              node [fontname="Helvetica", fontsize=11];
              edge [fontname="Helvetica", fontsize=10];
              subgraph cluster_0 {
                label="t1"; style="rounded,filled"; color="#f1f5f9";
                n1 [label="x=1\ny", shape=box, style="rounded,filled", fillcolor=white, tooltip="lock.rs:3"];
              }
              subgraph cluster_1 {
                label="t2"; style="rounded,filled"; color="#f1f5f9";
                n2 [label="z", shape=box, style="rounded,filled", fillcolor=white];
              }
              n0 [label="start", shape=triangle];
              n3 [label="t2.lock", shape=diamond, style=filled, fillcolor="#fef3c7"];
              n4 [label="q", shape=doublecircle];
              n0 -> n1;
              n1 -> n3 [label="a\\b"];
              n1 -> n2 [style=dashed, color="#94a3b8", constraint=false, dir=both];
            }
        "##]]
        .assert_eq(&render(&drawing));
    }
}
