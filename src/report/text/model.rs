//! Reports of the explicit engine.

use super::measure::{bytes, count, number, time};
use super::{Detail, EXPLICIT, Writer};
use crate::diag::{Diagnostic, Sources};
use crate::verify::explicit::{Aim, Fault, Form, Observer, ObserverKind, ReductionUsed, Semantics};
use crate::verify::report::{Counterexample, Executions, ExplicitBasis, Stop};
use crate::verify::trail::Trail;
use crate::verify::{Report, Verdict};

impl Writer<'_> {
    /// Writes the full report of one property, without the notes that were shown
    /// before.
    pub(super) fn model(
        &mut self,
        report: &Report,
        basis: &ExplicitBasis,
        sources: &Sources,
        shown_before: &mut Vec<Diagnostic>,
    ) {
        self.title(&format!("{}: {}", report.model, report.property));
        self.description(report);
        if !report.settings.is_empty() {
            let settings: Vec<String> =
                report.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
            self.field("settings", &settings.join(", "));
        }
        self.field("engine", EXPLICIT.name);
        self.field("checked", &checked(basis));
        self.assumed(&basis.assumptions);
        self.field("strategy", &strategy(report));
        self.field("search", &search(report, basis));
        if let Some(improvement) = &basis.improvement {
            self.improvement(improvement);
        }
        self.reduction(basis, report.verdict);
        self.unreached(basis, sources);
        self.notes(report, sources, shown_before);
        self.line("");
        if basis.has_met_fault {
            let line = "Some runs end in an error; check the property `safety` to find it.";
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
                    Stop::Depth if report.claims.complete => "an atomic sequence is too long or need not end",
                    _ => super::limit_and_advice(limit).0,
                };
                let line = format!("UNDECIDED: {what}; not every reachable state was visited.");
                self.line(self.paint.doubtful(line));
                self.line("");
            }
            Verdict::HoldsVacuously if !basis.assumptions.is_empty() => {
                let line = "VACUOUS: no run satisfies the assumptions, so nothing was proved.";
                self.line(self.paint.doubtful(line));
                self.line("");
            }
            Verdict::HoldsVacuously => {
                self.line(
                    self.paint.doubtful("VACUOUS: no run reaches a valid end state, so nothing was proved."),
                );
                self.line(
                    "  A safety property, which a prefix of a run can violate, is also checked on infinite runs:",
                );
                self.line("  for example, a property under `none:` that ends in `.*`.");
                self.line("");
            }
            Verdict::Holds | Verdict::Inconclusive => {}
        }
    }

    /// Writes which steps were searched, unless that is clear: all that the user
    /// requested, or all because there was nothing to leave out.
    fn reduction(&mut self, basis: &ExplicitBasis, verdict: Verdict) {
        let text = match basis.reduction {
            ReductionUsed::Stubborn if verdict == Verdict::Holds && basis.unreached.is_none() => {
                let hint = match basis.aim {
                    Aim::Safety => "; --reduction none lists unreached statements",
                    _ => "",
                };
                format!("stubborn sets{hint}")
            }
            ReductionUsed::Stubborn => "stubborn sets".to_string(),
            ReductionUsed::None => return,
            ReductionUsed::Refused(_) if self.style.detail != Detail::Verbose => return,
            ReductionUsed::Refused(why) => format!("none: {why}"),
        };
        self.field("reduction", &text);
    }

    pub(super) fn trail(&mut self, report: &Report, basis: &ExplicitBasis, sources: &Sources) {
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

/// Returns what was checked.
fn checked(basis: &ExplicitBasis) -> String {
    let what = match &basis.aim {
        Aim::Safety => return safety(basis.semantics),
        Aim::Sequence(_, sequence) => match sequence.executions {
            Executions::Prefixes => "the events of every run satisfy the property",
            Executions::Complete => {
                "the events of every run that reaches a valid end state satisfy the property"
            }
        },
        Aim::Acceptance => "no run visits an accept label infinitely often or ends at one",
        Aim::Observer(observer) => match observer.kind {
            ObserverKind::Claim => "the claim is never satisfied",
            ObserverKind::Formula(Form::Invariant) => "the invariant holds in every state",
            ObserverKind::Formula(Form::Progress) => "every cycle visits a progress label",
            ObserverKind::Formula(Form::Other) => "the formula holds in every run",
        },
    };
    let fair = if basis.is_fair { ", assuming weak fairness" } else { "" };
    format!("{what}{fair}")
}

fn safety(semantics: Semantics) -> String {
    let parts = [
        (!semantics.allows_failed_assertions, "assertions"),
        (!semantics.allows_blocked_end, "deadlocks (invalid end states)"),
        (!semantics.allows_broken_promises, "runtime errors"),
        (semantics.allows_broken_promises, "runtime errors except violations of xr and xs"),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|(is, _)| *is).map(|(_, part)| part).collect();
    parts.join(", ")
}

fn verdict(found: &Counterexample, basis: &ExplicitBasis) -> String {
    let steps = |number: usize| count(number as u64, "step");
    let n_steps = found.trail.n_steps;
    match found.trail.cycle {
        Some(start) if start == n_steps => {
            format!("VIOLATED after {}, where the run ends.", steps(start))
        }
        Some(start) => {
            format!("VIOLATED after {}, by a cycle of {}.", steps(start), steps(n_steps - start))
        }
        None if is_without_trail(&found.trail) => {
            "VIOLATED; a limit was reached before the trail was computed.".to_string()
        }
        None => format!("VIOLATED after {}: {}.", steps(n_steps), what(found, basis)),
    }
}

/// Returns whether a limit was reached before the first step of the trail was
/// computed.
fn is_without_trail(trail: &Trail) -> bool {
    trail.n_steps == 0 && trail.cut_short.is_some()
}

fn what(found: &Counterexample, basis: &ExplicitBasis) -> &'static str {
    match (found.fault, &basis.aim) {
        (Some(Fault::Observed), Aim::Observer(Observer { kind: ObserverKind::Formula(form), .. })) => {
            match form {
                Form::Invariant => "the invariant does not hold",
                Form::Progress | Form::Other => "the formula is violated by every continuation",
            }
        }
        (Some(fault), _) => name(fault),
        (None, _) => "an error",
    }
}

fn strategy(report: &Report) -> String {
    let promise = match report.trail() {
        Some(_) if report.claims.shortest => "; no error is reached by fewer statements",
        Some(_) if is_known_shortest(report) => "",
        Some(trail) if trail.cycle.is_none() && !is_without_trail(trail) => "; a shorter trail may exist",
        _ => "",
    };
    format!("{}{promise}", report.strategy)
}

/// Returns whether an improved trail is a shortest one, which is reported with its
/// length.
fn is_known_shortest(report: &Report) -> bool {
    let improvement = report.explicit().and_then(|it| it.improvement.as_ref());
    improvement.is_some_and(|it| it.is_shortest)
}

/// Returns the result of a search that may have missed states.
fn no_error_found(report: &Report, basis: &ExplicitBasis) -> String {
    let Some(omissions) = basis.omissions else { return String::new() };
    let coverage = omissions.coverage(report.search.counters.stored) * 100.0;
    // Never more than is known: 99.9999… is not 100.
    let coverage = (coverage * 1e4).floor() / 1e4;
    let bits = omissions.hash_factor.map_or(String::new(), |factor| format!(", hash factor {factor:.1}"));
    let risk = match basis.reduction {
        ReductionUsed::Stubborn => {
            "; with stubborn sets, a missed state can hide more than its own successors"
        }
        ReductionUsed::None | ReductionUsed::Refused(_) => "",
    };
    let omissions = omissions.expected_omissions;
    let omissions = if omissions < 0.01 { format!("{omissions:.1e}") } else { format!("{omissions:.2}") };
    format!(
        "UNDECIDED: no error found, coverage about {coverage} % ({omissions} states expected to be missed{bits}){risk}."
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

/// Returns the text of a runtime error.
pub(crate) fn name(fault: Fault) -> &'static str {
    match fault {
        Fault::Assertion => "assertion violated",
        Fault::InvalidEnd => {
            "deadlock (invalid end state): no process can move, and not every process is at a valid end state"
        }
        Fault::UnfinishedTrace => "no process can move, and the trace is not at a valid end state",
        Fault::MessagesLeft => "no process can move, and messages are left in channels",
        Fault::DivisionByZero => "division by zero",
        Fault::IndexOutOfRange => "array index out of range",
        Fault::NoChannel => "use of an uninitialised channel variable",
        Fault::PollOfRendezvous => "poll of a rendezvous channel",
        Fault::WrongFields => "a send or receive has the wrong number of fields for its channel",
        Fault::BlockedStep => "a d_step is blocked after its first statement",
        Fault::TooMany => "more than 255 processes",
        Fault::UnexpectedEvent => "a send or receive does not match the trace",
        Fault::MatchedTrace => "the sends and receives match the notrace completely",
        Fault::AmbiguousTrace => "a send or receive matches two transitions of the trace",
        Fault::PriorityOutOfRange => "a priority is outside the range 1 to 255",
        Fault::EndlessStep => "a d_step never ends",
        Fault::Nondeterminism => "a process of a D_proctype has two enabled statements",
        Fault::BrokenPromise => "a use of a channel violates the xr or xs of another process",
        Fault::PromisedRendezvous => "xr or xs is declared for a rendezvous channel",
        Fault::EnabledAsksItself => "`enabled` is applied to the process that evaluates it",
        Fault::OutOfRange => "a value is outside the range of its variable",
        Fault::MessageOutOfRange => "a message is outside the type of its channel",
        Fault::Overflow => "a number does not fit in 64 bits",
        Fault::Sequence => "the sequence of events violates the property",
        Fault::Observed => "the claim has reached its end",
    }
}
