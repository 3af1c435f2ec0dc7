//! Improved trails of random Promela models: the real SPIN follows them to the
//! same kind of error, they are never longer than before and never shorter than
//! what breadth-first search finds, and cycles stay closed.

use crate::breadth;
use crate::common::share::Share;
use crate::generate::model;
use crate::read;
use crate::real::{Folder, is_installed, n_lines};
use crate::trails::{Wrong, of_spin};
use std::fs;
use std::time::Duration;
use trapline::base::control::Stop;
use trapline::diag::{SourceId, Sources, Span};
use trapline::lang::promela::trail::TrailFile;
use trapline::report::configuration::Configuration;
use trapline::report::{Run, json};
use trapline::search::Strategy;
use trapline::search::strategy::{Rule, StrategyChoice};
use trapline::verify::explicit::{Aim, Fault, GivenTrail, ImproveOptions, Program, Semantics, progress};
use trapline::verify::recorded::RecordedTrail;
use trapline::verify::report::Improvement;
use trapline::verify::simulate::{Ending, Stopped, replay};
use trapline::verify::{ExplicitProblem, Limits, Question, Report, TrailDetail, Verdict};

/// Models per run.
const N_MODELS: u64 = 300;

/// A trail before and after.
#[derive(Debug, Default)]
struct Improved {
    is_cycle: bool,
    before: usize,
    after: usize,
    is_shortest: bool,
    /// Whether the real SPIN followed it.
    is_followed: bool,
}

#[test]
fn improved_trails_of_random_models_are_followed_by_spin() {
    let share = Share::of(N_MODELS);
    let has_spin = is_installed();
    let met = share.in_parallel("improved", |seed| {
        let folder = Folder::new();
        let text = model(seed);
        let path = folder.0.join("model.pml");
        fs::write(&path, &text).expect("the folder is writable");
        let (mut program, mut sources) = read::program(&path, &[]).ok()?;
        let mut found = Vec::new();
        for aim in [Some(Aim::Safety), progress_of(&mut program)].into_iter().flatten() {
            let spin = has_spin.then_some(&folder);
            let improved = improved(seed, &program, aim, &mut sources, spin);
            found.extend(improved.unwrap_or_else(|why| panic!("{why}\n{text}")));
        }
        Some(found)
    });
    let found: Vec<Improved> = met.into_iter().flatten().flatten().collect();
    for is_cycle in [false, true] {
        let all: Vec<&Improved> = found.iter().filter(|it| it.is_cycle == is_cycle).collect();
        let sum = |length: fn(&&Improved) -> usize| all.iter().map(length).sum::<usize>();
        let (before, after) = (sum(|it| it.before), sum(|it| it.after));
        let number = |is: fn(&Improved) -> bool| all.iter().filter(|it| is(it)).count();
        let (n_shorter, n_shortest) = (number(|it| it.after < it.before), number(|it| it.is_shortest));
        let n_followed = number(|it| it.is_followed);
        println!(
            "cycles {is_cycle}: {} trails, {before} statements, then {after}; {n_shorter} shorter, \
             {n_shortest} shortest, {n_followed} followed by SPIN",
            all.len()
        );
        if share.is_whole {
            assert!(all.len() >= 30 && n_shorter >= 5 && n_shortest >= 20, "too one-sided");
            assert!(is_cycle || !has_spin || n_followed >= 20, "SPIN followed only {n_followed}");
        }
    }
}

/// The question about cycles without progress.
fn progress_of(program: &mut Program) -> Option<Aim> {
    let formula = progress(Span::new(SourceId::new(0), 0..0));
    program.add_formula("progress", &formula).ok().map(Aim::Observer)
}

fn n_statements(report: &Report) -> usize {
    report.n_steps() + report.steps().iter().filter(|(_, step)| step.partner().is_some()).count()
}

/// Improves the first trail that is found.
fn improved(
    seed: u64,
    program: &Program,
    aim: Aim,
    sources: &mut Sources,
    spin: Option<&Folder>,
) -> Result<Option<Improved>, String> {
    let is_safety = matches!(aim, Aim::Safety);
    let semantics = Semantics { allows_broken_promises: true, ..Semantics::default() };
    let problem = ExplicitProblem { semantics, ..ExplicitProblem::of_promela(program, aim) };
    let mut question = Question::from(problem);
    question.search.limits = Limits { max_states: Some(100_000), max_bytes: None };
    question.detail = TrailDetail { with_file: true, with_states: true, ..TrailDetail::default() };
    if is_safety {
        question.search.strategy = StrategyChoice::from(Strategy::of(Rule::Dfs { depth: None }));
    }
    let old = question.check(&mut |_| None::<Stop>).map_err(|it| format!("{it:?}"))?;
    if old.verdict != Verdict::Violated {
        return Ok(None);
    }
    let given = given(seed, &old, sources)?;
    let options = ImproveOptions {
        same_state: false,
        only_reorder: seed.is_multiple_of(3),
        few_switches: seed.is_multiple_of(2),
    };
    let new = question.improve((&given, options), sources, &mut |_| None::<Stop>);
    let new = new.map_err(|it| it.iter().map(|it| it.render(sources, false)).collect::<String>())?;
    let done = new.explicit().and_then(|it| it.improvement.clone()).ok_or("nothing is said")?;
    let (before, after) = (n_statements(&old), n_statements(&new));
    if (done.before.statements, done.after.statements) != (before, after) || after > before {
        return Err(format!("{before} statements, then {after}: {done:?}"));
    }
    if new.fault() != old.fault() || new.cycle().is_some() != old.cycle().is_some() {
        return Err(format!("{:?} became {:?}", old.fault(), new.fault()));
    }
    if is_safety {
        expect_shortest(program, &done, after)?;
    }
    expect_closed(&new)?;
    expect_replayed(program, semantics, &new)?;
    let is_followed = match spin {
        Some(folder) if is_safety => is_followed(folder, &old, &new)?,
        _ => false,
    };
    let is_cycle = new.cycle().is_some();
    Ok(Some(Improved { is_cycle, before, after, is_shortest: done.is_shortest, is_followed }))
}

/// The trail of a report: as a report, or as a trail of SPIN.
fn given(seed: u64, old: &Report, sources: &mut Sources) -> Result<GivenTrail, String> {
    let file = old.trail().and_then(|it| it.file.as_ref()).filter(|_| seed % 4 == 1);
    if let Some(file) = file.filter(|it| !it.lines.is_empty()) {
        let source = sources.add("model.pml.trail", file.to_string());
        let parsed = TrailFile::parse(source, sources).map_err(|it| it.render(sources, false))?;
        return Ok(GivenTrail::Spin(parsed, source));
    }
    let configuration = Configuration::default();
    let run = Run {
        reports: std::slice::from_ref(old),
        unchecked: &[],
        diagnostics: &[],
        sources,
        configuration: &configuration,
        elapsed: Duration::ZERO,
    };
    let text = json::render(&run, 1);
    let source = sources.add("report.json", text);
    let record = RecordedTrail::parse(source, sources, None).map_err(|it| it.render(sources, false))?;
    Ok(GivenTrail::Record(record, source))
}

/// Breadth-first search finds no shorter trail, nor a nearer error of this kind
/// if there is said to be none.
fn expect_shortest(program: &Program, done: &Improvement, after: usize) -> Result<(), String> {
    let shortest = breadth::n_statements(program, 1);
    match after < shortest {
        true => Err(format!("{after} statements, but breadth-first search needs {shortest}: {done:?}")),
        false => Ok(()),
    }
}

/// The variables have the same values before the cycle and after it.
fn expect_closed(new: &Report) -> Result<(), String> {
    let Some(cycle) = new.cycle().filter(|it| *it > 0 && *it < new.n_steps()) else { return Ok(()) };
    let state = |index: usize| new.steps().get(index).map(|(_, step)| &step.state);
    match state(cycle - 1) == state(new.n_steps() - 1) {
        true => Ok(()),
        false => Err("the cycle is not closed".to_string()),
    }
}

/// Our simulation follows the trail file to the same error.
fn expect_replayed(program: &Program, semantics: Semantics, new: &Report) -> Result<(), String> {
    let Some(file) = new.trail().and_then(|it| it.file.as_ref()) else { return Ok(()) };
    let replayed = replay(program, semantics, file, TrailDetail::default());
    let replayed = replayed.map_err(|it| format!("{}\n{file}", it.message))?;
    let is_right = match replayed.end.stopped {
        Stopped::Ended(Ending::Fault(fault)) => Some(fault) == new.fault(),
        Stopped::Repeats => new.cycle().is_some(),
        _ => false,
    };
    match is_right {
        true => Ok(()),
        false => Err(format!("{:?} instead of {:?}\n{file}", replayed.end.stopped, new.fault())),
    }
}

/// SPIN follows the new trail, if it follows the old one.
fn is_followed(folder: &Folder, old: &Report, new: &Report) -> Result<bool, String> {
    let follows = |report: &Report| {
        let file = report.trail()?.file.as_ref()?;
        fs::write(folder.0.join("model.pml.trail"), file.to_string()).expect("the folder is writable");
        let said = folder.run("spin", &["-t", "-p", "model.pml"]);
        let is_same = matches!(
            (of_spin(&said, n_lines(&file.to_string())), report.fault()),
            (Some(Wrong::Assertion(_)), Some(Fault::Assertion))
                | (Some(Wrong::InvalidEnd), Some(Fault::InvalidEnd))
        );
        Some((is_same, said))
    };
    match (follows(old), follows(new)) {
        (Some((true, _)), Some((false, said))) => Err(format!(
            "SPIN follows only the old trail, not\n{}\n{said}",
            new.trail().and_then(|it| it.file.as_ref()).map_or(String::new(), ToString::to_string)
        )),
        (_, followed) => Ok(followed.is_some_and(|it| it.0)),
    }
}
