//! Errors of a run where a program would panic: indices, divisions and messages
//! out of range, on the explicit engine.
//!
//! Handwritten models have a known error at a known place. Random models of
//! statements that may fail have the states and errors of a plain interpreter of
//! their control graphs.

use crate::common::generate::Random;
use crate::common::share::Share;
use crate::loading::compile;
use crate::task_networks::by_engine;
use crate::walking::{Walked, Walker};
use trapline::diag::Sources;
use trapline::lang::task::load;
use trapline::lang::task::lower::Steps;
use trapline::verify::explicit::Fault;
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::task_questions;
use trapline::verify::{ExplicitProblem, Question};

/// Models per run.
const N_MODELS: u64 = 600;

const DECLARATIONS: &str = "
    const COST: [usize; 2] = [1, 2];
    static mut I: int!(0..=3) = 0;
    static mut J: int!(0..=3) = 0;
    static mut W: [int!(0..=3); 2] = [0; 2];
    static L: [Lock; 2] = [Lock::new(); 2];
    static Q: Channel<int!(0..=1)> = Channel::new(1);
    fn twice(i: usize) -> usize { W[i] + W[i] }
";

/// The error of a model, the place of the last step and the number of steps.
fn error_of(model: &str) -> Option<(Fault, String, u64)> {
    let mut sources = Sources::default();
    let source = sources.add("model.rs", model);
    let program = load(source, &sources, &[]).program.expect("the model is right");
    let loaded = task_questions(&program, &ModelGoals::default(), &mut sources).expect("it can be asked");
    let question = loaded.questions.into_iter().next().expect("safety is asked for");
    let asked = Question::from(ExplicitProblem::new(&question.network, question.aim).without_reduction());
    let report = asked.check(&mut |_| None).expect("the question can be asked");
    let trail = &report.counterexample.as_ref()?.trail;
    let last = trail.steps.last()?.1.actors[0].place.as_ref()?.span;
    Some((report.fault()?, sources.slice(last).to_string(), trail.n_steps as u64))
}

#[test]
fn errors_have_a_kind_and_a_place() {
    use Fault::{DivisionByZero, IndexOutOfRange, MessageOutOfRange};
    for (body, fault, place, n_steps) in [
        // The element is read, or a variable before it.
        ("I = 2; W[I] = 1;", IndexOutOfRange, "W[I]", 3),
        ("I = 3; J = W[I];", IndexOutOfRange, "W[I]", 3),
        ("I = 3; W[I] += 1;", IndexOutOfRange, "W[I]", 3),
        ("I = 2; J = COST[I];", IndexOutOfRange, "COST[I]", 3),
        ("I = 2; event!(e(W[I]));", IndexOutOfRange, "W[I]", 3),
        ("I = 2; J = twice(I);", IndexOutOfRange, "W[i]", 3),
        ("I = 2; L[I].lock();", IndexOutOfRange, "L[I]", 3),
        ("J = 7 / I;", DivisionByZero, "7 / I", 2),
        ("J = 7 % (I - J);", DivisionByZero, "7 % (I - J)", 3),
        ("I = 2; Q.send(I);", MessageOutOfRange, "I", 3),
        // A test of the only variable and the error are one step.
        ("I = 2; if COST[I] > 1 { event!(a); }", IndexOutOfRange, "COST[I]", 2),
        ("I = 2; wait!(COST[I] > 1);", IndexOutOfRange, "COST[I]", 2),
        ("I = 2; while W[I] > 0 { event!(a); }", IndexOutOfRange, "W[I]", 3),
        ("if 7 / I > 1 { event!(a); }", DivisionByZero, "7 / I", 1),
        ("atomic! { I = 2; W[I] = 1; }", IndexOutOfRange, "W[I]", 3),
    ] {
        let model =
            format!("{DECLARATIONS} #[task] fn t() {{ {body} }} #[task] fn u() {{ loop {{ event!(x); }} }}");
        assert_eq!(error_of(&model), Some((fault, place.to_string(), n_steps)), "{body}");
    }
}

/// A guard of a `select!` is evaluated even if nobody calls.
#[test]
fn guards_can_fail() {
    let model = format!(
        "{DECLARATIONS}
        #[task] fn s() {{ loop {{ select! {{ when W[I] == 0 => accept!(go) when COST[J] > 0 => accept!(stop) terminate }} }} }}
        #[task] fn c() {{ call!(s.go); call!(s.stop); CHANGE }}"
    );
    assert_eq!(error_of(&model.replace("CHANGE", "I = 1; J = 1;")), None);
    let (fault, place, n_steps) = error_of(&model.replace("CHANGE", "I = 2;")).expect("it fails");
    assert_eq!((fault, place.as_str(), n_steps), (Fault::IndexOutOfRange, "W[I]", 4));
    let (fault, place, n_steps) = error_of(&model.replace("CHANGE", "J = 3;")).expect("it fails");
    assert_eq!((fault, place.as_str(), n_steps), (Fault::IndexOutOfRange, "COST[J]", 4));
}

/// A loop without actions is not a deadlock.
#[test]
fn idle_loops_are_not_deadlocks() {
    for (body, fault) in [
        ("loop {}", None),
        ("while any!() {} event!(a);", None),
        ("atomic! { event!(a); loop {} }", None),
        ("event!(a); wait!(1 == 2);", Some(Fault::InvalidEnd)),
    ] {
        let found = error_of(&format!("#[task] fn t() {{ {body} }} #[task] fn u() {{ event!(x); }}"));
        assert_eq!(found.map(|it| it.0), fault, "{body}");
    }
}

const STATEMENTS: [&str; 21] = [
    "I = any!();",
    "I = 1;",
    "J = I;",
    "I = 0;",
    "J = 0;",
    "W[I] = 1;",
    "W[J] += 1;",
    "J = W[I];",
    "I = W[1];",
    "J = 6 / I;",
    "I = COST[J];",
    "L[I].lock(); L[1].unlock();",
    "Q.send(J);",
    "J = Q.recv();",
    "event!(e);",
    "J = twice(I);",
    "wait!(COST[I] > J);",
    "atomic! { I = 1; W[J] = 2; }",
    "atomic! { event!(a); if W[I] > 0 { J = 1; } }",
    "while any!() { I = 3; }",
    "select! { when W[I] == 0 => accept!(go) => { J = 0; } when COST[J] > 0 => accept!(stop) else => { I = 0; } terminate }",
];

fn body(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        // The `select!` is the last one.
        let statement = STATEMENTS[random.below(STATEMENTS.len() - 1)];
        match random.below(6) {
            0 if depth > 0 => text += &format!("if W[J] > I {{ {} }}", body(random, depth - 1)),
            1 if depth > 0 => text += &format!("choose! {{ {{ {} }} {{ }} }}", body(random, depth - 1)),
            _ => text += statement,
        }
        text.push(' ');
    }
    if random.percent(4) {
        text += "if any!() { loop {} }";
    }
    text
}

fn model(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xfa11);
    let select = STATEMENTS[STATEMENTS.len() - 1];
    let (one, two) = (body(&mut random, 1), body(&mut random, 1));
    format!(
        "{DECLARATIONS}
        #[task] fn s() {{ {one} {} }}
        #[task] fn t() {{ {two} choose! {{ {{ call!(s.go); }} {{ call!(s.stop); }} {{ }} }} }}",
        if random.percent(50) { format!("loop {{ {select} }}") } else { select.to_string() }
    )
}

#[test]
fn random_models_fail_where_their_control_graphs_do() {
    let share = Share::of(N_MODELS);
    let (mut n_compared, mut n_fail, mut n_deadlocks, mut n_right) = (0, 0, 0, 0);
    for seed in share.seeds {
        let source = model(seed);
        let program = compile(&source);
        let Some(mut expected) = Walker::new(&program).walk() else { continue };
        if expected.fails {
            expected = Walked { fails: true, ..Walked::default() };
        }
        let n_resting = expected.n_resting.take();
        assert_eq!(by_engine(&program, &Steps::Edges), expected, "TRAPLINE_SEED={seed}\n{source}");
        let found = by_engine(&program, &Steps::Actions);
        let n_states = n_resting.unwrap_or(found.n_states);
        assert_eq!(found, Walked { n_states, ..expected }, "TRAPLINE_SEED={seed}\n{source}");
        n_compared += 1;
        n_fail += usize::from(found.fails);
        n_deadlocks += usize::from(found.has_deadlock);
        n_right += usize::from(!found.fails && !found.has_deadlock);
    }
    println!("{n_compared} models, {n_fail} fail, {n_deadlocks} with deadlocks, {n_right} right");
    if share.is_whole {
        assert!(n_compared > 500 && n_fail > 100 && n_deadlocks > 20 && n_right > 20, "too one-sided");
    }
}
