//! One line per run: what `runs.jsonl` holds.

use super::measure::Measures;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// See [`super::Plan::key`].
    pub key: String,
    /// The name of the subject when it was run.
    pub subject: String,
    /// The label of the strategy when it was run.
    pub label: String,
    /// Counted from one.
    pub repetition: u32,
    /// A fingerprint of the program, which may be rebuilt without a new
    /// version.
    pub build: String,
    /// The arguments of the program.
    pub command: Vec<String>,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// As in the report of `check`; none if there was no report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// What stopped the search, if it did not end by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Why there is no report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// As the report resolves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Also of a run that reached a limit: up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// Counters of each stage, where the search has stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<Value>,
}

impl Outcome {
    /// A run without a report.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self { failure: Some(reason.into()), ..Self::default() }
    }

    /// From what `check --format json` writes for one property.
    pub fn of_report(json: &str) -> Result<Self, String> {
        let report: Report =
            serde_json::from_str(json).map_err(|error| format!("the report is not readable: {error}"))?;
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
            // What is broken only by its end is broken by all of it.
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

    /// Did the user end it? Then it says nothing.
    pub fn is_interrupted(&self) -> bool {
        self.limit.as_deref() == Some("interrupt")
    }
}

/// The parts of a report that count here; steps are skipped unread.
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

/// Runs by their key; of two with the same key the later counts.
#[derive(Clone, Debug, Default)]
pub struct Records {
    by_key: HashMap<String, Record>,
}

/// What a file of records holds.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The lines that are whole.
    pub records: Records,
    /// Numbers of the lines that are not, counted from one.
    pub unreadable: Vec<usize>,
    /// Does the last line lack its end? A run was interrupted while writing.
    pub is_torn: bool,
}

impl Records {
    /// Keeps a record, in place of an earlier one of the same key.
    pub fn insert(&mut self, record: Record) {
        self.by_key.insert(record.key.clone(), record);
    }

    /// The record of a run.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.by_key.get(key)
    }

    /// Is there nothing to do for this run? What failed is tried again.
    pub fn is_done(&self, key: &str) -> bool {
        self.get(key).is_some_and(|record| record.outcome.failure.is_none())
    }

    /// Reads what was appended line by line.
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
    /// One line, with its end.
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
    fn torn_and_foreign_lines_are_told_apart_from_records() {
        let failed = record("k", Outcome::failed("exit code 2")).line();
        let text = format!("{failed}not json\n{}", &failed[..20]);
        let recorded = Records::parse(&text);
        assert_eq!((recorded.unreadable, recorded.is_torn), (vec![2, 3], true));
        assert!(!recorded.records.is_done("k"), "what failed is tried again");
    }
}
