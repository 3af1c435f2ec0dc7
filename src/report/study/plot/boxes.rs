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
/// Of the column of one strategy.
const SLOT: f64 = 54.0;
/// At which names are turned when they are too long for their column.
const ANGLE: f64 = -38.0;

pub(super) fn picture(figure: &Figure, results: &Results) -> String {
    let plan = results.plan;
    let measure = figure.measures[0];
    let baseline = &plan.strategies[plan.baseline].0;
    let default_title = format!("{}: {} against {baseline}", plan.name, measure.title());
    let title = figure.title.clone().unwrap_or(default_title);
    let labels: Vec<&str> = figure.strategies.iter().map(|it| plan.strategies[*it].0.as_str()).collect();
    let spreads: Vec<Option<&Spread>> =
        figure.strategies.iter().map(|it| results.summary.rows[*it].spread(measure)).collect();
    let remarks: Vec<usize> =
        figure.strategies.iter().map(|it| results.summary.rows[*it].left_out()).collect();

    let longest = labels.iter().map(|it| text_width(it)).fold(0.0, f64::max);
    let is_turned = longest > SLOT - 6.0;
    let (cosine, sine) = (ANGLE.to_radians().cos(), -ANGLE.to_radians().sin());
    let overhang = if is_turned { longest * cosine } else { 0.0 };
    // The first name hangs out to the left of its column.
    let left = 86.0_f64.max(overhang - SLOT / 2.0 + 14.0);
    let width = SLOT * labels.len() as f64;
    let area = Area { left, top: TOP, width, height: HEIGHT };
    let has_remarks = remarks.iter().any(|it| *it > 0);
    let names_top = area.bottom() + if has_remarks { 48.0 } else { 34.0 };
    let total_width = (area.right() + 24.0).max(text_width(&title) * 1.35 + 32.0);
    let total_height = names_top + if is_turned { longest * sine + 20.0 } else { 20.0 };

    let mut canvas = Canvas::new(total_width, total_height, &title);
    let known = || spreads.iter().flatten();
    let ends = known().flat_map(|it| [it.least, it.worst, it.mean / it.deviation, it.mean * it.deviation]);
    let axis = Axis::covering(ends.chain([1.0]));
    canvas.vertical_axis(&area, &axis, &short, &format!("{} / {baseline}", measure.title()));
    let one = area.y(&axis, 1.0);
    canvas.line((area.left, one), (area.right(), one), "one");

    let x = |at: usize| area.left + SLOT * (at as f64 + 0.5);
    for (at, spread) in spreads.iter().enumerate() {
        if let Some(spread) = spread {
            distribution(&mut canvas, &area, &axis, x(at), spread, labels[at]);
        }
    }
    let means: Vec<(f64, f64)> =
        (0..spreads.len()).filter_map(|at| Some((x(at), area.y(&axis, spreads[at]?.mean)))).collect();
    canvas.path(&means, "mean");
    for (at, spread) in spreads.iter().enumerate() {
        let mean = spread.map_or("–".to_string(), |it| ratio(it.mean));
        if let Some(spread) = spread {
            let tooltip = format!("{}: {mean} on {} subjects", labels[at], spread.count);
            canvas.dot((x(at), area.y(&axis, spread.mean)), &tooltip);
        }
        canvas.line((x(at), area.bottom()), (x(at), area.bottom() + 4.0), "axis");
        canvas.text((x(at), area.bottom() + 18.0), &mean, Anchor::Middle, "value");
        if remarks[at] > 0 {
            canvas.text(
                (x(at), area.bottom() + 31.0),
                &format!("{} out", remarks[at]),
                Anchor::Middle,
                "small",
            );
        }
        match is_turned {
            true => canvas.turned((x(at) + 4.0, names_top), ANGLE, labels[at], Anchor::End),
            false => canvas.text((x(at), names_top), labels[at], Anchor::Middle, ""),
        }
    }
    canvas.finish()
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
