//! The answer of the explicit engine.

use super::Writer;
use super::measure::{bytes, count, number, time};
use crate::diag::Sources;
use crate::verify::explicit::{Aim, Fault, Form, Observer, ObserverKind, Semantics};
use crate::verify::report::{Counterexample, Executions, ExplicitBasis, Stop};
use crate::verify::trail::Trail;
use crate::verify::{Report, Verdict};

impl Writer<'_> {
    pub(super) fn model(&mut self, report: &Report, basis: &ExplicitBasis, sources: &Sources) {
        self.title(&format!("{}: {}", report.model, report.property));
        self.description(report);
        if !report.settings.is_empty() {
            let defined: Vec<String> =
                report.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.field("defined", &defined.join(", "));
        }
        self.field("checked", &checked(basis));
        self.assumed(&basis.assumptions);
        self.field("strategy", &strategy(report));
        self.field("search", &search(report, basis));
        self.unreached(basis, sources);
        self.line("");
        if basis.has_met_fault {
            let line = "Some runs end in an error: `safety` is the property that finds it.";
            self.line(self.paint.doubtful(line));
            self.line("");
        }
        match report.verdict {
            Verdict::Violated => self.trail(report, basis, sources),
            Verdict::Undecided(Stop::Omissions) => {
                self.line(self.paint.doubtful(no_error_found(report, basis)));
                self.line("");
            }
            Verdict::Undecided(limit) => {
                let what = match limit {
                    Stop::Depth if report.claims.complete => "a sequence of steps goes on for too long",
                    _ => super::limit_and_advice(limit).0,
                };
                let line = format!("UNDECIDED: {what}; not every state was seen.");
                self.line(self.paint.doubtful(line));
                self.line("");
            }
            Verdict::HoldsVacuously if !basis.assumptions.is_empty() => {
                let line = "VACUOUS: no run meets the assumptions, so nothing was shown.";
                self.line(self.paint.doubtful(line));
                self.line("");
            }
            Verdict::HoldsVacuously => {
                self.line(self.paint.doubtful("VACUOUS: no run ends well, so nothing was shown."));
                self.line(
                    "  A property that the beginning of a run can break is checked on runs without end too:",
                );
                self.line("  under `none:` one that ends in `.*`, for example.");
                self.line("");
            }
            Verdict::Holds => {}
        }
    }

    fn trail(&mut self, report: &Report, basis: &ExplicitBasis, sources: &Sources) {
        let Some(found) = &report.counterexample else { return };
        self.line(self.paint.bad(verdict(found, basis)));
        self.line("");
        if found.trail.n_steps > 0 || found.trail.cycle.is_some() {
            self.steps(&found.trail, sources);
            self.line("");
        }
        self.blocked(&found.blocked, sources);
        self.contents(found);
    }

    fn contents(&mut self, found: &Counterexample) {
        if found.last.is_empty() {
            return;
        }
        self.line(self.paint.dim("At the end:"));
        self.held(&found.last);
        self.line("");
    }
}

/// What was looked for.
fn checked(basis: &ExplicitBasis) -> String {
    let what = match &basis.aim {
        Aim::Safety => return safety(basis.semantics),
        Aim::Sequence(_, sequence) => match sequence.executions {
            Executions::Prefixes => "the events of every run come in the right order",
            Executions::Complete => "the events of every run that ends well come in the right order",
        },
        Aim::Acceptance => "no run passes an accept label again and again or stops at one",
        Aim::Observer(observer) => match observer.kind {
            ObserverKind::Claim => "the claim is never satisfied",
            ObserverKind::Formula(Form::Invariant) => "the invariant holds in every state",
            ObserverKind::Formula(Form::Progress) => "every cycle passes a progress label",
            ObserverKind::Formula(Form::Other) => "the formula holds on every run",
        },
    };
    let fair = if basis.is_fair { ", of the runs that are fair to every process" } else { "" };
    format!("{what}{fair}")
}

fn safety(semantics: Semantics) -> String {
    let parts = [
        (!semantics.allows_failed_assertions, "assertions"),
        (!semantics.allows_blocked_end, "invalid end states"),
        (!semantics.allows_broken_promises, "errors of the run"),
        (semantics.allows_broken_promises, "errors of the run without broken promises"),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|(is, _)| *is).map(|(_, part)| part).collect();
    parts.join(", ")
}

fn verdict(found: &Counterexample, basis: &ExplicitBasis) -> String {
    let steps = |number: usize| count(number as u64, "step");
    let n_steps = found.trail.n_steps;
    match found.trail.cycle {
        Some(start) if start == n_steps => {
            format!("VIOLATED after {}, with which the run ends.", steps(start))
        }
        Some(start) => {
            format!(
                "VIOLATED after {}, by {} that are repeated for ever.",
                steps(start),
                steps(n_steps - start)
            )
        }
        None if is_without_trail(&found.trail) => {
            "VIOLATED; a limit was reached before a trail was known.".to_string()
        }
        None => format!("VIOLATED after {}: {}.", steps(n_steps), what(found, basis)),
    }
}

/// Was a limit reached before the first step of the trail was known?
fn is_without_trail(trail: &Trail) -> bool {
    trail.n_steps == 0 && trail.cut_short.is_some()
}

fn what(found: &Counterexample, basis: &ExplicitBasis) -> &'static str {
    match (found.fault, &basis.aim) {
        (Some(Fault::Observed), Aim::Observer(Observer { kind: ObserverKind::Formula(form), .. })) => {
            match form {
                Form::Invariant => "the invariant does not hold",
                Form::Progress | Form::Other => "the formula is broken, whatever comes next",
            }
        }
        (Some(fault), _) => name(fault),
        (None, _) => "an error",
    }
}

fn strategy(report: &Report) -> String {
    let promise = match report.trail() {
        Some(_) if report.claims.shortest => "; no error comes after fewer statements",
        Some(trail) if trail.cycle.is_none() && !is_without_trail(trail) => "; a shorter trail may exist",
        _ => "",
    };
    format!("{}{promise}", report.strategy)
}

/// A search that may have missed states proves nothing.
fn no_error_found(report: &Report, basis: &ExplicitBasis) -> String {
    let Some(omissions) = basis.omissions else { return String::new() };
    let coverage = omissions.coverage(report.search.counters.stored) * 100.0;
    // Never more than is known: 99.9999… is not 100.
    let coverage = (coverage * 1e4).floor() / 1e4;
    let bits = omissions.hash_factor.map_or(String::new(), |factor| format!(", hash factor {factor:.1}"));
    let omissions = omissions.expected_omissions;
    let omissions = if omissions < 0.01 { format!("{omissions:.1e}") } else { format!("{omissions:.2}") };
    format!(
        "UNDECIDED: no error found, coverage about {coverage} % ({omissions} states expected to be missed{bits})."
    )
}

fn search(report: &Report, basis: &ExplicitBasis) -> String {
    let work = &report.search.counters;
    format!(
        "{} stored, {} generated, depth {}, {} ({} bytes per state), {}",
        count(work.stored, "state"),
        number(work.generated),
        number(work.depth),
        bytes(work.bytes),
        basis.state_bytes,
        time(report.search.elapsed)
    )
}

/// A fault in the words of a user.
pub(crate) fn name(fault: Fault) -> &'static str {
    match fault {
        Fault::Assertion => "an assertion does not hold",
        Fault::InvalidEnd => {
            "deadlock (invalid end state): nothing can move, and not every process is where it may end"
        }
        Fault::UnfinishedTrace => "nothing can move, and the trace is not where it may end",
        Fault::MessagesLeft => "nothing can move, and messages are left in channels",
        Fault::DivisionByZero => "a division by zero",
        Fault::IndexOutOfRange => "an array index is out of range",
        Fault::NoChannel => "a channel variable holds no channel",
        Fault::PollOfRendezvous => "a rendezvous channel is polled",
        Fault::WrongFields => "a send or receive has another number of fields than its channel",
        Fault::BlockedStep => "a d_step cannot go on",
        Fault::TooMany => "more than 255 processes",
        Fault::UnexpectedEvent => "a send or receive does not follow the trace",
        Fault::MatchedTrace => "sends and receives follow the notrace to its end",
        Fault::AmbiguousTrace => "a send or receive follows the trace in two ways",
        Fault::PriorityOutOfRange => "a priority is below 1 or above 255",
        Fault::EndlessStep => "a d_step goes on for ever",
        Fault::Nondeterminism => "a process of a D_proctype can do two things",
        Fault::BrokenPromise => "a channel is used against what another process promises by xr or xs",
        Fault::PromisedRendezvous => "xr or xs is said of a rendezvous channel",
        Fault::EnabledAsksItself => "`enabled` asks for the process itself",
        Fault::OutOfRange => "a value is outside the range of its variable",
        Fault::Sequence => "the events come in a wrong order",
        Fault::Observed => "the claim has come to its end",
    }
}
