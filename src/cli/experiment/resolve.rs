//! Resolves the files and names of a study, so that every error is found before
//! the first run.

use crate::cli::arguments::{Adjacency, EngineName, ExecutionsName, ReductionName};
use crate::cli::files::{Texts, beside};
use crate::cli::language::{expect_language, language_of};
use crate::cli::values;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Span, did_you_mean};
use trapline::experiment::plan::{fingerprint, with_unique_names};
use trapline::experiment::study::{CheckOption, Entry, LeaveOut, Strategy, Study, SubjectEntry};
use trapline::experiment::{Plan, Subject, read};
use trapline::lang::language::Language;
use trapline::lang::spec::{Glob, PropertySpec, Spanned};
use trapline::lang::task;
use trapline::verify::engine::{EXPLICIT, Engine, ModelKind, any_strategy};
use trapline::verify::workspace::{
    CheckOptions, EngineChoice, Setting, Workspace, definitions, engine_for, merged_settings,
};

/// The expected kind of file of a `spec`, for messages.
const PROPERTY_FILE: &str = "a property file";

/// The expected kind of file of `experiment`, for messages.
const STUDY: &str = "a study";

/// Reads a study file and checks what can be checked without models.
pub(super) fn study(path: &Path, workspace: &mut Workspace<Texts>) -> Result<Study, Vec<Diagnostic>> {
    // The ending `.yaml` does not distinguish studies from property files.
    expect_language(path, None, &[Language::Study, Language::Property], STUDY)
        .map_err(|fault| vec![fault])?;
    let source = workspace.texts.read(path, "study file").map_err(|fault| vec![fault])?;
    let study = read::study(source, workspace.sources())
        .map_err(|faults| workspace.or_other_language(path, Language::Study, STUDY, faults))?;
    let options = study.options.iter().filter_map(|it| check_option(it).err());
    let mut mistakes: Vec<Diagnostic> = options.collect();
    if let Some(at_least) = &study.at_least
        && let Err(message) = values::duration(&at_least.value)
    {
        mistakes.push(Diagnostic::error("study-value", at_least.span, message));
    }
    let texts = &mut workspace.texts;
    mistakes.extend(study.strategies.iter().filter_map(|it| check_strategy(it, None, texts).err()));
    if mistakes.is_empty() { Ok(study) } else { Err(mistakes) }
}

/// Checks that `check` accepts this option.
fn check_option(option: &CheckOption) -> Result<(), Diagnostic> {
    let typed = option.value.value.as_str();
    let understood = match option.flag {
        "engine" => word::<EngineName>(typed),
        "executions" => word::<ExecutionsName>(typed),
        "adjacency" => word::<Adjacency>(typed),
        "reduction" => word::<ReductionName>(typed),
        "graph" => values::graph_form(typed).map(drop),
        "timeout" => values::duration(typed).map(drop),
        "max-memory" => values::size(typed).map(drop),
        "max-states" => values::count(typed).map(drop),
        _ => Ok(()),
    };
    understood.map_err(|message| Diagnostic::error("study-option", option.value.span, message))
}

fn word<T: ValueEnum>(typed: &str) -> Result<(), String> {
    let names: Vec<String> = T::value_variants()
        .iter()
        .filter_map(|it| it.to_possible_value())
        .map(|it| it.get_name().to_string())
        .collect();
    match names.iter().any(|name| name == typed) {
        true => Ok(()),
        false => Err(format!("expected {}, not `{typed}`", names.join(" or "))),
    }
}

/// Checks that this engine, or any, accepts the strategy. The error shows the
/// wrong word of the strategy, below its position in the study.
fn check_strategy(strategy: &Strategy, engine: Option<&Engine>, texts: &mut Texts) -> Result<(), Diagnostic> {
    let source = texts.sources.add("--strategy", strategy.text.value.clone());
    let read = match engine {
        Some(engine) => engine.strategy(source, &texts.sources),
        None => any_strategy(source, &texts.sources),
    };
    let Err(fault) = read else { return Ok(()) };
    let place = fault.span.map(|span| (span, "the strategy, its parameters filled in".to_owned()));
    let mistake = Diagnostic::error("study-strategy", strategy.text.span, fault.message);
    Err(Diagnostic { help: fault.help, related: place.into_iter().collect(), ..mistake })
}

/// Creates the plan of a study.
pub(super) fn plan(study: &Study, workspace: &mut Workspace<Texts>) -> Result<Plan, Vec<Diagnostic>> {
    let engine = study.options.iter().find(|it| it.flag == "engine").map(|it| it.value.value.as_str());
    let engine = match engine {
        Some("flow") => EngineChoice::Flow,
        Some("explicit") => EngineChoice::Explicit,
        _ => EngineChoice::Auto,
    };
    let mut lookup = Lookup { workspace, n_entries: 0, engine, engines: Vec::new() };
    let mut subjects = Vec::new();
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let mut keep = |found: Result<Vec<Subject>, Vec<Diagnostic>>| match found {
        Ok(found) => subjects.extend(found),
        Err(found) => {
            let is_new = |it: &Diagnostic| !mistakes.contains(it);
            mistakes.extend(found.into_iter().filter(is_new).collect::<Vec<_>>());
        }
    };
    for entry in &study.entries {
        match entry {
            Entry::Subjects(entry) => keep(lookup.subjects(entry, None)),
            Entry::Include(include) => {
                let entries = lookup.included(&include.path);
                match entries {
                    Ok(entries) => {
                        entries.iter().for_each(|it| keep(lookup.subjects(it, include.leave_out.as_ref())));
                    }
                    Err(found) => keep(Err(found)),
                }
            }
        }
    }
    for engine in std::mem::take(&mut lookup.engines) {
        let refused = |it: &Strategy| check_strategy(it, Some(engine), &mut lookup.workspace.texts).err();
        mistakes.extend(study.strategies.iter().filter_map(refused));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let option = |it: &CheckOption| (it.flag.to_string(), it.value.value.clone());
    let strategy = |it: &Strategy| (it.label.value.clone(), it.text.value.clone());
    Ok(Plan {
        name: study.name.clone(),
        description: study.description.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        options: study.options.iter().map(option).collect(),
        strategies: study.strategies.iter().map(strategy).collect(),
        baseline: study.baseline,
        subjects: with_unique_names(subjects),
        repeat: study.repeat,
        at_least: study
            .at_least
            .as_ref()
            .and_then(|it| values::duration(&it.value).ok())
            .map_or(0.0, |it| it.as_secs_f64()),
    })
}

/// A property of a subject and the constraints that can be left out.
struct StudyProperty {
    property: String,
    /// Whether it is about an order of events.
    is_order: bool,
    constraints: Vec<String>,
    kind: ModelKind,
    engine: &'static Engine,
    /// A fingerprint of the texts that the subject is made from.
    inputs: String,
}

/// Files and models that have been read.
struct Lookup<'a> {
    workspace: &'a mut Workspace<Texts>,
    /// Number of entries so far.
    n_entries: usize,
    /// The engine for task models.
    engine: EngineChoice,
    /// Engines that will be used.
    engines: Vec<&'static Engine>,
}

impl Lookup<'_> {
    /// Returns the path that a text of a study names.
    fn path(&self, named: &Spanned<String>) -> PathBuf {
        beside(Path::new(&self.workspace.sources().get(named.span.source).name), &named.value)
    }

    fn included(&mut self, named: &Spanned<String>) -> Result<Vec<SubjectEntry>, Vec<Diagnostic>> {
        let path = self.path(named);
        let source = self.workspace.texts.read(&path, "file of subjects").map_err(at(named.span))?;
        read::included(source, self.workspace.sources())
    }

    fn subjects(
        &mut self,
        entry: &SubjectEntry,
        leave_out: Option<&LeaveOut>,
    ) -> Result<Vec<Subject>, Vec<Diagnostic>> {
        self.n_entries += 1;
        let leave_out = entry.leave_out.as_ref().or(leave_out).unwrap_or(&LeaveOut::None);
        let path = self.path(&entry.file);
        let mut all = Vec::new();
        if entry.is_model {
            for size in entry.sizes() {
                let chosen = self.of_model(&path, entry, &size)?;
                all.extend(chosen.into_iter().map(|it| self.subject(&path, entry, size.clone(), it)));
            }
            return Ok(all);
        }
        for spec in self.properties(&path, entry)? {
            for size in entry.sizes() {
                let chosen = self.of_spec(&path, &spec, entry, &size)?;
                let whole = self.subject(&path, entry, size, chosen);
                match leave_out {
                    LeaveOut::None => all.push(whole),
                    LeaveOut::Each if whole.constraints.is_empty() => {
                        let message =
                            format!("the property `{}` has no constraints to leave out", whole.name);
                        return Err(vec![Diagnostic::error("no-constraint", entry.file.span, message)]);
                    }
                    LeaveOut::Each => all.extend(left_out(&whole, |_| true)),
                    LeaveOut::Matching(names) => all.extend(matching_left_out(&whole, names)?),
                }
            }
        }
        Ok(all)
    }

    fn properties(
        &mut self,
        path: &Path,
        entry: &SubjectEntry,
    ) -> Result<Vec<PropertySpec>, Vec<Diagnostic>> {
        let is_property = expect_language(path, None, &[Language::Property], PROPERTY_FILE);
        is_property.map_err(at(entry.file.span))?;
        self.workspace.texts.read(path, "property file").map_err(at(entry.file.span))?;
        let mut all = self.workspace.properties(path, PROPERTY_FILE)?;
        let Some(wanted) = &entry.property else { return Ok(all) };
        let names: Vec<String> = all.iter().map(|it| it.name.value.clone()).collect();
        let glob = Glob::new(wanted.value.as_str());
        all.retain(|it| glob.matches(&it.name.value));
        if all.is_empty() { Err(vec![no_property(path, wanted, &names)]) } else { Ok(all) }
    }

    fn uses(&mut self, engine: &'static Engine) {
        if !self.engines.iter().any(|it| it.name == engine.name) {
            self.engines.push(engine);
        }
    }

    /// Returns the chosen properties of a model as a whole.
    fn of_model(
        &mut self,
        path: &Path,
        entry: &SubjectEntry,
        size: &[(String, String)],
    ) -> Result<Vec<StudyProperty>, Vec<Diagnostic>> {
        let span = entry.file.span;
        let models = [Language::Promela, Language::Task];
        expect_language(path, None, &models, "a model").map_err(at(span))?;
        let kind = match language_of(path, None) {
            Some(Language::Task) => ModelKind::Task,
            _ => ModelKind::Promela,
        };
        expect_fitting_settings(entry, kind)?;
        self.uses(&EXPLICIT);
        self.workspace.texts.read_leniently(path, "model").map_err(at(span))?;
        let mut options = CheckOptions { engine: self.engine, ..CheckOptions::default() };
        match kind {
            ModelKind::Promela => options.definitions = size.to_vec(),
            ModelKind::Task => options.settings = settings_of(size),
        }
        let (subjects, inputs) = self.with_inputs(path, |it| it.subjects(path, &options))?;
        let names: Vec<String> = subjects.iter().map(|it| it.property.clone()).collect();
        let glob = Glob::new(entry.property.as_ref().map_or("*", |it| it.value.as_str()));
        let chosen = |property: &String| StudyProperty {
            property: property.clone(),
            is_order: false,
            constraints: Vec::new(),
            kind,
            engine: &EXPLICIT,
            inputs: inputs.clone(),
        };
        let found: Vec<StudyProperty> = names.iter().filter(|it| glob.matches(it)).map(chosen).collect();
        match &entry.property {
            Some(wanted) if found.is_empty() => Err(vec![no_property(path, wanted, &names)]),
            _ => Ok(found),
        }
    }

    /// Returns a property of a property file with its constraints.
    fn of_spec(
        &mut self,
        path: &Path,
        spec: &PropertySpec,
        entry: &SubjectEntry,
        size: &[(String, String)],
    ) -> Result<StudyProperty, Vec<Diagnostic>> {
        let Some(named) = &spec.model else {
            let message = format!("the property `{}` names no model", spec.name.value);
            return Err(vec![Diagnostic::error("no-model", spec.name.span, message)]);
        };
        let property = spec.name.value.clone();
        let model_path = beside(path, &named.value);
        if language_of(&model_path, None) == Some(Language::Promela) {
            self.uses(&EXPLICIT);
            if let Some(constraint) = entry.constraints.iter().flatten().chain(&spec.constraints).next() {
                let message = "the states of a Promela model are searched exactly, without constraints";
                return Err(vec![Diagnostic::error("promela-constraint", constraint.span, message)]);
            }
            self.workspace.texts.read_leniently(&model_path, "model").map_err(at(named.span))?;
            let definitions = definitions(spec, &[], size);
            let options = CheckOptions::default();
            let load = |it: &mut Workspace<Texts>| it.promela_for(&model_path, spec, &definitions, &options);
            let (_, model) = self.with_inputs(&model_path, load)?;
            let own = self.inputs(&[path.to_path_buf()]);
            return Ok(StudyProperty {
                property,
                is_order: spec.state_formula().is_none(),
                constraints: Vec::new(),
                kind: ModelKind::Promela,
                engine: &EXPLICIT,
                inputs: own + &model,
            });
        }
        let options = CheckOptions { engine: self.engine, ..CheckOptions::default() };
        let engine = engine_for(spec, &options);
        self.uses(engine);
        let expected = "a task model or a Promela model";
        expect_language(&model_path, None, &[Language::Task], expected).map_err(at(named.span))?;
        self.workspace.texts.read(&model_path, "model").map_err(at(named.span))?;
        let program = self.workspace.tasks(&model_path, &settings(spec, entry, size))?.program;
        if spec.state_formula().is_none() {
            spec.resolve(&program.labels())?;
        }
        let mut constraints = match &entry.constraints {
            Some(named) => {
                let file = PathBuf::from(&self.workspace.sources().get(entry.file.span.source).name);
                self.workspace.names_of_constraints(&file, &parts(named), &program)?
            }
            None => self.workspace.names_of_constraints(path, &spec.constraints, &program)?,
        };
        if *engine == EXPLICIT {
            // The explicit engine is exact about control flow and values.
            constraints.retain(|it| !it.contains(':'));
        }
        let files = constraints.iter().filter(|it| !it.contains(':')).map(PathBuf::from);
        let paths: Vec<PathBuf> = [path.to_path_buf(), model_path].into_iter().chain(files).collect();
        Ok(StudyProperty {
            property,
            is_order: spec.state_formula().is_none(),
            inputs: self.inputs(&paths),
            kind: ModelKind::Task,
            engine,
            constraints,
        })
    }

    /// Processes a Promela model; also returns a fingerprint of its text and of
    /// the included files.
    fn with_inputs<T>(
        &mut self,
        path: &Path,
        make: impl FnOnce(&mut Workspace<Texts>) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<(T, String), Vec<Diagnostic>> {
        let source = self.workspace.texts.read_leniently(path, "model").map_err(|fault| vec![fault])?;
        let n_before = self.workspace.sources().len();
        let made = make(self.workspace)?;
        let sources = self.workspace.sources();
        let texts = [sources.get(source)].into_iter().chain(sources.iter().skip(n_before));
        Ok((made, fingerprint(texts.map(|it| it.text.as_bytes()))))
    }

    /// Returns the subject with all its constraints.
    fn subject(
        &self,
        path: &Path,
        entry: &SubjectEntry,
        size: Vec<(String, String)>,
        chosen: StudyProperty,
    ) -> Subject {
        let mut subject = Subject {
            name: String::new(),
            entry: self.n_entries,
            label: entry.label.clone(),
            system: path.file_stem().map_or(String::new(), |it| it.to_string_lossy().into_owned()),
            file: path.display().to_string(),
            is_model: entry.is_model,
            is_order: chosen.is_order,
            kind: chosen.kind,
            engine: chosen.engine,
            property: chosen.property,
            settings: size,
            varied: entry.varied().map(str::to_string),
            inputs: chosen.inputs,
            constraints: chosen.constraints,
            left_out: None,
        };
        subject.name = subject.standard_name();
        subject
    }

    /// Returns a fingerprint of the texts of files.
    fn inputs(&mut self, paths: &[PathBuf]) -> String {
        // All files have been read before; a set is part of the text of its
        // file.
        let texts = &mut self.workspace.texts;
        let ids: Vec<_> = paths.iter().filter_map(|path| texts.read(path, "file").ok()).collect();
        fingerprint(ids.iter().map(|id| texts.sources.get(*id).text.as_bytes()))
    }
}

/// Rejects macros for task models and constants for Promela models.
fn expect_fitting_settings(entry: &SubjectEntry, kind: ModelKind) -> Result<(), Vec<Diagnostic>> {
    let Some((name, _)) = entry.set.first() else { return Ok(()) };
    let (message, help) = match (kind, entry.has_macros) {
        (ModelKind::Promela, false) => ("a Promela model has no constants", "set its macros by `define`"),
        (ModelKind::Task, true) => ("a task model has no macros", "set its constants by `set`"),
        _ => return Ok(()),
    };
    Err(vec![Diagnostic::error("study-key", name.span, message).with_help(help)])
}

/// Converts constants to settings of a check.
fn settings_of(size: &[(String, String)]) -> Vec<Setting> {
    size.iter().filter_map(|(name, value)| Some(Setting::new(name, value.parse().ok()?))).collect()
}

fn no_property(path: &Path, wanted: &Spanned<String>, names: &[String]) -> Diagnostic {
    let message = format!("no property of `{}` matches `{}`", path.display(), wanted.value);
    let help = did_you_mean(&wanted.value, names.iter().map(String::as_str))
        .unwrap_or_else(|| format!("the properties are {}", names.join(", ")));
    Diagnostic::error("no-property", wanted.span, message).with_help(help)
}

/// Moves an error about a file to the position where the file is named.
fn at(span: Span) -> impl Fn(Diagnostic) -> Vec<Diagnostic> {
    move |mut fault| {
        fault.span = fault.span.or(Some(span));
        vec![fault]
    }
}

/// Returns the settings of the property file, overridden by those of the study.
fn settings(spec: &PropertySpec, entry: &SubjectEntry, size: &[(String, String)]) -> Vec<task::Setting> {
    let spans = entry.set.iter().map(|(name, _)| name.span);
    let of_study = size.iter().zip(spans).filter_map(|((name, value), span)| {
        Some(task::Setting { name: name.clone(), value: value.parse().ok()?, span: Some(span) })
    });
    merged_settings(spec, of_study.collect())
}

/// Splits comma-separated lists, as on the command line.
fn parts(named: &[Spanned<String>]) -> Vec<Spanned<String>> {
    let split = |it: &Spanned<String>| {
        let span = it.span;
        values::comma_list(&it.value).into_iter().map(move |part| Spanned::new(part, span))
    };
    named.iter().flat_map(split).collect()
}

/// Returns a subject for each constraint that matches one of these names.
fn matching_left_out(whole: &Subject, names: &[Spanned<String>]) -> Result<Vec<Subject>, Vec<Diagnostic>> {
    let globs: Vec<Glob> = names.iter().map(|it| Glob::new(it.value.as_str())).collect();
    for (glob, name) in globs.iter().zip(names) {
        if !whole.constraints.iter().any(|it| glob.matches(it)) {
            let message = format!("no constraint of `{}` matches `{}`", whole.name, name.value);
            let help = did_you_mean(&name.value, whole.constraints.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the constraints are {}", whole.constraints.join(", ")));
            return Err(vec![Diagnostic::error("no-constraint", name.span, message).with_help(help)]);
        }
    }
    Ok(left_out(whole, |name| globs.iter().any(|it| it.matches(name))))
}

/// Returns one subject for each chosen constraint, without that constraint.
fn left_out(whole: &Subject, is_chosen: impl Fn(&str) -> bool) -> Vec<Subject> {
    let without = |at: usize| {
        let mut subject = whole.clone();
        subject.left_out = Some(subject.constraints.remove(at));
        subject.name = subject.standard_name();
        subject
    };
    let chosen = |at: &usize| is_chosen(&whole.constraints[*at]);
    (0..whole.constraints.len()).filter(chosen).map(without).collect()
}
