//! The program as a script sees it: exit codes and what goes where.

use crate::folder;
use folder::Folder;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn trapline() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8");
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command
}

/// An empty folder to run in.
fn folder(name: &str) -> Folder {
    Folder::new(&format!("cli-{name}"))
}

fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output: Output = trapline().args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

#[test]
fn usage_errors_and_bad_input_exit_with_two() {
    let folder = folder("bad");
    std::fs::write(folder.join("latin.yaml"), [b'n', 0xe9]).expect("the folder is writable");
    let cases: [(&[&str], &str); 7] = [
        (&["chekc"], "unrecognized subcommand"),
        (&["check", "--timeout", "10"], "a time needs a unit"),
        (&["check"], "error[project-missing]"),
        (&["check", "nope.yaml"], "error[file-missing]"),
        (&["check", "."], "error[file-directory]"),
        (&["check", "latin.yaml"], "error[file-encoding]"),
        (&["check", "latin.yaml", "-o", "no/such/folder"], "error[file-unwritable]"),
    ];
    for (arguments, expected) in cases {
        let (code, _, stderr) = run(arguments, &folder);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains('\u{1b}'), "{arguments:?}: {stderr}");
    }
}

#[test]
fn json_is_alone_on_standard_output() {
    let folder = folder("json");
    let (code, stdout, stderr) = run(&["check", "nope.yaml", "--format", "json"], &folder);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("standard output is JSON");
    assert_eq!((code, &document["exit_code"]), (2, &serde_json::json!(2)));
    assert_eq!(document["diagnostics"][0]["code"], "file-missing");
    assert!(stderr.contains("file-missing"));
}

#[test]
fn the_result_goes_to_a_file_if_asked() {
    let folder = folder("output");
    let (code, stdout, _) = run(&["check", "nope.yaml", "--format", "json", "-o", "report.json"], &folder);
    assert_eq!((code, stdout.as_str()), (2, ""));
    let written = std::fs::read_to_string(folder.join("report.json")).expect("it was written");
    assert!(written.starts_with('{') && written.ends_with("}\n"));
    let (code, stdout, _) = run(&["check", "nope.yaml", "--format", "json", "-o", "-"], &folder);
    assert!(code == 2 && stdout.starts_with('{'));
    assert!(!folder.join("-").exists());
}

#[test]
fn the_tool_describes_itself() {
    let folder = folder("reference");
    let cases: [(&[&str], &str); 6] = [
        (&["--version"], env!("CARGO_PKG_VERSION")),
        (&["check", "--help"], "Exit codes:"),
        (&["schema", "report"], "schema_version"),
        (&["schema", "experiment"], "leave-out"),
        (&["completions", "bash"], "_trapline"),
        (&["man"], ".TH trapline"),
    ];
    for (arguments, expected) in cases {
        let (code, stdout, stderr) = run(arguments, &folder);
        assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(stdout.contains(expected), "{arguments:?}");
    }
    assert_eq!(run(&["man", "-o", "pages"], &folder).0, 0);
    assert!(folder.join("pages/trapline-check.1").is_file());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = trapline()
        .args(["schema", "report"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("output is UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(stderr, "");
}

#[test]
fn colour_is_off_away_from_terminals_and_on_when_forced() {
    let folder = folder("colour");
    let has_colour = |arguments: &[&str]| run(arguments, &folder).2.contains('\u{1b}');
    assert!(!has_colour(&["check", "nope.yaml"]));
    assert!(has_colour(&["check", "nope.yaml", "--color", "always"]));
}

#[test]
fn the_installed_program_is_small() {
    let manifest = std::fs::read_to_string("Cargo.toml").expect("the manifest is there");
    let profile = |name: &str| {
        let start = manifest.split(&format!("[profile.{name}]\n")).nth(1).unwrap_or_default();
        start.split("\n[").next().unwrap_or_default().to_string()
    };
    let release = profile("release");
    assert!(release.contains("strip = true") && !release.contains("debug ="), "{release}");
    let profiling = profile("profiling");
    assert!(
        profiling.contains("inherits = \"release\"") && profiling.contains("strip = false"),
        "{profiling}"
    );
    assert!(profiling.contains("debug = 1"), "{profiling}");
}
