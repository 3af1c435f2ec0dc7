//! `trapline refine`, as a user runs it.

use crate::folder::Folder;
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
    assert!(stdout.contains("add -c 'variable:waiting[0]', which rejects step 7\n"), "{stdout}");
    let end = "; 1 of 5 were not needed\nactivate-once-per-prepay: holds\n";
    assert!(
        stdout.contains("  proved in 6 rounds with -c task:operator -c 'variable:waiting[0]' "),
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
        let output = command.args(["check", &path]).args(more).output().expect("the program starts");
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
