//! The calls from the command line into the front ends and the engine.
//!
//! This is the one file to change when they are connected: the types are
//! what the command line needs to know of its neighbours, and each function
//! says what it is to do.
#![allow(dead_code, reason = "made by the front ends, which are not connected yet")]

use super::options::EngineOptions;
use super::values::{GraphForm, Setting};
use crate::base::control::Control;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::verify::Report;
use crate::verify::drawing::Drawing;

/// A property file as read; the shared defaults have been filled in.
pub(super) struct PropertyFile {
    pub properties: Vec<PropertySpec>,
}

/// A property before it meets its model.
pub(super) struct PropertySpec {
    pub name: String,
    /// The path of the model, relative to the property file.
    pub model: Option<Written<String>>,
    /// `set:` of the file.
    pub settings: Vec<Setting>,
    /// `constraints:` of the file; paths are relative to it.
    pub constraints: Vec<Written<String>>,
    /// For a mistake that concerns the property as a whole.
    pub span: Option<Span>,
}

/// A value and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Written<T> {
    pub value: T,
    pub span: Option<Span>,
}

/// A task model, read and checked.
pub(super) struct Model;

/// A model, or why there is none, or what to know of it.
pub(super) struct Loaded {
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A constraint with its text where it has one.
#[derive(Clone, Debug)]
pub(super) enum Constraint {
    /// `task:t1`, `variable:w[*]`.
    Generated(Written<String>),
    /// A constraint file that has been read.
    Context { name: String, file: SourceId },
}

/// One property to check on one model.
pub(super) struct Question<'a> {
    pub spec: &'a PropertySpec,
    pub model: &'a Model,
    /// As the user knows it, for the report.
    pub model_name: &'a str,
    pub settings: &'a [Setting],
    pub constraints: &'a [Constraint],
    pub options: &'a EngineOptions,
}

/// `lang::spec::parse_property_file`.
pub(super) fn properties(_file: SourceId, _sources: &Sources) -> Result<PropertyFile, Vec<Diagnostic>> {
    Err(vec![not_connected("property files")])
}

/// `lang::task::load`; settings whose name is no constant of the model are
/// diagnostics too.
pub(super) fn model(_file: SourceId, _sources: &Sources, _settings: &[Setting]) -> Loaded {
    Loaded { model: None, diagnostics: vec![not_connected("task models")] }
}

/// Resolves the property against the labels of the model, builds constraints
/// and graph, searches. Polls `control` and publishes its counters there.
pub(super) fn verify(
    _question: &Question,
    _sources: &Sources,
    _control: &Control,
) -> Result<Report, Vec<Diagnostic>> {
    Err(vec![not_connected("verification")])
}

/// The control flow of the tasks whose name matches, one group per task.
pub(super) fn draw_control_flow(_model: &Model, _tasks: Option<&str>) -> Result<Drawing, Vec<Diagnostic>> {
    Err(vec![not_connected("graph cfg")])
}

/// The trace flow graph; of what a property sees if there is one.
pub(super) fn draw_flow_graph(
    _model: &Model,
    _property: Option<&PropertySpec>,
    _form: &GraphForm,
    _parallel: bool,
) -> Result<Drawing, Vec<Diagnostic>> {
    Err(vec![not_connected("graph tfg")])
}

/// The automaton of a property, or of one constraint on its model.
pub(super) fn draw_automaton(
    _spec: &PropertySpec,
    _model: &Model,
    _constraint: Option<&Constraint>,
    _sources: &Sources,
) -> Result<Drawing, Vec<Diagnostic>> {
    Err(vec![not_connected("graph automaton")])
}

/// The JSON schema of property files.
pub(super) fn property_schema() -> Result<serde_json::Value, Diagnostic> {
    Err(not_connected("schema property"))
}

/// The JSON schema of constraint files.
pub(super) fn constraint_schema() -> Result<serde_json::Value, Diagnostic> {
    Err(not_connected("schema constraint"))
}

fn not_connected(what: &str) -> Diagnostic {
    Diagnostic::error_without_place("not-connected", format!("{what}: not connected yet"))
}
