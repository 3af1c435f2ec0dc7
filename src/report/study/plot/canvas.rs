//! Shapes of a figure as XML, and the parts that all figures share.

use super::axis::Axis;
use crate::experiment::Measure;
use crate::report::svg::{escape, number};

/// Colours that most people can distinguish, on white and on black (after Okabe
/// and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#8c8c8c"];

const STYLE: &str = "\
text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:12px;fill:#1f2937}\
.page{fill:#fff}.title{font-size:15px;font-weight:bold}.small{font-size:10.5px;fill:#6b7280}\
.value{font-weight:bold}.grid{stroke:#e5e7eb}.faint{stroke:#f3f4f6}.axis{stroke:#6b7280;fill:none}\
.one{stroke:#6b7280;stroke-dasharray:5 4}.range{stroke:#6b7280;stroke-width:1.4}\
.box{fill:#0072b2;fill-opacity:.22;stroke:#0072b2}.mean{stroke:#d55e00;stroke-width:1.6;fill:none}\
.dot{fill:#d55e00}\
@media (prefers-color-scheme:dark){text{fill:#e5e7eb}.page{fill:#111827}.small{fill:#9ca3af}\
.grid{stroke:#374151}.faint{stroke:#1f2937}.axis,.one,.range{stroke:#9ca3af}}";

/// Average width of a letter; the font is not known.
const LETTER: f64 = 6.4;

/// A part of the picture with axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// Position of a text relative to its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Canvas {
    out: String,
}

/// Estimates the width of a text.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

pub(super) fn colour(at: usize) -> &'static str {
    COLOURS[at % COLOURS.len()]
}

impl Area {
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Returns the vertical position of a value.
    pub fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.bottom() - axis.position(value) * self.height
    }
}

impl Canvas {
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let [w, h] = [width, height].map(number);
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<rect class=\"page\" width=\"{w}\" \
             height=\"{h}\"/>\n",
            escape(title)
        );
        let mut canvas = Self { out };
        canvas.text((16.0, 26.0), title, Anchor::Start, "title");
        canvas
    }

    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        self.push(format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// Draws a box with a tooltip.
    pub fn rect(&mut self, area: Area, class: &str, tooltip: &str) {
        let [x, y, width, height] = [area.left, area.top, area.width, area.height].map(number);
        self.push(format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\
             <title>{}</title></rect>",
            escape(tooltip)
        ));
    }

    pub fn text(&mut self, at: (f64, f64), text: &str, anchor: Anchor, class: &str) {
        let [x, y] = [at.0, at.1].map(number);
        let (anchor, class) = (anchor_name(anchor), class_attribute(class));
        self.push(format!(
            "<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        ));
    }

    /// Draws a text turned by degrees around its point.
    pub fn turned(&mut self, at: (f64, f64), degrees: f64, text: &str, anchor: Anchor) {
        let [x, y, degrees] = [at.0, at.1, degrees].map(number);
        let anchor = anchor_name(anchor);
        self.push(format!(
            "<text transform=\"translate({x} {y}) rotate({degrees})\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        ));
    }

    /// Draws a line through points, in the style of a class.
    pub fn path(&mut self, points: &[(f64, f64)], class: &str) {
        if points.len() > 1 {
            self.push(format!("<polyline class=\"{class}\" points=\"{}\"/>", pairs(points)));
        }
    }

    /// Draws a line through points in the colour of a series.
    pub fn curve(&mut self, points: &[(f64, f64)], series: usize, is_dashed: bool) {
        if points.len() > 1 {
            let dashes = if is_dashed { " stroke-dasharray=\"3 4\"" } else { "" };
            self.push(format!(
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
                colour(series),
                pairs(points)
            ));
        }
    }

    pub fn dot(&mut self, at: (f64, f64)) {
        let [x, y] = [at.0, at.1].map(number);
        self.push(format!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.2\"/>"));
    }

    /// Draws a mark in the colour and shape of a series; hollow where a limit
    /// was reached.
    pub fn mark(&mut self, at: (f64, f64), series: usize, is_hollow: bool, tooltip: &str) {
        const R: f64 = 3.4;
        let (x, y) = at;
        let corners: Vec<(f64, f64)> = match series % 4 {
            1 => vec![(x - R, y - R), (x + R, y - R), (x + R, y + R), (x - R, y + R)],
            2 => vec![(x, y - 1.4 * R), (x + 1.4 * R, y), (x, y + 1.4 * R), (x - 1.4 * R, y)],
            3 => vec![(x, y - 1.3 * R), (x + 1.2 * R, y + R), (x - 1.2 * R, y + R)],
            _ => Vec::new(),
        };
        let colour = colour(series);
        let paint = match is_hollow {
            true => format!("class=\"page\" stroke=\"{colour}\" stroke-width=\"1.5\""),
            false => format!("fill=\"{colour}\""),
        };
        let tooltip = escape(tooltip);
        self.push(match corners.is_empty() {
            true => {
                let [x, y, r] = [x, y, R].map(number);
                format!("<circle {paint} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"><title>{tooltip}</title></circle>")
            }
            false => {
                format!("<polygon {paint} points=\"{}\"><title>{tooltip}</title></polygon>", pairs(&corners))
            }
        });
    }

    /// Draws horizontal lines with labels at the left, and the frame.
    pub fn vertical_axis(&mut self, area: &Area, axis: &Axis, label: &dyn Fn(f64) -> String, name: &str) {
        for tick in axis.ticks() {
            let y = area.y(axis, tick.value);
            let class = if tick.has_label { "grid" } else { "faint" };
            self.line((area.left, y), (area.right(), y), class);
            if tick.has_label {
                self.text((area.left - 8.0, y + 4.0), &label(tick.value), Anchor::End, "");
            }
        }
        self.path(
            &[(area.left, area.top), (area.left, area.bottom()), (area.right(), area.bottom())],
            "axis",
        );
        let middle = area.top + area.height / 2.0;
        self.turned((area.left - 62.0, middle), -90.0, name, Anchor::Middle);
    }

    /// Draws the names of series side by side, in as many rows as they need;
    /// returns their height.
    pub fn legend(&mut self, names: &[&str], left: f64, top: f64, width: f64) -> f64 {
        let places = legend_places(names, width);
        for (series, (name, (x, row))) in names.iter().zip(&places).enumerate() {
            let (x, y) = (left + x, top + 18.0 * *row as f64);
            self.curve(&[(x, y), (x + 22.0, y)], series, false);
            self.mark((x + 11.0, y), series, false, name);
            self.text((x + 28.0, y + 4.0), name, Anchor::Start, "");
        }
        legend_height(names, width)
    }

    fn push(&mut self, line: String) {
        self.out.push_str(&line);
        self.out.push('\n');
    }
}

/// Returns the height of a legend before it is drawn.
pub(super) fn legend_height(names: &[&str], width: f64) -> f64 {
    legend_places(names, width).last().map_or(0.0, |(_, row)| 18.0 * (*row as f64 + 1.0))
}

/// Returns offset and row of each name.
fn legend_places(names: &[&str], width: f64) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (0.0, 0);
    let mut places = Vec::new();
    for name in names {
        let needed = 28.0 + text_width(name) + 18.0;
        if x > 0.0 && x + needed > width {
            (x, row) = (0.0, row + 1);
        }
        places.push((x, row));
        x += needed;
    }
    places
}

/// Renders a value on an axis: `20 ms`, `5 MB`, `10k`.
pub(super) fn quantity(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Time | Measure::Search => match value {
            value if value < 0.000_999 => format!("{} µs", short(value * 1e6)),
            value if value < 0.999 => format!("{} ms", short(value * 1e3)),
            value => format!("{} s", short(value)),
        },
        Measure::Memory => match value {
            value if value < 999.0 => format!("{} B", short(value)),
            value if value < 999e3 => format!("{} kB", short(value / 1e3)),
            value if value < 999e6 => format!("{} MB", short(value / 1e6)),
            value => format!("{} GB", short(value / 1e9)),
        },
        _ => match value {
            value if value < 9.99e3 => short(value),
            value if value < 999e3 => format!("{}k", short(value / 1e3)),
            value if value < 999e6 => format!("{}M", short(value / 1e6)),
            value => format!("{}G", short(value / 1e9)),
        },
    }
}

/// Renders the number of a tick, without rounding errors of binary fractions.
pub(super) fn short(value: f64) -> String {
    let digits = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

fn pairs(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
    pairs.join(" ")
}

fn anchor_name(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

fn class_attribute(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
}
