//! Rejects options that apply to no input of a run, so that no flag is silently
//! ignored.
//!
//! A flag is rejected if it applies to no property that the run checks. A flag
//! that applies to some of them is accepted: a project may contain models of
//! several kinds. The languages of the files reveal most of these errors before
//! the first file is read.

use super::Session;
use crate::cli::arguments::{Adjacency, ConfirmName, IgnoredKind, PromelaArguments, ReductionName};
use crate::cli::options::value_name;
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Severity};
use trapline::lang::language::Language;
use trapline::verify::engine::{EXPLICIT, ModelKind};
use trapline::verify::workspace::{CheckOptions, EngineChoice, QuestionKind, Subject, is_generated};
use trapline::verify::{ConfirmBudget, Form, Report};

/// What a flag can depend on: one checked property, or one that a file may
/// contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    model: ModelKind,
    is_explicit: bool,
    /// Whether the property is from a property file.
    is_property: bool,
    question: QuestionKind,
}

/// A flag and whether it was typed.
type Flag = (&'static str, bool);

/// The condition under which a flag has an effect.
type Condition = fn(&Usage) -> bool;

fn of_property_files(it: &Usage) -> bool {
    it.is_property
}

fn of_model_files(it: &Usage) -> bool {
    !it.is_property
}

fn of_promela_models(it: &Usage) -> bool {
    it.model == ModelKind::Promela
}

fn of_promela_files(it: &Usage) -> bool {
    of_model_files(it) && of_promela_models(it)
}

fn of_task_properties(it: &Usage) -> bool {
    it.is_property && it.model == ModelKind::Task
}

fn of_constants(it: &Usage) -> bool {
    it.is_property || it.model == ModelKind::Task
}

fn of_orders(it: &Usage) -> bool {
    it.question == QuestionKind::Order
}

fn of_flow(it: &Usage) -> bool {
    !it.is_explicit
}

fn of_explicit(it: &Usage) -> bool {
    it.is_explicit
}

fn of_ends(it: &Usage) -> bool {
    it.question == QuestionKind::Safety
}

/// Returns whether the ends of runs of a Promela model matter.
fn of_ends_of_promela(it: &Usage) -> bool {
    of_promela_models(it) && it.question != QuestionKind::Formula
}

fn usage(message: String) -> Diagnostic {
    Diagnostic::error_without_place("usage", message)
}

impl Session<'_> {
    /// Rejects flags that apply to no possible content of these files.
    pub(super) fn expect_flags_of_files(&self, files: &[PathBuf]) -> Result<(), Vec<Diagnostic>> {
        let uses: Vec<Usage> = files.iter().flat_map(|it| self.possible_uses(it)).collect();
        self.expect_flags(&uses)
    }

    /// Returns the options for a file, without those that are only for other
    /// files of the run.
    pub(super) fn options_of_file(&self, path: &Path) -> CheckOptions {
        let mut options = self.options.check.clone();
        if self.language(path) == Some(Language::Task) {
            (options.goals.acceptance, options.goals.progress) = (false, false);
        }
        options
    }

    /// Rejects flags that apply to no subject of the only file of a run.
    pub(super) fn expect_flags_of_subjects(&self, subjects: &[Subject]) -> Result<(), Vec<Diagnostic>> {
        let chosen = subjects.iter().filter(|it| self.is_chosen(&it.property));
        let uses: Option<Vec<Usage>> = chosen.map(|it| self.usage_of(it)).collect();
        // A subject without a model has another error.
        uses.map_or(Ok(()), |uses| self.expect_flags(&uses))
    }

    /// Records what flags can depend on, and rejects an assumption for a model
    /// that cannot be checked under it.
    pub(super) fn note_usage(&mut self, subject: &Subject) -> Result<(), Vec<Diagnostic>> {
        let Some(found) = self.usage_of(subject) else { return Ok(()) };
        if !self.uses.contains(&found) {
            self.uses.push(found);
        }
        let assumption = self.options.check.constraints.iter().find(|it| !is_generated(it));
        match assumption.filter(|_| of_promela_models(&found) && found.is_property) {
            Some(constraint) => {
                let message = format!("`-c {constraint}` does not apply to a Promela model");
                Err(vec![usage(message).with_help("remove it, or check the properties of task models alone")])
            }
            None => Ok(()),
        }
    }

    /// Rejects flags that no property of the run used.
    pub(super) fn expect_used(&mut self) {
        if !self.results.get().unchecked.is_empty() {
            return;
        }
        let faults = match self.expect_flags(&self.uses) {
            Ok(()) => self.expect_fairness_used().into_iter().chain(self.expect_constants()).collect(),
            Err(faults) => faults,
        };
        self.results.get().diagnostics.extend(faults);
    }

    fn usage_of(&self, subject: &Subject) -> Option<Usage> {
        let (model, engine) = self.workspace.engine_of(subject, &self.options.check)?;
        Some(Usage {
            model,
            is_explicit: engine.name == EXPLICIT.name,
            is_property: subject.spec().is_some(),
            question: subject.question(),
        })
    }

    /// Returns all uses that a file may contain, as far as its language reveals
    /// them.
    fn possible_uses(&self, path: &Path) -> Vec<Usage> {
        use QuestionKind::{Formula, Order, Safety};
        let of_model = |model| {
            [Safety, Formula].map(|question| Usage { model, is_explicit: true, is_property: false, question })
        };
        match self.language(path) {
            Some(Language::Promela) => of_model(ModelKind::Promela).to_vec(),
            Some(Language::Task) => of_model(ModelKind::Task).to_vec(),
            _ => {
                let engine = self.options.check.engine;
                let engines = [(true, EngineChoice::Flow), (false, EngineChoice::Explicit)];
                let engines = engines.into_iter().filter(|(_, other)| engine != *other).map(|it| it.0);
                let of_tasks = engines.map(|is_explicit| (ModelKind::Task, is_explicit));
                let kinds = of_tasks.chain([(ModelKind::Promela, true)]);
                let uses = kinds.flat_map(|(model, is_explicit)| {
                    [Order, Formula].map(|question| Usage { model, is_explicit, is_property: true, question })
                });
                uses.collect()
            }
        }
    }

    /// Rejects flags that apply to none of these uses.
    fn expect_flags(&self, uses: &[Usage]) -> Result<(), Vec<Diagnostic>> {
        if uses.is_empty() {
            return Ok(());
        }
        let flags = self.flags().into_iter().filter(|((_, is_typed), _)| *is_typed);
        let unused = flags.filter(|(_, applies)| !uses.iter().any(applies)).map(|((flag, _), _)| flag);
        let mut faults: Vec<Diagnostic> = unused.map(|flag| fault(flag, uses)).collect();
        faults.extend(self.unused_engine(uses));
        faults.extend(self.unused_constraint(uses));
        faults.extend(self.unused_ignored(uses));
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Returns all flags that some properties cannot use.
    fn flags(&self) -> Vec<(Flag, Condition)> {
        let check = &self.options.check;
        let typed = &self.options.promela;
        let (budget, default) = (check.confirm.budget, ConfirmBudget::default());
        let mut all: Vec<(Flag, Condition)> = vec![
            (("--ltl", !typed.ltl.is_empty()), of_model_files),
            (("--invariant", !typed.invariant.is_empty()), of_model_files),
            (("--acceptance", typed.acceptance), of_promela_files),
            (("--progress", typed.progress), of_promela_files),
            (("--set", !check.settings.is_empty()), of_constants),
            (("--model", check.model.is_some()), of_property_files),
            (("--constraint", !check.constraints.is_empty()), of_task_properties),
            (("--no-default-constraints", !check.default_constraints), of_property_files),
            (("--executions", check.executions.is_some()), of_orders),
            (("--graph", check.form != Form::REDUCED), of_flow),
            (("--adjacency", self.options.adjacency != Adjacency::Auto), of_flow),
            (("--confirm", self.options.confirm != ConfirmName::Auto), of_flow),
            (("--confirm-states", budget.max_states != default.max_states), of_flow),
            (("--confirm-memory", budget.max_bytes != default.max_bytes), of_flow),
            (("--confirm-time", budget.timeout != default.timeout), of_flow),
            (("--no-shorten", !check.shortens), of_explicit),
            (("--fair", typed.fair), of_explicit),
            (("--states", typed.states), of_explicit),
            (("--dangerous", !typed.dangerous.is_empty()), of_explicit),
            (("--target", typed.target.is_some()), of_explicit),
            (("--store", typed.store.is_some()), of_explicit),
            (("--threads", typed.threads.is_some()), of_explicit),
            (("--reduction", typed.reduction != ReductionName::Auto), of_explicit),
        ];
        all.extend(of_promela(typed).map(|flag| {
            let condition: Condition =
                if flag.0 == "--empty-channels" { of_ends_of_promela } else { of_promela_models };
            (flag, condition)
        }));
        all
    }

    fn unused_engine(&self, uses: &[Usage]) -> Option<Diagnostic> {
        let is_unused = self.options.check.engine == EngineChoice::Flow && uses.iter().all(of_promela_models);
        is_unused.then(|| {
            let fault = usage("the flow engine does not support Promela models".to_string());
            fault.with_help("remove `--engine flow`")
        })
    }

    /// Rejects constraints that the explicit engine does not need.
    fn unused_constraint(&self, uses: &[Usage]) -> Option<Diagnostic> {
        let is_exact = uses.iter().any(of_task_properties) && !uses.iter().any(of_flow);
        let generated = self.options.check.constraints.iter().find(|it| is_generated(it));
        generated.filter(|_| is_exact).map(|constraint| {
            let message = format!("`-c {constraint}` does not apply to the explicit engine, which is exact");
            usage(message).with_help("remove it, or use `--engine flow`")
        })
    }

    /// Rejects kinds of errors that cannot occur or are never reported.
    fn unused_ignored(&self, uses: &[Usage]) -> Option<Diagnostic> {
        let ignored = &self.options.promela.semantics.ignore;
        if ignored.is_empty() {
            return None;
        }
        if !uses.iter().any(of_explicit) {
            return Some(fault("--ignore", uses));
        }
        if !uses.iter().any(of_promela_models) && ignored.iter().any(|it| *it != IgnoredKind::EndStates) {
            return Some(only_end_states());
        }
        let is_unused = ignored.contains(&IgnoredKind::EndStates) && !uses.iter().any(of_ends);
        is_unused.then(|| {
            let kind = value_name(IgnoredKind::EndStates);
            let message = format!("`--ignore {kind}` applies to the property `safety` of a model only");
            usage(message).with_help("remove it: no other property reports invalid end states")
        })
    }

    /// Warns about `--set` for a Promela model beside other files, which use it.
    fn expect_constants(&self) -> Option<Diagnostic> {
        let is_unused = !self.options.check.settings.is_empty() && self.uses.iter().any(of_promela_files);
        is_unused.then(|| {
            let message = "`--set` has no effect on the Promela models among the files";
            let warning = Diagnostic::new(Severity::Warning, "usage", None, message);
            warning.with_help("set macros of a Promela model by `-D N=4`")
        })
    }

    /// Warns about `--fair` if no checked property is about infinite runs.
    fn expect_fairness_used(&self) -> Option<Diagnostic> {
        let findings = self.results.get();
        let is_used = findings.reports.iter().filter_map(Report::explicit).any(|it| it.is_fair);
        let is_unused = self.options.promela.fair && !is_used && !findings.reports.is_empty();
        is_unused.then(|| {
            let message = "`--fair` has no effect: no checked property is about infinite runs";
            Diagnostic::new(Severity::Warning, "usage", None, message)
        })
    }
}

/// Returns the error of a flag that applies to none of these uses.
fn fault(flag: &str, uses: &[Usage]) -> Diagnostic {
    let is_only = |applies: Condition| uses.iter().all(applies);
    let kind = match (is_only(of_promela_models), is_only(|it| it.model == ModelKind::Task)) {
        (true, _) => Some("Promela"),
        (_, true) => Some("task"),
        _ => None,
    };
    let refused = |help: &str| {
        let message = match kind {
            Some(kind) => format!("`{flag}` does not apply to a {kind} model"),
            None => format!("`{flag}` does not apply to these models"),
        };
        usage(message).with_help(help)
    };
    match flag {
        "--ltl" | "--invariant" | "--acceptance" | "--progress" if is_only(of_property_files) => {
            usage(format!("`{flag}` applies to models, but only property files are given"))
                .with_help("give a model such as `model.pml` or `model.rs`")
        }
        "--acceptance" | "--progress" => {
            refused("it refers to labels of Promela models; use `--ltl` instead")
        }
        "--set" => refused("set macros of a Promela model by `-D N=4`"),
        "--model" | "--constraint" | "--no-default-constraints" | "--executions"
            if is_only(of_model_files) =>
        {
            refused("it applies to property files only")
        }
        "--executions" => usage("`--executions` applies to orders of events only".to_string())
            .with_help("remove it: a formula or an invariant is checked in all executions"),
        "--constraint" | "--graph" | "--adjacency" if kind == Some("Promela") => {
            refused("it is only for the flow engine; remove it")
        }
        "--graph" | "--adjacency" | "--confirm" | "--confirm-states" | "--confirm-memory"
        | "--confirm-time" => usage(format!("`{flag}` is only for the flow engine")).with_help("remove it"),
        "--empty-channels" if uses.iter().any(of_promela_models) => {
            usage("`--empty-channels` does not apply to a formula or an invariant".to_string())
                .with_help("remove it, or check the property `safety`")
        }
        "--no-shorten" | "--fair" | "--states" | "--ignore" | "--dangerous" | "--target" | "--store"
        | "--threads" | "--reduction" => {
            usage(format!("`{flag}` is only for models that are searched state by state"))
                .with_help("use a Promela model, or `--engine explicit` for a task model")
        }
        "--define" => usage("`--define` is only for Promela models".to_string())
            .with_help("set constants of a task model by `--set N=4`"),
        _ => usage(format!("`{flag}` is only for Promela models")).with_help("remove it"),
    }
}

/// Returns the error of `--ignore` for kinds of errors that task models do not
/// have.
pub(in crate::cli) fn only_end_states() -> Diagnostic {
    let fault = usage("only `--ignore end-states` applies to a task model".to_string());
    fault.with_help("task models have no assertions and no `xr` or `xs`")
}

/// Returns the flags that apply only to Promela models.
pub(in crate::cli) fn of_promela(typed: &PromelaArguments) -> [Flag; 5] {
    [
        ("--define", !typed.define.is_empty()),
        ("--spin-trail", typed.spin_trail.is_some()),
        ("--empty-channels", typed.semantics.empty_channels),
        ("--lose-messages", typed.semantics.lose_messages),
        ("--inner-unless-first", typed.semantics.inner_unless_first),
    ]
}
