//! Task models on the explicit engine against a plain interpreter of their
//! control graphs, on random models and on the examples: the same number of
//! states, the same deadlocks, the same errors.

use crate::common::generate::{Random, Shape as ModelShape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::random_automaton;
use crate::loading::compile;
use crate::walking::{Walked, Walker};
use trapline::diag::Sources;
use trapline::explicit::sequence::Sequence;
use trapline::lang::spec::parse_property_file;
use trapline::lang::spec::property::{EventAutomaton, Executions};
use trapline::lang::task::lower::{Steps, lower};
use trapline::lang::task::program::Program;
use trapline::verify::Verdict;
use trapline::verify::explicit::{Aim, Fault};
use trapline::verify::{ExplicitProblem, Question};

/// Models per run.
const N_MODELS: u64 = N_PLAIN + 1_000;

/// How many of them come first and are not rich.
const N_PLAIN: u64 = 2_000;

pub fn is_error_of_a_value(fault: Fault) -> bool {
    use Fault::{DivisionByZero, IndexOutOfRange, MessageOutOfRange, OutOfRange};
    matches!(fault, DivisionByZero | IndexOutOfRange | MessageOutOfRange | OutOfRange)
}

/// What the explicit engine says of all states, and of errors.
pub fn by_engine(program: &Program, steps: &Steps) -> Walked {
    let lowered = lower(program, steps).expect("a small model is lowered");
    let mut found = Walked::default();
    // All states, whatever goes wrong in them.
    let mut problem = ExplicitProblem::new(&lowered.network, Aim::Safety).without_reduction();
    problem.semantics.allows_blocked_end = true;
    let report = Question::from(problem).check(&mut |_| None).expect("the question can be asked");
    found.fails = report.fault().is_some_and(is_error_of_a_value);
    assert_eq!(found.fails, report.verdict == Verdict::Violated, "{:?}", report.fault());
    if !found.fails {
        found.n_states = report.search.counters.stored as usize;
        let question =
            Question::from(ExplicitProblem::new(&lowered.network, Aim::Safety).without_reduction());
        let report = question.check(&mut |_| None).expect("the question can be asked");
        found.has_deadlock = report.fault() == Some(Fault::InvalidEnd);
        assert_eq!(found.has_deadlock, report.verdict == Verdict::Violated, "{:?}", report.fault());
    }
    found
}

/// Every fourth model has locks, semaphores and channels, every fourth atomic
/// blocks. Those after the first 2,000 are rich.
fn shape_of(seed: u64) -> ModelShape {
    match seed % 4 {
        0 if seed >= N_PLAIN => ModelShape { objects: 20, ..ModelShape::rich() },
        1 if seed >= N_PLAIN => ModelShape { atomic: 20, ..ModelShape::rich() },
        _ if seed >= N_PLAIN => ModelShape::rich(),
        0 => ModelShape::tiny(),
        1 => ModelShape { objects: 30, ..ModelShape::default() },
        2 => ModelShape { atomic: 30, ..ModelShape::default() },
        3 if seed % 8 == 3 => ModelShape::exact(),
        _ => ModelShape::default(),
    }
}

#[test]
fn random_models_have_the_states_and_errors_of_their_control_graphs() {
    let share = Share::of(N_MODELS);
    let (mut n_compared, mut n_deadlocks, mut n_out, mut n_right, mut n_circles) = (0, 0, 0, 0, 0);
    for seed in share.seeds {
        let shape = shape_of(seed);
        let source = print(&generate(seed, &shape));
        let program = compile(&source);
        let Some(mut expected) = Walker::new(&program).walk() else { continue };
        if expected.fails {
            // The search ends at the first such error.
            expected = Walked { fails: true, ..Walked::default() };
        }
        let n_resting = expected.n_resting.take();
        let found = by_engine(&program, &Steps::Edges);
        assert_eq!(found, expected, "TRAPLINE_SEED={seed}\n{source}");
        let mut found = by_engine(&program, &Steps::Actions);
        match n_resting {
            Some(n_resting) => assert_eq!(found.n_states, n_resting, "TRAPLINE_SEED={seed}\n{source}"),
            None => n_circles += usize::from(!expected.fails),
        }
        found.n_states = expected.n_states;
        assert_eq!(found, expected, "TRAPLINE_SEED={seed}\n{source}");
        n_compared += 1;
        n_deadlocks += usize::from(expected.has_deadlock);
        n_out += usize::from(expected.fails);
        n_right += usize::from(!expected.has_deadlock && !expected.fails);
    }
    println!("{n_compared} models, {n_deadlocks} with deadlocks, {n_out} leave a range, {n_right} right");
    println!("{n_circles} with circles of silent edges");
    if share.is_whole {
        assert!(n_compared > 2_200 && n_deadlocks > 200 && n_out > 50 && n_right > 200, "too one-sided");
    }
}

/// Silent edges multiply transitions, but not beyond measure.
#[test]
fn a_wide_choice_is_lowered_edge_by_edge() {
    let source = "#[task] fn t() { event!(begin); loop { choose! { i in 0..WIDE => { event!(e(i)); event!(f(i)); } } } }";
    let n_transitions = |wide: usize, steps: &Steps| {
        let program = compile(&source.replace("WIDE", &wide.to_string()));
        let lowered = lower(&program, steps).expect("the model is small");
        lowered.network.templates[0].graph.transitions.len()
    };
    let labels = || (0..300).map(|it| format!("e({it})")).collect();
    let events = Steps::Events { labels: labels(), with_ends: false };
    assert_eq!(n_transitions(20, &Steps::Edges), 61);
    assert_eq!(n_transitions(20, &Steps::Actions), 20 + 20 + 20 * 20);
    assert_eq!(n_transitions(20, &events), 21 * 20);
    assert_eq!(n_transitions(300, &Steps::Actions), 901);
    assert_eq!(n_transitions(300, &events), 901);
}

/// The verdict on an order of events, and the number of states if it holds.
fn order(
    program: &Program,
    automaton: &EventAutomaton,
    executions: Executions,
    steps: &Steps,
) -> (Verdict, Option<u64>) {
    let lowered = lower(program, steps).expect("a small model is lowered");
    let sequence = Sequence::over(&lowered.steps, automaton, &[], executions).expect("it is small");
    let aim = Aim::Sequence("order".into(), Box::new(sequence));
    let question = Question::from(ExplicitProblem::new(&lowered.network, aim).without_reduction());
    let report = question.check(&mut |_| None).expect("the question can be asked");
    let n_states = (report.verdict != Verdict::Violated).then_some(report.search.counters.stored);
    (report.verdict, n_states)
}

/// An `else` is possible as long as its partner has not chosen to call. The first
/// `y` may belong to an `else` that was taken before `p`.
#[test]
fn a_choice_that_an_else_notices_stays_a_step() {
    let program = compile(
        "#[task] fn a() { event!(p); choose! { { call!(b.e); } { event!(x); } } }
        #[task] fn b() { loop { select! { accept!(e) => { break; } else => { event!(y); } } } }",
    );
    let mut sources = Sources::default();
    let text = "name: order\nmodel: m.rs\nevents: { p: p, y: y, e: b.e }\nnone: '.* ; p ; y ; y ; e'\n";
    let file = sources.add("order.yaml", text);
    let file = parse_property_file(file, &sources).expect("the property is right");
    let automaton = file.properties[0].resolve(&program.labels()).expect("the labels are there").automaton;
    let labels = || automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
    let events = |with_ends| Steps::Events { labels: labels(), with_ends };
    for (steps, executions) in [
        (Steps::Edges, Executions::Prefixes),
        (Steps::Actions, Executions::Prefixes),
        (events(false), Executions::Prefixes),
        (events(true), Executions::Complete),
    ] {
        assert_eq!(order(&program, &automaton, executions, &steps).0, Verdict::Violated, "{steps:?}");
    }
}

/// With locks, channels and atomic blocks, too, which the exact interpreter does
/// not have.
#[test]
fn orders_of_events_do_not_depend_on_silent_steps() {
    let share = Share::of(N_MODELS);
    let mut tally = [0; 3];
    let mut n_states = [0; 2];
    for seed in share.seeds {
        let source = print(&generate(seed, &shape_of(seed)));
        let program = compile(&source);
        let mut random = Random::new(seed ^ 0x51e);
        if program.labels().is_empty() || Walker::new(&program).walk().is_none() {
            continue;
        }
        let automaton = random_automaton(&mut random, program.labels());
        let labels = || automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
        for executions in [Executions::Complete, Executions::Prefixes] {
            if executions == Executions::Prefixes && !automaton.dfa.is_safety() {
                continue;
            }
            let few = Steps::Events { labels: labels(), with_ends: executions == Executions::Complete };
            let [all, some, few] = [Steps::Edges, Steps::Actions, few]
                .map(|steps| order(&program, &automaton, executions, &steps));
            let about = || format!("TRAPLINE_SEED={seed} {executions:?} {automaton:?}\n{source}");
            assert_eq!((all.0, all.0), (some.0, few.0), "{}", about());
            tally[match all.0 {
                Verdict::Holds => 0,
                Verdict::HoldsVacuously => 1,
                _ => 2,
            }] += 1;
            n_states[0] += all.1.unwrap_or(0);
            n_states[1] += few.1.unwrap_or(0);
        }
    }
    println!("hold, hold vacuously, do not: {tally:?}; states: {n_states:?}");
    if share.is_whole {
        assert!(tally.iter().all(|n| *n > 300), "too one-sided: {tally:?}");
    }
}
