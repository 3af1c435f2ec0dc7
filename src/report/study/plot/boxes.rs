//! Ratios of each strategy: the range as a line, one geometric deviation
//! around the geometric mean as a box, the means connected and printed
//! under the axis.

use super::axis::Axis;
use super::canvas::{Anchor, Area, Canvas, short, text_width};
use crate::experiment::statistics::Spread;
use crate::experiment::study::Figure;
use crate::report::study::Results;
use crate::report::study::table::ratio;

const TOP: f64 = 48.0;
const HEIGHT: f64 = 320.0;
/// Width of the column of one strategy.
const SLOT: f64 = 54.0;
/// Angle of names that are too long for their column.
const ANGLE: f64 = -38.0;

pub(super) fn picture(figure: &Figure, results: &Results) -> String {
    let plan = results.plan;
    let measure = figure.measures[0];
    let baseline = &plan.strategies[plan.baseline].0;
    let default_title = format!("{}: {} against {baseline}", plan.name, measure.title(plan.units()));
    let title = figure.title.clone().unwrap_or(default_title);
    let columns: Vec<Column> = figure.strategies.iter().map(|it| Column::new(*it, figure, results)).collect();
    let layout = Layout::new(&columns);
    let area = layout.area;
    let width = (area.right() + 24.0).max(text_width(&title) * 1.35 + 32.0);
    let mut canvas = Canvas::new(width, layout.height, &title);

    let known = || columns.iter().filter_map(|it| it.spread);
    let ends = known().flat_map(|it| [it.least, it.worst, it.mean / it.deviation, it.mean * it.deviation]);
    let axis = Axis::covering(ends.chain([1.0]));
    canvas.vertical_axis(&area, &axis, &short, &format!("{} / {baseline}", measure.title(plan.units())));
    let one = area.y(&axis, 1.0);
    canvas.line((area.left, one), (area.right(), one), "one");

    for (at, column) in columns.iter().enumerate() {
        if let Some(spread) = column.spread {
            distribution(&mut canvas, &area, &axis, layout.x(at), spread, column.label);
        }
    }
    let mean = |(at, column): (usize, &Column)| Some((layout.x(at), area.y(&axis, column.spread?.mean)));
    let means: Vec<(f64, f64)> = columns.iter().enumerate().filter_map(mean).collect();
    canvas.path(&means, "mean");
    means.iter().for_each(|point| canvas.dot(*point));
    for (at, column) in columns.iter().enumerate() {
        caption(&mut canvas, &layout, layout.x(at), column);
    }
    canvas.finish()
}

/// The column of one strategy.
struct Column<'a> {
    label: &'a str,
    /// Distribution of the ratios; `None` if there is no ratio.
    spread: Option<&'a Spread>,
    /// Number of subjects that the mean leaves out.
    left_out: usize,
}

impl<'a> Column<'a> {
    fn new(strategy: usize, figure: &Figure, results: &Results<'a>) -> Self {
        let row = &results.summary.rows[strategy];
        Self {
            label: &results.plan.strategies[strategy].0,
            spread: row.spread(figure.measures[0]),
            left_out: row.left_out(),
        }
    }
}

/// Positions, which depend on the lengths of the names.
struct Layout {
    area: Area,
    names_top: f64,
    names_are_turned: bool,
    /// Height of the whole picture.
    height: f64,
}

impl Layout {
    fn new(columns: &[Column]) -> Self {
        let longest = columns.iter().map(|it| text_width(it.label)).fold(0.0, f64::max);
        let names_are_turned = longest > SLOT - 6.0;
        let turned = |part: f64| if names_are_turned { longest * part } else { 0.0 };
        let (across, down) = (turned(ANGLE.to_radians().cos()), turned(-ANGLE.to_radians().sin()));
        // The first name extends to the left of its column.
        let left = 86.0_f64.max(across - SLOT / 2.0 + 14.0);
        let area = Area { left, top: TOP, width: SLOT * columns.len() as f64, height: HEIGHT };
        let has_remarks = columns.iter().any(|it| it.left_out > 0);
        let names_top = area.bottom() + if has_remarks { 48.0 } else { 34.0 };
        Self { area, names_top, names_are_turned, height: names_top + down + 20.0 }
    }

    /// Returns the middle of a column.
    fn x(&self, column: usize) -> f64 {
        self.area.left + SLOT * (column as f64 + 0.5)
    }
}

/// Draws mean, number of omitted subjects and name under the axis.
fn caption(canvas: &mut Canvas, layout: &Layout, x: f64, column: &Column) {
    let bottom = layout.area.bottom();
    canvas.line((x, bottom), (x, bottom + 4.0), "axis");
    let mean = column.spread.map_or("–".to_string(), |it| ratio(it.mean));
    canvas.text((x, bottom + 18.0), &mean, Anchor::Middle, "value");
    if column.left_out > 0 {
        canvas.text((x, bottom + 31.0), &format!("{} out", column.left_out), Anchor::Middle, "small");
    }
    match layout.names_are_turned {
        true => canvas.turned((x + 4.0, layout.names_top), ANGLE, column.label, Anchor::End),
        false => canvas.text((x, layout.names_top), column.label, Anchor::Middle, ""),
    }
}

fn distribution(canvas: &mut Canvas, area: &Area, axis: &Axis, x: f64, spread: &Spread, label: &str) {
    let y = |value: f64| area.y(axis, value);
    canvas.line((x, y(spread.least)), (x, y(spread.worst)), "range");
    for end in [spread.least, spread.worst] {
        canvas.line((x - 5.0, y(end)), (x + 5.0, y(end)), "range");
    }
    let (top, bottom) = (y(spread.mean * spread.deviation), y(spread.mean / spread.deviation));
    let height = (bottom - top).max(1.0);
    let tooltip = format!(
        "{label}: mean {}, deviation ×÷ {}, from {} to {}",
        ratio(spread.mean),
        ratio(spread.deviation),
        ratio(spread.least),
        ratio(spread.worst)
    );
    canvas.rect(Area { left: x - 12.0, top, width: 24.0, height }, "box", &tooltip);
}
