//! Summary of several properties: a table, the assumptions, the tally.

use super::measure::{cut, number, time, width};
use super::{Detail, Writer, names};
use crate::diag::visible;
use crate::report::{Run, Unchecked};
use crate::verify::explicit::Aim;
use crate::verify::report::{Basis, Counterexample, Executions, Kind};
use crate::verify::{Report, Verdict};

const N_COLUMNS: usize = 9;

/// Which columns hold numbers and are aligned to the right.
const NUMERIC: [bool; N_COLUMNS] = [false, false, false, false, false, false, true, true, true];

const TITLES: [&str; N_COLUMNS] =
    ["file", "property", "verdict", "engine", "executions", "constraints", "stored", "steps", "time"];

/// Columns of the verdict and of the number of stored states or node-tuples.
const VERDICT: usize = 2;
const STORED: usize = 6;

/// The columns that matter only if the flow engine was used.
const ONLY_FLOW: [usize; 3] = [3, 4, 5];

/// A property in the table.
enum Row<'a> {
    Answered(&'a Report),
    Unchecked(&'a Unchecked),
}

/// Returns all properties, in the order of the input.
fn rows<'a>(run: &Run<'a>) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut unchecked = run.unchecked.iter().peekable();
    for (position, report) in run.reports.iter().enumerate() {
        while let Some(it) = unchecked.next_if(|it| it.n_before <= position) {
            rows.push(Row::Unchecked(it));
        }
        rows.push(Row::Answered(report));
    }
    rows.extend(unchecked.map(Row::Unchecked));
    rows
}

impl Row<'_> {
    fn cells(&self, room: usize) -> [String; N_COLUMNS] {
        match self {
            Self::Answered(report) => cells(report, room),
            Self::Unchecked(it) => {
                let mut cells: [String; N_COLUMNS] = Default::default();
                cells[0] = visible(&it.file).into_owned();
                cells[1] = visible(it.property.as_deref().unwrap_or_default()).into_owned();
                cells[VERDICT] = "not checked".to_string();
                cells
            }
        }
    }
}

impl Writer<'_> {
    pub(super) fn summary(&mut self, run: &Run) {
        if self.style.is_narrow() {
            return self.narrow_summary(run);
        }
        let room = if self.style.detail == Detail::Verbose { usize::MAX } else { 26 };
        let rows = rows(run);
        let all_cells: Vec<[String; N_COLUMNS]> = rows.iter().map(|row| row.cells(room)).collect();
        let has_flow = run.reports.iter().any(|it| it.flow().is_some() || it.confirmation.is_some());
        let n_columns = if run.reports.is_empty() { VERDICT + 1 } else { N_COLUMNS };
        let columns: Vec<usize> =
            (0..n_columns).filter(|column| has_flow || !ONLY_FLOW.contains(column)).collect();
        let mut titles = TITLES;
        titles[STORED] = unit(run);
        let widths: Vec<usize> = (0..N_COLUMNS)
            .map(|column| {
                let cells = all_cells.iter().map(|row| width(&row[column]));
                cells.chain([width(titles[column])]).max().unwrap_or(0)
            })
            .collect();
        let titles = joined(&columns, &aligned(&titles.map(str::to_string), &widths));
        self.line(self.paint.dim(titles));
        for (row, cells) in rows.iter().zip(&all_cells) {
            let mut cells = aligned(cells, &widths);
            cells[VERDICT] = self.painted(row, &cells[VERDICT]);
            self.line(joined(&columns, &cells));
        }
        self.assumptions(run);
        self.errors(run);
        self.line("");
        self.tally(run);
    }

    fn painted(&self, row: &Row, text: &str) -> String {
        match row {
            Row::Answered(report) => self.paint.verdict(report.verdict, text),
            Row::Unchecked(_) => self.paint.bad(text),
        }
    }

    /// Writes the summary for a narrow terminal, with two lines per property.
    fn narrow_summary(&mut self, run: &Run) {
        for row in rows(run) {
            let [file, property, verdict, _, _, _, stored, steps, time] = row.cells(usize::MAX);
            let verdict = self.painted(&row, &verdict);
            match row {
                Row::Answered(report) => {
                    let unit = report.basis.engine().unit;
                    let steps = if steps == "-" { String::new() } else { format!(", {steps} steps") };
                    self.line(format!("{file}: {property}"));
                    self.line(format!("  {verdict}, {stored} {unit}s{steps}, {time}"));
                }
                Row::Unchecked(it) => {
                    self.line(visible(&it.to_string()));
                    self.line(format!("  {verdict}"));
                }
            }
        }
        self.assumptions(run);
        self.errors(run);
        self.line("");
        self.tally(run);
    }

    /// Writes the assumptions of all verdicts of the run.
    fn assumptions(&mut self, run: &Run) {
        let mut assumed: Vec<(&str, Vec<&str>)> = Vec::new();
        for report in run.reports {
            for name in names(report.constraints(), |kind| kind == Kind::Context) {
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

    /// Writes which verdicts rest on executions of which some end in an error.
    fn errors(&mut self, run: &Run) {
        let mut models: Vec<&str> = Vec::new();
        for report in run.reports.iter().filter(|it| it.explicit().is_some_and(|it| it.has_met_fault)) {
            if !models.contains(&report.model.as_str()) {
                models.push(&report.model);
            }
        }
        for model in models {
            let line = format!(
                "some executions of {} end in an error; `trapline check {0}` finds it",
                visible(model)
            );
            self.line(self.paint.doubtful(line));
        }
    }

    /// Writes the tally: `3 hold, 1 violated, 1 undecided`.
    fn tally(&mut self, run: &Run) {
        let count = |wanted: fn(Verdict) -> bool| run.verdicts().filter(|verdict| wanted(*verdict)).count();
        let holds = count(|it| it == Verdict::Holds);
        let verb = if holds == 1 { "holds" } else { "hold" };
        let parts = [
            (holds, verb, 'g'),
            (count(|it| it == Verdict::HoldsVacuously), "vacuous", 'y'),
            (count(|it| it == Verdict::Violated), "violated", 'r'),
            (count(|it| it == Verdict::Inconclusive), "inconclusive", 'y'),
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

/// Returns the unit of the counters.
fn unit(run: &Run) -> &'static str {
    let n_flow = run.reports.iter().filter(|it| it.flow().is_some()).count();
    match n_flow {
        0 => "states",
        n if n == run.reports.len() => "node-tuples",
        _ => "stored",
    }
}

fn cells(report: &Report, room: usize) -> [String; N_COLUMNS] {
    let (executions, constraints) = match &report.basis {
        Basis::Flow(basis) => (name_of(basis.executions), constraints(report, room)),
        Basis::Explicit(basis) => {
            let executions = match &basis.aim {
                Aim::Sequence(_, sequence) => name_of(sequence.executions),
                _ => "all",
            };
            (executions, constraints(report, room))
        }
    };
    [
        visible(&report.file).into_owned(),
        visible(&report.property).into_owned(),
        report.verdict.name().to_string(),
        report.basis.engine().name.to_string(),
        executions.to_string(),
        constraints,
        number(report.search.counters.stored),
        steps(report),
        time(report.elapsed),
    ]
}

fn name_of(executions: Executions) -> &'static str {
    match executions {
        Executions::Complete => "complete",
        Executions::Prefixes => "prefixes",
    }
}

/// Returns as many names as fit and the number of the others.
fn constraints(report: &Report, room: usize) -> String {
    let names = names(report.constraints(), |_| true);
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

/// Returns the numbers of steps to the trap and to the end: `4/16`.
fn steps(report: &Report) -> String {
    match &report.counterexample {
        Some(Counterexample { prefix: Some(prefix), trail, .. }) => format!("{prefix}/{}", trail.n_steps),
        Some(found) if found.length() > 0 || report.flow().is_some() => found.length().to_string(),
        _ => "-".to_string(),
    }
}

fn joined(columns: &[usize], cells: &[String]) -> String {
    columns.iter().map(|&column| cells[column].as_str()).collect::<Vec<_>>().join("  ")
}

fn aligned(row: &[String; N_COLUMNS], widths: &[usize]) -> Vec<String> {
    let align = |column: usize| {
        let missing = " ".repeat(widths[column].saturating_sub(width(&row[column])));
        match NUMERIC[column] {
            true => format!("{missing}{}", row[column]),
            false => format!("{}{missing}", row[column]),
        }
    };
    (0..row.len()).map(align).collect()
}
