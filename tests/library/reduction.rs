//! Reduced searches against full ones: on random models of both languages they
//! have the same verdicts, a breadth-first search the same shortest lengths.

use crate::common::generate::{Random, Shape as ModelShape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::random_automaton;
use crate::generate;
use crate::loading::compile;
use std::collections::HashMap;
use trapline::diag::Sources;
use trapline::lang::promela::{Program, Reading, lower, parse, parse_expression};
use trapline::lang::spec::property::{EventAutomaton, Executions};
use trapline::net::{Network, Type};
use trapline::search::strategy::Rule;
use trapline::search::{Limits, Strategy};
use trapline::verify::explicit::{
    Aim, Fault, ReductionChoice, ReductionUsed, SearchResources, Semantics, Sequence, invariant, occurrences,
};
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::{order, task_questions};
use trapline::verify::{ExplicitProblem, Question, Report, SearchOptions, Verdict};

/// Random Promela models, and random task models.
const N_MODELS: u64 = 400;

/// Larger models are left out.
const MAX_STATES: u64 = 20_000;

/// Stored states of all comparisons of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    holds: u64,
    violated: u64,
    /// Searches that stored fewer states, of those that hold.
    smaller: u64,
    full_states: u64,
    reduced_states: u64,
}

type Tallies = HashMap<&'static str, Tally>;

fn search(problem: &ExplicitProblem, reduction: ReductionChoice, rule: Rule) -> Report {
    let problem = ExplicitProblem { reduction, ..problem.clone() };
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    let search = SearchOptions { strategy: Strategy::of(rule).into(), limits };
    Question { search, ..Question::from(problem) }.check(&mut |_| None).expect("the question makes sense")
}

/// Length of the counterexample as searches measure it: that no process can
/// move is found one step later.
fn length(report: &Report) -> usize {
    report.n_steps() + usize::from(report.fault().is_some_and(Fault::is_blocked_end))
}

/// Whether a property of prefixes is violated by events alone. If already the
/// empty sequence violates it, the end of a run without events does so, too.
fn is_about_events(automaton: &EventAutomaton, executions: Executions) -> bool {
    executions == Executions::Complete || automaton.dfa.is_accepting(automaton.dfa.start())
}

/// Compares one question; `kind` is a key of the tallies.
fn compare(kind: &'static str, problem: &ExplicitProblem, seed: u64, tallies: &mut Tallies) {
    let full = search(problem, ReductionChoice::None, Rule::Bfs);
    if matches!(full.verdict, Verdict::Undecided(_)) {
        return;
    }
    let reduced = search(problem, ReductionChoice::Stubborn, Rule::Bfs);
    let used = reduced.explicit().expect("the explicit engine was asked").reduction;
    if used != ReductionUsed::Stubborn {
        return;
    }
    let shown = |it: &Report| (it.verdict, it.n_steps(), it.fault());
    assert_eq!(full.verdict, reduced.verdict, "{kind}: {:?} {:?}", shown(&full), shown(&reduced));
    assert_eq!(length(&full), length(&reduced), "{kind}: {:?} {:?}", shown(&full), shown(&reduced));
    let tally = tallies.entry(kind).or_default();
    match full.verdict {
        Verdict::Violated => tally.violated += 1,
        _ => {
            let stored = |it: &Report| it.search.counters.stored;
            assert!(stored(&reduced) <= stored(&full), "{kind}: a reduced search visits no other states");
            tally.holds += 1;
            tally.smaller += u64::from(stored(&reduced) < stored(&full));
            tally.full_states += stored(&full);
            tally.reduced_states += stored(&reduced);
        }
    }
    // Other orders of the search, in turn.
    let (rule, n_threads) = match seed % 4 {
        0 => (Rule::Dfs { depth: None }, 1),
        1 => (Rule::Mixed, 1),
        2 => (Rule::Mixed, 2),
        _ => (Rule::Bfs, 2),
    };
    let problem = ExplicitProblem {
        resources: SearchResources { n_threads, ..SearchResources::default() },
        ..problem.clone()
    };
    let other = search(&problem, ReductionChoice::Stubborn, rule.clone());
    assert_eq!(full.verdict, other.verdict, "{kind} by {rule:?}: {:?} {:?}", shown(&full), shown(&other));
    if other.claims.shortest {
        assert_eq!(length(&full), length(&other), "{kind} by {rule:?}");
    }
    let auto = search(&problem, ReductionChoice::Auto, rule.clone());
    assert_eq!(full.verdict, auto.verdict, "{kind} by {rule:?} with automatic reduction");
}

fn total(all: Vec<Tallies>) -> Tallies {
    let mut total = Tallies::new();
    for (kind, one) in all.into_iter().flatten() {
        let sum = total.entry(kind).or_default();
        sum.holds += one.holds;
        sum.violated += one.violated;
        sum.smaller += one.smaller;
        sum.full_states += one.full_states;
        sum.reduced_states += one.reduced_states;
    }
    let mut shown: Vec<_> = total.iter().collect();
    shown.sort_by_key(|it| it.0);
    shown.iter().for_each(|it| println!("{it:?}"));
    total
}

/// Semantics by name: all errors, and one kind of error alone.
fn semantics(ends: bool, assertions: bool) -> Semantics {
    Semantics { allows_blocked_end: !ends, allows_failed_assertions: !assertions, ..Semantics::default() }
}

const ERRORS: [(&str, bool, bool); 3] =
    [("all errors", true, true), ("without deadlocks", false, true), ("without assertions", true, false)];

/// Programs with their texts, from the text of a model.
fn program(text: &str) -> Option<(Program, Sources)> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let mut reading = Reading { definitions: Vec::new(), load: &mut load };
    Some((lower(parse(source, &mut sources, &mut reading).model?).ok()?, sources))
}

/// An expression over the variables of a model that is often true.
fn expression(random: &mut Random, network: &Network) -> Option<String> {
    let names: Vec<&str> = network
        .globals
        .iter()
        .filter(|it| it.length.is_none() && matches!(it.ty, Type::Bit | Type::Byte | Type::Int))
        .map(|it| it.name.as_str())
        .collect();
    if names.is_empty() {
        return None;
    }
    let mut clause = || {
        let op = random.pick(&["==", "!=", "<=", ">="]);
        format!("{} {op} {}", random.pick(&names), random.below(4))
    };
    let (one, other) = (clause(), clause());
    Some(match random.below(4) {
        0 => one,
        1 => format!("{one} || {other}"),
        2 => format!("!({one} && {other})"),
        _ => format!("({one}) || !({other})"),
    })
}

fn compare_promela(seed: u64) -> Tallies {
    let mut tallies = Tallies::new();
    let Some((mut program, mut sources)) = program(&generate::model(seed)) else { return tallies };
    for (kind, ends, assertions) in ERRORS {
        for loses_messages in [false, true] {
            let semantics = Semantics { loses_messages, ..semantics(ends, assertions) };
            let problem = ExplicitProblem { semantics, ..ExplicitProblem::of_promela(&program, Aim::Safety) };
            compare(kind, &problem, seed, &mut tallies);
        }
    }
    let mut random = Random::new(seed);
    let all = occurrences(&program.network, &sources);
    let mut labels: Vec<String> = all.iter().map(|it| it.label.clone()).collect();
    labels.sort();
    labels.dedup();
    if !labels.is_empty() {
        for (kind, executions) in [("prefixes", Executions::Prefixes), ("complete", Executions::Complete)] {
            let automaton = random_automaton(&mut random, labels.clone());
            if is_about_events(&automaton, executions)
                && let Ok(sequence) = Sequence::new(&all, &automaton, executions)
            {
                let aim = Aim::Sequence("events".to_string(), Box::new(sequence));
                compare(kind, &ExplicitProblem::of_promela(&program, aim), seed, &mut tallies);
            }
        }
    }
    for _ in 0..2 {
        let Some(text) = expression(&mut random, &program.network) else { break };
        let source = sources.add("invariant", text);
        let expr = parse_expression(source, &sources, &program.model).expect("the expression is right");
        let observer = program.add_formula("invariant", &invariant(expr)).expect("it has an automaton");
        let problem = ExplicitProblem::of_promela(&program, Aim::Observer(observer));
        compare("invariant", &problem, seed, &mut tallies);
    }
    tallies
}

#[test]
fn random_promela_models() {
    let share = Share::of(N_MODELS);
    let tallies = total(share.in_parallel("reduction", compare_promela));
    if share.is_whole {
        for (kind, tally) in &tallies {
            assert!(tally.holds.min(tally.violated) > 20 && tally.smaller > 10, "{kind}: {tally:?}");
        }
        assert_eq!(tallies.len(), 6);
    }
}

fn compare_tasks(seed: u64) -> Tallies {
    let mut tallies = Tallies::new();
    let shape = match seed % 5 {
        0 => ModelShape::tiny(),
        1 => ModelShape { objects: 30, ..ModelShape::default() },
        2 => ModelShape { atomic: 30, ..ModelShape::default() },
        3 => ModelShape::rich(),
        _ => ModelShape::exact(),
    };
    let program = compile(&print(&generate(seed, &shape)));
    let mut random = Random::new(seed);
    for (kind, executions) in [("prefixes", Executions::Prefixes), ("complete", Executions::Complete)] {
        let property = random_automaton(&mut random, program.labels());
        if !is_about_events(&property, executions) {
            continue;
        }
        let assumption = random_automaton(&mut random, program.labels());
        for assumptions in [&[][..], &[&assumption]] {
            let asked = order(&program, ("property", &property), assumptions, executions);
            let asked = asked.expect("a generated model is accepted").expect("it is small");
            let problem = ExplicitProblem::new(&asked.network, asked.aim.clone());
            compare(kind, &problem, seed, &mut tallies);
        }
    }
    let loaded = task_questions(&program, &ModelGoals::default(), &mut Sources::default());
    let deadlocks = &loaded.expect("a generated model is accepted").questions[0];
    for (kind, ends, _) in ERRORS.into_iter().take(2) {
        let semantics = semantics(ends, false);
        let problem =
            ExplicitProblem { semantics, ..ExplicitProblem::new(&deadlocks.network, deadlocks.aim.clone()) };
        compare(kind, &problem, seed, &mut tallies);
    }
    tallies
}

#[test]
fn random_task_models() {
    let share = Share::of(N_MODELS);
    let tallies = total(share.in_parallel("reduction", compare_tasks));
    if share.is_whole {
        for (kind, tally) in &tallies {
            assert!(tally.holds.min(tally.violated) > 20 && tally.smaller > 10, "{kind}: {tally:?}");
        }
        assert_eq!(tallies.len(), 4);
    }
}
