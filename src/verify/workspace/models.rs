//! Models as the texts of a workspace describe them.

use super::Workspace;
use super::promela::ModelText;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::lang::library::Library;
use crate::lang::task::lower::{Lowered, Steps, lower};
use crate::lang::task::program::Program;
use crate::lang::task::{self, load};
use crate::verify::explicit::Escapes;
use crate::verify::flow::GraphCache;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A task model that was requested, with its remarks.
#[derive(Debug)]
pub(super) struct KnownModel {
    path: PathBuf,
    settings: Vec<(String, i64)>,
    /// `None` if it is unusable; the reasons were reported then.
    program: Option<Rc<Program>>,
    notes: Vec<Diagnostic>,
    graphs: GraphCache,
}

/// A task model that was read.
#[derive(Clone, Debug)]
pub struct TaskModel {
    /// The tasks.
    pub program: Rc<Program>,
    /// Remarks: over-approximations, unused functions.
    pub notes: Vec<Diagnostic>,
    /// The constants that were set.
    pub settings: Vec<(String, String)>,
    /// Its graphs that were built so far.
    pub graphs: GraphCache,
}

impl TaskModel {
    /// Returns the network of the tasks with these steps.
    pub fn lowered(&self, steps: &Steps) -> Result<Lowered, Vec<Diagnostic>> {
        lower(&self.program, steps)
    }
}

impl<L: Library> Workspace<L> {
    /// Returns the task model of a path with these settings. Each model is read
    /// once and its errors are reported once: after that they are an empty list.
    pub fn tasks(&mut self, path: &Path, settings: &[task::Setting]) -> Result<TaskModel, Vec<Diagnostic>> {
        let values: Vec<(String, i64)> = settings.iter().map(|it| (it.name.clone(), it.value)).collect();
        let set = values.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        if let Some(known) = self.models.iter().find(|it| it.path == path && it.settings == values) {
            let program = known.program.clone().ok_or_else(Vec::new)?;
            let (notes, graphs) = (known.notes.clone(), known.graphs.clone());
            return Ok(TaskModel { program, notes, settings: set, graphs });
        }
        let source = self.texts.read(path, "model").map_err(|fault| vec![fault])?;
        let loaded = load(source, self.texts.sources(), settings);
        let program = loaded.program.map(Rc::new);
        let notes = if program.is_some() { loaded.diagnostics.clone() } else { Vec::new() };
        let path = path.to_path_buf();
        self.models.push(KnownModel {
            path,
            settings: values,
            program: program.clone(),
            notes: notes.clone(),
            graphs: GraphCache::default(),
        });
        let graphs = self.models.last().map(|it| it.graphs.clone()).unwrap_or_default();
        Ok(TaskModel { program: program.ok_or(loaded.diagnostics)?, notes, settings: set, graphs })
    }

    /// Passes the text of a Promela model to `make`; included files are read on
    /// demand.
    pub(super) fn with_promela<T>(
        &mut self,
        path: &Path,
        (definitions, escapes): (&[(String, String)], Escapes),
        make: impl FnOnce(ModelText, &mut Sources) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let source = self.texts.read_leniently(path, "model").map_err(|fault| vec![fault])?;
        let (sources, mut include) = self.texts.with_includes();
        let mut load = |named: &str, _: SourceId| {
            let (path, text) = include(path, named).map_err(|fault| fault.message)?;
            Ok((path.display().to_string(), text))
        };
        make(ModelText { source, load: &mut load, definitions, escapes }, sources)
    }
}
