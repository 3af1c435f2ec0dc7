//! What adjacency costs and proves by default, on random questions.
//!
//! - A violated property costs little more than with `--adjacency never`, and
//!   never much more if the explicit engine can decide.
//! - Every proof of `--adjacency always` is found.
//! - A proof with some of the constraints is found with all of them.

use crate::common;
use crate::common::share::Share;
use crate::conservative::{random_automaton, random_constraints};
use crate::loading::compile;
use common::generate::{Random, Shape, generate};
use common::print::print;
use std::path::Path;
use trapline::flow::Form;
use trapline::lang::spec::property::Executions;
use trapline::search::{Limits, Watcher};
use trapline::verify::confirm::{Decision, confirm};
use trapline::verify::engine::strategy_of;
use trapline::verify::flow::{Answer, GraphCache, KnownSets, solve};
use trapline::verify::report::Outcome;
use trapline::verify::{
    Adjacency, ConfirmOptions, Constraint, FlowProblem, Question, SearchOptions, TrailDetail, Verdict,
};
use trapline::{CheckOptions, Texts, Workspace};

const N_MODELS: u64 = 1_000;

/// Models with shared arrays, on which adjacency constraints are expensive.
const MODELS: [&str; 2] =
    [include_str!("../regressions/adjacency-default.rs"), include_str!("../regressions/adjacency-blowup.rs")];

const STRATEGIES: [&str; 5] = ["auto", "bfs", "dfs", "propagate", "astar(ta)"];

/// Maximum number of node-tuples stored without adjacency; other questions are
/// left out.
const MAX_STATES: u64 = 20_000;

#[derive(Debug, Default)]
struct Tally {
    /// Of each violated question: node-tuples with `never` and by default.
    violated: Vec<(u64, u64, String)>,
    /// The same without the explicit engine.
    alone: Vec<(u64, u64, String)>,
    /// Questions that the explicit engine decides before the flow engine.
    decided: u64,
    /// Proofs that `never` does not find.
    gained: u64,
    /// Questions that `always` decides within the limit.
    compared: u64,
    /// Proofs with a subset of the constraints.
    subsets: u64,
    /// Counterexamples that are perhaps not shortest.
    scouted: u64,
}

#[test]
fn adjacency_costs_little_and_loses_no_proof() {
    let share = Share::of(N_MODELS);
    let mut total = Tally::default();
    for one in share.in_parallel("adjacency_costs", check_model) {
        total.violated.extend(one.violated);
        total.alone.extend(one.alone);
        total.decided += one.decided;
        total.gained += one.gained;
        total.compared += one.compared;
        total.subsets += one.subsets;
        total.scouted += one.scouted;
    }
    let (mean, worst) = ratios("with the explicit engine", &mut total.violated);
    ratios("flow engine alone", &mut total.alone);
    let Tally { violated, decided, gained, compared, subsets, scouted, .. } = &total;
    println!(
        "{decided} decided by the explicit engine, {gained} proofs gained, {compared} compared, \
         {subsets} subsets, {scouted} perhaps not shortest"
    );
    assert!(worst <= 50.0, "a violated question costs {worst:.1} times as much");
    if share.is_whole {
        assert!(mean <= 2.0, "violated questions cost {mean:.2} times as much");
        assert!(violated.len() >= 1_000 && *gained > 10 && *compared > 100 && *subsets > 100, "too tame");
    }
}

/// Prints and returns the geometric mean and the maximum of what questions cost.
fn ratios(title: &str, questions: &mut [(u64, u64, String)]) -> (f64, f64) {
    let ratio = |(never, default, _): &(u64, u64, String)| *default.max(&1) as f64 / *never.max(&1) as f64;
    questions.sort_by(|one, other| ratio(other).total_cmp(&ratio(one)));
    for it in questions.iter().take(6) {
        println!("{:.1} times: {it:?}", ratio(it));
    }
    let logs = questions.iter().map(|it| ratio(it).ln());
    let mean = (logs.sum::<f64>() / questions.len().max(1) as f64).exp();
    let worst = questions.first().map_or(1.0, ratio);
    let n_above = questions.iter().filter(|it| ratio(it) > 50.0).count();
    let n = questions.len();
    println!(
        "{title}, {n} violated: {mean:.2} times on average, at most {worst:.1} times, {n_above} above 50"
    );
    (mean, worst)
}

fn check_model(seed: u64) -> Tally {
    let shape = match seed % 8 {
        0 => Shape { arrays: 35, variables: 3, ..Shape::default() },
        1 => Shape { objects: 45, ..Shape::tiny() },
        2 => Shape { atomic: 45, ..Shape::default() },
        3 => Shape::tiny(),
        4 => Shape { variables: 4, ..Shape::default() },
        _ => Shape::large(),
    };
    let source = match seed % 8 {
        6 => MODELS[0].to_owned(),
        7 => MODELS[1].to_owned(),
        _ => print(&generate(seed, &shape)),
    };
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0xad1a);
    let mut tally = Tally::default();
    for _ in 0..3 {
        let property = random_automaton(&mut random, program.labels());
        let mut constraints = random_constraints(&mut random, &program);
        constraints.retain(|_| random.below(4) != 0);
        let executions = match property.dfa.is_safety() && random.below(2) == 0 {
            true => Executions::Prefixes,
            false => Executions::Complete,
        };
        let form = if random.below(4) == 0 { Form::FAITHFUL } else { Form::REDUCED };
        let adjacency = Adjacency::Auto;
        let problem = FlowProblem {
            program: &program,
            property: &property,
            constraints,
            executions,
            form,
            adjacency,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        let strategy = STRATEGIES[random.below(STRATEGIES.len())];
        check_question(&mut random, &problem, strategy, seed, &mut tally);
    }
    tally
}

fn check_question(random: &mut Random, problem: &FlowProblem, strategy: &str, seed: u64, tally: &mut Tally) {
    let brings_nodes = |constraint: &Constraint| !matches!(constraint, Constraint::Task(_));
    if !problem.constraints.iter().any(brings_nodes) {
        return;
    }
    let answer = |adjacency, max_states| {
        answered(&FlowProblem { adjacency, ..problem.clone() }, strategy, Some(max_states))
    };
    let never = answer(Adjacency::Never, MAX_STATES);
    let names: Vec<String> = problem.constraints.iter().map(|it| it.name(problem.program)).collect();
    let about = format!("seed {seed} {strategy} {:?} {} {names:?}", problem.executions, problem.form);
    if matches!(never.verdict, Verdict::Undecided(_)) || never.cut_short.is_some() {
        return;
    }
    let default = answer(Adjacency::Auto, 400 * MAX_STATES);
    assert!(!matches!(default.verdict, Verdict::Undecided(_)), "undecided: {about}");
    assert!(is_proved(&default) || !is_proved(&never), "adjacency lost a proof: {about}");
    if !is_proved(&default) {
        let generated = |answer: &Answer| answer.cost.counters.generated;
        tally.alone.push((generated(&never), generated(&default), about.clone()));
        tally.scouted += u64::from(default.is_scouted);
        let (n_generated, is_decided) = decided(problem, strategy);
        tally.decided += u64::from(is_decided);
        tally.violated.push((generated(&never), n_generated, about.clone()));
    }
    tally.gained += u64::from(is_proved(&default) && !is_proved(&never));
    if random.below(4) == 0 {
        let always = answer(Adjacency::Always, MAX_STATES);
        if !matches!(always.verdict, Verdict::Undecided(_)) {
            assert_eq!(is_proved(&always), is_proved(&default), "`always` decides otherwise: {about}");
            tally.compared += 1;
        }
    }
    if !is_proved(&default) {
        let mut fewer = problem.clone();
        fewer.constraints.retain(|_| random.below(2) == 0);
        let fewer = answered(&fewer, strategy, Some(MAX_STATES));
        assert!(!is_proved(&fewer), "proved with fewer constraints: {about}");
        tally.subsets += 1;
    }
}

/// Answers a violated problem as `check` does by default. Returns the number of
/// node-tuples, and whether the explicit engine decided before the flow engine.
fn decided(problem: &FlowProblem, strategy: &str) -> (u64, bool) {
    let search = SearchOptions { strategy: strategy_of(strategy).expect("a strategy"), ..Default::default() };
    let limits = search.limits;
    let question = Question { search, ..Question::about("p", problem.clone()) };
    let mut decision = Decision::new(ConfirmOptions::default());
    let is_decided = &mut |n, watch: Watcher| decision.is_reached(problem, n, limits, watch);
    let found = question.check_with(&mut |_| None, is_decided, &mut |_, _, _| {}).expect("it is searched");
    assert_eq!(found.verdict, Verdict::Violated);
    let generated = found.search.counters.generated;
    if !found.notes.iter().any(|it| it.code == "given-up") {
        return (generated, false);
    }
    let judged =
        confirm(problem, found, ConfirmOptions::default(), limits, TrailDetail::default(), &mut |_| None);
    let confirmation = judged.confirmation.expect("it was judged");
    assert!(
        matches!(confirmation.outcome, Outcome::Confirmed | Outcome::Refuted),
        "the search ended too soon"
    );
    (generated, true)
}

fn answered(problem: &FlowProblem, strategy: &str, max_states: Option<u64>) -> Answer {
    let limits = Limits { max_states, ..Limits::default() };
    let options = SearchOptions { strategy: strategy_of(strategy).expect("a strategy"), limits };
    solve(problem, &options, &mut |_| None)
}

fn is_proved(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Holds | Verdict::HoldsVacuously)
}

/// Questions that once cost 10,000 times as much by default, or were undecided.
#[test]
fn known_questions_cost_little() {
    let default = ["task:t2", "variable:wa[*]", "variable:nb[*][*]"];
    let blowup = ["task:t0", "variable:gi", "variable:ge", "variable:wa[*]"];
    for (name, constraints) in [("adjacency-default", &default[..]), ("adjacency-blowup", &blowup)] {
        for strategy in ["auto", "dfs", "propagate", "bfs"] {
            let generated = |adjacency| {
                let mut options = CheckOptions { adjacency, ..CheckOptions::default() };
                options.executions = Some(Executions::Complete);
                options.strategy = strategy.to_owned();
                options.constraints = constraints.iter().map(|it| (*it).to_owned()).collect();
                n_generated(name, &options)
            };
            let (never, default) = (generated(Adjacency::Never), generated(Adjacency::Auto));
            println!("{name} {strategy}: {default} node-tuples, {never} without adjacency");
            assert!(default <= 25 * never, "{name} {strategy}: {default} instead of {never} node-tuples");
        }
    }
}

fn n_generated(name: &str, options: &CheckOptions) -> u64 {
    let mut texts = Texts::new();
    for file in [format!("tests/regressions/{name}.rs"), format!("tests/regressions/{name}.yaml")] {
        let text = std::fs::read_to_string(&file).expect("the file is readable");
        texts = texts.with(file, text);
    }
    let mut workspace = Workspace::new(texts);
    let spec = format!("tests/regressions/{name}.yaml");
    let subjects = workspace.subjects(Path::new(&spec), options).expect("the file is right");
    let report = workspace.check(&subjects[2], options, &mut |_| None).expect("the file is right");
    assert_eq!(report.property, "p2");
    assert_eq!(report.verdict, Verdict::Violated, "{name}");
    report.search.counters.generated
}
