//! The ratio of each subject, in the order of the first strategy's ratios:
//! one curve per strategy.

use super::axis::Axis;
use super::canvas::{Anchor, Area, Canvas, legend_height, short, text_width};
use crate::experiment::study::Figure;
use crate::report::study::Results;
use crate::report::study::table::ratio;

const HEIGHT: f64 = 320.0;

pub(super) fn picture(figure: &Figure, results: &Results) -> String {
    let plan = results.plan;
    let measure = figure.measures[0];
    let baseline = &plan.strategies[plan.baseline].0;
    let default_title =
        format!("{}: {} against {baseline}, case by case", plan.name, measure.title(plan.units()));
    let title = figure.title.clone().unwrap_or(default_title);
    let labels: Vec<&str> = figure.strategies.iter().map(|it| plan.strategies[*it].0.as_str()).collect();
    let cases = cases(figure, results);

    let step = (720.0 / cases.len().max(1) as f64).clamp(7.0, 40.0);
    let width = (step * cases.len() as f64).max(420.0);
    let legend = legend_height(&labels, width);
    let area = Area { left: 86.0, top: 54.0 + legend, width, height: HEIGHT };
    let total_width = (area.right() + 24.0).max(text_width(&title) * 1.35 + 32.0);
    let mut canvas = Canvas::new(total_width, area.bottom() + 50.0, &title);
    canvas.legend(&labels, area.left, 48.0, width);
    let axis = Axis::covering(cases.iter().flat_map(|it| it.ratios.iter().flatten().copied()).chain([1.0]));
    canvas.vertical_axis(&area, &axis, &short, &format!("{} / {baseline}", measure.title(plan.units())));
    let one = area.y(&axis, 1.0);
    canvas.line((area.left, one), (area.right(), one), "one");

    let x = |at: usize| area.left + width * (at as f64 + 0.5) / cases.len().max(1) as f64;
    for at in numbered(cases.len()) {
        canvas.line((x(at), area.bottom()), (x(at), area.bottom() + 4.0), "axis");
        canvas.text((x(at), area.bottom() + 17.0), &(at + 1).to_string(), Anchor::Middle, "");
    }
    if let Some(first) = labels.first() {
        let name = format!("subjects, ordered by {first}");
        canvas.text((area.left + width / 2.0, area.bottom() + 38.0), &name, Anchor::Middle, "");
    }
    for (series, label) in labels.iter().enumerate() {
        let y = |at: usize| Some(area.y(&axis, cases[at].ratios[series]?));
        let points: Vec<Option<(f64, f64)>> = (0..cases.len()).map(|at| Some((x(at), y(at)?))).collect();
        curve(&mut canvas, &points, series, label, &cases);
    }
    canvas.finish()
}

/// Draws a curve, which a subject without a ratio interrupts.
fn curve(canvas: &mut Canvas, points: &[Option<(f64, f64)>], series: usize, label: &str, cases: &[Case]) {
    for piece in points.split(Option::is_none) {
        canvas.curve(&piece.iter().flatten().copied().collect::<Vec<_>>(), series, false);
    }
    for (point, case) in points.iter().zip(cases) {
        if let (Some(point), Some(value)) = (point, case.ratios[series]) {
            let tooltip = format!("{}: {label} {}", case.name, ratio(value));
            canvas.mark(*point, series, false, &tooltip);
        }
    }
}

/// A subject and its ratio under each strategy of the figure.
struct Case<'a> {
    name: &'a str,
    ratios: Vec<Option<f64>>,
}

/// Returns the subjects with at least one ratio, in the order of the ratios;
/// those without an answer of the first strategy are last.
fn cases<'a>(figure: &Figure, results: &Results<'a>) -> Vec<Case<'a>> {
    let plan = results.plan;
    let measure = figure.measures[0];
    let case = |at: usize| {
        let of = |strategy: &usize| results.summary.ratio(at, *strategy, plan.baseline, measure);
        Case { name: &plan.subjects[at].name, ratios: figure.strategies.iter().map(of).collect() }
    };
    let mut cases: Vec<Case> = (0..plan.subjects.len()).map(case).collect();
    cases.retain(|it| it.ratios.iter().any(Option::is_some));
    let rank = |ratio: &Option<f64>| ratio.unwrap_or(f64::INFINITY);
    cases.sort_by(|a, b| {
        let pairs = a.ratios.iter().zip(&b.ratios).map(|(a, b)| rank(a).total_cmp(&rank(b)));
        pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    cases
}

/// Returns the cases whose numbers are written: few enough to be read.
fn numbered(n_cases: usize) -> Vec<usize> {
    let step = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|it| n_cases / it <= 15).unwrap_or(500);
    (0..n_cases).filter(|at| (at + 1) % step == 0 || *at == 0).collect()
}
