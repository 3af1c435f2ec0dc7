//! `trapline.yaml`: which property files and models belong to a project.

use super::fields::Mistakes;
use super::schema::forbid_null;
use super::yaml::{self, Node, Spanned};
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use schemars::{JsonSchema, schema_for};

/// The name of the file.
pub const PROJECT_FILE: &str = "trapline.yaml";

/// The keys of the file.
const KEYS: &[&str] = &["schema_version", "properties"];

/// The version of the format.
const SCHEMA_VERSION: u32 = 1;

/// What `trapline check` checks when no file is given.
// Never constructed: it describes what `parse` accepts.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Project {
    /// The version of this format: 1.
    schema_version: Option<u32>,
    /// Property files or models, relative to this file, with `*` for any text within one
    /// part of a path.
    properties: OneOrMany,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code)]
enum OneOrMany {
    One(#[schemars(length(min = 1))] String),
    Many(#[schemars(length(min = 1))] Vec<String>),
}

/// Returns the JSON schema of the file.
pub fn project_schema() -> serde_json::Value {
    let mut schema = schema_for!(Project).into();
    forbid_null(&mut schema);
    schema
}

/// Reads the file; returns its patterns, or every error in it.
pub fn parse_project(id: SourceId, sources: &Sources) -> Result<Vec<Spanned<String>>, Vec<Diagnostic>> {
    let root = yaml::read(id, sources).map_err(|fault| vec![fault])?;
    let mut mistakes = Mistakes::default();
    let patterns = patterns(&root, &mut mistakes);
    mistakes.finish(patterns).map_err(|mut faults| {
        let help =
            "the value of `properties` is a path or a list of paths; put a path that starts with * in quotes";
        faults.iter_mut().for_each(|fault| {
            fault.help.get_or_insert_with(|| help.to_string());
        });
        faults
    })
}

fn patterns(root: &Node, mistakes: &mut Mistakes) -> Option<Vec<Spanned<String>>> {
    let fields = mistakes.fields(root, &format!("`{PROJECT_FILE}`"), KEYS)?;
    mistakes.expect_schema_version(fields, SCHEMA_VERSION);
    let Some(node) = fields.get("properties") else {
        let start = Span { end: fields.span.start, ..fields.span };
        mistakes.error("project-empty", start, format!("`{PROJECT_FILE}` needs the key `properties`"));
        return None;
    };
    let patterns = mistakes.strings(node, "`properties`")?;
    if patterns.is_empty() {
        mistakes.error("project-empty", node.span, "the list of property files is empty");
    }
    patterns.iter().for_each(|it| mistakes.expect_name(it, "a path"));
    Some(patterns)
}
