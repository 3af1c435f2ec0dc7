//! The engine for exact answers, plugged into the comparison with the
//! interpreter.

use crate::common::model::Op;
use crate::exact_tasks::{Asked, Clause, Engine, Found, Invariant, compare};
use trapline::diag::Sources;
use trapline::explicit::sequence::Sequence;
use trapline::lang::spec::property::{EventAutomaton, Executions};
use trapline::lang::task::lower::{Steps, lower};
use trapline::lang::task::program::Program;
use trapline::verify::Verdict;
use trapline::verify::assemble::{ModelWishes, TaskQuestion, tasks};
use trapline::verify::explicit::{Aim, Fault, ModelQuestion, Semantics, check_model};

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
        Asked::Sequence(automaton, executions) => return order(program, automaton, executions),
    };
    let wishes = ModelWishes { invariants, ..ModelWishes::default() };
    let loaded = tasks(program, &wishes, &mut Sources::default());
    let loaded = loaded.unwrap_or_else(|why| panic!("a generated model is refused: {why:?}"));
    loaded.questions.into_iter().next_back().expect("something is asked")
}

fn order(program: &Program, automaton: &EventAutomaton, executions: Executions) -> TaskQuestion {
    let labels = automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
    let steps = Steps::Events { labels, with_ends: executions == Executions::Complete };
    let lowered = lower(program, &steps);
    let lowered = lowered.unwrap_or_else(|why| panic!("a generated model is refused: {why:?}"));
    let sequence = Sequence::over(&lowered.steps, automaton.clone(), executions);
    let aim = Aim::Sequence("property".into(), Box::new(sequence));
    TaskQuestion { network: lowered.network, aim }
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
    let mut question = ModelQuestion::of(&asked_of.network, asked_of.aim.clone());
    let allows_blocked_end = !matches!(asked, Asked::Faults);
    question.semantics = Semantics { allows_blocked_end, ..question.semantics };
    let report = check_model(&question, &mut |_| None).unwrap_or_else(|why| panic!("{why:?}"));
    match (report.verdict, report.fault(), asked) {
        (Verdict::Holds | Verdict::HoldsVacuously, ..) => Found::Holds,
        (Verdict::Violated, Some(Fault::InvalidEnd), _) => Found::Deadlock,
        (Verdict::Violated, Some(Fault::OutOfRange), _) => Found::Error,
        (Verdict::Violated, _, Asked::Sequence(..) | Asked::Invariant(_)) => Found::Violated,
        (verdict, fault, _) => panic!("{asked:?}: {verdict:?} {fault:?}"),
    }
}
