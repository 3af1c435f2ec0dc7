//! Promela, the language of SPIN 6.5.
//!
//! [`parse()`] has three phases: `preprocess` produces tokens without
//! directives and macros, `parse` produces a syntax tree in which inlines are
//! replaced by their bodies, `check` produces the [`tree`]. [`lower()`]
//! converts it to a [network](crate::net). Each phase collects diagnostics and
//! continues; no input causes a panic, a hang or unlimited memory use
//! (`limits.rs`).
//!
//! Everything that SPIN accepts is accepted, except embedded C, which is
//! reported as unsupported. Where SPIN only warns, a warning is reported.

mod ast;
mod check;
mod lex;
mod limits;
pub mod lower;
pub mod merge;
mod parse;
mod preprocess;
#[cfg(test)]
mod tests;
mod token;
pub mod trail;
pub mod tree;

use crate::base::cancel;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::net::{Expr, Formula};
use std::sync::Arc;
use token::{Mark, Report, Token};

pub use lower::{Program, lower};
pub use preprocess::Macros;

/// Loads an included file, given its path relative to the folder of the model
/// and the file that includes it. Returns the name to show and the text, or an
/// error message. As in cpp, a path in the text is relative to the including
/// file.
pub type Load<'a> = dyn FnMut(&str, SourceId) -> Result<(String, String), String> + 'a;

/// Options for reading a model.
pub struct Reading<'a> {
    /// Macros defined before the first line: `-D NAME=VALUE`.
    pub definitions: Vec<(String, String)>,
    /// Loads an included file.
    pub load: &'a mut Load<'a>,
}

/// A model, if it has no errors, and its diagnostics.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// `None` if and only if a diagnostic is an error.
    pub model: Option<tree::Model>,
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks a model.
pub fn parse(source: SourceId, sources: &mut Sources, reading: &mut Reading) -> Parsed {
    let mut report = Report::default();
    let (tokens, macros) =
        preprocess::preprocess(source, sources, &reading.definitions, reading.load, &mut report);
    // Parsing an incomplete text would report false errors.
    if report.has_met_limit() {
        return Parsed { model: None, diagnostics: report.finish() };
    }
    report.n_sources = sources.len();
    let end = sources.get(source).text.len();
    let end = Mark { span: Span::new(source, end..end), from: None };
    let model = with_stack(&mut report, |report| {
        let units = parse::units(tokens, report);
        Some(check::check(&units, macros, report, end))
    });
    for (text, origin) in std::mem::take(&mut report.generated_texts) {
        sources.add_generated(text, origin);
    }
    let model = model.filter(|_| !report.has_errors());
    Parsed { model, diagnostics: report.finish() }
}

/// Reads an expression in the global scope of a model: its globals, remote
/// references, mtype names, channel polls and macros.
pub fn parse_expression(
    source: SourceId,
    sources: &Sources,
    model: &tree::Model,
) -> Result<Expr, Vec<Diagnostic>> {
    let mut report = Report::default();
    let expr = with_stack(&mut report, |report| {
        let syntax = syntax(source, sources, model, false, report)?;
        Some(check::check_expression(&syntax, model, report))
    });
    finish(expr, report)
}

/// Reads a formula of linear temporal logic in the same scope.
pub fn parse_formula(
    source: SourceId,
    sources: &Sources,
    model: &tree::Model,
) -> Result<Formula, Vec<Diagnostic>> {
    let mut report = Report::default();
    let formula = with_stack(&mut report, |report| {
        let syntax = syntax(source, sources, model, true, report)?;
        Some(check::check_formula(&syntax, model, report))
    });
    finish(formula, report)
}

fn syntax(
    source: SourceId,
    sources: &Sources,
    model: &tree::Model,
    is_formula: bool,
    report: &mut Report,
) -> Option<ast::Expr> {
    let text = &sources.get(source).text;
    let tokens: Vec<Token> = preprocess::expand_text(source, text, &model.macros, report);
    let proctypes = model.proctypes.iter().map(|proctype| Arc::from(proctype.name.as_str())).collect();
    parse::expression(tokens, is_formula, proctypes, report)
}

/// Runs a reader on a stack that is large enough for its recursion.
fn with_stack<T: Send>(report: &mut Report, read: impl FnOnce(&mut Report) -> Option<T> + Send) -> Option<T> {
    match cancel::with_stack(limits::STACK_BYTES, || read(report)) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("cannot start a thread to read the model: {error}");
            report.diagnostics.push(Diagnostic::error_without_place("promela-limit", message));
            None
        }
    }
}

fn finish<T>(value: Option<T>, report: Report) -> Result<T, Vec<Diagnostic>> {
    match value {
        Some(value) if !report.has_errors() => Ok(value),
        _ => Err(report.finish()),
    }
}
