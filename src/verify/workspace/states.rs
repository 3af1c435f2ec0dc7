//! Formulas of property files, with diagnostics that refer to these files.

use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::lang::spec::StateFormula;

/// Reads the text of a formula as a separate source, and moves the spans of
/// diagnostics to its property file.
pub(super) fn read<T>(
    formula: &StateFormula,
    sources: &mut Sources,
    read: impl FnOnce(SourceId, &Sources) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let file = sources.get(formula.span().source).name.clone();
    let source = sources.add(file, formula.text());
    let moved = |span: &mut Span| {
        if span.source == source {
            *span = formula.place(span.range());
        }
    };
    read(source, sources).map_err(|mut diagnostics| {
        for diagnostic in &mut diagnostics {
            diagnostic.span.iter_mut().for_each(moved);
            diagnostic.related.iter_mut().map(|(span, _)| span).for_each(moved);
        }
        diagnostics
    })
}
