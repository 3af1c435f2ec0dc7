//! From texts to reports without the command line: both engines behind one
//! door, with one kind of report.

use trapline::diag::Sources;
use trapline::lang::spec::parse_property_file;
use trapline::lang::task::load;
use trapline::verify::assemble::{AssembledProperty, FlowOptions, ModelText, ModelWishes, model, model_for};
use trapline::verify::explicit::Escapes;
use trapline::verify::{Adjacency, ExplicitProblem, Form, Question, Report, Verdict};

const TASKS: &str = "
#[task] fn t1() { event!(a); event!(b); }
";

const PROMELA: &str = "
#include \"part.h\"
byte x;
active proctype A() { x = 1; assert(x < N); x = 2 }
ltl small { [] (x < 3) }
";

fn check(question: &Question) -> Report {
    question.check(&mut |_| None).expect("the question makes sense")
}

/// Who does what, whichever engine says it.
fn steps(report: &Report) -> Vec<String> {
    let steps = report.steps().iter().map(|(index, step)| (index, step.first(), step.places().count()));
    steps.map(|(index, who, n_places)| format!("{index} {who} {n_places}")).collect()
}

#[test]
fn a_property_of_a_task_model() {
    let mut sources = Sources::default();
    let tasks = sources.add("tasks.rs", TASKS);
    let spec = "name: p\nevents: { a: a, b: b }\nnone: 'a ; b'\n";
    let spec = sources.add("spec.yaml", spec);
    let program = load(tasks, &sources, &[]).program.expect("the model is right");
    let file = parse_property_file(spec, &sources).expect("the property is right");
    let options = FlowOptions { executions: None, form: Form::REDUCED, adjacency: Adjacency::Auto };
    let assembled = AssembledProperty::new(&program, &file.properties[0], &[], options, &sources);
    let report = check(&assembled.expect("the labels are there").question());
    assert_eq!((report.verdict, report.basis.engine().name), (Verdict::Violated, "flow"));
    assert_eq!(report.property, "p");
    assert_eq!(steps(&report), ["0 t1 1", "1 t1 1"]);
    assert!(report.flow().is_some() && report.explicit().is_none());
}

#[test]
fn what_a_promela_model_and_a_property_file_say() {
    let mut sources = Sources::default();
    let source = sources.add("m.pml", PROMELA);
    let mut load = |name: &str, _| match name {
        "part.h" => Ok((name.to_string(), "#define N 1 + M\n".to_string())),
        _ => Err(format!("there is no {name}")),
    };
    let definitions = |m: &str| vec![("M".to_string(), m.to_string())];
    let (good, bad) = (definitions("1"), definitions("0"));
    let wishes = ModelWishes { invariants: vec!["x != 2".to_string()], ..ModelWishes::default() };
    let escapes = Escapes::OuterFirst;
    let text = ModelText { source, load: &mut load, definitions: &good, escapes };
    let loaded = model(text, &wishes, &mut sources).expect("the model is right");
    let ask = |aim| check(&Question::from(ExplicitProblem::of_promela(&loaded.program, aim)));
    let reports: Vec<Report> = loaded.aims.iter().cloned().map(ask).collect();
    let shown: Vec<String> =
        reports.iter().map(|it| format!("{} {}", it.property, it.verdict.name())).collect();
    assert_eq!(shown, ["safety holds", "small holds", "x != 2 violated"]);
    assert_eq!(reports[2].basis.engine().name, "explicit");

    let mut load = |name: &str, _| Ok((name.to_string(), "#define N 1 + M\n".to_string()));
    let text = ModelText { source, load: &mut load, definitions: &bad, escapes };
    let spec = sources.add("spec.yaml", "name: q\ninvariant: x != 1\n");
    let file = parse_property_file(spec, &sources).expect("the property is right");
    let loaded = model_for(text, &file.properties[0], None, &mut sources).expect("the model is right");
    let problem = ExplicitProblem::of_promela(&loaded.program, loaded.aims[0].clone());
    let report = check(&Question::from(problem));
    assert_eq!((report.property.as_str(), report.verdict), ("q", Verdict::Violated));
    assert_eq!(steps(&report), ["0 A[0] 1"]);
}

#[test]
fn a_label_that_the_model_lacks_is_an_error() {
    let mut sources = Sources::default();
    let tasks = sources.add("tasks.rs", TASKS);
    let spec = sources.add("spec.yaml", "name: p\nevents: { c: c }\nnone: 'c'\n");
    let program = load(tasks, &sources, &[]).program.expect("the model is right");
    let file = parse_property_file(spec, &sources).expect("the property is right");
    let options = FlowOptions { executions: None, form: Form::REDUCED, adjacency: Adjacency::Auto };
    let faults = AssembledProperty::new(&program, &file.properties[0], &[], options, &sources);
    assert!(faults.is_err_and(|it| it[0].message.contains("`c`")));
}
