//! Promela models from files.

use super::files::{Texts, beside};
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::lang::promela::{Reading, parse};
use crate::verify::explicit::{Program, lower};
use std::fs;
use std::path::Path;

/// A model that can be run.
pub(super) struct Loaded {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}

/// Is it the file of a Promela model?
pub(super) fn is_model(path: &Path) -> bool {
    let endings = ["pml", "prom", "promela", "spin"];
    path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending))
}

/// Reads a model and what it includes; names of included files are seen from
/// the folder of the model.
pub(super) fn load(
    path: &Path,
    definitions: &[(String, String)],
    texts: &mut Texts,
) -> Result<Loaded, Vec<Diagnostic>> {
    let source = texts.read(path, "model").map_err(|fault| vec![fault])?;
    let mut load = |named: &str, _: SourceId| {
        let path = beside(path, named);
        let shown = path.display().to_string();
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        Ok((shown, text))
    };
    let mut reading = Reading { definitions: definitions.to_vec(), load: &mut load };
    let sources: &mut Sources = &mut texts.sources;
    let parsed = parse(source, sources, &mut reading);
    let Some(model) = parsed.model else { return Err(parsed.diagnostics) };
    let program = lower(model)?;
    Ok(Loaded { program, warnings: parsed.diagnostics })
}
