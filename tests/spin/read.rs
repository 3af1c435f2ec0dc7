//! Promela models from files, with what they include.

use std::fs;
use std::path::Path;
use trapline::diag::{Diagnostic, Sources};
use trapline::lang::promela::{Program, lower};
use trapline::lang::promela::{Reading, parse};

/// A model that can be run and the texts it was read from, or what is wrong
/// with it.
pub fn program(path: &Path, definitions: &[(&str, &str)]) -> Result<(Program, Sources), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text);
    let folder = path.parent().expect("a file is in a folder");
    let mut load = |named: &str, _| {
        let text = fs::read_to_string(folder.join(named)).map_err(|error| error.to_string())?;
        Ok((named.to_string(), text))
    };
    let definitions = definitions.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let parsed = parse(source, &mut sources, &mut Reading { definitions, load: &mut load });
    let render = |faults: &[Diagnostic]| {
        faults.iter().map(|it| it.render(&sources, false)).collect::<Vec<_>>().join("\n")
    };
    let model = parsed.model.ok_or_else(|| render(&parsed.diagnostics))?;
    let program = lower(model).map_err(|faults| render(&faults))?;
    Ok((program, sources))
}
