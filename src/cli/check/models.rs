//! Promela models: what they say of themselves, and what property files say
//! of them.

use super::delivery::Findings;
use super::{Session, interrupted};
use crate::cli::files::write_whole;
use crate::cli::promela;
use crate::cli::watch::reason;
use crate::diag::{Diagnostic, Severity};
use crate::lang::spec::{Glob, PropertySpec};
use crate::verify::assemble::LoadedModel;
use crate::verify::explicit::{self, Aim};
use crate::verify::{ExplicitProblem, Question, Report, SearchOptions, Verdict};
use std::path::Path;
use std::time::Instant;

impl Session<'_> {
    /// Everything that is asked of a model, one property after the other.
    pub(super) fn check_model(&mut self, path: &Path) {
        let start = Instant::now();
        let name = path.display().to_string();
        let loaded = match self.watched((&name, "states"), |it| it.load_model(path)) {
            Ok(loaded) => loaded,
            Err(faults) => return self.give_up(path, None, faults),
        };
        let mut started = start;
        for aim in &loaded.aims {
            let property = aim.name();
            self.names.push(property.to_string());
            let wanted = self.options.property.as_ref();
            if wanted.is_some_and(|pattern| !Glob::new(pattern).matches(property)) {
                continue;
            }
            let shown = format!("{name}: {property}");
            if self.is_interrupted() {
                self.give_up(path, Some(property), vec![interrupted()]);
                continue;
            }
            match self.watched((&shown, "states"), |it| it.check_aim(&loaded, aim)) {
                Ok(mut report) => {
                    report.model.clone_from(&name);
                    report.file.clone_from(&name);
                    report.elapsed = started.elapsed();
                    let mut findings = self.results.get();
                    findings.diagnostics.extend(incomplete_trail(&report));
                    findings.reports.push(report);
                }
                Err(faults) => self.give_up(path, Some(property), faults),
            }
            started = Instant::now();
        }
    }

    fn load_model(&mut self, path: &Path) -> Result<LoadedModel, Vec<Diagnostic>> {
        self.expect_meaning()?;
        self.has_met_model = true;
        let loaded = promela::load(path, &self.options.promela, &mut self.texts)?;
        self.results.get().diagnostics.extend(loaded.warnings.iter().cloned());
        Ok(loaded)
    }

    /// What a property file asks of a model.
    pub(super) fn answer_of_model(
        &mut self,
        path: &Path,
        file: &Path,
        spec: &PropertySpec,
    ) -> Result<Report, Vec<Diagnostic>> {
        let start = Instant::now();
        self.has_met_model = true;
        let options = self.options;
        if let Some(constraint) = spec.constraints.first() {
            let message = "a Promela model is searched state by state and needs no constraints";
            return Err(vec![Diagnostic::error("promela-constraint", constraint.span, message)]);
        }
        self.expect_no_constraints()?;
        let definitions = promela::definitions(spec, &options.settings, &options.promela.define);
        let escapes = options.promela.semantics.escapes();
        let executions = options.engine.executions;
        self.texts.read_leniently(path, "model").map_err(|fault| vec![self.at_name(fault, spec)])?;
        let loaded = promela::load_for(path, spec, (&definitions, escapes), executions, &mut self.texts)?;
        for warning in &loaded.warnings {
            let known = &mut self.results.get().diagnostics;
            if !known.contains(warning) {
                known.push(warning.clone());
            }
        }
        let aim = loaded.aims.first().expect("a property asks for something");
        let mut report = self.check_aim(&loaded, aim)?;
        self.results.get().diagnostics.extend(incomplete_trail(&report));
        report.model = path.display().to_string();
        report.file = file.display().to_string();
        report.settings = definitions;
        report.description.clone_from(&spec.description);
        report.elapsed = start.elapsed();
        Ok(report)
    }

    fn check_aim(&mut self, loaded: &LoadedModel, aim: &Aim) -> Result<Report, Vec<Diagnostic>> {
        let means = promela::means(&self.options.promela, self.options.engine.max_memory);
        let source = self.texts.sources.add("--strategy", self.options.strategy.clone());
        let strategy = explicit::strategy(source, &self.texts.sources, means).map_err(|fault| vec![fault])?;
        let problem = ExplicitProblem {
            is_fair: self.options.promela.fair && !matches!(aim, Aim::Safety),
            resources: means,
            semantics: self.options.promela.semantics.semantics(),
            ..ExplicitProblem::of_promela(&loaded.program, aim.clone())
        };
        let search = SearchOptions { strategy, limits: self.options.engine.limits() };
        let question = Question::about(aim.name(), problem);
        let mut report = self.ask(&Question { search, detail: self.options.detail, ..question })?;
        report.settings = self.options.promela.define.clone();
        Ok(report)
    }

    /// Writes the trail of the first error that SPIN can follow.
    pub(super) fn write_trail(&mut self, path: &Path) -> Result<(), Diagnostic> {
        let mut findings = self.results.get();
        let Findings { reports, diagnostics, .. } = &mut *findings;
        let violated = |it: &&Report| it.verdict == Verdict::Violated && it.explicit().is_some();
        let found: Vec<&Report> = reports.iter().filter(violated).collect();
        if let Some((report, file)) = found.iter().find_map(|it| Some((it, it.trail()?.file.as_ref()?))) {
            if report.explicit().is_some_and(|it| it.aim.is_formula()) {
                let property = &report.property;
                let message = format!("`{}` has no steps of a claim for `{property}`", path.display());
                let help = "`spin -t` follows it as it is, `pan -r` if `pan` is made with `-DNOCLAIM`";
                let note = Diagnostic::new(Severity::Note, "spin-trail", None, message);
                diagnostics.push(note.with_help(help));
            }
            return write_whole(path, &file.to_string());
        }
        if let Some(report) = found.first() {
            let message = format!("`{}` is not written", path.display());
            let help = format!(
                "for `{}` a jump is a step that is none for SPIN, since a label is asked for; write it as `ltl` block",
                report.property
            );
            let warning = Diagnostic::new(Severity::Warning, "spin-trail", None, message);
            diagnostics.push(warning.with_help(help));
        }
        Ok(())
    }

    fn expect_no_constraints(&self) -> Result<(), Vec<Diagnostic>> {
        match self.options.constraints.is_empty() {
            true => Ok(()),
            false => {
                let message = "`--constraint` means nothing to a Promela model";
                Err(vec![Diagnostic::error_without_place("usage", message)])
            }
        }
    }

    /// What only property files can use must not look as if it had been used.
    fn expect_meaning(&self) -> Result<(), Vec<Diagnostic>> {
        let options = self.options;
        let typed = [
            ("--model", options.model.is_some()),
            ("--set", !options.settings.is_empty()),
            ("--constraint", !options.constraints.is_empty()),
            ("--executions", options.engine.executions.is_some()),
        ];
        let fault = |(flag, _): (&str, bool)| {
            let message = format!("`{flag}` means nothing to a Promela model");
            let help = match flag {
                "--set" => "constants of Promela models are macros: `-D N=4`",
                _ => "it belongs to property files",
            };
            Diagnostic::error_without_place("usage", message).with_help(help)
        };
        let faults: Vec<Diagnostic> = typed.into_iter().filter(|(_, is)| *is).map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// Says that a limit was reached while the steps of a trail were described.
pub(super) fn incomplete_trail(report: &Report) -> Option<Diagnostic> {
    let trail = report.trail()?;
    let why = reason(trail.cut_short?);
    let property = &report.property;
    if trail.n_steps == 0 {
        let message = format!("`{property}` is violated, but has no trail: {why} before it was known");
        let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
        return Some(warning.with_help("allow more time and memory"));
    }
    let message = format!("the trail of `{property}` is incomplete: {why} while it was described");
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    Some(warning.with_help("describe less of it: leave out `--full` or `--format json`"))
}
