//! The properties that a file asks to check.

use super::options::{CheckOptions, EngineChoice};
use super::promela::{self, LoadedModel};
use super::tasks::{TaskQuestion, task_questions};
use super::{TaskModel, Workspace};
use crate::diag::Diagnostic;
use crate::lang::language::Language;
use crate::lang::library::Library;
use crate::lang::spec::{PropertySpec, parse_property_file};
use crate::verify::engine::{EXPLICIT, Engine, FLOW, ModelKind};
use crate::verify::explicit::{Aim, Program};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The expected kind of file, for messages.
const CHECKED: &str = "a property file";

/// A property of a model, from a file.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The property file or model.
    pub file: PathBuf,
    /// The name of the property.
    pub property: String,
    pub(super) goal: Goal,
    /// Time for reading the model, of the first subject of a model.
    pub(super) reading: Duration,
}

/// The property and its model.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// A property of a property file.
    Property(Rc<PropertySpec>),
    /// A question about a Promela model as a whole.
    Promela(Rc<LoadedModel>, Aim),
    /// A question about a task model as a whole.
    Tasks(Rc<TaskModel>, Rc<TaskQuestion>),
}

/// The kinds of questions about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Whether a run ends in an error.
    Safety,
    /// Whether events happen in an order.
    Order,
    /// Whether a formula, an invariant or a claim holds.
    Formula,
}

impl Subject {
    /// Returns the kind of its question.
    pub fn question(&self) -> QuestionKind {
        let of_aim = |aim: &Aim| match aim {
            Aim::Safety => QuestionKind::Safety,
            Aim::Sequence(..) => QuestionKind::Order,
            Aim::Acceptance | Aim::Observer(_) => QuestionKind::Formula,
        };
        match &self.goal {
            Goal::Property(spec) if spec.state_formula().is_some() => QuestionKind::Formula,
            Goal::Property(_) => QuestionKind::Order,
            Goal::Promela(_, aim) => of_aim(aim),
            Goal::Tasks(_, question) => of_aim(&question.aim),
        }
    }

    /// Returns the property, if it is from a property file.
    pub fn spec(&self) -> Option<&PropertySpec> {
        match &self.goal {
            Goal::Property(spec) => Some(spec),
            Goal::Promela(..) | Goal::Tasks(..) => None,
        }
    }
}

impl<L: Library> Workspace<L> {
    /// Lists the subjects of a file in order: the properties of a property
    /// file, or those of a model as a whole.
    pub fn subjects(&mut self, file: &Path, options: &CheckOptions) -> Result<Vec<Subject>, Vec<Diagnostic>> {
        let start = Instant::now();
        let goal: Vec<(String, Goal)> = match self.language_of_file(file, options) {
            Some(Language::Promela) => {
                let loaded = Rc::new(self.promela_with_goals(file, options)?);
                let goal =
                    |aim: &Aim| (aim.name().to_string(), Goal::Promela(Rc::clone(&loaded), aim.clone()));
                loaded.aims.iter().map(goal).collect()
            }
            Some(Language::Task) if options.engine == EngineChoice::Flow => {
                let message =
                    format!("`{}` is a model, but the flow engine needs a property file", file.display());
                let help = "remove `--engine flow` to search its states, or give a property file";
                return Err(vec![Diagnostic::error_without_place("file-kind", message).with_help(help)]);
            }
            Some(Language::Task) => {
                let settings = self.typed_settings(&options.settings);
                let model = Rc::new(self.tasks(file, &settings)?);
                let sources = self.texts.with_includes().0;
                let loaded = task_questions(&model.program, &options.goals, sources)?;
                let goal = |question: TaskQuestion| {
                    let name = question.aim.name().to_string();
                    (name, Goal::Tasks(Rc::clone(&model), Rc::new(question)))
                };
                loaded.questions.into_iter().map(goal).collect()
            }
            Some(Language::Property) | None => {
                let specs = self.properties(file, CHECKED)?.into_iter();
                specs.map(|it| (it.name.value.clone(), Goal::Property(Rc::new(it)))).collect()
            }
            Some(other) => return Err(vec![other.unexpected(file, CHECKED)]),
        };
        let mut reading = start.elapsed();
        let subject = |(property, goal)| {
            let reading = std::mem::take(&mut reading);
            Subject { file: file.to_path_buf(), property, goal, reading }
        };
        Ok(goal.into_iter().map(subject).collect())
    }

    /// Returns the properties of a property file. `expected` is the kind of
    /// file for messages: "a property file".
    pub fn properties(&mut self, file: &Path, expected: &str) -> Result<Vec<PropertySpec>, Vec<Diagnostic>> {
        let source = self.texts.read(file, "property file").map_err(|fault| vec![fault])?;
        let parsed = parse_property_file(source, self.texts.sources());
        let parsed =
            parsed.map_err(|faults| self.or_other_language(file, Language::Property, expected, faults))?;
        Ok(parsed.properties)
    }

    /// Replaces the errors of a file that could not be read as `wanted` if its
    /// text suggests another language.
    pub fn or_other_language(
        &self,
        path: &Path,
        wanted: Language,
        expected: &str,
        faults: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        match Language::by_text(&self.texts.beginning(path)) {
            Some(Language::Promela)
                if wanted == Language::Property && Language::by_ending(path) == Some(wanted) =>
            {
                let fault = Language::Promela.unexpected(path, expected);
                let help = format!("`trapline check --language promela {}` checks it", path.display());
                vec![fault.with_help(help)]
            }
            Some(found) if found != wanted => vec![found.unexpected(path, expected)],
            _ => faults,
        }
    }

    /// Reads a Promela model with the properties to check.
    fn promela_with_goals(
        &mut self,
        path: &Path,
        options: &CheckOptions,
    ) -> Result<LoadedModel, Vec<Diagnostic>> {
        let text = (&options.definitions[..], options.escapes);
        let loaded =
            self.with_promela(path, text, |text, sources| promela::model(text, &options.goals, sources))?;
        self.warn(&loaded.warnings);
        Ok(loaded)
    }

    /// Reads a Promela model without properties to check.
    pub fn promela(&mut self, path: &Path, options: &CheckOptions) -> Result<Program, Vec<Diagnostic>> {
        let text = (&options.definitions[..], options.escapes);
        let (program, warnings) = self.with_promela(path, text, promela::read)?;
        self.warn(&warnings);
        self.warn(&promela::unused_definitions(&options.definitions, self.texts.sources()));
        Ok(program)
    }

    /// Returns the model of a property, from the options or the property.
    pub fn model_path(
        &self,
        file: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
    ) -> Result<PathBuf, Vec<Diagnostic>> {
        match (&options.model, &spec.model) {
            (Some(path), _) => Ok(path.clone()),
            (None, Some(named)) => Ok(self.texts.beside(file, &named.value)),
            (None, None) => {
                let message = format!("the property `{}` names no model", spec.name.value);
                let help = "write `model: path/to/model.rs` in the property file, or use --model";
                Err(vec![Diagnostic::error("no-model", spec.name.span, message).with_help(help)])
            }
        }
    }

    /// Returns the kind of the model of a subject and its engine; `None` if the
    /// model is unknown.
    pub fn engine_of(
        &self,
        subject: &Subject,
        options: &CheckOptions,
    ) -> Option<(ModelKind, &'static Engine)> {
        match &subject.goal {
            Goal::Promela(..) => Some((ModelKind::Promela, &EXPLICIT)),
            Goal::Tasks(..) => Some((ModelKind::Task, &EXPLICIT)),
            Goal::Property(spec) => {
                let path = self.model_path(&subject.file, spec, options).ok()?;
                Some(match self.kind_of_model(&path, options) {
                    ModelKind::Promela => (ModelKind::Promela, &EXPLICIT),
                    ModelKind::Task => (ModelKind::Task, engine_for(spec, options)),
                })
            }
        }
    }

    /// Returns the language of a file to check. `--language task` also applies
    /// to the models of property files.
    pub fn language_of_file(&self, path: &Path, options: &CheckOptions) -> Option<Language> {
        let forced = match (options.language, &options.model) {
            (Some(Language::Promela), Some(_)) => Some(Language::Property),
            (Some(Language::Task), _) if self.texts.language(path, None) == Some(Language::Property) => {
                Some(Language::Property)
            }
            (forced, _) => forced,
        };
        self.texts.language(path, forced)
    }

    /// Returns the kind of a model that a property file or the options name.
    pub fn kind_of_model(&self, path: &Path, options: &CheckOptions) -> ModelKind {
        let forced = options.language.filter(|it| match it {
            Language::Task => true,
            Language::Promela => options.model.is_some(),
            _ => false,
        });
        match self.texts.language(path, forced) {
            Some(Language::Promela) => ModelKind::Promela,
            _ => ModelKind::Task,
        }
    }
}

/// Returns the engine that decides a property of a task model.
pub fn engine_for(spec: &PropertySpec, options: &CheckOptions) -> &'static Engine {
    match options.engine {
        EngineChoice::Flow => &FLOW,
        EngineChoice::Explicit => &EXPLICIT,
        EngineChoice::Auto if spec.state_formula().is_some() => &EXPLICIT,
        EngineChoice::Auto => &FLOW,
    }
}
