//! Options of `check`: the arguments with defaults filled in.

use super::arguments::{
    Adjacency, CheckArguments, ConfirmArguments, ConfirmName, EngineName, ExecutionsName, PromelaArguments,
    ReportFormat, StoreName,
};
use super::files::{Served, Texts, format_by_ending};
use super::memory;
use super::output::Terminal;
use super::values;
use super::watch::Bounds;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trapline::diag::Diagnostic;
use trapline::lang::language::Language;
use trapline::report::configuration::{Configuration, PromelaConfiguration};
use trapline::report::text::{Detail, STEPS_SHOWN};
use trapline::verify::engine::any_strategy;
use trapline::verify::report::Executions;
use trapline::verify::workspace::{self, EngineChoice, ModelGoals, Setting};
use trapline::verify::{self, Confirm, ConfirmBudget, ConfirmOptions, Limits, TrailDetail};

/// Formats of the report and their file endings.
const REPORT_FORMATS: &[Served<ReportFormat>] =
    &[(ReportFormat::Text, &["txt", "text", "log", "out"]), (ReportFormat::Json, &["json"])];

/// Options of `check`.
#[derive(Clone, Debug)]
pub(super) struct CheckOptions {
    /// A pattern for names of properties.
    pub property: Option<String>,
    /// As typed.
    pub promela: PromelaArguments,
    /// As typed.
    pub adjacency: Adjacency,
    /// As typed.
    pub confirm: ConfirmName,
    /// As typed.
    engine: EngineName,
    /// Memory for the work on a property, as typed.
    max_memory: Option<u64>,
    /// Time for the work on a property.
    timeout: Option<Duration>,
    /// Options of the engines.
    pub check: workspace::CheckOptions,
    pub format: ReportFormat,
}

impl CheckOptions {
    /// Interprets the arguments; keeps their texts for messages.
    pub fn new(typed: &CheckArguments, texts: &mut Texts) -> Result<Self, Diagnostic> {
        let format = format_by_ending(typed.output.as_deref(), typed.format, REPORT_FORMATS)?;
        if typed.promela.states && format != ReportFormat::Json {
            let message = "`--states` needs a report in JSON";
            return Err(Diagnostic::error_without_place("usage", message).with_help("add `--format json`"));
        }
        let source = texts.sources.add("--strategy", typed.strategy.clone());
        // The engine is known only when a model is read.
        let strategy = any_strategy(source, &texts.sources)?;
        let promela = &typed.promela;
        expect_marks_used(promela, |names| names.iter().any(|it| strategy.uses(it)))?;
        let check = workspace::CheckOptions {
            proposals: workspace::ProposalScope::default(),
            model: typed.model.clone(),
            language: typed.language.map(Language::from),
            settings: last_of_each(&typed.set),
            definitions: promela.define.clone(),
            goals: ModelGoals {
                ltl: promela.ltl.clone(),
                invariants: promela.invariant.clone(),
                acceptance: promela.acceptance,
                progress: promela.progress,
            },
            constraints: typed.constraint.iter().flat_map(|list| values::comma_list(list)).collect(),
            default_constraints: !typed.no_default_constraints,
            engine: typed.engine.into(),
            strategy: typed.strategy.clone(),
            executions: typed.executions.map(Executions::from),
            form: typed.graph,
            adjacency: typed.adjacency.into(),
            confirm: confirm_options(&typed.confirm)?,
            known: Default::default(),
            limits: Limits {
                max_states: typed.max_states,
                max_bytes: typed.max_memory.or_else(memory::default_limit),
            },
            resources: promela.resources(typed.max_memory),
            reduction: promela.reduction.into(),
            semantics: promela.semantics.semantics(),
            escapes: promela.semantics.escapes(),
            is_fair: promela.fair,
            dangerous: promela.dangerous.clone(),
            target: promela.target.clone(),
            detail: TrailDetail {
                ends: (!typed.full && format == ReportFormat::Text).then_some(STEPS_SHOWN),
                with_file: promela.spin_trail.is_some(),
                with_states: promela.states,
            },
            shortens: !typed.no_shorten,
            improve: None,
        };
        Ok(Self {
            property: typed.property.clone(),
            promela: promela.clone(),
            adjacency: typed.adjacency,
            confirm: typed.confirm.confirm,
            engine: typed.engine,
            max_memory: typed.max_memory,
            timeout: typed.timeout,
            check,
            format,
        })
    }

    /// Returns the limits for one property.
    pub fn bounds(&self) -> Bounds {
        Bounds { timeout: self.timeout, max_memory: self.check.limits.max_bytes, ..Bounds::default() }
    }

    /// Returns the configuration for the report.
    pub fn configuration(&self, files: &[PathBuf]) -> Configuration {
        let show = |path: &Path| path.display().to_string();
        let check = &self.check;
        Configuration {
            files: files.iter().map(|path| show(path)).collect(),
            property_filter: self.property.clone(),
            model: check.model.as_deref().map(show),
            settings: check.settings.iter().map(|it| (it.name.clone(), it.value)).collect(),
            constraints: check.constraints.clone(),
            default_constraints: check.default_constraints,
            strategy: check.strategy.clone(),
            executions: check.executions.map(|it| {
                value_name(match it {
                    Executions::Complete => ExecutionsName::Complete,
                    Executions::Prefixes => ExecutionsName::Prefixes,
                })
            }),
            engine: value_name(self.engine),
            graph: check.form.to_string(),
            adjacency: value_name(self.adjacency),
            confirm: value_name(self.confirm),
            max_states: check.limits.max_states,
            max_memory_bytes: self.max_memory,
            timeout_seconds: self.timeout.map(|it| it.as_secs_f64()),
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
            dangerous: self.promela.dangerous.clone(),
            target: self.promela.target.as_deref().map(|it| it.display().to_string()),
            ignored: semantics.ignore.iter().map(|it| value_name(*it)).collect(),
            empty_channels: semantics.empty_channels,
            lose_messages: semantics.lose_messages,
            inner_unless_first: semantics.inner_unless_first,
            store: value_name(self.promela.store.unwrap_or(StoreName::Exact)),
            threads: self.promela.threads.unwrap_or(1),
            reduction: value_name(self.promela.reduction),
        }
    }
}

/// Rejects marks for heuristics that the strategy does not use.
fn expect_marks_used(typed: &PromelaArguments, uses: impl Fn(&[&str]) -> bool) -> Result<(), Diagnostic> {
    let (flag, example) = match () {
        () if !typed.dangerous.is_empty() && !uses(&["dangerous"]) => ("--dangerous", "dangerous"),
        () if typed.target.is_some() && !uses(&["hamming", "fsm"]) => ("--target", "fsm"),
        () => return Ok(()),
    };
    let message = format!("`{flag}` has no effect on this strategy");
    let help = format!("use a heuristic that approaches it: `--strategy 'bf({example})'`");
    Err(Diagnostic::error_without_place("usage", message).with_help(help))
}

/// Interprets the options for confirming. A budget that has no effect is
/// rejected.
fn confirm_options(typed: &ConfirmArguments) -> Result<ConfirmOptions, Diagnostic> {
    let flags = [
        ("--confirm-states", typed.confirm_states.is_some()),
        ("--confirm-memory", typed.confirm_memory.is_some()),
        ("--confirm-time", typed.confirm_time.is_some()),
    ];
    let unused = flags.iter().find(|(_, is_typed)| *is_typed && typed.confirm != ConfirmName::Auto);
    if let Some((flag, _)) = unused {
        let message = format!("`{flag}` is only for `--confirm auto`");
        let help = "remove it, or remove `--confirm`";
        return Err(Diagnostic::error_without_place("usage", message).with_help(help));
    }
    let default = ConfirmBudget::default();
    let budget = ConfirmBudget {
        max_states: typed.confirm_states.unwrap_or(default.max_states),
        max_bytes: typed.confirm_memory.unwrap_or(default.max_bytes),
        timeout: typed.confirm_time.unwrap_or(default.timeout),
    };
    let when = match typed.confirm {
        ConfirmName::Auto => Confirm::Auto,
        ConfirmName::Never => Confirm::Never,
        ConfirmName::Always => Confirm::Always,
    };
    Ok(ConfirmOptions { when, budget })
}

impl From<EngineName> for EngineChoice {
    fn from(typed: EngineName) -> Self {
        match typed {
            EngineName::Auto => Self::Auto,
            EngineName::Flow => Self::Flow,
            EngineName::Explicit => Self::Explicit,
        }
    }
}

impl From<ExecutionsName> for Executions {
    fn from(typed: ExecutionsName) -> Self {
        match typed {
            ExecutionsName::Complete => Self::Complete,
            ExecutionsName::Prefixes => Self::Prefixes,
        }
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

/// Rejects `--full` if the output shows no steps, or always all of them.
pub(super) fn expect_shown(full: bool, is_json: bool, terminal: &Terminal) -> Result<(), Diagnostic> {
    let refused = |message: &str| {
        let fault = Diagnostic::error_without_place("usage", message);
        Err(fault.with_help("remove `--full`"))
    };
    match full {
        true if is_json => refused("`--full` does not apply to JSON, which always contains all steps"),
        true if terminal.detail == Detail::Quiet => {
            refused("`--full` does not apply to `--quiet`, which shows no steps")
        }
        _ => Ok(()),
    }
}

/// Returns the name of a value on the command line.
pub(super) fn value_name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |it| it.get_name().to_string())
}

/// Keeps the last value of each constant.
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
        assert_eq!(options.check.constraints, ["task:a", "variable:w[1,2]", "b.yaml"]);
        let settings: Vec<&str> = options.check.settings.iter().map(|it| it.typed.as_str()).collect();
        assert_eq!(settings, ["M=2", "N=3"]);
        assert!(options.check.default_constraints);
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
