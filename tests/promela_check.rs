//! `trapline check` on Promela models, as a user runs it.

use serde_json::Value;
use std::fs;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.arg("check").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env_remove("CLICOLOR_FORCE").output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn result(arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    document["models"][0].clone()
}

/// Rows of a table of `examples/promela/README.md`: model, defines, and the
/// column asked for.
fn rows(title: &str, column: usize) -> Vec<(String, Vec<String>, String)> {
    let text = fs::read_to_string("examples/promela/README.md").expect("the models have a page");
    let (_, rest) = text.split_once(title).expect("the page has the table");
    let lines = rest.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let defines = cells[1].trim_matches('`').split(' ').filter(|it| it.starts_with("-D"));
            (cells[0].to_string(), defines.map(str::to_string).collect(), cells[column].to_string())
        })
        .collect()
}

#[test]
fn classic_models_have_as_many_states_as_in_spin() {
    let rows = rows("## Small sizes", 2);
    assert!(rows.len() >= 12);
    for (model, defines, states) in rows {
        let path = format!("examples/promela/{model}.pml");
        let mut arguments = vec![path.as_str(), "--strategy", "bfs"];
        arguments.extend(defines.iter().map(String::as_str));
        let found = result(&arguments);
        assert_eq!(found["verdict"], "holds", "{model}");
        let stored = found["search"]["stored"].as_u64().expect("a number");
        assert_eq!(stored.to_string(), states.replace(',', ""), "{model} {defines:?}");
        arguments[2] = "dfs";
        assert_eq!(result(&arguments[..])["search"]["stored"], stored, "{model}: depth first");
    }
}

#[test]
fn faulty_models_fail_and_their_trails_end_at_the_fault() {
    for (model, defines, violation) in rows("## Faulty variants", 2) {
        let path = format!("examples/promela/{model}.pml");
        let mut arguments = vec![path.as_str()];
        arguments.extend(defines.iter().map(String::as_str));
        let found = result(&arguments);
        assert_eq!(found["verdict"], "violated", "{model}");
        let fault = found["fault"].as_str().expect("a fault");
        let trail = found["trail"].as_array().expect("a trail");
        match violation.as_str() {
            "deadlock" => assert!(fault.contains("nothing can move"), "{model}: {fault}"),
            "assertion" => {
                assert!(fault.contains("assertion"), "{model}: {fault}");
                let last = trail.last().expect("a step")["statement"].as_str().expect("a text");
                assert!(last.contains("assert"), "{model}: {last}");
            }
            _ => {}
        }
    }
}

#[test]
fn a_trail_is_readable_and_the_verdict_last() {
    let (code, stdout, _) = run(&["examples/promela/peterson.pml", "-D", "BUG", "-D", "N=2"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("VIOLATED after") && stdout.contains("an assertion does not hold"), "{stdout}");
    assert!(stdout.ends_with("examples/promela/peterson.pml: violated\n"), "{stdout}");
}

#[test]
fn limits_and_mistakes_are_told() {
    let (code, stdout, _) = run(&["examples/promela/philosophers.pml", "--max-states", "10"]);
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.ends_with("undecided\n"), "{stdout}");
    let (code, _, stderr) = run(&["examples/promela/philosophers.pml", "--strategy", "bf(ta)"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no heuristics yet"), "{stderr}");
    let (code, _, stderr) = run(&["examples/promela/philosopher.pml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("does not exist") && stderr.contains("philosophers.pml"), "{stderr}");
}
