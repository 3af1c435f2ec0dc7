//! Property files and constraint files as a whole.

use super::body::{Body, LANGUAGE_KEYS};
use super::constraint_ref::ConstraintRef;
use super::events::EventsSpec;
use super::fields::{Fields, Mistakes};
use super::property::Executions;
use super::yaml::{self, Node, Spanned, Text, Value};
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use std::path::Path;

/// The keys of a property.
pub(super) const PROPERTY_KEYS: &[&str] = &[
    "name",
    "description",
    "model",
    "set",
    "events",
    "executions",
    "constraints",
    "all",
    "none",
    "qre",
    "ltl",
    "invariant",
];

/// The keys beside `properties`, shared by all in the list. A property's own
/// key replaces the shared one.
pub(super) const SHARED_KEYS: &[&str] =
    &["properties", "model", "set", "events", "executions", "constraints"];

/// The keys of a constraint file.
pub(super) const CONSTRAINT_KEYS: &[&str] = &["name", "description", "events", "all", "none", "qre"];

/// One or several properties.
#[derive(Clone, Debug)]
pub struct PropertyFile {
    /// The properties in the order of the file, with unique names; each
    /// includes the shared keys.
    pub properties: Vec<PropertySpec>,
}

/// A property whose events have not been looked up in a model yet.
#[derive(Clone, Debug)]
pub struct PropertySpec {
    /// Name; the default is the name of the file.
    pub name: Spanned<String>,
    /// Description by the author.
    pub description: Option<String>,
    /// The path of the model as written: relative to the property file.
    pub model: Option<Spanned<String>>,
    /// Constants of the model to override; a truth value is 0 or 1.
    pub set: Vec<(Spanned<String>, Spanned<i64>)>,
    /// The executions, if given; the default depends on the property.
    pub executions: Option<Spanned<Executions>>,
    /// The constraints as written; [`ConstraintRef::parse`] accepts them.
    pub constraints: Vec<Spanned<String>>,
    pub(super) says: Says,
}

/// The content of a property.
#[derive(Clone, Debug)]
pub(super) enum Says {
    /// Sequences of events that are good.
    Sequences(Body),
    /// A property of states, in the syntax of the model's language.
    States(StateFormula),
}

/// A property of states, for models whose language has expressions.
#[derive(Clone, Debug)]
pub struct StateFormula {
    text: Text,
    /// Whether it is an invariant instead of an LTL formula.
    pub is_invariant: bool,
}

impl StateFormula {
    /// Returns the text as written.
    pub fn text(&self) -> &str {
        &self.text.text
    }

    /// Returns the span in the file.
    pub fn span(&self) -> Span {
        self.text.span()
    }

    /// Returns the span of some bytes of the text in the file.
    pub fn place(&self, range: std::ops::Range<usize>) -> Span {
        self.text.place(range)
    }
}

/// The content of a constraint file: one context constraint.
pub type ConstraintFile = ConstraintSpec;

/// A context constraint whose events have not been looked up in a model yet.
#[derive(Clone, Debug)]
pub struct ConstraintSpec {
    /// Name; the default is the name of the file.
    pub name: Spanned<String>,
    /// Description by the author.
    pub description: Option<String>,
    pub(super) body: Body,
}

/// Reads a property file.
pub fn parse_property_file(source: SourceId, sources: &Sources) -> Result<PropertyFile, Vec<Diagnostic>> {
    let root = yaml::read(source, sources).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Mistakes::default();
    let properties = parse_properties(&root, &stem(source, sources), &mut mistakes);
    if let Some(properties) = &properties {
        check_unique_names(properties, &mut mistakes);
    }
    mistakes.finish(properties.map(|properties| PropertyFile { properties }))
}

/// Reads a constraint file.
pub fn parse_constraint_file(source: SourceId, sources: &Sources) -> Result<ConstraintFile, Vec<Diagnostic>> {
    let root = yaml::read(source, sources).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Mistakes::default();
    let constraint = parse_constraint(&root, &stem(source, sources), &mut mistakes);
    mistakes.finish(constraint)
}

fn parse_constraint(root: &Node, stem: &str, mistakes: &mut Mistakes) -> Option<ConstraintSpec> {
    if let Value::Map(entries) = &root.value
        && let Some((key, _)) = entries.iter().find(|(key, _)| key.value == "sets")
    {
        let message = "this file contains sets of constraints, not a single constraint";
        mistakes.error("spec-set", key.span, message).help =
            Some("refer to a set by the path of its file, `#` and its name".to_string());
        return None;
    }
    let fields = mistakes.fields(root, "a constraint file", CONSTRAINT_KEYS)?;
    let name = parse_name(fields, stem, mistakes);
    let description = parse_description(fields, mistakes);
    let events = fields.get("events").and_then(|node| EventsSpec::parse(node, mistakes));
    Some(ConstraintSpec { name, description, body: Body::parse(fields, events, mistakes)? })
}

fn parse_properties(root: &Node, stem: &str, mistakes: &mut Mistakes) -> Option<Vec<PropertySpec>> {
    let is_list = matches!(&root.value, Value::Map(entries) if entries.iter().any(|(key, _)| key.value == "properties"));
    if let Value::List(_) = &root.value {
        mistakes.error("spec-value", root.span, "a property file must be a map of keys and values").help =
            Some("put a list of properties under the key `properties`".to_string());
        return None;
    }
    if !is_list {
        let shared = Shared::default();
        return Some(vec![parse_property(root, "a property file", stem, &shared, mistakes)?]);
    }
    let fields = mistakes.fields(root, "a file with `properties`", SHARED_KEYS)?;
    let shared = Shared::parse(fields, &Shared::default(), mistakes);
    let items = mistakes.list(fields.get("properties")?, "`properties`")?;
    if items.is_empty() {
        mistakes.error("spec-key", fields.span, "`properties` is empty");
    }
    let parse = |(at, item)| {
        let default = format!("{stem}-{}", at + 1);
        parse_property(item, "a property", &default, &shared, mistakes)
    };
    Some(items.iter().enumerate().filter_map(parse).collect())
}

/// The keys that the properties of a file share.
#[derive(Default)]
struct Shared {
    model: Option<Spanned<String>>,
    set: Vec<(Spanned<String>, Spanned<i64>)>,
    executions: Option<Spanned<Executions>>,
    constraints: Vec<Spanned<String>>,
    events: Option<EventsSpec>,
}

impl Shared {
    /// Reads the shared keys; missing ones are inherited.
    fn parse(fields: Fields, inherited: &Shared, mistakes: &mut Mistakes) -> Self {
        Self {
            model: match fields.get("model") {
                Some(node) => mistakes.string(node, "`model`"),
                None => inherited.model.clone(),
            },
            set: match fields.get("set") {
                Some(node) => parse_set(node, mistakes).unwrap_or_default(),
                None => inherited.set.clone(),
            },
            executions: match fields.get("executions") {
                Some(node) => parse_executions(node, mistakes),
                None => inherited.executions.clone(),
            },
            constraints: match fields.get("constraints") {
                Some(node) => parse_constraints(node, mistakes).unwrap_or_default(),
                None => inherited.constraints.clone(),
            },
            events: match fields.get("events") {
                Some(node) => EventsSpec::parse(node, mistakes),
                None => inherited.events.clone(),
            },
        }
    }
}

fn parse_property(
    node: &Node,
    what: &str,
    default_name: &str,
    shared: &Shared,
    mistakes: &mut Mistakes,
) -> Option<PropertySpec> {
    let fields = mistakes.fields(node, what, PROPERTY_KEYS)?;
    let name = parse_name(fields, default_name, mistakes);
    let description = parse_description(fields, mistakes);
    let Shared { model, set, executions, constraints, events } = Shared::parse(fields, shared, mistakes);
    let says = match state_formula(fields, mistakes) {
        Some(formula) => Says::States(formula?),
        None => Says::Sequences(Body::parse(fields, events, mistakes)?),
    };
    Some(PropertySpec { name, description, model, set, executions, constraints, says })
}

/// Reads `ltl` or `invariant`, if given; returns `Some(None)` after an error.
fn state_formula(fields: Fields, mistakes: &mut Mistakes) -> Option<Option<StateFormula>> {
    let key = ["ltl", "invariant"].into_iter().find(|key| fields.has(key))?;
    let others = LANGUAGE_KEYS.iter().chain(&["invariant"]).filter(|other| **other != key);
    let mut excluded = others.chain(&["executions", "events"]).filter_map(|other| fields.entry(other));
    if let Some((other, _)) = excluded.next() {
        let message = format!("`{key}` and `{}` cannot be used together", other.value);
        mistakes.error("spec-key", other.span, message);
        return Some(None);
    }
    let text = fields.get(key).and_then(|node| mistakes.text(node, &format!("`{key}`")));
    Some(text.map(|text| StateFormula { text: text.clone(), is_invariant: key == "invariant" }))
}

fn parse_name(fields: Fields, default: &str, mistakes: &mut Mistakes) -> Spanned<String> {
    let given = fields.get("name").and_then(|node| mistakes.string(node, "`name`"));
    given.iter().for_each(|name| mistakes.expect_name(name, "`name`"));
    given.unwrap_or_else(|| Spanned::new(default.to_string(), fields.span))
}

/// Checks that the name of a set can be used after `#` and in comma-separated
/// lists.
pub(super) fn parse_name_of_set(name: &Spanned<String>, mistakes: &mut Mistakes) {
    let fits = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.value.is_empty() {
        mistakes.error("spec-name", name.span, "the name of a set is empty").help =
            Some("write for example `mutual-exclusion: [...]`".to_string());
    } else if !name.value.chars().all(fits) {
        let message = format!("`{}` is not a valid name of a set", name.value);
        mistakes.error("spec-name", name.span, message).help =
            Some("use letters, digits, `-`, `_` and `.`".to_string());
    }
}

fn parse_description(fields: Fields, mistakes: &mut Mistakes) -> Option<String> {
    let node = fields.get("description")?;
    Some(mistakes.text(node, "`description`")?.text.trim_end().to_string())
}

fn parse_executions(node: &Node, mistakes: &mut Mistakes) -> Option<Spanned<Executions>> {
    let words = [("prefixes", Executions::Prefixes), ("complete", Executions::Complete)];
    mistakes.word(node, "`executions`", &words)
}

fn parse_set(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<(Spanned<String>, Spanned<i64>)>> {
    let fields = mistakes.map(node, "`set`")?;
    let constants = fields.entries().iter().filter_map(|(name, node)| {
        mistakes.expect_name(name, "the name of a constant");
        let text = mistakes.text(node, &format!("the value of `{}`", name.value))?;
        match constant(&text.text) {
            Some(value) => Some((name.clone(), Spanned::new(value, node.span))),
            None => {
                let message = format!("the value of `{}` must be an integer or a Boolean", name.value);
                mistakes.error("spec-value", node.span, message).help =
                    Some("write for example `3`, `true` or `false`".to_string());
                None
            }
        }
    });
    Some(constants.collect())
}

fn constant(text: &str) -> Option<i64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => text.parse().ok(),
    }
}

fn parse_constraints(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Spanned<String>>> {
    let texts = mistakes.strings(node, "`constraints`")?;
    for text in &texts {
        if let Err(mistake) = ConstraintRef::parse(&text.value, text.span) {
            mistakes.push(mistake);
        }
    }
    Some(texts)
}

fn check_unique_names(properties: &[PropertySpec], mistakes: &mut Mistakes) {
    for (at, property) in properties.iter().enumerate() {
        let Some(first) = properties[..at].iter().find(|other| other.name.value == property.name.value)
        else {
            continue;
        };
        let message = format!("two properties are named `{}`", property.name.value);
        mistakes.error("spec-name", property.name.span, message).related =
            vec![(first.name.span, "the first property".to_string())];
    }
}

/// Returns the name of a file without folders and extension.
fn stem(source: SourceId, sources: &Sources) -> String {
    let name = sources.get(source).name.as_str();
    Path::new(name).file_stem().map_or(name.to_string(), |stem| stem.to_string_lossy().into_owned())
}
