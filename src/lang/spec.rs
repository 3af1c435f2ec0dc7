//! Properties and constraints in YAML. `docs/spec-language.md` is the
//! reference.
//!
//! A file is processed in two steps. [`parse_property_file`] and
//! [`parse_constraint_file`] need only the text: `yaml` builds a tree with
//! spans, `fields` checks keys and kinds, `regex` parses expressions.
//! [`PropertySpec::resolve`] then needs the labels of the model: `events`
//! resolves the alphabet, and the notation becomes an automaton over it.
//!
//! No file is read here: the paths of models and constraint files are returned
//! as written, and [`expand`] requests the sets of constraints that a reference
//! names from a [`Library`](crate::lang::library::Library).
// Diagnostics are large, but a parser creates one only when it fails.

mod automaton;
mod body;
mod constraint_ref;
mod edit;
mod events;
mod fields;
mod file;
mod glob;
mod pattern;
mod project;
pub mod property;
mod qre;
mod regex;
mod resolve;
mod schema;
mod sets;
#[cfg(test)]
mod tests;
mod yaml;

pub use constraint_ref::ConstraintRef;
pub use edit::with_constraints;
// Other YAML files are read with the same checks and messages.
pub(crate) use fields::{Fields, Mistakes, list_of};
pub use file::{
    ConstraintFile, ConstraintSpec, PropertyFile, PropertySpec, StateFormula, parse_constraint_file,
    parse_property_file,
};
pub use glob::Glob;
pub use project::{PROJECT_FILE, parse_project, project_schema};
pub use resolve::{Constraint, Property};
pub(crate) use schema::forbid_null;
pub use schema::{FileKind, schema};
pub use sets::{ConstraintSet, ConstraintSets, Expanded, expand, parse_constraint_sets};
pub use yaml::Spanned;
pub(crate) use yaml::{Node, Value, read as read_yaml};
