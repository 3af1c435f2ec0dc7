//! `trapline check`: checks property files and models.
//!
//! An error in one file or model does not prevent the check of the others: it
//! is reported on standard error and in the report, and the exit code says that
//! something could not be checked.

mod delivery;
mod flags;
mod inputs;
mod trail_file;

pub(super) use flags::{of_promela, only_end_states};

use super::arguments::{CheckArguments, ReportFormat};
use super::exit::Exit;
use super::files::{Outputs, Texts};
use super::options::{CheckOptions, expect_shown};
use super::output::Terminal;
use super::signals::listen_for_interrupts;
use super::watch::{Watch, reason};
use super::{Faults, project};
use delivery::{Delivery, Results};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use trapline::base::cancel::cancellable;
use trapline::base::control::{Control, Stop};
use trapline::diag::{Diagnostic, Severity, did_you_mean};
use trapline::lang::spec::Glob;
use trapline::refine::add_proof;
use trapline::verify::Report;
use trapline::verify::engine::FLOW;
use trapline::verify::explicit::{GivenTrail, ImproveOptions};
use trapline::verify::workspace::{Subject, Workspace, violated_by};

pub(super) fn run(typed: &CheckArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    run_with(typed, terminal, |_| Ok(None))
}

/// Checks properties, or improves the trail that `given` reads.
pub(super) fn run_with(
    typed: &CheckArguments,
    terminal: &Terminal,
    given: impl FnOnce(&mut Texts) -> Result<Option<(GivenTrail, ImproveOptions)>, Diagnostic>,
) -> Result<Exit, Faults> {
    let start = Instant::now();
    let mut texts = Texts::default();
    let options = CheckOptions::new(typed, &mut texts).and_then(|mut options| {
        expect_shown(typed.full, options.format == ReportFormat::Json, terminal)?;
        options.check.improve = given(&mut texts)?;
        Ok(options)
    });
    let options = match options {
        Ok(options) => options,
        Err(fault) => return Err((vec![fault], texts.sources)),
    };
    let mut session = Session::new(&options, texts, terminal.progress);
    let files = session.files(typed)?;
    let delivery = Delivery::new(typed, &options, &files, terminal, start);
    session.delivery = Some(delivery.clone());
    let outputs = outputs(typed).map_err(|fault| session.fault(fault))?;
    if !outputs.is_empty() {
        session.find_inputs(&files);
        let texts = &session.workspace.texts;
        let ready = outputs.expect_apart(texts).and_then(|()| outputs.expect_writable());
        ready.map_err(|fault| session.fault(fault))?;
    }
    listen_for_interrupts(&session.control).map_err(|fault| session.fault(fault))?;
    match session.expect_flags_of_files(&files) {
        Ok(()) => files.iter().for_each(|file| session.check_file(file, files.len() == 1)),
        Err(faults) => files.iter().for_each(|file| session.give_up(file, None, faults.clone())),
    }
    session.expect_some_property();
    session.expect_used();
    // Some inputs are known only now.
    outputs.expect_apart(&session.workspace.texts).map_err(|fault| session.fault(fault))?;
    if let Some(path) = &options.promela.spin_trail {
        session.write_trail(path).map_err(|fault| session.fault(fault))?;
    }
    let findings = std::mem::take(&mut *session.results.get());
    let mut bounds = options.bounds();
    bounds.timeout = bounds.timeout.map(|it| it.max(REPORT_TIME));
    let sources = session.workspace.sources();
    delivery.write_report(findings, sources, &session.control, bounds).map_err(|fault| session.fault(fault))
}

/// Minimum time for the report.
const REPORT_TIME: Duration = Duration::from_secs(1);

/// Returns the files that the run will write.
fn outputs(typed: &CheckArguments) -> Result<Outputs, Diagnostic> {
    if let Some(path) = &typed.promela.spin_trail {
        trail_file::expect_name(path)?;
    }
    let named = [("-o", &*typed.output), ("--spin-trail", &typed.promela.spin_trail)];
    Outputs::new(named.into_iter().filter_map(|(flag, path)| Some((flag.to_string(), path.clone()?))))
}

/// The inputs and results of a run so far.
struct Session<'a> {
    options: &'a CheckOptions,
    progress: bool,
    workspace: Workspace<Texts>,
    control: Arc<Control>,
    /// All names of properties, for a pattern that matches none of them.
    names: Vec<String>,
    results: Results,
    /// How the results are reported, once that is known.
    delivery: Option<Delivery>,
    /// Uses so far that flags can depend on.
    uses: Vec<flags::Usage>,
}

impl<'a> Session<'a> {
    fn new(options: &'a CheckOptions, texts: Texts, progress: bool) -> Self {
        Self {
            options,
            progress,
            workspace: Workspace::new(texts),
            control: Arc::new(Control::default()),
            names: Vec::new(),
            results: Results::default(),
            delivery: None,
            uses: Vec::new(),
        }
    }

    fn fault(&self, diagnostic: Diagnostic) -> Faults {
        (vec![diagnostic], self.workspace.sources().clone())
    }

    fn files(&mut self, typed: &CheckArguments) -> Result<Vec<PathBuf>, Faults> {
        if !typed.files.is_empty() {
            return Ok(typed.files.clone());
        }
        let folder = project::folder();
        self.results.get().diagnostics.extend(project::note(&folder));
        let texts = &mut self.workspace.texts;
        project::property_files(&folder, texts).map_err(|faults| (faults, texts.sources.clone()))
    }

    /// Checks all properties of a file. Flags are rejected before the first one
    /// if it is the only file.
    fn check_file(&mut self, path: &Path, is_only: bool) {
        let name = path.display().to_string();
        if self.is_interrupted() {
            return self.give_up(path, None, vec![interrupted()]);
        }
        let subjects = self.watched((&name, "properties"), |it| {
            let options = it.options_of_file(path);
            let subjects = it.workspace.subjects(path, &options)?;
            let subjects = it.violated(subjects)?;
            if is_only {
                it.expect_flags_of_subjects(&subjects)?;
            }
            Ok(subjects)
        });
        match subjects {
            Ok(subjects) => subjects.iter().for_each(|it| self.check_subject(it)),
            Err(faults) => self.give_up(path, None, faults),
        }
    }

    /// Keeps the subject that the given trail violates, if there is a trail.
    fn violated(&self, subjects: Vec<Subject>) -> Result<Vec<Subject>, Vec<Diagnostic>> {
        match &self.options.check.improve {
            Some((given, _)) => {
                let asked = self.options.property.as_deref();
                violated_by(given, asked, subjects).map(|it| vec![it]).map_err(|fault| vec![fault])
            }
            None => Ok(subjects),
        }
    }

    fn check_subject(&mut self, subject: &Subject) {
        let Subject { file, property, .. } = subject;
        self.names.push(property.clone());
        if !self.is_chosen(property) {
            return;
        }
        if self.is_interrupted() {
            return self.give_up(file, Some(property), vec![interrupted()]);
        }
        let engine = self.workspace.engine_of(subject, &self.options.check).map_or(FLOW, |it| *it.1);
        // Properties of models have the same names in all models.
        let shown = match subject.spec() {
            Some(_) => property.clone(),
            None => format!("{}: {property}", file.display()),
        };
        let answer = self.watched((&shown, engine.units), |it| {
            it.note_usage(subject)?;
            it.answer(subject)
        });
        match answer {
            Ok(report) => {
                let mut findings = self.results.get();
                findings.diagnostics.extend(incomplete_trail(&report));
                findings.reports.push(report);
            }
            Err(faults) => self.give_up(file, Some(property), faults),
        }
    }

    /// Returns whether the user wants a property of this name to be checked.
    fn is_chosen(&self, property: &str) -> bool {
        let wanted = self.options.property.as_ref();
        wanted.is_none_or(|pattern| Glob::new(pattern).matches(property))
    }

    /// Checks a subject within the limits.
    fn answer(&mut self, subject: &Subject) -> Result<Report, Vec<Diagnostic>> {
        let control = Arc::clone(&self.control);
        let mut watch = |counters: &_| {
            control.publish(counters);
            control.stop_reason()
        };
        let options = &self.options.check;
        let mut report = self.workspace.check(subject, options, &mut watch)?;
        add_proof(&mut self.workspace, subject, options, &mut report, &mut watch);
        Ok(report)
    }

    /// Does the work on one property, from reading its model to describing the
    /// trail, within the limits of the run. `counted` is its name and the unit
    /// of the counters.
    fn watched<T>(
        &mut self,
        counted: (&str, &'static str),
        work: impl FnOnce(&mut Self) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let control = Arc::clone(&self.control);
        let delivery = self.delivery.as_ref().expect("work begins when all options are known");
        let results = self.results.clone();
        let on_overdue =
            delivery.on_overdue(self.workspace.sources(), move || std::mem::take(&mut *results.get()));
        let bounds = self.options.bounds();
        let _watch = Watch::start(&control, counted, bounds, self.progress, on_overdue);
        let done = cancellable(&control, || work(self));
        let warnings = self.workspace.take_warnings();
        let known = &mut self.results.get().diagnostics;
        for warning in warnings {
            if !known.contains(&warning) {
                known.push(warning);
            }
        }
        done.unwrap_or_else(|stop| Err(vec![stopped(counted.0, stop)]))
    }

    fn is_interrupted(&self) -> bool {
        self.control.stop_reason() == Some(Stop::Interrupt)
    }

    /// Records what was not checked and why.
    fn give_up(&mut self, file: &Path, property: Option<&str>, faults: Vec<Diagnostic>) {
        let (file, property) = (file.display().to_string(), property.map(str::to_string));
        self.results.get().give_up(file, property, faults);
    }

    /// Reports an error if no property was checked.
    fn expect_some_property(&mut self) {
        let mut findings = self.results.get();
        if !(findings.reports.is_empty() && findings.unchecked.is_empty()) {
            return;
        }
        let diagnostic = match &self.options.property {
            Some(pattern) => {
                let help = did_you_mean(pattern, self.names.iter().map(String::as_str));
                let help = help.unwrap_or_else(|| format!("the properties are {}", self.names.join(", ")));
                let message = format!("no property matches `{pattern}`");
                Diagnostic::error_without_place("no-property", message).with_help(help)
            }
            None => Diagnostic::error_without_place("no-property", "the files contain no properties"),
        };
        findings.diagnostics.push(diagnostic);
    }
}

fn interrupted() -> Diagnostic {
    let message = "interrupted before every property was checked";
    Diagnostic::new(Severity::Warning, "interrupted", None, message)
}

/// Warns that a limit was reached before the search began.
fn stopped(name: &str, stop: Stop) -> Diagnostic {
    let (why, help) = match stop {
        Stop::Interrupt => return interrupted(),
        Stop::Memory => ("memory", "--max-memory"),
        _ => ("time", "--timeout"),
    };
    let message = format!("`{name}` is not checked: the {why} limit was reached before the search began");
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    warning.with_help(format!("raise `{help}`, or make the input smaller"))
}

/// Warns that a limit was reached while the steps of a trail were described.
fn incomplete_trail(report: &Report) -> Option<Diagnostic> {
    let trail = report.trail()?;
    let why = reason(trail.cut_short?);
    let property = &report.property;
    if trail.n_steps == 0 {
        let message = format!("`{property}` is violated, but {why} before its trail was computed");
        let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
        return Some(warning.with_help("raise `--timeout` or `--max-memory`"));
    }
    let message = format!("the trail of `{property}` is incomplete: {why} while it was computed");
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    Some(warning.with_help("request fewer steps: remove `--full` or `--format json`"))
}
