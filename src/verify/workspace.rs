//! From texts to reports: reads the properties of a file, resolves them against
//! models, lowers models, adds observers and constraints, and runs an engine.
//!
//! A [`Workspace`] has a [`Library`] of texts and the models that were read
//! from it. [`Workspace::subjects`] lists the properties of a file, one
//! [`Subject`] each, and [`Workspace::check`] checks one of them; both follow
//! the [`CheckOptions`]. `promela`, `tasks` and `flow` create questions from
//! models and properties, [`pictures`] draws models, graphs and automata.

mod candidates;
mod check;
mod constraints;
mod flow;
mod models;
mod options;
pub mod pictures;
mod promela;
mod states;
mod subjects;
mod target;
pub mod tasks;
mod violated;

use super::report::Report;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::lang::library::{Library, Texts};
use models::KnownModel;
use std::collections::BTreeMap;
use std::path::Path;

pub use constraints::{ConstraintRequest, definitions, is_generated, merged_settings};
pub use models::TaskModel;
pub use options::{CheckOptions, EngineChoice, ProposalScope, Setting};
pub use promela::{LoadedModel, ModelGoals};
pub use subjects::{QuestionKind, Subject, engine_for};
pub use tasks::TaskQuestion;
pub use violated::violated_by;

/// Texts and the models that were read from them.
///
/// ```
/// use trapline::{CheckOptions, Texts, Verdict, Workspace};
///
/// let model = "
/// #[task] fn writer() { event!(open); event!(write); event!(close); }
/// ";
/// let property = "
/// name: open-first
/// model: writer.rs
/// events: { open: open, write: write }
/// all: { pattern: precedence, first: open, before: write }
/// ";
/// let texts = Texts::new().with("writer.rs", model).with("open.yaml", property);
/// let mut workspace = Workspace::new(texts);
/// let reports = workspace.check_file("open.yaml", &CheckOptions::default()).expect("the texts are right");
/// assert_eq!(reports[0].verdict, Verdict::Holds);
/// ```
#[derive(Debug)]
pub struct Workspace<L = Texts> {
    /// The texts.
    pub texts: L,
    models: Vec<KnownModel>,
    warnings: Vec<Diagnostic>,
    /// Constraint files that need not exist, by path.
    provided: BTreeMap<String, SourceId>,
}

impl<L: Library> Workspace<L> {
    /// Creates a workspace in which nothing has been read.
    pub fn new(texts: L) -> Self {
        Self { texts, models: Vec::new(), warnings: Vec::new(), provided: BTreeMap::new() }
    }

    /// Returns the texts that were read, to which the spans of diagnostics and
    /// steps refer.
    pub fn sources(&self) -> &Sources {
        self.texts.sources()
    }

    /// Checks all subjects of a file: every property of a property file, or a
    /// model for deadlocks, runtime errors, and its own claims and formulas.
    /// Stops at the first error.
    pub fn check_file(
        &mut self,
        file: impl AsRef<Path>,
        options: &CheckOptions,
    ) -> Result<Vec<Report>, Vec<Diagnostic>> {
        let subjects = self.subjects(file.as_ref(), options)?;
        subjects.iter().map(|subject| self.check(subject, options, &mut |_| None)).collect()
    }

    /// Provides the text of a constraint file that need not exist. Only constraints
    /// of the options can name it.
    pub fn provide_constraint(&mut self, path: &str, text: &str) {
        let source = self.texts.add(path, text);
        self.provided.insert(path.to_string(), source);
    }

    /// Takes the warnings about models that belong to no single report, without
    /// duplicates.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    fn warn(&mut self, warnings: &[Diagnostic]) {
        for warning in warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }
}
