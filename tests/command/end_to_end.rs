//! The whole program on whole stories, as a user meets them: from files to
//! verdicts, texts, JSON, pictures and exit codes.

use crate::folder;
use crate::schema;
use expect_test::{Expect, expect};
use folder::Folder;
use schema::faults;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What a run left behind.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs the program in the top folder of the project.
fn run(line: &str) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .env("LC_ALL", "C.UTF-8")
        .args(line.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    Ran { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the program on input without mistakes.
#[track_caller]
fn good(line: &str, code: i32) -> String {
    let ran = run(line);
    assert_eq!((ran.code, ran.stderr.as_str()), (code, ""), "{line}:\n{}", ran.stdout);
    ran.stdout
}

/// The text with every time as `T s`: the digits before ` s` are replaced,
/// and the blanks that align them.
fn masked(text: &str) -> String {
    let is_time = |words: &[&str], at: usize| {
        let is_unit = words.get(at + 1).is_some_and(|it| *it == "s" || *it == "s;");
        is_unit && words[at].contains('.') && words[at].parse::<f64>().is_ok()
    };
    let mask = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let shown = (0..words.len()).map(|at| if is_time(&words, at) { "T" } else { words[at] });
        let line = shown.collect::<Vec<_>>().join(" ");
        // Right-aligned columns have as much space as the number needs.
        match line.strip_suffix("T s") {
            Some(rest) => format!("{} T s", rest.trim_end()),
            None => line,
        }
    };
    let lines: Vec<String> = text.lines().map(mask).collect();
    lines.join("\n") + "\n"
}

#[track_caller]
fn check_text(line: &str, code: i32, expected: Expect) {
    expected.assert_eq(&masked(&good(line, code)));
}

/// File, property and verdict of each row of the table.
fn table(text: &str) -> Vec<[String; 3]> {
    let rows = text.lines().skip_while(|line| !line.starts_with("file ")).skip(1);
    rows.take_while(|line| !line.is_empty())
        .map(|row| {
            let mut cells = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            let mut next = || cells.next().unwrap_or_default().to_string();
            [next(), next(), next()]
        })
        .collect()
}

#[track_caller]
fn check_verdicts(line: &str, code: i32, expected: &[(&str, &str)]) {
    let found = table(&good(line, code));
    let found: Vec<(&str, &str)> = found.iter().map(|[_, name, verdict]| (&**name, &**verdict)).collect();
    assert_eq!(found, expected, "{line}");
}

fn folder(name: &str) -> Folder {
    Folder::new(&format!("end-to-end-{name}"))
}

// The lock.

#[test]
fn the_lock_is_taken_twice_if_nothing_is_known_of_the_tasks() {
    check_text(
        "check specs/lock.yaml --no-default-constraints --confirm never",
        1,
        expect![[r#"
            ── no-double-lock ──────────────────────────────────────────────────────────────────────────────────
            The lock is not taken twice without being released in between.
            model        examples/lock.rs
            engine       flow
            executions   prefixes: every prefix of an execution, including executions that deadlock
            constraints  none
            graph        2 nodes (2 rendezvous), 4 control and 0 parallel edges; reduced
            strategy     bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) /
                         bf(ta)
            search       3 node-tuples stored, 3 generated, depth 1, 148.7 KiB, T s

            VIOLATED after 2 steps.
              ↓ same task   ⇢ another task   ◀ event of the property

                   ┌ t1
                   │ ┌ t2
               1   ●─●   t1 → t2  t2.lock  ◀ lock
                   │ │     t1 at examples/lock.rs:7  call!(t2.lock);
                   │ │     t2 at examples/lock.rs:17  when !locked => accept!(lock) => { locked = true; }
                   │ │     property: 0 → 1
               2 ↓ ●─●   t1 → t2  t2.lock  ◀ lock
                   │ │     t1 at examples/lock.rs:7  call!(t2.lock);
                   │ │     t2 at examples/lock.rs:17  when !locked => accept!(lock) => { locked = true; }
                   │ │     property: 1 → trap
              ▲ violated here by every continuation

            This path may not be an execution. Constraints that reject it:
              -c task:t1             at step 2, at most 2 times the node-tuples
              -c variable:t2.locked  at step 2, at most 3 times the node-tuples

            no-double-lock: violated
        "#]],
    );
}

#[test]
fn the_lock_holds_with_the_first_task() {
    check_text(
        "check specs/lock.yaml --no-default-constraints -c task:t1",
        0,
        expect![[r#"
            ── no-double-lock ──────────────────────────────────────────────────────────────────────────────────
            The lock is not taken twice without being released in between.
            model        examples/lock.rs
            engine       flow
            executions   prefixes: every prefix of an execution, including executions that deadlock
            constraints  task:t1 (2 states)
            graph        2 nodes (2 rendezvous), 4 control and 0 parallel edges; reduced
            strategy     bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) /
                         bf(ta)
            search       3 node-tuples stored, 3 generated, depth 2, 148.7 KiB, T s

            no-double-lock: holds
        "#]],
    );
}

#[test]
fn a_counterexample_is_shown_to_its_end_if_asked() {
    let line = "check specs/lock.yaml --no-default-constraints --graph faithful --executions complete --confirm never";
    let short = good(line, 1);
    assert!(short.contains("  … 1 more step to the end of the execution; --full shows them\n"), "{short}");
    let full = good(&format!("{line} --full"), 1);
    assert!(full.contains("   3 ↓ │ ●   t2       ends\n") && !full.contains('…'), "{full}");
}

/// The verdicts of the lock with each set of constraints.
#[track_caller]
fn check_lock(options: &str, violated: &[&str]) {
    let all = ["task:t1", "task:t2", "variable:locked"];
    for set in 0..8_usize {
        let chosen: Vec<&str> = (0..3).filter(|i| set >> i & 1 == 1).map(|i| all[i]).collect();
        let list = chosen.join(",");
        let constraint = if list.is_empty() { String::new() } else { format!("-c {list}") };
        let (code, verdict) = if violated.contains(&&*list) { (1, "violated") } else { (0, "holds") };
        let line = format!(
            "check specs/lock.yaml --no-default-constraints --confirm never -q {options} {constraint}"
        );
        assert_eq!(good(&line, code), format!("no-double-lock: {verdict}\n"), "{line}");
    }
}

#[test]
fn every_set_of_constraints_gives_the_lock_its_verdict() {
    check_lock("", &["", "task:t2"]);
    check_lock("--executions complete", &["", "task:t2"]);
}

#[test]
fn the_graph_of_the_paper_needs_more_for_the_lock_unless_its_edges_are_a_constraint() {
    let faithful = "--graph faithful --executions complete";
    check_lock(&format!("{faithful} --adjacency never"), &["", "task:t2", "variable:locked"]);
    check_lock(faithful, &["", "task:t2"]);
}

#[test]
fn the_searches_agree_on_the_lock() {
    for strategy in ["bfs", "dfs", "propagate"] {
        check_lock(&format!("--strategy {strategy}"), &["", "task:t2"]);
    }
}

// Verdicts that are neither proofs nor counterexamples.

#[test]
fn a_vacuous_proof_is_no_success() {
    let line = "check tests/end_to_end/philosophers.yaml --property someone-eats";
    check_text(
        line,
        3,
        expect![[r#"
            ── someone-eats ────────────────────────────────────────────────────────────────────────────────────
            model        tests/end_to_end/philosophers.rs
            engine       flow
            executions   complete: only executions in which every task ends
            constraints  none
            graph        11 nodes (8 rendezvous), 27 control and 2 parallel edges; reduced
            strategy     wa(ta, w=2)
            search       21 node-tuples stored, 58 generated, depth 8, 5.3 KiB, T s

            VACUOUS: no execution ends, so nothing was proved.
              Some task never reaches its end, or the tasks deadlock. Try:
              - --executions prefixes, if the property is a safety property: this also
                includes executions that deadlock or never end
              - `while any!() { … }` instead of `loop { … }` where a task of the model may stop

            someone-eats: holds vacuously
        "#]],
    );
}

#[test]
fn a_search_that_gives_up_is_undecided() {
    check_text(
        "check specs/lock.yaml --max-states 1",
        3,
        expect![[r#"
            ── no-double-lock ──────────────────────────────────────────────────────────────────────────────────
            The lock is not taken twice without being released in between.
            model        examples/lock.rs
            engine       flow
            executions   prefixes: every prefix of an execution, including executions that deadlock
            constraints  task:t1 (2 states)
            graph        2 nodes (2 rendezvous), 4 control and 0 parallel edges; reduced
            strategy     bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) /
                         bf(ta)
            search       2 node-tuples stored, 1 generated, depth 0, 147.9 KiB, T s

            UNDECIDED: --max-states was reached.
              No violation found; 1 expanded of 2 node-tuples stored, frontier at most 2.
              Use fewer constraints, or raise --max-states.

            no-double-lock: undecided
        "#]],
    );
}

// Models that were written for these tests; their verdicts were found by thought.

#[test]
fn two_stages_without_a_trap_say_what_they_do_instead() {
    let line =
        "check tests/end_to_end/barrier.yaml --confirm never --property everybody-passes-alone --strategy";
    let two_stage = good(&format!("{line} two-stage"), 1);
    assert!(two_stage.contains("strategy     wa(ta, w=2)\n"), "{two_stage}");
    assert!(two_stage.contains("note[no-trap]: no trap of the property is reachable"), "{two_stage}");
    let one_stage = good(&format!("{line} bfs"), 1);
    assert!(!one_stage.contains("no-trap"), "{one_stage}");
}

#[test]
fn a_shortest_counterexample_of_prefixes_is_searched_breadth_first() {
    let line = "check tests/end_to_end/two-locks.yaml --strategy short --executions";
    let prefixes = run(&format!("{line} prefixes")).stdout;
    assert!(prefixes.contains("strategy     bfs"), "{prefixes}");
    let complete = run(&format!("{line} complete")).stdout;
    assert!(complete.contains("strategy     astar(ta)"), "{complete}");
}

#[test]
fn a_limit_leaves_the_counterexample_and_takes_the_claim_that_it_is_shortest() {
    let line = "check specs/peterson.yaml --property mutual-exclusion --executions complete --adjacency never \
                --no-default-constraints -c task:* --strategy short --confirm never";
    let whole = good(line, 1);
    assert!(whole.contains("strategy     astar(ta); no counterexample is shorter\n"), "{whole}");
    assert!(!whole.contains("cut-short"), "{whole}");
    let cut = good(&format!("{line} --max-states 30"), 1);
    assert!(cut.contains("strategy     astar(ta)\n") && cut.contains("VIOLATED after 2 steps"), "{cut}");
    assert!(cut.contains("note[cut-short]: the state limit ended the search early"), "{cut}");
    let json = good(&format!("{line} --max-states 30 --format json"), 1);
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let result = &json["results"][0];
    assert_eq!((&result["verdict"], &result["claims"]["shortest"]), (&"violated".into(), &false.into()));
}

#[test]
fn several_properties_end_in_a_table() {
    check_text(
        "check tests/end_to_end/barrier.yaml --confirm never",
        1,
        expect![[r#"
            ── everybody-passes-alone ──────────────────────────────────────────────────────────────────────────
            model        tests/end_to_end/barrier.rs
            engine       flow
            executions   complete: only executions in which every task ends
            constraints  none
            graph        11 nodes (9 rendezvous), 38 control and 16 parallel edges; reduced
            strategy     wa(ta, w=2)
            search       12 node-tuples stored, 11 generated, depth 0, 2.7 KiB, T s

            VIOLATED by an execution of 0 steps that ends before the property is satisfied.
              ▲ the execution ends here and the property is not satisfied

            This path may not be an execution. Constraints that reject it:
              -c 'task:worker[0]'  at the end, at most 4 times the node-tuples
              -c 'task:worker[1]'  at the end, at most 4 times the node-tuples
              -c task:barrier      at the end, at most 7 times the node-tuples

            file                           property                verdict   engine  executions  constraints      node-tuples  steps    time
            tests/end_to_end/barrier.yaml  nobody-passes-early     holds     flow    prefixes    task:barrier +3           33      - T s
            tests/end_to_end/barrier.yaml  everybody-passes        holds     flow    complete    task:barrier +3           38      - T s
            tests/end_to_end/barrier.yaml  everybody-passes-alone  violated  flow    complete    none                      12      0 T s

            2 hold, 1 violated
        "#]],
    );
}

#[test]
fn results_of_all_engines_are_one_list_in_the_order_of_the_arguments() {
    let files = "tests/spin/micro/end_strict.pml specs/lock.yaml missing.yaml specs/promela/brp.yaml";
    let line = format!("check {files} --max-states 100");
    let ran = run(&line);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let files: Vec<String> = table(&ran.stdout).into_iter().map(|[file, ..]| file).collect();
    let place = |file: &str| files.iter().position(|it| it == file).unwrap_or_else(|| panic!("{file}"));
    assert!(place("tests/spin/micro/end_strict.pml") < place("specs/lock.yaml"), "{files:?}");
    assert!(place("specs/lock.yaml") < place("missing.yaml"), "{files:?}");
    assert!(place("missing.yaml") < place("specs/promela/brp.yaml"), "{files:?}");
    let document: Value = serde_json::from_str(&run(&format!("{line} --format json")).stdout).expect("JSON");
    let results = document["results"].as_array().expect("a list");
    let engines: Vec<(&str, &str)> = results
        .iter()
        .map(|it| (it["file"].as_str().expect("a text"), it["engine"].as_str().expect("a text")))
        .collect();
    assert_eq!(engines.len() + 1, files.len());
    assert_eq!(engines[0], ("tests/spin/micro/end_strict.pml", "explicit"));
    assert!(engines.contains(&("specs/lock.yaml", "flow")), "{engines:?}");
    assert_eq!(engines.last(), Some(&("specs/promela/brp.yaml", "explicit")));
    for result in results {
        let engine = result["engine"].as_str().expect("a text");
        let other = if engine == "flow" { "explicit" } else { "flow" };
        assert!(result[engine].is_object() && result.get(other).is_none(), "{result}");
    }
}

/// A reader of the steps need not know which engine has made them.
#[test]
fn steps_of_all_engines_have_one_shape() {
    for line in [
        "check specs/lock.yaml --no-default-constraints --confirm never",
        "check examples/promela/philosophers.pml -DBUG -DN=3",
    ] {
        let ran = run(&format!("{line} --format json"));
        let document: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let found = &document["results"][0]["counterexample"];
        let steps = found["steps"].as_array().expect("a list");
        assert_eq!(found["length"], steps.len(), "{line}");
        for step in steps {
            let list =
                |key: &str| step[key].as_array().unwrap_or_else(|| panic!("{line}: {key} of {step}")).clone();
            assert!(!list("processes").is_empty() && step["action"].is_string(), "{line}: {step}");
            assert!(list("places").iter().all(|it| it["file"].is_string() && it["line"].is_u64()), "{step}");
            assert!(
                list("changes").iter().all(|it| it["name"].is_string() && it["to"].is_string()),
                "{step}"
            );
        }
        assert!(steps.iter().any(|it| it["changes"] != serde_json::json!([])), "{line}");
    }
}

#[test]
fn philosophers_exclude_their_neighbours_but_eat_in_any_order() {
    let expected = [
        ("one-at-a-time", "holds"),
        ("someone-eats", "holds vacuously"),
        ("no-second-meal", "violated"),
        ("ordered", "violated"),
    ];
    check_verdicts("check -q tests/end_to_end/philosophers.yaml", 1, &expected);
}

#[test]
fn a_setting_changes_the_model() {
    let files = "check -q tests/end_to_end/buffer.yaml";
    let with = |ahead| [("no-underflow", "holds"), ("at-most-two-ahead", ahead), ("four-puts", "holds")];
    check_verdicts(files, 0, &with("holds"));
    check_verdicts(&format!("{files} --set CAP=3"), 1, &with("violated"));
    let fewer = good("check tests/end_to_end/buffer.yaml --set PRODUCERS=1 --property four-puts", 0);
    assert!(fewer.contains("buffer.rs with PRODUCERS=1\n"), "{fewer}");
    let ran = run("check tests/end_to_end/buffer.yaml --set PRODUCER=1");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean `PRODUCERS`?"), "{}", ran.stderr);
}

#[test]
fn bodies_of_accepts_may_be_nested() {
    let expected = [
        ("work-after-begin", "holds"),
        ("bodies-do-not-overlap", "holds"),
        ("deep-once", "violated"),
        ("deep-thrice", "holds"),
    ];
    for executions in ["complete", "prefixes"] {
        let line = format!("check -q tests/end_to_end/nested.yaml --executions {executions}");
        check_verdicts(&line, 1, &expected);
    }
}

#[test]
fn a_counterexample_shows_how_a_function_was_reached() {
    let text = good("check tests/end_to_end/two-locks.yaml --confirm never", 1);
    let step: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("   1 ")).take(5).collect();
    expect![[r#"
           1   ● │   user[0]  held[0]==false
               │ │     tests/end_to_end/two_locks.rs:5  wait!(!held[k]);
               │ │       in take, called at tests/end_to_end/two_locks.rs:10
               │ │       in with_both, called at tests/end_to_end/two_locks.rs:18
               │ │     task:user[0]: start → p1"#]]
    // The margin that all lines share is not part of an expectation.
    .assert_eq(&step.iter().map(|line| &line[3..]).collect::<Vec<_>>().join("\n"));
    let ran = run("check tests/end_to_end/two-locks.yaml --confirm never --format json");
    let document: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let stack = &document["results"][0]["counterexample"]["steps"][0]["places"][0]["stack"];
    assert_eq!(stack.as_array().map(Vec::len), Some(2), "{stack}");
}

#[test]
fn existence_is_judged_where_executions_end() {
    let line = "check tests/end_to_end/barrier.yaml --property everybody-passes";
    let text = good(line, 0);
    assert!(text.contains("executions   complete: "), "{text}");
    let ran = run(&format!("{line} --executions prefixes"));
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error[executions]: `everybody-passes` is not a safety property"));
}

#[test]
fn assumptions_are_told() {
    let text = good("check specs/handshake.yaml --property no-reset", 0);
    assert!(
        text.contains("assumes      no-old-packets; not checked, but the verdict depends on it\n"),
        "{text}"
    );
    let text = good("check specs/handshake.yaml", 0);
    assert!(text.contains("assumed, not checked: no-old-packets (for no-reset)\n"), "{text}");
    let document = json("check specs/handshake.yaml --property no-reset", 0);
    assert_eq!(document["results"][0]["flow"]["assumptions"][0], "no-old-packets");
}

// Mistakes.

#[test]
fn mistakes_are_told_where_they_are() {
    let cases = [
        (
            "check specs/lock.yaml --model no-such.rs",
            "error[file-missing]: the model `no-such.rs` does not exist\n",
        ),
        ("graph automaton examples/lock.rs", "`examples/lock.rs` is a task model, not a property file"),
        (
            "check specs/lock.yaml --set N=99999999999999999999",
            "`99999999999999999999` does not fit in 64 bits",
        ),
        ("check specs/lock.yaml --max-states -5", "expected a number such as 20000, 10k or 5M"),
        ("check specs/lock.yaml --timeout -1s", "expected a time such as 10s, 5m or 1h30m"),
        ("check specs/lock.yaml -c variable:lockd", "did you mean `locked`?"),
        ("check specs/lock.yaml -c taks:t1", "did you mean `task:t1`?"),
    ];
    for (line, expected) in cases {
        let ran = run(line);
        assert_eq!(ran.code, 2, "{line}");
        assert!(ran.stderr.contains(expected), "{line}: {}", ran.stderr);
    }
    let ran = run("check specs/lock.yaml --model no-such.rs");
    assert!(!ran.stderr.contains("lock.yaml"), "the property file is not at fault: {}", ran.stderr);
}

#[test]
fn a_label_that_is_missing_may_have_been_abstracted() {
    let folder = folder("abstracted");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("the folder is ours");
    write("model.rs", "#[task] fn t() { evnt(a); }\n");
    write("property.yaml", "model: model.rs\nevents: [a]\nnone: a\n");
    let ran = run(&format!("check {}", folder.join("property.yaml").display()));
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.starts_with("error[spec-event]: no label of the model matches `a`\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("note[task-abstracted]"), "{}", ran.stderr);
    remove(&folder);
}

// Exit codes.

#[test]
fn the_exit_code_tells_the_verdict() {
    let lock = "check specs/lock.yaml";
    good(lock, 0);
    good(&format!("{lock} --no-default-constraints"), 0);
    good(&format!("{lock} --no-default-constraints --confirm never"), 1);
    good(&format!("{lock} --no-default-constraints --confirm-states 1"), 3);
    assert_eq!(run("check specs/no-such.yaml").code, 2);
    good(&format!("{lock} --max-states 1"), 3);
    good("check tests/end_to_end/philosophers.yaml --property someone-eats", 3);
}

#[test]
fn the_worst_of_several_verdicts_counts() {
    let philosophers = "tests/end_to_end/philosophers.yaml";
    good(&format!("check specs/lock.yaml {philosophers} --property *o*"), 1);
    let ran = run(&format!("check {philosophers} specs/no-such.yaml"));
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.ends_with("1 holds, 1 vacuous, 2 violated, 1 not checked\n"), "{}", ran.stdout);
}

// JSON.

#[track_caller]
fn json(line: &str, code: i32) -> Value {
    let text = good(&format!("{line} --format json"), code);
    let document: Value = serde_json::from_str(&text).expect("standard output is JSON");
    assert_eq!(document["exit_code"], code, "{line}");
    document
}

/// Removes what a clock said.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !key.ends_with("elapsed_seconds"));
            map.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// Runs with every verdict.
const RUNS: [(&str, i32); 10] = [
    ("check specs/handshake.yaml specs/lock.yaml", 0),
    (
        "check specs/lock.yaml --no-default-constraints --graph faithful --executions complete --confirm never",
        1,
    ),
    ("check specs/lock.yaml --no-default-constraints --graph faithful --executions complete", 0),
    ("check specs/lock.yaml --no-default-constraints --confirm-states 1", 3),
    ("check specs/handshake.yaml --no-default-constraints", 1),
    ("check specs/peterson.yaml specs/readers-writers.yaml --no-default-constraints --confirm always", 0),
    ("check specs/lock.yaml --max-states 1 --max-memory 1G --timeout 1m", 3),
    ("check tests/end_to_end/philosophers.yaml -c task:*", 1),
    ("check tests/end_to_end/two-locks.yaml --adjacency always", 1),
    ("check tests/end_to_end/nested.yaml --set N=3", 2),
];

#[test]
fn reports_do_not_change_from_run_to_run() {
    for (line, code) in RUNS {
        let text = run(line);
        let again = run(line);
        assert_eq!(text.code, code, "{line}: {}", text.stderr);
        assert_eq!((masked(&text.stdout), &text.stderr), (masked(&again.stdout), &again.stderr), "{line}");
        let document = || {
            let mut value: Value = serde_json::from_str(&run(&format!("{line} --format json")).stdout)
                .expect("standard output is JSON");
            without_times(&mut value);
            // As text, so that the order of keys counts.
            value.to_string()
        };
        assert_eq!(document(), document(), "{line}");
    }
}

#[test]
fn reports_follow_their_schema() {
    let schema: Value = serde_json::from_str(&good("schema report", 0)).expect("the schema is JSON");
    for (line, code) in RUNS {
        let ran = run(&format!("{line} --format json"));
        let document: Value = serde_json::from_str(&ran.stdout).expect("standard output is JSON");
        assert_eq!((ran.code, &document["exit_code"]), (code, &Value::from(code)), "{line}");
        assert_eq!(faults(&document, &schema), Vec::<String>::new(), "{line}");
    }
}

// Pictures.

#[test]
fn the_graph_of_the_lock_in_dot() {
    let faithful = good("graph tfg specs/lock.yaml --graph faithful", 0);
    let count = |text: &str, part: &str| text.lines().filter(|line| line.contains(part)).count();
    let counts =
        ["shape=diamond", "shape=triangle", "label=\"end t", "style=dashed"].map(|it| count(&faithful, it));
    assert_eq!(counts, [2, 2, 2, 1], "{faithful}");
    assert!(faithful.starts_with("digraph ") && faithful.ends_with("}\n"));
    assert_eq!(faithful.matches('{').count(), faithful.matches('}').count());
    let dashed = faithful.lines().find(|line| line.contains("style=dashed")).expect("there is one");
    assert!(dashed.contains("dir=both"), "{dashed}");
    let reduced = good("graph tfg specs/lock.yaml", 0);
    assert_eq!([count(&reduced, "shape=diamond"), count(&reduced, "style=dashed")], [2, 0], "{reduced}");
    let alone = good("graph tfg specs/lock.yaml --graph faithful --no-parallel", 0);
    assert_eq!(count(&alone, "style=dashed"), 0);
    let more = good("graph tfg specs/lock.yaml -c variable:locked", 0);
    assert_eq!(count(&more, "t2.locked="), 5, "{more}");
}

#[test]
fn control_flow_and_automata_in_dot() {
    let flow = good("graph cfg examples/lock.rs --task t1", 0);
    assert!(flow.contains("call t2.lock") && !flow.contains("accept t2.lock"), "{flow}");
    let automaton = good("graph automaton specs/lock.yaml", 0);
    assert!(automaton.contains("label=\"trap\", shape=circle"), "{automaton}");
    let variable = good("graph automaton specs/lock.yaml -c variable:locked", 0);
    assert!(variable.contains("label=\"?\", shape=doublecircle"), "{variable}");
}

#[test]
fn the_graph_of_the_lock_in_svg() {
    let text = good("graph tfg specs/lock.yaml --graph faithful --format svg", 0);
    well_formed(&text);
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("<polygon class=\"node rendezvous\""), 2);
    assert_eq!(count("<polygon class=\"node end\""), 2);
    assert_eq!(count("<path class=\"mip\""), 1);
    assert!(text.contains("stroke-dasharray"));
}

#[test]
fn pictures_are_well_formed_and_always_the_same() {
    let folder = folder("pictures");
    let pictures = [
        "graph cfg examples/gas_station.rs",
        "graph tfg examples/handshake.rs",
        "graph tfg specs/handshake.yaml --property no-reset -c task:*",
        "graph automaton specs/handshake.yaml --property alice-first",
        "graph automaton specs/gas-station.yaml --property pump-exclusive -c task:*",
        "graph cfg tests/end_to_end/two_locks.rs",
    ];
    for line in pictures {
        let draw = |name: &str| {
            let path = folder.join(name);
            assert_eq!(good(&format!("{line} -o {}", path.display()), 0), "");
            std::fs::read_to_string(path).expect("the picture was written")
        };
        let svg = draw("picture.svg");
        well_formed(&svg);
        assert!(svg.starts_with("<svg "), "{line}");
        assert_eq!(svg, draw("again.SVG"), "{line}");
        let dot = draw("picture.dot");
        assert!(dot.starts_with("digraph "), "{line}");
        assert_eq!(dot, draw("again.gv"), "{line}");
    }
    remove(&folder);
}

/// Leaves nothing behind in the temporary folder.
fn remove(folder: &Path) {
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

/// Checks that elements nest, attributes are quoted, and special characters
/// are escaped.
#[track_caller]
fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim_end();
    while let Some(start) = rest.find('<') {
        escaped(&rest[..start]);
        let end = rest[start..].find('>').expect("a tag ends") + start;
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            assert_eq!(inner.matches('"').count() % 2, 0, "{tag}");
            escaped(inner);
            if inner.len() == tag.len() {
                open.push(inner.split(' ').next().expect("a tag has a name"));
            }
        }
        rest = &rest[end + 1..];
        assert!(!open.is_empty() || rest.is_empty(), "text after the end: {rest}");
    }
    assert_eq!((open.len(), rest), (0, ""));
}

#[track_caller]
fn escaped(text: &str) {
    for (at, _) in text.match_indices('&') {
        let name = text[at + 1..].split(';').next().unwrap_or_default();
        assert!(["amp", "lt", "gt", "quot", "apos"].contains(&name) || name.starts_with('#'), "{text}");
    }
}
