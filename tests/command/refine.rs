//! `trapline refine`, as a user runs it.

use crate::folder::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn run(arguments: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .env("LC_ALL", "C.UTF-8")
        .arg("refine")
        .args(arguments.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

#[test]
fn constraints_are_added_until_the_property_is_proved() {
    let (code, stdout, stderr) = run("specs/gas-station.yaml --no-default-constraints --property activate-*");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("activate-once-per-prepay\n  round 1  violated after 3 steps"), "{stdout}");
    let first =
        "add -c task:operator, which rejects step 3, and -c 'task:pump[0]' -c 'variable:waiting[0]'\n";
    assert!(stdout.contains(first), "{stdout}");
    let end = "activate-once-per-prepay: holds\n";
    assert!(
        stdout.contains("; 1 of 5 were not needed\n  the explicit engine proves it too, with 241 states; ")
    );
    assert!(
        stdout.contains("  proved in 4 rounds with -c task:operator -c 'variable:waiting[0]' "),
        "{stdout}"
    );
    assert!(stdout.ends_with(end), "{stdout}");
    let (code, stdout, _) = run("specs/gas-station.yaml --property change-*");
    assert!(code == 0 && stdout.contains("proved in 1 round with no more constraints"), "{stdout}");
    let (code, stdout, _) = run("specs/gas-station.yaml --no-default-constraints --quiet --set N=3");
    assert_eq!((code, stdout.lines().count()), (0, 5), "{stdout}");
}

#[test]
fn a_real_violation_is_shown_as_an_execution() {
    let (code, stdout, _) = run("specs/handshake.yaml --no-default-constraints --property no-reset");
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("no task or variable rejects it\n"), "{stdout}");
    assert!(stdout.contains("by the explicit engine\n") && stdout.contains("◀ reset"), "{stdout}");
    assert!(stdout.ends_with("\nno-reset: violated\n"), "{stdout}");
    // Under its assumption the property holds.
    let (code, stdout, _) = run("specs/handshake.yaml --property no-reset");
    assert_eq!(code, 0, "{stdout}");
}

#[test]
fn wrong_uses_are_refused() {
    for (arguments, message) in [
        ("examples/lock.rs", "is a task model, not a property file"),
        ("specs/lock.yaml --property nothing", "its properties are `no-double-lock`"),
        ("specs/promela/peterson.yaml", "is not an order of events of a task model"),
        ("specs/missing.yaml", "does not exist"),
        ("specs/lock.yaml -c task:nobody", "no task is named `nobody`"),
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert!(code == 2 && stderr.contains(message), "{arguments}: {code} {stdout}{stderr}");
    }
}

#[test]
fn limits_end_the_loop() {
    let folder = Folder::new("refine-limits");
    let tasks = "#[task(i in 0..9)] fn t(i: usize) { loop { x[i] = any!(); if x[i] > 6 { event!(e(i)); } } }";
    let model = format!("static mut x: [int!(0..=9); 9] = [0; 9];\n{tasks}\n");
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: {a: \"e(*)\"}, all: \"a{0,9}\"}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let (code, stdout, stderr) = run(&format!("{} --timeout 1ms", folder.join("p.yaml").display()));
    assert_eq!(code, 3, "{stdout}{stderr}");
}

/// A task that accesses a variable so often that the graph with the variable exceeds the budget of
/// the tests, and a counterexample that is too long for them.
#[test]
fn constraints_that_were_not_tested_are_not_called_useless() {
    let folder = Folder::new("refine-budget");
    let accesses = "x = true;\n".repeat(12_000);
    let model = format!("static mut x: bool = false;\n#[task]\nfn t() {{ event!(a);\n{accesses} }}\n");
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: [a], none: \"a\"}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let path = folder.join("p.yaml").display().to_string();
    let check = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
        let output = command
            .args(["check", &path, "--confirm", "never"])
            .args(more)
            .output()
            .expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = check(&[]);
    assert!(text.contains("not all of them were tested"), "{text}");
    assert!(check(&["--format", "json"]).contains("\"complete\": false"));
    // Every event is in the property, so the path to the last one has 2,100 steps.
    let events: String = (0..2_100).map(|number| format!("event!(e({number}));\n")).collect();
    let model = format!("#[task]\nfn t() {{ {events} }}\n");
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let property = "{model: m.rs, name: q, events: {a: \"e(*)\"}, none: \"a{2100}\", constraints: [task:t]}";
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let report = check(&["--format", "json"]);
    assert!(report.contains("\"length\": 2100,") && report.contains("\"proposals\": null"), "too short");
}

/// Copies the shipped files of one model into a folder.
fn copied(name: &str, files: &[&str]) -> Folder {
    let folder = Folder::new(name);
    for file in files {
        let target = folder.join(file);
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("it is writable");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), target).expect("it is shipped");
    }
    folder
}

fn run_in(folder: &Path, arguments: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .env("LC_ALL", "C.UTF-8")
        .arg("refine")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

const HANDSHAKE: &[&str] = &[
    "examples/handshake.rs",
    "specs/handshake.yaml",
    "constraints/handshake.yaml",
    "constraints/no-old-packets.yaml",
];

#[test]
fn the_constraints_of_a_proof_are_written_and_nothing_else_changes() {
    let folder = copied("refine-write", &["examples/lock.rs", "examples/gas_station.rs"]);
    fs::create_dir(folder.join("specs")).expect("it is writable");
    let lock = "\u{feff}# head\r\nname: p\r\nmodel: ../examples/lock.rs\r\nevents:\r\n  lock: t2.lock # one\r\n  unlock: t2.unlock\r\nnone: \".* ; lock ; [-unlock]* ; lock ; .*\"";
    let path = folder.join("specs/p.yaml");
    fs::write(&path, lock).expect("it is writable");
    let (code, stdout, stderr) = run_in(&folder, "specs/p.yaml --write");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let expected = lock.replace("t2.unlock\r\n", "t2.unlock\r\nconstraints: [task:t1]\r\n");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), expected);
    assert!(stdout.contains("  the constraints are in specs/p.yaml\np: holds\n"), "{stdout}");
    // Again, and with what the file names: nothing changes.
    for arguments in ["specs/p.yaml --write", "specs/p.yaml --write --no-default-constraints"] {
        assert_eq!(run_in(&folder, arguments).0, 0);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), expected);
    }
    // A shared key, several properties at once.
    let shipped = fs::read_to_string("specs/gas-station.yaml").expect("it is shipped");
    let own: Vec<&str> = shipped.lines().filter(|it| !it.starts_with("    constraints:")).collect();
    let text = own.join("\n").replacen("properties:", "constraints: task:operator\nproperties:", 1);
    let path = folder.join("specs/gas.yaml");
    fs::write(&path, &text).expect("it is writable");
    assert_eq!(run_in(&folder, "specs/gas.yaml --write --no-default-constraints").0, 0);
    let written = fs::read_to_string(&path).expect("it is there");
    let kept: Vec<&str> = written.lines().filter(|it| !it.starts_with("    constraints:")).collect();
    assert_eq!(kept.join("\n"), text);
    assert!(written.contains("\n    constraints: [\"task:pump[0]\"]\n    all:"), "{written}");
    let check = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .args(["check", "specs/gas.yaml", "-q"])
        .current_dir(&*folder)
        .output()
        .expect("the program starts");
    assert_eq!(check.status.code(), Some(0));
}

#[test]
fn without_a_proof_nothing_is_written() {
    let folder = copied("refine-unwritten", HANDSHAKE);
    let before = fs::read_to_string(folder.join("specs/handshake.yaml")).expect("it is there");
    let arguments = "specs/handshake.yaml --property no-reset --no-default-constraints --write";
    let (code, stdout, _) = run_in(&folder, arguments);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("without a proof by the flow engine, nothing is written\n"), "{stdout}");
    // An anchor that another property uses cannot be changed.
    let text = "model: ../examples/handshake.rs\nproperties:\n- name: p\n  constraints: &c []\n  events: &e {a: alice_established, b: peer_established}\n  all: {pattern: precedence, first: a, before: b}\n- name: q\n  constraints: *c\n  events: *e\n  all: {pattern: precedence, first: a, before: b}\n";
    fs::write(folder.join("specs/a.yaml"), text).expect("it is writable");
    let (code, _, stderr) = run_in(&folder, "specs/a.yaml --property p --write");
    assert!(code == 2 && stderr.contains("help: write them by hand: `constraints: ["), "{stderr}");
    assert_eq!(fs::read_to_string(folder.join("specs/a.yaml")).expect("it is there"), text);
    assert_eq!(fs::read_to_string(folder.join("specs/handshake.yaml")).expect("it is there"), before);
}

/// Files and sets of the folder `constraints` are proposed apart, wherever the folder is; those that
/// cannot be read or do not fit are skipped.
#[test]
fn assumptions_are_proposed_apart_and_added_on_request() {
    let folder = copied("refine-assume", HANDSHAKE);
    fs::write(folder.join("constraints/broken.yaml"), "sets: [").expect("it is writable");
    fs::write(folder.join("constraints/other.yaml"), "sets: {x: task:nobody}").expect("it is writable");
    fs::write(folder.join("constraints/all.yaml"), "sets: {x: \"task:*\"}").expect("it is writable");
    let check = |folder: &Path, file: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
        command.env("LC_ALL", "C.UTF-8").args(["check", file, "--no-default-constraints"]);
        command.args(["--property", "no-reset"]).args(more).current_dir(folder);
        let output = command.output().expect("the program starts");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    };
    let group = "Assumptions that would reject it, not checked:\n  -c ";
    let text = check(&folder, "specs/handshake.yaml", &[]);
    assert!(
        text.contains(&format!("{group}constraints/handshake.yaml#no-reset-reduced  at step 1")),
        "{text}"
    );
    assert!(!["broken", "other.yaml", "all.yaml"].iter().any(|it| text.contains(it)), "{text}");
    let text = check(&folder.join("specs"), "handshake.yaml", &[]);
    assert!(text.contains(&format!("{group}../constraints/handshake.yaml#no-reset-reduced  ")), "{text}");
    let json: Value = serde_json::from_str(&check(
        &folder,
        "specs/handshake.yaml",
        &["--confirm", "never", "--format", "json"],
    ))
    .expect("it is JSON");
    let proposals = &json["results"][0]["counterexample"]["proposals"];
    assert_eq!(proposals["rejecting"].as_array().map(Vec::len), Some(0));
    assert_eq!(proposals["assumptions"][0]["arguments"], "-c constraints/handshake.yaml#no-reset-reduced");
    // Only on request is an assumption added, and it is named.
    let arguments = "specs/handshake.yaml --no-default-constraints --property no-reset";
    let (code, stdout, _) = run_in(&folder, arguments);
    assert!(code == 1 && stdout.contains("#no-reset-reduced, not checked, would reject"), "{stdout}");
    let (code, stdout, _) = run_in(&folder, &format!("{arguments} --assume --write"));
    assert!(code == 0 && stdout.contains("add the assumption -c constraints/handshake.yaml#"), "{stdout}");
    assert!(stdout.contains("assumed, not checked: no-old-packets"), "{stdout}");
    // The file names this set already.
    let shipped = fs::read_to_string("specs/handshake.yaml").expect("it is shipped");
    assert_eq!(fs::read_to_string(folder.join("specs/handshake.yaml")).expect("it is there"), shipped);
    // Without it, the path is relative to the file.
    let without = shipped.replace("    constraints: ../constraints/handshake.yaml#no-reset-reduced\n", "");
    fs::write(folder.join("specs/handshake.yaml"), without).expect("it is writable");
    assert_eq!(run_in(&folder, &format!("{arguments} --assume --write")).0, 0);
    let written = fs::read_to_string(folder.join("specs/handshake.yaml")).expect("it is there");
    assert!(written.contains("    constraints: [../constraints/handshake.yaml#no-reset-"), "{written}");
}

/// The flow engine sees complete executions where two tasks wait for each other
/// for ever; the explicit engine does not.
#[test]
fn a_proof_about_no_execution_is_vacuous() {
    let model = "static mut x: bool = false;
static mut y: bool = false;
static mut z: bool = false;
#[task] fn a() { wait!(x); y = true; }
#[task] fn b() { wait!(y); x = true; }
#[task] fn c() { if z { event!(two); } }";
    let property = "name: never-two
model: m.rs
executions: complete
events: { two: two }
none: '.* ; two ; .*'";
    let folder = Folder::new("refine-vacuous");
    fs::write(folder.join("m.rs"), model).expect("it is writable");
    fs::write(folder.join("p.yaml"), property).expect("it is writable");
    let (code, stdout, _) = run_in(&folder, "p.yaml --write");
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("  proved in 2 rounds with -c variable:z\n"), "{stdout}");
    assert!(stdout.contains("  no execution ends, says the explicit engine"), "{stdout}");
    assert!(stdout.contains("  the proof is vacuous, so nothing is written\n"), "{stdout}");
    assert!(stdout.ends_with("never-two: holds vacuously\n"), "{stdout}");
    let (code, stdout, _) = run_in(&folder, "p.yaml -c variable:x -c variable:y -c task:a -c task:b");
    assert_eq!(code, 3, "{stdout}");
    let none = "no execution satisfies -c variable:x -c variable:y -c task:a -c task:b\n";
    assert!(stdout.contains(none), "{stdout}");
}

#[test]
fn results_are_also_json() {
    let folder = Folder::new("refine-json");
    let path = folder.join("refined.json");
    let arguments = "specs/gas-station.yaml --no-default-constraints --property activate-* -o";
    let (code, stdout, stderr) = run(&format!("{arguments} {}", path.display()));
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
    let text = fs::read_to_string(&path).expect("it was written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let result = &document["results"][0];
    assert_eq!((&document["schema_version"], &document["exit_code"]), (&1.into(), &0.into()));
    assert_eq!(result["property"], "activate-once-per-prepay");
    assert_eq!((&result["verdict"], &result["engine"]), (&"holds".into(), &"flow".into()));
    assert_eq!((&result["minimal"], &result["limit"]), (&true.into(), &Value::Null));
    let n = |it: &Value| it.as_array().expect("it is a list").len();
    let rounds = result["rounds"].as_array().expect("it is a list");
    let added: usize =
        rounds.iter().flat_map(|it| it["added"].as_array()).flatten().map(|it| n(&it["constraints"])).sum();
    assert_eq!(added, n(&result["needed"]) + n(&result["dropped"]));
    assert_eq!((n(&result["needed"]), n(&result["report"]["flow"]["constraints"])), (4, 4));
    let (code, stdout, _) =
        run("specs/handshake.yaml --no-default-constraints --property no-reset --format json");
    let document: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let result = &document["results"][0];
    assert_eq!((code, &result["engine"], &result["verdict"]), (1, &"explicit".into(), &"violated".into()));
    assert_eq!(result["assumptions"][0], "-c constraints/handshake.yaml#no-reset-reduced");
    assert!(n(&result["report"]["counterexample"]["steps"]) > 0);
    // An input is not overwritten.
    let (code, _, stderr) = run("specs/lock.yaml --format json -o specs/lock.yaml");
    assert!(code == 2 && stderr.contains("does not fit --format") || stderr.contains("input"), "{stderr}");
}

#[test]
fn a_limit_leaves_what_is_known() {
    let folder = Folder::new("refine-known");
    // There is much to test for `q`.
    let tasks =
        "#[task(i in 0..40)] fn t(i: usize) { loop { x[i] = any!(); if x[i] > 6 { event!(e(i)); } } }";
    let one = "#[task] fn u() { event!(a); event!(b); }";
    let model = format!("static mut x: [int!(0..=9); 40] = [0; 40];\n{tasks}\n{one}\n");
    fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    let properties = "
- {name: p, events: [a, b], none: \".*; b; .*; a; .*\"}
- {name: q, events: {a: \"e(*)\"}, all: \"a{0,9}\"}
- {name: r, events: [a], none: \".*; a; .*; a; .*\"}
";
    fs::write(folder.join("p.yaml"), format!("model: m.rs\nproperties:{properties}"))
        .expect("it is writable");
    let (code, stdout, stderr) = run_in(&folder, "p.yaml --timeout 300ms");
    assert_eq!(code, 3, "{stdout}{stderr}");
    assert!(stdout.contains("\np: holds\nq\n"), "{stdout}");
    // A search that is stopped has a result, a model that is not read has none.
    assert!(format!("{stdout}{stderr}").contains("the time limit was reached"), "{stdout}{stderr}");
    assert!(stdout.contains("r: undecided") || stderr.contains("`r`: the time limit"), "{stdout}{stderr}");
    let (code, stdout, _) = run_in(&folder, "p.yaml --timeout 300ms --format json");
    let document: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let results = document["results"].as_array().expect("it is a list");
    assert_eq!((code, &results[0]["verdict"]), (3, &"holds".into()));
    let unfinished = document["unfinished"].as_array().expect("it is a list");
    assert_eq!(results.len() + unfinished.len(), 3, "{document}");
    let limits = [&document["limit"], &results[results.len() - 1]["limit"]];
    assert!(limits.contains(&&"time".into()), "{document}");
}

#[cfg(target_os = "linux")]
mod in_a_terminal {
    use super::*;
    use std::fs::File;
    use std::io::{ErrorKind, Read, Write};
    use std::os::fd::FromRawFd;
    use std::process::Stdio;

    #[allow(unsafe_code)]
    fn terminal() -> (File, File) {
        let (mut ours, mut theirs) = (0, 0);
        let size = libc::winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        let none = std::ptr::null_mut();
        // SAFETY: the numbers and the size live during the call, and the other arguments may be null.
        let opened =
            unsafe { libc::openpty(&raw mut ours, &raw mut theirs, none, none as _, &raw const size as _) };
        assert_eq!(opened, 0, "there are terminals");
        // SAFETY: both numbers were opened just now and belong to nobody else.
        unsafe { (File::from_raw_fd(ours), File::from_raw_fd(theirs)) }
    }

    /// Types each answer when a prompt is shown. Returns the exit code and all that was written.
    fn talk(arguments: &str, answers: &[&str]) -> (Option<i32>, String) {
        let (mut ours, theirs) = terminal();
        let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
        command.env("LC_ALL", "C.UTF-8").env("TERM", "xterm").env("NO_COLOR", "1").arg("refine");
        command.args(arguments.split_whitespace()).current_dir(env!("CARGO_MANIFEST_DIR"));
        command.stdin(Stdio::from(theirs.try_clone().expect("it is open")));
        command.stdout(Stdio::from(theirs.try_clone().expect("it is open"))).stderr(Stdio::from(theirs));
        let mut child = command.spawn().expect("the program starts");
        // The command holds its end of the terminal, too.
        drop(command);
        let (mut written, mut buffer, mut n_seen) = (Vec::new(), [0; 4096], 0);
        let mut answers = answers.iter();
        loop {
            match ours.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => written.extend_from_slice(&buffer[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Reading fails when nobody holds the other end any more.
                Err(_) => break,
            }
            let n_prompts = String::from_utf8_lossy(&written).matches("? [1]: ").count();
            while n_seen < n_prompts {
                n_seen += 1;
                let answer = answers.next().expect("there is an answer to each prompt");
                ours.write_all(answer.as_bytes()).expect("the terminal is open");
            }
        }
        let code = child.wait().expect("it ended").code();
        (code, String::from_utf8_lossy(&written).replace("\r\n", "\n"))
    }

    #[test]
    fn the_user_chooses_among_the_candidates() {
        let lock = "specs/lock.yaml --no-default-constraints --interactive";
        let (code, text) = talk(lock, &["?\n", "9\n", "2\n"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("VIOLATED after 2 steps.") && text.contains("◀ lock"), "{text}");
        assert!(text.contains("  (1) -c task:t1  at step 2, at most 2 times the node-tuples\n"), "{text}");
        assert!(text.contains("  a  continue automatically\n"), "{text}");
        assert!(text.contains("`9` is not a choice\n"), "{text}");
        assert!(text.contains("proved in 2 rounds with -c variable:t2.locked\n"), "{text}");
        // Enter is the first; `a` asks no more.
        let (code, text) = talk(lock, &["\n"]);
        assert!(code == Some(0) && text.contains("proved in 2 rounds with -c task:t1\n"), "{text}");
        let gas = "specs/gas-station.yaml --no-default-constraints --property activate-* -i";
        let (code, text) = talk(gas, &["1\n", "a\n"]);
        assert!(code == Some(0) && text.contains("activate-once-per-prepay: holds\n"), "{text}");
        assert_eq!(text.matches("? [1]: ").count(), 2, "{text}");
    }

    #[test]
    fn the_user_stops_or_asks_the_explicit_engine() {
        let lock = "specs/lock.yaml --no-default-constraints --interactive";
        // The last is the end of the input.
        for answer in ["q\n", "\u{4}"] {
            let (code, text) = talk(lock, &[answer]);
            assert_eq!(code, Some(3), "{answer:?}: {text}");
            assert!(text.contains("stopped in 1 round with no constraints: "), "{text}");
            assert!(text.ends_with("no-double-lock: undecided\n"), "{text}");
        }
        let (code, text) = talk(lock, &["e\n"]);
        assert!(code == Some(0) && text.contains("by the explicit engine\n"), "{text}");
    }

    #[test]
    fn an_assumption_is_a_choice_that_says_so() {
        let arguments = "specs/handshake.yaml --no-default-constraints --property no-reset -i";
        let (code, text) = talk(arguments, &["1\n"]);
        assert_eq!(code, Some(0), "{text}");
        let shown = "(1) assumption, not checked: -c constraints/handshake.yaml#no-reset-reduced";
        assert!(text.contains(shown), "{text}");
        assert!(text.contains("assumed, not checked: no-old-packets"), "{text}");
    }
}

#[test]
fn there_must_be_a_terminal_to_ask() {
    let (code, _, stderr) = run("specs/lock.yaml --interactive");
    assert!(code == 2 && stderr.contains("--interactive needs a terminal"), "{stderr}");
    let (code, _, stderr) = run("specs/lock.yaml --interactive --format json");
    assert!(code == 2 && stderr.contains("cannot be used with"), "{stderr}");
}
