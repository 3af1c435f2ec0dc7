//! `trapline labels`, and names of task families as constraints.

use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C.UTF-8");
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

#[test]
fn labels_are_listed_once_in_the_order_of_the_model() {
    let (code, all, _) = run(&["labels", "examples/gas_station.rs", "--set", "N=3"]);
    let lines: Vec<&str> = all.lines().collect();
    let mut unique = lines.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!((code, unique.len()), (0, lines.len()));
    let (_, some, _) = run(&["labels", "examples/gas_station.rs", "*prepay*", "--set", "N=3"]);
    let expected: Vec<&str> = lines.iter().copied().filter(|it| it.contains("prepay")).collect();
    assert!(expected.len() >= 3, "{all}");
    assert_eq!(some.lines().collect::<Vec<_>>(), expected);
    let (code, promela, _) = run(&["labels", "examples/promela/peterson.pml", "-D", "N=2"]);
    assert_eq!(code, 0);
    assert!(promela.lines().any(|it| it == "Process[1].inside++"), "{promela}");
}

/// Every label that is listed can be written in a property.
#[test]
fn listed_labels_are_events_of_properties() {
    let folder = crate::folder::Folder::new("labels");
    let (_, all, _) = run(&["labels", "examples/lock.rs"]);
    assert!(all.lines().count() > 1, "{all}");
    for label in all.lines() {
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lock.rs");
        let text = format!("{{model: '{model}', name: p, events: {{e: '{label}'}}, all: 'e*'}}\n");
        std::fs::write(folder.join("p.yaml"), text).expect("the folder is writable");
        let (code, stdout, stderr) = run(&["check", &folder.join("p.yaml").display().to_string()]);
        assert!(code == 0 || code == 1, "{label}: {stdout}{stderr}");
    }
}

#[test]
fn what_has_no_labels_is_an_error() {
    let cases: [(&[&str], &str); 4] = [
        (&["labels", "examples/lock.rs", "nothing*"], "error[no-label]"),
        (&["labels", "specs/lock.yaml"], "error[file-kind]"),
        (&["labels", "missing.rs"], "error[file-missing]"),
        (&["labels", "examples/lock.rs", "--set", "NOPE=1"], "NOPE"),
    ];
    for (arguments, expected) in cases {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

#[test]
fn the_name_of_a_family_means_all_of_its_members() {
    let shown = |constraint: &str| {
        let arguments = ["check", "specs/gas-station.yaml", "--property", "activate-once-per-prepay"];
        let (_, stdout, stderr) =
            run(&[&arguments[..], &["--no-default-constraints", "-c", constraint]].concat());
        let line = stdout.lines().find(|it| it.starts_with("constraints"));
        line.map(str::to_string).unwrap_or_else(|| panic!("{constraint}: {stdout}{stderr}"))
    };
    assert_eq!(shown("task:customer"), shown("task:customer[*]"));
    assert!(shown("task:customer").contains("customer[1]"), "{}", shown("task:customer"));
}
