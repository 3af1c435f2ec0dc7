//! `trapline check`: from property files and models to verdicts.
//!
//! A mistake in one file or model leaves the others to be checked: it is
//! reported on standard error and in the report, and the exit code says that
//! something could not be checked.

mod delivery;
mod flags;
mod inputs;
mod trail_file;

pub(super) use flags::of_promela;

use super::arguments::CheckArguments;
use super::exit::Exit;
use super::files::{Outputs, Texts};
use super::options::CheckOptions;
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
use trapline::verify::Report;
use trapline::verify::engine::FLOW;
use trapline::verify::workspace::{Subject, Workspace};

pub(super) fn run(typed: &CheckArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let start = Instant::now();
    let mut texts = Texts::default();
    let options = match CheckOptions::new(typed, &mut texts) {
        Ok(options) => options,
        Err(fault) => return Err((vec![fault], texts.sources)),
    };
    let mut session = Session::new(&options, texts, terminal.progress);
    let files = session.files(typed)?;
    let delivery = Delivery::new(typed, &options, &files, terminal, start);
    session.delivery = Some(delivery.clone());
    session.expect_models(&files).map_err(|fault| session.fault(fault))?;
    let outputs = outputs(typed).map_err(|fault| session.fault(fault))?;
    if !outputs.is_empty() {
        session.find_inputs(&files);
        let texts = &session.workspace.texts;
        let ready = outputs.expect_apart(texts).and_then(|()| outputs.expect_writable());
        ready.map_err(|fault| session.fault(fault))?;
    }
    listen_for_interrupts(&session.control).map_err(|fault| session.fault(fault))?;
    for file in &files {
        session.check_file(file);
    }
    session.expect_some_property();
    session.expect_used();
    // Not every input has been foreseen.
    outputs.expect_apart(&session.workspace.texts).map_err(|fault| session.fault(fault))?;
    if let Some(path) = &options.promela.spin_trail {
        session.write_trail(path).map_err(|fault| session.fault(fault))?;
    }
    let findings = std::mem::take(&mut *session.results.get());
    let mut bounds = options.bounds();
    bounds.timeout = bounds.timeout.map(|it| it.max(REPORT_TIME));
    let sources = session.workspace.sources();
    delivery.tell(findings, sources, &session.control, bounds).map_err(|fault| session.fault(fault))
}

/// Time for the report if a property has less.
const REPORT_TIME: Duration = Duration::from_secs(1);

/// The files that will be written.
fn outputs(typed: &CheckArguments) -> Result<Outputs, Diagnostic> {
    if let Some(path) = &typed.promela.spin_trail {
        trail_file::expect_name(path)?;
    }
    let named = [("-o", &typed.output), ("--spin-trail", &typed.promela.spin_trail)];
    Outputs::new(named.into_iter().filter_map(|(flag, path)| Some((flag.to_string(), path.clone()?))))
}

/// What a run has read and found so far.
struct Session<'a> {
    options: &'a CheckOptions,
    progress: bool,
    workspace: Workspace<Texts>,
    control: Arc<Control>,
    /// All names met, for a pattern that matches none of them.
    names: Vec<String>,
    results: Results,
    /// How they are reported, once that is known.
    delivery: Option<Delivery>,
    /// Was the explicit engine asked, and a Promela model met?
    met: flags::Met,
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
            met: flags::Met::default(),
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

    /// Everything that a file asks, one property after the other.
    fn check_file(&mut self, path: &Path) {
        let name = path.display().to_string();
        if self.is_interrupted() {
            return self.give_up(path, None, vec![interrupted()]);
        }
        let subjects = self.watched((&name, "properties"), |it| {
            it.expect_flags_of_file(path)?;
            it.workspace.subjects(path, &it.options.check)
        });
        match subjects {
            Ok(subjects) => subjects.iter().for_each(|it| self.check_subject(it)),
            Err(faults) => self.give_up(path, None, faults),
        }
    }

    fn check_subject(&mut self, subject: &Subject) {
        let Subject { file, property, .. } = subject;
        self.names.push(property.clone());
        let wanted = self.options.property.as_ref();
        if wanted.is_some_and(|pattern| !Glob::new(pattern).matches(property)) {
            return;
        }
        if self.is_interrupted() {
            return self.give_up(file, Some(property), vec![interrupted()]);
        }
        let engine = self.workspace.engine_of(subject, &self.options.check).map_or(FLOW, |it| *it.1);
        // The properties of a model are called alike in all models.
        let shown = match subject.spec() {
            Some(_) => property.clone(),
            None => format!("{}: {property}", file.display()),
        };
        let answer = self.watched((&shown, engine.units), |it| {
            it.expect_flags_of(subject)?;
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

    /// Answers a question, as long as nothing stops it.
    fn answer(&mut self, subject: &Subject) -> Result<Report, Vec<Diagnostic>> {
        let control = Arc::clone(&self.control);
        self.workspace.check(subject, &self.options.check, &mut |counters| {
            control.publish(counters);
            control.stop_reason()
        })
    }

    /// Does the work on one property, from reading its model to describing the
    /// answer, within the limits of the run. `counted` is its name and what the
    /// search counts.
    fn watched<T>(
        &mut self,
        counted: (&str, &'static str),
        work: impl FnOnce(&mut Self) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let control = Arc::clone(&self.control);
        let delivery = self.delivery.as_ref().expect("work begins when all options are known");
        let results = self.results.clone();
        let last_words =
            delivery.last_words(self.workspace.sources(), move || std::mem::take(&mut *results.get()));
        let bounds = self.options.bounds();
        let _watch = Watch::start(&control, counted, bounds, self.progress, last_words);
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

    /// Notes what was not checked and why.
    fn give_up(&mut self, file: &Path, property: Option<&str>, faults: Vec<Diagnostic>) {
        let (file, property) = (file.display().to_string(), property.map(str::to_string));
        self.results.get().give_up(file, property, faults);
    }

    /// A run that checks nothing must not look like a success.
    fn expect_some_property(&mut self) {
        let mut findings = self.results.get();
        if !(findings.reports.is_empty() && findings.unchecked.is_empty()) {
            return;
        }
        let diagnostic = match &self.options.property {
            Some(pattern) => {
                let help = did_you_mean(pattern, self.names.iter().map(String::as_str));
                let help = help.unwrap_or_else(|| format!("there are: {}", self.names.join(", ")));
                let message = format!("no property matches `{pattern}`");
                Diagnostic::error_without_place("no-property", message).with_help(help)
            }
            None => Diagnostic::error_without_place("no-property", "the files hold no property"),
        };
        findings.diagnostics.push(diagnostic);
    }
}

fn interrupted() -> Diagnostic {
    let message = "interrupted before every property was checked";
    Diagnostic::new(Severity::Warning, "interrupted", None, message)
}

/// Says that a limit was reached before there was anything to search.
fn stopped(name: &str, stop: Stop) -> Diagnostic {
    let (why, help) = match stop {
        Stop::Interrupt => return interrupted(),
        Stop::Memory => ("memory", "--max-memory"),
        _ => ("time", "--timeout"),
    };
    let message = format!("`{name}` is not checked: the {why} limit was reached before the search began");
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    warning.with_help(format!("allow more with `{help}`, or make the input smaller"))
}

/// Says that a limit was reached while the steps of a trail were described.
fn incomplete_trail(report: &Report) -> Option<Diagnostic> {
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
