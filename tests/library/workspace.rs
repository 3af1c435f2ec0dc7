//! From texts to reports without the command line: both engines behind one
//! door, with one kind of report.

use std::path::Path;
use trapline::diag::Diagnostic;
use trapline::verify::ConfirmOptions;
use trapline::verify::workspace::ModelGoals;
use trapline::{CheckOptions, EngineChoice, Report, Setting, Texts, Verdict, Workspace};

const TASKS: &str = "
const N: usize = 2;
static mut X: int!(0..=N) = 0;
#[task] fn t1() { event!(a); X = N; event!(b); }
";

const ORDER: &str = "
model: models/tasks.rs
events: { a: a, b: b }
properties:
  - name: b-first
    none: 'a ; b'
  - name: a-first
    all: { pattern: precedence, first: a, before: b }
";

const PROMELA: &str = "
#include \"part.h\"
byte x;
active proctype A() { x = 1; assert(x < N); x = 2 }
ltl small { [] (x < 3) }
";

fn workspace() -> Workspace {
    Workspace::new(
        Texts::new()
            .with("models/tasks.rs", TASKS)
            .with("order.yaml", ORDER)
            .with("models/m.pml", PROMELA)
            .with("models/part.h", "#define N 1 + M\n")
            .with("state.yaml", "name: q\nmodel: models/m.pml\nset: { M: 0 }\ninvariant: x != 1\n"),
    )
}

fn check(file: &str, options: &CheckOptions) -> Result<Vec<Report>, Vec<Diagnostic>> {
    workspace().check_file(file, options)
}

fn verdicts(reports: &[Report]) -> Vec<String> {
    let shown = |it: &Report| format!("{} {} {}", it.property, it.basis.engine().name, it.verdict.name());
    reports.iter().map(shown).collect()
}

/// Who does what, whichever engine says it.
fn steps(report: &Report) -> Vec<String> {
    let steps = report.steps().iter().map(|(index, step)| (index, step.first(), step.places().count()));
    steps.map(|(index, who, n_places)| format!("{index} {who} {n_places}")).collect()
}

#[test]
fn properties_of_a_task_model_are_answered_by_either_engine() {
    let by_flow = CheckOptions { confirm: ConfirmOptions::NEVER, ..CheckOptions::default() };
    let by_flow = check("order.yaml", &by_flow).expect("the texts are right");
    assert_eq!(verdicts(&by_flow), ["b-first flow violated", "a-first flow holds"]);
    assert_eq!(steps(&by_flow[0]), ["0 t1 1", "1 t1 1"]);
    assert_eq!((by_flow[0].file.as_str(), by_flow[0].model.as_str()), ("order.yaml", "models/tasks.rs"));
    let exactly = CheckOptions { engine: EngineChoice::Explicit, ..CheckOptions::default() };
    let exactly = check("order.yaml", &exactly).expect("the texts are right");
    assert_eq!(verdicts(&exactly), ["b-first explicit violated", "a-first explicit holds"]);
    assert!(exactly[0].explicit().is_some() && exactly[0].flow().is_none());
    let confirmed = check("order.yaml", &CheckOptions::default()).expect("the texts are right");
    assert_eq!(verdicts(&confirmed), ["b-first explicit violated", "a-first flow holds"]);
}

#[test]
fn settings_change_a_model_and_are_reported() {
    let options = CheckOptions { settings: vec![Setting::new("N", 1)], ..CheckOptions::default() };
    let reports = check("order.yaml", &options).expect("the texts are right");
    assert_eq!(reports[0].settings, [("N".to_string(), "1".to_string())]);
    let options = CheckOptions { settings: vec![Setting::new("M", 1)], ..CheckOptions::default() };
    let faults = check("order.yaml", &options).expect_err("there is no such constant");
    assert!(faults[0].message.contains("`M`"), "{faults:?}");
}

#[test]
fn a_task_model_is_checked_as_a_whole() {
    let reports = check("models/tasks.rs", &CheckOptions::default()).expect("the text is right");
    assert_eq!(verdicts(&reports), ["safety explicit holds"]);
}

#[test]
fn what_a_promela_model_and_a_property_file_say() {
    let options = CheckOptions {
        definitions: vec![("M".to_string(), "1".to_string())],
        goals: ModelGoals { invariants: vec!["x != 2".to_string()], ..ModelGoals::default() },
        ..CheckOptions::default()
    };
    let reports = check("models/m.pml", &options).expect("the texts are right");
    let expected = ["safety explicit holds", "small explicit holds", "x != 2 explicit violated"];
    assert_eq!(verdicts(&reports), expected);
    let reports = check("state.yaml", &CheckOptions::default()).expect("the texts are right");
    assert_eq!(verdicts(&reports), ["q explicit violated"]);
    assert_eq!(steps(&reports[0]), ["0 A[0] 1"]);
}

#[test]
fn errors_name_their_places() {
    let texts = Texts::new()
        .with("tasks.rs", TASKS)
        .with("label.yaml", "name: p\nmodel: tasks.rs\nevents: { c: c }\nnone: 'c'\n")
        .with("model.yaml", "name: p\nmodel: task.rs\nevents: { c: c }\nnone: 'c'\n");
    let mut workspace = Workspace::new(texts);
    let mut shown = |file: &str| {
        let faults = workspace.check_file(file, &CheckOptions::default()).expect_err("the text is wrong");
        faults.iter().map(|it| it.render(workspace.sources(), false)).collect::<String>()
    };
    assert!(shown("label.yaml").contains("label.yaml:3:14"), "{}", shown("label.yaml"));
    assert!(shown("model.yaml").contains("did you mean `tasks.rs`?"), "{}", shown("model.yaml"));
    assert!(shown("modl.yaml").contains("did you mean `model.yaml`?"), "{}", shown("modl.yaml"));
}

#[test]
fn a_search_can_be_watched_and_stopped() {
    let mut workspace = workspace();
    let options = CheckOptions { engine: EngineChoice::Explicit, ..CheckOptions::default() };
    let subjects = workspace.subjects(Path::new("order.yaml"), &options).expect("the texts are right");
    let names: Vec<&str> = subjects.iter().map(|it| it.property.as_str()).collect();
    assert_eq!(names, ["b-first", "a-first"]);
    let mut n_calls = 0;
    let report = workspace.check(&subjects[0], &options, &mut |_| {
        n_calls += 1;
        None
    });
    assert_eq!(report.map(|it| it.verdict), Ok(Verdict::Violated));
    assert!(n_calls > 0);
}
