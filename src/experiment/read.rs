//! Study files: YAML to a [`Study`], or to every error in it.
//! `docs/experiments.md` is the reference.

pub(super) mod figures;
pub(super) mod strategies;
pub(super) mod subjects;
#[cfg(test)]
mod tests;

use super::study::{CheckOption, Study, SubjectEntry};
use crate::diag::{Diagnostic, SourceId, Sources, did_you_mean};
use crate::lang::spec::{Fields, Mistakes, Node, list_of, read_yaml};
use std::path::Path;

/// The keys of a study file.
pub(super) const STUDY_KEYS: &[&str] = &[
    "name",
    "description",
    "options",
    "limits",
    "repeat",
    "at-least",
    "baseline",
    "strategies",
    "subjects",
    "figures",
];

/// Options of `check` that a study may choose.
pub(super) const OPTION_KEYS: &[&str] = &["engine", "executions", "graph", "adjacency", "reduction"];

/// Limits of `check`.
pub(super) const LIMIT_KEYS: &[&str] = &["timeout", "max-memory", "max-states"];

/// Maximum number of repetitions; a larger number is probably a typing error.
const MAX_REPETITIONS: u32 = 1000;

/// Reads a study file.
pub fn study(source: SourceId, sources: &Sources) -> Result<Study, Vec<Diagnostic>> {
    let root = read_yaml(source, sources).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Mistakes::default();
    let study = parse_study(&root, &stem(source, sources), &mut mistakes);
    mistakes.finish(study)
}

/// Reads a file that a study includes: its only key is `subjects`.
pub fn included(source: SourceId, sources: &Sources) -> Result<Vec<SubjectEntry>, Vec<Diagnostic>> {
    let root = read_yaml(source, sources).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Mistakes::default();
    let entries = subjects::included(&root, &mut mistakes);
    mistakes.finish(entries)
}

fn parse_study(root: &Node, stem: &str, mistakes: &mut Mistakes) -> Option<Study> {
    let fields = mistakes.fields(root, "a study", STUDY_KEYS)?;
    let name = parse_name(fields, stem, mistakes);
    let description =
        fields.get("description").and_then(|node| mistakes.string(node, "`description`")).map(|it| it.value);
    let mut options = parse_options(fields, "options", OPTION_KEYS, mistakes);
    options.extend(parse_options(fields, "limits", LIMIT_KEYS, mistakes));
    let repeat = parse_repeat(fields, mistakes);
    let at_least = fields.get("at-least").and_then(|node| mistakes.string(node, "`at-least`"));
    let n_mistakes = mistakes.list.len();
    let strategies = required(fields, "strategies", mistakes)
        .and_then(|node| strategies::parse(node, mistakes))
        .unwrap_or_default();
    // A label that is missing because of another error is not reported.
    let has_all_labels = mistakes.list.len() == n_mistakes;
    let entries = required(fields, "subjects", mistakes).and_then(|node| subjects::parse(node, mistakes));
    if !has_all_labels {
        return None;
    }
    let labels: Vec<&str> = strategies.iter().map(|it| it.label.value.as_str()).collect();
    let baseline = parse_baseline(fields, &labels, mistakes);
    let figures = match fields.get("figures") {
        Some(node) => figures::parse(node, &labels, mistakes)?,
        None => Vec::new(),
    };
    let (baseline, entries) = (baseline?, entries?);
    Some(Study { name, description, options, repeat, at_least, baseline, strategies, entries, figures })
}

fn required<'a>(fields: Fields<'a>, key: &str, mistakes: &mut Mistakes) -> Option<&'a Node> {
    let node = fields.get(key);
    if node.is_none() {
        let start = crate::diag::Span { end: fields.span.start, ..fields.span };
        mistakes.error("study-key", start, format!("a study needs the key `{key}`"));
    }
    node
}

/// Parses the name, which becomes part of a path.
fn parse_name(fields: Fields, stem: &str, mistakes: &mut Mistakes) -> String {
    let Some(node) = fields.get("name") else { return stem.to_string() };
    let Some(name) = mistakes.string(node, "`name`") else { return stem.to_string() };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    if name.value.is_empty() || name.value.starts_with('.') || !name.value.chars().all(plain) {
        mistakes
            .error("study-name", name.span, format!("`{}` is not a valid name of a study", name.value))
            .help =
            Some("the name is used for the result folder: use letters, digits, `-`, `_` and `.`".to_string());
    }
    name.value
}

fn parse_options(
    fields: Fields,
    key: &str,
    known: &'static [&'static str],
    mistakes: &mut Mistakes,
) -> Vec<CheckOption> {
    let Some(node) = fields.get(key) else { return Vec::new() };
    let Some(fields) = mistakes.fields(node, &format!("`{key}`"), known) else { return Vec::new() };
    let mut options = Vec::new();
    for flag in known {
        let Some(node) = fields.get(flag) else { continue };
        let value = mistakes.string(node, &format!("`{flag}`"));
        options.extend(value.map(|value| CheckOption { flag, value }));
    }
    options
}

fn parse_repeat(fields: Fields, mistakes: &mut Mistakes) -> u32 {
    let Some(node) = fields.get("repeat") else { return 1 };
    let Some(text) = mistakes.string(node, "`repeat`") else { return 1 };
    match text.value.parse() {
        Ok(repeat) if (1..=MAX_REPETITIONS).contains(&repeat) => repeat,
        _ => {
            let message = format!("`repeat` must be a number from 1 to {MAX_REPETITIONS}");
            mistakes.error("study-value", text.span, message);
            1
        }
    }
}

/// Parses the baseline; the default is the first strategy.
fn parse_baseline(fields: Fields, labels: &[&str], mistakes: &mut Mistakes) -> Option<usize> {
    let Some(node) = fields.get("baseline") else { return Some(0) };
    let wanted = mistakes.string(node, "`baseline`")?;
    let found = labels.iter().position(|label| *label == wanted.value);
    if found.is_none() {
        let message = format!("no strategy has the label `{}`", wanted.value);
        mistakes.error("study-label", wanted.span, message).help = Some(label_help(&wanted.value, labels));
    }
    found
}

fn label_help(wanted: &str, labels: &[&str]) -> String {
    did_you_mean(wanted, labels.iter().copied()).unwrap_or_else(|| match labels.len() {
        0..=8 => format!("the labels are {}", list_of(labels)),
        n => format!("the {n} labels include {}, …", list_of(&labels[..5])),
    })
}

fn stem(source: SourceId, sources: &Sources) -> String {
    let name = sources.get(source).name.as_str();
    Path::new(name).file_stem().map_or(name.to_string(), |stem| stem.to_string_lossy().into_owned())
}
