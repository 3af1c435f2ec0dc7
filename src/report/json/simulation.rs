//! A run of a model as a document.

use super::format::{Blocked, Step, Tool};
use super::steps::Steps;
use super::{held, text_with_lines};
use crate::diag::Sources;
use crate::report::text::ending;
use crate::verify::simulate::{Ending, Simulated, Stopped};
use crate::verify::trail::Trail;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the format; increased when a reader of the old format could
/// misread the new one.
const SCHEMA_VERSION: u32 = 2;

/// Nesting depth of the steps: document, steps.
const STEP_DEPTH: usize = 2;

/// One run of `trapline simulate`.
#[derive(Serialize, JsonSchema)]
struct Document<'a> {
    schema_version: u32,
    tool: Tool,
    /// The file of the model.
    model: String,
    /// The seed of the random choices, if any.
    seed: Option<u64>,
    end: EndKind,
    /// The reason for the end, as text.
    message: String,
    fault: Option<&'static str>,
    n_steps: usize,
    /// Where the cycle of a trail begins.
    cycle: Option<usize>,
    #[schemars(with = "Vec<Step>")]
    steps: Steps<'a>,
    /// Where each process is blocked, if the run ends in an invalid end state.
    blocked: Vec<Blocked>,
    /// The values of the variables at the end.
    last: BTreeMap<String, String>,
}

/// Why a run ended.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EndKind {
    /// Every process has ended.
    Ended,
    /// No process can move, and every process is at a valid end state.
    AtRest,
    /// A runtime error; `fault` names it.
    Error,
    /// The number of steps or another limit was reached, or the user stopped
    /// it; `message` says which.
    Stopped,
    /// The trail ends here; the run could continue.
    TrailEnded,
    /// The rest of the trail repeats forever.
    Repeats,
    /// The claim has reached its end.
    Claim,
    /// The property of the recorded counterexample is violated here.
    Violated,
}

/// Returns the JSON schema of the document.
pub fn simulation_schema() -> serde_json::Value {
    schemars::schema_for!(Document).into()
}

/// Renders a run as text, ending with a newline.
pub fn simulation(
    model: &str,
    seed: Option<u64>,
    trail: &Trail,
    simulated: &Simulated,
    sources: &Sources,
) -> String {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        model: model.to_string(),
        seed,
        end: match simulated.stopped {
            Stopped::Ended(Ending::AllEnded) => EndKind::Ended,
            Stopped::Ended(Ending::AtRest) => EndKind::AtRest,
            Stopped::Ended(Ending::Fault(_)) => EndKind::Error,
            Stopped::Quit | Stopped::Limit(_) => EndKind::Stopped,
            Stopped::TrailEnded => EndKind::TrailEnded,
            Stopped::Repeats => EndKind::Repeats,
            Stopped::Claimed => EndKind::Claim,
            Stopped::Broken => EndKind::Violated,
        },
        message: ending(simulated),
        fault: simulated.stopped.fault().map(crate::report::text::fault_name),
        n_steps: simulated.n_steps,
        cycle: trail.cycle,
        steps: Steps { steps: &trail.steps, sources },
        blocked: simulated.blocked.iter().map(|it| Blocked::new(it, sources)).collect(),
        last: held(&simulated.last),
    };
    text_with_lines(&document, STEP_DEPTH)
}
