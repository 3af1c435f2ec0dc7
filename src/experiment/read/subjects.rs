//! The subjects of a study, in the study itself or in a file it includes.

use crate::experiment::study::{Entry, Include, LeaveOut, SubjectEntry};
use crate::lang::spec::{Mistakes, Node, Spanned, Value};

/// Maximum number of subjects per entry that differ in constants.
const MAX_SIZES: usize = 1000;

/// The keys of subjects of a property file.
pub(in crate::experiment) const SPEC_KEYS: &[&str] =
    &["spec", "property", "label", "set", "constraints", "leave-out"];

/// The keys of subjects of a model.
pub(in crate::experiment) const MODEL_KEYS: &[&str] = &["model", "property", "label", "define", "set"];

/// The keys of an include.
pub(in crate::experiment) const INCLUDE_KEYS: &[&str] = &["include", "leave-out"];

/// The keys of a file of subjects.
pub(in crate::experiment) const INCLUDED_KEYS: &[&str] = &["schema_version", "subjects"];

/// The version of the format of files of subjects.
const SUBJECTS_VERSION: u32 = 1;

pub(super) fn parse(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Entry>> {
    let items = mistakes.list(node, "`subjects`")?;
    if items.is_empty() {
        mistakes.error("study-value", node.span, "a study needs at least one subject");
    }
    let entry = |item| match has_key(item, "include") {
        true => parse_include(item, mistakes).map(Entry::Include),
        false => parse_subject(item, mistakes).map(|it| Entry::Subjects(Box::new(it))),
    };
    Some(items.iter().filter_map(entry).collect())
}

pub(super) fn included(root: &Node, mistakes: &mut Mistakes) -> Option<Vec<SubjectEntry>> {
    let fields = mistakes.fields(root, "an included file", INCLUDED_KEYS)?;
    mistakes.expect_schema_version(fields, SUBJECTS_VERSION);
    let Some(node) = fields.get("subjects") else {
        mistakes.error("study-key", root.span, "an included file needs the key `subjects`");
        return None;
    };
    let items = mistakes.list(node, "`subjects`")?;
    let subject = |item| {
        if has_key(item, "include") {
            let message = "an included file cannot include other files";
            mistakes.error("study-include", item.span, message).help =
                Some("include both files in the study itself".to_string());
            return None;
        }
        parse_subject(item, mistakes)
    };
    Some(items.iter().filter_map(subject).collect())
}

fn has_key(node: &Node, wanted: &str) -> bool {
    matches!(&node.value, Value::Map(entries) if entries.iter().any(|(key, _)| key.value == wanted))
}

fn parse_include(node: &Node, mistakes: &mut Mistakes) -> Option<Include> {
    let fields = mistakes.fields(node, "an include", INCLUDE_KEYS)?;
    let path = mistakes.string(fields.get("include")?, "`include`")?;
    Some(Include { path, leave_out: fields.get("leave-out").and_then(|it| parse_leave_out(it, mistakes)) })
}

fn parse_subject(node: &Node, mistakes: &mut Mistakes) -> Option<SubjectEntry> {
    let only_model = MODEL_KEYS.iter().filter(|key| !SPEC_KEYS.contains(key));
    let all_keys: Vec<&str> = SPEC_KEYS.iter().chain(only_model).copied().collect();
    let fields = mistakes.fields(node, "a subject", &all_keys)?;
    let (file, is_model) = match (fields.get("spec"), fields.get("model")) {
        (Some(spec), None) => (mistakes.string(spec, "`spec`")?, false),
        (None, Some(model)) => (mistakes.string(model, "`model`")?, true),
        (Some(_), Some(model)) => {
            mistakes.error("study-key", model.span, "a subject cannot have both `spec` and `model`").help =
                Some("remove `model`: the property file names its model".to_string());
            return None;
        }
        (None, None) => {
            mistakes.error("study-key", fields.span, "a subject needs the key `spec` or `model`").help =
                Some("write the path of a property file or a model, relative to this file".to_string());
            return None;
        }
    };
    let (own, known) = if is_model { ("model", MODEL_KEYS) } else { ("spec", SPEC_KEYS) };
    let foreign = all_keys.iter().filter(|key| !known.contains(key));
    for (key, node) in foreign.filter_map(|key| Some((*key, fields.get(key)?))) {
        let message = format!("`{key}` cannot be used together with `{own}`");
        let help = match key {
            "define" => "set constants of a task model by `set`",
            _ => "constraints apply only to the properties of a `spec`",
        };
        mistakes.error("study-key", node.span, message).help = Some(help.to_string());
    }
    let set = match (fields.get("set"), fields.get("define")) {
        (Some(_), Some(define)) if is_model => {
            mistakes.error("study-key", define.span, "a model cannot have both `set` and `define`").help =
                Some(
                    "use `define` for macros of Promela models, `set` for constants of task models"
                        .to_string(),
                );
            return None;
        }
        (Some(set), _) => parse_set(set, "set", mistakes)?,
        (None, Some(define)) if is_model => parse_set(define, "define", mistakes)?,
        (None, _) => Vec::new(),
    };
    Some(SubjectEntry {
        file,
        is_model,
        label: fields.get("label").and_then(|it| mistakes.string(it, "`label`")).map(|it| it.value),
        property: match fields.get("property") {
            Some(node) => Some(mistakes.string(node, "`property`")?),
            None => None,
        },
        set,
        has_macros: fields.get("define").is_some(),
        constraints: match fields.get("constraints") {
            Some(node) => Some(mistakes.strings(node, "`constraints`")?),
            None => None,
        },
        leave_out: fields.get("leave-out").and_then(|it| parse_leave_out(it, mistakes)),
    })
}

fn parse_leave_out(node: &Node, mistakes: &mut Mistakes) -> Option<LeaveOut> {
    if let Value::List(items) = &node.value {
        if items.is_empty() {
            mistakes.error("study-value", node.span, "`leave-out` needs at least one constraint").help =
                Some("write `none` to keep all constraints".to_string());
        }
        return mistakes.strings(node, "`leave-out`").map(LeaveOut::Matching);
    }
    let words = [("each", true), ("none", false)];
    let word = mistakes.word(node, "`leave-out`", &words)?;
    Some(if word.value { LeaveOut::Each } else { LeaveOut::None })
}

/// Parses names with one or several values each; macros may have any text.
fn parse_set(node: &Node, key: &str, mistakes: &mut Mistakes) -> Option<Vec<(Spanned<String>, Vec<String>)>> {
    let fields = mistakes.map(node, &format!("`{key}`"))?;
    let mut all = Vec::new();
    let mut n_sizes = 1_usize;
    for (name, node) in fields.entries() {
        let texts = mistakes.strings(node, &format!("the value of `{}`", name.value))?;
        let mut values = Vec::new();
        for text in &texts {
            match constant(&text.value) {
                _ if key == "define" => values.push(text.value.clone()),
                Some(value) => values.push(value.to_string()),
                None => {
                    let message = format!("`{}` is neither an integer nor true or false", text.value);
                    mistakes.error("study-value", text.span, message);
                }
            }
        }
        if texts.is_empty() {
            mistakes.error("study-value", node.span, format!("`{}` has no values", name.value));
        }
        n_sizes = n_sizes.saturating_mul(values.len());
        if n_sizes > MAX_SIZES {
            let message = format!("`{key}` generates more than {MAX_SIZES} subjects");
            mistakes.error("study-limit", name.span, message).help =
                Some("there is one subject per combination of values: use fewer values".to_string());
            return None;
        }
        all.push((name.clone(), values));
    }
    Some(all)
}

fn constant(text: &str) -> Option<i64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => text.parse().ok(),
    }
}
