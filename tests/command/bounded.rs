//! Hostile inputs: whatever is read, built, searched or told ends within the
//! limits of the run, with a message instead of an abort.
//!
//! The bounds on time are generous: without its limit, each run takes minutes
//! or all memory.

use crate::folder;
use folder::Folder;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run with a limit of a second may take on a busy machine.
const SOON: Duration = Duration::from_secs(30);

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

#[track_caller]
fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(start.elapsed() < SOON, "{arguments:?} took {:?}", start.elapsed());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?} was aborted: {stderr}"));
    assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("did not stop"), "{arguments:?}: {stderr}");
    Ended { code, stdout, stderr }
}

/// A folder with small good files.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("bounded-{name}"));
    write(&folder, "ok.rs", "#[task]\nfn t() { event!(a); }\n");
    write(&folder, "ok.yaml", "{model: ok.rs, name: p, events: [a], all: \"a*\"}\n");
    write(&folder, "ok.pml", "byte x; init { x = 1 }\n");
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("the folder is writable");
}

/// `{0}` repeated with its number, as a macro of this file.
fn each(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(line).collect()
}

#[test]
#[cfg(unix)]
fn nothing_is_read_without_a_limit() {
    let folder = folder("read");
    let sparse = fs::File::create(folder.join("big.pml")).expect("the folder is writable");
    sparse.set_len(3 << 30).expect("files can be sparse");
    for name in ["big.yaml", "big.rs", "big", "big.trail"] {
        fs::hard_link(folder.join("big.pml"), folder.join(name)).expect("the folder is writable");
    }
    write(&folder, "include.pml", "#include \"/dev/zero\"\ninit { skip }\n");
    write(&folder, "large.pml", "#include \"big.pml\"\ninit { skip }\n");
    write(&folder, "study.yaml", "{strategies: [bfs], subjects: [{include: /dev/zero}]}\n");
    let cases: [(&[&str], &str); 14] = [
        (&["check", "/dev/zero"], "`/dev/zero` is a device"),
        (&["check", "ok.yaml", "--model", "/dev/zero"], "`/dev/zero` is a device"),
        (&["check", "ok.yaml", "-c", "/dev/zero"], "`/dev/zero` is a device"),
        (&["check", "ok.yaml", "-c", "/dev/zero#s"], "`/dev/zero` is a device"),
        (&["check", "include.pml"], "`/dev/zero` is a device"),
        (&["check", "big.yaml"], "property file `big.yaml` is larger than the limit of 16.0 MiB"),
        (&["check", "big.pml"], "model `big.pml` is larger than the limit of 16.0 MiB"),
        (&["check", "big"], "`big` is larger than the limit of 16.0 MiB"),
        (&["check", "large.pml"], "`big.pml` is larger than the limit of 16.0 MiB"),
        (&["check", "ok.yaml", "--model", "big.rs"], "model `big.rs` is larger than the limit of 16.0 MiB"),
        (
            &["simulate", "ok.pml", "--trail", "big.trail"],
            "trail `big.trail` is larger than the limit of 256.0 MiB",
        ),
        (&["simulate", "ok.pml", "--trail", "/dev/zero"], "`/dev/zero` is a device"),
        (&["experiment", "study.yaml"], "`/dev/zero` is a device"),
        (&["graph", "cfg", "/dev/zero"], "`/dev/zero` is a device"),
    ];
    for (arguments, expected) in cases {
        let Ended { code, stderr, .. } = run(&folder, arguments);
        assert!(code == 2 && stderr.contains(expected), "{arguments:?}: {code}, {stderr}");
    }
}

#[test]
fn tables_and_expansions_are_measured_before_they_are_made() {
    let folder = folder("sizes");
    let doubled = |last: usize, line: &dyn Fn(usize) -> String| each(1..last + 1, line);
    let records = doubled(59, &|i| format!("typedef T{i} {{ T{} a; T{} b }};", i - 1, i - 1));
    let sets = doubled(59, &|i| format!("  s{i}: [\"#s{}\", \"#s{}\"]\n", i - 1, i - 1));
    let inlines = doubled(59, &|i| format!("inline A{i}() {{ A{}(); A{}() }}\n", i - 1, i - 1));
    let values = each(0..12, |i| format!("a{i}: [1, 2, 3, 4, 5, 6, 7, 8, 9], "));
    write(&folder, "records.pml", &format!("typedef T0 {{ int a }};{records} T59 x; init {{ skip }}"));
    write(&folder, "nested.pml", "typedef A { int a[60000] }; typedef B { A a[60000] }; B b; init { skip }");
    write(&folder, "inlines.pml", &format!("int x; inline A0() {{ x++ }}\n{inlines} init {{ A59() }}"));
    write(&folder, "active.pml", "active [1000000000] proctype p() { skip }");
    write(&folder, "channel.pml", "chan c = [1000000000] of { int }; init { skip }");
    write(&folder, "sets.yaml", &format!("sets:\n  s0: [task:t]\n{sets}"));
    let strategy = "strategies: [{strategy: bfs, label: \"{a0}\", for: ";
    write(&folder, "for.yaml", &format!("{strategy}{{{values}}}}}]\nsubjects: [{{spec: ok.yaml}}]\n"));
    write(
        &folder,
        "set.yaml",
        &format!("strategies: [bfs]\nsubjects: [{{spec: ok.yaml, set: {{{values}}}}}]\n"),
    );
    let array = "static mut w: [[[bool; 100000]; 100000]; 100000] = [[[false; 100000]; 100000]; 100000];\n";
    write(&folder, "array.rs", &format!("{array}#[task]\nfn t() {{ event!(a); }}\n"));
    let counted = "{model: ok.rs, name: p, events: [a], all: \"((a{1000}){1000}){1000}\"}\n";
    write(&folder, "count.yaml", counted);
    let long = ["bf(ta)"; 9000].join(" + ");
    let cases: [(&[&str], i32, &str); 11] = [
        (&["check", "records.pml"], 2, "promela-size"),
        (&["check", "nested.pml"], 2, "promela-size"),
        (&["check", "inlines.pml"], 2, "promela-limit"),
        (&["check", "active.pml"], 2, "promela-range"),
        (&["check", "channel.pml"], 2, "promela-range"),
        (&["check", "ok.yaml", "-c", "sets.yaml#s59"], 0, ""),
        (&["experiment", "for.yaml"], 2, "study-limit"),
        (&["experiment", "set.yaml"], 2, "study-limit"),
        (&["check", "ok.yaml", "--model", "array.rs"], 2, "task-limit"),
        (&["check", "count.yaml"], 2, "spec-too-large"),
        (&["check", "ok.yaml", "--strategy", &long], 2, "a strategy has at most 100 rules"),
    ];
    for (arguments, expected_code, expected) in cases {
        let Ended { code, stderr, .. } = run(&folder, arguments);
        let shown = &arguments[..arguments.len().min(2)];
        assert!(code == expected_code && stderr.contains(expected), "{shown:?}: {code}, {stderr}");
    }
}

#[test]
fn long_names_have_no_suggestions() {
    let folder = folder("names");
    let name = "a".repeat(60_000);
    write(&folder, "long.pml", &format!("int {name}b; init {{ {name}c = 1 }}"));
    let Ended { code, stderr, .. } = run(&folder, &["check", "long.pml"]);
    assert!(code == 2 && stderr.contains("promela-unknown"));
    assert!(!stderr.contains("did you mean"));
}

#[test]
fn a_picture_is_drawn_simplified_or_refused() {
    let folder = folder("pictures");
    let events = each(0..20, |i| format!("event!(e{i}[i]); "));
    let model =
        |n: usize| format!("#[task(i in 0..{n})]\nfn t(i: usize) {{ while any!() {{ {events} }} }}\n");
    write(&folder, "some.rs", &model(40));
    write(&folder, "many.rs", &model(400));
    let simplified = run(&folder, &["graph", "tfg", "some.rs", "--format", "svg"]);
    assert!(simplified.code == 0 && simplified.stdout.ends_with("</svg>\n"));
    assert!(simplified.stderr.contains("dashed edges are not shown"), "{}", simplified.stderr);
    let refused = run(&folder, &["graph", "cfg", "many.rs", "--format", "svg"]);
    assert!(refused.code == 2 && refused.stderr.contains("--format dot"), "{}", refused.stderr);
    let refused = run(&folder, &["graph", "tfg", "many.rs", "--format", "dot"]);
    assert!(refused.code == 2 && refused.stderr.contains("--no-parallel"), "{}", refused.stderr);
}

/// Code for each of 250 processes, which takes hundreds of megabytes.
fn large_code() -> String {
    let statements = each(0..4000, |i| format!("x = {}; ", i % 7));
    format!("active [250] proctype p() {{ int x; {statements} skip }}\n")
}

/// One input for each phase of a run, with which the phase takes minutes.
#[test]
fn every_phase_obeys_the_time_limit() {
    let folder = folder("phases");
    let mut checked = each(0..30_000, |i| format!("int n{i};\n"));
    checked.push_str("init { ");
    (0..30_000).for_each(|i| write!(checked, "n{i} = n{}; ", 29_999 - i).expect("a string takes all"));
    checked.push_str("skip }\n");
    write(&folder, "build.pml", &checked);
    write(&folder, "wide.pml", &large_code());
    let counters = "int x, y, z; active proctype p() { do :: x++ :: y++ :: z++ :: x-- :: y-- :: z-- od }";
    write(&folder, "search.pml", counters);
    write(&folder, "cycle.pml", &format!("{counters} ltl f {{ []<>(x == 3) }}"));
    write(&folder, "trail.pml", "int x; init { do :: x < 3000000 -> x++ :: else -> assert(false) od }");
    let events = each(0..100, |i| format!("event!(e{i}); "));
    let names = each(0..100, |i| format!("e{i}, "));
    let tasks = format!("#[task(i in 0..100)]\nfn t(i: usize) {{ while any!() {{ {events} }} }}\n");
    write(&folder, "tasks.rs", &tasks);
    write(&folder, "tasks.yaml", &format!("{{model: tasks.rs, name: p, events: [{names}], all: \".*\"}}\n"));
    let cases: [&[&str]; 8] = [
        &["check", "build.pml"],
        &["check", "wide.pml"],
        &["check", "search.pml"],
        &["check", "search.pml", "--strategy", "dfs"],
        &["check", "cycle.pml"],
        &["check", "trail.pml", "--strategy", "dfs"],
        &["check", "tasks.yaml"],
        &["check", "tasks.yaml", "-c", "task:*", "--adjacency", "always"],
    ];
    for arguments in cases {
        let limits = ["--timeout", "1s", "--max-memory", "1G"];
        let Ended { code, stdout, stderr } = run(&folder, &[arguments, &limits[..]].concat());
        assert!(code == 3 || code == 1 || code == 0, "{arguments:?}: {code}, {stdout}{stderr}");
    }
}

/// What no search counts is memory, too.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_limited_before_the_search() {
    let folder = folder("memory");
    write(&folder, "wide.pml", &large_code());
    let limits = ["--timeout", "20s", "--max-memory", "300M"];
    let Ended { code, stdout, stderr } = run(&folder, &[&["check", "wide.pml"][..], &limits].concat());
    assert_eq!(code, 3, "{stdout}{stderr}");
    assert!(stdout.contains("memory limit") || stderr.contains("memory limit"), "{stdout}{stderr}");
}

/// Large states with many successors, whose layout grows several times during
/// the first expansion.
fn wide_states() -> String {
    let processes =
        each(0..200, |i| format!("active proctype p{i}() {{ do :: big[{i}]++ :: big[{i}]-- od }}\n"));
    format!("int big[60000]; chan c[200] = [200] of {{ int, int, int, int }};\n{processes}")
}

#[test]
fn an_expansion_obeys_the_time_limit() {
    let folder = folder("expansion");
    write(&folder, "wide.pml", &wide_states());
    let options = |i| each(0..20, |k| format!(":: big[{}]++ ", i * 20 + k));
    let processes = each(0..60, |i| format!("active proctype p{i}() {{ do {} od }}\n", options(i)));
    let channels = "chan c[200] = [200] of { int, int, int, int };\n";
    write(&folder, "fair.pml", &format!("int big[60000]; {channels}{processes}"));
    let cases: [&[&str]; 4] = [
        &["wide.pml", "--strategy", "bfs"],
        &["wide.pml", "--strategy", "dfs"],
        &["wide.pml", "--strategy", "auto"],
        &["fair.pml", "--fair", "--ltl", "<> true", "--property", "<>*"],
    ];
    for arguments in cases {
        let arguments = [&["check"], arguments, &["--timeout", "2s"]].concat();
        let Ended { code, stdout, stderr } = run(&folder, &arguments);
        let is_undecided = code == 3 && stdout.contains("--timeout was reached");
        assert!(is_undecided, "{arguments:?}: {code}, {stdout}{stderr}");
    }
}

/// The system shows no successors after that: it must not seem to have
/// stopped for ever.
#[test]
fn a_sequence_that_is_given_up_violates_nothing() {
    let folder = folder("given-up");
    let model = "int x, y, z; int big[8000];
        active proctype p() {
            d_step { do :: x < 1000000000 -> x++; y = y * 3 + x :: x == 1000000000 -> break od };
            z = 1
        }\n";
    write(&folder, "long.pml", model);
    let arguments = ["check", "long.pml", "--ltl", "<> (z == 1)"];
    let Ended { code, stdout, stderr } = run(&folder, &arguments);
    assert_eq!(code, 3, "{stdout}{stderr}");
    assert!(!stdout.contains("VIOLATED"), "{stdout}");
}

#[test]
fn graphs_and_simulations_obey_the_time_limit() {
    let folder = folder("others");
    write(&folder, "wide.pml", &wide_states());
    write(&folder, "run.pml", "int x; active proctype p() { do :: x++ :: x-- od }");
    let long = each(0..200_000, |i| format!("event!(e{i});\n"));
    write(&folder, "long.rs", &format!("#[task]\nfn t() {{ {long} }}\n"));
    let long = each(0..400_000, |i| format!("x = {i};\n"));
    write(&folder, "long.pml", &format!("int x; init {{ {long} }}\n"));
    // Two seconds are enough to read the text, and too short for the graph.
    let Ended { code, stderr, .. } = run(&folder, &["graph", "tfg", "long.rs", "--timeout", "2s"]);
    assert_eq!(code, 3, "{stderr}");
    let cases: [&[&str]; 6] = [
        &["graph", "cfg", "long.rs"],
        &["graph", "tfg", "long.rs"],
        &["graph", "program", "long.pml", "--format", "json"],
        &["simulate", "long.pml"],
        &["simulate", "wide.pml", "--steps", "10M"],
        &["simulate", "run.pml", "--steps", "100M", "--format", "json"],
    ];
    for arguments in cases {
        let Ended { code, stdout, stderr } = run(&folder, &[arguments, &["--timeout", "500ms"]].concat());
        assert_eq!(code, 3, "{arguments:?}: {stderr}");
        assert!(
            stdout.contains("the time limit was reached") || stderr.contains("the time limit was reached")
        );
    }
    let limits = ["--max-memory", "20M"];
    let Ended { code, stdout, stderr } = run(&folder, &[cases[5], &limits[..]].concat());
    assert_eq!(code, 3, "{stderr}");
    assert!(stdout.contains("the memory limit was reached"));
}

/// Nobody writes to the pipe.
#[test]
#[cfg(unix)]
fn a_pipe_is_not_waited_for_beyond_the_time_limit() {
    let folder = folder("pipe");
    let cases: [(&[&str], i32); 3] = [
        (&["check", "ok.pml", "/dev/stdin", "--language", "promela", "--timeout", "200ms"], 3),
        (&["check", "ok.yaml", "/dev/stdin", "--timeout", "200ms"], 3),
        (&["simulate", "/dev/stdin", "--language", "promela", "--timeout", "200ms"], 3),
    ];
    for (arguments, expected) in cases {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_trapline"))
            .args(arguments)
            .current_dir(&*folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let kept_open = child.stdin.take();
        let ended = child.wait_with_output().expect("it can be waited for");
        drop(kept_open);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        assert_eq!(ended.status.code(), Some(expected), "{arguments:?}: {stdout}{stderr}");
        assert!(stderr.contains("the time limit was reached"), "{arguments:?}: {stderr}");
        assert!(start.elapsed() < SOON && !stderr.contains("did not stop"), "{stderr}");
        assert!(arguments[0] == "simulate" || stdout.contains("holds"), "{stdout}");
    }
}
