//! Settings and constraints, of property files and of the command line.

use super::{Session, model_path};
use crate::cli::files::Texts;
use crate::cli::language::Language;
use crate::cli::promela;
use crate::cli::values::Setting;
use crate::diag::{Diagnostic, Span};
use crate::lang::spec::{Expanded, PropertySpec, Spanned, expand, parse_property_file};
use crate::lang::task;
use crate::lang::task::program::Program;
use crate::verify::assemble::{self, ConstraintRequest};
use std::path::{Path, PathBuf};

/// Settings of a property file, overridden by others, in the order of their
/// names.
pub(in crate::cli) fn merged_settings(spec: &PropertySpec, others: Vec<task::Setting>) -> Vec<task::Setting> {
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

/// Settings of the command line, each a text of its own for messages.
pub(in crate::cli) fn typed_settings(typed: &[Setting], texts: &mut Texts) -> Vec<task::Setting> {
    let setting = |typed: &Setting| {
        let source = texts.sources.add("--set", typed.typed.clone());
        let span = Span::new(source, 0..typed.name.len());
        task::Setting { name: typed.name.clone(), value: typed.value, span: Some(span) }
    };
    typed.iter().map(setting).collect()
}

/// A constraint of the command line, or the members of a set.
pub(in crate::cli) fn typed_constraint(
    typed: &str,
    texts: &mut Texts,
) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
    let source = texts.sources.add("--constraint", typed);
    constraint(typed, Span::new(source, 0..typed.len()), Path::new(""), texts)
}

/// The constraints that a file names, each by a name of its own that
/// `--constraint` takes; paths are seen from where the user is.
pub(in crate::cli) fn single_constraints(
    file: &Path,
    named: &[Spanned<String>],
    program: &Program,
    texts: &mut Texts,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let mut wanted = Vec::new();
    for it in named {
        wanted.extend(constraint(&it.value, it.span, file, texts)?);
    }
    assemble::names(program, &wanted, &texts.sources)
}

/// What a constraint written in `file` stands for.
pub(super) fn constraint(
    text: &str,
    span: Span,
    file: &Path,
    texts: &mut Texts,
) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
    let wanted = |expanded| match expanded {
        Expanded::Generated(reference, span) => ConstraintRequest::Generated(reference, Some(span)),
        Expanded::Context(source) => ConstraintRequest::Context(source),
    };
    let expanded = expand(text, span, file, texts)?;
    for it in &expanded {
        if let Expanded::Context(source) = it {
            let path = Path::new(&texts.sources.get(*source).name);
            if let Some(other @ (Language::Promela | Language::Task)) = Language::of(path, None) {
                let mut fault = other.unexpected(path, "a constraint file");
                fault.span = Some(span);
                return Err(vec![fault]);
            }
        }
    }
    Ok(expanded.into_iter().map(wanted).collect())
}

impl Session<'_> {
    /// Reads the files that the run will read, as far as can be seen from
    /// their texts, so that no result overwrites one of them. What is wrong
    /// with them is found when they are used.
    pub(super) fn find_inputs(&mut self, files: &[PathBuf]) {
        for file in files {
            if self.options.language(file) == Some(Language::Promela) {
                promela::find_inputs(file, &mut self.texts);
                continue;
            }
            let Ok(source) = self.texts.read(file, "property file") else { continue };
            let Ok(parsed) = parse_property_file(source, &self.texts.sources) else { continue };
            for spec in &parsed.properties {
                let _ = self.constraints(file, spec);
                match model_path(self.options, file, spec) {
                    Ok(path) if self.is_promela(&path) => promela::find_inputs(&path, &mut self.texts),
                    Ok(path) => drop(self.texts.read(&path, "model")),
                    Err(_) => (),
                }
            }
        }
    }
}
