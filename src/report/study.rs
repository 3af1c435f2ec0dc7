//! The results of a study: tables for people, CSV and JSON for programs,
//! figures.
//!
//! - [`text`]: the table on the terminal, with remarks about doubtful results;
//! - `markdown`, `csv`, [`json`]: files beside the records;
//! - [`plot`]: the figures of the study;
//! - [`list`]: the planned runs.

mod csv;
pub mod json;
pub mod list;
mod markdown;
pub mod plot;
mod table;
pub mod text;

use crate::experiment::record::Records;
use crate::experiment::study::Figure;
use crate::experiment::{Plan, Summary};

/// A study and its results.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// The planned runs.
    pub plan: &'a Plan,
    /// The figures; strategies are given by their positions in the plan.
    pub figures: &'a [Figure],
    /// The recorded runs.
    pub records: &'a Records,
    /// The summary of the records.
    pub summary: &'a Summary,
}

/// Returns names and texts of all result files.
pub fn files(results: &Results) -> Vec<(String, String)> {
    let mut files = vec![
        ("table.md".to_string(), markdown::render(results)),
        ("summary.csv".to_string(), csv::summary(results)),
        ("runs.csv".to_string(), csv::runs(results)),
        ("summary.json".to_string(), json::render(results)),
    ];
    for figure in results.figures {
        files.extend(plot::render(figure, results));
    }
    files
}
