//! `trapline experiment` as a user sees it: small studies run for real, ended
//! early, gone on with, and gone wrong.

use crate::folder;
use folder::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// An empty folder with a study in it.
fn folder(name: &str, study: &str) -> Folder {
    let folder = Folder::new(&format!("experiment-{name}"));
    fs::write(folder.join("study.yaml"), study.replace("ROOT", ROOT)).expect("the folder is writable");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8");
    command.args(["experiment", "study.yaml"]).args(arguments).current_dir(folder);
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = command(folder, arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("small.results").join(name)).expect("the result was written")
}

/// Two subjects of a lock, two strategies, two repetitions: eight runs.
const SMALL: &str = r#"
name: small
repeat: 2
strategies: [bfs, { label: depth, strategy: dfs }]
subjects:
  - { spec: ROOT/specs/lock.yaml, constraints: "task:*, variable:*", label: all }
  - { spec: ROOT/specs/lock.yaml, leave-out: each }
figures:
  - { kind: box, of: time, file: box.svg }
  - { kind: cases, of: prefix, strategies: [depth], file: cases.svg }
"#;

#[test]
fn a_study_is_run_once_and_gone_on_with() {
    let folder = folder("twice", SMALL);
    let (code, stdout, stderr) = run(&folder, &["--list"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.ends_with("8 runs, 2 repetitions each\n"), "{stdout}");
    assert!(!folder.join("small.results").exists(), "a list runs nothing");

    let (code, stdout, stderr) = run(&folder, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.ends_with("small: all verdicts agree\n"), "{stdout}");
    assert!(stderr.contains("8/8 runs"), "{stderr}");
    let records = read(&folder, "runs.jsonl");
    assert_eq!(records.lines().count(), 8);
    assert_eq!(read(&folder, "runs.csv").lines().count(), 9);
    for figure in ["box.svg", "cases.svg"] {
        assert!(read(&folder, figure).starts_with("<svg "));
    }
    let results = ["summary.json", "summary.csv", "table.md", "box.svg"];
    let before = results.map(|name| read(&folder, name));
    let summary: Value = serde_json::from_str(&before[0]).expect("the summary is JSON");
    assert_eq!(summary["strategies"][1]["ratios"]["prefix"]["mean"], 1.0);
    assert_eq!(summary["subjects"][1]["left_out"], "task:t1");
    assert_eq!(summary["subjects"][1]["results"]["depth"]["state"], "violated");

    let (code, again, stderr) = run(&folder, &[]);
    assert_eq!((code, again, stderr.as_str()), (0, stdout, ""), "everything is known");
    assert_eq!(read(&folder, "runs.jsonl"), records);
    assert_eq!(results.map(|name| read(&folder, name)), before);
    let (_, json, _) = run(&folder, &["--summary-only", "--format", "json"]);
    assert_eq!(json, before[0]);
}

#[test]
fn a_torn_line_costs_one_run_and_fresh_starts_over() {
    let folder = folder("torn", SMALL);
    run(&folder, &[]);
    let records = read(&folder, "runs.jsonl");
    let path = folder.join("small.results/runs.jsonl");
    fs::write(&path, &records[..records.len() - 40]).expect("the records are writable");
    let (code, _, stderr) = run(&folder, &["--summary-only"]);
    assert_eq!(code, 3, "a run is missing: {stderr}");
    let (code, _, stderr) = run(&folder, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("line 8 is not a record") && stderr.contains("1/1 run"), "{stderr}");
    assert_eq!(read(&folder, "runs.jsonl").lines().count(), 9);
    let (_, _, stderr) = run(&folder, &["--fresh"]);
    assert!(stderr.contains("8/8 runs"), "{stderr}");
    assert_eq!(read(&folder, "runs.jsonl").lines().count(), 8);
    assert_eq!(read(&folder, "runs.old.jsonl").lines().count(), 9);
}

#[test]
fn a_part_of_a_study_keeps_its_baseline() {
    let folder = folder("part", SMALL);
    let arguments = ["--subjects", "*without*", "--strategies", "dep*", "--repeat", "1", "--jobs", "2"];
    let (code, stdout, _) = run(&folder, &arguments);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("small: 2 strategies on 1 subject, 2 runs"), "{stdout}");
    let (code, _, stderr) = run(&folder, &["--subjects", "nothing*"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no subject matches `nothing*`"), "{stderr}");
}

#[test]
fn names_say_which_constraints_are_left_out() {
    let entry = "{ spec: ROOT/specs/lock.yaml, leave-out: each }";
    let chosen = "{ spec: ROOT/specs/lock.yaml, constraints: 'task:*, variable:*', leave-out: ['task:*'] }";
    let right = folder("chosen", &SMALL.replace(entry, chosen));
    let (code, stdout, _) = run(&right, &["--list"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("without task:t1") && stdout.contains("without task:t2"), "{stdout}");
    assert!(!stdout.contains("without variable:"), "{stdout}");

    let study = SMALL.replace(entry, &chosen.replace("'task:*']", "'task:t*', 'variabel:*']"));
    let (code, _, stderr) = run(&folder("chosen-wrongly", &study), &["--list"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("error[no-constraint]: no constraint of `lock/"), "{stderr}");
    assert!(stderr.contains("matches `variabel:*`"), "{stderr}");
}

#[test]
fn a_limit_is_counted_and_not_repeated() {
    let study = "
name: small
limits: { max-states: 1000 }
repeat: 3
strategies: [bfs, propagate]
subjects:
  - { spec: ROOT/specs/peterson.yaml, property: mutual-exclusion, set: { N: [2, 4] } }
figures: [{ kind: scaling, file: 'curve-{property}.svg' }]
";
    let folder = folder("limit", study);
    let (code, stdout, stderr) = run(&folder, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("1 at a limit"), "{stdout}");
    assert_eq!(read(&folder, "runs.jsonl").lines().count(), 2 * 3 + 2);
    assert!(read(&folder, "curve-mutual-exclusion.svg").contains("hollow marks"));
    let (code, _, stderr) = run(&folder, &[]);
    assert_eq!((code, stderr.as_str()), (0, ""), "nothing is left to do");
    assert_eq!(read(&folder, "runs.jsonl").lines().count(), 2 * 3 + 2);
}

#[test]
fn subjects_that_are_too_quick_are_run_by_the_baseline_alone() {
    let study = SMALL.replace("repeat: 2", "repeat: 2\nat-least: 1h");
    let folder = folder("quick", &study);
    let (code, stdout, stderr) = run(&folder, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("2 subjects omitted: the baseline takes less than 3600 s"), "{stdout}");
    assert_eq!(read(&folder, "runs.jsonl").lines().count(), 2, "bfs once on each subject");
    let (code, _, stderr) = run(&folder, &[]);
    assert_eq!((code, stderr.as_str()), (0, ""), "nothing is left to do");
}

#[test]
fn a_run_that_fails_is_told_and_tried_again() {
    let study = "
name: small
options: { executions: prefixes }
strategies: [bfs]
subjects:
  - { spec: good.yaml }
  - { spec: liveness.yaml }
";
    let folder = folder("failure", study);
    let property = |all: &str| format!("model: {ROOT}/examples/lock.rs\nevents: [t2.lock]\nall: {all}\n");
    fs::write(folder.join("good.yaml"), property("'{t2.lock}*'")).expect("the folder is writable");
    fs::write(folder.join("liveness.yaml"), property("'{t2.lock}+'")).expect("the folder is writable");
    let (code, stdout, stderr) = run(&folder, &[]);
    assert_eq!(code, 3, "{stdout}{stderr}");
    assert!(stdout.contains("liveness/liveness with bfs failed: exit code 2"), "{stdout}");
    assert!(stdout.ends_with("small: no verdicts to compare, 1 run failed\n"), "{stdout}");
    let (_, _, stderr) = run(&folder, &[]);
    assert!(stderr.contains("1/1 run"), "only what failed is tried again: {stderr}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_study_keeps_what_it_has() {
    let study = "
name: small
strategies: [bfs]
subjects:
  - { spec: ROOT/specs/lock.yaml }
  - { spec: ROOT/specs/peterson.yaml, property: mutual-exclusion, set: { N: 7 } }
";
    let folder = folder("interrupt", study);
    let child = command(&folder, &[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let start = Instant::now();
    let records = folder.join("small.results/runs.jsonl");
    while fs::read_to_string(&records).map_or(0, |text| text.lines().count()) < 1 {
        assert!(start.elapsed() < Duration::from_secs(60), "the first run does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("run the same command again"), "{stderr}");
    assert!(
        String::from_utf8_lossy(&output.stdout).ends_with("small: no verdicts to compare, 1 run missing\n")
    );
    assert_eq!(fs::read_to_string(&records).expect("it is there").lines().count(), 1);
}

#[test]
fn mistakes_are_found_before_the_first_run() {
    let cases = [
        ("spec: ROOT/specs/lok.yaml", "file-missing", "did you mean `lock.yaml`?"),
        (
            "spec: ROOT/specs/lock.yaml, property: no-dubble-lock",
            "no-property",
            "did you mean `no-double-lock`?",
        ),
        ("spec: ROOT/specs/peterson.yaml, set: { M: 3 }", "task-", "`M`"),
        ("spec: ROOT/specs/lock.yaml, constraints: task:t3", "constraint-unknown", "`t1`"),
        ("spec: label.yaml", "spec-", "`nobody.lock`"),
        ("include: nowhere.yaml", "file-missing", "nowhere.yaml"),
    ];
    for (subject, code, hint) in cases {
        let study = format!("name: small\nstrategies: [bfs]\nsubjects:\n  - {{ {subject} }}\n");
        let folder = folder("mistakes", &study);
        let property = format!("model: {ROOT}/examples/lock.rs\nevents: {{ a: nobody.lock }}\nall: a*\n");
        fs::write(folder.join("label.yaml"), property).expect("the folder is writable");
        let (exit, stdout, stderr) = run(&folder, &[]);
        assert_eq!((exit, stdout.as_str()), (2, ""), "{subject}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}")), "{subject}: {stderr}");
        assert!(stderr.contains(hint), "{subject}: {stderr}");
        assert!(stderr.contains("study.yaml:4") || stderr.contains("label.yaml:2"), "{subject}: {stderr}");
        assert!(!folder.join("small.results").exists(), "{subject}");
    }
    let folder = folder("options", "limits: { timeout: 10 }\nstrategies: [bfs]\nsubjects: [{ spec: a }]\n");
    let (exit, _, stderr) = run(&folder, &[]);
    assert_eq!(exit, 2);
    assert!(stderr.contains("a time needs a unit") && stderr.contains("study.yaml:1:20"), "{stderr}");
}

/// A Promela model by itself, with macros, and one that a property file names.
const MODELS: &str = r#"
name: small
options: { graph: faithful }
limits: { max-states: 1M }
strategies: [bfs, dfs, auto]
subjects:
  - { model: ROOT/examples/promela/peterson.pml, property: "s*", define: { N: 2 } }
  - { model: ROOT/examples/promela/peterson.pml, property: safety, define: { N: [2, 3], BUG: 1 } }
  - { spec: ROOT/specs/promela/peterson.yaml, property: level-first, set: { N: 2 } }
  - { spec: ROOT/specs/lock.yaml }
  - { model: ROOT/examples/relay.rs }
"#;

#[test]
fn a_study_takes_models_of_every_kind() {
    let folder = folder("models", MODELS);
    let (code, stdout, stderr) = run(&folder, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let summary: Value = serde_json::from_str(&read(&folder, "summary.json")).expect("it is JSON");
    let subjects = summary["subjects"].as_array().expect("a list");
    let shown: Vec<String> = subjects
        .iter()
        .map(|it| {
            let text = |value: &Value| value.as_str().expect("a text").to_string();
            let of = |label: &str| text(&it["results"][label]["state"]);
            assert!(of("bfs") == of("dfs") && of("bfs") == of("auto"), "{it}");
            format!("{}: {}", text(&it["name"]), of("bfs"))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "peterson/safety N=2: holds",
            "peterson/served N=2: violated",
            "peterson/safety N=2 BUG=1: violated",
            "peterson/safety N=3 BUG=1: violated",
            "peterson/level-first N=2: holds",
            "lock/no-double-lock: holds",
            "relay/safety: holds",
        ]
    );
    assert_eq!(subjects[2]["settings"], serde_json::json!({ "N": 2, "BUG": 1 }));
    let length = |label: &str| subjects[2]["results"][label]["median"]["length"].as_u64().expect("a number");
    assert!(length("bfs") > 0 && length("bfs") <= length("dfs"), "{}", subjects[2]);
    let (_, stdout, _) = run(&folder, &["--list"]);
    assert!(stdout.ends_with("21 runs, 1 repetition each\n"), "{stdout}");
}

#[test]
fn mistakes_about_models_are_found_before_the_first_run() {
    let peterson = "model: ROOT/examples/promela/peterson.pml";
    let cases = [
        ("bfs", format!("{peterson}, property: savety"), "error[no-property]", "did you mean `safety`?"),
        ("bfs", format!("{peterson}, set: {{ N: 2 }}"), "error[study-key]", "`define`"),
        ("bfs", format!("{peterson}, leave-out: each"), "error[study-key]", "constraints apply only"),
        ("bfs", format!("{peterson}, spec: a.yaml"), "error[study-key]", "both `spec` and `model`"),
        (
            "bfs",
            "model: ROOT/examples/promela/petersen.pml".to_string(),
            "error[file-missing]",
            "peterson.pml",
        ),
        ("bfs", "model: ROOT/specs/lock.yaml".to_string(), "error[file-kind]", "not a model"),
        ("bfs", "spec: ROOT/specs/lock.yaml, define: { N: 2 }".to_string(), "error[study-key]", "`set`"),
        ("bfs", "model: ROOT/examples/lock.rs, define: { N: 2 }".to_string(), "error[study-key]", "`set`"),
        ("bf(ta)", peterson.to_string(), "error[study-strategy]", "no heuristic `ta`"),
    ];
    for (strategy, subject, code, hint) in cases {
        let study = format!("name: small\nstrategies: [\"{strategy}\"]\nsubjects:\n  - {{ {subject} }}\n");
        let folder = folder("models-mistakes", &study);
        let (exit, stdout, stderr) = run(&folder, &[]);
        assert_eq!((exit, stdout.as_str()), (2, ""), "{subject}: {stderr}");
        assert!(stderr.contains(code) && stderr.contains(hint), "{subject}: {stderr}");
        assert!(stderr.contains("study.yaml:"), "{subject}: {stderr}");
        assert!(!folder.join("small.results").exists(), "{subject}");
    }
}

/// The engine of task models can be chosen; what it does not use is not
/// handed to it.
#[test]
fn a_study_chooses_the_engine_for_task_models() {
    let study = "name: small\noptions: { engine: ENGINE, graph: faithful }\nstrategies: [bfs, auto]\n\
                 subjects: [{ spec: ROOT/specs/lock.yaml }]\nfigures: [{ kind: cases, of: stored, file: a.svg }]\n";
    for (engine, units) in [("explicit", "states stored"), ("flow", "node-tuples stored")] {
        let folder = folder("engine", &study.replace("ENGINE", engine));
        let (code, stdout, stderr) = run(&folder, &[]);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let runs = read(&folder, "runs.jsonl");
        assert!(runs.lines().all(|it| it.contains("\"verdict\":\"holds\"")), "{runs}");
        assert!(read(&folder, "a.svg").contains(units), "{engine}");
    }
    let folder = folder("engine", &study.replace("ENGINE", "exact"));
    let (code, _, stderr) = run(&folder, &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("expected auto or flow or explicit, not `exact`"), "{stderr}");
}

/// Every study under `benches` can be run.
#[test]
fn shipped_studies_are_well_formed() {
    let benches = Path::new(ROOT).join("benches");
    for study in ["scaling", "two-stage-faithful", "two-stage-reduced"] {
        let text = fs::read_to_string(benches.join(format!("{study}.yaml"))).expect("the study is there");
        let include = text.lines().find_map(|line| line.split("include: ").nth(1)?.split([',', ' ']).next());
        if include.is_some_and(|file| !benches.join(file).exists()) {
            continue;
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
        command.env("LC_ALL", "C.UTF-8");
        let file = format!("benches/{study}.yaml");
        let output = command.args(["experiment", &file, "--list"]).current_dir(ROOT).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{study}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_disagreement_is_loud() {
    let folder = folder("disagreement", SMALL);
    run(&folder, &[]);
    let change = |line: &str| match line.contains("\"label\":\"depth\"") {
        true => line.replace("\"verdict\":\"violated\"", "\"verdict\":\"holds\"") + "\n",
        false => line.to_string() + "\n",
    };
    let changed: String = read(&folder, "runs.jsonl").lines().map(change).collect();
    fs::write(folder.join("small.results/runs.jsonl"), changed).expect("the records are writable");
    let (code, stdout, _) = run(&folder, &["--summary-only", "--quiet"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("DISAGREEMENT on lock/no-double-lock without task:t1"), "{stdout}");
    assert!(stdout.ends_with("small: 1 disagreement\n"), "{stdout}");
}
