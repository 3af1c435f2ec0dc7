//! The JSON schema of study files, for editors that complete keys.
//!
//! No value of the types below is ever created: they describe what `read`
//! accepts, and a test compares their keys with its tables.
#![allow(dead_code)]

use crate::lang::spec::forbid_null;
use indexmap::IndexMap;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

/// Returns the JSON schema of study files.
pub fn schema() -> Value {
    let mut schema: Value = schema_for!(Study).into();
    forbid_null(&mut schema);
    schema
}

/// Returns the JSON schema of files of subjects.
pub fn subjects_schema() -> Value {
    let mut schema: Value = schema_for!(Subjects).into();
    forbid_null(&mut schema);
    schema
}

/// A file of subjects, which studies can include.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Subjects {
    /// Version of this format: 1.
    schema_version: Option<u32>,
    subjects: Vec<AnySubject>,
}

/// A study: every subject is checked with every strategy, each time in a new
/// process.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Study {
    /// Name of the study and of its results folder. Default: the file's name.
    name: Option<String>,
    description: Option<String>,
    options: Option<Options>,
    limits: Option<Limits>,
    /// Number of repetitions of each run; the reported value is the median. Default: 1.
    #[schemars(range(min = 1, max = 1000))]
    repeat: Option<u32>,
    /// A time such as `2s`: subjects on which the baseline takes less are left out,
    /// and the other strategies are not run on them. Default: no subject is left out.
    #[serde(rename = "at-least")]
    at_least: Option<String>,
    /// Label of the strategy with which the others are compared. Default: the first.
    baseline: Option<String>,
    #[schemars(length(min = 1))]
    strategies: Vec<StrategyOrText>,
    #[schemars(length(min = 1))]
    subjects: Vec<Entry>,
    figures: Option<Vec<Figure>>,
}

/// Options of `trapline check`, for every run.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Options {
    /// Engine for task models: auto, flow or explicit.
    engine: Option<String>,
    /// Which executions are checked: complete or prefixes.
    executions: Option<String>,
    /// Form of the trace flow graph: faithful, reduced, or a comma-separated list as for `--graph`.
    graph: Option<String>,
    /// When graphs of fewer constraints are used as constraints: auto, always or never.
    adjacency: Option<String>,
    /// Which steps of a state the explicit engine searches: auto, stubborn or none.
    reduction: Option<String>,
}

/// Limits of each run. A run that reaches one is stopped.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case")]
struct Limits {
    /// Maximum time, such as 30s or 10m.
    timeout: Option<String>,
    /// Maximum memory, such as 500M or 12GiB.
    max_memory: Option<String>,
    /// Maximum number of stored states or node-tuples, such as 20000 or 5M.
    max_states: Option<TextOrNumber>,
}

/// A strategy as a string, which is its own label, or as a map with more keys.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum StrategyOrText {
    Text(String),
    Strategy(Strategy),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Strategy {
    /// Label in tables and figures. Default: the strategy itself.
    label: Option<String>,
    /// A strategy as for `check --strategy`; `{x}` is replaced by a value of `for`.
    strategy: String,
    /// Values by name; each combination makes one strategy.
    r#for: Option<IndexMap<String, ValueOrList>>,
}

/// Subjects, or a file with a list of subjects.
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
    /// Name of a property of the file, with `*` for any text. Default: all.
    property: Option<String>,
    /// Distinguishes these subjects from others of the same property.
    label: Option<String>,
    /// Overrides constants of the model; a list makes one subject per value.
    set: Option<IndexMap<String, ValueOrList>>,
    /// Constraints that replace those of the property file.
    constraints: Option<OneOrMore>,
    leave_out: Option<LeaveOut>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ModelSubject {
    /// A model, relative to this file. A Promela model is checked for the properties that it
    /// contains, a task model for deadlocks and values out of range.
    model: String,
    /// `safety`, or the name of a claim or formula, with `*` for any text. Default: all.
    property: Option<String>,
    /// Distinguishes these subjects from others of the same property.
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

/// Constraints to leave out, one subject for each. `each`: every constraint in turn; a
/// list: those that match one of its names, with `*` for any text; `none`: none.
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
    /// The measure to draw; a list of measures only for `scaling`.
    of: Option<Measures>,
    /// Labels of strategies, with `*` for any text. Default: all.
    strategies: Option<OneOrMore>,
    /// For `scaling`: the constant on the horizontal axis.
    parameter: Option<String>,
    title: Option<String>,
    /// Name of the file, ending in .svg. In `scaling`, {system}, {property} and {parameter} are replaced.
    file: String,
}

/// Kind of figure. `box`: range, deviation and mean of the ratios; `cases`: the ratio on each
/// subject; `scaling`: values against the size of the system.
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
