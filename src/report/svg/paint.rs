//! The XML of a laid out drawing.

use super::place::{GROUP_TITLE, Layout, Point};
use super::plan::{LINE, LOOP, Link, NodeBox, Plan, text_size};
use super::route::{self, Curve, End};
use crate::diag::visible;
use crate::verify::drawing::{Drawing, Node, Shape, Tint};
use std::fmt::Write;

/// Margin around the picture.
const MARGIN: f64 = 16.0;
const TITLE: f64 = 30.0;

const STYLE: &str = "\
text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:12px;fill:#0f172a}\
.title{font-size:15px;font-weight:bold}\
.group{fill:#f1f5f9;stroke:#cbd5e1}\
.group-name{font-weight:bold;fill:#64748b;paint-order:stroke;stroke:#f1f5f9;stroke-width:4px}\
.node{fill:#fff;stroke:#475569;stroke-width:1.2}.rendezvous{fill:#fef3c7;stroke:#b45309}\
.end{fill:#e2e8f0}.state{fill:#eff6ff;stroke:#1d4ed8}\
.link{fill:none;stroke:#475569;stroke-width:1.2}.head{fill:#475569}\
.label{font-size:11px;fill:#334155;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
.mip{fill:none;stroke:#94a3b8;stroke-width:.9;stroke-dasharray:4 3;opacity:.75}.mip-head{fill:#94a3b8}";

/// Styles for drawings with tinted nodes.
const TINTS: &str = ".atomic .state{fill:#bfdbfe}.deterministic .state{fill:#bbf7d0}";

pub(super) fn picture(drawing: &Drawing, plan: &Plan, layout: &Layout) -> String {
    let mut painter = Painter { plan, layout, out: String::new() };
    painter.open(drawing);
    painter.groups();
    painter.dashed();
    painter.links();
    painter.loops();
    for (id, node) in drawing.nodes.iter().enumerate() {
        painter.node(node, plan.boxes[id], layout.nodes[id]);
    }
    painter.labels();
    painter.group_names(drawing);
    painter.out.push_str("</svg>\n");
    painter.out
}

struct Painter<'a> {
    plan: &'a Plan,
    layout: &'a Layout,
    out: String,
}

impl Painter<'_> {
    fn line(&mut self, line: String) {
        self.out.push_str(&line);
        self.out.push('\n');
    }

    fn open(&mut self, drawing: &Drawing) {
        let area = self.layout.area;
        let lines: Vec<&str> = drawing.title.lines().collect();
        let title = if lines.is_empty() { 0.0 } else { TITLE };
        let left = area.left - MARGIN;
        let top = area.top - MARGIN - title;
        // Titles are set in a larger font than the one measured.
        let width = (area.right - area.left).max(text_size(&lines).0 * 1.4) + 2.0 * MARGIN;
        let height = area.bottom - area.top + title + 2.0 * MARGIN;
        let [left, top, width, height] = [left, top, width, height].map(number);
        self.line(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{left} {top} {width} {height}\">"
        ));
        let is_tinted = drawing.nodes.iter().any(|node| node.tint != Tint::Plain);
        self.line(format!("<style>{STYLE}{}</style>", if is_tinted { TINTS } else { "" }));
        self.line(format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
        ));
        if !lines.is_empty() {
            let (x, y) = (number(area.left), number(area.top - TITLE + 10.0));
            let text = escape(&lines.join(" "));
            self.line(format!("<text class=\"title\" x=\"{x}\" y=\"{y}\">{text}</text>"));
        }
    }

    fn groups(&mut self) {
        let layout = self.layout;
        for area in &layout.groups {
            let [x, y, width, height] =
                [area.left, area.top, area.right - area.left, area.bottom - area.top].map(number);
            self.line(format!(
                "<rect class=\"group\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
            ));
        }
    }

    /// Writes the names of the groups, over the edges that enter a group from
    /// above.
    fn group_names(&mut self, drawing: &Drawing) {
        let layout = self.layout;
        for (name, area) in super::group_names(drawing).into_iter().zip(&layout.groups) {
            let (x, y) = (number(area.left + 10.0), number(area.top + GROUP_TITLE - 3.0));
            self.line(format!("<text class=\"group-name\" x=\"{x}\" y=\"{y}\">{}</text>", escape(name)));
        }
    }

    fn end(&self, node: usize, arrow: bool) -> End {
        End { centre: self.layout.nodes[node], node: self.plan.boxes[node], arrow }
    }

    fn dashed(&mut self) {
        for link in &self.plan.dashed {
            let curve = self.dashed_curve(link);
            self.curve(&curve, "mip", "mip-head");
        }
    }

    fn dashed_curve(&self, link: &Link) -> Curve {
        route::bowed(self.end(link.from, link.both_ways), self.end(link.to, true))
    }

    fn links(&mut self) {
        let layout = self.layout;
        for (id, link) in self.plan.links.iter().enumerate() {
            let (upper, lower) = upper_and_lower(link, layout.reversed[id]);
            let points_down = !layout.reversed[id];
            let from = self.end(upper, link.both_ways || !points_down);
            let to = self.end(lower, link.both_ways || points_down);
            let curve = route::through(&layout.links[id], from, to, self.plan.sideways);
            self.curve(&curve, "link", "head");
        }
    }

    fn loops(&mut self) {
        for it in &self.plan.loops {
            let curve = route::self_loop(self.end(it.node, true), self.plan.sideways);
            self.curve(&curve, "link", "head");
            let Point { x, y } = self.layout.nodes[it.node];
            let NodeBox { width, height, .. } = self.plan.boxes[it.node];
            let (_, text_height) = text_size(&it.label);
            match self.plan.sideways {
                true => {
                    self.text(&it.label, x, y - height / 2.0 - LOOP - text_height / 2.0, "middle", "label")
                }
                false => self.text(&it.label, x + width / 2.0 + LOOP + 2.0, y, "start", "label"),
            }
        }
    }

    fn labels(&mut self) {
        let layout = self.layout;
        for (link, at) in self.plan.links.iter().zip(&layout.labels) {
            let Some(at) = at else { continue };
            let (_, height) = text_size(&link.label);
            match self.plan.sideways {
                true => self.text(&link.label, at.x, at.y - 3.0 - height / 2.0, "middle", "label"),
                false => self.text(&link.label, at.x + 6.0, at.y, "start", "label"),
            }
        }
        for link in self.plan.dashed.iter().filter(|link| !link.label.is_empty()) {
            let Point { x, y } = self.dashed_curve(link).middle();
            self.text(&link.label, x, y, "middle", "label");
        }
    }

    fn curve(&mut self, curve: &Curve, class: &str, head_class: &str) {
        let mut path = format!("M{}", pair(curve.start));
        for [first, second, end] in &curve.pieces {
            let _ = write!(path, "C{} {} {}", pair(*first), pair(*second), pair(*end));
        }
        self.line(format!("<path class=\"{class}\" d=\"{path}\"/>"));
        for head in &curve.heads {
            let corners = route::head_corners(*head).map(pair).join(" ");
            self.line(format!("<polygon class=\"{head_class}\" points=\"{corners}\"/>"));
        }
    }

    fn node(&mut self, node: &Node, size: NodeBox, centre: Point) {
        self.out.push_str(match node.tint {
            Tint::Plain => "<g>",
            Tint::Atomic => "<g class=\"atomic\">",
            Tint::Deterministic => "<g class=\"deterministic\">",
        });
        if let Some(tooltip) = &node.tooltip {
            let _ = write!(self.out, "<title>{}</title>", escape(tooltip));
        }
        self.outline(size, centre);
        let lines: Vec<String> = node.label.lines().map(str::to_string).collect();
        // The wide part of a triangle is its upper one.
        let shift = if size.shape == Shape::Triangle { -size.height / 5.0 } else { 0.0 };
        self.text(&lines, centre.x, centre.y + shift, "middle", "");
        self.line("</g>".to_string());
    }

    fn outline(&mut self, size: NodeBox, Point { x, y }: Point) {
        let (half_width, half_height) = (size.width / 2.0, size.height / 2.0);
        let at = |dx: f64, dy: f64| pair(Point { x: x + dx * half_width, y: y + dy * half_height });
        let circle = |radius: f64| {
            let [x, y, radius] = [x, y, radius].map(number);
            format!("<circle class=\"node state\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
        };
        let outline = match size.shape {
            Shape::Box => {
                let [x, y, width, height] =
                    [x - half_width, y - half_height, size.width, size.height].map(number);
                format!(
                    "<rect class=\"node\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
                )
            }
            Shape::Diamond => {
                let corners = [at(0.0, -1.0), at(1.0, 0.0), at(0.0, 1.0), at(-1.0, 0.0)].join(" ");
                format!("<polygon class=\"node rendezvous\" points=\"{corners}\"/>")
            }
            Shape::Triangle => {
                let corners = [at(-1.0, -1.0), at(1.0, -1.0), at(0.0, 1.0)].join(" ");
                format!("<polygon class=\"node end\" points=\"{corners}\"/>")
            }
            Shape::Circle => circle(half_width),
            Shape::DoubleCircle => format!("{}{}", circle(half_width), circle(half_width - 3.5)),
            Shape::Plain => String::new(),
        };
        self.out.push_str(&outline);
    }

    /// Writes lines of text around a middle height.
    fn text(&mut self, lines: &[String], x: f64, y: f64, anchor: &str, class: &str) {
        let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        for (index, line) in lines.iter().enumerate() {
            let (x, y) = (number(x), number(first + index as f64 * LINE));
            let _ = write!(
                self.out,
                "<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
                escape(line)
            );
        }
        if !lines.is_empty() {
            self.out.push('\n');
        }
    }
}

fn upper_and_lower(link: &Link, reversed: bool) -> (usize, usize) {
    if reversed { (link.to, link.from) } else { (link.from, link.to) }
}

fn pair(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// Renders a number with one decimal, and without `-0.0`.
pub(in crate::report) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    rounded.to_string()
}

/// Escapes text for XML; control characters, most of which XML forbids, are
/// spelt out.
pub(in crate::report) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(&text.replace('\t', " ")).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
