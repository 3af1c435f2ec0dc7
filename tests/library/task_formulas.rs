//! Formulas over the variables of random task models, from their texts to a
//! verdict, against fixpoints over all states of a plain interpreter.
//!
//! A run that ends, properly or in a deadlock, stays in its last state for ever.
//! A run that ends since a value leaves its range is none. What happens inside
//! an atomic block is not seen, so blocks that may never end are left out.

use crate::common::generate::{Random, Shape as ModelShape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::loading::compile;
use crate::walking::graph::{Shape, StateGraph};
use crate::walking::{At, State, Walker};
use trapline::diag::Sources;
use trapline::lang::task::program::{Domain, Program, Role};
use trapline::verify::Verdict;
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::task_questions;
use trapline::verify::{ExplicitProblem, Question};

/// Models per run.
const N_MODELS: u64 = 600;

type Holds = Box<dyn Fn(&State) -> bool>;

/// A condition as text and as a function of states.
struct Condition {
    text: String,
    holds: Holds,
    /// Does it ask whether a task has ended?
    of_end: bool,
}

fn condition(random: &mut Random, program: &Program) -> Condition {
    let n_variables = program.variables.len();
    // Locks and channels are tasks of the program, but formulas cannot name them. For a
    // task that never ends the condition is constant, and a run may break a formula over
    // it before it is known how the run continues.
    let ends = |task: &usize| {
        let it = &program.tasks[*task];
        !it.is_object && it.edges.iter().any(|edge| edge.to == it.end && edge.role != Role::Terminate)
    };
    let enders: Vec<usize> = (0..program.tasks.len()).filter(ends).collect();
    if !enders.is_empty() && (n_variables == 0 || random.percent(15)) {
        let task = *random.pick(&enders);
        let (name, end) = (&program.tasks[task].name, program.tasks[task].end);
        let holds = move |state: &State| state.at[task] == At::Point(end);
        return Condition { text: format!("ended({name})"), holds: Box::new(holds), of_end: true };
    }
    if n_variables == 0 {
        return simple("1 + 1 == 2".to_string(), |_| true);
    }
    let index = random.below(n_variables);
    let variable = &program.variables[index];
    let (name, size) = (&variable.name, variable.domain.size());
    let value = random.below(size) as u32;
    let shown = match &variable.domain {
        Domain::Enum { name, .. } => format!("{name}::{}", variable.domain.show(value)),
        domain => domain.show(value),
    };
    let is_number = matches!(variable.domain, Domain::Int { .. });
    match random.below(if is_number { 4 } else { 2 }) {
        0 => simple(format!("{name} == {shown}"), move |state| state.values[index] == value),
        1 => simple(format!("{name} != {shown}"), move |state| state.values[index] != value),
        2 => simple(format!("{name} + 1 <= {shown}"), move |state| state.values[index] < value),
        _ => simple(format!("!({name} > {shown} - 1)"), move |state| state.values[index] < value),
    }
}

fn simple(text: String, holds: impl Fn(&State) -> bool + 'static) -> Condition {
    Condition { text, holds: Box::new(holds), of_end: false }
}

/// One of the others, or two of them.
fn compound(random: &mut Random, program: &Program) -> Condition {
    let left = condition(random, program);
    if random.percent(60) {
        return left;
    }
    let right = condition(random, program);
    let (a, b) = (left.holds, right.holds);
    let of_end = left.of_end || right.of_end;
    let (text, holds): (String, Holds) = match random.percent(50) {
        true => (format!("{} && {}", left.text, right.text), Box::new(move |it| a(it) && b(it))),
        false => (format!("({} || {})", left.text, right.text), Box::new(move |it| a(it) || b(it))),
    };
    Condition { text, holds, of_end }
}

fn shape_of(seed: u64) -> ModelShape {
    match seed % 4 {
        0 => ModelShape::tiny(),
        1 => ModelShape { objects: 30, ..ModelShape::tiny() },
        2 => ModelShape { atomic: 30, ..ModelShape::default() },
        _ => ModelShape::exact(),
    }
}

#[test]
fn formulas_hold_on_the_runs_of_the_control_graphs() {
    let share = Share::of(N_MODELS);
    let mut n_models_compared = 0;
    let mut tally = [[0; 2]; Shape::ALL.len() + 1];
    for seed in share.seeds {
        let source = print(&generate(seed, &shape_of(seed)));
        let program = compile(&source);
        let walker = Walker::new(&program);
        if walker.has_endless_block() {
            continue;
        }
        let Some(plain) = StateGraph::new(&walker, None) else { continue };
        let settled = walker.passed().and_then(|it| StateGraph::new(&walker, Some(&it)));
        n_models_compared += 1;
        let mut random = Random::new(seed ^ 0x1f0);
        for _ in 0..6 {
            let (p, q) = (compound(&mut random, &program), compound(&mut random, &program));
            // When a task ends depends on when silent edges are taken.
            let graph = match p.of_end || q.of_end {
                true => settled.as_ref(),
                false => Some(&plain),
            };
            let Some(graph) = graph else { continue };
            let set = |it: &Condition| graph.states.iter().map(|state| (it.holds)(state)).collect::<Vec<_>>();
            let shape = Shape::ALL[random.below(Shape::ALL.len())];
            let expected = graph.holds(shape, &set(&p), &set(&q));
            let invariant = graph.holds(Shape::Always, &set(&p), &[]);
            let ltl = shape.text(&p.text, &q.text);
            let (found, found_invariant) = by_engine(&program, &ltl, &p.text);
            let about = || format!("TRAPLINE_SEED={seed} {ltl}\n{source}");
            assert_eq!(found, expected, "{}", about());
            assert_eq!(found_invariant, invariant, "invariant {} {}", p.text, about());
            tally[shape as usize][usize::from(expected)] += 1;
            tally[Shape::ALL.len()][usize::from(invariant)] += 1;
        }
    }
    println!("{n_models_compared} models, {tally:?}");
    if share.is_whole {
        assert!(n_models_compared > 400 && tally.iter().flatten().all(|n| *n > 20), "too one-sided");
    }
}

/// Do a formula and an invariant hold?
fn by_engine(program: &Program, ltl: &str, invariant: &str) -> (bool, bool) {
    let goals = ModelGoals {
        ltl: vec![ltl.to_string()],
        invariants: vec![invariant.to_string()],
        ..ModelGoals::default()
    };
    let loaded = task_questions(program, &goals, &mut Sources::default());
    let loaded = loaded.unwrap_or_else(|faults| panic!("{ltl}, {invariant}: {faults:?}"));
    let mut answers = loaded.questions.into_iter().skip(1).map(|question| {
        let asked = Question::from(ExplicitProblem::new(&question.network, question.aim));
        match asked.check(&mut |_| None).expect("the question can be asked").verdict {
            Verdict::Holds => true,
            Verdict::Violated => false,
            verdict => panic!("{ltl}, {invariant}: {verdict:?}"),
        }
    });
    (answers.next().expect("a formula is asked for"), answers.next().expect("an invariant is asked for"))
}
