//! Properties and constraints in YAML. `docs/spec-language.md` is the
//! reference.
//!
//! A file goes through two steps. [`parse_property_file`] and
//! [`parse_constraint_file`] need the text alone: `yaml` makes a tree with
//! places, `fields` checks keys and kinds, `regex` reads expressions.
//! [`PropertySpec::resolve`] then needs the labels of the model: `events`
//! settles the alphabet, and the notation becomes an automaton over it.
//!
//! Nothing here reads a file: the path of a model and of a constraint file is
//! handed on as written, and [`expand`] asks a
//! [`Library`](crate::lang::library::Library) for the sets of
//! constraints that a reference stands for.
// A diagnostic is large, but a parser makes one only to give up.

mod automaton;
mod body;
mod constraint_ref;
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
// Other YAML files are read with the same checks and the same words.
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
