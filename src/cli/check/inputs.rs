//! The files that a run will read.

use super::Session;
use crate::cli::promela;
use std::path::{Path, PathBuf};
use trapline::lang::language::Language;
use trapline::lang::spec::parse_property_file;
use trapline::verify::engine::ModelKind;

impl Session<'_> {
    /// Returns the language of a file to check.
    pub(super) fn language(&self, path: &Path) -> Option<Language> {
        self.workspace.language_of_file(path, &self.options.check)
    }

    /// Reads the input files of the run as far as their texts reveal them, so
    /// that no result overwrites one of them. Their errors are reported when
    /// they are used.
    pub(super) fn find_inputs(&mut self, files: &[PathBuf]) {
        let options = &self.options.check;
        if let Some(path) = &options.target {
            let _ = self.workspace.texts.read_record(path, "trail");
        }
        for file in files {
            match self.language(file) {
                Some(Language::Promela) => {
                    promela::find_inputs(file, &mut self.workspace.texts);
                    continue;
                }
                Some(Language::Task) => {
                    drop(self.workspace.texts.read(file, "model"));
                    continue;
                }
                _ => {}
            }
            let Ok(source) = self.workspace.texts.read(file, "property file") else { continue };
            let Ok(parsed) = parse_property_file(source, self.workspace.sources()) else { continue };
            for spec in &parsed.properties {
                let _ = self.workspace.constraints(file, spec, options);
                let Ok(path) = self.workspace.model_path(file, spec, options) else { continue };
                match self.workspace.kind_of_model(&path, options) {
                    ModelKind::Promela => promela::find_inputs(&path, &mut self.workspace.texts),
                    ModelKind::Task => drop(self.workspace.texts.read(&path, "model")),
                }
            }
        }
    }
}
