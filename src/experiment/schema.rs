//! The JSON schema of study files, for editors that complete keys.
//!
//! The types below are never filled in: they describe what `read` accepts,
//! and a test holds their keys against its tables.
#![allow(dead_code)]

use crate::lang::spec::forbid_null;
use indexmap::IndexMap;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

/// The JSON schema of study files.
pub fn schema() -> Value {
    let mut schema: Value = schema_for!(Study).into();
    forbid_null(&mut schema);
    schema
}

/// The JSON schema of files of subjects.
pub fn subjects_schema() -> Value {
    let mut schema: Value = schema_for!(Subjects).into();
    forbid_null(&mut schema);
    schema
}

/// A file that studies include.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Subjects {
    /// The version of this format: 1.
    schema_version: Option<u32>,
    subjects: Vec<AnySubject>,
}

/// A study: every subject is checked with every strategy, each time in a
/// process of its own.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Study {
    /// Names the folder of the results. Default: the file's name.
    name: Option<String>,
    description: Option<String>,
    options: Option<Options>,
    limits: Option<Limits>,
    /// How often each run is repeated; the median of the times counts. Default: 1.
    #[schemars(range(min = 1, max = 1000))]
    repeat: Option<u32>,
    /// Subjects on which the baseline takes less time than this, such as `2s`, are
    /// not run by the other strategies and left out. Default: none is.
    #[serde(rename = "at-least")]
    at_least: Option<String>,
    /// The label of the strategy to which the others are compared. Default: the first.
    baseline: Option<String>,
    #[schemars(length(min = 1))]
    strategies: Vec<StrategyOrText>,
    #[schemars(length(min = 1))]
    subjects: Vec<Entry>,
    figures: Option<Vec<Figure>>,
}

/// Options handed on to `trapline check`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Options {
    /// auto, flow or explicit: the engine for task models.
    engine: Option<String>,
    /// complete or prefixes.
    executions: Option<String>,
    /// faithful, reduced, or a comma list as for `--graph`.
    graph: Option<String>,
    /// auto, always or never.
    adjacency: Option<String>,
}

/// When a run gives up.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case")]
struct Limits {
    /// Such as 30s, 10m.
    timeout: Option<String>,
    /// Such as 500M, 12GiB.
    max_memory: Option<String>,
    /// Such as 20000, 5M.
    max_states: Option<TextOrNumber>,
}

/// A strategy, which is its own label, or one with more to say.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum StrategyOrText {
    Text(String),
    Strategy(Strategy),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Strategy {
    /// In tables and figures. Default: the strategy itself.
    label: Option<String>,
    /// As for `check --strategy`; `{x}` stands for a value of `for`.
    strategy: String,
    /// One strategy for each combination of values.
    r#for: Option<IndexMap<String, ValueOrList>>,
}

/// Subjects, or a file with a list of them.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Entry {
    Subject(Box<Subject>),
    Model(Box<ModelSubject>),
    Include(Include),
}

/// Subjects of a property file or of a model.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum AnySubject {
    Subject(Box<Subject>),
    Model(Box<ModelSubject>),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case")]
struct Subject {
    /// A property file, relative to this file.
    spec: String,
    /// A property of it, with `*` for any text. Default: all.
    property: Option<String>,
    /// Tells these subjects from others of the same property.
    label: Option<String>,
    /// Overrides constants of the model; a list makes one subject per value.
    set: Option<IndexMap<String, ValueOrList>>,
    /// Instead of those of the property file.
    constraints: Option<OneOrMore>,
    leave_out: Option<LeaveOut>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ModelSubject {
    /// A model, relative to this file: a Promela model is checked for what it says of
    /// itself, a task model for deadlocks and values out of range.
    model: String,
    /// `safety`, or the name of a claim or formula, with `*` for any text. Default: all.
    property: Option<String>,
    /// Tells these subjects from others of the same property.
    label: Option<String>,
    /// Macros of a Promela model; a list makes one subject per value.
    define: Option<IndexMap<String, ValueOrList>>,
    /// Constants of a task model; a list makes one subject per value.
    set: Option<IndexMap<String, ValueOrList>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case")]
struct Include {
    /// A file with a list of `subjects`, relative to this file.
    include: String,
    leave_out: Option<LeaveOut>,
}

/// Constraints to leave out, one subject for each: all in turn, those that
/// match one of a list of names with `*`, or none.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum LeaveOut {
    Word(LeaveOutWord),
    Matching(Vec<String>),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum LeaveOutWord {
    Each,
    None,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Figure {
    kind: Kind,
    /// What is shown; several measures only for scaling curves.
    of: Option<Measures>,
    /// Labels, also with `*`. Default: all.
    strategies: Option<OneOrMore>,
    /// The constant on the horizontal axis of scaling curves.
    parameter: Option<String>,
    title: Option<String>,
    /// Ends in .svg; of scaling curves with {property} or {system}.
    file: String,
}

/// box: range, deviation and mean of the ratios; cases: the ratio of each
/// subject; scaling: values against the size of the system.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Kind {
    Box,
    Cases,
    Scaling,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Measures {
    One(Measure),
    Several(Vec<Measure>),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Measure {
    Time,
    Search,
    Generated,
    Stored,
    Memory,
    Prefix,
    Length,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum TextOrNumber {
    Text(String),
    Number(f64),
    Truth(bool),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum ValueOrList {
    One(TextOrNumber),
    Several(Vec<TextOrNumber>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{measure, read};

    fn keys(schema: &Value) -> Vec<&str> {
        let properties = schema["properties"].as_object().expect("the schema has properties");
        let mut keys: Vec<&str> = properties.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = schema();
        let tables = [
            (&schema, read::STUDY_KEYS),
            (&schema["$defs"]["Options"], read::OPTION_KEYS),
            (&schema["$defs"]["Limits"], read::LIMIT_KEYS),
            (&schema["$defs"]["Strategy"], read::strategies::STRATEGY_KEYS),
            (&schema["$defs"]["Subject"], read::subjects::SPEC_KEYS),
            (&schema["$defs"]["ModelSubject"], read::subjects::MODEL_KEYS),
            (&schema["$defs"]["Include"], read::subjects::INCLUDE_KEYS),
            (&subjects_schema(), read::subjects::INCLUDED_KEYS),
            (&schema["$defs"]["Figure"], read::figures::FIGURE_KEYS),
        ];
        for (schema, table) in tables {
            let mut table = table.to_vec();
            table.sort_unstable();
            assert_eq!(keys(schema), table);
        }
        let words = schema["$defs"]["Measure"]["enum"].as_array().expect("measures are words");
        assert_eq!(words.len(), measure::Measure::ALL.len());
    }
}
