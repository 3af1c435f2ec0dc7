//! The results of `trapline refine` as a document.

use super::format::{Answer, EngineName, Limit, PropertyResult, Tool};
use super::{limit, text_with_lines};
use crate::diag::Sources;
use crate::refine::{Addition, Refinement, Round};
use crate::report::constraint_arguments;
use crate::verify::Verdict;
use crate::verify::report::Stop;
use schemars::JsonSchema;
use serde::Serialize;

/// Version of the format; increased when a reader of the old format could
/// misread the new one.
const SCHEMA_VERSION: u32 = 1;

/// Nesting depth of the steps: document, results, result, report,
/// counterexample, steps.
const STEP_DEPTH: usize = 6;

/// The results of one run of `trapline refine`.
#[derive(Clone, Copy, Debug)]
pub struct RefinementRun<'a> {
    /// The property file.
    pub file: &'a str,
    /// The properties that have a result.
    pub refined: &'a [RefinedProperty],
    /// The properties that were not reached before a limit.
    pub unfinished: &'a [String],
    /// The limit.
    pub stopped: Option<Stop>,
    /// The texts that spans refer to.
    pub sources: &'a Sources,
}

/// The result for one property.
#[derive(Clone, Debug)]
pub struct RefinedProperty {
    /// The result of the loop.
    pub refinement: Refinement,
    /// The constraints that were written into the property file, if any.
    pub written: Option<Vec<String>>,
}

/// The result of one run of `trapline refine`.
#[derive(Serialize, JsonSchema)]
struct Document<'a> {
    schema_version: u32,
    tool: Tool,
    /// The property file.
    file: String,
    /// The exit code of the process: 0 holds, 1 violated, 3 undecided or vacuous.
    exit_code: u8,
    /// One per property, in the order of the file.
    results: Vec<RefinedResult<'a>>,
    /// Properties that were not reached before a limit.
    unfinished: Vec<String>,
    /// The limit, if properties are unfinished.
    limit: Option<Limit>,
}

/// The refinement of one property.
#[derive(Serialize, JsonSchema)]
struct RefinedResult<'a> {
    property: String,
    verdict: Answer,
    /// The engine that found the verdict. The explicit engine decides if no constraint rejects a
    /// counterexample of the flow engine.
    engine: EngineName,
    /// Why the loop ended before its end, if it did.
    limit: Option<Limit>,
    /// Constraints of the command line with which the loop began; they are never dropped.
    given: Vec<String>,
    /// Added constraints that the proof needs, in order. Without a proof by the flow engine, the
    /// constraints that were added so far.
    needed: Vec<String>,
    /// Added constraints that the proof does not need.
    dropped: Vec<String>,
    /// Arguments of the command line that add `needed`.
    arguments: String,
    /// Whether no constraint of `needed` can be left out of the proof.
    minimal: bool,
    /// Arguments that add assumptions, which are not checked and were not added. They reject the
    /// last counterexample of the flow engine.
    assumptions: Vec<String>,
    /// The constraints of the property in its file after `--write`; null if nothing was written.
    written: Option<Vec<String>>,
    /// The checks of the loop.
    rounds: Vec<RoundEntry>,
    /// Number of checks after the proof, to drop constraints.
    n_reductions: usize,
    /// Rules that were learned. Proved ones may be among `needed`, others are only offered.
    learned: Vec<LearnedEntry>,
    /// What the explicit engine says about the property; null if it was not asked.
    explicit: Option<ExactEntry>,
    /// The last report, as in a report of `check`.
    report: PropertyResult<'a>,
    elapsed_seconds: f64,
}

/// A rule about the order of events that rejects a counterexample.
#[derive(Serialize, JsonSchema)]
struct LearnedEntry {
    /// The path of its constraint file, which exists only after `--write`.
    path: String,
    /// Whether every execution satisfies it; otherwise it is an assumption.
    proved: bool,
    /// The constraint file.
    text: String,
}

/// The verdict of the explicit engine.
#[derive(Serialize, JsonSchema)]
struct ExactEntry {
    /// `undecided` if its budget ended.
    verdict: Answer,
    /// States stored.
    stored: u64,
    elapsed_seconds: f64,
}

/// One check of the loop.
#[derive(Serialize, JsonSchema)]
struct RoundEntry {
    verdict: Answer,
    engine: EngineName,
    /// Number of steps of the counterexample up to the violation; 0 without one.
    steps: usize,
    /// Node-tuples or states stored.
    stored: u64,
    /// Constraints that were added because of the counterexample.
    added: Vec<Added>,
    elapsed_seconds: f64,
}

/// Constraints that were added together.
#[derive(Serialize, JsonSchema)]
struct Added {
    constraints: Vec<String>,
    /// The number of the first step of the counterexample that cannot happen, from 1.
    step: usize,
    /// Whether they reject a further counterexample, found with the constraints before them, and not
    /// that of the round.
    further: bool,
    /// Whether they contain an assumption, which is not checked.
    assumption: bool,
}

/// Returns the JSON schema of the document.
pub fn refinement_schema() -> serde_json::Value {
    schemars::schema_for!(Document<'static>).into()
}

/// Renders the results, ending with a newline.
pub fn refinement(run: &RefinementRun, exit_code: u8) -> String {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        file: run.file.to_string(),
        exit_code,
        results: run.refined.iter().map(|it| RefinedResult::new(it, run.sources)).collect(),
        unfinished: run.unfinished.to_vec(),
        limit: run.stopped.and_then(|it| limit(Verdict::Undecided(it))),
    };
    text_with_lines(&document, STEP_DEPTH)
}

impl<'a> RefinedResult<'a> {
    fn new(refined: &'a RefinedProperty, sources: &'a Sources) -> Self {
        let RefinedProperty { refinement, written } = refined;
        let assumptions = refinement.assumptions.iter();
        Self {
            property: refinement.report.property.clone(),
            verdict: Answer::from(refinement.verdict),
            engine: engine(refinement.report.explicit().is_some()),
            limit: refinement.stopped.and_then(|it| limit(Verdict::Undecided(it))),
            given: refinement.given.clone(),
            needed: refinement.needed.clone(),
            dropped: refinement.dropped.clone(),
            arguments: constraint_arguments(&refinement.needed),
            minimal: refinement.is_minimal,
            assumptions: assumptions.map(|it| constraint_arguments([&it.name])).collect(),
            written: written.clone(),
            rounds: refinement.rounds.iter().map(RoundEntry::new).collect(),
            n_reductions: refinement.n_reductions,
            learned: refinement
                .learned
                .iter()
                .map(|(path, it)| LearnedEntry {
                    path: path.clone(),
                    proved: it.is_proved,
                    text: it.text.clone(),
                })
                .collect(),
            explicit: refinement.exact.map(|it| ExactEntry {
                verdict: Answer::from(it.verdict),
                stored: it.n_stored,
                elapsed_seconds: it.elapsed.as_secs_f64(),
            }),
            report: PropertyResult::new(&refinement.report, sources),
            elapsed_seconds: refinement.elapsed.as_secs_f64(),
        }
    }
}

impl RoundEntry {
    fn new(round: &Round) -> Self {
        let added = |it: &Addition| Added {
            constraints: it.constraints.clone(),
            step: it.step,
            further: it.is_further,
            assumption: it.is_assumption,
        };
        Self {
            verdict: Answer::from(round.verdict),
            engine: engine(round.is_exact),
            steps: round.n_steps,
            stored: round.n_stored,
            added: round.added.iter().map(added).collect(),
            elapsed_seconds: round.elapsed.as_secs_f64(),
        }
    }
}

fn engine(is_explicit: bool) -> EngineName {
    if is_explicit { EngineName::Explicit } else { EngineName::Flow }
}
