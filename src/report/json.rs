//! A run as one versioned JSON document.
//!
//! `format` defines the document, this file fills it. A change that could break
//! a reader increases [`SCHEMA_VERSION`]. Only fields whose name ends in
//! `_seconds` differ between two runs of the same input.

mod format;
mod lines;
mod refinement;
mod simulation;
mod steps;

use crate::diag::{Diagnostic, Severity, Sources, Span, visible_json};
use crate::report::{Run, constraint_arguments, text};
use crate::verify::explicit::{Aim, BlockedProcess, BlockedStatement, Content, ObserverKind, ReductionUsed};
use crate::verify::report as found;
use crate::verify::report::{Basis, Executions};
use crate::verify::{Report, Verdict, outline, trail, unreached};
use format::{
    Answer, Blocked, BlockedEntry, Budget, Call, Claims, Confirmation, Constraint, Counterexample, Counts,
    Coverage, Document, EngineName, ExecutionsKind, Explicit, Flow, Graph, ImpossibleStep, ImproveAction,
    Improved, Kind, LearnedRule, Limit, Location, OutcomeName, Place, PropertyKind, PropertyResult, Proposal,
    Proposals, ProvingSet, Reduction, Related, Remark, Search, SeverityName, Tool, TrailLength, Unreached,
    UnreachedStatement, Why, Work,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use steps::Steps;

pub use refinement::{RefinedProperty, RefinementRun, refinement, refinement_schema};
pub use simulation::{simulation, simulation_schema};

/// Version of the format; increased when a reader of the old format could
/// misread the new one.
pub const SCHEMA_VERSION: u32 = 4;

/// Renders the document, ending with a newline. `exit_code` is that of the
/// process.
pub fn render(run: &Run, exit_code: u8) -> String {
    text_with_lines(&Document::new(run, exit_code), STEP_DEPTH)
}

/// Renders a document as text that is safe to print, ending with a newline.
pub(super) fn text_of(document: &impl Serialize) -> String {
    text_with_lines(document, usize::MAX)
}

/// Renders a document; values nested deeper than `depth` are on one line.
fn text_with_lines(document: &impl Serialize, depth: usize) -> String {
    visible_json(&lines::text(document, depth)).into_owned()
}

/// Nesting depth of the steps: document, results, result, counterexample,
/// steps.
const STEP_DEPTH: usize = 5;

/// Returns the JSON schema of the document.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document<'static>).into()
}

impl<'a> Document<'a> {
    fn new(run: &Run<'a>, exit_code: u8) -> Self {
        let results: Vec<PropertyResult> =
            run.reports.iter().map(|report| PropertyResult::new(report, run.sources)).collect();
        let counts = Counts::new(&results, run.unchecked.len());
        let has_error = run.diagnostics.iter().any(Diagnostic::is_error);
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            configuration: run.configuration.clone(),
            verdict: counts.worst(has_error),
            exit_code,
            counts,
            results,
            unchecked: run.unchecked.iter().map(ToString::to_string).collect(),
            diagnostics: remarks(run.diagnostics, run.sources),
            elapsed_seconds: run.elapsed.as_secs_f64(),
        }
    }
}

impl Counts {
    fn new(results: &[PropertyResult], unchecked: usize) -> Self {
        let count = |answer: Answer| results.iter().filter(|it| it.verdict == answer).count();
        Self {
            holds: count(Answer::Holds),
            holds_vacuously: count(Answer::HoldsVacuously),
            violated: count(Answer::Violated),
            inconclusive: count(Answer::Inconclusive),
            undecided: count(Answer::Undecided),
            unchecked,
        }
    }

    /// Returns the worst result: bad input, then a violation, then an undecided
    /// or vacuous result, then a proof.
    fn worst(&self, has_error: bool) -> Answer {
        let order = [
            (usize::from(has_error), Answer::Error),
            (self.violated, Answer::Violated),
            (self.undecided + self.unchecked, Answer::Undecided),
            (self.inconclusive, Answer::Inconclusive),
            (self.holds_vacuously, Answer::HoldsVacuously),
        ];
        order.into_iter().find(|(count, _)| *count > 0).map_or(Answer::Holds, |(_, answer)| answer)
    }
}

impl<'a> PropertyResult<'a> {
    fn new(report: &'a Report, sources: &'a Sources) -> Self {
        Self {
            property: report.property.clone(),
            file: report.file.clone(),
            description: report.description.clone(),
            kind: PropertyKind::from(&report.basis),
            model: report.model.clone(),
            settings: report.settings.iter().cloned().collect(),
            engine: match report.basis {
                Basis::Flow(_) => EngineName::Flow,
                Basis::Explicit(_) => EngineName::Explicit,
            },
            verdict: Answer::from(report.verdict),
            complete: !matches!(report.verdict, Verdict::Undecided(_)),
            limit: limit(report.verdict),
            strategy: report.strategy.clone(),
            claims: Claims::new(&report.claims),
            search: Search::new(&report.search),
            flow: report.flow().map(Flow::new),
            explicit: report.explicit().map(|it| Explicit::new(it, report, sources)),
            counterexample: report.counterexample.as_ref().map(|it| Counterexample::new(it, sources)),
            confirmation: report.confirmation.as_deref().map(|it| Confirmation::new(it, sources)),
            notes: remarks(&report.notes, sources),
            elapsed_seconds: report.elapsed.as_secs_f64(),
        }
    }
}

impl<'a> Confirmation<'a> {
    fn new(found: &'a found::Confirmation, sources: &'a Sources) -> Self {
        let other = found.other.as_deref();
        let path = other.filter(|it| it.flow().is_some()).and_then(|it| it.counterexample.as_ref());
        let (outcome, why) = match &found.outcome {
            found::Outcome::Confirmed => (OutcomeName::Confirmed, None),
            found::Outcome::Refuted => (OutcomeName::Refuted, None),
            found::Outcome::Stopped(stop) => (OutcomeName::Stopped, Some(text::stopped(*stop, found.budget))),
            found::Outcome::Refused(why) => (OutcomeName::Refused, Some(why.clone())),
        };
        Self {
            outcome,
            why,
            execution: found.is_execution,
            impossible: found.impossible.as_ref().map(|it| ImpossibleStep {
                step: it.step,
                reasons: it.reasons.iter().map(|it| text::reason(it, sources)).collect(),
            }),
            learned: found.learned.as_ref().map(|it| LearnedRule {
                name: it.name.clone(),
                proved: it.is_proved,
                text: it.text.clone(),
            }),
            proof: found.proof.as_ref().map(|it| ProvingSet {
                constraints: it.constraints.clone(),
                arguments: constraint_arguments(&it.constraints),
                minimal: it.is_minimal,
            }),
            budget: found.budget.map(|it| Budget {
                states: it.max_states,
                bytes: it.max_bytes,
                seconds: it.timeout.as_secs_f64(),
            }),
            search: other.map(|it| Search::new(&it.search)),
            flow: other.and_then(Report::flow).map(Flow::new),
            path: path.map(|it| Counterexample::new(it, sources)),
            elapsed_seconds: found.elapsed.as_secs_f64(),
        }
    }
}

impl Flow {
    fn new(basis: &found::FlowBasis) -> Self {
        let context = |it: &&found::Constraint| it.kind == found::Kind::Context;
        Self {
            executions: match basis.executions {
                Executions::Complete => ExecutionsKind::Complete,
                Executions::Prefixes => ExecutionsKind::Prefixes,
            },
            constraints: basis.constraints.iter().map(Constraint::new).collect(),
            assumptions: basis.constraints.iter().filter(context).map(|it| it.name.clone()).collect(),
            graph_form: basis.graph_form.clone(),
            graph: Graph::new(&basis.graph),
        }
    }
}

impl Explicit {
    fn new(basis: &found::ExplicitBasis, report: &Report, sources: &Sources) -> Self {
        let unreached =
            |all: &Vec<unreached::Unreached>| all.iter().map(|it| Unreached::new(it, sources)).collect();
        Self {
            fair: basis.is_fair,
            assumptions: basis.assumptions.iter().map(|it| it.name.clone()).collect(),
            events: match &basis.aim {
                Aim::Sequence(_, sequence) => sequence.labels().map(String::from).collect(),
                _ => Vec::new(),
            },
            coverage: basis.omissions.map(|omissions| Coverage {
                ratio: omissions.coverage(report.search.counters.stored),
                expected_omissions: omissions.expected_omissions,
                hash_factor: omissions.hash_factor,
            }),
            state_bytes: basis.state_bytes,
            restarts: basis.spent.n_restarts,
            abandoned: basis.spent.n_steps,
            met_fault: basis.has_met_fault,
            reduction: match basis.reduction {
                ReductionUsed::Stubborn => Reduction::Stubborn,
                ReductionUsed::None | ReductionUsed::Refused(_) => Reduction::None,
            },
            reduction_refused: match basis.reduction {
                ReductionUsed::Refused(why) => Some(why.to_string()),
                ReductionUsed::Stubborn | ReductionUsed::None => None,
            },
            unreached: basis.unreached.as_ref().map(unreached),
            improvement: basis.improvement.as_ref().map(Improved::from),
        }
    }
}

impl From<&found::Improvement> for Improved {
    fn from(found: &found::Improvement) -> Self {
        let length = |it: &found::TrailLength| TrailLength {
            steps: it.steps,
            statements: it.statements,
            prefix: it.prefix,
            switches: it.switches,
        };
        let action = |it: &found::ImproveAction| ImproveAction {
            how: it.how.name().to_string(),
            statements: it.statements,
            expanded: it.n_expanded,
            complete: it.is_complete,
        };
        Self {
            before: length(&found.before),
            after: length(&found.after),
            actions: found.actions.iter().map(action).collect(),
            shortest: found.is_shortest,
            other_error: found.is_other_error,
            limit: found.stopped.map(Limit::from),
        }
    }
}

fn held(all: &[Content]) -> BTreeMap<String, String> {
    all.iter().map(|it| (it.name.clone(), it.value.clone())).collect()
}

impl Blocked {
    fn new(blocked: &BlockedProcess, sources: &Sources) -> Self {
        let entry = |it: &BlockedStatement| BlockedEntry {
            statement: outline::statement(it.span, sources),
            location: Location::new(it.span, sources),
            stack: it.calls.iter().map(|it| Call::new(it, sources)).collect(),
            why: crate::report::text::obstacle(&it.obstacle, sources),
        };
        Self {
            process: blocked.process.clone(),
            may_end: blocked.may_end,
            statements: blocked.statements.iter().map(entry).collect(),
        }
    }
}

impl From<&Basis> for PropertyKind {
    fn from(basis: &Basis) -> Self {
        let aim = match basis {
            Basis::Flow(_) => return Self::Sequence,
            Basis::Explicit(basis) => &basis.aim,
        };
        match aim {
            Aim::Safety => Self::Safety,
            Aim::Acceptance => Self::Acceptance,
            Aim::Sequence(..) => Self::Sequence,
            Aim::Observer(observer) => match observer.kind {
                ObserverKind::Claim => Self::Claim,
                ObserverKind::Formula(_) => Self::Formula,
            },
        }
    }
}

impl Unreached {
    fn new(found: &unreached::Unreached, sources: &Sources) -> Self {
        let statement = |it: &unreached::UnreachedStatement| UnreachedStatement {
            statement: outline::statement(it.span, sources),
            location: Location::new(it.span, sources),
            why: match it.why {
                unreached::Why::NoPath => Why::NoPath,
                unreached::Why::NotReached => Why::NotReached,
                unreached::Why::NeverPossible => Why::NeverPossible,
            },
        };
        Self {
            proctype: found.proctype.clone(),
            n_statements: found.n_statements,
            statements: found.statements.iter().map(statement).collect(),
        }
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Holds,
            Verdict::HoldsVacuously => Self::HoldsVacuously,
            Verdict::Violated => Self::Violated,
            Verdict::Inconclusive => Self::Inconclusive,
            Verdict::Undecided(_) => Self::Undecided,
        }
    }
}

fn limit(verdict: Verdict) -> Option<Limit> {
    match verdict {
        Verdict::Undecided(stop) => Some(Limit::from(stop)),
        _ => None,
    }
}

impl From<found::Stop> for Limit {
    fn from(stop: found::Stop) -> Self {
        match stop {
            found::Stop::States => Self::States,
            found::Stop::Memory => Self::Memory,
            found::Stop::Depth => Self::Depth,
            found::Stop::Omissions => Self::Omissions,
            found::Stop::Time => Self::Time,
            found::Stop::Interrupt => Self::Interrupt,
        }
    }
}

impl Constraint {
    fn new(constraint: &found::Constraint) -> Self {
        let kind = match constraint.kind {
            found::Kind::Task => Kind::Task,
            found::Kind::Variable => Kind::Variable,
            found::Kind::Context => Kind::Context,
            found::Kind::Adjacency => Kind::Adjacency,
        };
        Self { name: constraint.name.clone(), kind, states: constraint.n_states }
    }
}

impl Graph {
    fn new(size: &found::GraphSize) -> Self {
        Self {
            nodes: size.nodes,
            communication_nodes: size.communication_nodes,
            control_edges: size.control_edges,
            mip_edges: size.mip_edges,
        }
    }
}

impl Claims {
    fn new(claims: &found::Claims) -> Self {
        Self { complete: claims.complete, shortest: claims.shortest, shortest_prefix: claims.shortest_prefix }
    }
}

impl Search {
    fn new(cost: &found::SearchCost) -> Self {
        let stage = |stage: &found::StageCost| Work::new(&stage.counters, stage.elapsed);
        Self {
            work: Work::new(&cost.counters, cost.elapsed),
            stages: cost.stages.iter().map(stage).collect(),
        }
    }
}

impl Work {
    fn new(counters: &found::Counters, elapsed: Duration) -> Self {
        Self {
            generated: counters.generated,
            stored: counters.stored,
            expanded: counters.expanded,
            reopened: counters.reopened,
            dropped: counters.dropped,
            depth: counters.depth,
            peak_frontier: counters.peak_frontier,
            bytes: counters.bytes,
            elapsed_seconds: elapsed.as_secs_f64(),
        }
    }
}

impl<'a> Counterexample<'a> {
    fn new(found: &'a found::Counterexample, sources: &'a Sources) -> Self {
        Self {
            length: found.length(),
            prefix_length: found.prefix,
            cycle: found.trail.cycle,
            fault: found.fault.map(crate::report::text::fault_name),
            steps: Steps { steps: &found.trail.steps, sources },
            blocked: found.blocked.iter().map(|it| Blocked::new(it, sources)).collect(),
            last: held(&found.last),
            proposals: found.proposals.as_ref().map(Proposals::new),
        }
    }
}

impl Proposals {
    fn new(found: &found::Proposals) -> Self {
        let proposal = |it: &found::Proposal| Proposal {
            arguments: constraint_arguments(it.names()),
            constraints: it.constraints.iter().map(Constraint::new).collect(),
            step: it.step,
        };
        let named = |it: &found::NamedProposal| Proposal {
            arguments: constraint_arguments([&it.name]),
            ..proposal(&it.proposal)
        };
        Self {
            complete: found.is_complete,
            rejecting: found.rejecting.iter().map(proposal).collect(),
            sets: found.sets.iter().map(named).collect(),
            assumptions: found.assumptions.iter().map(named).collect(),
        }
    }
}

impl Place {
    fn new(place: &trail::Place, sources: &Sources) -> Self {
        Self {
            location: Location::new(place.span, sources),
            source: Some(sources.line(place.span).to_string()),
            stack: place.stack.iter().map(|it| Call::new(it, sources)).collect(),
        }
    }
}

impl Call {
    fn new((function, span): &(String, Span), sources: &Sources) -> Self {
        Self { function: function.clone(), location: Location::new(*span, sources) }
    }
}

impl Location {
    fn new(span: Span, sources: &Sources) -> Self {
        let position = sources.position(span);
        Self { file: sources.get(span.source).name.clone(), line: position.line, column: position.column }
    }
}

fn remarks(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Remark> {
    let remark = |it: &Diagnostic| Remark {
        code: it.code,
        severity: match it.severity {
            Severity::Note => SeverityName::Note,
            Severity::Warning => SeverityName::Warning,
            Severity::Error => SeverityName::Error,
        },
        message: it.message.clone(),
        label: it.label.clone(),
        help: it.help.clone(),
        location: it.span.map(|span| Location::new(span, sources)),
        related: it
            .related
            .iter()
            .map(|(span, message)| Related {
                message: message.clone(),
                location: Location::new(*span, sources),
            })
            .collect(),
    };
    diagnostics.iter().map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::configuration::Configuration;
    use crate::report::samples;
    use expect_test::{expect, expect_file};
    use serde_json::Value;

    fn document(reports: &[Report]) -> Value {
        let sources = samples::sources();
        let configuration = Configuration::default();
        let text = render(&samples::run(reports, &[], &sources, &configuration), 1);
        serde_json::from_str(&text).expect("the document is JSON")
    }

    /// Removes the fields that may differ between two runs.
    fn strip_seconds(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|key, _| !key.ends_with("_seconds"));
                map.values_mut().for_each(strip_seconds);
            }
            Value::Array(items) => items.iter_mut().for_each(strip_seconds),
            _ => (),
        }
    }

    #[test]
    fn the_document_says_all_the_report_says() {
        let mut document = document(&[samples::violated(), samples::holds()]);
        strip_seconds(&mut document);
        let text = serde_json::to_string_pretty(&document).expect("a value is JSON");
        expect_file!["samples/two-properties.json"].assert_eq(&(text + "\n"));
    }

    #[test]
    fn the_worst_answer_is_the_answer() {
        let verdict = |reports: &[Report]| document(reports)["verdict"].to_string();
        let all = [samples::holds(), samples::vacuous(), samples::undecided(), samples::violated()];
        let shown: Vec<String> = (1..=all.len()).map(|n| verdict(&all[..n])).collect();
        expect![[r#""holds" "holds_vacuously" "undecided" "violated""#]].assert_eq(&shown.join(" "));
    }

    #[test]
    fn the_schema_names_every_field_of_a_document() {
        let schema = schema().to_string();
        fn visit(value: &Value, schema: &str) {
            match value {
                Value::Object(map) => {
                    for (key, value) in map {
                        assert!(key == "N" || schema.contains(&format!("\"{key}\"")), "{key}");
                        visit(value, schema);
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| visit(item, schema)),
                _ => (),
            }
        }
        visit(&document(&[samples::violated(), samples::holds()]), &schema);
    }
}
