//! Text reports: details first, the verdict last.
//!
//! A single property is reported in full. With several, properties that hold
//! are only a line of the summary, unless the user asks for more. The last line
//! of the text is always the verdict.

mod blocked;
mod confirmation;
mod improvement;
pub mod measure;
mod model;
pub(crate) mod paint;
pub mod plain;
mod simulation;
mod steps;
mod summary;
#[cfg(test)]
mod tests;
mod trail;
mod unreached;

use crate::diag::{Diagnostic, Severity, Sources};
use crate::report::Run;
use crate::verify::engine::{EXPLICIT, FLOW};
use crate::verify::report::{
    Basis, Constraint, Counterexample, Executions, FlowBasis, Kind, StageCost, Stop,
};
use crate::verify::{Report, Verdict};
pub(crate) use blocked::obstacle;
pub(crate) use confirmation::{reason, stopped};
use measure::{bytes, count, number, time, width, wrap};
pub(crate) use model::name as fault_name;
use paint::Paint;
pub use plain::ascii;
pub use simulation::{RunWriter, ending};
pub use steps::SHOWN as STEPS_SHOWN;
pub use trail::proposal_effect;

/// Style of the text output.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to write escape sequences for colours.
    pub colour: bool,
    /// Whether to show counterexamples to the end of the execution.
    pub full: bool,
    /// Level of detail.
    pub detail: Detail,
    /// Maximum line width.
    pub columns: usize,
}

impl Style {
    fn is_narrow(&self) -> bool {
        self.columns < plain::NARROW
    }

    /// Breaks the lines to fit the terminal, as far as tables and drawings
    /// allow it.
    fn fitted(&self, text: String) -> String {
        plain::fitted(text, self.columns)
    }
}

/// Level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Only the verdicts.
    Quiet,
    /// Verdicts, counterexamples and the first notes.
    #[default]
    Normal,
    /// Everything.
    Verbose,
}

/// Notes of one property shown in full before the rest is only counted.
const NOTES_SHOWN: usize = 3;

/// The column in which the values of the head begin.
const VALUE_COLUMN: usize = 13;

/// Renders a run as text that ends with the verdict.
pub fn render(run: &Run, style: &Style) -> String {
    let mut writer = Writer { style, paint: Paint { colour: style.colour }, out: String::new() };
    let mut shown_before = Vec::new();
    for report in run.reports {
        match &report.basis {
            _ if !writer.is_shown(run, report) => {}
            Basis::Explicit(_) if report.confirmation.is_some() => {
                writer.decided(report, run.sources, &mut shown_before);
            }
            Basis::Flow(basis) => writer.account(report, basis, run.sources, &mut shown_before),
            Basis::Explicit(basis) => writer.model(report, basis, run.sources, &mut shown_before),
        }
    }
    writer.close(run);
    style.fitted(writer.out)
}

/// Renders the counterexample of a report by the flow engine, without the
/// constraints that reject it.
pub fn counterexample(report: &Report, sources: &Sources, style: &Style) -> String {
    let mut writer = Writer { style, paint: Paint { colour: style.colour }, out: String::new() };
    if let Some(found) = &report.counterexample {
        writer.counterexample(&Counterexample { proposals: None, ..found.clone() }, sources);
    }
    style.fitted(writer.out)
}

/// The text so far and its style.
struct Writer<'a> {
    style: &'a Style,
    paint: Paint,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.out.push_str(&paint::printed_line(line.as_ref().trim_end()));
        self.out.push('\n');
    }

    /// Appends lines that are already safe to print.
    fn block(&mut self, lines: &str) {
        self.out.push_str(lines.trim_end());
        self.out.push('\n');
    }

    fn is_shown(&self, run: &Run, report: &Report) -> bool {
        match self.style.detail {
            Detail::Quiet => false,
            Detail::Normal => run.reports.len() == 1 || report.verdict != Verdict::Holds,
            Detail::Verbose => true,
        }
    }

    /// Writes the full report of one property, without the notes that were
    /// shown before with an earlier property of the same model.
    fn account(
        &mut self,
        report: &Report,
        basis: &FlowBasis,
        sources: &Sources,
        shown_before: &mut Vec<Diagnostic>,
    ) {
        self.title(&report.property);
        self.description(report);
        self.head(report, basis);
        self.notes(report, sources, shown_before);
        self.line("");
        match (&report.counterexample, report.verdict) {
            (Some(_), Verdict::Inconclusive) => self.inconclusive(report, sources),
            (Some(counterexample), _) => self.counterexample(counterexample, sources),
            (None, Verdict::HoldsVacuously) => self.vacuous(basis),
            (None, Verdict::Undecided(limit)) => self.undecided(report, limit),
            (None, _) => (),
        }
    }

    fn title(&mut self, title: &str) {
        let rule = "─".repeat(self.style.columns.min(100).saturating_sub(width(title) + 4));
        let line = format!("── {} {}", self.paint.bold(title), self.paint.dim(rule));
        self.line(line);
    }

    fn description(&mut self, report: &Report) {
        if let Some(description) = &report.description {
            for line in wrap(description.split_whitespace(), self.style.columns) {
                self.line(line);
            }
        }
    }

    fn head(&mut self, report: &Report, basis: &FlowBasis) {
        self.field("model", &model(report));
        self.field("engine", FLOW.name);
        self.field("executions", executions(basis.executions));
        self.list("constraints", &constraints(basis));
        self.assumed(&basis.constraints);
        self.field("graph", &graph(report, basis));
        self.field("strategy", &strategy(report));
        self.field("search", &search(report, self.style.detail));
        self.stages(report);
    }

    fn assumed(&mut self, constraints: &[Constraint]) {
        let assumptions = names(constraints, |kind| kind == Kind::Context);
        if !assumptions.is_empty() {
            let text = format!("{}; not checked, but the verdict depends on it", assumptions.join(", "));
            self.field("assumes", &text);
        }
    }

    /// Writes the cost of each stage of a search.
    fn stages(&mut self, report: &Report) {
        let stages = &report.search.stages;
        if stages.len() > 1 && self.style.detail == Detail::Verbose {
            for (index, cost) in stages.iter().enumerate() {
                self.field("", &stage(index + 1, cost, report.basis.engine().unit));
            }
        }
    }

    /// Writes a name and its value, which continues in the same column.
    fn field(&mut self, name: &str, value: &str) {
        self.list(name, &value.split(' ').collect::<Vec<_>>());
    }

    /// Writes a name and a list whose items are not broken.
    fn list<S: AsRef<str>>(&mut self, name: &str, parts: &[S]) {
        let parts = parts.iter().map(AsRef::as_ref);
        let lines = wrap(parts, self.style.columns.saturating_sub(VALUE_COLUMN));
        for (position, line) in lines.iter().enumerate() {
            let name = measure::pad(if position == 0 { name } else { "" }, VALUE_COLUMN);
            let line = format!("{}{line}", self.paint.dim(name));
            self.line(line);
        }
    }

    fn notes(&mut self, report: &Report, sources: &Sources, shown_before: &mut Vec<Diagnostic>) {
        let fresh: Vec<&Diagnostic> =
            report.notes.iter().filter(|note| !shown_before.contains(note)).collect();
        let all = self.style.detail == Detail::Verbose;
        let (remarks, faults): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            fresh.iter().copied().partition(|note| note.severity == Severity::Note);
        let shown = if all { remarks.len() } else { remarks.len().min(NOTES_SHOWN) };
        for note in faults.into_iter().chain(remarks[..shown].iter().copied()) {
            self.line("");
            self.block(&note.render(sources, self.style.colour));
        }
        if shown < remarks.len() {
            let hidden = count((remarks.len() - shown) as u64, "more note");
            self.line(self.paint.dim(format!("… {hidden}; -v shows them")));
        }
        shown_before.extend(fresh.into_iter().cloned());
    }

    fn vacuous(&mut self, basis: &FlowBasis) {
        let (what, why) = match basis.constraints.is_empty() {
            true => ("no execution ends", "Some task never reaches its end, or the tasks deadlock. Try:"),
            false => (
                "no execution satisfies the constraints",
                "Some constraints contradict each other or the model, or no execution ever ends. Try:",
            ),
        };
        self.line(self.paint.doubtful(format!("VACUOUS: {what}, so nothing was proved.")));
        self.line(format!("  {why}"));
        for name in names(&basis.constraints, |kind| kind == Kind::Context) {
            self.line(format!("  - without the assumption {name}"));
        }
        if basis.constraints.len() > 1 {
            self.line("  - each constraint alone: --no-default-constraints -c CONSTRAINT, for:");
            for line in wrap(names(&basis.constraints, |_| true), self.style.columns.saturating_sub(6)) {
                self.line(format!("      {line}"));
            }
        }
        if basis.constraints.len() == 1 {
            self.line("  - without it: no -c, and --no-default-constraints");
        }
        if basis.executions == Executions::Complete {
            self.line("  - --executions prefixes, if the property is a safety property: this also");
            self.line("    includes executions that deadlock or never end");
            self.line("  - `while any!() { … }` instead of `loop { … }` where a task of the model may stop");
        }
        self.line("");
    }

    fn undecided(&mut self, report: &Report, limit: Stop) {
        let (what, advice) = limit_and_advice(limit);
        self.line(self.paint.doubtful(format!("UNDECIDED: {what}.")));
        let cost = &report.search.counters;
        self.line(format!(
            "  No violation found; {} expanded of {} stored, frontier at most {}.",
            number(cost.expanded),
            count(cost.stored, "node-tuple"),
            number(cost.peak_frontier)
        ));
        self.line(format!("  Use fewer constraints, or {advice}."));
        self.line("");
    }

    fn close(&mut self, run: &Run) {
        if run.reports.len() + run.unchecked.len() > 1 {
            self.summary(run);
        } else if let Some(report) = run.reports.first() {
            let verdict = self.paint.verdict(report.verdict, report.verdict.name());
            let name = match report.file == report.model {
                true => format!("{}: {}", report.model, report.property),
                false => report.property.clone(),
            };
            self.line(format!("{name}: {verdict}"));
        } else if let Some(name) = run.unchecked.first() {
            self.line(format!("{name}: {}", self.paint.bad("not checked")));
        }
    }
}

/// Returns the limit that ended a search, and what to do about it.
fn limit_and_advice(limit: Stop) -> (&'static str, &'static str) {
    match limit {
        Stop::States => ("--max-states was reached", "raise --max-states"),
        Stop::Memory => ("the memory limit was reached", "raise --max-memory"),
        Stop::Depth => ("paths longer than the depth limit were cut off", "raise the depth limit"),
        Stop::Omissions => ("states may have been missed because of hash collisions", "use `--store exact`"),
        Stop::Time => ("--timeout was reached", "raise --timeout"),
        Stop::Interrupt => ("the run was interrupted", "let it finish"),
    }
}

fn model(report: &Report) -> String {
    let settings: Vec<String> =
        report.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    match settings.is_empty() {
        true => report.model.clone(),
        false => format!("{} with {}", report.model, settings.join(", ")),
    }
}

fn executions(executions: Executions) -> &'static str {
    match executions {
        Executions::Complete => "complete: only executions in which every task ends",
        Executions::Prefixes => "prefixes: every prefix of an execution, including executions that deadlock",
    }
}

fn constraints(basis: &FlowBasis) -> Vec<String> {
    let Some((last, others)) = basis.constraints.split_last() else {
        return vec!["none".to_string()];
    };
    let show = |it: &Constraint| match it.n_states {
        0 => it.name.clone(),
        n_states => format!("{} ({})", it.name, count(n_states as u64, "state")),
    };
    others.iter().map(|it| show(it) + ",").chain([show(last)]).collect()
}

fn names(constraints: &[Constraint], wanted: impl Fn(Kind) -> bool) -> Vec<&str> {
    constraints.iter().filter(|it| wanted(it.kind)).map(|it| it.name.as_str()).collect()
}

fn graph(report: &Report, basis: &FlowBasis) -> String {
    let size = &basis.graph;
    if size.nodes == 0 && matches!(report.verdict, Verdict::Undecided(_)) {
        return format!("not built; {}", basis.graph_form);
    }
    format!(
        "{} ({} rendezvous), {} control and {} parallel edges; {}",
        count(size.nodes as u64, "node"),
        number(size.communication_nodes as u64),
        number(size.control_edges as u64),
        number(size.mip_edges as u64),
        basis.graph_form
    )
}

/// Returns the strategy and its guarantee for the counterexample.
fn strategy(report: &Report) -> String {
    let promise = match report.counterexample {
        Some(_) if report.claims.shortest => "; no counterexample is shorter",
        Some(_) if report.claims.shortest_prefix => "; no counterexample violates the property earlier",
        _ => "",
    };
    format!("{}{promise}", report.strategy)
}

fn search(report: &Report, detail: Detail) -> String {
    let cost = &report.search;
    let work = &cost.counters;
    let mut shown = format!(
        "{} stored, {} generated, depth {}, {}, {}",
        count(work.stored, "node-tuple"),
        number(work.generated),
        number(work.depth),
        bytes(work.bytes),
        time(cost.elapsed)
    );
    if detail == Detail::Verbose {
        let rate = work.stored as f64 / cost.elapsed.as_secs_f64().max(1e-6);
        shown += &format!(
            "; {} expanded, {} reopened, {} dropped, frontier at most {}, {} stored per second, {} in total",
            number(work.expanded),
            number(work.reopened),
            number(work.dropped),
            number(work.peak_frontier),
            number(rate as u64),
            time(report.elapsed)
        );
    }
    shown
}

/// Returns the cost of one stage of a search.
fn stage(number_of_stage: usize, stage: &StageCost, unit: &str) -> String {
    let work = &stage.counters;
    format!(
        "stage {number_of_stage}: {} stored, {} generated, {} expanded, {} reopened, depth {}, frontier at most {}, {}, {}",
        count(work.stored, unit),
        number(work.generated),
        number(work.expanded),
        number(work.reopened),
        number(work.depth),
        number(work.peak_frontier),
        bytes(work.bytes),
        time(stage.elapsed)
    )
}
