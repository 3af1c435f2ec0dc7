//! A model that was checked as a whole.

use super::measure::{bytes, count, cut, number, pad, time, width};
use super::{Detail, Writer};
use crate::diag::{Sources, Span};
use crate::report::Run;
use crate::verify::Verdict;
use crate::verify::explicit::{Fault, ModelReport, TrailStep};

/// Steps shown of the beginning and of the end of a long trail.
const SHOWN: usize = 200;

impl Writer<'_> {
    pub(super) fn is_model_told(&self, run: &Run, report: &ModelReport) -> bool {
        match self.style.detail {
            Detail::Quiet => false,
            Detail::Normal => run.n_answers() == 1 || report.verdict != Verdict::Holds,
            Detail::Verbose => true,
        }
    }

    pub(super) fn model(&mut self, report: &ModelReport, sources: &Sources) {
        let rule = "─".repeat(self.style.columns.min(100).saturating_sub(width(&report.model) + 4));
        let line = format!("── {} {}", self.paint.bold(&report.model), self.paint.dim(rule));
        self.line(line);
        if !report.definitions.is_empty() {
            let defined: Vec<String> =
                report.definitions.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.field("defined", &defined.join(", "));
        }
        self.field("checked", "assertions, invalid end states, errors of the run");
        if !report.unchecked.is_empty() {
            let names = report.unchecked.join(", ");
            let line = format!("the formulas {names}: the verdict says nothing of them");
            self.field("not checked", &self.paint.doubtful(line));
        }
        self.field("strategy", &strategy(report));
        self.field("search", &search(report));
        self.unreached(report, sources);
        self.line("");
        match report.verdict {
            Verdict::Violated => self.trail(report, sources),
            Verdict::Undecided(_) => {
                self.line(self.paint.doubtful("UNDECIDED: a limit was reached before every state was seen."));
                self.line("");
            }
            Verdict::Holds | Verdict::HoldsVacuously => {}
        }
    }

    fn trail(&mut self, report: &ModelReport, sources: &Sources) {
        let what = report.fault.map_or("an error", name);
        let steps = count(report.trail.len() as u64, "step");
        self.line(self.paint.bad(format!("VIOLATED after {steps}: {what}.")));
        self.line("");
        let name_width = report.trail.iter().map(|step| width(&step.process)).max().unwrap_or(0);
        let n_hidden = match self.style.full {
            true => 0,
            false => report.trail.len().saturating_sub(2 * SHOWN),
        };
        for (index, step) in report.trail.iter().enumerate() {
            if n_hidden > 0 && index == SHOWN {
                self.line(
                    self.paint.dim(format!("  … {}; --full shows them", count(n_hidden as u64, "step"))),
                );
            }
            if n_hidden == 0 || index < SHOWN || index >= SHOWN + n_hidden {
                self.trail_step(index + 1, step, name_width, sources);
            }
        }
        self.line("");
        if !report.last.is_empty() {
            self.line(self.paint.dim("At the end:"));
            let all: Vec<String> =
                report.last.iter().map(|it| format!("{} = {}", it.name, it.value)).collect();
            for line in super::wrap(all.iter().map(String::as_str), self.style.columns.saturating_sub(2)) {
                self.line(format!("  {line}"));
            }
            self.line("");
        }
    }

    fn trail_step(&mut self, number: usize, step: &TrailStep, name_width: usize, sources: &Sources) {
        let place = place(step.span, sources);
        let text = statement(step.span, sources);
        let line = format!(
            "{number:5}  {}  {}  {}",
            pad(&step.process, name_width),
            cut(&text, 60),
            self.paint.dim(place)
        );
        self.line(line);
        let beside = " ".repeat(9 + name_width);
        if let Some((partner, span)) = &step.partner {
            let text = cut(&statement(*span, sources), 60);
            let place = self.paint.dim(self::place(*span, sources));
            self.line(format!("{beside}⇄ {partner}  {text}  {place}"));
        }
        if !step.changes.is_empty() {
            let all: Vec<String> =
                step.changes.iter().map(|it| format!("{} = {}", it.name, it.value)).collect();
            self.line(self.paint.dim(format!("{beside}{}", all.join(", "))));
        }
    }
}

pub(super) fn place(span: Span, sources: &Sources) -> String {
    let position = sources.position(span);
    format!("{}:{}:{}", sources.get(span.source).name, position.line, position.column)
}

/// The statement on one line.
fn statement(span: Span, sources: &Sources) -> String {
    let words: Vec<&str> = sources.slice(span).split_whitespace().collect();
    match words.is_empty() || words == ["}"] {
        true => "end of the process".to_string(),
        false => words.join(" "),
    }
}

fn strategy(report: &ModelReport) -> String {
    let promise = match report.verdict {
        Verdict::Violated if report.claims.shortest => "; no trail has fewer steps between states",
        _ => "",
    };
    format!("{}{promise}", report.strategy)
}

fn search(report: &ModelReport) -> String {
    let work = &report.search.counters;
    format!(
        "{} stored, {} generated, depth {}, {} ({} bytes per state), {}",
        count(work.stored, "state"),
        number(work.generated),
        number(work.depth),
        bytes(work.bytes),
        report.state_bytes,
        time(report.search.elapsed)
    )
}

/// A fault in the words of a user.
pub(crate) fn name(fault: Fault) -> &'static str {
    match fault {
        Fault::Assertion => "an assertion does not hold",
        Fault::InvalidEnd => "nothing can move, and not every process is where it may end",
        Fault::DivisionByZero => "a division by zero",
        Fault::IndexOutOfRange => "an array index is out of range",
        Fault::NoChannel => "a channel variable holds no channel",
        Fault::PollOfRendezvous => "a rendezvous channel is polled",
        Fault::MissingField => "a message has fewer values than its channel has fields",
        Fault::BlockedStep => "a d_step cannot go on",
        Fault::TooMany => "more than 255 processes",
    }
}
