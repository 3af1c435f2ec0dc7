//! Reports made by hand for the tests of this module.

use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::report::configuration::Configuration;
use crate::report::{Run, Unchecked};
use crate::verify::report::{
    Basis, Claims, Constraint, Counterexample, Counters, Executions, FlowBasis, GraphSize, Kind, Proposal,
    Proposals, SearchCost, StageCost, Stop,
};
use crate::verify::trail::{Action, Actor, Change, EdgeKind, InnerSteps, Place, Step, Trail};
use crate::verify::{Report, Verdict};
use std::time::Duration;

const MODEL: &str = "\
static mut LOCKED: bool = false;
#[task] fn t1() { take(); call!(t2.unlock); }
#[task] fn t2() {
    loop {
        accept!(lock => { LOCKED = true; });
        accept!(unlock);
    }
}
fn take() { call!(t2.lock); }
";

pub(super) fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("examples/lock.rs", MODEL);
    sources
}

fn span(text: &str) -> Span {
    let start = MODEL.find(text).expect("the model contains the text");
    Span::new(SourceId(0), start..start + text.len())
}

fn place(text: &str) -> Place {
    Place { span: span(text), stack: Vec::new() }
}

fn report(property: &str, verdict: Verdict) -> Report {
    Report {
        property: property.to_string(),
        file: "specs/lock.yaml".to_string(),
        description: None,
        model: "examples/lock.rs".to_string(),
        settings: Vec::new(),
        verdict,
        strategy: "bfs".to_string(),
        claims: Claims { complete: true, shortest: true, shortest_prefix: false },
        basis: Basis::Flow(Box::new(FlowBasis {
            executions: Executions::Prefixes,
            constraints: Vec::new(),
            graph_form: "reduced,end-nodes".to_string(),
            graph: GraphSize { nodes: 42, communication_nodes: 8, control_edges: 51, mip_edges: 1204 },
        })),
        search: search_cost(),
        elapsed: Duration::from_millis(52),
        counterexample: None,
        notes: Vec::new(),
        confirmation: None,
    }
}

/// Returns the details of the flow engine, for changes.
fn flow(report: &mut Report) -> &mut FlowBasis {
    match &mut report.basis {
        Basis::Flow(basis) => basis,
        Basis::Explicit(_) => panic!("the samples are of the flow engine"),
    }
}

fn search_cost() -> SearchCost {
    let counters = Counters {
        generated: 5678,
        stored: 1234,
        expanded: 1200,
        depth: 12,
        peak_frontier: 77,
        bytes: 98_304,
        ..Counters::default()
    };
    let elapsed = Duration::from_millis(30);
    SearchCost { counters, stages: vec![StageCost { counters, elapsed }], elapsed }
}

fn constraint(name: &str, kind: Kind, n_states: usize) -> Constraint {
    Constraint { name: name.to_string(), kind, n_states }
}

fn change(automaton: &str, from: &str, to: &str) -> Change {
    Change { name: automaton.to_string(), from: Some(from.to_string()), to: to.to_string() }
}

fn step(tasks: &[&str], label: &str, edge: EdgeKind, places: Vec<Place>) -> Step {
    let mut places = places.into_iter();
    let actor = |name: &&str| Actor { name: name.to_string(), place: places.next() };
    Step {
        actors: tasks.iter().map(actor).collect(),
        action: Action::Label(label.to_string()),
        alternative: None,
        event: None,
        edge: Some(edge),
        changes: Vec::new(),
        printed: String::new(),
        inside: InnerSteps::default(),
        state: Vec::new(),
    }
}

fn lock_step(edge: EdgeKind, from: &str, to: &str) -> Step {
    let caller = Place { span: span("call!(t2.lock)"), stack: vec![("take".to_string(), span("take();"))] };
    let mut step = step(&["t1", "t2"], "t2.lock", edge, vec![caller, place("accept!(lock")]);
    step.event = Some("lock".to_string());
    step.changes = vec![change("property", from, to)];
    step
}

pub(super) fn holds() -> Report {
    let mut report = report("unlock-follows", Verdict::Holds);
    flow(&mut report).executions = Executions::Complete;
    report.settings = vec![("N".to_string(), "3".to_string())];
    flow(&mut report).constraints =
        vec![constraint("task:t1", Kind::Task, 6), constraint("constraints/env.yaml", Kind::Context, 3)];
    let note = Diagnostic::note("task-unused-entry", span("accept!(unlock)"), "no task calls `t2.unlock`");
    report.notes = vec![note];
    report
}

pub(super) fn violated() -> Report {
    let mut report = report("no-double-lock", Verdict::Violated);
    report.description = Some("a lock is not taken twice".to_string());
    flow(&mut report).constraints = vec![constraint("variable:LOCKED", Kind::Variable, 2)];
    let mut assign = step(&["t2"], "LOCKED=true", EdgeKind::Control, vec![place("LOCKED = true")]);
    assign.changes = vec![change("variable:LOCKED", "false", "true")];
    let idle = step(&["t3"], "work", EdgeKind::Parallel, vec![place("loop")]);
    let mut end = step(&["t1"], "", EdgeKind::Control, vec![place("fn t1")]);
    end.action = Action::End;
    let steps = vec![
        lock_step(EdgeKind::Start, "free", "held"),
        assign,
        idle,
        lock_step(EdgeKind::Parallel, "held", "trap"),
        step(&["t1", "t2"], "t2.unlock", EdgeKind::Control, vec![place("call!(t2.unlock)")]),
        end,
    ];
    let trail =
        Trail { n_steps: steps.len(), steps: steps.into_iter().enumerate().collect(), ..Trail::default() };
    let proposal = |constraints: &[Constraint], step| Proposal { constraints: constraints.to_vec(), step };
    let rejecting = vec![
        proposal(&[constraint("task:t1", Kind::Task, 6)], 4),
        proposal(
            &[constraint("task:worker[0]", Kind::Task, 4), constraint("variable:held", Kind::Variable, 3)],
            7,
        ),
    ];
    let proposals = Some(Proposals { rejecting, is_complete: true, ..Proposals::default() });
    report.counterexample =
        Some(Counterexample { trail, prefix: Some(4), proposals, ..Counterexample::default() });
    report
}

pub(super) fn vacuous() -> Report {
    let mut report = report("grants-end", Verdict::HoldsVacuously);
    flow(&mut report).executions = Executions::Complete;
    flow(&mut report).constraints =
        vec![constraint("task:t1", Kind::Task, 6), constraint("constraints/env.yaml", Kind::Context, 3)];
    report
}

pub(super) fn undecided() -> Report {
    report("mutual-exclusion", Verdict::Undecided(Stop::States))
}

pub(super) fn run<'a>(
    reports: &'a [Report],
    unchecked: &'a [Unchecked],
    sources: &'a Sources,
    configuration: &'a Configuration,
) -> Run<'a> {
    Run { reports, unchecked, diagnostics: &[], sources, configuration, elapsed: Duration::from_millis(60) }
}
