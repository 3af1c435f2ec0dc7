//! Constraint files and sets that a user could add, from the folders
//! `constraints`.

use super::constraints::{ConstraintRequest, is_generated};
use super::{Workspace, flow};
use crate::base::cancel::checkpoint;
use crate::lang::library::Library;
use crate::lang::spec::{self, ConstraintRef, PropertySpec, parse_constraint_sets};
use crate::lang::task::program::Program;
use crate::verify::flow::Constraint;
use std::path::{Path, PathBuf};

/// The name of the folders.
const FOLDER: &str = "constraints";

/// Maximum number of files, in all folders together.
const MAX_FILES: usize = 200;

/// Maximum number of files and sets.
const MAX_CANDIDATES: usize = 1_000;

/// A constraint file or a set, resolved against a model.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its name on the command line: `FILE` or `FILE#SET`.
    name: String,
    generated: Vec<Constraint<'static>>,
    contexts: Vec<spec::Constraint>,
}

impl Candidate {
    /// Returns the name and the constraints.
    pub fn constraints(&self) -> (&str, Vec<Constraint<'_>>) {
        let generated = self.generated.iter().cloned();
        (&self.name, generated.chain(flow::assumed(&self.contexts)).collect())
    }
}

impl<L: Library> Workspace<L> {
    /// Returns the files and sets in the folders `constraints` of the current
    /// directory, of the directory of the property file and of the one above
    /// it, and those that the property names, if they fit the model. Files
    /// that cannot be read are skipped.
    pub(super) fn candidates(
        &mut self,
        file: &Path,
        spec: &PropertySpec,
        program: &Program,
    ) -> Vec<Candidate> {
        let named = self.named_by(file, spec);
        let mut names = named.clone();
        let mut files = Vec::new();
        for folder in [
            PathBuf::from(FOLDER),
            self.texts.beside(file, FOLDER),
            self.texts.beside(file, "../constraints"),
        ] {
            let more = self.texts.list(&folder, MAX_FILES - files.len());
            files.extend(more.into_iter().filter(|it| !files.contains(it)).collect::<Vec<_>>());
        }
        for path in files {
            checkpoint();
            names.extend(self.names_in(&path));
        }
        let mut seen = std::collections::HashSet::new();
        names.retain(|it| seen.insert(it.clone()));
        names.truncate(MAX_CANDIDATES);
        let is_meant = |name: &String, requests: &[ConstraintRequest]| {
            named.contains(name) || !requests.iter().all(fits_every_model)
        };
        let mut candidates = Vec::new();
        for name in names {
            let Ok(requests) = self.typed_constraint(&name) else { continue };
            if is_meant(&name, &requests) {
                candidates.extend(self.candidate(name, &requests, program));
            }
        }
        candidates
    }

    /// Returns the files and sets that a property names, for the command line.
    fn named_by(&self, file: &Path, spec: &PropertySpec) -> Vec<String> {
        let written = spec.constraints.iter().filter(|it| !is_generated(&it.value));
        let name = |it: &spec::Spanned<String>| match ConstraintRef::parse(&it.value, it.span).ok()? {
            ConstraintRef::File(path) => Some(self.texts.beside(file, &path).display().to_string()),
            ConstraintRef::Set { file: named, name } => {
                Some(format!("{}#{name}", self.texts.beside(file, &named).display()))
            }
            _ => None,
        };
        written.filter_map(name).collect()
    }

    /// Returns the names of a constraint file or of its sets.
    fn names_in(&mut self, path: &Path) -> Vec<String> {
        let name = path.display().to_string();
        let Ok(source) = self.texts.read(path, "constraint file") else { return Vec::new() };
        match parse_constraint_sets(source, self.texts.sources()) {
            Ok(file) => file.sets.iter().map(|it| format!("{name}#{}", it.name.value)).collect(),
            Err(_) => vec![name],
        }
    }

    /// Resolves a file or a set; `None` if it does not fit the model.
    fn candidate(
        &self,
        name: String,
        requests: &[ConstraintRequest],
        program: &Program,
    ) -> Option<Candidate> {
        let contexts = flow::contexts(requests, &program.labels(), self.texts.sources()).ok()?;
        let generated = flow::generated(program, requests).ok()?;
        Some(Candidate { name, generated, contexts })
    }
}

/// Returns whether a constraint names nothing of a model: `task:*`.
fn fits_every_model(request: &ConstraintRequest) -> bool {
    match request {
        ConstraintRequest::Generated(ConstraintRef::Task(name) | ConstraintRef::Variable(name), _) => {
            name.as_str() == "*"
        }
        _ => false,
    }
}
