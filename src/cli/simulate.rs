//! `trapline simulate`: one run of a Promela model.

use super::Faults;
use super::arguments::{PromelaArguments, ReportFormat, SimulateArguments};
use super::exit::Exit;
use super::files::Texts;
use super::language::Language;
use super::output::Terminal;
use super::promela;
use super::read::typed_line;
use crate::base::random::Random;
use crate::diag::{Diagnostic, Severity, Sources, visible};
use crate::lang::promela::trail::TrailFile;
use crate::report::json;
use crate::report::text::{Detail, STEPS_SHOWN, Style, Told};
use crate::verify::explicit::{Program, Telling, Trail, TrailStep};
use crate::verify::simulate::{Choice, Driver, Scene, Simulated, replay, simulate};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) fn run(typed: &SimulateArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut texts = Texts::default();
    if let Err(fault) = promela::expect_model(&typed.model, typed.language) {
        return Err((vec![fault], texts.sources));
    }
    let arguments = PromelaArguments {
        define: typed.define.clone(),
        manner: typed.manner.clone(),
        ..PromelaArguments::default()
    };
    let loaded = match promela::load(&typed.model, &arguments, &mut texts) {
        Ok(loaded) => loaded,
        Err(faults) => return Err((faults, texts.sources)),
    };
    terminal.complain(&loaded.warnings, &texts.sources);
    let outcome = match &typed.trail {
        Some(path) => follow(typed, path, &loaded.program, &mut texts, terminal),
        None => go(typed, &loaded.program, &texts.sources, terminal),
    };
    let simulated = outcome.map_err(|fault| (vec![fault], texts.sources))?;
    Ok(if simulated.stopped.is_error() { Exit::Violated } else { Exit::Holds })
}

fn style(typed: &SimulateArguments, terminal: &Terminal) -> Style {
    Style {
        colour: terminal.colours(None),
        full: typed.full,
        detail: terminal.detail,
        columns: terminal.columns,
    }
}

fn name_width(program: &Program) -> usize {
    let names = program.model.proctypes.iter().filter(|it| it.active > 0 || !it.is_init);
    names.map(|it| it.name.chars().count() + "[0]".len()).max().unwrap_or(0)
}

/// Along a trail.
fn follow(
    typed: &SimulateArguments,
    path: &Path,
    program: &Program,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Simulated, Diagnostic> {
    let source = texts.read_record(path, "trail")?;
    let file = TrailFile::parse(source, &texts.sources)
        .map_err(|fault| Language::of(path, None).map_or(fault, |other| other.unexpected(path, "a trail")))?;
    let is_text = typed.format == ReportFormat::Text;
    let ends = (is_text && !typed.full).then_some(STEPS_SHOWN);
    let telling = Telling { ends, ..Telling::default() };
    let replayed = replay(program, typed.manner.manner(), &file, telling).map_err(|misfit| {
        let span = file.lines[misfit.line].span;
        Diagnostic::new(Severity::Error, "trail", Some(span), misfit.message).with_optional_help(misfit.help)
    })?;
    if replayed.passes_assertions {
        let message = "the trail goes on behind an assertion that does not hold";
        let note = Diagnostic::new(Severity::Note, "trail", None, message);
        terminal.complain(&[note], &texts.sources);
    }
    let style = style(typed, terminal);
    let told = Told { style: &style, sources: &texts.sources, name_width: name_width(program) };
    let model = typed.model.display().to_string();
    match typed.format {
        ReportFormat::Json => {
            let text = json::simulation(&model, None, &replayed.trail, &replayed.end, &texts.sources);
            terminal.deliver(&text, None)?;
        }
        ReportFormat::Text if terminal.detail == Detail::Quiet => {
            terminal.tell(told.end(&replayed.end).trim_start(), None)?;
        }
        ReportFormat::Text => {
            terminal.tell(&(told.trail(&replayed.trail) + &told.end(&replayed.end)), None)?;
        }
    }
    Ok(replayed.end)
}

/// At random or by hand.
fn go(
    typed: &SimulateArguments,
    program: &Program,
    sources: &Sources,
    terminal: &Terminal,
) -> Result<Simulated, Diagnostic> {
    let style = style(typed, terminal);
    let told = Told { style: &style, sources, name_width: name_width(program) };
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
    let simulated = simulate(program, typed.manner.manner(), &mut player);
    let Player { kept, fault, .. } = player;
    if let Some(fault) = fault {
        return Err(fault);
    }
    if is_text {
        terminal.tell(&told.end(&simulated), None)?;
    } else {
        let model = typed.model.display().to_string();
        terminal.deliver(&json::simulation(&model, seed, &kept, &simulated, sources), None)?;
    }
    Ok(simulated)
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

    fn taken(&mut self, number: usize, step: TrailStep) {
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
