//! `trapline check`: from property files to verdicts.
//!
//! A mistake in one file or model leaves the others to be checked: it is told
//! on standard error and in the report, and the exit code says that
//! something could not be checked.

mod delivery;
mod inputs;
mod models;
mod tasks;

use super::arguments::{CheckArguments, EngineName};
use super::exit::Exit;
use super::files::{Outputs, Texts, beside};
use super::language::{Language, or_other_language};
use super::options::CheckOptions;
use super::output::Terminal;
use super::signals::listen_for_interrupts;
use super::watch::Watch;
use super::{Faults, project, promela};
use crate::base::cancel::cancellable;
use crate::base::control::{Control, Stop};
use crate::diag::{Diagnostic, Severity, did_you_mean};
use crate::lang::spec::{Glob, PropertySpec, parse_property_file};
use crate::lang::task::program::Program;
use crate::lang::task::{self, load};
use crate::verify::assemble::{AssembledProperty, ConstraintRequest};
use crate::verify::engine::FLOW;
use crate::verify::{Question, Report, SearchOptions};
use delivery::{Delivery, Results};
use inputs::constraint;
pub(super) use inputs::{merged_settings, single_constraints, typed_constraint, typed_settings};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    let has_models = files.iter().any(|it| options.language(it) == Some(Language::Promela));
    if !has_models {
        promela::expect_unasked(&options.promela).map_err(|fault| session.fault(fault))?;
    }
    let outputs = outputs(typed).map_err(|fault| session.fault(fault))?;
    if !outputs.is_empty() {
        session.find_inputs(&files);
        let ready = outputs.expect_apart(&session.texts).and_then(|()| outputs.expect_writable());
        ready.map_err(|fault| session.fault(fault))?;
    }
    listen_for_interrupts(&session.control).map_err(|fault| session.fault(fault))?;
    for file in &files {
        session.check_file(file);
    }
    session.expect_some_property();
    if !session.has_met_model && session.results.get().unchecked.is_empty() {
        session.results.get().diagnostics.extend(promela::expect_unused(&options.promela).err());
    }
    // Not every input has been foreseen.
    outputs.expect_apart(&session.texts).map_err(|fault| session.fault(fault))?;
    if let Some(path) = &options.promela.spin_trail {
        session.write_trail(path).map_err(|fault| session.fault(fault))?;
    }
    let findings = std::mem::take(&mut *session.results.get());
    let (sources, mut bounds) = (&session.texts.sources, options.engine.bounds());
    bounds.timeout = bounds.timeout.map(|it| it.max(REPORT_TIME));
    delivery.tell(findings, sources, &session.control, bounds).map_err(|fault| session.fault(fault))
}

/// Time for the report if a property has less.
const REPORT_TIME: Duration = Duration::from_secs(1);

/// The files that will be written.
fn outputs(typed: &CheckArguments) -> Result<Outputs, Diagnostic> {
    if let Some(path) = &typed.promela.spin_trail {
        promela::expect_name_of_trail(path)?;
    }
    let named = [("-o", &typed.output), ("--spin-trail", &typed.promela.spin_trail)];
    Outputs::new(named.into_iter().filter_map(|(flag, path)| Some((flag.to_string(), path.clone()?))))
}

/// What `check` is given, for messages.
pub(super) const PROPERTY_FILE: &str = "a property file";

/// A model that was asked for, with its remarks; `None` if it is unusable.
struct Known {
    path: PathBuf,
    settings: Vec<(String, i64)>,
    model: Option<Rc<Program>>,
    notes: Vec<Diagnostic>,
}

/// What a run has read and found so far.
struct Session<'a> {
    options: &'a CheckOptions,
    progress: bool,
    texts: Texts,
    control: Arc<Control>,
    models: Vec<Known>,
    /// All names met, for a pattern that matches none of them.
    names: Vec<String>,
    results: Results,
    /// How they are reported, once that is known.
    delivery: Option<Delivery>,
    /// Was any model a Promela model?
    has_met_model: bool,
}

impl<'a> Session<'a> {
    fn new(options: &'a CheckOptions, texts: Texts, progress: bool) -> Self {
        Self {
            options,
            progress,
            texts,
            control: Arc::new(Control::default()),
            models: Vec::new(),
            names: Vec::new(),
            results: Results::default(),
            delivery: None,
            has_met_model: false,
        }
    }

    fn fault(&self, diagnostic: Diagnostic) -> Faults {
        (vec![diagnostic], self.texts.sources.clone())
    }

    fn files(&mut self, typed: &CheckArguments) -> Result<Vec<PathBuf>, Faults> {
        if !typed.files.is_empty() {
            return Ok(typed.files.clone());
        }
        let folder = project::folder();
        self.results.get().diagnostics.extend(project::note(&folder));
        project::property_files(&folder, &mut self.texts)
            .map_err(|faults| (faults, self.texts.sources.clone()))
    }

    fn check_file(&mut self, path: &Path) {
        let name = path.display().to_string();
        if self.is_interrupted() {
            return self.give_up(path, None, vec![interrupted()]);
        }
        match self.options.language(path) {
            Some(Language::Promela) => return self.check_model(path),
            Some(Language::Task) if self.is_exact() => return self.check_tasks(path),
            Some(Language::Property) | None => (),
            Some(other) => return self.give_up(path, None, vec![other.unexpected(path, PROPERTY_FILE)]),
        }
        let parsed = self.watched((&name, "properties"), |it| {
            let source = it.texts.read(path, "property file").map_err(|fault| vec![fault])?;
            let parsed = parse_property_file(source, &it.texts.sources);
            parsed.map_err(|faults| or_other_language(path, Language::Property, PROPERTY_FILE, faults))
        });
        match parsed {
            Ok(file) => file.properties.iter().for_each(|spec| self.check_property(path, spec)),
            Err(faults) => self.give_up(path, None, faults),
        }
    }

    fn check_property(&mut self, file: &Path, spec: &PropertySpec) {
        let name = &spec.name.value;
        self.names.push(name.clone());
        let wanted = self.options.property.as_ref();
        if wanted.is_some_and(|pattern| !Glob::new(pattern).matches(name)) {
            return;
        }
        if self.is_interrupted() {
            return self.give_up(file, Some(name), vec![interrupted()]);
        }
        let counted = (name.as_str(), self.unit(file, spec));
        let answer = self.watched(counted, |it| {
            let path = model_path(it.options, file, spec)?;
            match it.is_promela(&path) {
                true => it.answer_of_model(&path, file, spec),
                false if it.is_exact() => it.answer_exactly(file, spec, &path),
                false => it.answer(file, spec, &path),
            }
        });
        match answer {
            Ok(report) => self.results.get().reports.push(report),
            Err(faults) => self.give_up(file, Some(name), faults),
        }
    }

    fn is_promela(&self, path: &Path) -> bool {
        self.options.language_of_model(path) == Some(Language::Promela)
    }

    /// Are task models searched state by state?
    fn is_exact(&self) -> bool {
        self.options.engine.name == EngineName::Explicit
    }

    /// What a search of the property's model counts.
    fn unit(&self, file: &Path, spec: &PropertySpec) -> &'static str {
        let path = model_path(self.options, file, spec);
        let is_explicit = self.is_exact() || path.is_ok_and(|it| self.is_promela(&it));
        if is_explicit { "states" } else { "node-tuples" }
    }

    /// Does the work on one property, from reading its model to telling the
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
            delivery.last_words(&self.texts.sources, move || std::mem::take(&mut *results.get()));
        let bounds = self.options.engine.bounds();
        let _watch = Watch::start(&control, counted, bounds, self.progress, last_words);
        let done = cancellable(&control, || work(self));
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

    fn answer(&mut self, file: &Path, spec: &PropertySpec, path: &Path) -> Result<Report, Vec<Diagnostic>> {
        let start = Instant::now();
        let settings = self.settings(spec);
        let (program, notes) = self.model(path, Some(spec), &settings)?;
        let constraints = self.constraints(file, spec)?;
        let source = self.texts.sources.add("--strategy", self.options.strategy.clone());
        let strategy = FLOW.strategy(source, &self.texts.sources).map_err(|fault| vec![fault])?;
        let search = SearchOptions { strategy, limits: self.options.engine.limits() };
        let options = self.options.engine.flow();
        let assembled = AssembledProperty::new(&program, spec, &constraints, options, &self.texts.sources);
        let answer = assembled.and_then(|it| {
            let mut report = self.ask(&Question { search, ..it.question() })?;
            report.notes.extend(it.warnings().cloned());
            Ok(report)
        });
        // What was left out of the model may be why a label is missing.
        let mut report =
            answer.map_err(|faults| faults.into_iter().chain(notes.iter().cloned()).collect::<Vec<_>>())?;
        report.notes.splice(0..0, notes);
        report.model = path.display().to_string();
        report.settings = settings.iter().map(|it| (it.name.clone(), it.value.to_string())).collect();
        report.file = file.display().to_string();
        report.elapsed = start.elapsed();
        Ok(report)
    }

    /// Answers a question, as long as nothing stops it.
    fn ask(&self, question: &Question) -> Result<Report, Vec<Diagnostic>> {
        let control = &self.control;
        question.check(&mut |counters| {
            control.publish(counters);
            control.stop_reason()
        })
    }

    /// The model of a path and settings; read once, and its faults told once.
    fn model(
        &mut self,
        path: &Path,
        spec: Option<&PropertySpec>,
        settings: &[task::Setting],
    ) -> Result<(Rc<Program>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let values = values_of(settings);
        let same = |known: &&Known| known.path == path && known.settings == values;
        if let Some(known) = self.models.iter().find(same) {
            let model = known.model.clone().ok_or_else(Vec::new)?;
            return Ok((model, known.notes.clone()));
        }
        let read = self.texts.read(path, "model");
        let source = read.map_err(|fault| vec![spec.map_or(fault.clone(), |it| self.at_name(fault, it))])?;
        let loaded = load(source, &self.texts.sources, settings);
        let model = loaded.program.map(Rc::new);
        let notes = if model.is_some() { loaded.diagnostics.clone() } else { Vec::new() };
        let known = Known { path: path.to_path_buf(), settings: values, model: model.clone(), notes };
        self.models.push(known);
        model.map(|model| (model, loaded.diagnostics.clone())).ok_or(loaded.diagnostics)
    }

    /// A file that cannot be read is at fault where it is named.
    fn at_name(&self, mut fault: Diagnostic, spec: &PropertySpec) -> Diagnostic {
        let named = if self.options.model.is_some() { None } else { spec.model.as_ref() };
        fault.span = fault.span.or(named.map(|it| it.span));
        fault
    }

    /// Settings of the file, overridden by those of the command line.
    fn settings(&mut self, spec: &PropertySpec) -> Vec<task::Setting> {
        merged_settings(spec, typed_settings(&self.options.settings, &mut self.texts))
    }

    fn constraints(
        &mut self,
        file: &Path,
        spec: &PropertySpec,
    ) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
        let mut all = Vec::new();
        if self.options.default_constraints {
            for it in &spec.constraints {
                all.extend(constraint(&it.value, it.span, file, &mut self.texts)?);
            }
        }
        for typed in &self.options.constraints {
            all.extend(typed_constraint(typed, &mut self.texts)?);
        }
        Ok(all)
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

fn model_path(options: &CheckOptions, file: &Path, spec: &PropertySpec) -> Result<PathBuf, Vec<Diagnostic>> {
    match (&options.model, &spec.model) {
        (Some(path), _) => Ok(path.clone()),
        (None, Some(named)) => Ok(beside(file, &named.value)),
        (None, None) => {
            let message = format!("the property `{}` names no model", spec.name.value);
            let help = "write `model: path/to/model.rs` in the property file, or use --model";
            Err(vec![Diagnostic::error("no-model", spec.name.span, message).with_help(help)])
        }
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

fn values_of(settings: &[task::Setting]) -> Vec<(String, i64)> {
    settings.iter().map(|setting| (setting.name.clone(), setting.value)).collect()
}
