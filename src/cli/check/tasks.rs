//! Task models on the explicit engine.

use super::models::incomplete_trail;
use super::{Session, typed_settings};
use crate::cli::arguments::Adjacency;
use crate::cli::promela;
use crate::diag::Diagnostic;
use crate::lang::spec::{Glob, PropertySpec};
use crate::lang::task;
use crate::verify::assemble::{AnyQuestion, ModelWishes, TaskQuestion, tasks, tasks_for};
use crate::verify::explicit::{self, Aim, ModelQuestion};
use crate::verify::{Form, Report};
use std::path::Path;
use std::time::Instant;

impl Session<'_> {
    /// Searches a model for tasks that are stuck and values out of range.
    pub(super) fn check_tasks(&mut self, path: &Path) {
        let property = Aim::Safety.name().to_string();
        self.names.push(property.clone());
        let wanted = self.options.property.as_ref();
        if wanted.is_some_and(|pattern| !Glob::new(pattern).matches(&property)) {
            return;
        }
        let shown = format!("{}: {property}", path.display());
        let answer = self.watched((&shown, "states"), |it| {
            it.expect_only_exact()?;
            let start = Instant::now();
            let settings = typed_settings(&it.options.settings, &mut it.texts);
            let (program, notes) = it.model(path, None, &settings)?;
            let loaded = tasks(&program, &ModelWishes::default(), &mut it.texts.sources)?;
            let question = loaded.questions.into_iter().next().expect("safety is asked for");
            let report = it.ask_exactly(question, notes)?;
            Ok(it.finished(report, path, path, &settings, start))
        });
        match answer {
            Ok(report) => self.results.get().reports.push(report),
            Err(faults) => self.give_up(path, Some(&property), faults),
        }
    }

    /// What a property file asks of a task model, exactly.
    pub(super) fn answer_exactly(
        &mut self,
        file: &Path,
        spec: &PropertySpec,
        path: &Path,
    ) -> Result<Report, Vec<Diagnostic>> {
        let start = Instant::now();
        self.expect_only_exact()?;
        let settings = self.settings(spec);
        let (program, notes) = self.model(path, Some(spec), &settings)?;
        let constraints = self.constraints(file, spec)?;
        let sources = &mut self.texts.sources;
        let loaded = tasks_for(&program, spec, &constraints, self.options.engine.executions, sources)
            .map_err(|faults| faults.into_iter().chain(notes.iter().cloned()).collect::<Vec<_>>())?;
        let notes = notes.into_iter().chain(loaded.warnings).collect();
        let question = loaded.questions.into_iter().next().expect("a property asks for something");
        let mut report = self.ask_exactly(question, notes)?;
        report.description.clone_from(&spec.description);
        Ok(self.finished(report, path, file, &settings, start))
    }

    fn ask_exactly(
        &mut self,
        asked: TaskQuestion,
        notes: Vec<Diagnostic>,
    ) -> Result<Report, Vec<Diagnostic>> {
        self.has_met_model = true;
        let means = promela::means(&self.options.promela, self.options.engine.max_memory);
        let source = self.texts.sources.add("--strategy", self.options.strategy.clone());
        let strategy = explicit::strategy(source, &self.texts.sources, means).map_err(|fault| vec![fault])?;
        let question = ModelQuestion {
            strategy,
            limits: self.options.engine.limits(),
            means,
            semantics: self.options.promela.semantics.semantics(),
            ..ModelQuestion::of(&asked.network, asked.aim)
        };
        let mut report = self.ask(&AnyQuestion::Explicit(Box::new(question), self.options.telling))?;
        report.notes.splice(0..0, notes);
        self.results.get().diagnostics.extend(incomplete_trail(&report));
        Ok(report)
    }

    fn finished(
        &self,
        mut report: Report,
        model: &Path,
        file: &Path,
        settings: &[task::Setting],
        start: Instant,
    ) -> Report {
        report.model = model.display().to_string();
        report.file = file.display().to_string();
        report.settings = settings.iter().map(|it| (it.name.clone(), it.value.to_string())).collect();
        report.elapsed = start.elapsed();
        report
    }

    /// What cannot be used must not look as if it had been. Of the constraints,
    /// the engine knows control flow and values exactly.
    fn expect_only_exact(&self) -> Result<(), Vec<Diagnostic>> {
        promela::expect_no_promela(&self.options.promela).map_err(|fault| vec![fault])?;
        let engine = &self.options.engine;
        let of_flow = [
            ("--graph", engine.graph != Form::REDUCED),
            ("--adjacency", engine.adjacency != Adjacency::Auto),
        ];
        if let Some((flag, _)) = of_flow.into_iter().find(|(_, is)| *is) {
            let message = format!("`{flag}` is for the flow engine");
            return Err(vec![Diagnostic::error_without_place("usage", message)]);
        }
        if self.options.constraints.is_empty() {
            return Ok(());
        }
        let message = "`--constraint` means nothing to the explicit engine, which is exact";
        let help = "leave it out, or use `--engine flow`";
        Err(vec![Diagnostic::error_without_place("usage", message).with_help(help)])
    }
}
