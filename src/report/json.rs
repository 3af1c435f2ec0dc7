//! A run as one versioned JSON document.
//!
//! `format` is the form of the document, this file fills it. A change that
//! could break a reader raises [`SCHEMA_VERSION`]. What differs between two
//! runs of the same input stands only in fields whose name ends in `_seconds`.

mod format;
mod lines;
mod simulation;
mod trail;

use crate::diag::{Diagnostic, Severity, Sources, Span, visible_json};
use crate::report::Run;
use crate::verify::explicit::{Aim, BlockedProcess, BlockedStatement, Content, ModelReport, ObserverKind};
use crate::verify::report as found;
use crate::verify::report::Executions;
use crate::verify::{Report, Verdict, outline, unreached};
use format::{
    Answer, Blocked, BlockedEntry, Call, Change, Claims, Constraint, Counterexample, Counts, Coverage,
    Document, EdgeKind, ExecutionsKind, Graph, Kind, Limit, Location, ModelPropertyKind, ModelResult, Place,
    PropertyResult, Related, Remark, Search, SeverityName, Step, Tool, Unreached, UnreachedStatement, Why,
    Work,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use trail::TrailEntries;

pub use simulation::{simulation, simulation_schema};

/// Raised when a reader of the old form could misread the new one.
pub const SCHEMA_VERSION: u32 = 2;

/// The document as text, ending with a newline. `exit_code` is what the
/// process ends with.
pub fn render(run: &Run, exit_code: u8) -> String {
    text_with_lines(&Document::new(run, exit_code), STEP_DEPTH)
}

/// A document as text that is safe to print, ending with a newline.
pub(super) fn text_of(document: &impl Serialize) -> String {
    text_with_lines(document, usize::MAX)
}

/// The same; what is nested deeper than `depth` is on one line.
fn text_with_lines(document: &impl Serialize, depth: usize) -> String {
    visible_json(&lines::text(document, depth)).into_owned()
}

/// How deep the steps of a trail are nested: document, models, model, trail.
const STEP_DEPTH: usize = 4;

/// The JSON schema of the document.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document<'static>).into()
}

impl<'a> Document<'a> {
    fn new(run: &Run<'a>, exit_code: u8) -> Self {
        let results: Vec<PropertyResult> =
            run.reports.iter().map(|report| PropertyResult::new(report, run.sources)).collect();
        let models: Vec<ModelResult> =
            run.models.iter().map(|report| ModelResult::new(report, run.sources)).collect();
        let counts = Counts::new(&results, &models, run.unchecked.len());
        let has_error = run.diagnostics.iter().any(Diagnostic::is_error);
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            configuration: run.configuration.clone(),
            verdict: counts.worst(has_error),
            exit_code,
            counts,
            results,
            models,
            unchecked: run.unchecked.to_vec(),
            diagnostics: remarks(run.diagnostics, run.sources),
            elapsed_seconds: run.elapsed.as_secs_f64(),
        }
    }
}

impl Counts {
    fn new(results: &[PropertyResult], models: &[ModelResult], unchecked: usize) -> Self {
        let of_models = models.iter().map(|it| it.verdict);
        let answers: Vec<Answer> = results.iter().map(|it| it.verdict).chain(of_models).collect();
        let count = |answer: Answer| answers.iter().filter(|it| **it == answer).count();
        Self {
            holds: count(Answer::Holds),
            holds_vacuously: count(Answer::HoldsVacuously),
            violated: count(Answer::Violated),
            undecided: count(Answer::Undecided),
            unchecked,
        }
    }

    /// Bad input outweighs a violation, that a doubt, and that a proof.
    fn worst(&self, has_error: bool) -> Answer {
        let order = [
            (usize::from(has_error), Answer::Error),
            (self.violated, Answer::Violated),
            (self.undecided + self.unchecked, Answer::Undecided),
            (self.holds_vacuously, Answer::HoldsVacuously),
        ];
        order.into_iter().find(|(count, _)| *count > 0).map_or(Answer::Holds, |(_, answer)| answer)
    }
}

impl PropertyResult {
    fn new(report: &Report, sources: &Sources) -> Self {
        let context = |it: &&found::Constraint| it.kind == found::Kind::Context;
        Self {
            property: report.property.clone(),
            file: report.file.clone(),
            description: report.description.clone(),
            model: report.model.clone(),
            settings: report.settings.iter().cloned().collect(),
            verdict: Answer::from(report.verdict),
            complete: !matches!(report.verdict, Verdict::Undecided(_)),
            limit: limit(report.verdict),
            executions: match report.executions {
                Executions::Complete => ExecutionsKind::Complete,
                Executions::Prefixes => ExecutionsKind::Prefixes,
            },
            constraints: report.constraints.iter().map(Constraint::new).collect(),
            assumptions: report.constraints.iter().filter(context).map(|it| it.name.clone()).collect(),
            strategy: report.strategy.clone(),
            claims: Claims::new(&report.claims),
            graph_form: report.graph_form.clone(),
            graph: Graph::new(&report.graph),
            search: Search::new(&report.search),
            counterexample: report.counterexample.as_ref().map(|it| Counterexample::new(it, sources)),
            notes: remarks(&report.notes, sources),
            elapsed_seconds: report.elapsed.as_secs_f64(),
        }
    }
}

impl<'a> ModelResult<'a> {
    fn new(report: &'a ModelReport, sources: &'a Sources) -> Self {
        Self {
            model: report.model.clone(),
            definitions: report.definitions.iter().cloned().collect(),
            verdict: Answer::from(report.verdict),
            complete: !matches!(report.verdict, Verdict::Undecided(_)),
            limit: limit(report.verdict),
            property: report.property.clone(),
            file: report.file.clone(),
            kind: ModelPropertyKind::from(&report.aim),
            fair: report.is_fair,
            coverage: report.omissions.map(|omissions| Coverage {
                ratio: omissions.coverage(report.search.counters.stored),
                expected_omissions: omissions.expected_omissions,
                hash_factor: omissions.hash_factor,
            }),
            met_fault: report.has_met_fault,
            cycle: report.trail.cycle,
            fault: report.fault.map(crate::report::text::fault_name),
            strategy: report.strategy.clone(),
            claims: Claims::new(&report.claims),
            search: Search::new(&report.search),
            state_bytes: report.state_bytes,
            restarts: report.spent.n_restarts,
            abandoned: report.spent.n_steps,
            trail: TrailEntries { steps: &report.trail.steps, sources },
            unreached: report
                .unreached
                .as_ref()
                .map(|all| all.iter().map(|it| Unreached::new(it, sources)).collect()),
            blocked: report.blocked.iter().map(|it| Blocked::new(it, sources)).collect(),
            last: held(&report.last),
            elapsed_seconds: report.elapsed.as_secs_f64(),
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
            why: crate::report::text::obstacle(it.obstacle, sources),
        };
        Self {
            process: blocked.process.clone(),
            may_end: blocked.may_end,
            statements: blocked.statements.iter().map(entry).collect(),
        }
    }
}

impl From<&Aim> for ModelPropertyKind {
    fn from(aim: &Aim) -> Self {
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
            Verdict::Undecided(_) => Self::Undecided,
        }
    }
}

fn limit(verdict: Verdict) -> Option<Limit> {
    let Verdict::Undecided(limit) = verdict else { return None };
    Some(match limit {
        found::Stop::States => Limit::States,
        found::Stop::Memory => Limit::Memory,
        found::Stop::Depth => Limit::Depth,
        found::Stop::Omissions => Limit::Omissions,
        found::Stop::Time => Limit::Time,
        found::Stop::Interrupt => Limit::Interrupt,
    })
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

impl Counterexample {
    fn new(trail: &found::Counterexample, sources: &Sources) -> Self {
        let steps = trail.steps.iter().enumerate();
        Self {
            length: trail.length(),
            prefix_length: trail.prefix,
            steps: steps.map(|(position, step)| Step::new(position + 1, step, sources)).collect(),
        }
    }
}

impl Step {
    fn new(number: usize, step: &found::Step, sources: &Sources) -> Self {
        let change = |it: &found::Change| Change {
            automaton: it.automaton.clone(),
            from: it.from.clone(),
            to: it.to.clone(),
        };
        Self {
            number,
            tasks: step.tasks.clone(),
            label: step.label.clone(),
            event: step.event.clone(),
            edge: match step.edge {
                found::EdgeKind::Start => EdgeKind::Start,
                found::EdgeKind::Control => EdgeKind::Control,
                found::EdgeKind::Parallel => EdgeKind::Parallel,
            },
            places: step.places.iter().map(|place| Place::new(place, sources)).collect(),
            changes: step.changes.iter().map(change).collect(),
        }
    }
}

impl Place {
    fn new(place: &found::Place, sources: &Sources) -> Self {
        let call = |(function, span): &(String, Span)| Call {
            function: function.clone(),
            location: Location::new(*span, sources),
        };
        Self {
            location: Location::new(place.span, sources),
            source: sources.line(place.span).to_string(),
            stack: place.stack.iter().map(call).collect(),
        }
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

    /// Removes what may differ between two runs.
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
