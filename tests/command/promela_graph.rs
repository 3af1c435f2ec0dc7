//! `trapline graph program` on Promela models, as a user runs it.

use crate::folder;
use crate::schema;
use expect_test::expect;
use folder::Folder;
use schema::faults;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const MODEL: &str = "\
mtype = {ping, pong}
typedef R { short s[2]; bool done = 1 }
R r; unsigned u : 3 = N; chan c = [2] of {mtype, byte}; chan d = [0] of {byte};
active proctype A() provided (u > 0) {
  byte k;
  do
  :: atomic { c!ping(k); k++ }
  :: d_step { k == 3; r.s[k - 2] = 1 }
  :: c?pong(k) -> break
  od unless { timeout };
end: d!1
}
init { progress: d?_ }
";

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8");
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env_remove("CLICOLOR_FORCE").output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn model(folder: &Folder) -> String {
    let path = folder.join("model.pml");
    fs::write(&path, MODEL).expect("the folder is writable");
    path.display().to_string()
}

fn document(arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = run(arguments);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is JSON")
}

#[test]
fn control_graphs_are_drawn() {
    let folder = Folder::new("program-dot");
    let model = model(&folder);
    let (code, stdout, stderr) = run(&["graph", "program", &model, "-DN=5"]);
    assert_eq!(code, 0, "{stderr}");
    expect![[r##"
        digraph "control graph of A, init" {
          label="control graph of A, init"; labelloc=t;
          node [fontname="Helvetica", fontsize=11];
          edge [fontname="Helvetica", fontsize=10];
          subgraph cluster_0 {
            label="A"; style="rounded,filled"; color="#f1f5f9";
            n0 [label="0", shape=circle, tooltip="model.pml:6"];
            n1 [label="1\n-end-", shape=doublecircle, tooltip="model.pml:12"];
            n2 [label="2\nend\n(end)", shape=doublecircle, tooltip="model.pml:11"];
            n3 [label="3", shape=circle, tooltip="model.pml:10"];
            n4 [label="4", shape=circle, style=filled, fillcolor="#dbeafe", tooltip="model.pml:7"];
            n5 [label="5", shape=circle, style=filled, fillcolor="#dcfce7", tooltip="model.pml:8"];
            n6 [label="6", shape=circle, style=filled, fillcolor="#dcfce7", tooltip="model.pml:8"];
            n7 [label="", shape=plaintext];
          }
          subgraph cluster_1 {
            label="init"; style="rounded,filled"; color="#f1f5f9";
            n8 [label="0\nprogress\n(progress)", shape=circle, tooltip="model.pml:13"];
            n9 [label="1\n-end-", shape=doublecircle, tooltip="model.pml:13"];
            n10 [label="", shape=plaintext];
          }
          n7 -> n0;
          n0 -> n4 [label="c!ping(k)"];
          n0 -> n6 [label="d_step"];
          n0 -> n2 [label="c?pong(k)"];
          n0 -> n3 [label="unless", style=dashed, color="#94a3b8", constraint=false];
          n2 -> n1 [label="d!1"];
          n3 -> n2 [label="timeout"];
          n4 -> n0 [label="k++"];
          n4 -> n3 [label="unless", style=dashed, color="#94a3b8", constraint=false];
          n5 -> n0 [label="r.s[k - 2] = 1"];
          n6 -> n5 [label="k == 3"];
          n10 -> n8;
          n8 -> n9 [label="d?_"];
        }
    "##]]
    .assert_eq(&stdout.replace(&model, "model.pml"));
    let picture = folder.join("a.svg").display().to_string();
    let one = ["graph", "program", &model, "-DN=5", "--proctype", "A", "-o", &picture];
    assert_eq!(run(&one).0, 0);
    let svg = fs::read_to_string(&picture).expect("the picture was written");
    assert!(svg.contains("class=\"atomic\"") && svg.contains("class=\"deterministic\""), "{svg}");
    assert!(svg.contains("k++") && !svg.contains("d?_"), "{svg}");
}

#[test]
fn the_whole_program_is_dumped() {
    let folder = Folder::new("program-json");
    let model = model(&folder);
    let found = document(&["graph", "program", &model, "-DN=5", "--format", "json"]);
    assert_eq!(found["globals"][1]["type"], "unsigned : 3");
    assert_eq!(found["globals"][1]["domain"], json!({"min": 0, "max": 7}));
    assert_eq!(found["globals"][1]["initial"], "5");
    assert_eq!(found["records"][0]["fields"][0]["domain"], json!({"min": -32768, "max": 32767}));
    assert_eq!(found["channels"][0]["fields"], json!(["mtype", "byte"]));
    let process = &found["processes"][0];
    assert_eq!((&process["name"], &process["provided"]), (&json!("A"), &json!("(u > 0)")));
    let transitions = process["transitions"].as_array().expect("a list");
    let send = transitions.iter().find(|it| it["statement"] == "c!ping(k)").expect("it is there");
    let place = (&send["place"]["line"], &send["place"]["column"]);
    assert_eq!((place, &send["keeps_control"]), ((&json!(7), &json!(15)), &json!(true)));
    assert_eq!(send["writes"], json!(["channel c"]));
    assert_eq!(send["operations"], json!([{"channel": "channel c", "operation": "send"}]));
    let step = transitions.iter().find(|it| !it["d_step"].is_null()).expect("it is there");
    assert_eq!((&step["guard"], &step["writes"]), (&json!("k == 3"), &json!(["r.s[*]"])));
    let meet = transitions.iter().find(|it| it["statement"] == "d!1").expect("it is there");
    assert_eq!(meet["partner"]["writes"], json!(["channel d", "init@"]));
    for process in found["processes"].as_array().expect("a list") {
        let n_locations = process["locations"].as_array().expect("a list").len() as u64;
        for transition in process["transitions"].as_array().expect("a list") {
            assert!(transition["to"].as_u64().is_none_or(|to| to < n_locations), "{transition}");
        }
    }
}

#[test]
fn the_schema_names_every_field() {
    let folder = Folder::new("program-schema");
    let model = model(&folder);
    let schema = document(&["schema", "program"]);
    let found = document(&["graph", "program", &model, "-DN=5", "--format", "json"]);
    assert_eq!(faults(&found, &schema), Vec::<String>::new());
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::new("program-mistakes");
    let model = model(&folder);
    let cases: [(&[&str], &str); 4] = [
        (&["specs/lock.yaml"], "error[file-kind]"),
        (&[&model, "-DN=5", "--proctype", "inti"], "did you mean `init`?"),
        (&[&model], "error[promela"),
        (&["none.pml"], "error[file-missing]"),
    ];
    for (arguments, message) in cases {
        let (code, _, stderr) = run(&[&["graph", "program"], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn without_a_kind_of_picture_what_fits_the_file_is_drawn() {
    let pairs: [(&[&str], &[&str]); 5] = [
        (&["examples/lock.rs", "--format", "json"], &["program", "examples/lock.rs", "--format", "json"]),
        (&["examples/promela/mesi.pml", "-DN=2"], &["program", "examples/promela/mesi.pml", "-DN=2"]),
        (
            &["examples/promela/mesi.pml", "--format", "json"],
            &["program", "examples/promela/mesi.pml", "--format", "json"],
        ),
        (&["examples/peterson.rs", "--set", "N=2"], &["cfg", "examples/peterson.rs", "--set", "N=2"]),
        (&["specs/lock.yaml"], &["tfg", "specs/lock.yaml"]),
    ];
    for (short, long) in pairs {
        let (code, picture, stderr) = run(&[&["graph"], short].concat());
        assert_eq!(code, 0, "{short:?}: {stderr}");
        assert_eq!(picture, run(&[&["graph"], long].concat()).1, "{short:?}");
    }
    let refused: [(&[&str], &str); 4] = [
        (&["graph", "examples/promela/mesi.pml", "--set", "N=2"], "-D N=4"),
        (&["graph", "examples/lock.rs", "-D", "N=2"], "--set N=4"),
        (&["graph", "specs/lock.yaml", "--format", "json"], "--format dot"),
        (&["graph"], "FILE"),
    ];
    for (arguments, hint) in refused {
        let (code, _, stderr) = run(arguments);
        assert!(code == 2 && stderr.contains(hint), "{arguments:?}: {stderr}");
    }
}
