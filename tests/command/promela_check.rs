//! `trapline check` on Promela models, as a user runs it.

use crate::folder;
use folder::Folder;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8");
    command.arg("check").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env_remove("CLICOLOR_FORCE").output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn result(arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    match &document["results"][0] {
        Value::Null => json!({ "verdict": document["verdict"] }),
        found => found.clone(),
    }
}

/// The answer to the formula of a model, with more arguments.
fn formula(arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let models = document["results"].as_array().expect("a list");
    models.iter().find(|it| it["kind"] == "formula").expect("the model has a formula").clone()
}

/// Returns the only result of a run.
fn only_result(arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    let mut document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let results = document["results"].as_array_mut().expect("a list");
    assert_eq!(results.len(), 1);
    results.remove(0)
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
        let mut arguments = vec![path.as_str(), "--strategy", "bfs", "--property", "safety"];
        arguments.extend(defines.iter().map(String::as_str));
        arguments.extend(["--reduction", "none"]);
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
    let lengths = rows("## Faulty variants", 3).into_iter().map(|(.., length)| length);
    for ((model, defines, violation), length) in rows("## Faulty variants", 2).into_iter().zip(lengths) {
        let path = format!("examples/promela/{model}.pml");
        let mut arguments = vec![path.as_str()];
        arguments.extend(defines.iter().map(String::as_str));
        let found = result(&arguments);
        assert_eq!(found["verdict"], "violated", "{model}");
        let fault = found["counterexample"]["fault"].as_str().expect("a fault");
        let trail = found["counterexample"]["steps"].as_array().expect("a trail");
        assert_eq!(n_statements(&found).to_string(), length, "{model}: the shortest trail of SPIN");
        let is_short = length.parse::<usize>().expect("a number") < 40;
        // Iterative deepening expands the states of a deep search too often.
        let strategies: &[&str] =
            if is_short { &["astar(formula)", "ida(formula, memory=table)"] } else { &["astar(formula)"] };
        for strategy in strategies {
            let more = ["--property", "safety", "--strategy", strategy];
            let directed = result(&[&arguments[..], &more].concat());
            assert_eq!(n_statements(&directed).to_string(), length, "{model}: {strategy}");
            assert_eq!(directed["claims"]["shortest"], true, "{model}: {strategy}");
        }
        match violation.as_str() {
            "deadlock" => assert!(fault.contains("no process can move"), "{model}: {fault}"),
            "assertion" => {
                assert!(fault.contains("assertion"), "{model}: {fault}");
                let last = trail.last().expect("a step")["action"].as_str().expect("a text");
                assert!(last.contains("assert"), "{model}: {last}");
            }
            _ => {}
        }
    }
}

/// The length of a trail in statements: a rendezvous has two.
fn n_statements(found: &Value) -> usize {
    let trail = found["counterexample"]["steps"].as_array().expect("a trail");
    trail.len() + trail.iter().filter(|step| step["processes"][1].is_string()).count()
}

#[test]
fn heuristics_approach_what_the_user_marks() {
    let folder = Folder::new("promela-target");
    let report = folder.join("report.json").display().to_string();
    let trail = folder.join("error.trail").display().to_string();
    let peterson = ["examples/promela/peterson.pml", "-D", "BUG", "-D", "N=2", "--property", "safety"];
    let (code, ..) = run(&[&peterson[..], &["-o", &report, "--spin-trail", &trail]].concat());
    assert_eq!(code, 1);
    for target in [&report, &trail] {
        for strategy in ["astar(fsm)", "bf(fsm) + bf(hamming)", "wa(hamming, w=2, g=best)"] {
            let found = result(&[&peterson[..], &["--target", target, "--strategy", strategy]].concat());
            assert_eq!(found["verdict"], "violated", "{strategy}");
            assert_eq!(found["claims"]["shortest"], false, "{strategy}");
        }
    }
    let buffer =
        ["examples/promela/buffer.pml", "-D", "BUG", "--property", "safety", "--strategy", "bf(dangerous)"];
    assert_eq!(result(&[&buffer[..], &["--dangerous", "gi*"]].concat())["verdict"], "violated");
    let refused: [(&[&str], &str); 6] = [
        (&["--strategy", "bf(dangerous)"], "it needs marked locations"),
        (&["--strategy", "bf(dangerous)", "--dangerous", "nowhere"], "finds no label or event `nowhere`"),
        (&["--strategy", "bf(fsm)"], "give a trail whose last state it is by `--target FILE`"),
        (&["--strategy", "bf(reach)"], "this property is about states"),
        (&["--strategy", "bfs", "--dangerous", "gi*"], "`--dangerous` has no effect on this strategy"),
        (
            &["--strategy", "bf(active)", "--ignore", "end-states"],
            "a deadlock does not violate this property",
        ),
    ];
    for (more, message) in refused {
        let (code, _, stderr) = run(&[&peterson[..], more].concat());
        let text = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 2 && text.contains(message), "{more:?}: {stderr}");
    }
}

#[test]
fn a_trail_is_readable_and_the_verdict_last() {
    let model = "examples/promela/peterson.pml";
    let (code, stdout, _) = run(&[model, "-D", "BUG", "-D", "N=2", "--property", "safety"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("VIOLATED after") && stdout.contains("assertion violated"), "{stdout}");
    assert!(stdout.ends_with("examples/promela/peterson.pml: safety: violated\n"), "{stdout}");
}

#[test]
fn formulas_of_classic_models_are_judged_as_by_spin() {
    let (mut n_formulas, mut n_fair) = (0, 0);
    for (column, fair) in [(6, false), (7, true)] {
        for (model, defines, theirs) in rows("## Small sizes", column) {
            let wanted = match theirs.as_str() {
                "holds" => "holds",
                "fails" => "violated",
                _ => continue,
            };
            let path = format!("examples/promela/{model}.pml");
            let mut arguments = vec![path.as_str()];
            arguments.extend(defines.iter().map(String::as_str));
            if fair {
                arguments.push("--fair");
                n_fair += 1;
            }
            n_formulas += 1;
            let found = formula(&arguments);
            assert_eq!(found["verdict"], wanted, "{model} {defines:?}, fair: {fair}");
            assert_eq!(found["counterexample"]["cycle"].is_u64(), wanted == "violated", "{model}");
        }
    }
    assert!(n_formulas >= 20 && n_fair >= 10, "{n_formulas}, {n_fair}");
}

#[test]
fn a_trail_says_what_changes() {
    let found = result(&["examples/promela/philosophers.pml", "-DBUG", "-DN=3"]);
    let trail = found["counterexample"]["steps"].as_array().expect("a trail");
    let changes: Vec<&Value> =
        trail.iter().map(|step| &step["changes"]).filter(|it| **it != json!([])).collect();
    let taken = |name: &str| json!([{ "name": name, "to": "true" }]);
    assert_eq!(changes, [&taken("taken[2]"), &taken("taken[1]"), &taken("taken[0]")]);
    assert_eq!(trail[0]["processes"], json!(["Philosopher[2]"]));
    assert_eq!(found["counterexample"]["last"]["Philosopher[1].first"], "1");
}

/// A file in the folder of a test, by its whole name.
fn written(folder: &Folder, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("the folder is writable");
    path.display().to_string()
}

#[test]
fn a_sequence_that_never_ends_is_a_fault() {
    let text = "byte x, i; active proctype A() { d_step { for (i : 0 .. 3) { i = 1; x++ } } }";
    let folder = Folder::new("promela-repeating");
    let found = result(&[&written(&folder, "endless.pml", text)]);
    assert_eq!(found["verdict"], "violated");
    assert_eq!(found["counterexample"]["fault"], "a d_step never ends");
    let text = "int i; active proctype A() { d_step { for (i : 0 .. 3000) { skip } }; assert(i == 3001) }";
    assert_eq!(result(&[&written(&folder, "long.pml", text)])["verdict"], "holds");
}

#[test]
fn included_files_include_others_beside_them() {
    let folder = Folder::new("promela-include");
    fs::create_dir_all(folder.join("deep/er")).expect("the temporary folder is writable");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("it is writable");
    write("main.pml", "#include \"deep/one.pml\"\nactive proctype A() { x = y; assert(x == 2) }\n");
    write("deep/one.pml", "#include \"er/two.pml\"\n");
    write("deep/er/two.pml", "#include \"../three.pml\"\nbyte x;\n");
    write("deep/three.pml", "byte y = 2;\n");
    let model = folder.join("main.pml").display().to_string();
    assert_eq!(result(&[&model])["verdict"], "holds");
    write("deep/er/two.pml", "#include \"three.pml\"\n");
    let (code, _, stderr) = run(&[&model]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot include `three.pml`: the included file"), "{stderr}");
    assert!(stderr.contains("deep/er/three.pml"), "{stderr}");
}

#[test]
fn what_is_too_large_or_means_nothing_is_refused() {
    let folder = Folder::new("promela-refused");
    let many =
        written(&folder, "many.pml", "chan q[300] = [1] of { byte }; active proctype A() { q[299]!1 }");
    let large = written(&folder, "large.pml", "int a[60000], b[60000]; active proctype A() { a[5] = 1 }");
    let spec =
        written(&folder, "spec.yaml", &format!("name: p\nmodel: {many}\nevents: {{ a: x }}\nnone: a\n"));
    let cases: [(&[&str], &str); 6] = [
        (&[&many], "the model starts with 300 channels"),
        (&[&large], "a state of the model has 120000 variables"),
        (&["examples/promela/peterson.pml", "--set", "N=2"], "`--set` does not apply to a Promela model"),
        (&["examples/promela/peterson.pml", "-c", "task:a"], "`--constraint` does not apply"),
        (&["specs/lock.yaml", "-D", "N=2"], "`--define` is only for Promela models"),
        (&[&spec], "the model starts with 300 channels"),
    ];
    for (arguments, message) in cases {
        let (code, _, stderr) = run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn limits_and_mistakes_are_told() {
    let (code, stdout, _) = run(&["examples/promela/philosophers.pml", "--max-states", "10"]);
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.ends_with("undecided\n"), "{stdout}");
    let (code, _, stderr) = run(&["examples/promela/philosophers.pml", "--strategy", "bf(ta)"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no heuristic `ta`"), "{stderr}");
    let (code, _, stderr) = run(&["examples/promela/philosopher.pml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("does not exist") && stderr.contains("philosophers.pml"), "{stderr}");
}

/// Verdicts of a property file, in its order.
fn verdicts(arguments: &[&str]) -> Vec<(String, String)> {
    let (_, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let models = document["results"].as_array().expect("a list");
    models.iter().map(|it| (text(&it["property"]), text(&it["verdict"]))).collect()
}

#[test]
fn property_files_speak_of_events_states_and_runs_of_a_model() {
    let shown = |arguments: &[&str]| {
        let all = verdicts(&[&["specs/promela/peterson.yaml"], arguments].concat());
        all.iter().map(|(name, verdict)| format!("{name} {verdict}")).collect::<Vec<_>>().join(", ")
    };
    let expected = "mutual-exclusion holds, level-first holds, at-most-one holds, served violated";
    assert_eq!(shown(&[]), expected);
    let expected = "mutual-exclusion violated, level-first holds, at-most-one violated, served holds";
    assert_eq!(shown(&["-D", "BUG", "--fair"]), expected);
    assert_eq!(verdicts(&["specs/promela/brp.yaml"])[0].1, "holds");
}

/// A model and what is asked of it, each with its verdict and the length of
/// the trail.
fn asked(name: &str, model: &str, says: &str) -> (String, usize) {
    let folder = Folder::new(&format!("promela-asked-{name}"));
    let model = written(&folder, &format!("{name}.pml"), model);
    let spec = written(&folder, &format!("{name}.yaml"), &format!("name: p\nmodel: {model}\n{says}\n"));
    let found = result(&[&spec]);
    let trail = match &found["counterexample"] {
        Value::Null => 0,
        violation => violation["steps"].as_array().unwrap_or_else(|| panic!("{found}")).len(),
    };
    (found["verdict"].as_str().expect("a text").to_string(), trail)
}

#[test]
fn events_are_followed_in_atomic_sequences_rendezvous_and_to_the_end() {
    let violated = |trail| ("violated".to_string(), trail);
    let holds = ("holds".to_string(), 0);
    let model = "byte x; active proctype A() { atomic { x = 1; x = 2; x = 3 } d_step { x = 4; x = 5 } }";
    let never = |event: &str| format!("events: {{ e: '{event}' }}\nnone: '.*; e; .*'");
    assert_eq!(asked("atomic", model, &never("A.x=2")), violated(2));
    assert_eq!(asked("step", model, &never("A.x=5")).0, "violated");
    assert_eq!(asked("other", model, &never("A.x=[*]")).0, "error");
    let model = "chan q = [0] of { byte }; byte x;
        active proctype A() { q!1 } active proctype B() { q?x; seen: x = 2 }";
    let order = "events: { s: 'A.q!1', r: 'B.q?x', l: 'B.seen' }\nall: 's; r; l'";
    assert_eq!(asked("meeting", model, order), holds);
    let order = "events: { s: 'A.q!1', r: 'B.q?x' }\nall: 'r; s'";
    assert_eq!(asked("wrong", model, order).0, "violated");
    // Only what has ended well is complete.
    let model = "byte x; active proctype A() { if :: x = 1 :: x = 2; false fi }";
    let order = "events: { one: 'A.x=1' }\nall: 'one'\nexecutions: complete";
    assert_eq!(asked("end", model, order), holds);
    let model = "byte x; active proctype A() { if :: x = 1 :: x = 2 fi }";
    assert_eq!(asked("badly", model, order), violated(2));
}

#[test]
fn a_model_can_be_run_in_another_manner() {
    let cases: [(&str, &[&str], &str, u64); 10] = [
        ("unless_nested_order", &[], "violated", 4),
        ("unless_nested_order", &["--inner-unless-first"], "holds", 5),
        ("chan_xr_xs", &[], "violated", 2),
        ("chan_xr_xs", &["--ignore", "promises,end-states"], "holds", 14),
        ("chan_loses", &["--lose-messages"], "holds", 5),
        ("chan_loses_rendezvous", &["--lose-messages", "--ignore", "end-states"], "holds", 1),
        ("end_strict", &["--empty-channels"], "violated", 4),
        ("end_strict", &[], "holds", 3),
        ("end_strict_blocked", &["--empty-channels"], "holds", 3),
        ("assert_basic", &["--ignore", "assertions,end-states"], "holds", 5),
    ];
    for (model, flags, verdict, stored) in cases {
        let path = format!("tests/spin/micro/{model}.pml");
        let found = result(&[&[path.as_str(), "--reduction", "none"], flags].concat());
        assert_eq!(
            (&found["verdict"], &found["search"]["stored"]),
            (&json!(verdict), &json!(stored)),
            "{model}"
        );
    }
    let (code, _, stderr) = run(&["specs/lock.yaml", "--lose-messages"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`--lose-messages` is only for Promela models"), "{stderr}");
}

#[test]
fn sequences_without_end_leave_a_model_undecided() {
    let folder = Folder::new("promela-endless");
    for (name, block) in [("d_step.pml", "d_step"), ("atomic.pml", "atomic")] {
        let text = format!("int x; active proctype A() {{ {block} {{ do :: x++ od }} }}");
        let found = result(&[&written(&folder, name, &text)]);
        assert_eq!((&found["verdict"], &found["limit"]), (&json!("undecided"), &json!("depth")), "{block}");
        assert_eq!(found["explicit"]["unreached"], Value::Null, "{block}");
    }
}

#[test]
fn a_run_that_can_stay_in_a_sequence_leaves_a_formula_undecided() {
    let folder = Folder::new("promela-staying");
    let check = |name: &str, block: &str| {
        let text = format!("byte x, i; active proctype A() {{ {block}; x = 2 }}");
        let model = written(&folder, name, &text);
        let verdict = |text: &str| formula(&[&model, "--ltl", text])["verdict"].clone();
        (verdict("<> (x == 2)"), verdict("[] (x != 3)"))
    };
    let (holds, undecided) = (json!("holds"), json!("undecided"));
    // The formula without `<>` is about finite runs, which all leave the sequence.
    let staying = check("stays.pml", "atomic { x = 1; do :: x == 1 -> x = 1 :: break od }");
    assert_eq!(staying, (undecided.clone(), holds.clone()));
    let around = check("around.pml", "atomic { do :: i < 9 -> i++ :: i > 0 -> i-- :: break od }");
    assert_eq!(around, (undecided, holds.clone()));
    let long =
        check("long.pml", "atomic { do :: i < 99 -> i++ :: i < 99 -> i++; x = 1 :: i > 50 -> break od }");
    assert_eq!(long, (holds.clone(), holds.clone()));
    let apart = check("apart.pml", "do :: i < 9 -> i++ :: i > 0 -> i-- :: break od");
    assert_eq!(apart, (json!("violated"), holds));
}

#[test]
fn what_is_never_executed_is_told() {
    let folder = Folder::new("promela-unreached");
    let text = "\
byte x;
active proctype A() {
  if
  :: x == 1 -> x = 2; x = 3
  :: else
  fi;
  atomic { x = 0; if :: x > 0 -> d_step { x = 5; x = 6 } :: x == 0 fi };
  d_step { if :: x == 0 -> skip :: x == 7 -> x = 8 fi };
  goto stop; x = 9; stop:
}
proctype Never() { skip }
";
    let model = written(&folder, "model.pml", text);
    let found = result(&[&model]);
    let unreached = found["explicit"]["unreached"].as_array().expect("every state was seen");
    let lists: Vec<Vec<String>> = unreached
        .iter()
        .map(|it| {
            let statement = |it: &Value| {
                let why = match it["why"].as_str() {
                    Some("no_path") => " (no path)",
                    Some("never_possible") => " (blocked)",
                    _ => "",
                };
                format!("{}: {}{why}", it["location"]["line"], it["statement"].as_str().expect("text"))
            };
            it["statements"].as_array().expect("a list").iter().map(statement).collect()
        })
        .collect();
    let expected = [
        vec![
            "4: x == 1 (blocked)",
            "4: x = 2",
            "4: x = 3",
            "7: x > 0 (blocked)",
            "7: d_step { x = 5; x = 6 }",
            "7: x = 5",
            "7: x = 6",
            "8: x == 7 (blocked)",
            "8: x = 8",
            "9: x = 9 (no path)",
        ],
        vec!["11: skip", "11: -end-"],
    ];
    assert_eq!(lists, expected);
    let (_, stdout, _) = run(&[&model]);
    let shortly = "unreached    10 of 19 statements of A, 2 of 2 statements of Never; --verbose lists them";
    assert!(stdout.contains(shortly), "{stdout}");
    let (_, stdout, _) = run(&[&model, "--verbose"]);
    assert!(stdout.contains("x == 7  (never executable)") && stdout.contains(":8:"), "{stdout}");
}

#[test]
fn what_is_typed_is_checked_under_its_name() {
    let folder = Folder::new("promela-typed");
    let text = "byte x; bool b;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
active proctype B() { accept: do :: b = !b od }";
    let model = written(&folder, "model.pml", text);
    let typed: [&[&str]; 6] = [
        &["--ltl", "[]<> (x == 3)"],
        &["--ltl", "[]<> (x == 3)", "--fair"],
        &["--invariant", "x < 4"],
        &["--invariant", "x < 3"],
        &["--acceptance"],
        &["--progress"],
    ];
    let shown = |flags: &[&str]| {
        let all = verdicts(&[&[model.as_str()], flags].concat());
        let [(safety, holds), (name, verdict)] = &all[..] else { panic!("{all:?}") };
        assert_eq!((safety.as_str(), holds.as_str()), ("safety", "holds"));
        format!("{name}: {verdict}")
    };
    let expected = [
        "[]<> (x == 3): violated",
        "[]<> (x == 3): holds",
        "x < 4: holds",
        "x < 3: violated",
        "acceptance: violated",
        "progress: violated",
    ];
    assert_eq!(typed.map(shown), expected);
    let (code, _, stderr) = run(&[&model, "--ltl", "[] (y == 1)"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`y`") && stderr.contains("--> --ltl:1:5"), "{stderr}");
}

#[test]
fn a_jump_is_a_step_if_a_typed_formula_asks_for_its_label() {
    let folder = Folder::new("promela-asked");
    let text = "byte x; active proctype A() { again: x = 1; x = 0; L: goto again }";
    let model = written(&folder, "model.pml", text);
    assert_eq!(result(&[&model])["search"]["stored"], json!(2));
    let asked = formula(&[&model, "--ltl", "[] !A@L"]);
    assert_eq!(
        (&asked["verdict"], asked["counterexample"]["steps"].as_array().map(Vec::len)),
        (&json!("violated"), Some(2))
    );
    // SPIN knows such a step only if the model itself asks.
    let file = folder.join("our.trail").display().to_string();
    let trail = |formula: &str| run(&[&model, "--ltl", formula, "--spin-trail", &file]).2;
    assert!(trail("[] (x == 0 || !A@L)").is_empty());
    assert!(trail("[] !A@L").contains("replay it by `spin -t`"));
    assert!(trail("<> (A@L && x == 1)").contains("our.trail` was not written"));
}

/// A reduced search leaves out no errors, also where the property is about something else.
#[test]
fn reduced_searches_report_errors_of_runs() {
    let folder = Folder::new("promela-reduced-errors");
    let text = "byte x, y; active proctype A() { x = 1; assert(x == 0); x = 2 }\
        active proctype B() { y = 1; y = 2 }";
    written(&folder, "model.pml", text);
    let order = "name: order\nmodel: model.pml\nevents: { p: B.y=1, q: B.y=2 }\nnone: q ; .*\n";
    let order = written(&folder, "order.yaml", order);
    let state = "name: state\nmodel: model.pml\ninvariant: y < 5\n";
    let state = written(&folder, "state.yaml", state);
    for reduction in ["none", "stubborn"] {
        for file in [&order, &state] {
            let found = only_result(&[file, "--reduction", reduction]);
            assert_eq!((&found["verdict"], &found["explicit"]["met_fault"]), (&json!("holds"), &json!(true)));
            assert_eq!(found["explicit"]["reduction"], reduction);
        }
    }
}

/// A pattern can wait for a timeout, too. It does not exclude another one, so both orders matter.
#[test]
fn timeouts_in_patterns_are_alternatives_of_other_timeouts() {
    let folder = Folder::new("promela-timeout-pattern");
    for value in 0..2 {
        let text = format!(
            "chan q = [2] of {{ byte }}; byte x, y;\
             init {{ q!1; atomic {{ run A(); run B() }} }}\
             proctype A() {{ atomic {{ timeout -> x = 1 }} }}\
             proctype B() {{ atomic {{ q?eval(timeout) -> y = x }}; assert(y == {value}) }}"
        );
        let model = written(&folder, &format!("model{value}.pml"), &text);
        for reduction in ["none", "stubborn"] {
            let found = only_result(&[&model, "--ignore", "end-states", "--reduction", reduction]);
            assert_eq!(found["verdict"], "violated", "{value} {reduction}");
        }
    }
}

/// A model whose relations would take too much is searched by all its steps.
#[test]
fn models_with_very_many_rendezvous_are_not_reduced() {
    let folder = Folder::new("promela-many-rendezvous");
    let option = |it: usize| format!(":: c{it}!0; x = x + 1 :: c{it}?v; y = y + 1 ");
    let channels: String = (0..4).map(|it| format!("chan c{it} = [0] of {{ byte }};\n")).collect();
    let options: String = (0..10).map(|it| option(it % 4)).collect();
    let text = format!(
        "byte x, y;\n{channels}active [100] proctype A() {{ byte v; do {options} od }}\
         active proctype Z() {{ assert(false) }}"
    );
    let model = written(&folder, "model.pml", &text);
    for reduction in ["auto", "stubborn"] {
        let limits = ["--max-memory", "1G", "--timeout", "60s"];
        let arguments = [&[model.as_str(), "--property", "safety", "--reduction", reduction], &limits[..]];
        let found = only_result(&arguments.concat());
        assert_eq!(
            (&found["verdict"], &found["explicit"]["reduction"]),
            (&json!("violated"), &json!("none"))
        );
        let why = &found["explicit"]["reduction_refused"];
        assert!(why.as_str().is_some_and(|it| it.contains("transitions")), "{why}");
    }
}

#[test]
fn what_a_formula_says_nothing_of_is_told() {
    let folder = Folder::new("promela-broken-off");
    let text = "byte x; active proctype A() { x = 1; assert(x == 2); x = 3 } ltl small { [] (x < 2) }";
    let model = written(&folder, "model.pml", text);
    let found = formula(&[&model]);
    assert_eq!((&found["verdict"], &found["explicit"]["met_fault"]), (&json!("holds"), &json!(true)));
    let (_, stdout, _) = run(&[&model, "--verbose"]);
    assert!(stdout.contains("Some runs end in an error; check the property `safety`"), "{stdout}");
    assert_eq!(formula(&[&model, "--ignore", "assertions"])["verdict"], "violated");
}

#[test]
fn fairness_has_its_limit() {
    let folder = Folder::new("promela-many");
    let model = |n: usize| {
        let text = format!("byte x; active [{n}] proctype A() {{ x = 1 }} ltl p {{ <> (x == 1) }}");
        written(&folder, &format!("{n}.pml"), &text)
    };
    let (code, _, stderr) = run(&[&model(64), "--fair", "--property", "p"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("`--fair` supports at most 63 processes"), "{stderr}");
}

#[test]
fn what_is_wrong_with_a_model_is_shown_in_its_place() {
    let folder = Folder::new("promela-places");
    let cases = [
        ("large.pml", "byte x; int a[1000000]; init { x = 1 }", "large.pml:1:13"),
        ("queue.pml", "byte x; chan q = [30000] of { byte, byte, byte }; init { q!1,2,3 }", "queue.pml:1:14"),
        (
            "many.pml",
            "chan p = [1] of { byte }; chan q[255] = [1] of { byte }; init { p!1 }",
            "many.pml:1:32",
        ),
        ("none.yaml", "model: nowhere.pml\ninvariant: true\n", "none.yaml:1:8"),
    ];
    for (name, text, place) in cases {
        let (code, _, stderr) = run(&[&written(&folder, name, text)]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(place), "{stderr}");
    }
}

#[test]
fn where_no_run_ends_nothing_is_said_of_complete_runs() {
    let folder = Folder::new("promela-vacuous");
    let model = "byte x; active proctype A() { do :: x = 1; x = 2 od }";
    // A model is known by its text where its name does not say so.
    let model = written(&folder, "model", model);
    let spec = |name: &str, says: &str| {
        written(&folder, name, &format!("model: {model}\nevents: {{ a: 'A.x=1', b: 'A.x=2' }}\n{says}\n"))
    };
    let whole = spec("whole.yaml", "none: '.* ; a ; b'");
    let (code, stdout, _) = run(&[&whole]);
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("VACUOUS: no run reaches a valid end state"), "{stdout}");
    let beginning = spec("beginning.yaml", "none: '.* ; a ; b ; .*'");
    assert_eq!(verdicts(&[&beginning])[0].1, "violated");
    assert_eq!(verdicts(&[&model])[0].1, "holds");
}

#[test]
fn steps_are_told_as_macros_and_inlines_make_them() {
    let folder = Folder::new("promela-texts");
    let text = "byte sem = 1, x;
inline down(s) { s > 0 -> s-- }
inline set(v, e) { v = e; assert(v == e) }
#define UP(s) s++
#define N 2
active proctype A() {
  byte i, j;
  down(sem); set(x, _pid + 1); UP(sem);
  for (i : 1 .. N) { x = x + i }
  select (j : 7 .. 7);
  x < N
}";
    let found = result(&[&written(&folder, "model.pml", text)]);
    let steps = found["counterexample"]["steps"].as_array().expect("there is a trail");
    let told: Vec<&str> = steps.iter().map(|it| it["action"].as_str().expect("a text")).collect();
    let round = ["i <= 2", "x = x + i", "i++"];
    let expected = [
        &["sem > 0", "sem--", "x = _pid + 1", "assert(x == _pid + 1)", "sem++", "i = 1"][..],
        &round,
        &round,
        &["else", "j = 7"],
    ];
    assert_eq!(told, expected.concat());
    assert_eq!(steps[2]["places"][0]["line"], json!(8));
}

#[test]
fn reports_say_in_which_manner_a_model_was_run() {
    let flags = ["tests/spin/micro/end_strict.pml", "--ignore", "assertions,promises", "--lose-messages"];
    let (_, stdout, _) = run(&[&flags[..], &["-D", "N=3", "--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    let promela = &report["configuration"]["promela"];
    assert_eq!(promela["ignored"], json!(["assertions", "promises"]));
    assert_eq!((&promela["lose_messages"], &promela["empty_channels"]), (&json!(true), &json!(false)));
    assert_eq!((&promela["definitions"], &promela["store"]), (&json!({ "N": "3" }), &json!("exact")));
}

#[test]
fn a_macro_that_nothing_asks_for_is_told() {
    let model = "examples/promela/peterson.pml";
    let (code, _, stderr) = run(&[model, "--property", "safety", "-D", "NN=2", "-D", "BOG"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("the macro `NN` is defined, but the model does not use it"), "{stderr}");
    assert!(stderr.contains("did you mean `BUG`?"), "{stderr}");
    let (_, _, stderr) = run(&[model, "-D", "N=2", "-D", "p=(inside<2)", "--ltl", "[] p", "--fair"]);
    assert_eq!(stderr, "");
}

#[test]
fn trails_of_runs_without_end_are_short() {
    let flags = ["examples/promela/peterson.pml", "-D", "N=2", "--property", "served"];
    let found = result(&flags);
    assert_eq!(found["counterexample"]["steps"].as_array().map(Vec::len), Some(23));
    assert_eq!(found["counterexample"]["cycle"], json!(5));
}

#[test]
fn a_hidden_variable_that_holds_nothing_is_not_shown() {
    let folder = Folder::new("promela-hidden");
    let text = "hidden byte h, k; byte g; active proctype A() { h = 3; k = 1; g = k; assert(g == 2) }";
    let (_, stdout, _) = run(&[&written(&folder, "model.pml", text)]);
    assert!(stdout.contains("At the end:\n  k = 1 g = 1\n"), "{stdout}");
}

/// A search that runs out of memory tells what it has seen.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_the_machine_is_a_limit() {
    let program = env!("CARGO_BIN_EXE_trapline");
    let model = "examples/promela/philosophers.pml -D N=9 --property safety";
    let line = format!("ulimit -v 400000; {program} check {model}");
    let output = std::process::Command::new("sh").args(["-c", &line]).output().expect("there is a shell");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("the memory limit was reached"), "{stdout}");
}

#[test]
fn threads_keep_to_a_limit_of_states() {
    let model = ["examples/promela/philosophers.pml", "--property", "safety", "-D", "N=6"];
    let found = result(&[&model[..], &["--threads", "2", "--max-states", "10k"]].concat());
    assert_eq!(found["verdict"], json!("undecided"));
    let stored = found["search"]["stored"].as_u64().expect("a number");
    assert!((10_000..11_000).contains(&stored), "{stored}");
}

#[test]
fn a_step_is_one_event_and_settings_are_macros() {
    let folder = Folder::new("promela-events");
    let text = "#ifndef N\n#define N 1\n#endif\nbyte x; active proctype A() { one: x = N }";
    let model = written(&folder, "model.pml", text);
    let spec = |name: &str, says: &str| written(&folder, name, &format!("name: p\nmodel: {model}\n{says}\n"));
    let twice = spec("twice.yaml", "events: { a: A.one, b: 'A.x=N' }\nall: 'a?'");
    let (code, _, stderr) = run(&[&twice]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("are the same step, which can be only one event"), "{stderr}");
    let marked = stderr.contains("twice.yaml:3:14") && stderr.contains("^^^^^     ------- the other label");
    assert!(marked, "{stderr}");
    let small = spec("small.yaml", "invariant: x < 2\nset: { N: 2 }");
    assert_eq!(verdicts(&[&small])[0].1, "violated");
    assert_eq!(verdicts(&[&small, "-D", "N=1"])[0].1, "holds");
    assert_eq!(verdicts(&[&small, "--set", "N=0"])[0].1, "holds");
}

#[test]
fn a_mistake_in_a_formula_of_a_file_has_its_place_there() {
    let folder = Folder::new("formula-place");
    written(&folder, "model.pml", "byte count; active proctype P() { count++ }");
    let spec = written(
        &folder,
        "spec.yaml",
        "model: model.pml\nproperties:\n  - name: low\n    invariant: 'count < cuont'\n  - name: done\n    ltl: |\n      <>\n      (count = 1)\n",
    );
    let (code, _, stderr) = run(&[&spec]);
    assert_eq!(code, 2);
    for place in ["spec.yaml:4:25", "spec.yaml:8:14"] {
        assert!(stderr.contains(place), "{place} in {stderr}");
    }
}

#[test]
fn a_clause_without_a_value_is_an_error_of_its_process() {
    let folder = Folder::new("promela-clause");
    let text = "byte x = 1; active proctype A() provided (5 / x == 5) { do :: skip od }
                active proctype B() { x = 0 }";
    let (code, stdout, stderr) = run(&[&written(&folder, "model.pml", text)]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("VIOLATED after 2 steps: division by zero"), "{stdout}");
}

#[test]
fn a_long_trail_is_told_although_another_step_does_not_end() {
    let folder = Folder::new("promela-long-endless");
    let text = "int x; byte y; bool last; active proctype Old() { d_step { last; do :: x++ od } }
                active proctype Young() {
                    do :: y < 200 -> y++ :: else -> break od; last = true; assert(false) }";
    let (code, stdout, stderr) = run(&[&written(&folder, "model.pml", text)]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("assert(false)"), "{stdout}");
}

#[test]
fn a_million_steps_within_sequences_are_many_for_one_state_alone() {
    let folder = Folder::new("promela-inner");
    let text = "short y; active proctype P() { byte i;
                do :: y < 2500 ->
                    d_step { i = 0; do :: i < 250 -> i++ :: else -> break od; i = 0; y++ }
                :: else -> break od }";
    let (code, stdout, stderr) = run(&[&written(&folder, "model.pml", text)]);
    assert_eq!(code, 0, "{stdout}{stderr}");
}

#[test]
fn a_model_may_hold_text_that_is_no_utf8() {
    let folder = Folder::new("promela-latin");
    let path = folder.join("model.pml");
    fs::write(&path, b"/* mod\xe8le */ active proctype A() { assert(true) }")
        .expect("the folder is writable");
    let (code, stdout, stderr) = run(&[path.to_str().expect("a plain path")]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    fs::write(&path, b"active proctype A() { \xe8 = 1 }").expect("the folder is writable");
    let (code, _, stderr) = run(&[path.to_str().expect("a plain path")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("model.pml:1:23"), "{stderr}");
}

#[test]
fn the_end_of_a_run_is_wrong_for_a_reason() {
    let cases: [(&str, &[&str], &str); 3] = [
        ("end_label_prefix", &[], "not every process is at a valid end state"),
        ("trace_blocked_end", &[], "the trace is not at a valid end state"),
        ("end_strict", &["--empty-channels"], "messages are left in channels"),
    ];
    for (model, flags, reason) in cases {
        let path = format!("tests/spin/micro/{model}.pml");
        let (_, stdout, _) = run(&[&[path.as_str()], flags].concat());
        assert!(stdout.contains(reason), "{model}: {stdout}");
    }
}

#[test]
fn what_was_not_looked_at_is_told() {
    let model = "examples/promela/peterson.pml";
    let (code, stdout, _) = run(&[model, "--property", "safety", "--max-states", "100"]);
    assert_eq!(code, 3);
    assert!(
        stdout.contains("UNDECIDED: --max-states was reached; not every reachable state was visited."),
        "{stdout}"
    );
    let (code, _, stderr) = run(&[model, "--property", "served", "--strategy", "dfs(depth=5)"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`served` needs a search for infinite runs"), "{stderr}");
    let (_, stdout, _) = run(&[model, "--property", "safety", "--ignore", "assertions,promises"]);
    assert!(
        stdout.contains(
            "checked      deadlocks (invalid end states), runtime errors except violations of xr and xs\n"
        ),
        "{stdout}"
    );
}

#[test]
fn a_process_cannot_be_started_inside_an_expression() {
    let folder = Folder::new("promela-run");
    let bodies = [
        "assert(run W())",
        "printf(\"%d\", run W())",
        "z = (z -> run W() : 3)",
        "(z -> run W() : 3)",
        "d_step { z = (run W() -> 1 : 2) }",
        "W[run W()]@here",
    ];
    for body in bodies {
        let text = format!("byte z; proctype W() {{ here: z++ }} init {{ {body} }}");
        let (code, _, stderr) = run(&[&written(&folder, "model.pml", &text)]);
        assert!(code == 2 && stderr.contains("`run`"), "{body}: {code} {stderr}");
    }
    for text in ["byte g = pc_value(0); init { skip }", "init { byte x = pc_value(0); skip }"] {
        let (code, _, stderr) = run(&[&written(&folder, "model.pml", text)]);
        assert!(code == 2 && stderr.contains("`pc_value` is not supported"), "{text}: {code} {stderr}");
    }
}

/// SPIN refuses the send; where only the run shows which channel is meant, we
/// tell it then.
#[test]
fn a_message_has_as_many_fields_as_its_channel() {
    let folder = Folder::new("promela-fields");
    for statement in ["q!1,2", "q?1,2", "q?_,_", "q??1,2"] {
        let text = format!(
            "chan c = [2] of {{ byte }}; proctype P(chan q) {{ {statement} }} init {{ c!1; run P(c) }}"
        );
        let (code, stdout, stderr) = run(&[&written(&folder, "model.pml", &text)]);
        assert_eq!(code, 1, "{statement}: {stdout}{stderr}");
        assert!(stdout.contains("the wrong number of fields for its channel"), "{statement}: {stdout}");
    }
}

/// Six processes count to 40 each, then an assertion fails: no breadth-first
/// search gets there.
const DEEP: &str = "byte x[6]; byte done;
proctype P(byte i) { do :: x[i] < 40 -> x[i]++ :: x[i] == 40 -> done++; break od }
init { atomic { byte i; for (i : 0 .. 5) { run P(i) } } done == 6 -> assert(false) }";

#[test]
fn the_default_finds_deep_errors() {
    let folder = Folder::new("promela-deep");
    let model = written(&folder, "deep.pml", DEEP);
    for threads in ["1", "2"] {
        let found = result(&[&model, "--property", "safety", "--threads", threads, "--timeout", "300s"]);
        assert_eq!(found["verdict"], json!("violated"), "{threads} threads");
        assert_eq!(found["claims"]["shortest"], json!(false));
    }
    let limited = result(&[&model, "--property", "safety", "--strategy", "bfs", "--max-states", "1000000"]);
    assert_eq!(limited["verdict"], json!("undecided"));
    let (_, stdout, _) = run(&[&model, "--property", "safety"]);
    assert!(stdout.contains("strategy     mixed; a shorter trail may exist\n"), "{stdout}");
}

/// Here it is depth-first search that does not get there.
#[test]
fn the_default_finds_shallow_errors_where_depth_first_search_is_lost() {
    let folder = Folder::new("promela-shallow");
    let text = "int x[8]; active [8] proctype P() { do :: x[_pid] = (x[_pid] + 1) % 1000 od }
active proctype M() { (x[0] == 2 && x[1] == 2 && x[2] == 2 && x[3] == 1) -> assert(false) }";
    let model = written(&folder, "shallow.pml", text);
    let found = result(&[&model, "--property", "safety"]);
    assert_eq!((&found["verdict"], &found["claims"]["shortest"]), (&json!("violated"), &json!(true)));
    assert_eq!(found["counterexample"]["steps"].as_array().map(Vec::len), Some(9));
}

#[test]
fn the_default_proves_with_the_states_of_breadth_first_search() {
    let model = ["examples/promela/philosophers.pml", "--property", "safety", "-D", "N=7"];
    let default = result(&model);
    let breadth_first = result(&[&model[..], &["--strategy", "bfs"]].concat());
    for count in ["stored", "expanded", "generated"] {
        assert_eq!(default["search"][count], breadth_first["search"][count], "{count}");
    }
    assert_eq!((&default["verdict"], &breadth_first["verdict"]), (&json!("holds"), &json!("holds")));
}
