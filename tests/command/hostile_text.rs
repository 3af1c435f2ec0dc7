//! Texts of users that try to draw on the terminal.
//!
//! Whatever a model, a property file or a file name holds, the program
//! prints nothing that a terminal obeys, except the colours it was asked for.

use crate::folder;
use folder::Folder;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A line end and a line that looks like the report's, the beginning of an
/// escape sequence in both forms, bell, backspace, carriage return, marks of
/// direction, separators.
const HOSTILE: &str =
    "A\n\rforged: holds\u{1b}[2J\u{1b}]0;t\u{7}\u{8}\u{7f}\u{9b}31m\u{202e}\u{2066}\u{200f}\u{2028}\u{85}Z";

/// The same without line ends, for places in which they end something.
fn on_one_line() -> String {
    HOSTILE.replace(['\n', '\r'], "")
}

/// The text as YAML writes it.
fn quoted() -> String {
    let escaped: String = HOSTILE
        .chars()
        .map(|c| match c.is_ascii_graphic() || c == ' ' {
            true => c.to_string(),
            false => format!("\\u{:04x}", u32::from(c)),
        })
        .collect();
    format!("\"{escaped}\"")
}

fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

/// The text without the sequences that set colours, which must be there.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_string();
    let mut n_colours = 0;
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';');
        match end {
            Some(end) if part[end..].starts_with('m') => {
                assert!(!part.starts_with("31m red"), "a colour of the model is printed");
                plain.push_str(&part[end + 1..]);
                n_colours += 1;
            }
            _ => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    assert!(n_colours > 0, "{text}");
    plain
}

#[track_caller]
fn expect_safe(text: &str, what: &str) {
    let is_obeyed = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(is_obeyed), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("forged")), "{what}: {text}");
}

/// Runs a command in all ways to print, and looks at all that is printed.
#[track_caller]
fn check(arguments: &[&str], folder: &Path, expected: i32) {
    let (code, stdout, stderr) = run(arguments, folder);
    let what = format!("{arguments:?}");
    assert_eq!(code, expected, "{what}: {stdout}{stderr}");
    expect_safe(&stdout, &what);
    expect_safe(&stderr, &what);
    let (_, stdout, stderr) = run(&[arguments, &["--color", "always"]].concat(), folder);
    expect_safe(&without_colours(&(stdout + &stderr)), &what);
}

/// A model whose comments, texts and macros are hostile and that is wrong.
fn model() -> String {
    let flat = on_one_line();
    format!(
        "byte x;\nactive proctype P() {{\n\
         x = /* {HOSTILE} */ 1;\n\
         printf(\"{flat}\\nforged: holds\\n\\t%d \u{1b}[31m red\\r\\b\\n\", x);\n\
         assert(x == /* {flat} */ 2)\n}}\n"
    )
}

#[test]
fn statements_and_printf_draw_nothing() {
    let folder = Folder::new("hostile-model");
    fs::write(folder.join("model.pml"), model()).expect("the folder is writable");
    check(&["check", "model.pml"], &folder, 1);
    check(&["check", "model.pml", "--verbose", "--full"], &folder, 1);
    check(&["simulate", "model.pml", "--seed", "1"], &folder, 1);
    let (_, stdout, _) = run(&["simulate", "model.pml", "--seed", "1"], &folder);
    assert!(stdout.lines().any(|line| line.trim_start() == "│ forged: holds"), "{stdout}");
    for arguments in [
        &["check", "model.pml", "--format", "json"] as &[&str],
        &["simulate", "model.pml", "--seed", "1", "--format", "json"],
        &["graph", "program", "model.pml", "--format", "json"],
        &["graph", "program", "model.pml", "--format", "dot"],
        &["graph", "program", "model.pml", "--format", "svg"],
    ] {
        let (_, stdout, stderr) = run(arguments, &folder);
        expect_safe(&(stdout.clone() + &stderr), &format!("{arguments:?}"));
        if arguments.contains(&"json") {
            serde_json::from_str::<serde_json::Value>(&stdout).expect("it is JSON");
        }
    }
}

#[test]
fn errors_and_names_draw_nothing() {
    let folder = Folder::new("hostile-names");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder is writable");
    write("wrong.pml", &format!("/* {HOSTILE} */ byte x; /* {HOSTILE} */ active proctype P() {{ y = 1 }}"));
    check(&["check", "wrong.pml"], &folder, 2);
    write("string.pml", &format!("init {{ printf(\"{HOSTILE}) }}"));
    check(&["check", "string.pml"], &folder, 2);
    let quoted = quoted();
    write(
        "tasks.rs",
        &format!(
            "// {}\n#[task]\nfn t1() {{ /* {HOSTILE} */ call!(t2.go); }}\n#[task]\nfn t2() {{ accept!(go); }}\n",
            on_one_line().replace('\u{2028}', "")
        ),
    );
    let spec = format!(
        "properties:\n- {{ name: {quoted}, description: {quoted}, model: tasks.rs, events: {{ go: t2.go }}, none: 'go' }}\n\
         - {{ name: other, model: tasks.rs, events: {{ go: t2.go }}, none: 'go; go' }}\n"
    );
    write("spec.yaml", &spec);
    check(&["check", "spec.yaml"], &folder, 1);
    check(&["check", "spec.yaml", "--verbose"], &folder, 1);
    check(&["check", "spec.yaml", "--property", "nothing"], &folder, 2);
    check(&["check", "spec.yaml", "--property", HOSTILE, "--quiet"], &folder, 1);
    check(&["check", "spec.yaml", "-c", HOSTILE], &folder, 2);
    let (_, dot, stderr) = run(&["graph", "automaton", "spec.yaml", "--property", HOSTILE], &folder);
    expect_safe(&(dot + &stderr), "graph automaton");
    write("missing.yaml", &format!("name: a\nmodel: {quoted}\nnone: x\n"));
    check(&["check", "missing.yaml"], &folder, 2);
    write("key.yaml", &format!("{quoted}: 1\n"));
    check(&["check", "key.yaml"], &folder, 2);
    check(&["check", HOSTILE], &folder, 2);
    check(&["check", "spec.yaml", "--strategy", HOSTILE], &folder, 2);
    for arguments in [&["check", "spec.yaml", "--timeout", HOSTILE] as &[&str], &[HOSTILE]] {
        let (code, _, stderr) = run(arguments, &folder);
        assert_eq!(code, 2);
        expect_safe(&stderr, "usage");
    }
}

#[cfg(unix)]
#[test]
fn file_names_and_macros_draw_nothing() {
    let folder = Folder::new("hostile-files");
    let name = format!("{HOSTILE}.pml").replace('/', "");
    fs::write(folder.join(&name), "byte x;\ninit { x = N; assert(x == 2) }\n").expect("the name is allowed");
    let defined = format!("N=1 /* {} */", on_one_line());
    check(&["check", &name, "-D", &defined], &folder, 1);
    check(&["simulate", &name, "-D", &defined, "--seed", "1"], &folder, 1);
    check(&["check", &name], &folder, 2);
    check(&["check", &name, "-D", "N=1", "--invariant", &format!("x == 3 /* {HOSTILE} */")], &folder, 1);
}

#[test]
fn studies_draw_nothing() {
    let folder = Folder::new("hostile-study");
    let quoted = quoted();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder is writable");
    write("tasks.rs", "#[task]\nfn t1() { call!(t2.go); }\n#[task]\nfn t2() { accept!(go); }\n");
    write("spec.yaml", &format!("name: {quoted}\nmodel: tasks.rs\nevents: {{ go: t2.go }}\nnone: 'go'\n"));
    write(
        "study.yaml",
        &format!(
            "name: s\ndescription: {quoted}\nstrategies: [{{ label: {quoted}, strategy: bfs }}, dfs]\nsubjects: [{{ spec: spec.yaml }}]\n"
        ),
    );
    for arguments in [
        &["experiment", "study.yaml", "--list"] as &[&str],
        &["experiment", "study.yaml", "-o", "results"],
        &["experiment", "study.yaml", "-o", "results", "--verbose", "--summary-only"],
        &["experiment", "study.yaml", "-o", "results", "--format", "json"],
    ] {
        let (code, stdout, stderr) = run(arguments, &folder);
        assert_eq!(code, 0, "{arguments:?}: {stdout}{stderr}");
        expect_safe(&(stdout + &stderr), &format!("{arguments:?}"));
    }
    let table = fs::read_to_string(folder.join("results/table.md")).expect("it was written");
    expect_safe(&table, "table.md");
}
