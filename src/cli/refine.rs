//! `trapline refine`: adds constraints until a property is proved or really
//! violated.

mod interactive;
mod write;

use super::Faults;
use super::arguments::{RefineArguments, ReportFormat};
use super::exit::Exit;
use super::files::{Outputs, Served, Texts, format_by_ending};
use super::language::expect_language;
use super::output::Terminal;
use super::progress_line;
use super::signals::listen_for_interrupts;
use super::watch::{limited_with, reason, stopped_before_result};
use interactive::User;
use std::sync::Arc;
use trapline::base::cancel::{cancellable, caught, stop_reason};
use trapline::base::control::{Control, Stop};
use trapline::diag::{Diagnostic, Severity, Sources, visible};
use trapline::lang::language::Language;
use trapline::lang::spec::Glob;
use trapline::refine::{Choice, ExactVerdict, Guide, Manner, Refinement, Round, guided};
use trapline::report::configuration::Configuration;
use trapline::report::json::{self, RefinedProperty, RefinementRun};
use trapline::report::text::measure::{count, number, time};
use trapline::report::text::{self, Detail, Style};
use trapline::report::{Run, constraint_arguments};
use trapline::verify::engine::FLOW;
use trapline::verify::report::Kind;
use trapline::verify::workspace::{CheckOptions, EngineChoice, Subject, Workspace};
use trapline::verify::{Report, Verdict};
use write::PropertyWriter;

/// The formats with their file endings.
const FORMATS: &[Served<ReportFormat>] = &[(ReportFormat::Text, &["txt"]), (ReportFormat::Json, &["json"])];

pub(super) fn run(typed: &RefineArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut workspace = Workspace::new(Texts::default());
    let control: Arc<Control> = Arc::default();
    let session = Session::new(typed, terminal, &control);
    let mut session = match session {
        Ok(session) => session,
        Err(fault) => return Err((vec![fault], workspace.texts.sources)),
    };
    // A prompt and a progress line would be in each other's way.
    let progress = terminal.progress && !typed.interactive;
    let counted = (typed.file.display().to_string(), "node-tuples");
    let outcome =
        limited_with((&control, progress), (&counted.0, counted.1), &typed.limits, terminal, || {
            session.refine_all(&mut workspace)
        });
    let texts = &workspace.texts;
    let exit = match outcome {
        Ok(exit) => exit,
        Err(stop) => {
            let stopped = stopped_before_result(&typed.file, stop);
            terminal.print_diagnostics(&[stopped], &texts.sources);
            session.stopped = Some(stop);
            Ok(Exit::Undecided)
        }
    };
    let delivered = exit.and_then(|exit| session.deliver(exit, texts).map_err(|fault| vec![fault]));
    delivered.map_err(|faults| (faults, workspace.texts.sources))
}

/// One run of the command.
struct Session<'a> {
    typed: &'a RefineArguments,
    terminal: &'a Terminal,
    control: &'a Arc<Control>,
    format: ReportFormat,
    /// Text for an output file.
    text: String,
    refined: Vec<RefinedProperty>,
    unfinished: Vec<String>,
    stopped: Option<Stop>,
}

impl<'a> Session<'a> {
    fn new(
        typed: &'a RefineArguments,
        terminal: &'a Terminal,
        control: &'a Arc<Control>,
    ) -> Result<Self, Diagnostic> {
        let format = format_by_ending(typed.output.as_deref(), typed.format, FORMATS)?;
        if typed.interactive {
            interactive::expect_terminal()?;
        }
        let named = typed.output.as_ref().map(|path| ("-o".to_string(), path.clone()));
        Outputs::new(named)?.expect_writable()?;
        listen_for_interrupts(control)?;
        let (text, refined, unfinished, stopped) = (String::new(), Vec::new(), Vec::new(), None);
        Ok(Self { typed, terminal, control, format, text, refined, unfinished, stopped })
    }

    /// Refines every chosen property, one after the other.
    fn refine_all(&mut self, workspace: &mut Workspace<Texts>) -> Result<Exit, Vec<Diagnostic>> {
        let typed = self.typed;
        let options = CheckOptions {
            model: typed.model.clone(),
            settings: typed.set.clone(),
            constraints: typed.constraint.clone(),
            default_constraints: !typed.no_default_constraints,
            engine: EngineChoice::Flow,
            ..CheckOptions::default()
        };
        let chosen = chosen(typed, &options, workspace)?;
        let mut writer = match typed.write {
            true => Some(PropertyWriter::new(&typed.file).map_err(|fault| vec![fault])?),
            false => None,
        };
        let mut exits = Vec::new();
        for subject in &chosen {
            // What is known about earlier properties is kept.
            let outcome = caught(|| self.refine_one(subject, &options, workspace, writer.as_mut()));
            exits.push(match outcome {
                Ok(exit) => exit?,
                Err(stop) => {
                    self.stopped = Some(stop);
                    self.unfinished.push(subject.property.clone());
                    Exit::Undecided
                }
            });
        }
        if let Some(stop) = self.stopped {
            let names: Vec<String> = self.unfinished.iter().map(|it| format!("`{}`", visible(it))).collect();
            let message = format!("no result for {}: {}", names.join(", "), reason(stop));
            let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
            self.terminal.print_diagnostics(&[warning], &workspace.texts.sources);
        }
        Ok(Exit::worst(exits))
    }

    /// Refines one property and writes a line per round.
    fn refine_one(
        &mut self,
        subject: &Subject,
        options: &CheckOptions,
        workspace: &mut Workspace<Texts>,
        writer: Option<&mut PropertyWriter>,
    ) -> Result<Exit, Vec<Diagnostic>> {
        let name = visible(&subject.property).into_owned();
        self.say(&format!("{name}\n"))?;
        let manner = Manner {
            assumes: self.typed.assume,
            asks: self.typed.interactive,
            folder: write::constraint_folder(&self.typed.file),
            max_tuples: None,
        };
        let user = self.typed.interactive.then(|| User::new(self.terminal, self.style()));
        let control = Arc::clone(self.control);
        let mut watch = |counters: &_| {
            control.publish(counters);
            stop_reason()
        };
        let mut follower = Follower { session: self, user, n_rounds: 0, fault: None };
        let refined = guided(workspace, subject, options, manner, &mut watch, &mut follower);
        if let Some(fault) = follower.fault {
            return Err(vec![fault]);
        }
        let refinement = refined?;
        // The result is written whichever limit was reached.
        let result =
            cancellable(&Arc::default(), || self.conclude(subject, options, refinement, workspace, writer));
        result.unwrap_or(Ok(Exit::Undecided))
    }

    /// Writes the result for one property.
    fn conclude(
        &mut self,
        subject: &Subject,
        options: &CheckOptions,
        refinement: Refinement,
        workspace: &mut Workspace<Texts>,
        writer: Option<&mut PropertyWriter>,
    ) -> Result<Exit, Vec<Diagnostic>> {
        self.say(&summary(&refinement, workspace, &self.style()))?;
        let written = match writer {
            Some(writer) => writer.write(subject, options, &refinement, workspace)?,
            None => None,
        };
        if self.typed.write {
            let file = self.typed.file.display().to_string();
            self.say(&match &written {
                Some(_) => {
                    let rules = refinement.learned.iter().map(|(path, _)| path);
                    let rules = rules.filter(|it| refinement.needed.contains(it));
                    let rules: String =
                        rules.map(|it| format!("  the learned rule is in {}\n", visible(it))).collect();
                    format!("  the constraints are in {}\n{rules}", visible(&file))
                }
                None if refinement.verdict == Verdict::HoldsVacuously => {
                    "  the proof is vacuous, so nothing is written\n".to_string()
                }
                None => "  without a proof by the flow engine, nothing is written\n".to_string(),
            })?;
        }
        let name = visible(&subject.property).into_owned();
        let (verdict, is_quiet) = (refinement.verdict, self.terminal.detail == Detail::Quiet);
        // The report of an execution ends with the verdict.
        if is_quiet || verdict != Verdict::Violated {
            self.write(&format!("{name}: {}\n", verdict.name()))?;
        }
        self.refined.push(RefinedProperty { refinement, written });
        Ok(Exit::from(verdict))
    }

    fn style(&self) -> Style {
        Style {
            colour: self.terminal.colours(self.typed.output.as_deref()),
            full: false,
            detail: self.terminal.detail,
            columns: self.terminal.columns,
        }
    }

    /// Writes a part of the text, unless only verdicts are wanted.
    fn say(&mut self, text: &str) -> Result<(), Vec<Diagnostic>> {
        match self.terminal.detail {
            Detail::Quiet => Ok(()),
            _ => self.write(text),
        }
    }

    /// Writes a part of the text, at once if it is for standard output.
    fn write(&mut self, text: &str) -> Result<(), Vec<Diagnostic>> {
        if self.format == ReportFormat::Json {
            return Ok(());
        }
        if self.typed.output.is_some() {
            self.text.push_str(text);
            return Ok(());
        }
        progress_line::hidden(|| self.terminal.print(text, None)).map_err(|fault| vec![fault])
    }

    /// Writes what is written at the end: a document or a file.
    fn deliver(&self, exit: Exit, texts: &Texts) -> Result<Exit, Diagnostic> {
        let output = self.typed.output.as_deref();
        match self.format {
            ReportFormat::Json => {
                let run = RefinementRun {
                    file: &self.typed.file.display().to_string(),
                    refined: &self.refined,
                    unfinished: &self.unfinished,
                    stopped: self.stopped,
                    sources: &texts.sources,
                };
                self.terminal.deliver_apart(&json::refinement(&run, exit.code()), output, texts)?;
            }
            ReportFormat::Text if output.is_some() => {
                self.terminal.deliver_apart(&self.text, output, texts)?;
            }
            ReportFormat::Text => (),
        }
        Ok(exit)
    }
}

/// Returns the properties of the file that the user has chosen.
fn chosen(
    typed: &RefineArguments,
    options: &CheckOptions,
    workspace: &mut Workspace<Texts>,
) -> Result<Vec<Subject>, Vec<Diagnostic>> {
    let expected = [Language::Property];
    expect_language(&typed.file, None, &expected, "a property file").map_err(|fault| vec![fault])?;
    let pattern = Glob::new(typed.property.as_deref().unwrap_or("*"));
    let subjects = workspace.subjects(&typed.file, options)?;
    let names: Vec<String> = subjects.iter().map(|it| format!("`{}`", visible(&it.property))).collect();
    let chosen: Vec<Subject> = subjects.into_iter().filter(|it| pattern.matches(&it.property)).collect();
    if chosen.is_empty() {
        let message = format!("no property of `{}` matches `{pattern}`", typed.file.display());
        let help = format!("its properties are {}", names.join(", "));
        return Err(vec![Diagnostic::error_without_place("no-property", message).with_help(help)]);
    }
    for subject in &chosen {
        if workspace.engine_of(subject, options).is_none_or(|(_, engine)| engine.name != FLOW.name) {
            let message =
                format!("`{}` is not an order of events of a task model", visible(&subject.property));
            let help = "only such properties have constraints; use `trapline check`";
            return Err(vec![Diagnostic::error_without_place("usage", message).with_help(help)]);
        }
    }
    Ok(chosen)
}

/// Shows the rounds, and lets the user choose.
struct Follower<'s, 'a> {
    session: &'s mut Session<'a>,
    user: Option<User<'a>>,
    n_rounds: usize,
    /// The error of writing, if any.
    fault: Option<Diagnostic>,
}

impl Guide for Follower<'_, '_> {
    fn choose(&mut self, report: &Report, sources: &Sources) -> Choice {
        match &mut self.user {
            Some(user) => user.choose(report, sources),
            None => Choice::Automatic,
        }
    }

    fn round(&mut self, round: &Round) {
        self.n_rounds += 1;
        let line = round_line(self.n_rounds, round);
        if let Err(faults) = self.session.say(&line) {
            self.fault = self.fault.take().or(faults.into_iter().next());
        }
    }
}

/// `  round 2  violated after 3 steps  45 node-tuples  0.01 s  add -c task:t1, which rejects step 2`
fn round_line(number: usize, round: &Round) -> String {
    let verdict = match round.verdict {
        Verdict::Violated => format!("violated after {}", count(round.n_steps as u64, "step")),
        verdict => verdict.name().to_string(),
    };
    let unit = if round.is_exact { "state" } else { "node-tuple" };
    let further: Vec<String> =
        round.added.iter().filter(|it| it.is_further).flat_map(|it| it.constraints.clone()).collect();
    let added = round.added.iter().filter(|it| !it.is_further).map(|it| {
        let assumption = if it.is_assumption { "the assumption " } else { "" };
        format!("{assumption}{}, which rejects step {}", arguments(&it.constraints), it.step)
    });
    let action = match round.added.is_empty() {
        false if further.is_empty() => format!("  add {}", added.collect::<String>()),
        false => format!("  add {}, and {}", added.collect::<String>(), arguments(&further)),
        true if round.is_exact => "  by the explicit engine".to_string(),
        true if round.n_rejecting > 0 => "  nothing is added".to_string(),
        true if round.verdict == Verdict::Violated => "  no task or variable rejects it".to_string(),
        true => String::new(),
    };
    let (stored, elapsed) = (count(round.n_stored, unit), time(round.elapsed));
    format!("  round {number}  {verdict:<23}  {stored:>18}  {elapsed}{action}\n")
}

/// Returns the arguments of the command line that add constraints.
fn arguments(constraints: &[String]) -> String {
    visible(&constraint_arguments(constraints)).into_owned()
}

/// The constraints of a proof, or the execution that violates the property.
fn summary(refined: &Refinement, workspace: &Workspace<Texts>, style: &Style) -> String {
    let Refinement { report, n_rounds, needed, .. } = refined;
    let rounds = count(*n_rounds as u64, "round");
    let so_far = match needed.is_empty() {
        true => "no constraints".to_string(),
        false => arguments(needed),
    };
    let is_exact = report.explicit().is_some();
    match refined.verdict {
        Verdict::Holds | Verdict::HoldsVacuously if !is_exact && report.verdict == Verdict::Holds => {
            proof(refined, &rounds)
        }
        Verdict::Holds => format!(
            "  every execution satisfies it, but no set of tasks and variables proves it in the flow engine\n{}",
            assumed(refined) + &learned(refined)
        ),
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
            assumed(refined) + &not_assumed(refined) + &text::render(&run, style)
        }
        Verdict::Undecided(stop) if is_exact => {
            format!(
                "  no constraint rejects the last counterexample; the explicit engine was stopped: {}\n",
                why(stop)
            )
        }
        Verdict::Undecided(stop) => {
            let seen = match report.verdict {
                Verdict::Violated => "; the last counterexample may not be an execution",
                _ => "",
            };
            format!("  stopped in {rounds} with {so_far}: {}{seen}\n", why(stop))
        }
        // The loop does not confirm: its last word is that of one engine.
        Verdict::Inconclusive => String::new(),
        Verdict::HoldsVacuously => {
            let all: Vec<String> = refined.given.iter().chain(needed).cloned().collect();
            match all.is_empty() {
                true => "  no execution ends\n".to_string(),
                false => format!("  no execution satisfies {}\n", arguments(&all)),
            }
        }
    }
}

/// The constraints of a proof.
fn proof(refined: &Refinement, rounds: &str) -> String {
    let Refinement { needed, dropped, .. } = refined;
    let set = match needed.is_empty() {
        true => "no more constraints".to_string(),
        false => arguments(needed),
    };
    let unneeded = match dropped.len() {
        0 => String::new(),
        n => format!("; {} of {} were not needed", number(n as u64), number((n + needed.len()) as u64)),
    };
    let unknown = match refined.stopped {
        Some(stop) => format!("  some of them may not be needed: {}\n", why(stop)),
        None => String::new(),
    };
    let exact = compared(refined);
    format!(
        "  proved in {rounds} with {set}{unneeded}\n{unknown}{}{exact}{}",
        assumed(refined),
        learned(refined)
    )
}

/// What the explicit engine says about a property that the flow engine proved,
/// and which of both was quicker.
fn compared(refined: &Refinement) -> String {
    let Some(ExactVerdict { verdict, n_stored, elapsed, has_errors }) = refined.exact else {
        return String::new();
    };
    let (states, by_flow) = (count(n_stored, "state"), refined.elapsed.saturating_sub(elapsed));
    match verdict {
        Verdict::Holds => {
            let quicker = if elapsed < by_flow { "explicit" } else { "flow" };
            let times = format!("{} against {}", time(elapsed), time(by_flow));
            let errors = match has_errors {
                true => "  some executions end in an error; `trapline check` of the model finds it\n",
                false => "",
            };
            let line = format!("with {states}; the {quicker} engine was quicker ({times})");
            format!("  the explicit engine proves it too, {line}\n{errors}")
        }
        Verdict::HoldsVacuously => {
            let none = match refined.report.constraints().iter().any(|it| it.kind == Kind::Context) {
                true => "no execution satisfies the assumptions",
                false => "no execution ends",
            };
            format!("  {none}, says the explicit engine: the property holds vacuously ({states})\n")
        }
        _ => format!("  the explicit engine did not decide with {states}\n"),
    }
}

/// The assumptions among the constraints, which a verdict depends on.
fn assumed(refined: &Refinement) -> String {
    let is_learned = |name: &String| refined.learned.iter().any(|(_, it)| it.is_proved && it.name == *name);
    let contexts = refined.report.constraints().iter().filter(|it| it.kind == Kind::Context);
    let names: Vec<String> = contexts.map(|it| it.name.clone()).filter(|it| !is_learned(it)).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("  assumed, not checked: {}\n", visible(&names.join(", "))),
    }
}

/// The learned rules that the proof needs, or that could be added.
fn learned(refined: &Refinement) -> String {
    let mut text = String::new();
    for (path, rule) in &refined.learned {
        let shown = visible(path);
        text += &match (rule.is_proved, refined.needed.contains(path)) {
            (true, true) => format!("  learned and proved by the explicit engine, {shown}:\n"),
            (false, _) => {
                format!("  learned, but not proved: an assumption that would reject it, {shown}:\n")
            }
            (true, false) => continue,
        };
        rule.text.lines().for_each(|line| text += &format!("    {}\n", visible(line)));
    }
    text
}

/// Assumptions that could have been added.
fn not_assumed(refined: &Refinement) -> String {
    match refined.assumptions.first() {
        Some(first) => {
            let typed = arguments(std::slice::from_ref(&first.name));
            format!(
                "  the assumption {typed}, not checked, would reject the last counterexample; --assume adds it\n"
            )
        }
        None => String::new(),
    }
}

fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "the limit of states was reached",
        stop => reason(stop),
    }
}
