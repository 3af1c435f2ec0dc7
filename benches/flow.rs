//! The parts of a check, measured one by one with criterion.

#[path = "../tests/library/shipped/mod.rs"]
mod shipped;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shipped::{Case, by};
use trapline::flow::graph::InUse;
use trapline::flow::{Form, TraceFlowGraph};
use trapline::verify::flow::problem::relevance_of;
use trapline::verify::flow::solve;

fn searches(criterion: &mut Criterion) {
    let constraints = ["task:operator", "task:customer[*]", "variable:waiting[0]"];
    let case = Case::load("gas-station", "activate-once-per-prepay", &[("N", 3)], &constraints);
    let mut group = criterion.benchmark_group("search gas station 3");
    for strategy in ["bfs", "dfs", "propagate", "auto"] {
        let (problem, options) = (case.problem(), by(strategy));
        let generated = solve(&problem, &options, &mut |_| None).cost.counters.generated;
        group.throughput(Throughput::Elements(generated));
        group.bench_function(strategy, |bencher| bencher.iter(|| solve(&problem, &options, &mut |_| None)));
    }
}

fn graphs(criterion: &mut Criterion) {
    let case = Case::load("token-ring", "mutual-exclusion", &[("N", 49)], &[]);
    let in_use = InUse { relevance: relevance_of(case.automaton()), tasks: Vec::new() };
    let problem = case.problem();
    for (name, form) in [("reduced", Form::REDUCED), ("faithful", Form::FAITHFUL)] {
        criterion.bench_function(&format!("trace flow graph of 99 tasks, {name}"), |bencher| {
            bencher.iter(|| TraceFlowGraph::new(&case.program, &in_use, form, problem.executions))
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = searches, graphs
}
criterion_main!(benches);
