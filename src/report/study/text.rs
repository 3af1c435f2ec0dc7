//! The table of a study on the terminal. The last line reports whether all
//! verdicts agree.

use super::Results;
use super::table::{COLUMNS, MEASURES, left_out, rows};
use crate::experiment::summary::{Disagreement, Row};
use crate::experiment::{Measure, Run};
use crate::report::text::Detail;
use crate::report::text::measure::{count, cut, pad, width};
use crate::report::text::paint::{Paint, printed_line};
use crate::report::text::plain::{NARROW, fitted};

/// Maximum number of remarks of each kind that are shown; the rest is only
/// counted.
const REMARKS_SHOWN: usize = 10;

/// Renders the table, remarks about runs, the result files and the conclusion.
pub fn render(results: &Results, folder: &str, colour: bool, detail: Detail, columns: usize) -> String {
    let paint = Paint { colour };
    let mut lines = Vec::new();
    if detail != Detail::Quiet {
        let measures: &[Measure] = if detail == Detail::Verbose { &Measure::ALL } else { &MEASURES };
        lines.push(head(results));
        lines.push(String::new());
        // A narrow terminal has room for one measure at a time.
        let at_once = if columns < NARROW { 1 } else { measures.len() };
        for measures in measures.chunks(at_once) {
            lines.extend(table(results, measures, paint));
        }
        lines.extend(quick(results));
        lines.push(String::new());
    }
    let limit = if detail == Detail::Verbose { usize::MAX } else { REMARKS_SHOWN };
    push_remarks(unsteady(results), limit, &mut lines);
    push_remarks(failures(results), limit, &mut lines);
    let disagreements: Vec<String> = disagreements(results).iter().map(|it| paint.bad(it)).collect();
    push_remarks(disagreements, limit, &mut lines);
    if detail != Detail::Quiet {
        lines.push(format!(
            "results in {folder}: table.md, summary.csv, summary.json, runs.csv{}",
            figures(results)
        ));
    }
    lines.push(last_line(results, paint));
    fitted(lines.iter().map(|line| printed_line(line.trim_end()) + "\n").collect(), columns)
}

fn head(results: &Results) -> String {
    let plan = results.plan;
    let baseline = &plan.strategies[plan.baseline].0;
    format!(
        "{}: {} on {}, {}; ratios to {baseline}, geometric means and deviations",
        plan.name,
        strategies(plan.strategies.len()),
        count(plan.subjects.len() as u64, "subject"),
        count(results.summary.n_runs as u64, "run"),
    )
}

/// Returns a remark about the subjects that are omitted because the baseline is
/// too quick.
fn quick(results: &Results) -> Option<String> {
    let n_quick = results.summary.quick.iter().filter(|it| **it).count();
    (n_quick > 0).then(|| {
        let subjects = count(n_quick as u64, "subject");
        format!("{subjects} omitted: the baseline takes less than {} s", results.plan.at_least)
    })
}

fn strategies(count: usize) -> String {
    if count == 1 { "1 strategy".to_string() } else { format!("{count} strategies") }
}

fn figures(results: &Results) -> String {
    match results.figures.len() {
        0 => String::new(),
        1 => " and a figure".to_string(),
        n => format!(" and {n} figures"),
    }
}

fn table(results: &Results, measures: &[Measure], paint: Paint) -> Vec<String> {
    let rows = rows(results, measures);
    let mut titles = vec!["strategy".to_string()];
    titles.extend(measures.iter().flat_map(|_| COLUMNS.map(str::to_string)));
    titles.extend(["subjects".to_string(), "omitted".to_string()]);
    let last = titles.len() - 1;
    if results.summary.rows.iter().all(|row| left_out(row).is_empty()) {
        titles[last].clear();
    }
    let widths: Vec<usize> = (0..titles.len())
        .map(|column| rows.iter().chain([&titles]).map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    let align = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| match column {
            column if column == 0 || column == last => pad(cell, widths[column]),
            _ => format!("{}{cell}", " ".repeat(widths[column] - width(cell))),
        });
        cells.collect::<Vec<String>>().join("  ")
    };
    // The names of the measures are above the three columns of each.
    let mut over = pad("", widths[0]);
    for (at, measure) in measures.iter().enumerate() {
        let room = widths[1 + 3 * at..4 + 3 * at].iter().sum::<usize>() + 4;
        let name = cut(measure.name(), room);
        let rule = "─".repeat(room.saturating_sub(width(&name) + 1));
        over = format!("{over}  {name} {rule}");
    }
    let mut lines = vec![paint.dim(over), paint.dim(align(&titles).trim_end())];
    for (at, (row, known)) in rows.iter().zip(&results.summary.rows).enumerate() {
        let line = align(row);
        lines.push(if at == results.plan.baseline {
            paint.dim(line.trim_end())
        } else {
            marked(line, known, paint)
        });
    }
    lines
}

/// Highlights a strategy for which subjects were omitted.
fn marked(line: String, row: &Row, paint: Paint) -> String {
    let remark = left_out(row);
    match line.trim_end().strip_suffix(remark.as_str()) {
        Some(start) if !remark.is_empty() => format!("{start}{}", paint.doubtful(remark)),
        _ => line,
    }
}

fn push_remarks(remarks: Vec<String>, limit: usize, lines: &mut Vec<String>) {
    let n_more = remarks.len().saturating_sub(limit);
    lines.extend(remarks.into_iter().take(limit));
    if n_more > 0 {
        lines.push(format!("… and {n_more} more; --verbose shows them"));
    }
}

fn unsteady(results: &Results) -> Vec<String> {
    let show = |(subject, strategy, measure): &(usize, usize, Measure)| {
        let plan = results.plan;
        let (name, label) = (&plan.subjects[*subject].name, &plan.strategies[*strategy].0);
        format!("{name} with {label}: `{}` differs between repetitions", measure.name())
    };
    results.summary.unsteady.iter().map(show).collect()
}

fn failures(results: &Results) -> Vec<String> {
    let show = |(run, reason): &(Run, String)| {
        let name = &results.plan.subjects[run.subject].name;
        let reason: Vec<&str> = reason.lines().take(2).collect();
        format!("{name} with {} failed: {}", results.plan.label(*run), reason.join(": "))
    };
    results.summary.failures.iter().map(show).collect()
}

fn disagreements(results: &Results) -> Vec<String> {
    let show = |it: &Disagreement| {
        let plan = results.plan;
        format!(
            "DISAGREEMENT on {}: {} answers {}, {} answers {}",
            plan.subjects[it.subject].name,
            plan.strategies[it.strategy].0,
            it.verdict,
            plan.strategies[plan.baseline].0,
            it.expected
        )
    };
    results.summary.disagreements.iter().map(show).collect()
}

fn last_line(results: &Results, paint: Paint) -> String {
    let summary = results.summary;
    let name = &results.plan.name;
    let verdict = match summary.disagreements.len() {
        0 if summary.n_compared == 0 => "no verdicts to compare".to_string(),
        0 => "all verdicts agree".to_string(),
        n => return format!("{name}: {}", paint.bad(count(n as u64, "disagreement"))),
    };
    let problems = [(summary.n_missing, "missing"), (summary.failures.len(), "failed")];
    let problems: Vec<String> = problems
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{} {what}", count(*n as u64, "run")))
        .collect();
    match problems.is_empty() {
        true => format!("{name}: {verdict}"),
        false => format!("{name}: {verdict}, {}", paint.doubtful(problems.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::Records;
    use crate::experiment::summary::samples;
    use expect_test::expect;

    #[test]
    fn a_table_with_a_limit() {
        let (plan, summary) = samples::small();
        let records = Records::default();
        let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
        expect![[r#"
            small: 3 strategies on 3 subjects, 9 runs; ratios to bfs, geometric means and deviations

                      time ─────────────  generated ────────  prefix ───────────
            strategy   mean   dev  worst   mean   dev  worst   mean   dev  worst  subjects  omitted
            bfs        1.00  1.00   1.00   1.00  1.00   1.00   1.00  1.00   1.00         3
            quick     0.250  2.00  0.500  0.250  2.00  0.500  0.224  2.24  0.500         2  1 at a limit
            slow       2.00  1.76   4.00   2.00  1.76   4.00   2.00  1.76   4.00         3

            results in small.results: table.md, summary.csv, summary.json, runs.csv
            small: all verdicts agree
        "#]]
        .assert_eq(&render(&results, "small.results", false, Detail::Normal, 100));
        assert_eq!(render(&results, "", false, Detail::Quiet, 100), "small: all verdicts agree\n");
    }

    #[test]
    fn where_nothing_was_compared_nothing_agrees() {
        let (plan, mut summary) = samples::small();
        summary.n_compared = 0;
        let records = Records::default();
        let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
        assert_eq!(render(&results, "", false, Detail::Quiet, 100), "small: no verdicts to compare\n");
    }

    #[test]
    fn what_is_wrong_is_said_however_little_is_to_be_said() {
        let (plan, mut summary) = samples::small();
        let (verdict, expected) = ("holds".to_string(), "violated".to_string());
        summary.disagreements.push(Disagreement { subject: 1, strategy: 2, verdict, expected });
        summary.failures.push((plan.runs()[1], "exit code 2\nerror: no\n = help".to_string()));
        summary.unsteady.push((0, 1, Measure::Stored));
        let records = Records::default();
        let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
        expect![[r#"
            ring/p N=1 with quick: `stored` differs between repetitions
            ring/p N=1 with quick failed: exit code 2: error: no
            DISAGREEMENT on ring/p N=2: slow answers holds, bfs answers violated
            small: 1 disagreement
        "#]]
        .assert_eq(&render(&results, "", false, Detail::Quiet, 100));
    }
}
