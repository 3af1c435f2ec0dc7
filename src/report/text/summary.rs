//! Several properties on one page: a table, what is assumed, the tally.

use super::measure::{cut, number, pad, time, width};
use super::{Detail, Writer, names};
use crate::diag::visible;
use crate::report::Run;
use crate::verify::explicit::ModelReport;
use crate::verify::report::Executions;
use crate::verify::report::Kind;
use crate::verify::{Report, Verdict};

/// Which columns hold numbers and are aligned to the right.
const NUMERIC: [bool; 7] = [false, false, false, false, true, true, true];

const TITLES: [&str; 7] =
    ["property", "verdict", "executions", "constraints", "node-tuples", "steps", "time"];

impl Writer<'_> {
    pub(super) fn summary(&mut self, run: &Run) {
        if self.style.is_narrow() {
            return self.narrow_summary(run);
        }
        let room = if self.style.detail == Detail::Verbose { usize::MAX } else { 26 };
        let models = run.models.iter().map(model_row);
        let rows: Vec<[String; 7]> =
            run.reports.iter().map(|report| row(report, room)).chain(models).collect();
        // Models that are searched state by state have neither of the two.
        let columns: &[usize] =
            if run.reports.is_empty() { &[0, 1, 4, 5, 6] } else { &[0, 1, 2, 3, 4, 5, 6] };
        let mut titles = TITLES;
        if !run.models.is_empty() {
            titles[4] = if run.reports.is_empty() { "states" } else { "stored" };
        }
        let widths: Vec<usize> = (0..titles.len())
            .map(|column| {
                let cells = rows.iter().map(|row| width(&row[column]));
                cells.chain([width(titles[column])]).max().unwrap_or(0)
            })
            .collect();
        if !rows.is_empty() {
            let titles = joined(columns, &cells(&titles.map(str::to_string), &widths));
            self.line(self.paint.dim(titles));
        }
        for (verdict, row) in run.verdicts().zip(&rows) {
            let mut cells = cells(row, &widths);
            cells[1] = self.paint.verdict(verdict, &cells[1]);
            self.line(joined(columns, &cells));
        }
        for name in run.unchecked {
            let verdict = self.paint.bad("not checked");
            self.line(format!("{}  {verdict}", pad(&visible(name), widths[0])));
        }
        self.assumptions(run);
        self.line("");
        self.tally(run);
    }

    /// The same for a terminal that is too narrow for a table: two lines for
    /// each property.
    fn narrow_summary(&mut self, run: &Run) {
        let of_reports = run.reports.iter().map(|it| (row(it, usize::MAX), "node-tuples"));
        let of_models = run.models.iter().map(|it| (model_row(it), "states"));
        for (verdict, (row, unit)) in run.verdicts().zip(of_reports.chain(of_models)) {
            let [property, name, _, _, stored, steps, time] = row;
            let steps = if steps == "-" { String::new() } else { format!(", {steps} steps") };
            self.line(property);
            let name = self.paint.verdict(verdict, name);
            self.line(format!("  {name}, {stored} {unit}{steps}, {time}"));
        }
        for name in run.unchecked {
            self.line(name);
            self.line(format!("  {}", self.paint.bad("not checked")));
        }
        self.assumptions(run);
        self.line("");
        self.tally(run);
    }

    /// Every file that a verdict of this run takes on trust.
    fn assumptions(&mut self, run: &Run) {
        let mut assumed: Vec<(&str, Vec<&str>)> = Vec::new();
        for report in run.reports {
            for name in names(&report.constraints, |kind| kind == Kind::Context) {
                match assumed.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, properties)) => properties.push(&report.property),
                    None => assumed.push((name, vec![&report.property])),
                }
            }
        }
        for (name, properties) in assumed {
            self.line(format!("assumed, not checked: {name} (for {})", properties.join(", ")));
        }
    }

    /// `3 hold, 1 violated, 1 undecided`.
    fn tally(&mut self, run: &Run) {
        let count = |wanted: fn(Verdict) -> bool| run.verdicts().filter(|verdict| wanted(*verdict)).count();
        let holds = count(|it| it == Verdict::Holds);
        let verb = if holds == 1 { "holds" } else { "hold" };
        let parts = [
            (holds, verb, 'g'),
            (count(|it| it == Verdict::HoldsVacuously), "vacuous", 'y'),
            (count(|it| it == Verdict::Violated), "violated", 'r'),
            (count(|it| matches!(it, Verdict::Undecided(_))), "undecided", 'y'),
            (run.unchecked.len(), "not checked", 'r'),
        ];
        let shown: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, word, colour)| {
                let text = format!("{count} {word}");
                match colour {
                    'g' => self.paint.verdict(Verdict::Holds, text),
                    'y' => self.paint.doubtful(text),
                    _ => self.paint.bad(text),
                }
            })
            .collect();
        self.line(shown.join(", "));
    }
}

fn row(report: &Report, room: usize) -> [String; 7] {
    let executions = match report.executions {
        Executions::Complete => "complete",
        Executions::Prefixes => "prefixes",
    };
    [
        visible(&format!("{}: {}", report.file, report.property)).into_owned(),
        report.verdict.name().to_string(),
        executions.to_string(),
        constraints(report, room),
        number(report.search.counters.stored),
        steps(report),
        time(report.elapsed),
    ]
}

fn model_row(report: &ModelReport) -> [String; 7] {
    let steps = if report.trail.n_steps == 0 { "-".to_string() } else { report.trail.n_steps.to_string() };
    [
        visible(&format!("{}: {}", report.file, report.property)).into_owned(),
        report.verdict.name().to_string(),
        "all".to_string(),
        "none".to_string(),
        number(report.search.counters.stored),
        steps,
        time(report.elapsed),
    ]
}

/// As many names as fit and how many do not.
fn constraints(report: &Report, room: usize) -> String {
    let names = names(&report.constraints, |_| true);
    for kept in (1..=names.len()).rev() {
        let rest = match names.len() - kept {
            0 => String::new(),
            rest => format!(" +{rest}"),
        };
        let shown = format!("{}{rest}", names[..kept].join(", "));
        if width(&shown) <= room || kept == 1 {
            return cut(&shown, room);
        }
    }
    "none".to_string()
}

/// `4/16`: to the trap and to the end.
fn steps(report: &Report) -> String {
    let Some(trail) = &report.counterexample else { return "-".to_string() };
    match trail.prefix {
        Some(prefix) => format!("{prefix}/{}", trail.length()),
        None => trail.length().to_string(),
    }
}

fn joined(columns: &[usize], cells: &[String]) -> String {
    columns.iter().map(|&column| cells[column].as_str()).collect::<Vec<_>>().join("  ")
}

fn cells(row: &[String; 7], widths: &[usize]) -> Vec<String> {
    let align = |column: usize| {
        let missing = " ".repeat(widths[column].saturating_sub(width(&row[column])));
        match NUMERIC[column] {
            true => format!("{missing}{}", row[column]),
            false => format!("{}{missing}", row[column]),
        }
    };
    (0..row.len()).map(align).collect()
}
