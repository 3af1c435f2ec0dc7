//! Memory of searches and size of reports on Promela models of the kinds that
//! cost too much once: atomic sequences, rendezvous, many processes, deep
//! stacks, long trails.

use crate::folder;
use folder::Folder;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

fn run(folder: &Folder, text: &str, arguments: &[&str]) -> (i32, String, String) {
    let model = folder.join("model.pml");
    fs::write(&model, text).expect("the folder is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.arg("check").arg(&model).args(["--property", "safety", "--reduction", "none"]).args(arguments);
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn result(folder: &Folder, text: &str, arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(folder, text, &[arguments, &["--format", "json"]].concat());
    let mut document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    document["results"][0].take()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Long atomic sequences reach each state from many others.
const ATOMIC: &str = "
#define N 5
byte a[N]; short pad[60];
active [N] proctype P() {
  do
  :: atomic { a[_pid] < 6 -> pad[0]++; pad[1]++; pad[2]++; pad[3]++; pad[4]++; pad[5]++; pad[6]++; pad[7]++;
              pad[0]--; pad[1]--; pad[2]--; pad[3]--; pad[4]--; pad[5]--; pad[6]--; pad[7] = 1000; a[_pid]++ }
  :: a[_pid] > 0 -> a[_pid] = 0
  od
}";

const RENDEZVOUS: &str = "
#define N 3
chan c[N] = [0] of { byte, byte };
byte got[N]; short pad[30];
active [N] proctype S() { byte v; do :: v < 6 -> c[_pid] ! v, _pid; v++; pad[v] = 500 + v :: v == 6 -> v = 0 od }
active [N] proctype R() { byte w, p; do :: c[_pid - N] ? w, p; got[_pid - N] = w od }";

#[test]
fn breadth_first_search_stores_each_state_once() {
    let folder = Folder::new("promela-memory-bfs");
    for (name, text) in [("atomic", ATOMIC), ("rendezvous", RENDEZVOUS)] {
        let found = result(&folder, text, &["--strategy", "bfs"]);
        assert_eq!(found["verdict"], "holds", "{name}");
        let stored = number(&found["search"]["stored"]);
        assert!(stored > 10_000.0, "{name}: {stored}");
        // A parent and a slot of a table that is more than half full.
        let packed = number(&found["explicit"]["state_bytes"]) + 4.0 + 12.0;
        let bytes = number(&found["search"]["bytes"]) / stored;
        assert!(bytes < 1.3 * packed, "{name}: {bytes} bytes per state, {packed} packed");
        let threads = result(&folder, text, &["--strategy", "bfs", "--threads", "2"]);
        for counter in ["stored", "generated", "expanded", "depth"] {
            assert_eq!(threads["search"][counter], found["search"][counter], "{name}: {counter}");
        }
    }
}

/// In the midst of such a search most generated states wait for their layer;
/// they are stored once, however often they are generated.
#[test]
fn states_that_wait_for_their_layer_are_stored_once() {
    let folder = Folder::new("promela-memory-waiting");
    let text = "
        #define N 9
        byte a[N]; short pad[60];
        active [N] proctype P() {
          do
          :: atomic { a[_pid] < 3 -> a[_pid]++; pad[a[_pid]] = 1000 }
          :: a[_pid] > 0 -> a[_pid] = 0
          od
        }";
    let found = result(&folder, text, &["--strategy", "bfs", "--max-states", "20k"]);
    assert_eq!(found["verdict"], "undecided");
    let bytes = number(&found["search"]["bytes"]) / number(&found["search"]["stored"]);
    // About two states for each that has been counted; it was five.
    assert!(bytes < 3.0 * (number(&found["explicit"]["state_bytes"]) + 16.0), "{bytes} bytes per state");
}

#[test]
fn depth_first_search_forgets_successors_of_a_deep_path() {
    let folder = Folder::new("promela-memory-dfs");
    let text = "
        short x;
        proctype P(byte me) { byte k; do :: x < 3000 -> x++; k = (k + me) % 3 od }
        init { byte i; atomic { do :: i < 100 -> run P(i); i++ :: else -> break od } }";
    let found = result(&folder, text, &["--strategy", "dfs"]);
    let (stored, bytes) = (number(&found["search"]["stored"]), number(&found["search"]["bytes"]));
    assert_eq!(found["verdict"], "violated");
    assert!(number(&found["search"]["depth"]) > 9000.0, "{}", found["search"]);
    // Each of the states had 100 others wait for it, of 160 bytes.
    let visited = stored * (number(&found["explicit"]["state_bytes"]) + 12.0);
    assert!(bytes < 1.3 * visited + 18.0 * 1048576.0, "{bytes} bytes for {stored} states");
}

const LONG: &str = "
int x; short pad[20];
active proctype A() { do :: x < 5000 -> x++; pad[x % 20] = x % 7 :: else -> break od; assert(false) }";

#[test]
fn a_step_of_a_long_trail_is_a_short_line() {
    let folder = Folder::new("promela-memory-trail");
    let (_, stdout, _) = run(&folder, LONG, &["--strategy", "dfs", "--format", "json"]);
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let trail = document["results"][0]["counterexample"]["steps"].as_array().expect("a list");
    assert!(trail.len() > 15_000, "{}", trail.len());
    let location = trail[0]["places"][0]["file"].as_str().expect("a name").len();
    assert!(stdout.len() < trail.len() * (150 + location), "{} bytes", stdout.len());
    assert!(trail.iter().all(|step| step.get("state").is_none()));
    assert_eq!(trail[1]["changes"], json!([{ "name": "x", "to": "1" }]));
}

#[test]
fn whole_states_are_given_on_request() {
    let folder = Folder::new("promela-memory-states");
    let found = result(&folder, LONG, &["--strategy", "dfs", "--states"]);
    let trail = found["counterexample"]["steps"].as_array().expect("a list");
    let values = |step: &Value| step["state"].as_object().map_or(0, serde_json::Map::len);
    assert!(trail.iter().all(|step| values(step) == 21), "{}", trail[0]);
    assert_eq!(trail[1]["state"]["x"], "1");
    assert_eq!(trail.last().map(|step| &step["state"]), Some(&found["counterexample"]["last"]));
    let (code, _, stderr) = run(&folder, LONG, &["--states"]);
    assert!(code == 2 && stderr.contains("`--states`") && stderr.contains("--format json"), "{stderr}");
}
