//! Constraints and settings, of property files and of the options of a check.

use super::options::{CheckOptions, Setting};
use super::{Workspace, flow};
use crate::diag::{Diagnostic, SourceId, Span};
use crate::lang::language::Language;
use crate::lang::library::Library;
use crate::lang::spec::{ConstraintRef, Expanded, PropertySpec, Spanned, expand};
use crate::lang::task;
use crate::lang::task::program::Program;
use std::path::Path;

/// A constraint as written, with its text where it has one.
#[derive(Clone, Debug)]
pub enum ConstraintRequest {
    /// `task:t1`, `variable:w[*]`.
    Generated(ConstraintRef, Option<Span>),
    /// A constraint file that has been read.
    Context(SourceId),
}

/// Returns whether a constraint, as the command line writes it, is generated
/// from the model.
pub fn is_generated(constraint: &str) -> bool {
    constraint.starts_with("task:") || constraint.starts_with("variable:")
}

impl<L: Library> Workspace<L> {
    /// Returns the constraints of a property and those of the options.
    pub fn constraints(
        &mut self,
        file: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
    ) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
        let mut all = Vec::new();
        if options.default_constraints {
            for it in &spec.constraints {
                all.extend(self.constraint(&it.value, it.span, file)?);
            }
        }
        for typed in &options.constraints {
            all.extend(self.typed_constraint(typed)?);
        }
        Ok(all)
    }

    /// Reads a constraint of the command line, or the members of a set.
    pub fn typed_constraint(&mut self, typed: &str) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
        if let Some(source) = self.provided.get(typed) {
            return Ok(vec![ConstraintRequest::Context(*source)]);
        }
        let source = self.texts.add("--constraint", typed);
        self.constraint(typed, Span::new(source, 0..typed.len()), Path::new(""))
    }

    /// Resolves a constraint written in `file`.
    fn constraint(
        &mut self,
        text: &str,
        span: Span,
        file: &Path,
    ) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
        let request = |expanded| match expanded {
            Expanded::Generated(reference, span) => ConstraintRequest::Generated(reference, Some(span)),
            Expanded::Context(source) => ConstraintRequest::Context(source),
        };
        let expanded = expand(text, span, file, &mut self.texts)?;
        for it in &expanded {
            let Expanded::Context(source) = it else { continue };
            let path = Path::new(&self.texts.sources().get(*source).name);
            if let Some(other @ (Language::Promela | Language::Task)) = self.texts.language(path, None) {
                let mut fault = other.unexpected(path, "a constraint file");
                fault.span = Some(span);
                return Err(vec![fault]);
            }
        }
        Ok(expanded.into_iter().map(request).collect())
    }

    /// Returns the names, for the command line, of the constraints that a file
    /// names: `*` is expanded, and paths are relative to the current directory.
    pub fn names_of_constraints(
        &mut self,
        file: &Path,
        named: &[Spanned<String>],
        program: &Program,
    ) -> Result<Vec<String>, Vec<Diagnostic>> {
        let mut requests = Vec::new();
        for it in named {
            requests.extend(self.constraint(&it.value, it.span, file)?);
        }
        flow::names(program, &requests, self.texts.sources())
    }

    /// Returns the settings of the options, each with its own text for messages.
    pub fn typed_settings(&mut self, typed: &[Setting]) -> Vec<task::Setting> {
        let setting = |typed: &Setting| {
            let source = self.texts.add("--set", &typed.typed);
            let span = Span::new(source, 0..typed.name.len());
            task::Setting { name: typed.name.clone(), value: typed.value, span: Some(span) }
        };
        typed.iter().map(setting).collect()
    }

    /// Returns the settings of a property file, overridden by those of the
    /// options.
    pub fn settings(&mut self, spec: &PropertySpec, typed: &[Setting]) -> Vec<task::Setting> {
        merged_settings(spec, self.typed_settings(typed))
    }
}

/// Returns the settings of a property file, overridden by others, in the order
/// of their names.
pub fn merged_settings(spec: &PropertySpec, others: Vec<task::Setting>) -> Vec<task::Setting> {
    let mut all = others;
    for (name, value) in &spec.set {
        if !all.iter().any(|other| other.name == name.value) {
            let span = Some(name.span);
            all.push(task::Setting { name: name.value.clone(), value: value.value, span });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Returns the macros for a Promela model: those that the property file sets,
/// then those of the options.
pub fn definitions(
    spec: &PropertySpec,
    set: &[Setting],
    typed: &[(String, String)],
) -> Vec<(String, String)> {
    let own = spec.set.iter().map(|(name, value)| (name.value.clone(), value.value.to_string()));
    let set = set.iter().map(|it| (it.name.clone(), it.value.to_string()));
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, value) in own.chain(set).chain(typed.iter().cloned()) {
        all.retain(|(known, _)| *known != name);
        all.push((name, value));
    }
    all
}
