//! The engine for exact answers, plugged into the comparison with the
//! interpreter.

use crate::common::model::Op;
use crate::exact_tasks::{Asked, Clause, Engine, Found, compare};
use std::collections::HashSet;
use trapline::explicit::sequence::Sequence;
use trapline::lang::spec::property::Executions;
use trapline::lang::task::lower::{Lowered, Steps, lower};
use trapline::lang::task::program::Program;
use trapline::net::{BinaryOp, Expr, ExprKind, GlobalId, Network, Place, Root, Type, observer};
use trapline::verify::Verdict;
use trapline::verify::explicit::{Aim, Fault, ModelQuestion, Semantics, check_model};

#[test]
fn the_exact_engine_agrees_with_the_interpreter() {
    let engine: Engine = |program| Box::new(prepare(program));
    compare("exact_engine", Some(engine));
}

fn prepare(program: &Program) -> impl Fn(Asked) -> Found {
    move |asked| {
        let lowered = lower(program, &steps(asked));
        answer(&lowered.unwrap_or_else(|why| panic!("a generated model is refused: {why:?}")), asked)
    }
}

/// As few steps as the question needs.
fn steps(asked: Asked) -> Steps {
    match asked {
        Asked::Errors | Asked::Faults => Steps::Actions,
        Asked::Sequence(automaton, executions) => {
            let labels = automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
            Steps::Events { labels, with_ends: executions == Executions::Complete }
        }
        Asked::Invariant(_) => Steps::Events { labels: HashSet::new(), with_ends: false },
    }
}

fn answer(lowered: &Lowered, asked: Asked) -> Found {
    let mut network = lowered.network.clone();
    let aim = match asked {
        Asked::Errors | Asked::Faults => Aim::Safety,
        Asked::Sequence(automaton, executions) => {
            let sequence = Sequence::over(&lowered.steps, automaton.clone(), executions);
            Aim::Sequence("property".into(), Box::new(sequence))
        }
        Asked::Invariant(invariant) => {
            let clauses = invariant.0.iter().map(|clause| comparison(&network, clause));
            let any = clauses.reduce(|left, right| join(BinaryOp::Or, left, right)).expect("it has clauses");
            let formula = observer::invariant(any);
            Aim::Observer(network.add_formula("invariant", &formula).expect("an invariant is small"))
        }
    };
    let mut question = ModelQuestion::of(&network, aim);
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

fn join(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

/// `X` or `X[1]` is a variable, or `X` is an array.
fn comparison(network: &Network, clause: &Clause) -> Expr {
    let position = |name: &str| network.globals.iter().position(|variable| variable.name == name);
    let element = || {
        let (array, index) = clause.variable.strip_suffix(']')?.split_once('[')?;
        Some((position(array)?, Some(index.parse::<i32>().expect("an index is a number"))))
    };
    let found = position(&clause.variable).map(|global| (global, None)).or_else(element);
    let (global, index) = found.unwrap_or_else(|| panic!("no variable `{}`", clause.variable));
    let variable = &network.globals[global];
    let (span, ty) = (variable.span, variable.ty);
    let constant = |value: i32| Expr { kind: ExprKind::Constant(value), span };
    let index = index.map(|index| Box::new(constant(index)));
    let place = Place { root: Root::Global(GlobalId::new(global)), index, fields: Vec::new(), ty, span };
    let op = match clause.op {
        Op::Eq => BinaryOp::Equal,
        Op::Ne => BinaryOp::NotEqual,
        Op::Lt => BinaryOp::Less,
        Op::Ge => BinaryOp::GreaterEqual,
        op => panic!("invariants have no `{op:?}`"),
    };
    let value = match ty {
        Type::Mtype(set) => {
            let names = &network.mtypes[set.index()].names;
            let name = names.iter().position(|name| *name == clause.shown);
            name.unwrap_or_else(|| panic!("no name `{}` in {names:?}", clause.shown)) as i32 + 1
        }
        _ => clause.value as i32,
    };
    join(op, Expr { kind: ExprKind::Read(place), span }, constant(value))
}
