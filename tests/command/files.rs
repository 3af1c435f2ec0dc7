//! Files that are read and written: which language a file has, and that no
//! input is lost.

use crate::folder;
use folder::Folder;
use std::fs;
use std::path::Path;
use std::process::Command;

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n";
const TASKS: &str = "#[task]\nfn t1() { call!(t2.go); }\n#[task]\nfn t2() { accept!(go); }\n";
const PROPERTY: &str = "name: p\nmodel: tasks.rs\nevents: { go: t2.go }\nnone: 'go ; go'\n";

/// A folder with a model of each language and a property file.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("files-{name}"));
    for (file, text) in [
        ("model.pml", MODEL),
        ("bare", "byte x;\ninit{ x = 1 }\n"),
        ("tasks.rs", TASKS),
        ("tasks", TASKS),
        ("spec.yaml", PROPERTY),
        ("spec", "name: p\nmodel: tasks\nevents: { go: t2.go }\nnone: 'go ; go'\n"),
        ("ring.yaml", "name: q\nmodel: model.pml\ninvariant: x < 2\n"),
        ("study.yaml", "name: s\nstrategies: [bfs]\nsubjects: [{ spec: spec.yaml }]\n"),
        ("other.yaml", "name: s\nstrategies: [bfs]\nsubjects: [{ spec: ring.yaml }]\n"),
        ("context.yaml", "name: c\nevents: { go: t2.go }\nall: 'go*'\n"),
        ("part.h", "#define N 1\n"),
        ("whole.pml", "#include \"part.h\"\ninit { assert(N == 1) }\n"),
    ] {
        fs::write(folder.join(file), text).expect("the folder is writable");
    }
    folder
}

fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

/// All files of a folder with their texts.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("it exists").flatten();
    let mut all: Vec<(String, Vec<u8>)> = entries
        .filter(|it| it.path().is_file())
        .map(|it| {
            (it.file_name().to_string_lossy().into_owned(), fs::read(it.path()).expect("it is readable"))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_file_without_an_ending_is_known_by_its_text() {
    let folder = folder("text");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["check", "bare"], 0, "bare: safety: holds"),
        (&["check", "spec"], 0, "p: holds"),
        (&["simulate", "bare", "--seed", "1"], 0, "ended after"),
        (&["graph", "program", "bare"], 0, "digraph"),
        (&["graph", "bare"], 0, "digraph"),
        (&["graph", "tasks"], 0, "digraph"),
        (&["graph", "cfg", "tasks"], 0, "digraph"),
        (&["experiment", "other.yaml", "--list"], 0, "ring/q"),
    ];
    for (arguments, expected, said) in cases {
        let (code, stdout, stderr) = run(arguments, &folder);
        assert_eq!(code, expected, "{arguments:?}: {stderr}");
        assert!(stdout.contains(said), "{arguments:?}: {stdout}");
    }
}

#[test]
fn a_language_can_be_forced() {
    let folder = folder("forced");
    fs::copy(folder.join("model.pml"), folder.join("model.yaml")).expect("it is writable");
    fs::copy(folder.join("spec.yaml"), folder.join("spec.pml")).expect("it is writable");
    fs::copy(folder.join("tasks.rs"), folder.join("tasks.pml")).expect("it is writable");
    fs::copy(folder.join("model.pml"), folder.join("model.rs")).expect("it is writable");
    let cases: [(&[&str], i32); 8] = [
        (&["check", "model.yaml", "--language", "promela"], 1),
        (&["check", "spec.pml", "--language", "property"], 0),
        (&["check", "spec.yaml", "--model", "tasks.pml", "--language", "task"], 0),
        (&["check", "ring.yaml", "--model", "model.rs", "--language", "promela"], 0),
        (&["simulate", "model.yaml", "--language", "promela"], 1),
        (&["graph", "program", "model.yaml", "--language", "promela"], 0),
        (&["graph", "tfg", "tasks.pml", "--language", "task"], 0),
        (&["graph", "automaton", "spec.pml", "--language", "property"], 0),
    ];
    for (arguments, expected) in cases {
        let (code, _, stderr) = run(arguments, &folder);
        assert_eq!(code, expected, "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_file_of_another_language_is_called_what_it_is() {
    let folder = folder("called");
    fs::copy(folder.join("model.pml"), folder.join("model.yaml")).expect("it is writable");
    let promela = "is a Promela model, not";
    let cases: [(&[&str], &str, &str); 12] = [
        (&["graph", "tfg", "model.pml"], promela, "`trapline graph model.pml` draws it"),
        (&["graph", "tfg", "bare"], promela, "trapline graph bare"),
        (&["graph", "cfg", "model.pml"], promela, "trapline graph model.pml"),
        (&["graph", "automaton", "model.pml"], promela, "trapline check model.pml"),
        (&["graph", "tfg", "ring.yaml"], promela, "ring.yaml:2:8"),
        (&["experiment", "model.pml"], promela, "`trapline check model.pml` checks it"),
        (&["experiment", "spec.yaml"], "is a property file, not a study", "trapline check spec.yaml"),
        (&["check", "model.yaml"], promela, "--language promela model.yaml"),
        (&["check", "spec.yaml", "-c", "model.pml"], promela, "not a constraint file"),
        (&["check", "tasks.rs", "--engine", "flow"], "is a model", "remove `--engine flow`"),
        (&["simulate", "spec.yaml"], "is a property file, not a Promela model", "trapline check spec.yaml"),
        (&["simulate", "model.pml", "--trail", "model.pml"], promela, "not a trail"),
    ];
    for (arguments, message, help) in cases {
        let (code, _, stderr) = run(arguments, &folder);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(message) && stderr.contains(help), "{arguments:?}: {stderr}");
    }
}

#[test]
fn no_output_overwrites_an_input() {
    let folder = folder("overwrite");
    fs::create_dir(folder.join("sub")).expect("the folder is writable");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("model.pml", folder.join("link.txt")).expect("the folder is writable");
        std::os::unix::fs::symlink("spec.yaml", folder.join("link.trail")).expect("the folder is writable");
        fs::hard_link(folder.join("model.pml"), folder.join("hard.trail")).expect("the folder is writable");
        fs::hard_link(folder.join("study.yaml"), folder.join("table.md")).expect("the folder is writable");
    }
    fs::copy(folder.join("whole.pml"), folder.join("whole")).expect("it is writable");
    fs::write(folder.join("part.txt"), "#define N 1\n").expect("the folder is writable");
    fs::write(folder.join("outer.pml"), "#if 1\n# include \"part.txt\"\n#endif\ninit { assert(N) }\n")
        .expect("the folder is writable");
    let before = contents(&folder);
    let mut cases: Vec<&[&str]> = vec![
        &["check", "model.pml", "--format", "text", "-o", "model.pml"],
        &["check", "model.pml", "--format", "json", "-o", "./sub/../model.pml"],
        &["check", "spec.yaml", "--format", "text", "-o", "spec.yaml"],
        &["check", "spec.yaml", "--format", "text", "-o", "tasks.rs"],
        &["check", "ring.yaml", "--format", "text", "-o", "model.pml"],
        &["check", "spec.yaml", "-c", "context.yaml", "--format", "text", "-o", "context.yaml"],
        &["check", "bare", "-o", "bare"],
        &["check", "outer.pml", "-o", "part.txt"],
        &["check", "bare", "--spin-trail", "bare"],
        &["graph", "cfg", "tasks.rs", "--format", "dot", "-o", "tasks.rs"],
        &["graph", "tfg", "spec.yaml", "--format", "dot", "-o", "tasks.rs"],
        &["graph", "automaton", "spec", "-o", "spec"],
        &["graph", "program", "bare", "-o", "bare"],
    ];
    if cfg!(unix) {
        cases.extend([
            &["check", "model.pml", "-o", "link.txt"] as &[&str],
            &["check", "model.pml", "--spin-trail", "hard.trail"],
            &["check", "spec.yaml", "-o", "link.trail", "--format", "text"],
            &["experiment", "study.yaml", "-o", "."],
        ]);
    }
    for arguments in cases {
        let (code, stdout, stderr) = run(arguments, &folder);
        assert_eq!(code, 2, "{arguments:?}: {stdout}{stderr}");
        assert!(stderr.contains("error[output-is-input]"), "{arguments:?}: {stderr}");
        assert!(contents(&folder) == before, "{arguments:?} changed a file");
    }
}

#[test]
fn two_results_never_share_a_file() {
    let folder = folder("twice");
    fs::create_dir(folder.join("sub")).expect("the folder is writable");
    let before = contents(&folder);
    for other in ["result", "./result", "sub/../result"] {
        let arguments = ["check", "model.pml", "-o", "result", "--spin-trail", other];
        let (code, _, stderr) = run(&arguments, &folder);
        assert_eq!(code, 2, "{other}: {stderr}");
        assert!(stderr.contains("error[output-twice]"), "{other}: {stderr}");
    }
    assert!(contents(&folder) == before);
    let apart = ["check", "model.pml", "-o", "result.txt", "--spin-trail", "result.trail"];
    assert_eq!(run(&apart, &folder).0, 1);
    assert!(folder.join("result.txt").is_file() && folder.join("result.trail").is_file());
}

#[test]
fn an_ending_that_is_not_served_names_those_that_are() {
    let folder = folder("endings");
    let before = contents(&folder);
    let cases: [(&[&str], &str); 7] = [
        (&["graph", "cfg", "tasks.rs", "-o", "x.png"], ".dot, .gv or .svg"),
        (&["graph", "tfg", "spec.yaml", "-o", "x.PDF"], ".dot, .gv or .svg"),
        (&["graph", "program", "model.pml", "-o", "x.png"], ".dot, .gv, .svg or .json"),
        (&["graph", "program", "model.pml", "-o", "x.svg", "--format", "json"], ".dot, .gv, .svg or .json"),
        (&["check", "model.pml", "-o", "x.png"], ".json"),
        (&["check", "model.pml", "-o", "x.json", "--format", "text"], ".txt"),
        (&["check", "model.pml", "--spin-trail", "other.pml"], ".trail"),
    ];
    for (arguments, endings) in cases {
        let (code, _, stderr) = run(arguments, &folder);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains("output-format") && stderr.contains(endings), "{arguments:?}: {stderr}");
    }
    assert!(contents(&folder) == before);
    assert_eq!(run(&["check", "model.pml", "-o", "x.json"], &folder).0, 1);
    let written = fs::read_to_string(folder.join("x.json")).expect("it was written");
    serde_json::from_str::<serde_json::Value>(&written).expect("the ending says JSON");
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_that_fails_leaves_the_old_file() {
    let folder = folder("full");
    fs::write(folder.join("old.svg"), "old").expect("the folder is writable");
    let before = contents(&folder);
    // No file may have more than 512 bytes.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" graph program model.pml -o old.svg";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_trapline")]).current_dir(&*folder);
    let output = shell.output().expect("there is a shell");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("file-unwritable"));
    assert!(contents(&folder) == before);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_open_files_are_written_as_they_are() {
    let folder = folder("devices");
    let trapline = env!("CARGO_BIN_EXE_trapline");
    let shell = |script: &str| {
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", script, trapline]).current_dir(&*folder).output();
        let output = output.expect("there is a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, stdout) = shell("echo before > log; \"$0\" graph cfg tasks.rs -o /dev/stdout >> log; cat log");
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("before\ndigraph") && stdout.trim_end().ends_with('}'), "{stdout}");
    let (_, stdout) = shell("echo before > log; \"$0\" graph cfg tasks.rs -o /dev/fd/3 3>> log; cat log");
    assert!(stdout.starts_with("before\ndigraph"), "{stdout}");
    let (code, _) = shell(
        "\"$0\" check model.pml -o /dev/null --spin-trail /dev/null; code=$?; \
                           test -c /dev/null && exit $code",
    );
    assert_eq!(code, Some(1));
    let (_, stdout) =
        shell("mkfifo pipe; cat pipe & \"$0\" graph cfg tasks.rs -o pipe; wait; test -p pipe && echo ok");
    assert!(stdout.contains("digraph") && stdout.ends_with("ok\n"), "{stdout}");
    assert_eq!(shell("\"$0\" graph cfg tasks.rs -o /dev/full").0, Some(2));
}
