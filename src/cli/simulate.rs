//! `trapline simulate`: one run of a model.

use super::Faults;
use super::arguments::{IgnoredKind, PromelaArguments, ReportFormat, SimulateArguments};
use super::check::{of_promela, only_end_states};
use super::exit::Exit;
use super::files::Texts;
use super::language::language_of;
use super::options::expect_shown;
use super::output::Terminal;
use super::promela;
use super::read::typed_line;
use super::signals::{end_at_next, listen_for_interrupts};
use super::watch::{limited, stopped_before_result};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use trapline::base::control::Control;
use trapline::base::random::Random;
use trapline::diag::{Diagnostic, Severity, SourceId, Sources, Span, visible};
use trapline::lang::language::Language;
use trapline::lang::promela::trail::TrailFile;
use trapline::lang::task::lower::Steps;
use trapline::net::{Network, StepLabels, Template};
use trapline::report::json;
use trapline::report::text::{Detail, RunWriter, STEPS_SHOWN, Style};
use trapline::verify::TrailDetail;
use trapline::verify::explicit::Program;
use trapline::verify::recorded::{RecordedTrail, replay_record};
use trapline::verify::simulate::{Choice, Driver, Scene, Simulated, Stopped, replay, simulate};
use trapline::verify::trail::{Step, Trail};
use trapline::verify::workspace::{CheckOptions, Workspace};

pub(super) fn run(typed: &SimulateArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut workspace = Workspace::new(Texts::default());
    let is_json = typed.format == ReportFormat::Json;
    let expected = expect_shown(typed.full, is_json, terminal).and_then(|()| match is_task_model(typed) {
        true => Ok(()),
        false => promela::expect_model(&typed.model, typed.language),
    });
    if let Err(fault) = expected {
        return Err((vec![fault], workspace.texts.sources));
    }
    let control: Arc<Control> = Arc::default();
    // In interactive mode Ctrl-C ends the process at once.
    if !typed.interactive
        && let Err(fault) = listen_for_interrupts(&control)
    {
        return Err((vec![fault], workspace.texts.sources));
    }
    let outcome =
        limited(&control, &typed.model, &typed.limits, terminal, || attempt(typed, &mut workspace, terminal));
    let texts = workspace.texts;
    let outcome = match outcome {
        Ok(outcome) => outcome.map_err(|faults| (faults, texts.sources.clone()))?,
        Err(stop) => {
            terminal.print_diagnostics(&[stopped_before_result(&typed.model, stop)], &texts.sources);
            return Ok(Exit::Undecided);
        }
    };
    // The results so far are written whichever limit was reached.
    end_at_next();
    let written = write_outcome(typed, &outcome, &texts.sources, terminal);
    written.map_err(|fault| (vec![fault], texts.sources))?;
    Ok(match outcome.end.stopped {
        Stopped::Limit(_) => Exit::Undecided,
        stopped if stopped.is_error() => Exit::Violated,
        _ => Exit::Holds,
    })
}

/// A run that has ended.
struct Outcome {
    seed: Option<u64>,
    /// The steps that were not shown while they were taken.
    trail: Trail,
    name_width: usize,
    end: Simulated,
}

fn attempt(
    typed: &SimulateArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Outcome, Vec<Diagnostic>> {
    let options = CheckOptions {
        settings: typed.set.clone(),
        definitions: typed.define.clone(),
        escapes: typed.semantics.escapes(),
        ..CheckOptions::default()
    };
    if is_task_model(typed) {
        return attempt_tasks(typed, &options, workspace, terminal);
    }
    if !typed.set.is_empty() {
        let fault = Diagnostic::error_without_place("usage", "`--set` does not apply to a Promela model");
        return Err(vec![fault.with_help("set macros of a Promela model by `-D N=4`")]);
    }
    let program = workspace.promela(&typed.model, &options)?;
    terminal.print_diagnostics(&workspace.take_warnings(), workspace.sources());
    let outcome = match &typed.trail {
        Some(path) => {
            let file = TrailText::read(path, &mut workspace.texts).map_err(|fault| vec![fault])?;
            match file {
                TrailText::Record(source) => follow_record(typed, source, (&program.network, &[]), workspace),
                TrailText::Spin(source) => follow(typed, source, &program, workspace, terminal),
            }
        }
        None => go(typed, &program.network, workspace.sources(), terminal),
    };
    outcome.map_err(|fault| vec![fault])
}

fn is_task_model(typed: &SimulateArguments) -> bool {
    language_of(&typed.model, typed.language) == Some(Language::Task)
}

/// Simulates a task model.
fn attempt_tasks(
    typed: &SimulateArguments,
    options: &CheckOptions,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Outcome, Vec<Diagnostic>> {
    let arguments = PromelaArguments {
        define: typed.define.clone(),
        semantics: typed.semantics.clone(),
        ..PromelaArguments::default()
    };
    if let Some((flag, _)) = of_promela(&arguments).into_iter().find(|(_, is_typed)| *is_typed) {
        let fault = Diagnostic::error_without_place("usage", format!("`{flag}` is only for Promela models"));
        let help = match flag {
            "--define" => "set constants of a task model by `--set N=4`",
            _ => "remove it",
        };
        return Err(vec![fault.with_help(help)]);
    }
    if typed.semantics.ignore.iter().any(|it| *it != IgnoredKind::EndStates) {
        return Err(vec![only_end_states()]);
    }
    let settings = workspace.typed_settings(&options.settings);
    let model = workspace.tasks(&typed.model, &settings)?;
    terminal.print_diagnostics(&model.notes, workspace.sources());
    // The user can choose silent steps, too.
    let lowered = model.lowered(&Steps::Edges)?;
    let network = &lowered.network;
    let outcome = match &typed.trail {
        Some(path) => match TrailText::read(path, &mut workspace.texts).map_err(|fault| vec![fault])? {
            TrailText::Record(source) => follow_record(typed, source, (network, &lowered.steps), workspace),
            TrailText::Spin(_) => {
                let message = "trail files of SPIN are only for Promela models";
                let help = "use a report as the trail: `check MODEL.rs --format json -o report.json`";
                Err(Diagnostic::error_without_place("usage", message).with_help(help))
            }
        },
        None => go(typed, network, workspace.sources(), terminal),
    };
    outcome.map_err(|fault| vec![fault])
}

/// A file that describes a run.
enum TrailText {
    /// A document of Trapline.
    Record(SourceId),
    /// A trail file of SPIN.
    Spin(SourceId),
}

impl TrailText {
    fn read(path: &Path, texts: &mut Texts) -> Result<Self, Diagnostic> {
        let source = texts.read_record(path, "trail")?;
        match texts.sources.get(source).text.trim_start().starts_with('{') {
            true => Ok(Self::Record(source)),
            false => Ok(Self::Spin(source)),
        }
    }
}

/// Returns the parts of a trail that are described.
fn detail(typed: &SimulateArguments) -> TrailDetail {
    let is_text = typed.format == ReportFormat::Text;
    TrailDetail { ends: (is_text && !typed.full).then_some(STEPS_SHOWN), ..TrailDetail::default() }
}

/// Replays a recorded run in a network whose transitions have these events.
fn follow_record(
    typed: &SimulateArguments,
    source: SourceId,
    (network, events): (&Network, &[StepLabels]),
    workspace: &Workspace<Texts>,
) -> Result<Outcome, Diagnostic> {
    let sources = workspace.sources();
    let record = RecordedTrail::parse(source, sources, typed.property.as_deref())?;
    let semantics = typed.semantics.semantics();
    let replayed = replay_record(network, events, semantics, &record, sources, detail(typed));
    let replayed = replayed.map_err(|unmatched| {
        let span = Span::new(source, 0..0);
        let helps: Vec<String> = other_settings(typed, &record).into_iter().chain(unmatched.help).collect();
        let help = Some(helps.join("; ")).filter(|it| !it.is_empty());
        Diagnostic::error("trail", span, unmatched.message).with_optional_help(help)
    })?;
    let name_width = name_width(network);
    Ok(Outcome { seed: None, trail: replayed.trail, name_width, end: replayed.end })
}

/// Suggests the settings of a record if they are not those of the command line.
fn other_settings(typed: &SimulateArguments, record: &RecordedTrail) -> Option<String> {
    let set = typed.set.iter().map(|it| (it.name.clone(), it.value.to_string()));
    let known: BTreeMap<String, String> = set.chain(typed.define.iter().cloned()).collect();
    let flag = if is_task_model(typed) { "--set" } else { "-D" };
    let settings: Vec<String> =
        record.settings().iter().map(|(name, value)| format!("{flag} {name}={value}")).collect();
    let is_other = known != *record.settings();
    (is_other && !settings.is_empty()).then(|| format!("the report was made with `{}`", settings.join(" ")))
}

/// Writes the steps that were not shown during the run.
fn write_outcome(
    typed: &SimulateArguments,
    outcome: &Outcome,
    sources: &Sources,
    terminal: &Terminal,
) -> Result<(), Diagnostic> {
    let Outcome { seed, trail, name_width, end } = outcome;
    if typed.format == ReportFormat::Json {
        let model = typed.model.display().to_string();
        return terminal.deliver(&json::simulation(&model, *seed, trail, end, sources), None);
    }
    let style = style(typed, terminal);
    let writer = RunWriter { style: &style, sources, name_width: *name_width };
    match typed.trail.is_some() {
        true if terminal.detail == Detail::Quiet => terminal.print(writer.end(end).trim_start(), None),
        true => terminal.print(&(writer.trail(trail) + &writer.end(end)), None),
        false => terminal.print(&writer.end(end), None),
    }
}

fn style(typed: &SimulateArguments, terminal: &Terminal) -> Style {
    Style {
        colour: terminal.colours(None),
        full: typed.full,
        detail: terminal.detail,
        columns: terminal.columns,
    }
}

fn name_width(network: &Network) -> usize {
    let number = |it: &Template| if it.is_single { 0 } else { "[0]".len() };
    network.templates.iter().map(|it| it.name.chars().count() + number(it)).max().unwrap_or(0)
}

/// Replays a trail of SPIN.
fn follow(
    typed: &SimulateArguments,
    source: SourceId,
    program: &Program,
    workspace: &Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Outcome, Diagnostic> {
    if typed.property.is_some() {
        let message = "`--property` needs a report in JSON as the trail";
        return Err(Diagnostic::error_without_place("usage", message));
    }
    let sources = workspace.sources();
    let file = TrailFile::parse(source, sources).map_err(|fault| {
        let path = typed.trail.as_deref().unwrap_or(Path::new(""));
        language_of(path, None).map_or(fault, |other| other.unexpected(path, "a trail"))
    })?;
    let replayed =
        replay(program, typed.semantics.semantics(), &file, detail(typed)).map_err(|mismatch| {
            let span = file.lines[mismatch.line].span;
            Diagnostic::new(Severity::Error, "trail", Some(span), mismatch.message)
                .with_optional_help(mismatch.help)
        })?;
    if replayed.passes_assertions {
        let message = "the trail continues after a violated assertion";
        let note = Diagnostic::new(Severity::Note, "trail", None, message);
        terminal.print_diagnostics(&[note], sources);
    }
    let name_width = name_width(&program.network);
    Ok(Outcome { seed: None, trail: replayed.trail, name_width, end: replayed.end })
}

/// Simulates at random or interactively.
fn go(
    typed: &SimulateArguments,
    network: &Network,
    sources: &Sources,
    terminal: &Terminal,
) -> Result<Outcome, Diagnostic> {
    let style = style(typed, terminal);
    let writer = RunWriter { style: &style, sources, name_width: name_width(network) };
    let is_text = typed.format == ReportFormat::Text;
    let seed = match typed.interactive {
        true => None,
        false => Some(typed.seed.unwrap_or_else(some_seed)),
    };
    let mut player = Player {
        writer,
        terminal,
        chooser: match seed {
            Some(seed) => Chooser::Random(Random::new(seed), typed.steps),
            None => Chooser::User,
        },
        shows: is_text && terminal.detail != Detail::Quiet,
        kept: Trail::default(),
        keeps: !is_text,
        fault: None,
    };
    if let Some(seed) = seed.filter(|_| is_text) {
        player.say(&format!("seed {seed}\n"));
    }
    let end = simulate(network, typed.semantics.semantics(), &mut player);
    let Player { kept, fault, .. } = player;
    match fault {
        Some(fault) => Err(fault),
        None => Ok(Outcome { seed, trail: kept, name_width: writer.name_width, end }),
    }
}

/// Returns a seed from the current time.
fn some_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_nanos()) ^ (since.as_secs() & 0xffff)
}

enum Chooser {
    /// Random choices, with the maximum number of steps.
    Random(Random, u64),
    User,
}

/// Chooses the steps and shows them.
struct Player<'a> {
    writer: RunWriter<'a>,
    terminal: &'a Terminal,
    chooser: Chooser,
    shows: bool,
    kept: Trail,
    keeps: bool,
    /// The error of writing to the terminal, if any.
    fault: Option<Diagnostic>,
}

impl Player<'_> {
    fn say(&mut self, text: &str) {
        if let Err(fault) = self.terminal.print(text, None) {
            self.fault.get_or_insert(fault);
        }
    }

    /// Asks the user until the answer is valid.
    fn ask(&mut self, scene: &Scene) -> Choice {
        let n_possible = scene.n_possible();
        let mut text = String::from("\n");
        for index in 0..n_possible {
            text.push_str(&self.writer.choice(index + 1, &scene.step(index)));
        }
        if let Some(ending) = scene.ending {
            text.push_str(&self.writer.stuck(ending));
        }
        self.say(&text);
        loop {
            let numbers = match n_possible {
                0 => String::new(),
                1 => "1, ".to_string(),
                n => format!("1 to {n}, "),
            };
            self.say(&format!("{numbers}b to go back, q to quit: "));
            let typed = typed_line().filter(|_| self.fault.is_none());
            let Some(line) = typed else {
                self.say("\n");
                return Choice::Quit;
            };
            match line.trim() {
                "q" => return Choice::Quit,
                "b" if scene.n_steps > 0 => return Choice::Back,
                "b" => self.say("there is no earlier step\n"),
                typed => match typed.parse::<usize>().ok().filter(|it| (1..=n_possible).contains(it)) {
                    Some(number) => return Choice::Take(number - 1),
                    None => self.say(&format!("`{}` is not a choice\n", visible(typed))),
                },
            }
        }
    }
}

impl Driver for Player<'_> {
    fn choose(&mut self, scene: &Scene) -> Choice {
        match &mut self.chooser {
            Chooser::Random(random, max_steps) => match scene.n_possible() as u32 {
                0 => Choice::Quit,
                _ if scene.n_steps as u64 >= *max_steps => Choice::Quit,
                n => Choice::Take(random.below(n) as usize),
            },
            Chooser::User => self.ask(scene),
        }
    }

    fn taken(&mut self, number: usize, step: Step) {
        if self.shows {
            let text = self.writer.step(number, &step);
            self.say(&text);
        }
        if self.keeps {
            self.kept.n_steps = number;
            self.kept.steps.push((number - 1, step));
        }
        let _ = io::stdout().flush();
    }
}
