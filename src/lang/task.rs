//! Task models in Rust syntax. `docs/task-language.md` is the reference.
//!
//! A text becomes a syntax tree ([`ast`]), the tree becomes a [`Program`] in
//! which everything finite has been expanded. Both steps collect diagnostics
//! and continue; no text makes them panic, hang or exhaust the memory
//! (`limits.rs`).

pub mod ast;
mod dump;
mod elaborate;
pub mod formula;
mod limits;
pub mod lower;
mod parse;
pub mod program;
#[cfg(test)]
mod tests;

use crate::base::cancel;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use program::Program;

/// A value for a constant of the model: `--set N=5`.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The constant.
    pub name: String,
    /// Its value; 0 and 1 are the values of a `bool`.
    pub value: i64,
    /// Where the user wrote it.
    pub span: Option<Span>,
}

/// A model, if it has no errors, and the diagnostics about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// `None` if and only if a diagnostic is an error.
    pub program: Option<Program>,
    /// Errors, warnings and notes in the order they were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and elaborates a task model.
pub fn load(source: SourceId, sources: &Sources, settings: &[Setting]) -> Loaded {
    let text = &sources.get(source).text;
    let work = || load_here(source, text, settings);
    // Parser and elaborator recurse on the nesting of the text, which is
    // bounded but deep.
    cancel::with_stack(limits::STACK_BYTES, work).unwrap_or_else(|error| {
        let message = format!("cannot start a thread to read the model: {error}");
        let fault = Diagnostic::error_without_place("task-limit", message);
        Loaded { program: None, diagnostics: vec![fault] }
    })
}

fn load_here(source: SourceId, text: &str, settings: &[Setting]) -> Loaded {
    let (model, mut diagnostics) = parse::parse(source, text);
    if diagnostics.iter().any(|diagnostic| diagnostic.code == "task-limit" || is_fatal(diagnostic, &model)) {
        return Loaded { program: None, diagnostics };
    }
    let (program, found) = elaborate::elaborate(&model, settings, !diagnostics.is_empty());
    diagnostics.extend(found);
    // Errors of the model as a whole are reported at its first line.
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == "task-none") {
        diagnostic.span = Some(Span::new(source, 0..0));
    }
    let program = (!diagnostics.iter().any(Diagnostic::is_error)).then_some(program);
    Loaded { program, diagnostics }
}

/// Returns whether nothing could be parsed, so that further errors would
/// mislead.
fn is_fatal(diagnostic: &Diagnostic, model: &ast::Model) -> bool {
    diagnostic.code == "task-syntax" && model.functions.is_empty()
}
