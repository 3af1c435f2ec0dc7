//! Task models on the explicit engine, as a user runs them.

use crate::folder::Folder;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C.UTF-8");
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

/// Runs `check` on a model of this text with the explicit engine.
fn check(name: &str, text: &str, more: &[&str]) -> (i32, String) {
    let folder = Folder::new(name);
    std::fs::write(folder.join("m.rs"), text).expect("the folder is writable");
    let path = folder.join("m.rs").display().to_string();
    let (code, stdout, stderr) = run(&[&["check", path.as_str(), "--engine", "explicit"], more].concat());
    (code, format!("{stdout}{stderr}"))
}

/// What a task waits for is said in the words of the model.
#[test]
fn blocked_tasks_say_what_they_wait_for() {
    let head = "static M: Lock = Lock::new(); static S: [Semaphore; 2] = [Semaphore::new(1); 2];
        static Q: Channel<bool> = Channel::new(1);
        #[task] fn server() { accept!(start); accept!(stop(0)); }";
    for (body, why) in [
        ("M.lock(); M.lock();", "waits for the lock `M`"),
        ("M.unlock(); M.lock();", "the task does not hold the lock `M`"),
        ("S[1].acquire(); S[1].acquire();", "waits for a permit of `S[1]`"),
        ("S[1].release(); S[1].acquire();", "`S[1]` has all its permits"),
        ("S[0].release();", "`S[0]` has all its permits"),
        ("Q.send(true); Q.send(false);", "channel `Q` is full"),
        ("let x = Q.recv(); Q.send(x);", "channel `Q` is empty"),
        ("call!(server.stop(0)); call!(server.start);", "waits until `server.stop` is accepted"),
        ("event!(nothing);", "waits for a call of `server.start`"),
    ] {
        let (code, shown) = check("waits", &format!("{head} #[task] fn t() {{ {body} }}"), &[]);
        assert!(code == 1 && shown.contains(why), "{body}: {code}\n{shown}");
        assert!(!shown.contains("may end here"), "{body}: {shown}");
    }
}

/// A statement of a function comes with the calls that lead to it, at the steps and where
/// tasks are blocked.
#[test]
fn statements_of_functions_say_where_they_were_called() {
    let text = "static A: Lock = Lock::new(); static B: Lock = Lock::new();
fn take(b: bool) { if b { B.lock(); } else { A.lock(); } }
fn both(first: bool) { take(first); take(!first); A.unlock(); B.unlock(); }
#[task] fn one() { both(true); }
#[task] fn two() { both(false); }";
    let (code, shown) = check("calls", text, &[]);
    // Without the name of the file, which is in a temporary folder.
    let short = |line: &str| match line.trim().split_once(", called at ") {
        Some((function, at)) => format!("{function} {}", &at[at.find(".rs").unwrap_or(0)..]),
        None => String::new(),
    };
    let lines: Vec<String> = shown.lines().map(short).collect();
    assert_eq!(code, 1, "{shown}");
    for (place, task) in [(24, 4), (37, 4), (24, 5), (37, 5)] {
        let calls = [format!("in take .rs:3:{place}"), format!("in both .rs:{task}:20")];
        assert!(lines.windows(2).any(|it| it == calls), "{calls:?}: {shown}");
    }
    let (_, document) = check("calls", text, &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("a report is JSON");
    let found = &document["results"][0]["counterexample"];
    for place in [&found["steps"][0]["places"][0], &found["blocked"][0]["statements"][0]] {
        let functions: Vec<_> =
            place["stack"].as_array().expect("calls").iter().map(|it| &it["function"]).collect();
        assert_eq!(functions, ["both", "take"], "{place}");
    }
}

/// A lock that is unlocked but never locked: the task is stuck where it is
/// declared, and a warning says why.
#[test]
fn warnings_of_a_model_are_shown() {
    let text = "static M: Lock = Lock::new(); #[task] fn stuck() { M.unlock(); }";
    let (code, shown) = check("warned", text, &[]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("warning[task-misuse]"), "{shown}");
    assert!(shown.lines().any(|it| it.starts_with("  stuck") && it.ends_with("is blocked")), "{shown}");
}

/// A violated order of events is not an error of the run.
#[test]
fn a_violated_order_does_not_blame_other_errors() {
    let folder = Folder::new("order");
    let text = "#[task] fn t() { event!(b); event!(a); }";
    std::fs::write(folder.join("m.rs"), text).expect("the folder is writable");
    let property = "name: order\nmodel: m.rs\nevents: { a: a, b: b }\nall: { pattern: precedence, first: a, before: b }\n";
    std::fs::write(folder.join("order.yaml"), property).expect("the folder is writable");
    let path = folder.join("order.yaml").display().to_string();
    let (code, stdout, _) = run(&["check", &path, "--engine", "explicit"]);
    assert!(code == 1 && !stdout.contains("Some runs end in an error"), "{stdout}");
}

/// The flow engine needs a constraint for it.
#[test]
fn event_orders_hold_without_constraints() {
    let flow = run(&["check", "specs/lock.yaml", "--no-default-constraints", "--confirm", "never"]);
    assert_eq!(flow.0, 1, "{}", flow.1);
    let (code, stdout, stderr) = run(&[
        "check",
        "specs/lock.yaml",
        "--no-default-constraints",
        "--engine",
        "explicit",
        "--format",
        "json",
    ]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("a report is JSON");
    let result = &document["results"][0];
    assert_eq!((&result["engine"], &result["verdict"]), (&"explicit".into(), &"holds".into()), "{stdout}");
    assert_eq!(document["configuration"]["engine"], "explicit");
}

/// Every shipped property holds exactly, as it does with its constraints.
#[test]
fn shipped_properties_have_their_exact_verdicts() {
    for file in ["lock", "peterson", "relay", "readers-writers", "token-ring", "smokers"] {
        let path = format!("specs/{file}.yaml");
        let (code, stdout, stderr) = run(&["check", &path, "--engine", "explicit", "--timeout", "1m"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{file}: {stdout}");
    }
}

#[test]
fn a_deadlock_names_the_tasks_that_are_stuck() {
    let text = "
        static A: Lock = Lock::new();
        static B: Lock = Lock::new();
        #[task] fn left() { A.lock(); B.lock(); B.unlock(); A.unlock(); }
        #[task] fn right() { B.lock(); A.lock(); A.unlock(); B.unlock(); }
    ";
    let (code, shown) = check("deadlock", text, &[]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("deadlock"), "{shown}");
    let line = |name: &str| {
        shown.lines().find(|it| it.starts_with(&format!("  {name}"))).unwrap_or_else(|| panic!("{shown}"))
    };
    assert!(line("left").contains("B.lock()") && line("left").contains("waits for the lock `B`"), "{shown}");
    assert!(line("right").contains("A.lock()"), "{shown}");
    let ordered = text.replace(
        "B.lock(); A.lock(); A.unlock(); B.unlock();",
        "A.lock(); B.lock(); B.unlock(); A.unlock();",
    );
    let (code, shown) = check("no-deadlock", &ordered, &[]);
    assert_eq!(code, 0, "{shown}");
}

/// A `select!` waits for any alternative that is open, and `terminate` is no
/// deadlock.
#[test]
fn selects_do_not_commit() {
    let text = "
        static mut FREE: bool = true;
        #[task] fn server() {
            loop {
                select! {
                    when FREE => accept!(take) => { FREE = false; }
                    when FREE => accept!(look) => { }
                    when !FREE => accept!(give) => { FREE = true; }
                    terminate
                }
            }
        }
        #[task(i in 0..2)] fn client(i: usize) { call!(server.take); call!(server.give); }
        #[task] fn reader() { call!(server.look); }
    ";
    let (code, shown) = check("selects", text, &[]);
    assert_eq!(code, 0, "{shown}");
    let (code, shown) = check("no-terminate", &text.replace("terminate", ""), &[]);
    assert_eq!(code, 1, "{shown}");
    for (entry, why) in [("take", "waits for a call of `server.take`"), ("give", "the guard is false")] {
        let blocked = |it: &str| it.contains(&format!("accept!({entry})")) && it.ends_with(why);
        assert!(shown.lines().any(blocked), "{entry}: {shown}");
    }
}

#[test]
fn a_value_out_of_range_is_an_error_with_its_place() {
    let text = "
        static mut N: int!(0..=2) = 0;
        #[task] fn t() { loop { N += 1; } }
    ";
    let (code, shown) = check("range", text, &[]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("a value is outside the range of its variable"), "{shown}");
    assert!(shown.contains("after 3 steps") && shown.contains("m.rs:3:33"), "{shown}");
}

#[test]
fn what_the_engine_cannot_use_is_refused() {
    let cases: [(&[&str], &str); 9] = [
        (&["examples/lock.rs", "--progress"], "`--progress` does not apply to a task model"),
        (&["specs/lock.yaml", "-D", "N=2"], "`--define` is only for Promela models"),
        (&["specs/lock.yaml", "--lose-messages"], "`--lose-messages` is only for Promela models"),
        (&["specs/lock.yaml", "--graph", "faithful"], "`--graph` is only for the flow engine"),
        (&["examples/lock.rs", "--adjacency", "never"], "`--adjacency` is only for the flow engine"),
        (&["specs/lock.yaml", "-c", "task:t1"], "does not apply to the explicit engine"),
        (&["specs/lock.yaml", "--strategy", "bf(ta)"], "the explicit engine has no heuristic `ta`"),
        (&["examples/lock.rs", "--property", "nothing"], "no property matches"),
        (&["examples/lock.rs", "--set", "NOPE=1"], "NOPE"),
    ];
    for (arguments, expected) in cases {
        let (code, stdout, stderr) = run(&[&["check", "--engine", "explicit"], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {stdout}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
    let (code, _, stderr) = run(&["check", "examples/lock.rs", "--engine", "flow"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("the flow engine needs a property file"), "{stderr}");
    let (_, _, stderr) = run(&["check", "examples/lock.rs", "--fair"]);
    assert!(stderr.contains("`--fair` has no effect"), "{stderr}");
}

#[test]
fn task_models_are_simulated() {
    let arguments = ["simulate", "examples/gas_station.rs", "--set", "N=1", "--seed", "3", "--steps", "8"];
    let (code, first, stderr) = run(&arguments);
    assert!(code == 0 || code == 1, "{stderr}");
    assert!(first.starts_with("seed 3\n") && first.contains("customer[0]"), "{first}");
    assert_eq!(run(&arguments).1, first, "a seed repeats a run");
    let (code, _, stderr) = run(&["simulate", "examples/lock.rs", "--lose-messages"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`--lose-messages` is only for Promela models"), "{stderr}");
    let (code, _, stderr) = run(&["simulate", "examples/promela/peterson.pml", "--set", "N=2"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`--set` does not apply to a Promela model"), "{stderr}");
}

/// A counterexample is found again in its model, whichever engine form and
/// language it is of.
#[test]
fn a_report_is_followed_step_by_step() {
    let folder = Folder::new("record");
    let report = folder.join("report.json");
    let path = report.to_str().expect("the path is text");
    let cases: [(&[&str], &[&str], &str); 4] = [
        (
            &["examples/gas_station.rs", "--set", "N=1"],
            &["examples/gas_station.rs", "--set", "N=1"],
            "deadlock",
        ),
        (
            &[
                "specs/gas-station.yaml",
                "--property",
                "pump-exclusive",
                "--engine",
                "explicit",
                "--set",
                "N=2",
            ],
            &["examples/gas_station.rs", "--set", "N=2"],
            "the report has no counterexample",
        ),
        (
            &["tests/end_to_end/philosophers.yaml", "--property", "ordered", "--engine", "explicit"],
            &["tests/end_to_end/philosophers.rs"],
            "the property of the report is violated here",
        ),
        (
            &["examples/promela/peterson.pml", "-D", "BUG", "-D", "N=2", "--property", "safety"],
            &["examples/promela/peterson.pml", "-D", "BUG", "-D", "N=2"],
            "assertion violated",
        ),
    ];
    for (check, simulate, expected) in cases {
        run(&[&["check"], check, &["-o", path]].concat());
        let (code, stdout, stderr) = run(&[&["simulate"], simulate, &["--trail", path]].concat());
        let text = format!("{stdout}{stderr}");
        assert!(text.contains(expected), "{check:?}: {code} {text}");
    }
}

#[test]
fn a_record_that_does_not_fit_is_refused() {
    let folder = Folder::new("record-misfit");
    let report = folder.join("report.json");
    let path = report.to_str().expect("the path is text");
    run(&["check", "examples/gas_station.rs", "--set", "N=1", "-o", path]);
    let (code, _, stderr) = run(&["simulate", "examples/relay.rs", "--trail", path]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("step 1 is not possible here") && stderr.contains("; the possible steps are "),
        "{stderr}"
    );
    assert!(stderr.contains("the report was made with `--set N=1`"), "{stderr}");
    let (code, _, stderr) =
        run(&["simulate", "examples/gas_station.rs", "--trail", path, "--property", "safty"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("did you mean `safety`?"), "{stderr}");
    run(&["check", "specs/lock.yaml", "--no-default-constraints", "--confirm", "never", "-o", path]);
    let (code, _, stderr) = run(&["simulate", "examples/lock.rs", "--trail", path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("a path of the flow engine"), "{stderr}");
    std::fs::write(&report, "{\n  \"results\": 3\n}\n").expect("the folder is writable");
    let (code, _, stderr) = run(&["simulate", "examples/lock.rs", "--trail", path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("neither a report") && stderr.contains("report.json:2:"), "{stderr}");
    std::fs::write(&report, "1:2:3\n").expect("the folder is writable");
    let (code, _, stderr) = run(&["simulate", "examples/lock.rs", "--trail", path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("trail files of SPIN are only for Promela models"), "{stderr}");
}

#[test]
fn the_processes_of_a_task_model_are_drawn_and_dumped() {
    let (code, stdout, stderr) = run(&["graph", "program", "examples/lock.rs", "--task", "t1"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("digraph") && stdout.contains("t1") && !stdout.contains("\"t2"), "{stdout}");
    let (code, stdout, stderr) = run(&["graph", "examples/lock.rs", "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let dump: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert!(stdout.contains("t2.locked"), "{dump}");
    let (code, _, stderr) = run(&["graph", "program", "examples/lock.rs", "--task", "t3"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no task is named `t3`"), "{stderr}");
}

/// Flags that a model or its engine cannot use are refused.
#[test]
fn flags_without_effect_are_refused() {
    let promela = "examples/promela/peterson.pml";
    for (arguments, message) in [
        (&["check", promela, "--graph", "faithful"][..], "`--graph` does not apply to a Promela model"),
        (&["check", promela, "--adjacency", "never"], "`--adjacency` does not apply to a Promela model"),
        (&["check", "examples/relay.rs", "--ignore", "assertions"], "only `--ignore end-states` applies"),
        (&["check", "examples/relay.rs", "--ignore", "promises"], "only `--ignore end-states` applies"),
    ] {
        let (code, _, stderr) = run(arguments);
        assert!(code == 2 && stderr.contains(message) && stderr.contains("help"), "{arguments:?}: {stderr}");
    }
    let (code, stdout, stderr) = run(&["check", "examples/relay.rs", "--ignore", "end-states"]);
    assert!(code == 0 && !stdout.contains("assertions"), "{stdout}{stderr}");
}

/// The name of a family means all its members in pictures too.
#[test]
fn programs_are_drawn_by_family() {
    let draw = |task: &str| run(&["graph", "program", "examples/gas_station.rs", "--task", task]);
    let (code, family, stderr) = draw("customer");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(family, draw("customer*").1);
    assert!(family.contains("customer[0]") && family.contains("customer[1]"), "{family}");
}

/// A lock has no value and never ends.
#[test]
fn formulas_about_locks_are_refused() {
    let text = "static M: Lock = Lock::new(); #[task] fn t() { M.lock(); M.unlock(); }";
    let (code, shown) = check("lock-value", text, &["--invariant", "M"]);
    assert!(code == 2 && shown.contains("`M` is a lock, a semaphore or a channel"), "{shown}");
    let (code, shown) = check("lock-end", text, &["--invariant", "!ended(M)"]);
    assert!(code == 2 && shown.contains("no task is named `M`") && shown.contains("`t`"), "{shown}");
}

/// Steps that are written alike are told apart by the value, the outcome of the
/// test, or the end of the accept body.
#[test]
fn steps_show_which_alternative_was_taken() {
    let text = "static mut X: int!(0..=2) = any!(); static mut Y: bool = false;
        #[task] fn s() { accept!(go => { if X > 1 { Y = true; } }); }
        #[task] fn c() { call!(s.go); wait!(X > 5); }";
    let (code, shown) = check("alternatives", text, &["--invariant", "!Y"]);
    assert_eq!(code, 1, "{shown}");
    for step in ["start  X  [X=2]", "s      X > 1  [X==2]"] {
        assert!(shown.contains(step), "{step}: {shown}");
    }
    let (_, shown) = check("alternatives-end", text, &[]);
    assert!(shown.contains("c      call!(s.go)  [s.go.end]"), "{shown}");
}

/// Counterexamples of both engines mark the events of the property, and their
/// last line names the property.
#[test]
fn events_of_the_property_are_marked() {
    let folder = Folder::new("marked-events");
    let model = "static mut x: int!(0..=2) = 1; #[task(i in 0..2)] fn p(i: usize) { event!(put(i, x)); }";
    let property =
        "{model: m.rs, name: q, events: {one: \"put(0,1)\", two: \"put(1,1)\"}, none: \"two;one\"}";
    std::fs::write(folder.join("m.rs"), model).expect("the folder is writable");
    std::fs::write(folder.join("p.yaml"), property).expect("the folder is writable");
    let path = folder.join("p.yaml").display().to_string();
    for engine in ["flow", "explicit"] {
        let (code, stdout, stderr) = run(&["check", &path, "--engine", engine, "--executions", "complete"]);
        assert_eq!(code, 1, "{stdout}{stderr}");
        assert!(stdout.contains("put(1,1)") && stdout.contains("◀ two"), "{engine}: {stdout}");
        assert!(stdout.ends_with("\nq: violated\n"), "{engine}: {stdout}");
    }
}
