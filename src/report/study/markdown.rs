//! The tables of a study as Markdown, in the results folder.

use super::Results;
use super::table::{COLUMNS, MEASURES, ratio, rows, state};
use crate::diag::{visible, visible_lines};
use crate::experiment::Measure;
use crate::report::text::measure::{bytes, number};
use std::time::Duration;

/// Maximum number of strategies in the table of subjects; if there are more, it
/// shows only the baseline. `runs.csv` has everything.
const MAX_STRATEGIES: usize = 4;

pub(super) fn render(results: &Results) -> String {
    let plan = results.plan;
    let mut out = format!("# {}\n\n", visible(&plan.name));
    if let Some(description) = &plan.description {
        out.push_str(&format!("{}\n\n", description.trim()));
    }
    let options: Vec<String> =
        plan.options.iter().map(|(flag, value)| format!("`--{flag} {value}`")).collect();
    out.push_str(&format!(
        "{} subjects{}, {} repetitions; ratios to `{}`: geometric mean, geometric standard deviation, worst. {}\n\n",
        plan.subjects.len(),
        quick(results),
        plan.repeat,
        plan.strategies[plan.baseline].0,
        options.join(" ")
    ));
    let mut titles = vec!["strategy".to_string()];
    for measure in MEASURES {
        titles.extend(COLUMNS.map(|column| format!("{} {column}", measure.name())));
    }
    titles.extend(["subjects".to_string(), "omitted".to_string()]);
    table(&titles, &rows(results, &MEASURES), &mut out);
    out.push_str("\n## Subjects\n\n");
    subjects(results, &mut out);
    visible_lines(&out).into_owned()
}

fn quick(results: &Results) -> String {
    match results.summary.quick.iter().filter(|it| **it).count() {
        0 => String::new(),
        n => format!(" ({n} of them omitted: the baseline takes less than {} s)", results.plan.at_least),
    }
}

fn subjects(results: &Results, out: &mut String) {
    let plan = results.plan;
    let shown: Vec<usize> = match plan.strategies.len() <= MAX_STRATEGIES {
        true => (0..plan.strategies.len()).collect(),
        false => vec![plan.baseline],
    };
    let titles = [
        "subject",
        "strategy",
        "verdict",
        "time",
        "generated",
        "stored",
        "memory",
        "prefix",
        "length",
        "time ratio",
    ];
    let mut rows = Vec::new();
    for (at, subject) in plan.subjects.iter().enumerate() {
        for strategy in &shown {
            let cell = &results.summary.cells[at][*strategy];
            let measures = cell.measures.as_ref();
            let shown = |measure: Measure, show: &dyn Fn(f64) -> String| {
                measures.and_then(|it| it.get(measure)).map_or("-".to_string(), show)
            };
            let whole = |value: f64| number(value as u64);
            rows.push(vec![
                subject.name.clone(),
                plan.strategies[*strategy].0.clone(),
                state(&cell.state),
                shown(Measure::Time, &seconds),
                shown(Measure::Generated, &whole),
                shown(Measure::Stored, &whole),
                shown(Measure::Memory, &|it| bytes(it as u64)),
                shown(Measure::Prefix, &whole),
                shown(Measure::Length, &whole),
                results
                    .summary
                    .ratio(at, *strategy, plan.baseline, Measure::Time)
                    .map_or("-".to_string(), ratio),
            ]);
        }
    }
    table(&titles.map(str::to_string), &rows, out);
}

/// Renders a time, with milliseconds if it is short.
fn seconds(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.3} s"),
        value => crate::report::text::measure::time(Duration::from_secs_f64(value)),
    }
}

fn table(titles: &[String], rows: &[Vec<String>], out: &mut String) {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|it| visible(it).replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push_str(&row(titles));
    out.push_str(&row(&vec!["---".to_string(); titles.len()]));
    rows.iter().for_each(|cells| out.push_str(&row(cells)));
}
