//! Counterexamples of the flow engine that the explicit engine confirms, refutes or does not decide, as
//! a user sees them.

use crate::folder::Folder;
use expect_test::{Expect, expect};
use serde_json::Value;
use std::process::Command;

fn run(line: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS")
        .args(line.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Compares the text after the head of the report.
#[track_caller]
fn check(line: &str, code: i32, expected: Expect) {
    let (found, stdout, stderr) = run(line);
    assert_eq!((found, stderr.as_str()), (code, ""), "{stdout}");
    let (_, rest) = stdout.split_once("\n\n").expect("a head and a rest");
    expected.assert_eq(rest);
}

#[test]
fn a_spurious_counterexample_is_explained() {
    check(
        "check specs/readers-writers.yaml --no-default-constraints",
        0,
        expect![[r#"
            HOLDS: no execution violates the property; 17 reachable states were visited.

            The counterexample of the flow engine is spurious: no execution has its events in this order.
              ↓ same task   ⇢ another task   ◀ event of the property

                   ┌ writer[0]
                   │ ┌ controller
                   │ │ ┌ reader[0]
               1   ●─● │   writer[0] → controller  controller.start_write  ◀ enter
                   │ │ │     writer[0] at examples/readers_writers.rs:33  call!(controller.start_write);
                   │ │ │     controller at examples/readers_writers.rs:15  when !writing && readers == 0 => acc…
                   │ │ │     property: quiet → writing
               2 ↓ │ ●─●   reader[0] → controller  controller.start_read   ◀ read
                   │ │ │     reader[0] at examples/readers_writers.rs:24  call!(controller.start_read);
                   │ │ │     controller at examples/readers_writers.rs:13  when !writing => accept!(start_read)…
                   │ │ │     property: writing → trap
              ▲ step 2 cannot happen:
                `controller.writing` is true here, so the guard in line 13 is false

            Constraints that reject it, for a proof by the flow engine:
              -c task:controller -c variable:controller.writing  at step 2, at most 18 times the node-tuples

            The flow engine proves the property with
              -c task:controller -c variable:controller.writing -c 'task:writer[0]' -c 'task:writer[1]'

            exclusive-writing: holds
        "#]],
    );
}

#[test]
fn an_execution_is_shown_instead_of_the_path() {
    let folder = Folder::new("confirm-execution");
    let model = "static mut open: bool = false;\n#[task]\nfn writer() {\n    while any!() {\n        open = true;\n        event!(write);\n        open = false;\n    }\n}\n#[task]\nfn closer() {\n    wait!(open);\n    event!(close);\n}\n";
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: [write, close], none: '.* ; close ; write ; .*'}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let path = folder.join("p.yaml").display().to_string();
    let (code, stdout, _) = run(&format!("check {path} -c task:*"));
    let (_, rest) = stdout.split_once("\n\n").expect("a head and a rest");
    assert_eq!(code, 1, "{stdout}");
    let rest = rest.replace(&folder.join("m.rs").display().to_string(), "m.rs");
    expect![[r#"
        VIOLATED after 4 steps: the sequence of events violates the property.

            1  writer  open = true  m.rs:5:9
                       open = true
            2  closer  open  m.rs:12:11
            3  closer  event!(close)  ◀ close  m.rs:13:5
            4  writer  event!(write)  ◀ write  m.rs:6:9

        At the end:
          open = true

        The counterexample of the flow engine is confirmed: this is an execution.

        q: violated
    "#]]
    .assert_eq(&rest);
}

#[test]
fn a_budget_that_ends_leaves_the_counterexample_possible_or_spurious() {
    check(
        "check specs/peterson.yaml --property mutual-exclusion --no-default-constraints --confirm-states 100",
        3,
        expect![[r#"
            INCONCLUSIVE: the flow engine found a violation after 2 steps; this path may be an execution.
            The explicit engine did not decide it: its budget of 100 states ended; raise --confirm-states.
              ↓ same task   ⇢ another task   ◀ event of the property

                   ┌ process[0]
                   │ ┌ process[1]
               1   ● │   process[0]  enter[0]  ◀ enter
                   │ │     examples/peterson.rs:24  event!(enter[i]);
                   │ │     property: 0 → 1
               2 ⇢ │ ●   process[1]  enter[1]  ◀ enter
                   │ │     examples/peterson.rs:24  event!(enter[i]);
                   │ │     property: 1 → trap
              ▲ violated here by every continuation

            Constraints that reject it:
              -c 'variable:level[0]' -c 'variable:level[1]' -c 'variable:last[0]' -c 'variable:last[1]' -c 'task:process[0]' -c 'task:process[1]' -c 'task:process[2]'  at step 2, at most 247,808 times the node-tuples
            Sets of constraints that reject it:
              -c constraints/peterson.yaml#first-two-exclude-reduced  at step 2, at most 247,808 times the node-tuples
              -c constraints/peterson.yaml#mutual-exclusion-reduced   at step 2, at most 1,362,944 times the node-tuples

            mutual-exclusion: inconclusive
        "#]],
    );
    let (code, stdout, _) = run("check specs/lock.yaml --no-default-constraints --confirm-states 1");
    assert_eq!(code, 3, "{stdout}");
    assert!(
        stdout.contains(
            "INCONCLUSIVE: the flow engine found a violation after 2 steps; this path may be an execution."
        ),
        "{stdout}"
    );
    assert!(stdout.ends_with("no-double-lock: inconclusive\n"), "{stdout}");
}

#[test]
fn the_budget_can_be_raised_or_removed() {
    let line = "check specs/peterson.yaml --property mutual-exclusion --no-default-constraints -q";
    assert_eq!(run(&format!("{line} --confirm-states 100")).0, 3);
    assert_eq!(run(&format!("{line} --confirm-states 10k")).0, 0);
    assert_eq!(run(&format!("{line} --confirm always")).0, 0);
    // Limits of the run hold all the same.
    assert_eq!(run(&format!("{line} --confirm always --max-states 100")).0, 3);
    assert_eq!(run(&format!("{line} --confirm never")).0, 1);
    for flag in ["--confirm-states 5", "--confirm-memory 1G", "--confirm-time 1s"] {
        for when in ["never", "always"] {
            let (code, _, stderr) = run(&format!("{line} --confirm {when} {flag}"));
            assert!(code == 2 && stderr.contains("is only for `--confirm auto`"), "{stderr}");
        }
        let (code, _, stderr) = run(&format!("check specs/lock.yaml --engine explicit {flag}"));
        assert!(code == 2 && stderr.contains("is only for the flow engine"), "{flag}: {stderr}");
    }
}

/// A model that the explicit engine refuses is still checked by the flow engine.
#[test]
fn a_model_that_the_explicit_engine_refuses_is_inconclusive() {
    let folder = Folder::new("confirm-refused");
    let model = "#[task(i in 0..300)] fn t(i: usize) { event!(e(i)); }\n";
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: {a: 'e(0)', b: 'e(1)'}, none: '.* ; a ; .* ; b ; .*'}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let (code, stdout, stderr) = run(&format!("check {}", folder.join("p.yaml").display()));
    assert_eq!(code, 3, "{stdout}{stderr}");
    let why = "The explicit engine cannot decide it: the explicit engine supports at most 254 tasks";
    assert!(stdout.contains(why), "{stdout}");
}

#[test]
fn the_document_has_both_engines() {
    let result = |line: &str| -> Value {
        let (_, stdout, _) = run(&format!("{line} --format json"));
        let document: Value = serde_json::from_str(&stdout).expect("it is JSON");
        document["results"][0].clone()
    };
    let refuted = result("check specs/lock.yaml --no-default-constraints");
    assert_eq!((&refuted["verdict"], &refuted["engine"]), (&"holds".into(), &"explicit".into()));
    let confirmation = &refuted["confirmation"];
    assert_eq!((&confirmation["outcome"], &confirmation["execution"]), (&"refuted".into(), &false.into()));
    assert_eq!(confirmation["impossible"]["step"], 2);
    assert_eq!(confirmation["path"]["steps"].as_array().map(Vec::len), Some(2));
    assert_eq!(confirmation["path"]["proposals"]["rejecting"][0]["arguments"], "-c task:t1");
    assert_eq!(refuted["counterexample"], Value::Null);
    let confirmed = result("check specs/handshake.yaml --no-default-constraints --property no-reset");
    assert_eq!((&confirmed["verdict"], &confirmed["engine"]), (&"violated".into(), &"explicit".into()));
    assert_eq!(confirmed["confirmation"]["outcome"], "confirmed");
    assert!(confirmed["counterexample"]["last"]["number"].is_string());
    let open = result("check specs/lock.yaml --no-default-constraints --confirm-states 1");
    assert_eq!((&open["verdict"], &open["engine"]), (&"inconclusive".into(), &"flow".into()));
    assert_eq!(open["confirmation"]["why"], "its budget of 1 state ended; raise --confirm-states");
    let never = result("check specs/lock.yaml --no-default-constraints --confirm never");
    assert!(never.get("confirmation").is_none() && never["verdict"] == "violated");
}

/// The real execution of a confirmed violation replays.
#[test]
fn a_confirmed_execution_replays() {
    let folder = Folder::new("confirm-replay");
    let report = folder.join("report.json").display().to_string();
    let line = "check specs/handshake.yaml --no-default-constraints --property no-reset";
    assert_eq!(run(&format!("{line} -o {report}")).0, 1);
    let (code, stdout, stderr) = run(&format!("simulate examples/handshake.rs --trail {report}"));
    assert!(code == 1 && stdout.contains("violated"), "{code} {stdout}{stderr}");
}

/// A rule is proved for all executions, not only for those that satisfy the assumptions in use:
/// after `rush`, which is assumed not to happen, `low` comes as often as it likes.
#[test]
fn a_learned_rule_does_not_depend_on_assumptions() {
    let folder = Folder::new("confirm-learned");
    let model = "
#[task] fn server() {
    loop {
        select! {
            accept!(hi) => { event!(high); }
            else => { select! { accept!(lo) => { event!(low); } else => {} } }
        }
    }
}
#[task] fn a() { event!(want); call!(server.hi); }
#[task] fn b() { loop { call!(server.lo); } }
#[task] fn r() { if any!() { event!(rush); event!(low); event!(low); } }
";
    let property = "name: soon\nmodel: m.rs\nevents: [want, low, high]\nconstraints: [no-rush.yaml, \"task:*\"]\nnone: \".* ; want ; low ; low ; .*\"\n";
    let assumption = "{name: no-rush, events: [rush], none: '.* ; rush ; .*'}";
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("the folder is writable");
        folder.join(name).display().to_string()
    };
    write("m.rs", model);
    write("no-rush.yaml", assumption);
    let path = write("p.yaml", property);
    let (code, stdout, stderr) = run(&format!("check {path} --format json"));
    assert_eq!(code, 0, "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let learned = &document["results"][0]["confirmation"]["learned"];
    assert_eq!(learned["proved"], true, "{stdout}");
    let rule = format!("model: m.rs\n{}", learned["text"].as_str().expect("it is a file"));
    let (code, stdout, stderr) = run(&format!("check {} --engine explicit", write("rule.yaml", &rule)));
    assert_eq!(code, 0, "the rule is false: {stdout}{stderr}");
    // The verdict says what it assumes.
    let (code, stdout, _) = run(&format!("refine {path}"));
    assert!(code == 0 && stdout.contains("assumed, not checked: no-rush\n"), "{stdout}");
}

/// A task that can take the other branch of an `if` or leave a loop does not wait.
#[test]
fn only_a_task_that_cannot_move_waits() {
    let folder = Folder::new("confirm-waits");
    let model = "
static mut mode: int!(0..=2) = 0;
#[task] fn watch() {
    let mut n: int!(0..=3) = 0;
    while n < 3 {
        wait!(mode == 1);
        n += 1;
    }
    event!(alarm);
}
#[task] fn other() { event!(start); mode = 1; }
";
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: [alarm, start], all: {pattern: precedence, first: start, before: alarm}}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let (code, stdout, _) = run(&format!("check {}", folder.join("p.yaml").display()));
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains("`watch` waits in line 6: `mode` is 0 here, so the condition is false"),
        "{stdout}"
    );
}

/// A proof that rests on executions that end in an error says so, in a table too.
#[test]
fn errors_of_executions_are_not_hidden() {
    let folder = Folder::new("confirm-errors");
    let model =
        "static mut n: int!(0..=1) = 0;\n#[task] fn t() { n += 1; event!(one); n += 1; event!(two); }\n";
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "model: m.rs\nevents: [two]\nproperties:\n  - {name: a, none: '.* ; two ; .*'}\n  - {name: b, none: 'two ; .*'}\n";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let (code, stdout, stderr) = run(&format!("check {}", folder.join("p.yaml").display()));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("end in an error; `trapline check "), "{stdout}");
}
