//! `trapline simulate`: one run of a model.

use super::Faults;
use super::arguments::{PromelaArguments, ReportFormat, SimulateArguments};
use super::check::typed_settings;
use super::exit::Exit;
use super::files::Texts;
use super::language::Language;
use super::output::Terminal;
use super::promela;
use super::read::typed_line;
use super::signals::{end_at_next, listen_for_interrupts};
use super::watch::{limited, stopped_before_result};
use crate::base::control::Control;
use crate::base::random::Random;
use crate::diag::{Diagnostic, Severity, Sources, visible};
use crate::lang::promela::trail::TrailFile;
use crate::lang::task::load;
use crate::lang::task::lower::{Steps, lower};
use crate::net::{Network, Template};
use crate::report::json;
use crate::report::text::{Detail, STEPS_SHOWN, Style, Told};
use crate::verify::explicit::{Program, Telling};
use crate::verify::simulate::{Choice, Driver, Scene, Simulated, Stopped, replay, simulate};
use crate::verify::trail::{Step, Trail};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) fn run(typed: &SimulateArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut texts = Texts::default();
    if !is_task_model(typed)
        && let Err(fault) = promela::expect_model(&typed.model, typed.language)
    {
        return Err((vec![fault], texts.sources));
    }
    let control: Arc<Control> = Arc::default();
    // A user who is asked for a step ends the process at once.
    if !typed.interactive
        && let Err(fault) = listen_for_interrupts(&control)
    {
        return Err((vec![fault], texts.sources));
    }
    let outcome =
        limited(&control, &typed.model, &typed.limits, terminal, || attempt(typed, &mut texts, terminal));
    let outcome = match outcome {
        Ok(outcome) => outcome.map_err(|faults| (faults, texts.sources.clone()))?,
        Err(stop) => {
            terminal.complain(&[stopped_before_result(&typed.model, stop)], &texts.sources);
            return Ok(Exit::Undecided);
        }
    };
    // What is known is written whatever limit was reached.
    end_at_next();
    let written = tell(typed, &outcome, &texts.sources, terminal);
    written.map_err(|fault| (vec![fault], texts.sources))?;
    Ok(match outcome.end.stopped {
        Stopped::Limit(_) => Exit::Undecided,
        stopped if stopped.is_error() => Exit::Violated,
        _ => Exit::Holds,
    })
}

/// A run that is over.
struct Outcome {
    seed: Option<u64>,
    /// The steps that were not shown while they were taken.
    trail: Trail,
    name_width: usize,
    end: Simulated,
}

fn attempt(
    typed: &SimulateArguments,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Outcome, Vec<Diagnostic>> {
    if is_task_model(typed) {
        return attempt_tasks(typed, texts, terminal);
    }
    let arguments = PromelaArguments {
        define: typed.define.clone(),
        semantics: typed.semantics.clone(),
        ..PromelaArguments::default()
    };
    if !typed.set.is_empty() {
        let fault = Diagnostic::error_without_place("usage", "`--set` means nothing to a Promela model");
        return Err(vec![fault.with_help("constants of Promela models are macros: `-D N=4`")]);
    }
    let loaded = promela::load(&typed.model, &arguments, texts)?;
    terminal.complain(&loaded.warnings, &texts.sources);
    let outcome = match &typed.trail {
        Some(path) => follow(typed, path, &loaded.program, texts, terminal),
        None => go(typed, &loaded.program.network, &texts.sources, terminal),
    };
    outcome.map_err(|fault| vec![fault])
}

fn is_task_model(typed: &SimulateArguments) -> bool {
    Language::of(&typed.model, typed.language) == Some(Language::Task)
}

/// One run of a task model.
fn attempt_tasks(
    typed: &SimulateArguments,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Outcome, Vec<Diagnostic>> {
    if typed.trail.is_some() {
        let message = "`--trail` is for Promela models";
        return Err(vec![Diagnostic::error_without_place("usage", message)]);
    }
    let arguments = PromelaArguments {
        define: typed.define.clone(),
        semantics: typed.semantics.clone(),
        ..PromelaArguments::default()
    };
    promela::expect_no_promela(&arguments).map_err(|fault| vec![fault])?;
    let source = texts.read(&typed.model, "model").map_err(|fault| vec![fault])?;
    let settings = typed_settings(&typed.set, texts);
    let loaded = load(source, &texts.sources, &settings);
    let Some(program) = loaded.program else { return Err(loaded.diagnostics) };
    terminal.complain(&loaded.diagnostics, &texts.sources);
    // Whoever chooses the steps chooses among silent ones, too.
    let network = lower(&program, &Steps::Edges)?.network;
    go(typed, &network, &texts.sources, terminal).map_err(|fault| vec![fault])
}

/// Writes what was not shown while the run went on.
fn tell(
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
    let told = Told { style: &style, sources, name_width: *name_width };
    match typed.trail.is_some() {
        true if terminal.detail == Detail::Quiet => terminal.tell(told.end(end).trim_start(), None),
        true => terminal.tell(&(told.trail(trail) + &told.end(end)), None),
        false => terminal.tell(&told.end(end), None),
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

/// Along a trail.
fn follow(
    typed: &SimulateArguments,
    path: &Path,
    program: &Program,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Outcome, Diagnostic> {
    let source = texts.read_record(path, "trail")?;
    let file = TrailFile::parse(source, &texts.sources)
        .map_err(|fault| Language::of(path, None).map_or(fault, |other| other.unexpected(path, "a trail")))?;
    let is_text = typed.format == ReportFormat::Text;
    let ends = (is_text && !typed.full).then_some(STEPS_SHOWN);
    let telling = Telling { ends, ..Telling::default() };
    let replayed = replay(program, typed.semantics.semantics(), &file, telling).map_err(|misfit| {
        let span = file.lines[misfit.line].span;
        Diagnostic::new(Severity::Error, "trail", Some(span), misfit.message).with_optional_help(misfit.help)
    })?;
    if replayed.passes_assertions {
        let message = "the trail goes on behind an assertion that does not hold";
        let note = Diagnostic::new(Severity::Note, "trail", None, message);
        terminal.complain(&[note], &texts.sources);
    }
    let name_width = name_width(&program.network);
    Ok(Outcome { seed: None, trail: replayed.trail, name_width, end: replayed.end })
}

/// At random or by hand.
fn go(
    typed: &SimulateArguments,
    network: &Network,
    sources: &Sources,
    terminal: &Terminal,
) -> Result<Outcome, Diagnostic> {
    let style = style(typed, terminal);
    let told = Told { style: &style, sources, name_width: name_width(network) };
    let is_text = typed.format == ReportFormat::Text;
    let seed = match typed.interactive {
        true => None,
        false => Some(typed.seed.unwrap_or_else(some_seed)),
    };
    let mut player = Player {
        told,
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
        None => Ok(Outcome { seed, trail: kept, name_width: told.name_width, end }),
    }
}

/// Another one each time.
fn some_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_nanos()) ^ (since.as_secs() & 0xffff)
}

enum Chooser {
    /// At random, so many steps at most.
    Random(Random, u64),
    User,
}

/// Chooses, and shows what comes of it.
struct Player<'a> {
    told: Told<'a>,
    terminal: &'a Terminal,
    chooser: Chooser,
    shows: bool,
    kept: Trail,
    keeps: bool,
    /// Why nothing can be shown any more.
    fault: Option<Diagnostic>,
}

impl Player<'_> {
    fn say(&mut self, text: &str) {
        if let Err(fault) = self.terminal.tell(text, None) {
            self.fault.get_or_insert(fault);
        }
    }

    /// Asks until the answer can be used.
    fn ask(&mut self, scene: &Scene) -> Choice {
        let n_possible = scene.n_possible();
        let mut text = String::from("\n");
        for index in 0..n_possible {
            text.push_str(&self.told.choice(index + 1, &scene.step(index)));
        }
        if let Some(ending) = scene.ending {
            text.push_str(&self.told.stuck(ending));
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
                "b" => self.say("this is the beginning\n"),
                typed => match typed.parse::<usize>().ok().filter(|it| (1..=n_possible).contains(it)) {
                    Some(number) => return Choice::Take(number - 1),
                    None => self.say(&format!("`{}` is no choice\n", visible(typed))),
                },
            }
        }
    }
}

impl Driver for Player<'_> {
    fn choose(&mut self, scene: &Scene) -> Choice {
        match &mut self.chooser {
            Chooser::Random(random, most) => match scene.n_possible() as u32 {
                0 => Choice::Quit,
                _ if scene.n_steps as u64 >= *most => Choice::Quit,
                n => Choice::Take(random.below(n) as usize),
            },
            Chooser::User => self.ask(scene),
        }
    }

    fn taken(&mut self, number: usize, step: Step) {
        if self.shows {
            let text = self.told.step(number, &step);
            self.say(&text);
        }
        if self.keeps {
            self.kept.n_steps = number;
            self.kept.steps.push((number - 1, step));
        }
        let _ = io::stdout().flush();
    }
}
