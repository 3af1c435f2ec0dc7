//! A front end of a few lines: a network that is built by hand has every
//! search, formulas, simulation and reports, and no other room knows of it.

use std::time::Duration;
use trapline::diag::{Sources, Span};
use trapline::net::{
    Action, BinaryOp, Expr, ExprKind, Formula, FormulaKind, GlobalId, Graph, Initial, Location, LocationId,
    Network, Place, Root, Template, Transition, TransitionId, Type, Variable, Visibility,
};
use trapline::report::configuration::Configuration;
use trapline::report::{Run, json};
use trapline::search::Strategy;
use trapline::verify::explicit::{Aim, Fault, Semantics, invariant};
use trapline::verify::simulate::{Choice, Driver, Scene, simulate};
use trapline::verify::trail::Step;
use trapline::verify::{ExplicitProblem, Question};
use trapline::verify::{Report, Verdict};

/// Two processes that count together from 0 to 5, one by one.
fn counters() -> Network {
    let span = Span::default();
    let expr = |kind| Expr { kind, span };
    let place =
        Place { root: Root::Global(GlobalId::new(0)), index: None, fields: Vec::new(), ty: Type::Byte, span };
    let next = expr(ExprKind::Binary(
        BinaryOp::Add,
        Box::new(expr(ExprKind::Read(place.clone()))),
        Box::new(expr(ExprKind::Constant(1))),
    ));
    let count = Transition {
        action: Action::Assign(place, next),
        to: LocationId::new(0),
        atomic: None,
        keeps_control: false,
        span,
    };
    let at = Location { out: vec![TransitionId::new(0)], ..Location::default() };
    let graph = Graph { locations: vec![at], transitions: vec![count], ..Graph::default() };
    let n = Variable {
        name: "n".to_string(),
        span,
        ty: Type::Byte,
        length: None,
        initial: Initial::Zero,
        range: Some((0, 5)),
        visibility: Visibility::Plain,
    };
    let counter = Template { active: 2, ..Template::passive("Counter".to_string(), span, graph) };
    Network { globals: vec![n], templates: vec![counter], ..Network::default() }
}

/// `n < limit`
fn below(limit: i32) -> Expr {
    let span = Span::default();
    let expr = |kind| Expr { kind, span };
    let place =
        Place { root: Root::Global(GlobalId::new(0)), index: None, fields: Vec::new(), ty: Type::Byte, span };
    let read = expr(ExprKind::Read(place));
    expr(ExprKind::Binary(BinaryOp::Less, Box::new(read), Box::new(expr(ExprKind::Constant(limit)))))
}

fn ask(network: &Network, aim: Aim, strategy: Strategy) -> Report {
    let question =
        Question::from(ExplicitProblem::new(network, aim).without_reduction()).with_strategy(strategy);
    question.check(&mut |_| None).expect("the question can be asked")
}

#[test]
fn searches_find_its_error() {
    let network = counters();
    for strategy in ["bfs", "dfs", "mixed"] {
        let strategy: Strategy = strategy.parse().expect("it is a strategy");
        let report = ask(&network, Aim::Safety, strategy);
        assert_eq!((report.verdict, report.fault()), (Verdict::Violated, Some(Fault::OutOfRange)));
        assert_eq!(report.n_steps(), 6);
    }
}

#[test]
fn formulas_are_checked() {
    let mut network = counters();
    let formula = |kind| Formula { kind, span: Span::default() };
    let atom = |limit| Box::new(formula(FormulaKind::Atom(below(limit))));
    let right = network.add_formula("below 6", &invariant(below(6))).expect("it is small");
    let wrong = network.add_formula("below 3", &invariant(below(3))).expect("it is small");
    let until = formula(FormulaKind::Until(atom(3), atom(6)));
    let until = network.add_formula("until", &until).expect("it is small");
    let verdict = |observer| ask(&network, Aim::Observer(observer), Strategy::bfs()).verdict;
    assert_eq!(verdict(right), Verdict::Holds);
    assert_eq!(verdict(wrong), Verdict::Violated);
    assert_eq!(verdict(until), Verdict::Holds);
}

/// Takes the first step each time.
#[derive(Default)]
struct First(Vec<Step>);

impl Driver for First {
    fn choose(&mut self, scene: &Scene) -> Choice {
        if scene.n_possible() > 0 { Choice::Take(0) } else { Choice::Quit }
    }

    fn taken(&mut self, _: usize, step: Step) {
        self.0.push(step);
    }
}

#[test]
fn it_is_simulated() {
    let mut first = First::default();
    let end = simulate(&counters(), Semantics::default(), &mut first);
    assert_eq!((end.n_steps, first.0.len()), (6, 6));
    assert_eq!(end.stopped.fault(), Some(Fault::OutOfRange));
}

#[test]
fn its_report_is_json() {
    let mut sources = Sources::default();
    sources.add("toy", "counters");
    let report = ask(&counters(), Aim::Safety, Strategy::bfs());
    let run = Run {
        reports: &[report],
        unchecked: &[],
        diagnostics: &[],
        sources: &sources,
        configuration: &Configuration::default(),
        elapsed: Duration::ZERO,
    };
    let document: serde_json::Value = serde_json::from_str(&json::render(&run, 1)).expect("a report is JSON");
    let result = &document["results"][0];
    assert_eq!((&result["engine"], &result["verdict"]), (&"explicit".into(), &"violated".into()));
    assert_eq!(result["counterexample"]["steps"].as_array().map(Vec::len), Some(6));
}
