//! Reports of counterexamples that the explicit engine confirmed, refuted or did
//! not decide.

use super::measure::{bytes, count, cut, number, time, wrap};
use super::steps::statement;
use super::{EXPLICIT, Writer, obstacle};
use crate::diag::{Diagnostic, Sources, Span, visible};
use crate::report::{constraint_arguments, shell_argument};
use crate::verify::report::{
    ConfirmBudget, Confirmation, Counterexample, ImpossibleStep, Learned, Outcome, ProvingSet, Reason, Stop,
};
use crate::verify::{Report, Verdict};

impl Writer<'_> {
    /// Writes a report in which the explicit engine decided about a
    /// counterexample of the flow engine.
    pub(super) fn decided(&mut self, report: &Report, sources: &Sources, shown_before: &mut Vec<Diagnostic>) {
        let (Some(confirmation), Some(basis)) = (&report.confirmation, report.explicit()) else { return };
        let Some((flow, flow_basis)) = confirmation.other.as_deref().and_then(|it| Some((it, it.flow()?)))
        else {
            return;
        };
        self.title(&report.property);
        self.description(report);
        let head = Report { model: report.model.clone(), settings: report.settings.clone(), ..flow.clone() };
        self.head(&head, flow_basis);
        self.field("decided by", &confirming(report, confirmation));
        self.notes(report, sources, shown_before);
        self.line("");
        match report.verdict {
            Verdict::Violated => {
                let same = match confirmation.is_execution {
                    Some(true) => "The counterexample of the flow engine is confirmed: this is an execution.",
                    _ => "This is an execution, though not the path that the flow engine found.",
                };
                self.trail(report, basis, sources);
                self.line(same);
                self.line("");
                if let Some(proposals) = flow.counterexample.as_ref().and_then(|it| it.proposals.as_ref()) {
                    self.assumptions_that_reject(proposals, flow.n_steps());
                }
            }
            _ => {
                self.refuted(report);
                if let Some(found) = &flow.counterexample {
                    self.spurious(found, confirmation.impossible.as_ref(), sources);
                    self.rejecting(found, "Constraints that reject it, for a proof by the flow engine:");
                    self.learned(confirmation);
                    self.proof(report, confirmation);
                }
            }
        }
    }

    /// Writes which constraints let the flow engine prove the property.
    fn proof(&mut self, report: &Report, confirmation: &Confirmation) {
        match &confirmation.proof {
            Some(ProvingSet { constraints, is_minimal }) => {
                let what = match is_minimal {
                    true => "The flow engine proves the property with",
                    false => "The flow engine proves the property with (perhaps not all are needed)",
                };
                self.line(what);
                self.line(format!("  {}", visible(&constraint_arguments(constraints))));
            }
            None => {
                let file = shell_argument(&visible(&report.file)).to_string();
                let property = shell_argument(&visible(&report.property)).to_string();
                self.line("Constraints with which the flow engine proves the property are found by");
                self.line(format!("  trapline refine {file} --property {property}"));
            }
        }
        self.line("");
    }

    fn refuted(&mut self, report: &Report) {
        let stored = count(report.search.counters.stored, "reachable state");
        match report.verdict {
            Verdict::HoldsVacuously => {
                let what = match report.constraints().is_empty() {
                    true => "no execution ends",
                    false => "no execution satisfies the assumptions",
                };
                let line = format!("VACUOUS: {what}; {stored} were visited, and nothing was proved.");
                self.line(self.paint.doubtful(line));
            }
            _ => {
                let line = format!("HOLDS: no execution violates the property; {stored} were visited.");
                self.line(self.paint.verdict(Verdict::Holds, line));
            }
        }
        if report.explicit().is_some_and(|it| it.has_met_fault) {
            self.line(
                self.paint
                    .doubtful("Some executions end in an error; `trapline check` of the model finds it."),
            );
        }
        self.line("");
    }

    /// Writes a path that is not an execution, up to its first impossible step.
    fn spurious(&mut self, found: &Counterexample, impossible: Option<&ImpossibleStep>, sources: &Sources) {
        let what = match impossible.is_some_and(|it| it.step > found.length()) {
            true => "no execution that ends has its events in this order",
            false => "no execution has its events in this order",
        };
        self.line(format!("The counterexample of the flow engine is spurious: {what}."));
        let n_steps = found.prefix.unwrap_or(found.length());
        let n_shown = impossible.map_or(n_steps, |it| it.step.min(n_steps));
        self.lanes(found, n_shown, sources, None);
        self.impossible(found, impossible, sources);
        self.line("");
    }

    /// Writes why a step cannot happen.
    fn impossible(&mut self, found: &Counterexample, impossible: Option<&ImpossibleStep>, sources: &Sources) {
        let Some(ImpossibleStep { step, reasons }) = impossible else { return };
        let what = match *step > found.length() {
            true => "no execution ends after these events".to_string(),
            false => format!("step {} cannot happen", number(*step as u64)),
        };
        let colon = if reasons.is_empty() { "" } else { ":" };
        self.line(self.paint.bad(format!("  ▲ {what}{colon}")));
        for it in reasons {
            for line in wrap(reason(it, sources).split(' '), self.style.columns.saturating_sub(4)) {
                self.line(format!("    {line}"));
            }
        }
    }

    /// Writes a counterexample that may or may not be an execution.
    pub(super) fn inconclusive(&mut self, report: &Report, sources: &Sources) {
        let (Some(found), Some(confirmation)) = (&report.counterexample, &report.confirmation) else {
            return;
        };
        let n_steps = found.prefix.unwrap_or(found.length());
        let kind = match confirmation.is_execution {
            Some(false) => "this path is spurious, but another one may be an execution",
            _ => "this path may be an execution",
        };
        let steps = count(n_steps as u64, "step");
        self.line(
            self.paint
                .doubtful(format!("INCONCLUSIVE: the flow engine found a violation after {steps}; {kind}.")),
        );
        let why = match &confirmation.outcome {
            Outcome::Refused(why) => format!("The explicit engine cannot decide it: {why}."),
            Outcome::Stopped(stop) => {
                format!("The explicit engine did not decide it: {}.", stopped(*stop, confirmation.budget))
            }
            Outcome::Confirmed | Outcome::Refuted => String::new(),
        };
        for line in wrap(why.split(' '), self.style.columns) {
            self.line(line);
        }
        let n_shown = if self.style.full { found.length() } else { n_steps };
        let violation = found.prefix.filter(|_| confirmation.impossible.is_none());
        self.lanes(found, n_shown, sources, violation);
        if confirmation.is_execution != Some(true) {
            self.impossible(found, confirmation.impossible.as_ref(), sources);
        }
        self.line("");
        self.rejecting(found, "Constraints that reject it:");
        self.learned(confirmation);
    }

    /// Writes a learned rule as a constraint file.
    fn learned(&mut self, confirmation: &Confirmation) {
        let Some(Learned { name, text, is_proved }) = &confirmation.learned else { return };
        let what = match is_proved {
            true => "A rule that every execution satisfies rejects it",
            false => "An assumption would reject it",
        };
        self.line(format!("{what}; save it as constraints/{name}.yaml:"));
        for line in text.lines() {
            self.line(format!("  {}", visible(line)));
        }
        self.line("");
    }
}

/// Returns the searches of the explicit engine.
fn confirming(report: &Report, confirmation: &Confirmation) -> String {
    let work = &report.search.counters;
    let promise = match report.counterexample {
        Some(_) if report.claims.shortest => "; no execution violates it earlier",
        _ => "",
    };
    format!(
        "{} engine, {}: {} stored, {} generated, {}, {} in total{promise}",
        EXPLICIT.name,
        report.strategy,
        count(work.stored, "state"),
        number(work.generated),
        bytes(work.bytes),
        time(confirmation.elapsed)
    )
}

/// Returns the limit that ended the confirmation, and what to do about it.
pub(crate) fn stopped(stop: Stop, budget: Option<ConfirmBudget>) -> String {
    match (stop, budget) {
        (Stop::States, Some(it)) => {
            format!("its budget of {} ended; raise --confirm-states", count(it.max_states, "state"))
        }
        (Stop::Memory, Some(it)) => {
            format!("its budget of {} ended; raise --confirm-memory", bytes(it.max_bytes))
        }
        (Stop::Time, Some(it)) => {
            format!(
                "its budget of {} or the time limit of the run ended; raise --confirm-time",
                time(it.timeout)
            )
        }
        (Stop::Depth, _) => "an atomic sequence is too long or need not end".to_string(),
        _ => {
            let (what, advice) = super::limit_and_advice(stop);
            format!("{what}; {advice}")
        }
    }
}

/// Returns why a task is not ready for a step, as a sentence.
pub(crate) fn reason(reason: &Reason, sources: &Sources) -> String {
    let line = |span: Span| format!("line {}", sources.position(span).line);
    match reason {
        Reason::False { task, span, values, is_guard, is_before } => {
            let what = if *is_guard { "guard" } else { "condition" };
            let (who, place) = match is_before {
                true => (format!("`{}` waits in {}: ", visible(task), line(*span)), String::new()),
                false => (String::new(), format!(" in {}", line(*span))),
            };
            let values: Vec<String> = values
                .iter()
                .map(|it| format!("`{}` is {}", visible(&it.name), visible(&it.value)))
                .collect();
            match values.is_empty() {
                true => format!("{who}the {what} of `{}`{place} is false", visible(task)),
                false => format!("{who}{} here, so the {what}{place} is false", values.join(" and ")),
            }
        }
        Reason::Else { task, span } => format!(
            "`{}` can take another alternative, so it does not take the `else` in {}",
            visible(task),
            line(*span)
        ),
        Reason::Elsewhere { task, at } => {
            let statements: Vec<String> = at
                .iter()
                .map(|it| format!("{}, `{}`", line(*it), cut(&statement(*it, sources), 50)))
                .collect();
            match statements.is_empty() {
                true => format!("`{}` has ended", visible(task)),
                false => format!("`{}` is at {}", visible(task), statements.join(" or ")),
            }
        }
        Reason::Blocked { task, obstacle: it } => {
            format!("`{}` is not ready: {}", visible(task), obstacle(it, sources))
        }
    }
}
