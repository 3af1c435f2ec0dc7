//! Plain data to text: verdicts for people and machines, pictures of graphs.
//!
//! - [`text`]: a run as a person reads it in a terminal;
//! - [`json`]: the same run for programs, with a published schema;
//! - [`program`]: what a Promela model was made into, for programs;
//! - [`strategies`]: what the strategy language can say;
//! - [`study`]: what a study found, as tables, CSV, JSON and figures;
//! - [`dot`], [`svg`]: a [`Drawing`](crate::verify::drawing::Drawing) for Graphviz and for a browser.
//!
//! Nothing here reads a file, asks for a terminal or knows a flag: who calls
//! says whether colour is wanted and writes the result where it belongs.

pub mod configuration;
pub mod dot;
pub mod json;
pub mod program;
#[cfg(test)]
mod samples;
pub mod strategies;
pub mod study;
pub mod svg;
pub mod text;

use crate::diag::{Diagnostic, Sources};
use crate::verify::explicit::ModelReport;
use crate::verify::{Report, Verdict};
use configuration::Configuration;
use std::time::Duration;

/// Everything one run of the tool found out.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// One per property that could be checked, in the order of the input.
    pub reports: &'a [Report],
    /// One per model that could be checked as a whole.
    pub models: &'a [ModelReport],
    /// Names of the properties or files that could not be.
    pub unchecked: &'a [String],
    /// Why not, and what else is to be said of no property in particular.
    pub diagnostics: &'a [Diagnostic],
    /// The texts that spans refer to.
    pub sources: &'a Sources,
    /// What was asked for.
    pub configuration: &'a Configuration,
    /// From start to end.
    pub elapsed: Duration,
}

impl Run<'_> {
    /// How many questions have an answer.
    fn n_answers(&self) -> usize {
        self.reports.len() + self.models.len()
    }

    /// All answers.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        let of_models = self.models.iter().map(|report| report.verdict);
        self.reports.iter().map(|report| report.verdict).chain(of_models)
    }
}
