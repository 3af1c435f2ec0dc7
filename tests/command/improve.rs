//! `trapline improve`, as a user runs it.

use crate::folder::Folder;
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// The loop of `Busy` does not matter for the assertion.
const MODEL: &str = "\
byte x, noise;
active proctype A() { x = 1; x = 2; assert(x != 2) }
active proctype Idle() { do :: noise < 50 od }
active proctype Busy() { do :: noise < 40 -> noise++ :: noise == 40 -> noise = 0 od }
ltl quiet { <> (noise == 5) }
ltl small { [] (noise < 30) }
";

/// A writer that need not act.
const TASKS: &str = "\
static mut x: int!(0..=3) = 0;
static mut y: bool = false;
#[task] fn a() { loop { y = true; y = false; } }
#[task] fn b() { x = 1; x = 2; x = 3; x = x + 1; }
";

/// Runs in a folder with the models; exit code, output, complaints.
fn run(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    fs::write(folder.join("m.pml"), MODEL).expect("the folder is writable");
    fs::write(folder.join("m.rs"), TASKS).expect("the folder is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8").env_remove("CLICOLOR_FORCE");
    let output = command.args(arguments).current_dir(&**folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs a command that must find an error.
#[track_caller]
fn found(folder: &Folder, line: &str) -> String {
    let arguments: Vec<&str> = line.split(' ').collect();
    let (code, stdout, stderr) = run(folder, &arguments);
    assert_eq!(code, Some(1), "{line}\n{stdout}{stderr}");
    stdout
}

fn improvement(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("it is a document");
    document["results"][0]["explicit"]["improvement"].clone()
}

#[test]
fn a_report_is_improved_to_a_shortest_trail() {
    let folder = Folder::new("improve-report");
    found(&folder, "check m.pml --property safety --strategy dfs --no-shorten -o deep.json");
    let text = found(&folder, "improve m.pml --trail deep.json --spin-trail short.trail --verbose");
    for part in ["no shorter run ends in such an error", "VIOLATED after 3 steps", "steps dropped"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let trail = fs::read_to_string(folder.join("short.trail")).expect("the trail was written");
    assert_eq!(trail.lines().filter(|it| !it.starts_with('-')).count(), 3, "{trail}");
    // The trail of SPIN is a trail, too.
    let text = found(&folder, "improve m.pml -t short.trail --format json");
    let done = improvement(&text);
    assert_eq!((&done["before"]["steps"], &done["shortest"]), (&3.into(), &true.into()), "{text}");
    let (code, text, _) = run(&folder, &["simulate", "m.pml", "--trail", "short.trail"]);
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn check_drops_steps_unless_told_otherwise() {
    let folder = Folder::new("improve-check");
    let n_steps = |text: &str| {
        let document: Value = serde_json::from_str(text).expect("it is a document");
        document["results"][0]["counterexample"]["steps"].as_array().map_or(0, Vec::len)
    };
    // Without reduction, so that the search takes irrelevant steps.
    let check = "check m.pml --property safety --strategy dfs --reduction none --format json";
    let (short, long) = (found(&folder, check), found(&folder, &format!("{check} --no-shorten")));
    assert!(n_steps(&short) < n_steps(&long), "{} and {}", n_steps(&short), n_steps(&long));
    assert_eq!(improvement(&short)["before"]["steps"], n_steps(&long));
    assert_eq!(improvement(&long), Value::Null);
    // A shortest trail is not touched.
    let shortest = found(&folder, "check m.pml --property safety --strategy bfs --format json");
    assert_eq!((n_steps(&shortest), improvement(&shortest)), (3, Value::Null));
}

#[test]
fn a_cycle_stays_a_cycle() {
    let folder = Folder::new("improve-cycle");
    found(&folder, "check m.pml --property quiet --no-shorten -o deep.json");
    let text = found(&folder, "improve m.pml -t deep.json --format json");
    let document: Value = serde_json::from_str(&text).expect("it is a document");
    let found_cycle = document["results"][0]["counterexample"]["cycle"].as_u64();
    assert!(found_cycle.is_some(), "{text}");
    let (code, _, stderr) = run(&folder, &["improve", "m.pml", "-t", "deep.json", "--keep", "state"]);
    assert!(code == Some(2) && stderr.contains("remove `--keep state`"), "{stderr}");
}

#[test]
fn task_models_and_formulas_are_improved() {
    let folder = Folder::new("improve-tasks");
    found(&folder, "check m.rs --strategy dfs --no-shorten -o deep.json");
    let text = found(&folder, "improve m.rs -t deep.json --reorder --few-switches");
    assert!(text.contains("shortened") && text.contains("switches"), "{text}");
    found(&folder, "check m.pml --property small --strategy dfs --no-shorten -o deep.json");
    let text = found(&folder, "improve m.pml -t deep.json");
    assert!(text.contains("small") && text.contains("no shorter run"), "{text}");
}

#[test]
fn bad_trails_say_where_and_what_to_do() {
    let folder = Folder::new("improve-bad");
    let check = |arguments: &[&str], parts: &[&str]| {
        let (code, stdout, stderr) = run(&folder, arguments);
        assert_eq!(code, Some(2), "{stdout}{stderr}");
        assert!(parts.iter().all(|it| stderr.contains(it)), "{stderr}");
    };
    fs::write(folder.join("bad.trail"), "1:0:0\n2:1:99\n").expect("the folder is writable");
    fs::write(folder.join("no.json"), "{ \"steps\": 3 }").expect("the folder is writable");
    found(&folder, "check m.rs -o tasks.json");
    check(&["improve", "m.pml", "-t", "bad.trail"], &["bad.trail:", "possible pairs", "error[trail]"]);
    check(&["improve", "m.pml", "-t", "gone.trail"], &["gone.trail"]);
    check(&["improve", "m.pml", "-t", "no.json"], &["no.json:1:", "check --format json"]);
    check(&["improve", "m.pml", "-t", "m.rs"], &["m.rs"]);
    check(
        &["improve", "m.rs", "-t", "bad.trail"],
        &["only for Promela models", "check MODEL.rs --format json"],
    );
    // A report about another model.
    check(
        &["improve", "m.pml", "-t", "tasks.json"],
        &["step 1 is not possible here", "the possible steps are"],
    );
    check(
        &["improve", "m.pml", "-t", "tasks.json", "--property", "nothing"],
        &["no counterexample for `nothing`"],
    );
    check(&["improve", "m.pml", "-t", "bad.trail", "--property", "nothing"], &["has no property `nothing`"]);
    check(
        &["improve", "m.pml", "-t", "bad.trail", "--reorder", "--max-states", "5"],
        &["remove one of them"],
    );
    check(&["improve", "m.pml", "-t", "bad.trail", "-o", "bad.trail"], &["bad.trail"]);
}

#[test]
fn a_trail_without_an_error_is_none() {
    let folder = Folder::new("improve-safe");
    let (code, text, _) =
        run(&folder, &["simulate", "m.pml", "--seed", "1", "--steps", "1", "--format", "json"]);
    assert_eq!(code, Some(0), "{text}");
    fs::write(folder.join("start.json"), text).expect("the folder is writable");
    let (code, _, stderr) = run(&folder, &["improve", "m.pml", "-t", "start.json"]);
    assert!(code == Some(2) && stderr.contains("this trail does not violate `safety`"), "{stderr}");
}

/// A long trail in a model with many states: the limit of time ends the work
/// with what is known, at the latest soon afterwards.
#[test]
fn limits_end_the_work_with_the_best_trail() {
    let folder = Folder::new("improve-limits");
    let model = "byte n[4];
        active [3] proctype P() { do :: n[_pid] < 200 -> n[_pid]++ od }
        active proctype Q() {
            do :: n[3] < 250 -> n[3]++ :: else -> break od;
            n[0] > 99 && n[1] > 99 && n[2] > 99 -> assert(false)
        }";
    fs::write(folder.join("large.pml"), model).expect("the folder is writable");
    found(&folder, "check large.pml --property safety --strategy dfs --no-shorten -o deep.json");
    let began = Instant::now();
    let text = found(&folder, "improve large.pml -t deep.json --timeout 2s --max-states 100M --format json");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let done = improvement(&text);
    assert_eq!(done["shortest"], false, "{done}");
    assert!(done["after"]["steps"].as_u64() <= done["before"]["steps"].as_u64());
    let text = found(&folder, "improve large.pml -t deep.json --max-states 10k --format json");
    let expanded: u64 = improvement(&text)["actions"]
        .as_array()
        .expect("there are actions")
        .iter()
        .filter(|it| it["how"] == "search")
        .filter_map(|it| it["expanded"].as_u64())
        .sum();
    assert!((5_000..30_000).contains(&expanded), "{expanded}");
    let (code, _, stderr) = run(&folder, &["improve", "large.pml", "-t", "deep.json", "--timeout", "1ms"]);
    assert!([Some(1), Some(3)].contains(&code), "{stderr}");
}
