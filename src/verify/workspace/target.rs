//! The state that a trail ends in, for heuristics that approach it.

use super::Workspace;
use crate::diag::{Diagnostic, Severity, Span};
use crate::lang::library::Library;
use crate::lang::promela::trail::TrailFile;
use crate::verify::TrailDetail;
use crate::verify::explicit::{ExplicitProblem, TargetState};
use crate::verify::recorded::{RecordedTrail, replay_record};
use crate::verify::simulate::replay;
use std::path::Path;

impl<L: Library> Workspace<L> {
    /// Replays a trail, a document of Trapline or a trail file of SPIN, in the
    /// network of a problem and returns its last state. Of several
    /// counterexamples, that of the problem's own property is taken, or the
    /// first.
    pub(super) fn target(
        &mut self,
        path: &Path,
        problem: &ExplicitProblem,
    ) -> Result<TargetState, Diagnostic> {
        let source = self.texts.read_record(path, "trail")?;
        let sources = self.texts.sources();
        let detail = TrailDetail { ends: Some(0), ..TrailDetail::default() };
        if sources.get(source).text.trim_start().starts_with('{') {
            let own = RecordedTrail::parse(source, sources, Some(problem.aim.name()));
            let record = own.or_else(|_| RecordedTrail::parse(source, sources, None))?;
            let (steps, semantics) = (problem.marks.steps, problem.semantics);
            let replayed = replay_record(problem.network, steps, semantics, &record, sources, detail);
            return replayed.map(|it| it.last).map_err(|unmatched| {
                let fault = Diagnostic::error("trail", Span::new(source, 0..0), unmatched.message);
                fault.with_optional_help(unmatched.help)
            });
        }
        let Some(program) = problem.promela else {
            let message = "trail files of SPIN are only for Promela models";
            let help = "use a report as the trail: `check MODEL.rs --format json -o report.json`";
            return Err(Diagnostic::error_without_place("usage", message).with_help(help));
        };
        let file = TrailFile::parse(source, sources)?;
        let replayed = replay(program, problem.semantics, &file, detail);
        replayed.map(|it| it.last).map_err(|mismatch| {
            let span = file.lines[mismatch.line].span;
            Diagnostic::new(Severity::Error, "trail", Some(span), mismatch.message)
                .with_optional_help(mismatch.help)
        })
    }
}
