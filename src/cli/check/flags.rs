//! Options that a file cannot use are refused: a flag must not look as if it
//! had been used.

use super::Session;
use crate::cli::arguments::{Adjacency, PromelaArguments};
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Severity};
use trapline::lang::language::Language;
use trapline::verify::engine::{EXPLICIT, ModelKind};
use trapline::verify::workspace::{EngineChoice, Subject};
use trapline::verify::{Form, Report};

/// What a run has met so far.
#[derive(Debug, Default)]
pub(super) struct Met {
    promela: bool,
    explicit: bool,
}

/// A flag and whether it was typed.
type Flag = (&'static str, bool);

fn first_typed(flags: &[Flag]) -> Option<&'static str> {
    flags.iter().find(|(_, is_typed)| *is_typed).map(|(flag, _)| *flag)
}

fn usage(message: String) -> Diagnostic {
    Diagnostic::error_without_place("usage", message)
}

impl Session<'_> {
    /// What is asked of models as a whole needs a model among the files.
    pub(super) fn expect_models(&self, files: &[PathBuf]) -> Result<(), Diagnostic> {
        let is_model = |it: &PathBuf| matches!(self.language(it), Some(Language::Promela | Language::Task));
        let typed = &self.options.promela;
        let asked = [
            ("--ltl", !typed.ltl.is_empty()),
            ("--invariant", !typed.invariant.is_empty()),
            ("--acceptance", typed.acceptance),
            ("--progress", typed.progress),
        ];
        match first_typed(&asked).filter(|_| !files.iter().any(is_model)) {
            Some(flag) => {
                let fault = usage(format!("`{flag}` is for models, not for property files"));
                Err(fault.with_help("name a model such as `model.pml` or `model.rs`"))
            }
            None => Ok(()),
        }
    }

    /// What a model that is given as a file cannot use.
    pub(super) fn expect_flags_of_file(&self, path: &Path) -> Result<(), Vec<Diagnostic>> {
        let options = &self.options.check;
        let of_properties: &[Flag] = &[
            ("--model", options.model.is_some()),
            ("--constraint", !options.constraints.is_empty()),
            ("--executions", options.executions.is_some()),
        ];
        let typed = &self.options.promela;
        let (kind, refused): (&str, Vec<Flag>) = match self.language(path) {
            Some(Language::Promela) => {
                let set = ("--set", !options.settings.is_empty());
                ("Promela", [&[set], of_properties].concat())
            }
            Some(Language::Task) => {
                let of_promela = [("--acceptance", typed.acceptance), ("--progress", typed.progress)];
                ("task", [&of_promela, of_properties].concat())
            }
            _ => return Ok(()),
        };
        let fault = |(flag, _): Flag| {
            let help = match flag {
                "--set" => "constants of Promela models are macros: `-D N=4`",
                "--acceptance" | "--progress" => "it is about labels of Promela models; use `--ltl`",
                _ => "it belongs to property files",
            };
            usage(format!("`{flag}` means nothing to a {kind} model")).with_help(help)
        };
        let faults: Vec<Diagnostic> =
            refused.into_iter().filter(|(_, is_typed)| *is_typed).map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// What the model or the engine of a subject cannot use.
    pub(super) fn expect_flags_of(&mut self, subject: &Subject) -> Result<(), Vec<Diagnostic>> {
        let engine = self.workspace.engine_of(subject, &self.options.check);
        let Some((kind, engine)) = engine else { return Ok(()) };
        let is_explicit = engine.name == EXPLICIT.name;
        self.met.promela |= kind == ModelKind::Promela;
        self.met.explicit |= is_explicit;
        let fault = match (kind, is_explicit) {
            (ModelKind::Promela, _) if self.options.check.engine == EngineChoice::Flow => {
                let fault = usage("the flow engine does not take Promela models".to_string());
                Some(fault.with_help("leave out `--engine flow`"))
            }
            (ModelKind::Promela, _) => {
                let flag = ("--constraint", !self.options.check.constraints.is_empty());
                first_typed(&[flag]).map(|flag| usage(format!("`{flag}` means nothing to a Promela model")))
            }
            (ModelKind::Task, true) => self.refused_by_exact_tasks(),
            (ModelKind::Task, false) => None,
        };
        fault.map_or(Ok(()), |fault| Err(vec![fault]))
    }

    /// The explicit engine knows the control flow and the values of tasks
    /// exactly, and builds no trace flow graph.
    fn refused_by_exact_tasks(&self) -> Option<Diagnostic> {
        if let Some(flag) = first_typed(&of_promela(&self.options.promela)) {
            return Some(usage(format!("`{flag}` is for Promela models")));
        }
        let of_flow = [
            ("--graph", self.options.check.form != Form::REDUCED),
            ("--adjacency", self.options.adjacency != Adjacency::Auto),
        ];
        if let Some(flag) = first_typed(&of_flow) {
            return Some(usage(format!("`{flag}` is for the flow engine")));
        }
        let is_generated = |it: &String| it.starts_with("task:") || it.starts_with("variable:");
        let constraint = self.options.check.constraints.iter().find(|it| is_generated(it))?;
        let message = format!("`-c {constraint}` means nothing to the explicit engine, which is exact");
        Some(usage(message).with_help("leave it out, or use `--engine flow`"))
    }

    /// Fairness is about infinite runs.
    fn expect_fairness_used(&self) -> Option<Diagnostic> {
        let findings = self.results.get();
        let is_used = findings.reports.iter().filter_map(Report::explicit).any(|it| it.is_fair);
        let is_unused = self.options.promela.fair && !is_used && !findings.reports.is_empty();
        is_unused.then(|| {
            let message = "`--fair` changes nothing: no checked property is about infinite runs";
            Diagnostic::new(Severity::Warning, "usage", None, message)
        })
    }

    /// What no file of the run could use.
    pub(super) fn expect_used(&mut self) {
        if !self.results.get().unchecked.is_empty() {
            return;
        }
        let typed = &self.options.promela;
        if !self.met.promela
            && let Some(flag) = first_typed(&of_promela(typed))
        {
            let fault = usage(format!("`{flag}` is for Promela models"));
            let help =
                (flag == "--define").then(|| "constants of task models are set by `--set N=4`".to_string());
            return self.results.get().diagnostics.push(fault.with_optional_help(help));
        }
        let of_explicit = [
            ("--fair", typed.fair),
            ("--states", typed.states),
            ("--ignore", !typed.semantics.ignore.is_empty()),
            ("--store", typed.store.is_some()),
            ("--threads", typed.threads.is_some()),
        ];
        if let Some(flag) = first_typed(&of_explicit).filter(|_| !self.met.explicit) {
            let fault = usage(format!("`{flag}` is for models that are searched state by state"));
            let fault = fault.with_help("use a Promela model, or `--engine explicit` for a task model");
            return self.results.get().diagnostics.push(fault);
        }
        let unused = self.expect_fairness_used();
        self.results.get().diagnostics.extend(unused);
    }
}

/// What only Promela models understand.
pub(in crate::cli) fn of_promela(typed: &PromelaArguments) -> [Flag; 5] {
    [
        ("--define", !typed.define.is_empty()),
        ("--spin-trail", typed.spin_trail.is_some()),
        ("--empty-channels", typed.semantics.empty_channels),
        ("--lose-messages", typed.semantics.lose_messages),
        ("--inner-unless-first", typed.semantics.inner_unless_first),
    ]
}
