//! `trapline refine`: adds constraints until a property is proved or really
//! violated.

use super::Faults;
use super::arguments::RefineArguments;
use super::exit::Exit;
use super::files::Texts;
use super::language::expect_language;
use super::output::Terminal;
use super::signals::listen_for_interrupts;
use super::watch::{limited, stopped_before_result};
use std::sync::Arc;
use trapline::base::cancel::stop_reason;
use trapline::base::control::Control;
use trapline::diag::{Diagnostic, visible};
use trapline::lang::language::Language;
use trapline::lang::spec::Glob;
use trapline::refine::{Refinement, Round, refine};
use trapline::report::configuration::Configuration;
use trapline::report::text::measure::{count, number, time};
use trapline::report::text::{self, Detail, Style};
use trapline::report::{Run, constraint_arguments, shell_argument};
use trapline::verify::Verdict;
use trapline::verify::engine::FLOW;
use trapline::verify::workspace::{CheckOptions, EngineChoice, Subject, Workspace};

pub(super) fn run(typed: &RefineArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut workspace = Workspace::new(Texts::default());
    let control: Arc<Control> = Arc::default();
    if let Err(fault) = listen_for_interrupts(&control) {
        return Err((vec![fault], workspace.texts.sources));
    }
    let outcome =
        limited(&control, &typed.file, &typed.limits, terminal, || attempt(typed, &mut workspace, terminal));
    match outcome {
        Ok(exit) => exit.map_err(|faults| (faults, workspace.texts.sources)),
        Err(stop) => {
            let stopped = stopped_before_result(&typed.file, stop);
            terminal.print_diagnostics(&[stopped], &workspace.texts.sources);
            Ok(Exit::Undecided)
        }
    }
}

/// Refines every chosen property, one after the other.
fn attempt(
    typed: &RefineArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Exit, Vec<Diagnostic>> {
    let options = CheckOptions {
        model: typed.model.clone(),
        settings: typed.set.clone(),
        constraints: typed.constraint.clone(),
        default_constraints: !typed.no_default_constraints,
        engine: EngineChoice::Flow,
        ..CheckOptions::default()
    };
    let expected = [Language::Property];
    expect_language(&typed.file, None, &expected, "a property file").map_err(|fault| vec![fault])?;
    let pattern = Glob::new(typed.property.as_deref().unwrap_or("*"));
    let subjects = workspace.subjects(&typed.file, &options)?;
    let chosen: Vec<&Subject> = subjects.iter().filter(|it| pattern.matches(&it.property)).collect();
    if chosen.is_empty() {
        let message = format!("no property of `{}` matches `{pattern}`", typed.file.display());
        let names: Vec<String> = subjects.iter().map(|it| format!("`{}`", visible(&it.property))).collect();
        let help = format!("its properties are {}", names.join(", "));
        return Err(vec![Diagnostic::error_without_place("no-property", message).with_help(help)]);
    }
    let mut exits = Vec::new();
    for subject in chosen {
        if workspace.engine_of(subject, &options).is_none_or(|(_, engine)| engine.name != FLOW.name) {
            let message =
                format!("`{}` is not an order of events of a task model", visible(&subject.property));
            let help = "only such properties have constraints; use `trapline check`";
            return Err(vec![Diagnostic::error_without_place("usage", message).with_help(help)]);
        }
        exits.push(one(subject, &options, workspace, terminal)?);
    }
    Ok(Exit::worst(exits))
}

/// Refines one property and writes a line per round.
fn one(
    subject: &Subject,
    options: &CheckOptions,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Exit, Vec<Diagnostic>> {
    let is_quiet = terminal.detail == Detail::Quiet;
    let name = visible(&subject.property).into_owned();
    let mut unwritten = None;
    let mut write = |text: &str| {
        if let Err(fault) = terminal.print(text, None) {
            unwritten.get_or_insert(fault);
        }
    };
    if !is_quiet {
        write(&format!("{name}\n"));
    }
    let mut n_rounds = 0;
    let refined = refine(workspace, subject, options, &mut |_| stop_reason(), &mut |round| {
        n_rounds += 1;
        if !is_quiet {
            write(&round_line(n_rounds, round));
        }
    })?;
    let style = Style {
        colour: terminal.colours(None),
        full: false,
        detail: terminal.detail,
        columns: terminal.columns,
    };
    if !is_quiet {
        write(&summary(&refined, workspace, &style));
    }
    // The report of an execution ends with the verdict.
    if is_quiet || refined.report.verdict != Verdict::Violated {
        write(&format!("{name}: {}\n", refined.report.verdict.name()));
    }
    match unwritten {
        Some(fault) => Err(vec![fault]),
        None => Ok(Exit::from(refined.report.verdict)),
    }
}

/// `  round 2  violated after 3 steps  45 node-tuples  0.01 s  add -c task:t1, which rejects step 2`
fn round_line(number: usize, round: &Round) -> String {
    let verdict = match round.verdict {
        Verdict::Violated => format!("violated after {}", count(round.n_steps as u64, "step")),
        verdict => verdict.name().to_string(),
    };
    let unit = if round.is_exact { "state" } else { "node-tuple" };
    let action = match &round.added {
        Some(proposal) => {
            let arguments = visible(&constraint_arguments(proposal)).into_owned();
            format!("  add {arguments}, which rejects step {}", proposal.step)
        }
        None if round.is_exact => "  by the explicit engine".to_string(),
        None if round.verdict == Verdict::Violated => "  no task or variable rejects it".to_string(),
        None => String::new(),
    };
    let (stored, elapsed) = (count(round.n_stored, unit), time(round.elapsed));
    format!("  round {number}  {verdict:<23}  {stored:>18}  {elapsed}{action}\n")
}

/// The constraints of a proof, or the execution that violates the property.
fn summary(refined: &Refinement, workspace: &Workspace<Texts>, style: &Style) -> String {
    let Refinement { report, n_rounds, needed, dropped } = refined;
    let is_exact = report.explicit().is_some();
    match report.verdict {
        Verdict::Holds if !is_exact => {
            let arguments: Vec<String> =
                needed.iter().map(|it| format!("-c {}", shell_argument(it))).collect();
            let set = match arguments.is_empty() {
                true => "no more constraints".to_string(),
                false => visible(&arguments.join(" ")).into_owned(),
            };
            let unneeded = match dropped.len() {
                0 => String::new(),
                n => {
                    format!("; {} of {} were not needed", number(n as u64), number((n + needed.len()) as u64))
                }
            };
            format!("  proved in {} with {set}{unneeded}\n", count(*n_rounds as u64, "round"))
        }
        Verdict::Holds => {
            "  every execution satisfies it, but no set of tasks and variables proves it in the flow engine\n"
                .to_string()
        }
        Verdict::Violated => {
            let configuration = Configuration::default();
            let run = Run {
                reports: std::slice::from_ref(report),
                unchecked: &[],
                diagnostics: &[],
                sources: workspace.sources(),
                configuration: &configuration,
                elapsed: report.elapsed,
            };
            text::render(&run, style)
        }
        _ => String::new(),
    }
}
