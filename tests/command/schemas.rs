//! What the tool writes and reads is what `trapline schema` describes, and
//! says which version of the format it is.

use crate::folder;
use crate::schema as schema_check;
use folder::Folder;
use schema_check::faults;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn schema(name: &str) -> Value {
    let (code, text, _) = run(&["schema", name], Path::new("."));
    assert_eq!(code, 0, "{name}");
    serde_json::from_str(&text).expect("a schema is JSON")
}

#[track_caller]
fn expect_valid(document: &Value, schema: &Value) {
    assert_eq!(faults(document, schema), Vec::<String>::new());
}

const DEADLOCK: &str = "\
chan c = [0] of { byte };
byte n;
active proctype A() { d_step { n = 1; n = 2 }; c!1 }
active proctype B() { byte x; if :: c?2 :: n == 7 fi; c?x; printf(\"got %d\\n\", x) }
";

#[test]
fn simulations_have_a_version_and_a_schema() {
    let folder = Folder::new("schemas-simulation");
    fs::write(folder.join("m.pml"), DEADLOCK).expect("the folder is writable");
    let schema = schema("simulation");
    let (_, text, _) = run(&["check", "m.pml", "--spin-trail", "m.trail", "-q"], &folder);
    assert!(text.contains("violated"), "{text}");
    let ways: [&[&str]; 3] = [&["--seed", "1"], &["--seed", "1", "--steps", "1"], &["--trail", "m.trail"]];
    for way in ways {
        let (_, text, stderr) = run(&[&["simulate", "m.pml", "--format", "json"], way].concat(), &folder);
        let document: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{stderr}"));
        expect_valid(&document, &schema);
        assert_eq!((&document["schema_version"], &document["tool"]["name"]), (&json!(2), &json!("trapline")));
        assert!(!document["steps"].as_array().expect("a list").is_empty());
        let mut broken = document;
        broken["steps"][0]["processes"] = json!(3);
        assert_ne!(faults(&broken, &schema), Vec::<String>::new(), "the schema says nothing");
    }
}

#[test]
fn reports_and_programs_fit_their_schemas() {
    let folder = Folder::new("schemas-report");
    fs::write(folder.join("m.pml"), DEADLOCK).expect("the folder is writable");
    let (_, text, _) = run(&["check", "m.pml", "missing.yaml", "--format", "json"], &folder);
    let document: Value = serde_json::from_str(&text).expect("a report is JSON");
    expect_valid(&document, &schema("report"));
    assert_eq!(document["schema_version"], json!(4));
    assert_eq!(document["results"][0]["counterexample"]["blocked"].as_array().map(Vec::len), Some(2));
    let (_, text, _) = run(&["check", "specs/lock.yaml", "--format", "json"], Path::new("."));
    expect_valid(&serde_json::from_str(&text).expect("a report is JSON"), &schema("report"));
    for (file, property) in [("specs/lock.yaml", "*"), ("specs/handshake.yaml", "no-reset")] {
        let refine = ["refine", file, "--property", property, "--no-default-constraints", "--format", "json"];
        let (_, text, _) = run(&refine, Path::new("."));
        let document: Value = serde_json::from_str(&text).expect("a refinement is JSON");
        expect_valid(&document, &schema("refinement"));
        assert_eq!(document["schema_version"], json!(1));
        let mut broken = document;
        broken["results"][0]["rounds"][0]["added"] = json!(3);
        assert_ne!(faults(&broken, &schema("refinement")), Vec::<String>::new(), "the schema says nothing");
    }
    let (_, text, _) = run(&["graph", "program", "m.pml", "--format", "json"], &folder);
    expect_valid(&serde_json::from_str(&text).expect("a program is JSON"), &schema("program"));
}

/// Files that the schema takes and that the tool takes, and some that neither
/// does. JSON is YAML.
#[track_caller]
fn expect_agreement(schema: &Value, document: &Value, is_read: bool) {
    let faults = faults(document, schema);
    assert_eq!(faults.is_empty(), is_read, "{document}: {faults:?}");
}

#[test]
fn configurations_have_a_version_and_a_schema() {
    let folder = Folder::new("schemas-config");
    fs::write(folder.join("m.pml"), "active proctype A() { skip }").expect("the folder is writable");
    let schema = schema("config");
    let documents = [
        (json!({ "properties": "m.pml" }), true),
        (json!({ "schema_version": 1, "properties": ["m.pml"] }), true),
        (json!({ "properties": [] }), false),
        (json!({ "properties": {} }), false),
        (json!({ "schema_version": [1], "properties": "m.pml" }), false),
        (json!({ "schema_version": 1 }), false),
        (json!({ "property": "m.pml", "properties": "m.pml" }), false),
    ];
    for (document, is_right) in documents {
        fs::write(folder.join("trapline.yaml"), document.to_string()).expect("the folder is writable");
        let (code, _, stderr) = run(&["check"], &folder);
        assert_eq!(code == 0, is_right, "{document}: {stderr}");
        expect_agreement(&schema, &document, is_right);
    }
    fs::write(folder.join("trapline.yaml"), "schema_version: 2\nproperties: m.pml\n")
        .expect("it is writable");
    let (code, _, stderr) = run(&["check"], &folder);
    assert!(code == 2 && stderr.contains("does not support `schema_version` 2"), "{stderr}");
}

#[test]
fn files_of_subjects_have_a_version_and_a_schema() {
    let folder = Folder::new("schemas-subjects");
    let root = env!("CARGO_MANIFEST_DIR");
    let spec = format!("{root}/specs/lock.yaml");
    let model = format!("{root}/examples/promela/peterson.pml");
    let tasks = format!("{root}/examples/peterson.rs");
    let study = "strategies: [bfs]\nsubjects: [{ include: more.yaml }]\n";
    fs::write(folder.join("study.yaml"), study).expect("the folder is writable");
    let schema = schema("subjects");
    let documents = [
        (json!({ "subjects": [{ "spec": spec }] }), true),
        (json!({ "schema_version": 1, "subjects": [{ "spec": spec, "leave-out": "each" }] }), true),
        (json!({ "schema_version": 1 }), false),
        (json!({ "subjects": [{ "model": model, "property": "safety", "define": { "N": [2, 3] } }] }), true),
        (json!({ "subjects": [{ "model": tasks, "set": { "N": 2 } }] }), true),
        (json!({ "subjects": [{ "model": model, "leave-out": "each" }] }), false),
        (json!({ "subjects": [{ "spec": spec, "model": model }] }), false),
        (json!({ "subjects": [{ "property": "x" }] }), false),
        (json!({ "subject": [], "subjects": [{ "spec": spec }] }), false),
    ];
    for (document, is_right) in documents {
        fs::write(folder.join("more.yaml"), document.to_string()).expect("the folder is writable");
        let (code, _, stderr) = run(&["experiment", "study.yaml", "--list"], &folder);
        assert_eq!(code == 0, is_right, "{document}: {stderr}");
        expect_agreement(&schema, &document, is_right);
    }
    let wrong = json!({ "schema_version": 2, "subjects": [{ "spec": spec }] });
    fs::write(folder.join("more.yaml"), wrong.to_string()).expect("the folder is writable");
    let (code, _, stderr) = run(&["experiment", "study.yaml", "--list"], &folder);
    assert!(code == 2 && stderr.contains("does not support `schema_version` 2"), "{stderr}");
}
