//! Orders of events under assumptions about the environment, on the explicit
//! engine, on random models: the same verdicts as a plain search through the
//! states of the interpreter, and every violation is one that the flow engine
//! finds under the same assumptions.

use crate::common::generate::{Random, Shape, generate};
use crate::common::interpret::{Graph, Limits as ExactLimits, Meaning, explore_as};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::{random_context, random_property, symbols};
use crate::loading::compile;
use std::collections::{HashMap, HashSet, VecDeque};
use trapline::flow::Form;
use trapline::lang::spec::property::{EventAutomaton, Executions};
use trapline::verify::flow::{GraphCache, KnownSets, solve};
use trapline::verify::workspace::tasks::order;
use trapline::verify::{
    Adjacency, Constraint, ExplicitProblem, FlowProblem, Question, SearchOptions, Verdict,
};

/// Models per run.
const N_MODELS: u64 = 500;

#[derive(Debug, Default)]
struct Tally {
    models: u64,
    holds: u64,
    vacuous: u64,
    violated: u64,
    /// Violated without the assumptions only.
    excluded: u64,
}

#[test]
fn assumptions_exclude_the_same_runs_as_in_the_interpreter() {
    let share = Share::of(N_MODELS);
    let mut tally = Tally::default();
    share.seeds.for_each(|seed| check_model(seed, &mut tally));
    println!("{tally:?}");
    if share.is_whole {
        assert!(tally.models >= 300 && tally.excluded >= 50, "{tally:?}");
        assert!(tally.holds >= 100 && tally.vacuous >= 30 && tally.violated >= 100, "{tally:?}");
    }
}

fn check_model(seed: u64, tally: &mut Tally) {
    let model = generate(seed, &Shape::exact());
    let limits = ExactLimits { states: 3_000, transitions: 15_000 };
    let Some(exact) = explore_as(&model, Meaning::Exact, &limits) else { return };
    let source = print(&model);
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0xa55);
    tally.models += 1;
    for n_assumptions in 1..3 {
        let property = random_property(&mut random, &exact, &program);
        let assumptions: Vec<EventAutomaton> =
            (0..n_assumptions).map(|_| random_context(&mut random, &program)).collect();
        let assumed: Vec<&EventAutomaton> = assumptions.iter().collect();
        for executions in [Executions::Complete, Executions::Prefixes] {
            if executions == Executions::Prefixes && !property.dfa.is_safety() {
                continue;
            }
            let expected = verdict(&exact, &property, &assumed, executions);
            let asked = order(&program, ("property", &property), &assumed, executions);
            let asked = asked.expect("a generated model is lowered").expect("it is small");
            let question = Question::from(ExplicitProblem::new(&asked.network, asked.aim.clone()));
            let report = question.check(&mut |_| None).expect("the question makes sense");
            let about = || format!("TRAPLINE_SEED={seed} {executions:?} {property:?} {assumed:?}\n{source}");
            assert_eq!(report.verdict, expected, "{}", about());
            let name = |index: usize| format!("assumption {index}");
            let constraints = assumed.iter().enumerate();
            let problem = FlowProblem {
                program: &program,
                property: &property,
                constraints: constraints
                    .map(|(index, automaton)| Constraint::Context { name: name(index), automaton })
                    .collect(),
                executions,
                form: Form::REDUCED,
                adjacency: Adjacency::Auto,
                graphs: GraphCache::default(),
                known: KnownSets::default(),
            };
            let by_flow = solve(&problem, &SearchOptions::default(), &mut |_| None).verdict;
            assert!(expected != Verdict::Violated || by_flow == Verdict::Violated, "{}", about());
            match expected {
                Verdict::Holds => tally.holds += 1,
                Verdict::HoldsVacuously => tally.vacuous += 1,
                _ => tally.violated += 1,
            }
            let alone = verdict(&exact, &property, &[], executions);
            tally.excluded += u64::from(alone == Verdict::Violated && expected != Verdict::Violated);
        }
    }
}

/// Searches the states of the interpreter together with all automata. A run
/// counts if every assumption accepts it; a beginning of a run, if every
/// assumption accepts a continuation.
fn verdict(
    graph: &Graph,
    property: &EventAutomaton,
    assumptions: &[&EventAutomaton],
    executions: Executions,
) -> Verdict {
    let automata: Vec<&EventAutomaton> = [&[property], assumptions].concat();
    let tables: Vec<HashMap<&str, u32>> = automata.iter().map(|it| symbols(it)).collect();
    let dead: Vec<_> = automata.iter().map(|it| it.dfa.dead_states()).collect();
    let is_dead = |tuple: &[u32]| (1..tuple.len()).any(|it| dead[it].contains(tuple[it] as usize));
    let accepts = |tuple: &[u32], it: usize| automata[it].dfa.is_accepting(tuple[it]);
    let start: Vec<u32> = automata.iter().map(|it| it.dfa.start()).collect();
    let mut pending: VecDeque<(usize, Vec<u32>)> =
        graph.initial.iter().map(|&state| (state, start.clone())).collect();
    let mut seen: HashSet<(usize, Vec<u32>)> = pending.iter().cloned().collect();
    let mut is_witnessed = assumptions.is_empty() && executions == Executions::Prefixes;
    while let Some((state, tuple)) = pending.pop_front() {
        if is_dead(&tuple) {
            continue;
        }
        let are_accepted = (1..tuple.len()).all(|it| accepts(&tuple, it));
        let counts = match executions {
            Executions::Prefixes => true,
            Executions::Complete => graph.ended[state] && are_accepted,
        };
        if counts && !accepts(&tuple, 0) {
            return Verdict::Violated;
        }
        is_witnessed |= counts && are_accepted;
        for step in graph.out(state) {
            let mut next = tuple.clone();
            for label in &step.labels {
                for (it, table) in tables.iter().enumerate() {
                    if let Some(&symbol) = table.get(&**label) {
                        next[it] = automata[it].dfa.next(next[it], symbol);
                    }
                }
            }
            if seen.insert((step.to, next.clone())) {
                pending.push_back((step.to, next));
            }
        }
    }
    if is_witnessed { Verdict::Holds } else { Verdict::HoldsVacuously }
}
