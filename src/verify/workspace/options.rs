//! Options of a check.

use super::promela::ModelGoals;
use crate::lang::language::Language;
use crate::lang::spec::property::Executions;
use crate::search::Limits;
use crate::verify::explicit::{
    Escapes, GivenTrail, ImproveOptions, ReductionChoice, SearchResources, Semantics,
};
use crate::verify::flow::KnownSets;
use crate::verify::{Adjacency, ConfirmOptions, Form, TrailDetail};
use std::path::PathBuf;

/// All options of a check, apart from the files themselves.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The model to use instead of the one that property files name.
    pub model: Option<PathBuf>,
    /// The language of the files, or of the model; detected if `None`.
    pub language: Option<Language>,
    /// Constants of task models that are set.
    pub settings: Vec<Setting>,
    /// Macros of Promela models that are defined before the first line.
    pub definitions: Vec<(String, String)>,
    /// Properties to check of a model given as a file, in addition to its own.
    pub goals: ModelGoals,
    /// Constraints besides those of property files, as the command line
    /// writes them.
    pub constraints: Vec<String>,
    /// Whether the constraints of property files are used.
    pub default_constraints: bool,
    /// The engine for task models.
    pub engine: EngineChoice,
    /// The strategy, in the strategy language.
    pub strategy: String,
    /// The executions that must satisfy the property; `None` for the default of
    /// the property.
    pub executions: Option<Executions>,
    /// How trace flow graphs are built.
    pub form: Form,
    /// When the graphs of fewer constraints are used as constraints.
    pub adjacency: Adjacency,
    /// Whether the explicit engine confirms counterexamples of the flow engine.
    pub confirm: ConfirmOptions,
    /// The constraints that are tested on a counterexample of the flow engine.
    pub proposals: ProposalScope,
    /// Verdicts of the flow engine that are known from earlier checks of the same
    /// property with other constraints.
    pub known: KnownSets,
    /// Limits of a search.
    pub limits: Limits,
    /// Store and threads of the explicit engine.
    pub resources: SearchResources,
    /// Whether the explicit engine leaves out steps that no counterexample needs.
    pub reduction: ReductionChoice,
    /// Semantics of the explicit engine.
    pub semantics: Semantics,
    /// Which escapes of `unless` are tried first.
    pub escapes: Escapes,
    /// Whether weak fairness is assumed: infinite runs in which a continuously
    /// enabled process never moves are ignored.
    pub is_fair: bool,
    /// Labels that the heuristic `dangerous` approaches; `*` at the end stands
    /// for any text.
    pub dangerous: Vec<String>,
    /// A trail whose last state the heuristics `hamming` and `fsm` approach.
    pub target: Option<PathBuf>,
    /// The parts of a counterexample that are described.
    pub detail: TrailDetail,
    /// Whether the explicit engine drops irrelevant steps of counterexamples
    /// that need not be shortest.
    pub shortens: bool,
    /// A trail to improve, instead of a search.
    pub improve: Option<(GivenTrail, ImproveOptions)>,
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
    /// The flow engine for sequences of events, the explicit engine for
    /// everything else.
    #[default]
    Auto,
    /// The flow engine.
    Flow,
    /// The explicit engine.
    Explicit,
}

/// The constraints that are tested on a counterexample of the flow engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProposalScope {
    /// None.
    Nothing,
    /// The tasks and variables of the model until one rejects it; if none does,
    /// also the files and sets in the folders `constraints`.
    Best,
    /// The tasks and variables of the model, and the files and sets in the folders `constraints`.
    #[default]
    Folders,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            model: None,
            language: None,
            settings: Vec::new(),
            definitions: Vec::new(),
            goals: ModelGoals::default(),
            constraints: Vec::new(),
            default_constraints: true,
            engine: EngineChoice::Auto,
            strategy: "auto".to_string(),
            executions: None,
            form: Form::REDUCED,
            adjacency: Adjacency::Auto,
            confirm: ConfirmOptions::default(),
            proposals: ProposalScope::default(),
            known: KnownSets::default(),
            limits: Limits::default(),
            resources: SearchResources::default(),
            reduction: ReductionChoice::default(),
            semantics: Semantics::default(),
            escapes: Escapes::OuterFirst,
            is_fair: false,
            dangerous: Vec::new(),
            target: None,
            detail: TrailDetail::default(),
            shortens: false,
            improve: None,
        }
    }
}

impl Setting {
    /// Creates the setting `name=value`.
    pub fn new(name: impl Into<String>, value: i64) -> Self {
        let name = name.into();
        Self { typed: format!("{name}={value}"), name, value }
    }
}
