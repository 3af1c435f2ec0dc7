//! Promela, the language of SPIN 6.5.
//!
//! A text becomes tokens without directives and macros, the tokens become a
//! checked [`tree`]. Both steps collect diagnostics and go on; no text makes
//! them panic, hang or eat all memory.

pub mod tree;

use crate::diag::{Diagnostic, SourceId, Sources};

/// Definitions of a model: what `#define p (x > 0)` leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Macros {}

/// Fetches an included file: the path as written and the file that names it
/// give the name to show and the text, or why there is none.
pub type Load<'a> = dyn FnMut(&str, SourceId) -> Result<(String, String), String> + 'a;

/// How a model is read.
pub struct Reading<'a> {
    /// Macros defined before the first line: `-D NAME=VALUE`.
    pub definitions: Vec<(String, String)>,
    /// Fetches an included file.
    pub load: &'a mut Load<'a>,
}

/// A model, if it has no mistakes, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// `None` if and only if a diagnostic is an error.
    pub model: Option<tree::Model>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks a model.
pub fn parse(_source: SourceId, _sources: &mut Sources, _reading: &mut Reading) -> Parsed {
    let message = "Promela models cannot be read yet";
    Parsed { model: None, diagnostics: vec![Diagnostic::error_without_place("promela-missing", message)] }
}

/// Reads an expression in the global scope of a model: its globals, remote
/// references, mtype names, channel polls and macros.
pub fn parse_expression(
    _source: SourceId,
    _sources: &Sources,
    _model: &tree::Model,
) -> Result<tree::Expr, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error_without_place("promela-missing", "expressions cannot be read yet")])
}

/// Reads a formula of linear temporal logic in the same scope.
pub fn parse_formula(
    _source: SourceId,
    _sources: &Sources,
    _model: &tree::Model,
) -> Result<tree::Formula, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error_without_place("promela-missing", "formulas cannot be read yet")])
}
