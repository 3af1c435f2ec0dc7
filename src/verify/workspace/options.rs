//! How files are checked.

use super::promela::ModelWishes;
use crate::lang::language::Language;
use crate::lang::spec::property::Executions;
use crate::search::Limits;
use crate::verify::explicit::{Escapes, SearchResources, Semantics};
use crate::verify::{Adjacency, Form, TrailDetail};
use std::path::PathBuf;

/// Everything that can be said about a check besides the files themselves.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The model to use instead of the one that property files name.
    pub model: Option<PathBuf>,
    /// The language of the given files, or of the model; recognised if `None`.
    pub language: Option<Language>,
    /// Constants of task models that are set.
    pub settings: Vec<Setting>,
    /// Macros of Promela models that are defined before the first line.
    pub definitions: Vec<(String, String)>,
    /// What is asked of a model given as a file, besides what it says of
    /// itself.
    pub wishes: ModelWishes,
    /// Constraints besides those of property files, as the command line
    /// writes them.
    pub constraints: Vec<String>,
    /// Are the constraints of property files used?
    pub default_constraints: bool,
    /// The engine for task models.
    pub engine: EngineChoice,
    /// The strategy, in the strategy language.
    pub strategy: String,
    /// Which executions are meant; `None`: as the property says.
    pub executions: Option<Executions>,
    /// How trace flow graphs are built.
    pub form: Form,
    /// When graphs of fewer constraints bind too.
    pub adjacency: Adjacency,
    /// When a search gives up.
    pub limits: Limits,
    /// How the explicit engine remembers states, and with how many threads.
    pub resources: SearchResources,
    /// How the explicit engine runs models.
    pub semantics: Semantics,
    /// Which escapes of `unless` are tried first.
    pub escapes: Escapes,
    /// Are infinite runs ignored in which a continuously enabled process never
    /// moves?
    pub is_fair: bool,
    /// How much of a counterexample is described.
    pub detail: TrailDetail,
}

/// A constant that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The constant.
    pub name: String,
    /// Its value; 0 and 1 are the values of a `bool`.
    pub value: i64,
    /// The text that sets it, for messages.
    pub typed: String,
}

/// The engine for task models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The flow engine for orders of events, the explicit engine for
    /// everything else.
    #[default]
    Auto,
    /// The flow engine.
    Flow,
    /// The explicit engine.
    Explicit,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            model: None,
            language: None,
            settings: Vec::new(),
            definitions: Vec::new(),
            wishes: ModelWishes::default(),
            constraints: Vec::new(),
            default_constraints: true,
            engine: EngineChoice::Auto,
            strategy: "auto".to_string(),
            executions: None,
            form: Form::REDUCED,
            adjacency: Adjacency::Auto,
            limits: Limits::default(),
            resources: SearchResources::default(),
            semantics: Semantics::default(),
            escapes: Escapes::OuterFirst,
            is_fair: false,
            detail: TrailDetail::default(),
        }
    }
}

impl Setting {
    /// The setting `name=value`.
    pub fn new(name: impl Into<String>, value: i64) -> Self {
        let name = name.into();
        Self { typed: format!("{name}={value}"), name, value }
    }
}
