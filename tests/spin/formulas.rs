//! Random formulas on random small models: the verdicts of SPIN, with and
//! without weak fairness. Says so and passes where SPIN or gcc is missing.
//!
//! `TRAPLINE_SEED` is the first seed, `TRAPLINE_MODELS` the number of models.

use crate::ltl::words;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process, thread};
use trapline::automata::ltl::Formula;
use trapline::diag::Sources;
use trapline::lang::promela::{Reading, parse};
use trapline::verify::Verdict;
use trapline::verify::explicit::{Aim, lower};
use trapline::verify::{ExplicitProblem, Question};
use words::Random;

const N_MODELS: u64 = 24;
const N_FORMULAS: usize = 8;
const ATOMS: [&str; 3] = ["(x == 1)", "(y > 0)", "(x == y)"];

/// Two or three processes that count, wait for each other and meet.
fn model(random: &mut Random, formulas: &[Formula]) -> String {
    let mut text = String::from("byte x, y;\nchan q = [0] of { bit };\nchan c = [1] of { bit };\n");
    for (index, atom) in ATOMS.iter().enumerate() {
        text.push_str(&format!("#define p{index} {atom}\n"));
    }
    let n_processes = 2 + random.below(2);
    for process in 0..n_processes {
        text.push_str(&format!("active proctype P{process}() {{\n  bit b;\n"));
        let is_loop = random.below(3) > 0;
        text.push_str(if is_loop { "  do\n" } else { "  if\n" });
        for _ in 0..1 + random.below(3) {
            let statements: Vec<&str> = (0..1 + random.below(3)).map(|_| statement(random)).collect();
            let body = statements.join("; ");
            match random.below(4) {
                0 => text.push_str(&format!("  :: atomic {{ {body} }}\n")),
                _ => text.push_str(&format!("  :: {body}\n")),
            }
        }
        if is_loop && random.below(2) == 0 {
            text.push_str("  :: x == 2 -> break\n");
        }
        text.push_str(if is_loop { "  od\n}\n" } else { "  fi\n}\n" });
    }
    for (index, formula) in formulas.iter().enumerate() {
        let shown = formula.show(&|atom| format!("p{}", atom.0)).to_string();
        text.push_str(&format!("ltl f{index} {{ {shown} }}\n"));
    }
    text
}

fn statement(random: &mut Random) -> &'static str {
    const ALL: [&str; 14] = [
        "x = 1",
        "x = 0",
        "x = 2",
        "y = 1",
        "y = 0",
        "x == 1",
        "y == 0",
        "skip",
        "q!1",
        "q?b",
        "c!1",
        "c?b",
        "x = (x + 1) % 3",
        "timeout",
    ];
    ALL[random.below(ALL.len() as u32) as usize]
}

fn n_temporal(formula: &Formula) -> usize {
    use Formula::{Always, Eventually, Release, Until};
    let own = usize::from(matches!(formula, Always(_) | Eventually(_) | Release(..) | Until(..)));
    formula.parts().into_iter().map(n_temporal).sum::<usize>() + own
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Holds,
    Violated,
    /// By a run that gets stuck.
    Stuck,
}

/// Per formula the verdict without and with fairness.
fn ours(text: &str) -> Vec<[Told; 2]> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let model = parsed.model.unwrap_or_else(|| panic!("{text}\n{:?}", parsed.diagnostics));
    let mut program = lower(model).expect("the model can be run");
    let formulas = program.model.ltl.clone();
    let observers: Vec<_> = formulas
        .iter()
        .map(|it| program.add_formula(&it.name, &it.formula).expect("the formula is small"))
        .collect();
    let told = |aim: &Aim, is_fair: bool| {
        let problem = ExplicitProblem { is_fair, ..ExplicitProblem::of_promela(&program, aim.clone()) };
        let report = Question::from(problem).check(&mut |_| None).expect("few processes");
        match report.verdict {
            Verdict::Violated if report.cycle() == Some(report.n_steps()) => Told::Stuck,
            Verdict::Violated => Told::Violated,
            _ => Told::Holds,
        }
    };
    let aims = observers.into_iter().map(Aim::Observer);
    aims.map(|aim| [told(&aim, false), told(&aim, true)]).collect()
}

/// The same by SPIN; `None` if it cannot be made.
fn theirs(text: &str, folder: &Path) -> Option<Vec<[bool; 2]>> {
    fs::write(folder.join("model.pml"), text).expect("the folder can be written");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output().expect("it is there");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).to_string())
    };
    let (is_made, _) = run("timeout", &["20", "spin", "-o1", "-o2", "-o3", "-a", "model.pml"]);
    if !is_made || !run("gcc", &["-w", "-O0", "-DNOREDUCE", "-o", "pan", "pan.c"]).0 {
        return None;
    }
    let verdict = |index: usize, flags: &[&str]| -> Option<bool> {
        let name = format!("f{index}");
        let (_, told) = run("./pan", &[&["-a", "-m100000", "-w14", "-N", &name], flags].concat());
        let (_, rest) = told.split_once("errors: ")?;
        Some(!rest.starts_with('0'))
    };
    (0..N_FORMULAS).map(|index| Some([verdict(index, &[])?, verdict(index, &["-f"])?])).collect()
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|it| it.parse().expect("a number"))
}

#[test]
fn formulas_on_models_have_the_verdicts_of_spin() {
    let runs = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if !(runs("spin") && runs("gcc")) {
        println!("SPIN or gcc is not installed: nothing is compared");
        return;
    }
    let first = number("TRAPLINE_SEED").unwrap_or(1);
    let last = first + number("TRAPLINE_MODELS").unwrap_or(N_MODELS);
    let next = AtomicU64::new(first);
    let wrong = Mutex::new(Vec::new());
    let counts = [const { AtomicU64::new(0) }; 3];
    thread::scope(|scope| {
        for worker in 0..2 {
            let (next, wrong, counts) = (&next, &wrong, &counts);
            scope.spawn(move || {
                let folder = env::temp_dir().join(format!("trapline-ltl-{}-{worker}", process::id()));
                fs::create_dir_all(&folder).expect("there is a temporary folder");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= last {
                        break;
                    }
                    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
                    let formulas: Vec<Formula> = std::iter::repeat_with(|| random.formula(3, 3))
                        .filter(|it| (1..=4).contains(&n_temporal(it)))
                        .take(N_FORMULAS)
                        .collect();
                    let text = model(&mut random, &formulas);
                    let Some(theirs) = theirs(&text, &folder) else { continue };
                    let ours = ours(&text);
                    for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                        counts[0].fetch_add(2, Ordering::Relaxed);
                        counts[1].fetch_add(u64::from(theirs[0]), Ordering::Relaxed);
                        counts[2].fetch_add(u64::from(theirs[1]), Ordering::Relaxed);
                        // SPIN's fair search overlooks some runs that get stuck:
                        // nobody can move there, so they are fair.
                        let agrees = |at: usize| match (ours[at], theirs[at]) {
                            (Told::Stuck, false) => at == 1,
                            (told, is_violated) => (told != Told::Holds) == is_violated,
                        };
                        if !(agrees(0) && agrees(1)) {
                            let message =
                                format!("seed {seed}, f{index}: SPIN {theirs:?}, we {ours:?}\n{text}");
                            wrong.lock().expect("nobody panicked").push(message);
                        }
                    }
                }
                fs::remove_dir_all(&folder).expect("it is ours");
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panicked");
    let [n_compared, n_violated, n_unfair] = counts.map(AtomicU64::into_inner);
    println!("{n_compared} verdicts compared, {n_violated} and, if fair, {n_unfair} violated");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_compared > 100 && n_violated > 20 && n_unfair > 20, "little was compared");
}
