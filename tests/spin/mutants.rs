//! Mutants of the shipped Promela models: nothing panics, hangs or takes more
//! memory than it may, and states, arrivals, errors and shortest trails are
//! SPIN's. A few are tried with every run of the tests, many with
//!
//! ```sh
//! TRAPLINE_SECONDS=1800 TRAPLINE_SEED=7 cargo test --release --test spin many_mutants_run -- --ignored --nocapture
//! TRAPLINE_MODELS=2000 TRAPLINE_SEED=7 cargo test --release --test spin many_mutants_compared -- --ignored --nocapture
//! ```
//!
//! Mutants that differ for a reason that SEMANTICS.md names are counted under
//! that reason and are not among the compared ones. `TRAPLINE_WORKERS` is the
//! number of threads that compare (2 if not set). `TRAPLINE_FILE` is a mutant
//! to look at again: it is run and compared alone.

use crate::compare;
use crate::mutate;
use crate::pan;
use crate::read;
use compare::{Outcome, compare};
use mutate::{Random, mutant};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};
use trapline::search::{Stop, Strategy};
use trapline::verify::Limits;
use trapline::verify::explicit::Aim;
use trapline::verify::{ExplicitProblem, Question};

/// Parameters with which the shipped models are small.
const SMALL: &[(&str, &str)] = &[
    ("bakery", "#define N 2\n#define MAX 3\n"),
    ("brp", "#define CHUNKS 2\n"),
    ("buffer", "#define P 1\n#define C 1\n"),
    ("elevator", "#define N 2\n#define P 1\n"),
    ("fischer", "#define N 2\n"),
    ("gobackn", "#define W 1\n#define Q 1\n"),
    ("iprotocol", "#define Q 1\n"),
    ("leader", "#define N 3\n"),
    ("mesi", "#define N 2\n"),
    ("peterson", "#define N 2\n"),
    ("philosophers", "#define N 3\n"),
    ("readers_writers", ""),
    ("szymanski", "#define N 2\n"),
];

/// States of models that are compared.
const MOST_STATES: usize = 20_000;

/// A mutant may take this long to be run.
const LONGEST: Duration = Duration::from_secs(60);

fn mutant_of(seed: u64) -> (&'static str, String) {
    let mut random = Random::new(seed);
    let (name, definitions) = SMALL[random.below(SMALL.len())];
    let path = Path::new("examples/promela").join(name).with_extension("pml");
    let text = fs::read_to_string(&path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    (name, format!("{definitions}{}", mutant(&text, &mut random)))
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |it| it.parse().expect("a number"))
}

/// Runs a mutant with everything that can be asked of it. Returns whether it
/// could be run.
fn run(text: &str, folder: &Path) -> bool {
    let path = folder.join("mutant.pml");
    fs::write(&path, text).expect("the folder can be written");
    let Ok((program, _)) = read::program(&path, &[]) else { return false };
    let started = Instant::now();
    let limits = Limits { max_states: Some(100_000), max_bytes: Some(256 << 20) };
    let mut aims = vec![Aim::Safety, Aim::Acceptance];
    aims.extend(program.network.observers.iter().cloned().map(Aim::Observer));
    for aim in aims {
        for strategy in [Strategy::mixed(), Strategy::bfs()] {
            let problem = ExplicitProblem::of_promela(&program, aim.clone());
            let question = Question::from(problem).with_strategy(strategy).with_limits(limits);
            let mut watch = |_: &_| (started.elapsed() > LONGEST).then_some(Stop::Time);
            let report = question.check(&mut watch).expect("anything can be asked of a model");
            assert!(report.search.counters.bytes < 512 << 20, "memory:\n{text}");
        }
    }
    assert!(started.elapsed() < 2 * LONGEST, "it takes too long to end:\n{text}");
    true
}

fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("trapline-mutants-{}-{name}", process::id()));
    fs::create_dir_all(&folder).expect("there is a temporary folder");
    folder
}

/// Runs mutants while `goes_on` says so of their number.
fn run_many(seed: u64, mut goes_on: impl FnMut(u64) -> bool) {
    let folder = folder("run");
    let (mut n_tried, mut n_run) = (0, 0);
    while goes_on(n_tried) {
        let number = seed * 10_000_000 + n_tried;
        let (name, text) = mutant_of(number);
        let outcome = std::panic::catch_unwind(|| run(&text, &folder));
        n_run += u64::from(outcome.unwrap_or_else(|_| panic!("mutant {number} of {name}:\n{text}")));
        n_tried += 1;
    }
    let _ = fs::remove_dir_all(folder);
    println!("{n_tried} mutants, {n_run} of them run");
    assert!(n_run * 2 > n_tried, "most mutants can be run");
}

#[test]
fn some_mutants_run() {
    run_many(1, |n_tried| n_tried < 60);
}

#[test]
#[ignore = "takes as long as TRAPLINE_SECONDS says"]
fn many_mutants_run() {
    let end = Instant::now() + Duration::from_secs(number("TRAPLINE_SECONDS", 600));
    run_many(number("TRAPLINE_SEED", 2), |_| Instant::now() < end);
}

/// Compares mutants with SPIN until as many as wanted have been.
fn compare_many(seed: u64, n_wanted: usize) {
    if !pan::is_installed() {
        println!("SPIN or gcc is not installed: nothing is compared");
        return;
    }
    let next = AtomicU64::new(seed * 10_000_000);
    let n_compared = AtomicUsize::new(0);
    let others = Mutex::new(BTreeMap::<String, usize>::new());
    let wrong = Mutex::new(Vec::new());
    let count = |what: String| *others.lock().expect("no thread panics").entry(what).or_default() += 1;
    thread::scope(|scope| {
        for worker in 0..number("TRAPLINE_WORKERS", 2) {
            let (next, n_compared, wrong, count) = (&next, &n_compared, &wrong, &count);
            scope.spawn(move || {
                let folder = folder(&worker.to_string());
                while n_compared.load(Ordering::Relaxed) < n_wanted {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let (_, text) = mutant_of(seed);
                    let (what, how) = match compare(&text, &folder, 1..=MOST_STATES) {
                        Outcome::Agrees => {
                            n_compared.fetch_add(1, Ordering::Relaxed);
                            continue;
                        }
                        Outcome::LeftOut(why) => (format!("left out: {why}"), None),
                        Outcome::BothRefuse => ("refused by both".to_string(), None),
                        Outcome::Known(why) => (format!("known from SEMANTICS.md: {why}"), None),
                        Outcome::WeRefuse(how) => ("refused by us".to_string(), Some(how)),
                        Outcome::SpinRefuses(how) => ("refused by SPIN".to_string(), Some(how)),
                        Outcome::Differs(how) => ("different".to_string(), Some(how)),
                    };
                    if let Some(how) = how {
                        n_compared.fetch_add(1, Ordering::Relaxed);
                        let kept = env::temp_dir().join(format!("trapline-mutant-{seed}.pml"));
                        fs::write(&kept, text).expect("there is a temporary folder");
                        let message = format!("{}: {what}: {how}", kept.display());
                        println!("{message}");
                        wrong.lock().expect("no thread panics").push(message);
                    }
                    count(what);
                }
                let _ = fs::remove_dir_all(folder);
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    println!("{n_compared:?} mutants compared, {} of them different", wrong.len());
    println!("{:#?}", others.into_inner().expect("no thread panics"));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Models that differ for reasons in SEMANTICS.md, and how they are counted.
const KNOWN: &[(&str, &str)] = &[
    (
        "byte x, y; init { d_step { if :: d_step { x == 1 } -> y = 1 :: else fi; y = 2 } }",
        "differs for a known reason: an option of a d_step begins with a d_step",
    ),
    ("byte x, y; init { y = 1 / x }", "differs for a known reason: gcc folds `1 / x`"),
    (
        "init { byte B; B = 1 } proctype B() { skip }",
        "differs for a known reason: a local variable has the name of a later proctype",
    ),
    (
        "proctype B() { skip } init { d_step { run B() } }",
        "differs for a known reason: SPIN refuses `run` in a d_step",
    ),
    (
        "byte x; init { do :: x == 0 -> break od; d_step { x = 1; x = 2 } }",
        "differs for a known reason: SPIN refuses a jump onto a d_step",
    ),
    (
        "init { skip; A: goto B; B: goto A }",
        "differs for a known reason: SPIN refuses labels that jump to each other in a circle",
    ),
    (
        "byte x; init { if :: x == 0 -> d_step { { atomic { x > 0 -> x-- } } } :: else fi; skip }",
        "differs for a known reason: SPIN refuses a d_step that ends with nested blocks",
    ),
    (
        "chan c = [65000] of { byte, byte }; init { skip }",
        "differs for a known reason: a state is larger than our limit and pan's VECTORSZ",
    ),
    (
        "typedef R { byte field }; R r; proctype field() { skip } init { r.field = 1 }",
        "differs for a known reason: SPIN refuses a field named like a proctype",
    ),
    ("int a[2000]; init { a[3] = 1 }", "left out: pan's VECTORSZ"),
    ("byte x; active [255] proctype A() { x == 1 } init { skip }", "refused by both"),
    ("active proctype _pid() { skip }", "refused by both"),
    ("byte x, y; init { y = x / 1 }", "agrees"),
];

#[test]
fn known_differences_are_recognised() {
    if pan::is_installed() {
        let folder = folder("known");
        for (text, expected) in KNOWN {
            assert_eq!(compare(text, &folder, 0..=MOST_STATES).how(), *expected, "{text}");
        }
        let _ = fs::remove_dir_all(folder);
    }
}

#[test]
fn some_mutants_compared_with_spin() {
    compare_many(1, 25);
}

#[test]
#[ignore = "takes about a second per model"]
fn many_mutants_compared_with_spin() {
    match env::var("TRAPLINE_FILE") {
        Ok(file) => {
            let text = fs::read_to_string(file).expect("the model is readable");
            let folder = folder("file");
            println!("{}", if run(&text, &folder) { "it can be run" } else { "it is refused" });
            println!("{}", compare(&text, &folder, 0..=MOST_STATES).how());
        }
        Err(_) => compare_many(number("TRAPLINE_SEED", 2), number("TRAPLINE_MODELS", 2000) as usize),
    }
}
