//! Comma-separated values: quoted where needed, a header, one line per row.

use super::Results;
use crate::experiment::{Measure, Run};

/// Renders one row per strategy and measure.
pub(super) fn summary(results: &Results) -> String {
    let mut out = String::new();
    let titles = [
        "label",
        "strategy",
        "measure",
        "subjects",
        "geometric_mean",
        "geometric_deviation",
        "least",
        "worst",
        "at_limit",
        "failed",
        "not_run",
        "without_baseline",
    ];
    line(&titles.map(str::to_string), &mut out);
    for ((label, text), row) in results.plan.strategies.iter().zip(&results.summary.rows) {
        for measure in Measure::ALL {
            let mut cells = vec![label.clone(), text.clone(), measure.name().to_string()];
            match row.spread(measure) {
                Some(spread) => {
                    cells.push(spread.count.to_string());
                    let numbers = [spread.mean, spread.deviation, spread.least, spread.worst];
                    cells.extend(numbers.map(|it| it.to_string()));
                }
                None => cells.extend(["0", "", "", "", ""].map(str::to_string)),
            }
            let counts = [row.limited, row.failed, row.missing, row.without_baseline];
            cells.extend(counts.map(|it| it.to_string()));
            line(&cells, &mut out);
        }
    }
    out
}

/// Renders one row per run with a record.
pub(super) fn runs(results: &Results) -> String {
    let plan = results.plan;
    let mut out = String::new();
    let mut titles: Vec<String> = [
        "subject",
        "system",
        "property",
        "settings",
        "left_out",
        "label",
        "strategy",
        "repetition",
        "verdict",
        "limit",
        "failure",
    ]
    .map(str::to_string)
    .to_vec();
    titles.extend(Measure::ALL.map(|it| it.name().to_string()));
    line(&titles, &mut out);
    for run in plan.runs() {
        if let Some(cells) = run_cells(results, run) {
            line(&cells, &mut out);
        }
    }
    out
}

fn run_cells(results: &Results, run: Run) -> Option<Vec<String>> {
    let plan = results.plan;
    let record = results.records.get(&plan.key(run))?;
    let subject = &plan.subjects[run.subject];
    let outcome = &record.outcome;
    let mut cells = vec![
        subject.name.clone(),
        subject.system.clone(),
        subject.property.clone(),
        crate::experiment::plan::settings_text(&subject.settings),
        subject.left_out.clone().unwrap_or_default(),
        plan.label(run).to_string(),
        plan.strategies[run.strategy].1.clone(),
        run.repetition.to_string(),
        outcome.verdict.clone().unwrap_or_default(),
        outcome.limit.clone().unwrap_or_default(),
        outcome.failure.as_deref().and_then(|it| it.lines().next()).unwrap_or_default().to_string(),
    ];
    cells.extend(Measure::ALL.map(|measure| {
        let value = outcome.measures.as_ref().and_then(|it| it.get(measure));
        value.map(|it| it.to_string()).unwrap_or_default()
    }));
    Some(cells)
}

fn line(cells: &[String], out: &mut String) {
    let quoted: Vec<String> = cells.iter().map(|it| quoted(it)).collect();
    out.push_str(&quoted.join(","));
    out.push('\n');
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::samples::plan;
    use crate::experiment::{Summary, summary::samples};

    #[test]
    fn cells_with_commas_are_quoted() {
        assert_eq!(quoted("wa(ta, w=1)"), "\"wa(ta, w=1)\"");
        assert_eq!(quoted("say \"a\""), "\"say \"\"a\"\"\"");
        assert_eq!(quoted("bfs"), "bfs");
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_header() {
        let plan = plan(&["bfs", "dfs"], 2, 2);
        let records = samples::records(&plan, &[&[1.0, 2.0], &[0.5, 0.0]]);
        let summary = Summary::new(&plan, &records);
        let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
        for (text, n_rows) in [(super::summary(&results), 2 * 7), (runs(&results), 8)] {
            let commas: Vec<usize> = text.lines().map(|line| line.matches(',').count()).collect();
            assert_eq!(commas.len(), n_rows + 1);
            assert!(commas.iter().all(|it| *it == commas[0]), "{text}");
        }
    }
}
