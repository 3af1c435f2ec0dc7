//! `--spin-trail`: the first error as a trail that SPIN can replay.

use super::Session;
use super::delivery::Findings;
use crate::cli::files::write_whole;
use std::path::Path;
use trapline::diag::{Diagnostic, Severity};
use trapline::verify::{Report, Verdict};

/// File endings that a trail file must not have.
const OTHER_ENDINGS: &[&str] =
    &["pml", "prom", "promela", "spin", "rs", "yaml", "yml", "json", "dot", "gv", "svg", "png", "pdf", "txt"];

/// Rejects a trail file whose ending belongs to another kind of file.
pub(super) fn expect_name(path: &Path) -> Result<(), Diagnostic> {
    let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
    let Some(ending) = ending.filter(|it| OTHER_ENDINGS.contains(&it.as_str())) else { return Ok(()) };
    let message = format!("cannot write `{}`: a trail file does not end in `.{ending}`", path.display());
    let fault = Diagnostic::error_without_place("output-format", message);
    Err(fault.with_help("use a name that ends in .trail, such as `model.pml.trail`"))
}

impl Session<'_> {
    /// Writes the trail of the first error that SPIN can replay.
    pub(super) fn write_trail(&mut self, path: &Path) -> Result<(), Diagnostic> {
        let mut findings = self.results.get();
        let Findings { reports, diagnostics, .. } = &mut *findings;
        let violated = |it: &&Report| it.verdict == Verdict::Violated && it.explicit().is_some();
        let found: Vec<&Report> = reports.iter().filter(violated).collect();
        if let Some((report, file)) = found.iter().find_map(|it| Some((it, it.trail()?.file.as_ref()?))) {
            if report.explicit().is_some_and(|it| it.aim.is_formula()) {
                let property = &report.property;
                let message = format!("the trail `{}` has no claim steps for `{property}`", path.display());
                let help =
                    "replay it by `spin -t`, or by `pan -r` with a `pan` that was compiled with `-DNOCLAIM`";
                let note = Diagnostic::new(Severity::Note, "spin-trail", None, message);
                diagnostics.push(note.with_help(help));
            }
            return write_whole(path, &file.to_string());
        }
        if let Some(report) = found.first() {
            let message = format!("the trail file `{}` was not written", path.display());
            let help = format!(
                "the formula of `{}` refers to a label, which makes a jump a step here but not in SPIN; write it as an `ltl` block",
                report.property
            );
            let warning = Diagnostic::new(Severity::Warning, "spin-trail", None, message);
            diagnostics.push(warning.with_help(help));
        }
        Ok(())
    }
}
