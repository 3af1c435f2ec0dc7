//! A run of a model as a document.

use super::format::{Blocked, TrailEntry};
use super::{held, text_of};
use crate::diag::Sources;
use crate::report::text::ending;
use crate::verify::explicit::{Trail, TrailStep};
use crate::verify::simulate::{Ending, Simulated, Stopped};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document {
    model: String,
    /// What the choices were made by.
    seed: Option<u64>,
    /// `ended`, `at_rest`, `error`, `stopped`, `trail_ended`, `repeats` or
    /// `claim`.
    end: &'static str,
    /// The same for people.
    message: String,
    fault: Option<&'static str>,
    n_steps: usize,
    /// Where the cycle of a trail begins.
    cycle: Option<usize>,
    steps: Vec<TrailEntry>,
    /// Where each process is blocked, if none can move at the end though not all may end there.
    blocked: Vec<Blocked>,
    /// What the variables hold at the end.
    last: BTreeMap<String, String>,
}

/// A run as text, ending with a newline.
pub fn simulation(
    model: &str,
    seed: Option<u64>,
    trail: &Trail,
    simulated: &Simulated,
    sources: &Sources,
) -> String {
    let entry = |(_, step): &(usize, TrailStep)| TrailEntry::new(step, sources);
    let document = Document {
        model: model.to_string(),
        seed,
        end: match simulated.stopped {
            Stopped::Ended(Ending::AllEnded) => "ended",
            Stopped::Ended(Ending::AtRest) => "at_rest",
            Stopped::Ended(Ending::Fault(_)) => "error",
            Stopped::Quit => "stopped",
            Stopped::TrailEnded => "trail_ended",
            Stopped::Repeats => "repeats",
            Stopped::Claimed => "claim",
        },
        message: ending(simulated),
        fault: simulated.stopped.fault().map(crate::report::text::fault_name),
        n_steps: simulated.n_steps,
        cycle: trail.cycle,
        steps: trail.steps.iter().map(entry).collect(),
        blocked: simulated.blocked.iter().map(|it| Blocked::new(it, sources)).collect(),
        last: held(&simulated.last),
    };
    text_of(&document)
}
