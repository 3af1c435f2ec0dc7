//! Plain data to text: reports for people and programs, pictures of graphs.
//!
//! - [`text`]: a run as a person reads it in a terminal;
//! - [`json`]: the same run for programs, with a published schema;
//! - [`program`]: the intermediate representation of a Promela model, for
//!   programs;
//! - [`strategies`]: the description of the strategy language;
//! - [`study`]: the results of a study, as tables, CSV, JSON and figures;
//! - [`dot`], [`svg`]: a [`Drawing`](crate::verify::drawing::Drawing) for Graphviz and for a browser.
//!
//! This module reads no files and knows neither terminal nor flags: the caller
//! decides about colour and writes the result.

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
use crate::verify::{Report, Verdict};
use configuration::Configuration;
use std::fmt;
use std::time::Duration;

/// The results of one run of the tool.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// One report per checked property, in the order of the input.
    pub reports: &'a [Report],
    /// The properties or files that could not be checked.
    pub unchecked: &'a [Unchecked],
    /// Diagnostics that belong to no single property, such as why something
    /// could not be checked.
    pub diagnostics: &'a [Diagnostic],
    /// The texts that spans refer to.
    pub sources: &'a Sources,
    /// The configuration of the run.
    pub configuration: &'a Configuration,
    /// Time of the whole run.
    pub elapsed: Duration,
}

/// Returns the arguments of the command line that add constraints; names that a
/// shell would expand are quoted.
pub fn constraint_arguments<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let arguments = names.into_iter().map(|it| format!("-c {}", shell_argument(it)));
    arguments.collect::<Vec<_>>().join(" ")
}

/// Quotes a name that a shell would expand or divide.
pub fn shell_argument(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:#,=+@%".contains(c);
    match name.chars().all(is_plain) {
        true => name.to_string(),
        false => format!("'{}'", name.replace('\'', r"'\''")),
    }
}

/// A property or a file that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The file as the user typed it.
    pub file: String,
    /// The property, if the file could be read.
    pub property: Option<String>,
    /// Number of reports before it, in the order of the input.
    pub n_before: usize,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.property {
            Some(property) => write!(f, "{}: {property}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

impl Run<'_> {
    /// Returns all verdicts.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.reports.iter().map(|report| report.verdict)
    }
}
