//! The cells of the table of strategies; the caller aligns them.

use super::Results;
use crate::experiment::Measure;
use crate::experiment::summary::{Row, State};
use crate::report::text::measure::number;

/// The default measures of the table.
pub(super) const MEASURES: [Measure; 3] = [Measure::Time, Measure::Generated, Measure::Prefix];

/// Columns of one measure.
pub(super) const COLUMNS: [&str; 3] = ["mean", "dev", "worst"];

/// Returns one row per strategy: label, three cells per measure, number of
/// subjects, omitted subjects.
pub(super) fn rows(results: &Results, measures: &[Measure]) -> Vec<Vec<String>> {
    let labels = results.plan.strategies.iter().map(|(label, _)| label);
    let rows = labels.zip(&results.summary.rows);
    rows.map(|(label, row)| cells(label, row, measures)).collect()
}

fn cells(label: &str, row: &Row, measures: &[Measure]) -> Vec<String> {
    let mut cells = vec![label.to_string()];
    for measure in measures {
        cells.extend(match row.spread(*measure) {
            Some(spread) => [spread.mean, spread.deviation, spread.worst].map(ratio),
            None => ["-", "-", "-"].map(str::to_string),
        });
    }
    cells.push((row.answered - row.without_baseline).to_string());
    cells.push(left_out(row));
    cells
}

/// Returns a text such as `2 at a limit, 1 failed`; empty if no subject is left
/// out.
pub(super) fn left_out(row: &Row) -> String {
    let parts = [
        (row.limited, "at a limit"),
        (row.failed, "failed"),
        (row.missing, "not run"),
        (row.without_baseline, "without baseline"),
    ];
    let shown: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    shown.join(", ")
}

/// Returns the state as text: `violated`, `limit: time`, `failed`.
pub(super) fn state(state: &State) -> String {
    match state {
        State::Missing => "not run".to_string(),
        State::Failed => "failed".to_string(),
        State::Limit(limit) => format!("limit: {limit}"),
        State::Answer(verdict) => verdict.replace('_', " "),
    }
}

/// Renders a ratio with about three digits.
pub(super) fn ratio(value: f64) -> String {
    match value {
        value if value >= 1000.0 => number(value.round() as u64),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value if value >= 0.01 => format!("{value:.3}"),
        value if value >= 0.001 => format!("{value:.4}"),
        value => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_about_three_digits() {
        let shown = [12345.6, 123.4, 22.79, 1.0, 0.139, 0.0834, 0.00456, 0.000_012].map(ratio);
        assert_eq!(shown.join(" "), "12,346 123 22.8 1.00 0.139 0.083 0.0046 1.2e-5");
    }
}
