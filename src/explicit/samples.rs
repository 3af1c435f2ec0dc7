//! Programs for tests.

use super::lower;
use super::program::Program;
use crate::diag::Sources;
use crate::lang::promela::{Reading, parse};

/// The program of a text, if it is one.
pub fn program(text: &str) -> Option<Program> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let mut reading = Reading { definitions: Vec::new(), load: &mut load };
    lower(parse(source, &mut sources, &mut reading).model?).ok()
}
