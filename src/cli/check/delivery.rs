//! Writes the report at the end of a run, shortened if there is no time for all
//! of it, also when a computation does not stop.

use crate::cli::arguments::{CheckArguments, ReportFormat};
use crate::cli::exit::Exit;
use crate::cli::options::CheckOptions;
use crate::cli::output::Terminal;
use crate::cli::signals;
use crate::cli::watch::{Bounds, Overdue, OverdueHandler, Watch, reason};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use trapline::base::cancel::cancellable;
use trapline::base::control::{Control, Phase, Stop};
use trapline::diag::{Diagnostic, Severity, Sources, Span};
use trapline::report::configuration::Configuration;
use trapline::report::text::STEPS_SHOWN;
use trapline::report::{Run, Unchecked, json, text};
use trapline::verify::Report;

/// The results of a run so far. They are shared with the watcher, which reports
/// them if the work on the next property does not stop.
#[derive(Clone, Debug, Default)]
pub(super) struct Results(Arc<Mutex<Findings>>);

#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// The reports, in the order of the input.
    pub reports: Vec<Report>,
    pub unchecked: Vec<Unchecked>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Results {
    pub fn get(&self) -> MutexGuard<'_, Findings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Findings {
    /// Records what was not checked and why; each reason is reported once.
    pub fn give_up(&mut self, file: String, property: Option<String>, faults: Vec<Diagnostic>) {
        self.unchecked.push(Unchecked { file, property, n_before: self.reports.len() });
        for fault in faults {
            if !self.diagnostics.contains(&fault) {
                self.diagnostics.push(fault);
            }
        }
    }

    /// Omits most steps of long trails. JSON keeps the beginning, since a
    /// program that reads it could not see a gap.
    fn shorten_trails(&mut self, format: ReportFormat) {
        let of_models = self.reports.iter_mut().filter(|it| it.explicit().is_some());
        for trail in of_models.filter_map(|it| it.counterexample.as_mut()).map(|it| &mut it.trail) {
            let n_steps = trail.n_steps;
            trail.steps.retain(|(index, _)| match format {
                ReportFormat::Text => *index < STEPS_SHOWN || index + STEPS_SHOWN >= n_steps,
                ReportFormat::Json => *index < STEPS_SHOWN,
            });
        }
    }

    /// Omits diagnostics about texts that are not among `sources`.
    fn restrict_to(&mut self, sources: &Sources) {
        let is_known = |span: Span| span.source.index() < sources.len();
        self.diagnostics
            .retain(|it| it.span.is_none_or(is_known) && it.related.iter().all(|(span, _)| is_known(*span)));
    }
}

/// Format and destination of the report.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    format: ReportFormat,
    style: text::Style,
    output: Option<PathBuf>,
    terminal: Terminal,
    configuration: Configuration,
    start: Instant,
}

impl Delivery {
    pub fn new(
        typed: &CheckArguments,
        options: &CheckOptions,
        files: &[PathBuf],
        terminal: &Terminal,
        start: Instant,
    ) -> Self {
        let style = text::Style {
            colour: terminal.colours(typed.output.as_deref()),
            full: typed.full,
            detail: terminal.detail,
            columns: terminal.columns,
        };
        Self {
            format: options.format,
            style,
            output: (*typed.output).clone(),
            terminal: terminal.clone(),
            configuration: options.configuration(files),
            start,
        }
    }

    /// Writes the report within the limits of a property; if there is no time
    /// for all of it, without most steps of its trails.
    pub fn write_report(
        &self,
        findings: Findings,
        sources: &Sources,
        control: &Arc<Control>,
        bounds: Bounds,
    ) -> Result<Exit, Diagnostic> {
        let findings = Arc::new(findings);
        let rendered = match control.stop_reason() {
            // A user who interrupts the run wants to see the results so far, and can interrupt
            // again.
            Some(Stop::Interrupt) => Ok(self.render(&findings, sources)),
            _ => {
                let shared = Arc::clone(&findings);
                let on_overdue = self.on_overdue(sources, move || Findings::clone(&shared));
                let progress = self.terminal.progress;
                let _watch = Watch::start(control, ("report", "steps"), bounds, progress, on_overdue);
                control.enter(Phase::Reporting);
                cancellable(control, || self.render(&findings, sources))
            }
        };
        match rendered {
            Ok((exit, text)) => self.write(&findings, sources, exit, &text),
            Err(stop) => {
                let mut findings = Arc::unwrap_or_clone(findings);
                findings.diagnostics.push(shortened(stop));
                self.write_shortened(findings, sources)
            }
        }
    }

    /// Writes the report without most steps of its trails.
    fn write_shortened(&self, mut findings: Findings, sources: &Sources) -> Result<Exit, Diagnostic> {
        findings.shorten_trails(self.format);
        let (exit, text) = self.render(&findings, sources);
        self.write(&findings, sources, exit, &text)
    }

    fn render(&self, findings: &Findings, sources: &Sources) -> (Exit, String) {
        let run = Run {
            reports: &findings.reports,
            unchecked: &findings.unchecked,
            diagnostics: &findings.diagnostics,
            sources,
            configuration: &self.configuration,
            elapsed: self.start.elapsed(),
        };
        let exit = exit(&run);
        let text = match self.format {
            ReportFormat::Json => json::render(&run, exit.code()),
            ReportFormat::Text => text::render(&run, &self.style),
        };
        (exit, text)
    }

    fn write(
        &self,
        findings: &Findings,
        sources: &Sources,
        exit: Exit,
        text: &str,
    ) -> Result<Exit, Diagnostic> {
        self.terminal.print_diagnostics(&findings.diagnostics, sources);
        let output: Option<&Path> = self.output.as_deref();
        if output.is_none() {
            // If the reader does not read, there is nothing to save.
            signals::end_at_next();
        }
        match self.format {
            ReportFormat::Json => self.terminal.deliver(text, output)?,
            ReportFormat::Text => self.terminal.print(text, output)?,
        }
        Ok(exit)
    }

    /// Reports the results so far when a computation does not stop.
    pub fn on_overdue(
        &self,
        sources: &Sources,
        findings: impl FnOnce() -> Findings + Send + 'static,
    ) -> OverdueHandler {
        let (delivery, sources) = (self.clone(), sources.clone());
        Box::new(move |overdue| {
            let exit = delivery.end(findings(), &sources, &overdue);
            std::process::exit(exit.code().into());
        })
    }

    /// Writes the report of a run that ends because a computation does not stop.
    fn end(&self, mut findings: Findings, sources: &Sources, overdue: &Overdue) -> Exit {
        findings.restrict_to(sources);
        findings.give_up(overdue.name.clone(), None, vec![overdue.diagnostic()]);
        self.write_shortened(findings, sources).unwrap_or_else(|fault| {
            self.terminal.print_diagnostics(&[fault], sources);
            Exit::BadInput
        })
    }
}

/// Warns that the report has fewer steps than requested.
fn shortened(stop: Stop) -> Diagnostic {
    let message = format!("long trails are shortened: {} while the report was written", reason(stop));
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    warning.with_help("request fewer steps: remove `--full` or `--format json`")
}

/// Returns the exit code: the worst of all verdicts and errors.
fn exit(run: &Run) -> Exit {
    let bad = run.diagnostics.iter().any(Diagnostic::is_error).then_some(Exit::BadInput);
    let left_out = (!run.unchecked.is_empty()).then_some(Exit::Undecided);
    let verdicts = run.verdicts().map(Exit::from);
    Exit::worst(verdicts.chain(bad).chain(left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::{Arguments, Command};
    use crate::cli::files::Texts;
    use crate::cli::folder::Folder;
    use clap::Parser;
    use std::fs;
    use std::time::Duration;
    use trapline::Workspace;

    fn delivery(line: &str) -> Delivery {
        let arguments = Arguments::try_parse_from(line.split(' ')).expect("the arguments are right");
        let terminal = Terminal::new(&arguments.look);
        let Command::Check(typed) = arguments.command else { panic!("the command is check") };
        let options = CheckOptions::new(&typed, &mut Texts::default()).expect("the options are right");
        Delivery::new(&typed, &options, &typed.files, &terminal, Instant::now())
    }

    #[test]
    fn what_was_left_out_is_a_doubt_and_what_is_wrong_is_an_error() {
        let delivery = delivery("trapline check a.pml");
        let code = |unchecked: &[Unchecked], diagnostics: &[Diagnostic]| {
            let (unchecked, diagnostics) = (unchecked.to_vec(), diagnostics.to_vec());
            let findings = Findings { unchecked, diagnostics, ..Findings::default() };
            delivery.render(&findings, &Sources::default()).0.code()
        };
        let name = [Unchecked { file: "p".to_string(), property: None, n_before: 0 }];
        assert_eq!(code(&[], &[]), 0);
        assert_eq!(code(&name, &[shortened(Stop::Time)]), 3);
        assert_eq!(code(&name, &[Diagnostic::error_without_place("file-missing", "gone")]), 2);
    }

    /// The report is a complete document with all earlier results.
    #[test]
    fn a_computation_that_does_not_stop_is_undecided() {
        let folder = Folder::new("last-words");
        let path = folder.join("report.json");
        let delivery = delivery(&format!("trapline check a.pml -o {}", path.display()));
        let mut sources = Sources::default();
        let known = sources.add("a.pml", "init { skip }");
        let mut later = sources.clone();
        let unknown = later.add("b.pml", "");
        let mut findings = Findings::default();
        findings.give_up(
            "a.pml".to_string(),
            Some("p".to_string()),
            vec![
                Diagnostic::error("promela-unknown", Span::new(known, 0..4), "said of a known text"),
                Diagnostic::error("promela-unknown", Span::new(unknown, 0..0), "said of a later text"),
            ],
        );
        let overdue = Overdue::new("b.pml", Phase::Building, Stop::Time);
        let exit = delivery.end(findings, &sources, &overdue);
        assert_eq!(exit, Exit::BadInput);
        let text = fs::read_to_string(path).expect("the report was written");
        let report: serde_json::Value = serde_json::from_str(&text).expect("it is a document");
        assert_eq!(report["unchecked"], serde_json::json!(["a.pml: p", "b.pml"]));
        assert!(text.contains("said of a known text") && !text.contains("said of a later text"), "{text}");
        assert!(text.contains("building the model did not stop within 10 s"), "{text}");
    }

    /// Returns the report of a model that is violated after many steps.
    fn long_trail(folder: &Folder, workspace: &mut Workspace<Texts>) -> Report {
        let path = folder.join("a.pml");
        fs::write(&path, "byte x; init { x = 1; assert(false) }").expect("the folder is writable");
        let mut reports = workspace.check_file(&path, &Default::default()).expect("the model is right");
        let mut report = reports.remove(0);
        let trail = &mut report.counterexample.as_mut().expect("the assertion fails").trail;
        let (_, step) = trail.steps[0].clone();
        trail.n_steps = 300_000;
        trail.steps = (0..300_000).map(|index| (index, step.clone())).collect();
        report
    }

    #[test]
    fn a_report_that_takes_too_long_is_shortened() {
        let folder = Folder::new("report-limit");
        let mut workspace = Workspace::new(Texts::default());
        let reports = vec![long_trail(&folder, &mut workspace)];
        let findings = Findings { reports, ..Findings::default() };
        let sources = workspace.sources();
        // In text, a statement and a change look the same.
        let cases = [("report.json", "", STEPS_SHOWN, 1), ("report.txt", " --full", 2 * STEPS_SHOWN, 2)];
        for (name, options, n_kept, per_step) in cases {
            let path = folder.join(name);
            let delivery = delivery(&format!("trapline check a.pml -o {}{options}", path.display()));
            let bounds = Bounds { timeout: Some(Duration::from_millis(1)), ..Bounds::default() };
            let exit = delivery.write_report(findings.clone(), sources, &Arc::default(), bounds);
            assert_eq!(exit.map(Exit::code), Ok(1));
            let text = fs::read_to_string(path).expect("the report was written");
            assert_eq!(text.matches("x = 1").count() / per_step, n_kept, "{name}");
            let is_whole =
                delivery.write_report(findings.clone(), sources, &Arc::default(), Bounds::default());
            assert_eq!(is_whole.map(Exit::code), Ok(1));
            let text = fs::read_to_string(folder.join(name)).expect("the report was written");
            assert_eq!(text.matches("x = 1").count() / per_step, 300_000, "{name}");
        }
    }
}
