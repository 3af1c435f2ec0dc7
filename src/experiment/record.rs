//! The records of `runs.jsonl`, one line per run.

use super::measure::Measures;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The key of the run, see [`super::Plan::key`].
    pub key: String,
    /// The name of the subject when it was run.
    pub subject: String,
    /// The label of the strategy when it was run.
    pub label: String,
    /// The repetition, counted from one.
    pub repetition: u32,
    /// A fingerprint of the program, which may be rebuilt without a new
    /// version.
    pub build: String,
    /// The arguments of the program.
    pub command: Vec<String>,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// The verdict of the report of `check`; `None` without a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The limit that stopped the search, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Why there is no report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The resolved strategy of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The measures, also of a run that reached a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// Counters of each stage, where the search has stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<Value>,
}

impl Outcome {
    /// Creates the outcome of a run without a report.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self { failure: Some(reason.into()), ..Self::default() }
    }

    /// Reads the report of `check --format json` for one property.
    pub fn of_report(json: &str) -> Result<Self, String> {
        let report: Report =
            serde_json::from_str(json).map_err(|error| format!("the report cannot be read: {error}"))?;
        let [result] = &report.results[..] else {
            return Err(format!("the report has {} results instead of one", report.results.len()));
        };
        let trail = result.counterexample.as_ref();
        let measures = Measures {
            time: result.elapsed_seconds,
            search: result.search.elapsed_seconds,
            generated: result.search.generated,
            stored: result.search.stored,
            memory: result.search.bytes,
            // A violation that only the end causes needs all steps.
            prefix: trail.map(|it| it.prefix_length.unwrap_or(it.length)),
            length: trail.map(|it| it.length),
        };
        Ok(Self {
            verdict: Some(result.verdict.clone()),
            limit: result.limit.clone(),
            failure: None,
            strategy: Some(result.strategy.clone()),
            measures: Some(measures),
            stages: result.search.stages.clone(),
        })
    }

    /// Returns whether the user interrupted the run, so that it is not
    /// recorded.
    pub fn is_interrupted(&self) -> bool {
        self.limit.as_deref() == Some("interrupt")
    }
}

/// The parts of a report that are read; steps are skipped.
#[derive(Deserialize)]
struct Report {
    results: Vec<PropertyResult>,
}

#[derive(Deserialize)]
struct PropertyResult {
    verdict: String,
    limit: Option<String>,
    strategy: String,
    search: Search,
    counterexample: Option<Counterexample>,
    elapsed_seconds: f64,
}

#[derive(Deserialize)]
struct Search {
    generated: u64,
    stored: u64,
    bytes: u64,
    elapsed_seconds: f64,
    stages: Option<Value>,
}

#[derive(Deserialize)]
struct Counterexample {
    length: u64,
    prefix_length: Option<u64>,
}

/// Runs by their key; a later record replaces an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Records {
    by_key: HashMap<String, Record>,
}

/// The content of a file of records.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The records of the valid lines.
    pub records: Records,
    /// Numbers of the invalid lines, counted from one.
    pub unreadable: Vec<usize>,
    /// Whether the last line is incomplete, because writing was interrupted.
    pub is_torn: bool,
}

impl Records {
    /// Inserts a record and replaces an earlier one with the same key.
    pub fn insert(&mut self, record: Record) {
        self.by_key.insert(record.key.clone(), record);
    }

    /// Returns the record of a run.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.by_key.get(key)
    }

    /// Returns whether this run need not be repeated. Failed runs are repeated.
    pub fn is_done(&self, key: &str) -> bool {
        self.get(key).is_some_and(|record| record.outcome.failure.is_none())
    }

    /// Reads a file of records.
    pub fn parse(text: &str) -> Recorded {
        let mut recorded =
            Recorded { is_torn: !text.is_empty() && !text.ends_with('\n'), ..Default::default() };
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(record) => recorded.records.insert(record),
                Err(_) => recorded.unreadable.push(at + 1),
            }
        }
        recorded
    }
}

impl Record {
    /// Returns the record as a line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a record has only texts for keys") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"results": [{"property": "p", "verdict": "violated", "limit": null,
        "strategy": "bfs", "search": {"generated": 9, "stored": 5, "bytes": 64, "elapsed_seconds": 0.25},
        "counterexample": {"length": 7, "prefix_length": null, "steps": [{"number": 1}]},
        "elapsed_seconds": 0.5}]}"#;

    fn record(key: &str, outcome: Outcome) -> Record {
        let text = |text: &str| text.to_string();
        Record {
            key: text(key),
            subject: text("s"),
            label: text("bfs"),
            repetition: 1,
            build: text("b"),
            command: vec![text("check")],
            outcome,
        }
    }

    #[test]
    fn a_report_is_read_and_written_back() {
        let outcome = Outcome::of_report(REPORT).expect("the report is whole");
        let measures = outcome.measures.clone().expect("a report measures");
        assert_eq!((measures.time, measures.generated, measures.prefix), (0.5, 9, Some(7)));
        let line = record("k", outcome.clone()).line();
        let recorded = Records::parse(&line);
        assert_eq!(recorded.records.get("k"), Some(&record("k", outcome)));
        assert!(recorded.records.is_done("k") && !recorded.records.is_done("other"));
        assert!(Outcome::of_report("{").is_err());
        assert!(Outcome::of_report(r#"{"results": []}"#).is_err());
    }

    #[test]
    fn torn_and_foreign_lines_are_not_records() {
        let failed = record("k", Outcome::failed("exit code 2")).line();
        let text = format!("{failed}not json\n{}", &failed[..20]);
        let recorded = Records::parse(&text);
        assert_eq!((recorded.unreadable, recorded.is_torn), (vec![2, 3], true));
        assert!(!recorded.records.is_done("k"), "what failed is tried again");
    }
}
