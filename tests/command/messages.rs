//! What people read: deadlocks, long steps, tables, narrow terminals, and
//! messages for input that is nearly right.

use crate::folder;
use expect_test::{Expect, expect};
use folder::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn trapline(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(folder).envs(environment.iter().copied());
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn folder(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&format!("messages-{name}"));
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("the folder is writable");
    }
    folder
}

/// One of each reason for which a statement can be blocked.
const DEADLOCK: &str = "\
mtype = { req, ack };
chan meeting = [0] of { mtype };
chan filled = [1] of { mtype, byte };
chan drained = [2] of { byte };
byte n;
bool open;
active proctype Sender() { filled!ack,3; filled!req,1 }
active proctype Receiver() {
  byte v;
  filled?[ack,3];
  if
  :: filled?req,v -> skip
  :: drained?v
  :: meeting?ack
  :: n > 3 -> n = 0
  fi
}
active proctype Escaping() { atomic { n = 1; (n == 2) } unless { n == 7 } }
active proctype Stepping() { d_step { n == 9 -> n = 0 } }
active proctype Done() { skip }
active proctype Waiting() { end: n == 5 }
active proctype Held() provided (open) { n = 1 }
active proctype Offering() { meeting!req }
init { skip }
";

/// The part of a text from one line up to the next empty one.
fn part(text: &str, first: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(first)).take_while(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_deadlock_says_where_each_process_is_blocked_and_why() {
    let folder = folder("deadlock", &[("m.pml", DEADLOCK)]);
    let (code, text, _) = trapline(&folder, &["check", "m.pml"], &[]);
    assert_eq!(code, 1);
    assert!(text.contains(": deadlock (invalid end state): no process can move"), "{text}");
    let blocked = part(&text, "Blocked processes");
    expect![[r#"
        Blocked processes:
          Sender[0]    filled!req,1  m.pml:7:42  channel `filled` is full
          Receiver[1]  filled?req,v  m.pml:12:6  no receivable message in `filled` matches
                       drained?v  m.pml:13:6  channel `drained` is empty
                       meeting?ack  m.pml:14:6  no process is ready to send a matching message to `meeting`
                       n > 3  m.pml:15:6  the condition is false
          Escaping[2]  (n == 2)  m.pml:18:46  the condition is false
                       n == 7  m.pml:18:66  the condition is false
          Stepping[3]  n == 9  m.pml:19:39  the condition is false
          Done[4]      end of the process  m.pml:20:31  processes that were started later have not ended; this is a valid end state
          Waiting[5]   n == 5  m.pml:21:34  the condition is false; this is a valid end state
          Held[6]      n = 1  m.pml:22:42  the `provided` clause is false
          Offering[7]  meeting!req  m.pml:23:30  no process is ready to receive from `meeting`
    "#]].assert_eq(&blocked);
    let (_, simulated, _) = trapline(&folder, &["simulate", "m.pml", "--seed", "3"], &[]);
    assert_eq!(part(&simulated, "Blocked processes"), blocked);
    let (_, json, _) = trapline(&folder, &["check", "m.pml", "--format", "json"], &[]);
    let document: Value = serde_json::from_str(&json).expect("a report is JSON");
    let found = &document["results"][0]["counterexample"];
    assert!(found["fault"].as_str().is_some_and(|it| it.starts_with("deadlock")), "{}", found["fault"]);
    let processes = found["blocked"].as_array().expect("a list");
    assert_eq!(processes.len(), 8);
    let statement = &processes[1]["statements"][1];
    assert_eq!((&statement["statement"], &statement["location"]["line"]), (&"drained?v".into(), &13.into()));
    assert_eq!(statement["why"], "channel `drained` is empty");
}

#[test]
fn a_run_that_ends_well_blocks_no_process() {
    let model = "chan c = [1] of { byte }; active proctype A() { end: c?_ } ltl p { [] (len(c) == 1) }";
    let folder = folder("valid-end", &[("m.pml", model)]);
    let (_, json, _) = trapline(&folder, &["check", "m.pml", "--format", "json"], &[]);
    let document: Value = serde_json::from_str(&json).expect("a report is JSON");
    assert_eq!(document["results"][0]["verdict"], "holds");
    assert_eq!(document["results"][0]["counterexample"], Value::Null);
}

#[test]
fn the_cycle_of_an_endless_d_step_is_shown_once() {
    let model = "byte x; active proctype A() { d_step { x = 7; do :: x < 9 -> x++ :: else -> x = 7 od } }";
    let folder = folder("endless", &[("m.pml", model)]);
    let (code, text, _) = trapline(&folder, &["check", "m.pml"], &[]);
    assert_eq!(code, 1);
    expect![[r#"
        1  A[0]  d_step { x = 7; do :: x < 9 -> x++ :: else -> x = 7 od }  m.pml:1:31
                     · x = 7  m.pml:1:40
                       x = 7
                     ┌─ cycle:
                     · x < 9  m.pml:1:53
                     · x++  m.pml:1:62
                       x = 8
                     · x < 9  m.pml:1:53
                     · x++  m.pml:1:62
                       x = 9
                     · else  m.pml:1:69
                     · x = 7  m.pml:1:77
                       x = 7
                     └─ end of the cycle: 6 statements
    "#]]
    .assert_eq(part(&text, "    1  ").trim_start());
}

#[test]
fn long_d_steps_are_bounded() {
    let endless = "int x; active proctype A() { d_step { do :: x < 50000 -> x++ :: else -> x = 0 od } }";
    let ending =
        "int x; active proctype A() { d_step { do :: x < 50000 -> x++ :: else -> break od }; assert(false) }";
    for (name, model, cycle) in [("endless-long", endless, true), ("ending-long", ending, false)] {
        let folder = folder(name, &[("m.pml", model)]);
        let (_, text, _) = trapline(&folder, &["check", "m.pml"], &[]);
        assert!(text.lines().count() < 100, "{} lines", text.lines().count());
        assert_eq!(text.contains("┌─ cycle:"), cycle, "{text}");
        let (_, json, _) = trapline(&folder, &["check", "m.pml", "--format", "json"], &[]);
        assert!(json.len() < 1 << 20, "{} bytes", json.len());
        let document: Value = serde_json::from_str(&json).expect("a report is JSON");
        let step = &document["results"][0]["counterexample"]["steps"][0];
        assert!(step["n_inside"].as_u64().is_some_and(|it| it > 100_000), "{}", step["n_inside"]);
        assert_eq!(step["inside"].as_array().map(Vec::len), Some(1000));
        assert_eq!(step["inside_cycle"].is_number(), cycle);
    }
}

#[test]
fn the_summary_names_the_file_of_each_property() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments =
        ["check", "specs/lock.yaml", "specs/token-ring.yaml", "specs/promela/peterson.yaml", "-q"];
    let (_, text, _) = trapline(root, &arguments, &[]);
    let words = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = text.lines().map(words).collect();
    for row in ["file property", "specs/lock.yaml no-double-lock", "specs/token-ring.yaml in-order"] {
        assert!(rows.iter().any(|it| it == row), "{row}\n{text}");
    }
    let (_, json, _) = trapline(root, &["check", "specs/lock.yaml", "--format", "json"], &[]);
    let document: Value = serde_json::from_str(&json).expect("a report is JSON");
    assert_eq!(document["results"][0]["file"], "specs/lock.yaml");
}

#[test]
fn without_utf8_the_text_is_ascii_and_files_are_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = ["check", "specs/lock.yaml", "--no-default-constraints"];
    let (_, drawn, _) = trapline(root, &arguments, &[]);
    let (_, plain, _) = trapline(root, &arguments, &[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]);
    assert!(!drawn.is_ascii() && plain.is_ascii(), "{plain}");
    assert!(plain.contains("   2 v *-*   t1 > t2  t2.lock  < lock"), "{plain}");
    let folder = folder("locale", &[]);
    let output = folder.join("report.txt").display().to_string();
    trapline(root, &[&arguments[..], &["-o", &output]].concat(), &[("LC_ALL", "C")]);
    let written = fs::read_to_string(&output).expect("the report was written");
    assert!(written.contains("──") && written.contains("t1 → t2"), "{written}");
    let (_, text, _) = trapline(root, &arguments, &[("LC_ALL", "C.UTF-8"), ("LANG", "C")]);
    assert!(!text.is_ascii());
    let (_, text, _) = trapline(root, &["strategies"], &[("LC_ALL", "C")]);
    assert!(text.is_ascii());
}

#[test]
fn a_narrow_terminal_gets_short_lines() {
    let folder = folder("narrow", &[("m.pml", DEADLOCK)]);
    let arguments = ["check", "m.pml", "--invariant", "n < 5"];
    let (_, text, _) = trapline(&folder, &arguments, &[("COLUMNS", "40")]);
    let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 40).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert!(text.contains("\nm.pml: safety\n  violated, "), "{text}");
    let (_, strategies, _) = trapline(&folder, &["strategies"], &[("COLUMNS", "50")]);
    let long: Vec<&str> = strategies.lines().filter(|line| line.chars().count() > 50).collect();
    assert!(long.is_empty(), "{long:#?}");
    let (_, wide, _) = trapline(&folder, &arguments, &[("COLUMNS", "120")]);
    let words = |text: &str| text.split_whitespace().filter(|it| !it.contains('─')).count();
    assert!(words(&text) + 10 > words(&wide), "nothing is cut off");
}

#[track_caller]
fn check_error(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let folder = folder("errors", files);
    #[cfg(unix)]
    std::os::unix::fs::symlink("gone.yaml", folder.join("link.yaml")).expect("links can be made");
    let (code, _, stderr) = trapline(&folder, arguments, &[]);
    assert_eq!(code, 2, "{arguments:?}: {stderr}");
    let first = stderr.lines().filter(|it| it.contains("error") || it.contains("help:")).take(2);
    expected.assert_eq(&first.map(|it| format!("{}\n", it.trim())).collect::<String>());
}

#[test]
fn input_that_is_nearly_right_is_refused_with_a_hint() {
    let model = ("m.pml", "active proctype A() { skip }");
    check_error(
        &[],
        &["check", "a.yaml", "-c", ""],
        expect![[r#"
        error: invalid value '' for '--constraint <C>': expected task:NAME, variable:NAME, a constraint file or FILE#SET
    "#]],
    );
    check_error(
        &[],
        &["check", "a.yaml", "--graph", "faithful,reduced"],
        expect![[r#"
        error: invalid value 'faithful,reduced' for '--graph <FORM>': `reduced` conflicts with `faithful`: remove one of them; `faithful` and `reduced` must come first
    "#]],
    );
    check_error(
        &[],
        &["check", "link.yaml"],
        expect![[r#"
        error[file-missing]: the property file `link.yaml` is a link to `gone.yaml`, which does not exist
        = help: restore the target of the link, or remove the link
    "#]],
    );
    check_error(
        &[model, ("m.trail", "")],
        &["simulate", "m.pml", "--trail", "m.trail"],
        expect![[r#"
        error[trail]: the trail file `m.trail` is empty
        = help: `pan` and `trapline check --spin-trail` write a trail when they find an error
    "#]],
    );
    let property = "name: ''\nmodel: m.pml\ninvariant: 'true'\n";
    check_error(
        &[model, ("p.yaml", property)],
        &["check", "p.yaml"],
        expect![[r#"
        error[spec-name]: `name` is empty
        = help: write a name, or remove the key if it is optional
    "#]],
    );
    let property = "name: p\nmodel: !file m.pml\ninvariant: 'true'\n";
    check_error(
        &[model, ("p.yaml", property)],
        &["check", "p.yaml"],
        expect![[r#"
        error[spec-yaml]: the tag `!file` is not supported
        = help: remove the tag, or put the text in quotes if it begins with `!`
    "#]],
    );
    check_error(
        &[("trapline.yaml", "properties: { a: b }\n")],
        &["check"],
        expect![[r#"
        error[spec-value]: `properties` must be a string or a list of strings
        = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
    "#]],
    );
}

#[test]
fn the_project_is_found_in_a_folder_above() {
    let model = ("m.pml", "active proctype A() { skip }");
    let folder = folder("above", &[model, ("trapline.yaml", "properties: m.pml\n")]);
    let below = folder.join("a/b");
    fs::create_dir_all(&below).expect("the folder is writable");
    let (code, text, note) = trapline(&below, &["check", "-q"], &[]);
    assert_eq!((code, text.as_str()), (0, "../../m.pml: safety: holds\n"));
    assert!(note.contains("checking the properties of `../../trapline.yaml`"), "{note}");
    let (_, _, note) = trapline(&folder, &["check", "-q"], &[]);
    assert_eq!(note, "");
    fs::write(folder.join("a/trapline.yaml"), "properties: missing.pml\n").expect("the folder is writable");
    let (code, _, note) = trapline(&below, &["check", "-q"], &[]);
    assert!(code == 2 && note.contains("`../missing.pml` does not exist"), "the nearest counts: {note}");
}
