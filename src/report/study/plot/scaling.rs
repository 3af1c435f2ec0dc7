//! Values against the size of the system: one picture per system and
//! property, one panel per measure, one curve per strategy.

use super::axis::Axis;
use super::canvas::{Anchor, Area, Canvas, legend_height, quantity, text_width};
use crate::experiment::study::Figure;
use crate::experiment::summary::State;
use crate::experiment::{Measure, Subject};
use crate::report::study::Results;

const PANEL: (f64, f64) = (340.0, 260.0);
const LEFT: f64 = 92.0;

/// Subjects that differ in one constant only, by its value.
struct Family<'a> {
    first: &'a Subject,
    parameter: &'a str,
    /// Value and index of the subject, ascending.
    sizes: Vec<(i64, usize)>,
}

/// Minimum ratio of the largest size to the smallest for a logarithmic axis:
/// such sizes were probably doubled.
const WIDE: f64 = 10.0;

impl Family<'_> {
    /// Returns the position of a size: zero at the left and one at the right,
    /// with some margin at both ends; a single size is in the middle.
    fn position(&self, size: i64) -> f64 {
        const ROOM: f64 = 0.05;
        let (first, last) = match (self.sizes.first(), self.sizes.last()) {
            (Some(first), Some(last)) if first.0 < last.0 => (first.0 as f64, last.0 as f64),
            _ => return 0.5,
        };
        let is_wide = first > 0.0 && last / first >= WIDE;
        let scale = |size: f64| if is_wide { size.ln() } else { size };
        let inside = (scale(size as f64) - scale(first)) / (scale(last) - scale(first));
        ROOM + (1.0 - 2.0 * ROOM) * inside
    }
}

pub(super) fn pictures(figure: &Figure, results: &Results) -> Vec<(String, String)> {
    let mut pictures: Vec<(String, String)> = Vec::new();
    for family in families(figure, results) {
        let name = file_name(figure, &family, &pictures);
        let picture = picture(figure, &family, results);
        pictures.push((name, picture));
    }
    pictures
}

fn families<'a>(figure: &'a Figure, results: &Results<'a>) -> Vec<Family<'a>> {
    let mut families: Vec<Family> = Vec::new();
    for (at, subject) in results.plan.subjects.iter().enumerate() {
        let wanted = figure.parameter.as_ref().map(|it| it.value.as_str());
        let Some(parameter) = wanted.or(subject.varied.as_deref()) else { continue };
        let Some(size) = subject.setting(parameter) else { continue };
        let is_same = |family: &&mut Family| {
            family.parameter == parameter && is_family(family.first, subject, parameter)
        };
        match families.iter_mut().find(is_same) {
            Some(family) => family.sizes.push((size, at)),
            None => families.push(Family { first: subject, parameter, sizes: vec![(size, at)] }),
        }
    }
    families.iter_mut().for_each(|family| family.sizes.sort_unstable());
    families
}

fn is_family(one: &Subject, other: &Subject, parameter: &str) -> bool {
    let rest = |subject: &Subject| -> Vec<(String, String)> {
        subject.settings.iter().filter(|(name, _)| name != parameter).cloned().collect()
    };
    one.entry == other.entry
        && one.property == other.property
        && one.left_out == other.left_out
        && rest(one) == rest(other)
}

/// Returns the name of the file, numbered if several families have the same.
fn file_name(figure: &Figure, family: &Family, taken: &[(String, String)]) -> String {
    let template = &figure.file.value;
    let name = template
        .replace("{property}", &family.first.property)
        .replace("{system}", &family.first.system)
        .replace("{parameter}", family.parameter);
    let stem = name.trim_end_matches(".svg");
    let stem = family.first.label.iter().fold(stem.to_string(), |stem, label| format!("{stem}-{label}"));
    // A property may have any name, a file may not.
    let stem: String = stem.chars().map(|c| if "/\\:*?\"<>|[] ".contains(c) { '-' } else { c }).collect();
    let numbered = |number: usize| match number {
        1 => format!("{stem}.svg"),
        number => format!("{stem}-{number}.svg"),
    };
    let is_free = |name: &String| taken.iter().all(|(other, _)| other != name);
    (1..).map(numbered).find(is_free).expect("there are more numbers than pictures")
}

fn picture(figure: &Figure, family: &Family, results: &Results) -> String {
    let plan = results.plan;
    let subject = family.first;
    let title = figure.title.clone().unwrap_or_else(|| "{system}: {property}".to_string());
    let title = title.replace("{system}", &subject.system).replace("{property}", &subject.property);
    let without = subject.left_out.as_ref().map(|it| format!("without {it}"));
    let title = subject.label.iter().chain(&without).fold(title, |title, it| format!("{title}, {it}"));
    let labels: Vec<&str> = figure.strategies.iter().map(|it| plan.strategies[*it].0.as_str()).collect();
    let n_panels = figure.measures.len() as f64;
    let legend_width = n_panels * (LEFT + PANEL.0) - LEFT;
    let legend = legend_height(&labels, legend_width);
    let width = (n_panels * (LEFT + PANEL.0) + 24.0).max(text_width(&title) * 1.35 + 32.0);
    let top = 54.0 + legend;
    let mut canvas = Canvas::new(width, top + PANEL.1 + 66.0, &title);
    canvas.legend(&labels, LEFT, 48.0, legend_width);
    let mut has_limit = false;
    for (at, measure) in figure.measures.iter().enumerate() {
        let left = LEFT + at as f64 * (LEFT + PANEL.0);
        let area = Area { left, top, width: PANEL.0, height: PANEL.1 };
        has_limit |= panel(&mut canvas, &area, *measure, figure, family, results);
    }
    if has_limit {
        let note = "hollow marks: a limit was reached; the value was measured up to the limit";
        canvas.text((LEFT, top + PANEL.1 + 56.0), note, Anchor::Start, "small");
    }
    canvas.finish()
}

/// Draws one measure; returns whether some run reached a limit.
fn panel(
    canvas: &mut Canvas,
    area: &Area,
    measure: Measure,
    figure: &Figure,
    family: &Family,
    results: &Results,
) -> bool {
    let points = |strategy: usize| points(family, strategy, measure, results);
    let values = figure.strategies.iter().flat_map(|it| points(*it)).map(|it| it.value);
    let axis = Axis::covering(values);
    canvas.vertical_axis(
        area,
        &axis,
        &|value| quantity(measure, value),
        &measure.title(results.plan.units()),
    );
    let x = |size: i64| area.left + family.position(size) * area.width;
    let mut last_label = f64::NEG_INFINITY;
    for (size, _) in &family.sizes {
        canvas.line((x(*size), area.bottom()), (x(*size), area.bottom() + 4.0), "axis");
        let label = size.to_string();
        if x(*size) - last_label > text_width(&label) + 6.0 {
            canvas.text((x(*size), area.bottom() + 17.0), &label, Anchor::Middle, "");
            last_label = x(*size);
        }
    }
    canvas.text((area.left + area.width / 2.0, area.bottom() + 36.0), family.parameter, Anchor::Middle, "");
    let mut has_limit = false;
    for (series, strategy) in figure.strategies.iter().enumerate() {
        let known = points(*strategy);
        let place = |point: &Point| (x(point.size), area.y(&axis, point.value));
        for pair in known.windows(2) {
            let is_dashed = pair.iter().any(|it| it.is_limit);
            canvas.curve(&[place(&pair[0]), place(&pair[1])], series, is_dashed);
        }
        for point in &known {
            has_limit |= point.is_limit;
            let label = &results.plan.strategies[*strategy].0;
            let tooltip =
                format!("{label}, {}={}: {}", family.parameter, point.size, quantity(measure, point.value));
            canvas.mark(place(point), series, point.is_limit, &tooltip);
        }
    }
    has_limit
}

struct Point {
    size: i64,
    value: f64,
    is_limit: bool,
}

fn points(family: &Family, strategy: usize, measure: Measure, results: &Results) -> Vec<Point> {
    let point = |(size, subject): &(i64, usize)| {
        let cell = &results.summary.cells[*subject][strategy];
        let value = cell.measures.as_ref()?.get(measure).filter(|it| *it > 0.0)?;
        Some(Point { size: *size, value, is_limit: matches!(cell.state, State::Limit(_)) })
    };
    family.sizes.iter().filter_map(point).collect()
}
