//! JSON schemas of the two kinds of file, for editors that complete keys.
//!
//! No value of the types below is ever created: they describe what the parser
//! accepts, and a test compares their keys with the parser's tables.
#![allow(dead_code)]

use indexmap::IndexMap;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

/// Kind of a specification file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// One or several properties.
    Property,
    /// A context constraint, or sets of constraints.
    Constraint,
}

/// Returns the JSON schema of a kind of file.
pub fn schema(kind: FileKind) -> Value {
    let mut schema: Value = match kind {
        FileKind::Property => schema_for!(PropertyFile),
        FileKind::Constraint => schema_for!(ConstraintFile),
    }
    .into();
    forbid_null(&mut schema);
    schema
}

/// Removes `null` from the types of a schema: a key may be missing but not
/// empty, which `Option` cannot express.
pub(crate) fn forbid_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(forbid_null),
        Value::Object(entries) => {
            entries.values_mut().for_each(forbid_null);
            if let Some(Value::Array(types)) = entries.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = &types[..] {
                    entries["type"] = only.clone();
                }
            }
            if let Some(Value::Array(choices)) = entries.get_mut("anyOf") {
                choices.retain(|choice| choice["type"] != "null");
            }
        }
        _ => (),
    }
}

/// A property file: one property, or a list of properties.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum PropertyFile {
    One(Box<Property>),
    Several(Box<Properties>),
}

/// A list of properties and their shared keys. A property's own key replaces
/// the shared one.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Properties {
    properties: Vec<PropertyInList>,
    model: Option<String>,
    set: Option<IndexMap<String, Constant>>,
    events: Option<Events>,
    executions: Option<Executions>,
    constraints: Option<OneOrMore>,
}

/// A property in a list; keys that the list shares may be missing.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = exactly_one_notation()))]
struct PropertyInList {
    /// Name of the property. Default: the file's name and the position in the list.
    name: Option<String>,
    description: Option<String>,
    /// The model, a task model (.rs) or a Promela model, relative to this file.
    model: Option<String>,
    /// Values of constants of a task model or macros of a Promela model.
    set: Option<IndexMap<String, Constant>>,
    events: Option<Events>,
    executions: Option<Executions>,
    constraints: Option<OneOrMore>,
    /// Language that every execution satisfies.
    all: Option<Language>,
    /// Language that no execution satisfies.
    none: Option<Language>,
    /// A quantified regular expression: for events {a},{b} show no executions satisfy .*;{a};.*
    qre: Option<String>,
    /// A formula of linear temporal logic over the states of the model: [] (p -> <> q)
    ltl: Option<String>,
    /// A condition that must be true in every state of the model.
    invariant: Option<String>,
}

/// A property.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = one_language_with_events()))]
struct Property {
    /// Name of the property. Default: the file's name.
    name: Option<String>,
    description: Option<String>,
    /// The model, a task model (.rs) or a Promela model, relative to this file.
    model: Option<String>,
    /// Values of constants of a task model or macros of a Promela model.
    set: Option<IndexMap<String, Constant>>,
    events: Option<Events>,
    executions: Option<Executions>,
    constraints: Option<OneOrMore>,
    /// Language that every execution satisfies.
    all: Option<Language>,
    /// Language that no execution satisfies.
    none: Option<Language>,
    /// A quantified regular expression: for events {a},{b} show no executions satisfy .*;{a};.*
    qre: Option<String>,
    /// A formula of linear temporal logic over the states of the model: [] (p -> <> q)
    ltl: Option<String>,
    /// A condition that must be true in every state of the model.
    invariant: Option<String>,
}

/// A constraint file: a context constraint, or named sets of constraints.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum ConstraintFile {
    One(Box<Constraint>),
    Sets(Sets),
}

/// Named sets of constraints; other files refer to them as FILE#SET.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Sets {
    description: Option<String>,
    /// Members of each set: task:NAME, variable:NAME, a constraint file, FILE#SET, or #SET for a set of this file.
    sets: IndexMap<String, OneOrMore>,
}

/// A context constraint: an assumption about the environment.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = one_language_with_events()))]
struct Constraint {
    /// Name of the constraint. Default: the file's name.
    name: Option<String>,
    description: Option<String>,
    events: Option<Events>,
    /// Language that every execution is assumed to satisfy.
    all: Option<Language>,
    /// Language that no execution is assumed to satisfy.
    none: Option<Language>,
    /// A quantified regular expression, which declares its own events.
    qre: Option<String>,
}

fn one_language() -> Value {
    serde_json::json!([{ "required": ["all"] }, { "required": ["none"] }, { "required": ["qre"] }])
}

fn one_language_with_events() -> Value {
    serde_json::json!([
        { "required": ["all", "events"] },
        { "required": ["none", "events"] },
        { "required": ["qre"] },
        { "required": ["ltl"] },
        { "required": ["invariant"] }
    ])
}

fn exactly_one_notation() -> Value {
    let keys = ["all", "none", "qre", "ltl", "invariant"];
    keys.iter().map(|key| serde_json::json!({ "required": [key] })).collect()
}

/// The value of a constant.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Constant {
    Integer(i64),
    Truth(bool),
}

/// The alphabet: labels, or short names for labels; `*` matches any text.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Events {
    Labels(Vec<String>),
    Names(IndexMap<String, OneOrMore>),
}

/// A string or a list of strings.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Which executions are checked. Default: prefixes for safety properties, complete for others.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Executions {
    Prefixes,
    Complete,
}

/// A language in one of the notations.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Language {
    /// A regular expression.
    Text(String),
    Regex(Regex),
    Automaton(AutomatonNotation),
    Pattern(Pattern),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Regex {
    /// `;` sequence, `|` alternation, postfix `*` `+` `?` `^k` `{m,n}`, `.` any, `[a,b]` one of, `[-a]` any but.
    regex: String,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AutomatonNotation {
    automaton: Automaton,
}

/// A finite automaton; the state `trap` is predefined.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Automaton {
    start: String,
    /// Accepting states. Default: every state but `trap`.
    accepting: Option<OneOrMore>,
    /// The next state, by state and event.
    transitions: IndexMap<String, IndexMap<String, String>>,
    otherwise: Option<Otherwise>,
}

/// Target of missing transitions.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Otherwise {
    Trap,
    Stay,
}

/// A specification pattern and its scope.
#[derive(JsonSchema)]
#[schemars(tag = "pattern", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
enum Pattern {
    Absence { of: OneOrMore, scope: Option<Scope> },
    Existence { of: OneOrMore, scope: Option<Scope> },
    BoundedExistence { of: OneOrMore, at_most: u32, scope: Option<Scope> },
    Universality { starts: OneOrMore, stops: OneOrMore, initially: Option<bool>, scope: Option<Scope> },
    Precedence { first: OneOrMore, before: OneOrMore, scope: Option<Scope> },
    Response { of: OneOrMore, to: OneOrMore, scope: Option<Scope> },
    PrecedenceChain { first: Chain, before: Chain, without: Option<OneOrMore>, scope: Option<Scope> },
    ResponseChain { of: Chain, to: Chain, without: Option<OneOrMore>, scope: Option<Scope> },
}

/// An event, or a sequence of one or two elements.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Chain {
    One(String),
    Elements(#[schemars(length(min = 1, max = 2))] Vec<OneOrMore>),
}

/// The part of an execution in which a pattern must hold.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Scope {
    Global(Global),
    Part(Part),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Global {
    Global,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum Part {
    Before(OneOrMore),
    After(OneOrMore),
    Between(OneOrMore, OneOrMore),
    AfterUntil(OneOrMore, OneOrMore),
}
