//! Heuristics that estimate the remaining distance in the states of a network.
//! Each is one file with its entries and one line of the table below.
//!
//! An estimate depends on a state only. It is a number of statements, in the
//! units of the heuristic, and does not depend on the layout: states that a
//! search stores in a larger layout get the same estimate ([`Estimates`]). No
//! state is dropped, because a search also reports what it has met.

mod condition;
mod control;

use super::engine::Engine;
use super::overflow::SearchStart;
use super::view::Semantics;
use crate::lang::spec::property::Executions;
use crate::net::{Network, StepLabels, TemplateId};
use crate::system::{Arrived, Guide, Heuristic, Word};

pub use target::TargetState;

/// Computes the estimates of a heuristic for states of one layout.
pub trait Estimator {
    /// Returns the number of units of an estimate per statement.
    fn per_step(&self) -> u32 {
        1
    }

    /// Returns the estimated distance from a state to an error, in units.
    fn estimate(&mut self, state: &[Word]) -> u32;
}

/// What a search looks for.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// Kind of property.
    pub aim: Aim,
    /// Options of the semantics.
    pub semantics: Semantics,
    /// Executions of an order of events.
    pub executions: Option<Executions>,
    /// Names of dangerous labels; `*` at the end matches any text.
    pub dangerous: &'a [String],
    /// Event labels of transitions, for task models.
    pub steps: &'a [StepLabels],
    /// A state to which a distance is estimated.
    pub target: Option<&'a TargetState>,
}

/// Kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// No errors of the system.
    Errors,
    /// The observer with this code does not reach its end.
    Observer(TemplateId),
    /// An order of events.
    Sequence,
}

/// Why a heuristic cannot be used for a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Continues the sentence "the heuristic `h` …".
    pub why: String,
    /// What to do.
    pub help: String,
}

/// A heuristic and its constructor.
#[derive(Clone, Copy)]
struct HeuristicEntry {
    guide: Guide,
    refuse: fn(&Network, &Goal) -> Option<Refusal>,
    build: for<'e> fn(&'e Engine<'e>, &Goal) -> Box<dyn Estimator + 'e>,
}

/// Declares the files of heuristics and the table of their entries.
macro_rules! heuristics {
    ($($file:ident: $($entry:ident),+;)+) => {
        $(mod $file;)+

        /// All heuristics of this engine, in the order of the manual.
        const HEURISTICS: &[HeuristicEntry] = &[$($($file::$entry),+),+];
    };
}

heuristics! {
    formula: MAXIMUM, SUM;
    active: ACTIVE;
    dangerous: DANGEROUS;
    target: HAMMING, MACHINES;
    events: REACH, TRAP, ENDS;
}

/// Returns the properties of each heuristic.
pub fn guides() -> Vec<Guide> {
    HEURISTICS.iter().map(|entry| entry.guide).collect()
}

/// Returns why a heuristic cannot be used, if so.
///
/// # Panics
///
/// If there is no heuristic of that name.
pub fn refusal(name: &str, network: &Network, goal: &Goal) -> Option<Refusal> {
    (entry(name).refuse)(network, goal)
}

fn entry(name: &str) -> &'static HeuristicEntry {
    let entry = HEURISTICS.iter().find(|entry| entry.guide.name == name);
    entry.unwrap_or_else(|| panic!("`{name}` was checked to be a heuristic"))
}

/// Maximum estimate: nothing is further away, and no error is reachable where a
/// heuristic finds no path.
const FAR: u32 = 1 << 20;

/// Returns an estimate that can be added to others.
fn bounded(estimate: u32) -> u32 {
    estimate.min(FAR)
}

/// A heuristic for the states of a search, some of which are stored in a larger
/// layout.
pub struct Estimates<'e, 'a> {
    entry: &'static HeuristicEntry,
    start: &'e SearchStart<'a>,
    goal: Goal<'e>,
    first: Box<dyn Estimator + 'e>,
    /// Estimator for the last larger layout that was met.
    wide: Option<(usize, Box<dyn Estimator + 'e>)>,
    spare: Vec<Word>,
}

impl<'e, 'a> Estimates<'e, 'a> {
    /// Creates a heuristic for a start of a search.
    ///
    /// # Panics
    ///
    /// If there is no heuristic of that name.
    pub fn new(name: &str, start: &'e SearchStart<'a>, goal: Goal<'e>) -> Self {
        let entry = entry(name);
        let first = (entry.build)(start.engine(), &goal);
        Self { entry, start, goal, first, wide: None, spare: Vec::new() }
    }

    #[cold]
    fn estimate_wide(&mut self, state: &[Word]) -> u32 {
        let Some(reference) = self.start.reference(state) else { return 0 };
        let mut spare = std::mem::take(&mut self.spare);
        let (number, engine) = self.start.copy_with_engine(reference, &mut spare);
        if self.wide.as_ref().is_none_or(|it| it.0 != number) {
            self.wide = Some((number, (self.entry.build)(engine, &self.goal)));
        }
        let estimate = self.wide.as_mut().map_or(0, |it| it.1.estimate(&spare));
        self.spare = spare;
        estimate
    }
}

impl Heuristic for Estimates<'_, '_> {
    fn per_step(&self) -> u32 {
        self.first.per_step()
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        Some(match self.start.reference(arrived.state) {
            None => self.first.estimate(arrived.state),
            Some(_) => self.estimate_wide(arrived.state),
        })
    }
}
