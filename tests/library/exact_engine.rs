//! The engine for exact answers, plugged into the comparison with the
//! interpreter.

use crate::common::model::Op;
use crate::exact_tasks::{Asked, Clause, Engine, Found, Invariant, compare};
use crate::task_networks::is_error_of_a_value;
use trapline::diag::Sources;
use trapline::lang::task::program::Program;
use trapline::verify::Verdict;
use trapline::verify::explicit::{Fault, Semantics};
use trapline::verify::workspace::tasks::{order, task_questions};
use trapline::verify::workspace::{ModelGoals, TaskQuestion};
use trapline::verify::{ExplicitProblem, Question};

#[test]
fn the_exact_engine_agrees_with_the_interpreter() {
    let engine: Engine = |program| Box::new(prepare(program));
    compare("exact_engine", Some(engine));
}

fn prepare(program: &Program) -> impl Fn(Asked) -> Found {
    move |asked| {
        let question = question(program, asked);
        answer(&question, asked)
    }
}

/// The question as the command line asks it: with as few steps as it needs.
fn question(program: &Program, asked: Asked) -> TaskQuestion {
    let invariants = match asked {
        Asked::Invariant(invariant) => vec![text(invariant)],
        Asked::Errors | Asked::Faults => Vec::new(),
        Asked::Sequence(automaton, executions) => {
            let question = order(program, ("property", automaton), &[], executions);
            let question = question.unwrap_or_else(|why| panic!("a generated model is refused: {why:?}"));
            return question.expect("it is small");
        }
    };
    let goals = ModelGoals { invariants, ..ModelGoals::default() };
    let loaded = task_questions(program, &goals, &mut Sources::default());
    let loaded = loaded.unwrap_or_else(|why| panic!("a generated model is refused: {why:?}"));
    loaded.questions.into_iter().next_back().expect("something is asked")
}

/// `X[1] < 2 || P == Phase::Idle`
fn text(invariant: &Invariant) -> String {
    let clause = |clause: &Clause| {
        let op = match clause.op {
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Ge => ">=",
            op => panic!("invariants have no `{op:?}`"),
        };
        // The only enum of generated models.
        let is_variant = clause.shown.starts_with(char::is_uppercase);
        let value = if is_variant { format!("Phase::{}", clause.shown) } else { clause.shown.clone() };
        format!("{} {op} {value}", clause.variable)
    };
    invariant.0.iter().map(clause).collect::<Vec<_>>().join(" || ")
}

fn answer(asked_of: &TaskQuestion, asked: Asked) -> Found {
    let mut problem = ExplicitProblem::new(&asked_of.network, asked_of.aim.clone());
    let allows_blocked_end = !matches!(asked, Asked::Faults);
    problem.semantics = Semantics { allows_blocked_end, ..problem.semantics };
    let report = Question::from(problem).check(&mut |_| None).unwrap_or_else(|why| panic!("{why:?}"));
    match (report.verdict, report.fault(), asked) {
        (Verdict::Holds | Verdict::HoldsVacuously, ..) => Found::Holds,
        (Verdict::Violated, Some(Fault::InvalidEnd), _) => Found::Deadlock,
        (Verdict::Violated, Some(fault), _) if is_error_of_a_value(fault) => Found::Error,
        (Verdict::Violated, _, Asked::Sequence(..) | Asked::Invariant(_)) => Found::Violated,
        (verdict, fault, _) => panic!("{asked:?}: {verdict:?} {fault:?}"),
    }
}
