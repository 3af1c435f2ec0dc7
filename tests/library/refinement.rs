//! The refinement loop, on the shipped properties and on random models.

use crate::common::generate::{Random, Shape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::loading::compile;
use crate::proposals::{files_of, shipped_specs, shipped_texts};
use std::path::Path;
use trapline::lang::library::Library;
use trapline::lang::spec::{parse_property_file, with_constraints};
use trapline::refine::{Round, refine};
use trapline::verify::ConfirmOptions;
use trapline::verify::report::{Constraint, Kind};
use trapline::{CheckOptions, EngineChoice, Texts, Verdict, Workspace};

/// From no constraints on, every property is proved, or its violation is an execution. The loop
/// takes few rounds, and the sets are hardly ever larger than the known minimal ones, which the
/// property files name. `--nocapture` prints a table; `TRAPLINE_REPEAT=5` takes the shortest of five
/// times.
#[test]
fn shipped_properties_are_decided_from_no_constraints() {
    let (rows, violated) = refine_all(&shipped_specs(), shipped_texts);
    // It holds under the assumption of constraints/no-old-packets.yaml.
    assert_eq!(violated, ["no-reset"]);
    assert!(rows.len() >= 49);
    expect_few_rounds_and_small_sets(&rows);
}

/// The same for the textbook systems, which have no constraints of their own but for the known
/// minimal sets.
#[test]
fn textbook_systems_are_decided_from_no_constraints() {
    let (rows, violated) = refine_all(&files_of("tests/systems", "yaml"), systems_texts);
    assert_eq!(violated, ["not-overtaken-twice"]);
    assert!(rows.len() >= 59, "{} proofs", rows.len());
    // No set of tasks and variables proves it: a rule is learned.
    let learned = rows.iter().find(|it| it.name.ends_with("highest-first")).expect("it is proved");
    assert_eq!(learned.n_minimal, 0);
    let rows: Vec<Row> = rows.into_iter().filter(|it| it.n_minimal > 0).collect();
    expect_few_rounds_and_small_sets(&rows);
}

fn systems_texts() -> Texts {
    let files = [files_of("tests/systems", "rs"), files_of("tests/systems", "yaml")].concat();
    files.into_iter().filter(|it| !it.ends_with("mutations.yaml")).fold(Texts::new(), |texts, path| {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        texts.with(path, text)
    })
}

/// Refines every property of the files from no constraints on. Returns a row per proof, and the
/// names of the violated properties.
fn refine_all(specs: &[String], texts: fn() -> Texts) -> (Vec<Row>, Vec<String>) {
    let mut workspace = Workspace::new(texts());
    let (mut rows, mut violated) = (Vec::new(), Vec::new());
    let known = CheckOptions { confirm: ConfirmOptions::NEVER, ..CheckOptions::default() };
    let none = CheckOptions { default_constraints: false, ..CheckOptions::default() };
    for spec in specs.iter().filter(|it| !it.ends_with("mutations.yaml")) {
        for subject in workspace.subjects(Path::new(spec), &none).expect("the file is right") {
            let mut rounds: Vec<Round> = Vec::new();
            let on_round = &mut |it: &Round| rounds.push(it.clone());
            let refined = refine(&mut workspace, &subject, &none, &mut |_| None, on_round);
            let refined = refined.expect("the file is right");
            assert_eq!(refined.n_rounds, rounds.len());
            if refined.verdict != Verdict::Holds {
                assert!(rounds.last().is_some_and(|it| it.is_exact), "only an execution is a violation");
                violated.push(subject.property.clone());
                continue;
            }
            assert!(refined.report.flow().is_some(), "{} is not proved by the flow engine", subject.property);
            let added: usize = rounds.iter().flat_map(|it| &it.added).map(|it| it.constraints.len()).sum();
            assert_eq!(added, refined.needed.len() + refined.dropped.len());
            // Both times contain that of reading the model.
            let (minimal, check_time) = shortest(texts, |workspace| {
                workspace.check(&subject, &known, &mut |_| None).expect("the file is right")
            });
            let (_, time) = shortest(texts, |workspace| {
                refine(workspace, &subject, &none, &mut |_| None, &mut |_| ()).expect("the file is right")
            });
            let is_known = |it: &&Constraint| it.kind != Kind::Adjacency;
            rows.push(Row {
                name: format!("{spec} {}", subject.property),
                n_rounds: refined.n_rounds,
                n_needed: refined.needed.len(),
                n_minimal: minimal.constraints().iter().filter(is_known).count(),
                n_added: added,
                n_reductions: refined.n_reductions,
                slowdown: time / check_time,
            });
        }
    }
    rows.iter().for_each(|it| println!("{it}"));
    (rows, violated)
}

fn expect_few_rounds_and_small_sets(rows: &[Row]) {
    let mean = |value: &dyn Fn(&Row) -> f64| rows.iter().map(value).sum::<f64>() / rows.len() as f64;
    let n_small = rows.iter().filter(|it| it.n_needed <= it.n_minimal).count();
    let rounds = mean(&|it| it.n_rounds as f64);
    // The best order of single constraints takes a round per needed one, and one for the proof.
    let ratio = mean(&|it| it.n_rounds as f64 / (it.n_needed + 1) as f64);
    let slowdown = mean(&|it| it.slowdown.ln()).exp();
    println!(
        "{} proofs, {n_small} sets are small, {rounds:.2} rounds, {ratio:.2} times the best",
        rows.len()
    );
    println!("{slowdown:.1} times the time of a check with the minimal set (geometric mean)");
    assert!(n_small * 10 >= rows.len() * 9, "{n_small} of {} are small", rows.len());
    assert!(ratio <= 1.0, "{rounds:.2} rounds are {ratio:.2} times the best");
}

/// One property in the table.
struct Row {
    name: String,
    n_rounds: usize,
    n_needed: usize,
    n_minimal: usize,
    n_added: usize,
    n_reductions: usize,
    slowdown: f64,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, n_rounds, n_needed, n_minimal, n_added, n_reductions, slowdown } = self;
        write!(
            f,
            "{name:<60} rounds {n_rounds:>2}  needed {n_needed:>2}  minimal {n_minimal:>2}  added {n_added:>2}  \
             reductions {n_reductions:>2}  time {slowdown:>5.1}"
        )
    }
}

/// Returns the processor time of this program in seconds, which depends little on other work of the
/// machine. Models are read in threads of their own, so it is not the time of one thread.
#[cfg(unix)]
#[expect(unsafe_code)]
fn cpu_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for a write.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Returns the time in seconds.
#[cfg(not(unix))]
fn cpu_time() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |it| it.as_secs_f64())
}

/// Returns the result of some work and its shortest time in seconds.
fn shortest<T>(texts: fn() -> Texts, mut work: impl FnMut(&mut Workspace) -> T) -> (T, f64) {
    let n_repeats = std::env::var("TRAPLINE_REPEAT").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let mut best = f64::INFINITY;
    let mut timed = || {
        let mut workspace = Workspace::new(texts());
        let start = cpu_time();
        let result = work(&mut workspace);
        best = best.min(cpu_time() - start);
        result
    };
    let result = timed();
    (1..n_repeats).for_each(|_| drop(timed()));
    (result, best)
}

/// No constraint of the result can be left out, and those of the user are kept.
#[test]
fn results_are_minimal_and_contain_the_constraints_of_the_user() {
    let mut workspace = Workspace::new(shipped_texts());
    let options = CheckOptions {
        default_constraints: false,
        constraints: vec!["task:pump[1]".to_string()],
        confirm: ConfirmOptions::NEVER,
        ..CheckOptions::default()
    };
    let subjects = workspace.subjects(Path::new("specs/gas-station.yaml"), &options).expect("it is right");
    let subject =
        subjects.iter().find(|it| it.property == "activate-once-per-prepay").expect("it is shipped");
    let refined = refine(&mut workspace, subject, &options, &mut |_| None, &mut |_| ()).expect("it is right");
    assert_eq!(refined.report.verdict, Verdict::Holds);
    let used: Vec<&str> = refined.report.constraints().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(used[0], "task:pump[1]");
    assert_eq!(used[1..], refined.needed);
    for index in 0..refined.needed.len() {
        let mut fewer = options.clone();
        fewer.constraints.extend(refined.needed.iter().cloned());
        fewer.constraints.remove(index + 1);
        let report = workspace.check(subject, &fewer, &mut |_| None).expect("it is right");
        assert_eq!(report.verdict, Verdict::Violated, "{} is not needed", refined.needed[index]);
    }
}

/// Constraints are written into every shipped file: one line changes, or one is added.
#[test]
fn constraints_can_be_written_into_every_shipped_property() {
    let mut texts = shipped_texts();
    for spec in shipped_specs() {
        let source = texts.read(Path::new(&spec), "property file").expect("it is there");
        let properties = parse_property_file(source, texts.sources()).expect("it is right").properties;
        for property in properties {
            let name = property.name.value.clone();
            let new = vec!["task:t[0]".to_string(), "variable:x".to_string()];
            let edited = with_constraints(source, &name, &new, &mut texts).expect("it can be edited");
            let texts = texts.sources();
            let old: Vec<&str> = texts.get(source).text.split('\n').collect();
            let new: Vec<&str> = texts.get(edited).text.split('\n').collect();
            let n_same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
            let n_old = usize::from(!property.constraints.is_empty());
            assert_eq!(old[n_same + n_old..], new[n_same + 1..], "{spec}: {name}");
            let written = new[n_same].trim();
            assert_eq!(written, "constraints: [\"task:t[0]\", variable:x]", "{spec}: {name}");
        }
    }
}

const N_MODELS: u64 = 2_000;

/// The loop agrees with the explicit engine on random models and properties.
#[test]
fn refined_verdicts_are_exact() {
    let share = Share::of(N_MODELS);
    let all = share.in_parallel("refined_verdicts", check_model);
    let count = |wanted: &str| all.iter().flatten().filter(|it| **it == wanted).count();
    let (proved, learned) = (count("proved"), count("learned"));
    let (exact, violated) = (count("exact"), count("violated"));
    println!(
        "{proved} proved, {learned} with learned rules, {exact} by the explicit engine, {violated} violated"
    );
    if share.is_whole {
        assert!(proved > 1_000 && learned > 30 && violated > 500, "one-sided");
    }
}

fn check_model(seed: u64) -> Vec<&'static str> {
    let shape = match seed % 5 {
        0 => Shape { objects: 45, ..Shape::tiny() },
        1 => Shape { atomic: 45, ..Shape::tiny() },
        2 => Shape::exact(),
        3 => Shape::rich(),
        _ => Shape::tiny(),
    };
    let source = print(&generate(seed, &shape));
    let labels = compile(&source).labels();
    let mut random = Random::new(seed ^ 0x4ef1);
    let mut found = Vec::new();
    for _ in 0..2 {
        let (one, other) = (random.below(labels.len()), random.below(labels.len()));
        if one == other {
            continue;
        }
        let (one, other) = (&labels[one], &labels[other]);
        let none = random.pick(&[".*; a; .*; b; .*", ".*; a; [-b]*; a; .*", "[-a]*; b; .*", ".*; a; b; .*"]);
        let events = format!("{{a: {}, b: {}}}", quoted(one), quoted(other));
        let property = format!("name: q\nmodel: m.rs\nevents: {events}\nnone: \"{none}\"\n");
        found.extend(check_property(&source, &property));
    }
    found
}

fn quoted(label: &str) -> String {
    format!("\"{label}\"")
}

fn check_property(source: &str, property: &str) -> Option<&'static str> {
    let mut workspace = Workspace::new(Texts::new().with("m.rs", source).with("p.yaml", property));
    let mut options = CheckOptions { confirm: ConfirmOptions::NEVER, ..CheckOptions::default() };
    options.limits.max_states = Some(100_000);
    let subjects = workspace.subjects(Path::new("p.yaml"), &options).ok()?;
    let refined = refine(&mut workspace, &subjects[0], &options, &mut |_| None, &mut |_| ()).ok()?;
    if refined.verdict == Verdict::Holds && refined.is_minimal {
        for left_out in &refined.needed {
            let fewer = refined.needed.iter().filter(|it| *it != left_out).cloned().collect();
            let fewer = CheckOptions { constraints: fewer, ..options.clone() };
            let report = workspace.check(&subjects[0], &fewer, &mut |_| None).ok()?;
            assert_ne!(report.verdict, Verdict::Holds, "{left_out} is not needed:\n{property}\n{source}");
        }
    }
    let exact = CheckOptions { engine: EngineChoice::Explicit, ..options };
    let exact = workspace.check(&subjects[0], &exact, &mut |_| None).ok()?;
    match (refined.verdict, exact.verdict) {
        (Verdict::Undecided(_), _) | (_, Verdict::Undecided(_)) => None,
        (Verdict::Violated, Verdict::Violated) => Some("violated"),
        (Verdict::Holds | Verdict::HoldsVacuously, Verdict::Holds | Verdict::HoldsVacuously) => {
            let has_learned = refined.learned.iter().any(|(path, _)| refined.needed.contains(path));
            Some(match refined.report.explicit().is_some() {
                true => "exact",
                false if has_learned => "learned",
                false => "proved",
            })
        }
        (refined, exact) => panic!("{refined:?}, but {exact:?}:\n{property}\n{source}"),
    }
}
