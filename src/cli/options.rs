//! What the arguments mean, defaults filled in.

use super::arguments::{
    Adjacency, CheckArguments, EngineName, ExecutionsName, PromelaArguments, ReportFormat, StoreName,
};
use super::files::{Served, Texts, format_by_ending};
use super::language::{Language, LanguageName};
use super::memory;
use super::values::{self, Setting};
use super::watch::Bounds;
use crate::diag::Diagnostic;
use crate::report::configuration::{Configuration, PromelaConfiguration};
use crate::report::text::STEPS_SHOWN;
use crate::verify::TrailDetail;
use crate::verify::assemble::FlowOptions;
use crate::verify::report::Executions;
use crate::verify::{self, engine};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the report can be, and the endings of its files.
const REPORT_FORMATS: &[Served<ReportFormat>] =
    &[(ReportFormat::Text, &["txt", "text", "log", "out"]), (ReportFormat::Json, &["json"])];

/// What is to be checked and how.
#[derive(Clone, Debug)]
pub(super) struct CheckOptions {
    /// A pattern for names of properties.
    pub property: Option<String>,
    pub model: Option<PathBuf>,
    pub settings: Vec<Setting>,
    /// For Promela models.
    pub promela: PromelaArguments,
    /// How much of their trails will be shown.
    pub detail: TrailDetail,
    /// Besides those of the property files.
    pub constraints: Vec<String>,
    pub default_constraints: bool,
    /// As typed.
    pub strategy: String,
    pub engine: EngineOptions,
    pub format: ReportFormat,
    language: Option<LanguageName>,
}

/// What the engines are asked for.
#[derive(Clone, Debug)]
pub(super) struct EngineOptions {
    /// For task models.
    pub name: EngineName,
    /// `None`: as the property says.
    pub executions: Option<Executions>,
    pub graph: verify::Form,
    pub adjacency: Adjacency,
    pub max_states: Option<u64>,
    pub max_memory: Option<u64>,
    /// For one property.
    pub timeout: Option<Duration>,
}

impl CheckOptions {
    /// What was typed is kept among the texts, for messages.
    pub fn new(typed: &CheckArguments, texts: &mut Texts) -> Result<Self, Diagnostic> {
        let executions = typed.executions.map(|name| match name {
            ExecutionsName::Complete => Executions::Complete,
            ExecutionsName::Prefixes => Executions::Prefixes,
        });
        let format = format_by_ending(typed.output.as_deref(), typed.format, REPORT_FORMATS)?;
        if typed.promela.states && format != ReportFormat::Json {
            let message = "`--states` is for reports in JSON";
            return Err(Diagnostic::error_without_place("usage", message).with_help("add `--format json`"));
        }
        strategy(&typed.strategy, texts)?;
        Ok(Self {
            property: typed.property.clone(),
            model: typed.model.clone(),
            settings: last_of_each(&typed.set),
            promela: typed.promela.clone(),
            detail: TrailDetail {
                ends: (!typed.full && format == ReportFormat::Text).then_some(STEPS_SHOWN),
                with_file: typed.promela.spin_trail.is_some(),
                with_states: typed.promela.states,
            },
            constraints: typed.constraint.iter().flat_map(|list| values::comma_list(list)).collect(),
            default_constraints: !typed.no_default_constraints,
            strategy: typed.strategy.clone(),
            engine: EngineOptions {
                name: typed.engine,
                executions,
                graph: typed.graph,
                adjacency: typed.adjacency,
                max_states: typed.max_states,
                max_memory: typed.max_memory,
                timeout: typed.timeout,
            },
            format,
            language: typed.language,
        })
    }

    /// What a file is that was given to be checked.
    pub fn language(&self, path: &Path) -> Option<Language> {
        let forced = match (self.language, &self.model) {
            (Some(LanguageName::Promela), Some(_)) | (Some(LanguageName::Task), _) => {
                Some(LanguageName::Property)
            }
            (forced, _) => forced,
        };
        Language::of(path, forced)
    }

    /// What a model is that a property file or `--model` names.
    pub fn language_of_model(&self, path: &Path) -> Option<Language> {
        let forced = self.language.filter(|it| match it {
            LanguageName::Task => true,
            LanguageName::Promela => self.model.is_some(),
            LanguageName::Property => false,
        });
        Language::of(path, forced)
    }

    /// For the record.
    pub fn configuration(&self, files: &[PathBuf]) -> Configuration {
        let show = |path: &Path| path.display().to_string();
        let engine = &self.engine;
        Configuration {
            files: files.iter().map(|path| show(path)).collect(),
            property_filter: self.property.clone(),
            model: self.model.as_deref().map(show),
            settings: self.settings.iter().map(|it| (it.name.clone(), it.value)).collect(),
            constraints: self.constraints.clone(),
            default_constraints: self.default_constraints,
            strategy: self.strategy.clone(),
            executions: engine.executions.map(|it| {
                value_name(match it {
                    Executions::Complete => ExecutionsName::Complete,
                    Executions::Prefixes => ExecutionsName::Prefixes,
                })
            }),
            engine: value_name(engine.name),
            graph: engine.graph.to_string(),
            adjacency: value_name(engine.adjacency),
            max_states: engine.max_states,
            max_memory_bytes: engine.max_memory,
            timeout_seconds: engine.timeout.map(|it| it.as_secs_f64()),
            promela: self.promela_configuration(),
        }
    }

    fn promela_configuration(&self) -> PromelaConfiguration {
        let PromelaArguments { semantics, .. } = &self.promela;
        PromelaConfiguration {
            definitions: self.promela.define.iter().cloned().collect(),
            ltl: self.promela.ltl.clone(),
            invariants: self.promela.invariant.clone(),
            acceptance: self.promela.acceptance,
            progress: self.promela.progress,
            fair: self.promela.fair,
            ignored: semantics.ignore.iter().map(|it| value_name(*it)).collect(),
            empty_channels: semantics.empty_channels,
            lose_messages: semantics.lose_messages,
            inner_unless_first: semantics.inner_unless_first,
            store: value_name(self.promela.store.unwrap_or(StoreName::Exact)),
            threads: self.promela.threads.unwrap_or(1),
        }
    }
}

impl EngineOptions {
    /// What the work on one property may take.
    pub fn bounds(&self) -> Bounds {
        Bounds { timeout: self.timeout, max_memory: self.limits().max_bytes, ..Bounds::default() }
    }

    /// For the flow engine.
    pub fn flow(&self) -> FlowOptions {
        FlowOptions { executions: self.executions, form: self.graph, adjacency: self.adjacency.into() }
    }

    /// When the search gives up; the time is kept by whoever watches it.
    pub fn limits(&self) -> verify::Limits {
        verify::Limits { max_states: self.max_states, max_bytes: self.max_memory.or_else(memory::most) }
    }
}

impl From<Adjacency> for verify::Adjacency {
    fn from(typed: Adjacency) -> Self {
        match typed {
            Adjacency::Auto => Self::Auto,
            Adjacency::Always => Self::Always,
            Adjacency::Never => Self::Never,
        }
    }
}

/// Reads a strategy of the command line; which engine it is for is known when
/// a model is read.
pub(super) fn strategy(typed: &str, texts: &mut Texts) -> Result<verify::Choice, Diagnostic> {
    let source = texts.sources.add("--strategy", typed);
    engine::any_strategy(source, &texts.sources)
}

/// As on the command line.
pub(super) fn value_name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |it| it.get_name().to_string())
}

/// A constant that is set twice has the value it was given last.
fn last_of_each(settings: &[Setting]) -> Vec<Setting> {
    let mut kept: Vec<Setting> = Vec::new();
    for setting in settings {
        kept.retain(|it| it.name != setting.name);
        kept.push(setting.clone());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::arguments::{Arguments, Command};
    use super::*;
    use clap::Parser;

    fn options(line: &str) -> CheckOptions {
        let arguments = Arguments::try_parse_from(line.split(' ')).expect("the arguments are right");
        let Command::Check(typed) = arguments.command else { panic!("the command is check") };
        CheckOptions::new(&typed, &mut Texts::default()).expect("the strategy is right")
    }

    #[test]
    fn constraints_are_lists_and_repeated_settings_override() {
        let options =
            options("trapline check -c task:a,variable:w[1,2] -c b.yaml --set N=1 --set M=2 --set N=3");
        assert_eq!(options.constraints, ["task:a", "variable:w[1,2]", "b.yaml"]);
        let settings: Vec<&str> = options.settings.iter().map(|it| it.typed.as_str()).collect();
        assert_eq!(settings, ["M=2", "N=3"]);
        assert!(options.default_constraints);
    }

    #[test]
    fn the_configuration_uses_the_words_of_the_command_line() {
        let line =
            "trapline check --strategy dfs --executions prefixes --graph faithful,prune --timeout 1m30s";
        let configuration = options(line).configuration(&[PathBuf::from("a.yaml")]);
        assert_eq!(configuration.strategy, "dfs");
        assert_eq!(configuration.executions.as_deref(), Some("prefixes"));
        assert_eq!(configuration.graph, "reduced,end-nodes,no-merge,no-eliminate,no-drop-dead");
        assert_eq!(configuration.adjacency, "auto");
        assert_eq!(configuration.timeout_seconds, Some(90.0));
    }
}
