//! `trapline experiment`: from a study file to tables and figures.
//!
//! - `resolve` looks up the names in the study and reports its errors, all
//!   before the first run;
//! - `store` stores the records in the results folder;
//! - `process` starts this program for one run; `execute` does so for all runs;
//! - `progress` shows the progress.

mod execute;
mod process;
mod progress;
mod resolve;
mod store;

use super::Faults;
use super::arguments::{ExperimentArguments, ReportFormat};
use super::exit::Exit;
use super::files::{Outputs, Texts};
use super::output::Terminal;
use super::signals::listen_for_interrupts;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::Store;
use trapline::base::control::Control;
use trapline::diag::{Diagnostic, Severity};
use trapline::experiment::record::Records;
use trapline::experiment::study::Study;
use trapline::experiment::summary::is_quick;
use trapline::experiment::{Plan, Run, Summary};
use trapline::lang::spec::Glob;
use trapline::report::study::{self, Results};
use trapline::verify::workspace::Workspace;

pub(super) fn run(typed: &ExperimentArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut workspace = Workspace::new(Texts::default());
    let prepared = prepare(typed, &mut workspace);
    let texts = workspace.texts;
    let (study, plan) = match prepared {
        Ok(prepared) => prepared,
        Err(faults) => return Err((faults, texts.sources)),
    };
    let outcome = match typed.list {
        true => terminal.print(&study::list::render(&plan), None).map(|()| Exit::Holds),
        false => conduct(typed, &study, &plan, &texts, terminal),
    };
    outcome.map_err(|fault| (vec![fault], texts.sources))
}

fn prepare(
    typed: &ExperimentArguments,
    workspace: &mut Workspace<Texts>,
) -> Result<(Study, Plan), Vec<Diagnostic>> {
    let mut study = resolve::study(&typed.file, workspace)?;
    if let Some(pattern) = &typed.strategies {
        let glob = Glob::new(pattern.as_str());
        if !study.strategies.iter().any(|it| glob.matches(&it.label.value)) {
            return Err(vec![no_match("strategy", pattern)]);
        }
        study.keep_strategies(|label| glob.matches(label));
    }
    let mut plan = resolve::plan(&study, workspace)?;
    plan.repeat = typed.repeat.unwrap_or(plan.repeat);
    if let Some(pattern) = &typed.subjects {
        let glob = Glob::new(pattern.as_str());
        plan.subjects.retain(|it| glob.matches(&it.name));
        if plan.subjects.is_empty() {
            return Err(vec![no_match("subject", pattern)]);
        }
    }
    Ok((study, plan))
}

fn no_match(what: &str, pattern: &str) -> Diagnostic {
    let message = format!("no {what} matches `{pattern}`");
    Diagnostic::error_without_place("study-no-match", message)
        .with_help("`--list` lists all subjects and strategies")
}

fn conduct(
    typed: &ExperimentArguments,
    study: &Study,
    plan: &Plan,
    texts: &Texts,
    terminal: &Terminal,
) -> Result<Exit, Diagnostic> {
    let folder = typed.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.results", plan.name)));
    outputs(&folder, study, plan)?.expect_apart(texts)?;
    let mut store = Store::open(&folder, typed.fresh, typed.summary_only)?;
    terminal.print_diagnostics(&store.remarks(), &Default::default());
    let mut is_interrupted = false;
    if !typed.summary_only {
        let to_do = to_do(plan, &store.records);
        let control = Arc::new(Control::default());
        listen_for_interrupts(&control)?;
        is_interrupted = execute::all(plan, to_do, &mut store, typed.jobs, &control, terminal)?;
    }
    let summary = Summary::new(plan, &store.records);
    let results = Results { plan, figures: &study.figures, records: &store.records, summary: &summary };
    for (name, text) in study::files(&results) {
        store.write(&name, &text)?;
    }
    match typed.format {
        ReportFormat::Json => terminal.deliver(&study::json::render(&results), None)?,
        ReportFormat::Text => {
            let colour = terminal.colours(None);
            let folder = folder.display().to_string();
            let (detail, columns) = (terminal.detail, terminal.columns);
            terminal.print(&study::text::render(&results, &folder, colour, detail, columns), None)?;
        }
    }
    terminal.print_diagnostics(&warnings(&summary, is_interrupted), &Default::default());
    Ok(exit(&summary))
}

/// Returns the files that a study writes to its folder.
fn outputs(folder: &Path, study: &Study, plan: &Plan) -> Result<Outputs, Diagnostic> {
    let records = Records::default();
    let summary = Summary::new(plan, &records);
    let results = Results { plan, figures: &study.figures, records: &records, summary: &summary };
    let results = study::files(&results).into_iter().map(|(name, _)| name);
    let names = store::FILES.iter().map(|it| it.to_string()).chain(results);
    Outputs::new(names.map(|name| ("the study".to_string(), folder.join(name))))
}

/// Returns the remaining runs, without subjects on which the baseline is too
/// quick and without repetitions of runs that reached a limit. A strategy with
/// two labels is run once.
fn to_do(plan: &Plan, records: &Records) -> Vec<Run> {
    let runs = plan.runs();
    let is_limited = |run: &&Run| records.get(&plan.key(**run)).is_some_and(|it| it.outcome.limit.is_some());
    let limited: HashSet<(usize, usize)> =
        runs.iter().filter(is_limited).map(|run| (run.subject, run.strategy)).collect();
    let is_quick = |subject: &usize| is_quick(plan, records, *subject);
    let quick: HashSet<usize> = (0..plan.subjects.len()).filter(is_quick).collect();
    let mut keys = HashSet::new();
    let is_left = |run: &Run| {
        let key = plan.key(*run);
        !limited.contains(&(run.subject, run.strategy))
            && !quick.contains(&run.subject)
            && !records.is_done(&key)
            && keys.insert(key)
    };
    runs.into_iter().filter(is_left).collect()
}

/// Returns the warnings for the user besides the table.
fn warnings(summary: &Summary, is_interrupted: bool) -> Vec<Diagnostic> {
    let warning = |code, message: String| Diagnostic::new(Severity::Warning, code, None, message);
    let mut warnings = Vec::new();
    if is_interrupted {
        let message = format!("interrupted: {} runs are missing", summary.n_missing);
        let help = "run the same command again to continue";
        warnings.push(warning("interrupted", message).with_help(help));
    }
    if summary.n_builds > 1 {
        let message = format!("the runs were made by {} different builds of the program", summary.n_builds);
        warnings.push(warning("study-builds", message).with_help("`--fresh` repeats all runs"));
    }
    warnings
}

fn exit(summary: &Summary) -> Exit {
    if !summary.disagreements.is_empty() {
        return Exit::Violated;
    }
    match summary.n_missing > 0 || !summary.failures.is_empty() {
        true => Exit::Undecided,
        false => Exit::Holds,
    }
}
