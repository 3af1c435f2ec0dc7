//! Every strategy against breadth-first search and exact distances, on random
//! models and on the shipped systems.
//!
//! On each node-tuple graph:
//!
//! - every strategy finds a violation if and only if there is one;
//! - every path is a path of the graph to a violation, none is shorter than
//!   the shortest, and who claims the shortest path or prefix has it;
//! - counters add up, and the strategy as printed repeats the run;
//! - what a heuristic claims is true of every state and every edge;
//! - presets give the verdict of breadth-first search, vacuity included.

use crate::common;
use crate::common::share::{Share, in_parallel};
use crate::loading;
use crate::searching;
use crate::shipped;
use common::generate::{Random, Shape, generate};
use common::print::print;
use loading::compile;
use searching::exact::{ClaimTally, Exact};
use searching::{Arena, Known, all_strategies, choice, expect_repeatable, judge, judge_bounded};
use shipped::subjects::{SYSTEMS, Subject, subjects};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use trapline::automata::Dfa;
use trapline::flow::Form;
use trapline::lang::spec::property::{Event, EventAutomaton, Executions};
use trapline::lang::task::program::{Program, TaskId, VariableId};
use trapline::search::{End, Strategy};
use trapline::verify::flow::{Assembly, GraphCache, KnownSets, solve};
use trapline::verify::{Adjacency, Constraint, FlowProblem, SearchOptions, Verdict};

/// Random models per run; a few are too large to be written out.
const N_MODELS: u64 = 2_100;

/// Node-tuples of a graph that is written out.
const MOST_STATES: usize = 5_000;

#[test]
fn strategies_agree_on_random_models() {
    let share = Share::of(N_MODELS);
    let mut total = Tally::default();
    share.in_parallel("strategies", check_model).iter().for_each(|one| total.add(one));
    println!("{} models, {} of them too large", share.seeds.count(), total.too_large);
    println!("{} strategies, {} searches", all_strategies().len(), total.searches);
    println!("{total:#?}");
    if share.is_whole {
        total.expect_variety();
    }
}

#[derive(Clone, Debug, Default)]
struct Tally {
    too_large: u64,
    models: u64,
    graphs: u64,
    searches: u64,
    /// States that searches expanded.
    expanded: u64,
    states: u64,
    violated: u64,
    exhausted: u64,
    holds: u64,
    vacuous: u64,
    prefixes: u64,
    faithful: u64,
    with_trap: u64,
    /// Violated without ever being trapped.
    untrapped: u64,
    /// Graphs where only some of the tasks have automata.
    some_tasks: u64,
    safety: u64,
    longest: u32,
    /// Searches that found a longer path than the shortest.
    longer: u64,
    reopened: u64,
    dropped: u64,
    claims: BTreeMap<&'static str, ClaimTally>,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.too_large += other.too_large;
        self.models += other.models;
        self.graphs += other.graphs;
        self.searches += other.searches;
        self.expanded += other.expanded;
        self.states += other.states;
        self.violated += other.violated;
        self.exhausted += other.exhausted;
        self.holds += other.holds;
        self.vacuous += other.vacuous;
        self.prefixes += other.prefixes;
        self.faithful += other.faithful;
        self.with_trap += other.with_trap;
        self.untrapped += other.untrapped;
        self.some_tasks += other.some_tasks;
        self.safety += other.safety;
        self.longest = self.longest.max(other.longest);
        self.longer += other.longer;
        self.reopened += other.reopened;
        self.dropped += other.dropped;
        other.claims.values().for_each(|claim| self.add_claim(claim));
    }

    fn add_claim(&mut self, claim: &ClaimTally) {
        let fresh = || ClaimTally { heuristic: claim.heuristic, ..ClaimTally::default() };
        self.claims.entry(claim.heuristic).or_insert_with(fresh).add(claim);
    }

    /// The comparison is worth something only if everything occurs often.
    fn expect_variety(&self) {
        assert!(self.models >= 2_000, "too many models were too large");
        assert!(self.violated > 1_000 && self.exhausted > 1_000, "one-sided");
        assert!(self.holds > 500 && self.vacuous > 50, "one-sided");
        assert!(self.prefixes > 300 && self.faithful > 1_000 && self.some_tasks > 1_000, "one-sided");
        assert!(self.with_trap > 1_000 && self.untrapped > 100, "one-sided");
        assert!(self.safety > 500 && self.safety + 500 < self.graphs, "one-sided");
        assert!(self.longer > 1_000 && self.reopened > 100 && self.dropped > 1_000, "too tame");
        for claim in self.claims.values() {
            assert!(claim.positive > claim.states / 20, "`{}` says nothing", claim.heuristic);
        }
        // Had one of these claimed more, it would have been seen.
        for name in ["trap", "trap-fine"] {
            let claim = &self.claims[name];
            assert!(claim.too_long > 100 && claim.falls > 100, "`{name}` could claim more");
        }
        // What is claimed is not claimed with room to spare.
        for name in ["ta", "dend"] {
            assert!(self.claims[name].tight > 1_000, "`{name}` could say more");
        }
        assert!(self.claims["dend"].perfect > 1_000 && self.claims["dend"].recognised > 1_000);
    }
}

fn check_model(seed: u64) -> Tally {
    let shape = if seed.is_multiple_of(3) { Shape::tiny() } else { Shape::default() };
    let model = generate(seed, &shape);
    let source = print(&model);
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0xd15c);
    let mut tally = Tally::default();
    for form in [Form::FAITHFUL, Form::REDUCED] {
        let kind = random.below(3);
        let property = random_automaton(&mut random, &program, kind);
        let context = random_automaton(&mut random, &program, 3);
        let constraints = random_constraints(&mut random, &program, &context);
        let prefixes = property.dfa.is_safety() && random.below(2) == 0;
        let problem = FlowProblem {
            program: &program,
            property: &property,
            constraints,
            executions: if prefixes { Executions::Prefixes } else { Executions::Complete },
            form,
            adjacency: Adjacency::Never,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| check_problem(&problem, seed, &mut tally)));
        if outcome.is_err() {
            let constraints = problem.constraints.iter().map(|constraint| constraint.name(&program));
            let constraints: Vec<String> = constraints.collect();
            panic!("{form} {:?} {constraints:?}\n{property:?}\n{source}", problem.executions);
        }
    }
    tally.models = u64::from(tally.graphs > 0);
    tally.too_large = u64::from(tally.graphs == 0);
    tally
}

/// An automaton over one to three events: of kind 0 a safety property, of kind
/// 1 with a trap and other states that do not accept, of kind 2 anything, of
/// kind 3 something that most executions satisfy.
fn random_automaton(random: &mut Random, program: &Program, kind: usize) -> EventAutomaton {
    let mut labels = program.labels();
    let n_events = (1 + random.below(3)).min(labels.len());
    let mut events = Vec::new();
    for index in 0..n_events {
        let label = labels.swap_remove(random.below(labels.len()));
        events.push(Event { name: format!("e{index}"), labels: vec![label] });
    }
    let n_states = 2 + random.below(4);
    let trap = n_states - 1;
    let mut accepting = fixedbitset::FixedBitSet::with_capacity(n_states);
    let mut next = Vec::new();
    for state in 0..n_states {
        let accepts = kind == 0 || kind == 3 && random.below(4) > 0 || random.below(2) == 0;
        accepting.set(state, accepts && (kind == 2 || state != trap));
        for _ in 0..n_events {
            let spare_trap = kind == 3 && random.below(6) > 0;
            let others = n_states - usize::from(spare_trap);
            next.push(if kind != 2 && state == trap { trap } else { random.below(others) } as u32);
        }
    }
    let state_names = (0..n_states).map(|state| state.to_string()).collect();
    EventAutomaton { dfa: Dfa::new(n_events, 0, accepting, next), events, state_names }
}

/// Some of the tasks and variables, and sometimes an assumption.
fn random_constraints<'a>(
    random: &mut Random,
    program: &Program,
    context: &'a EventAutomaton,
) -> Vec<Constraint<'a>> {
    let tasks = (0..program.tasks.len()).map(|task| Constraint::Task(TaskId::new(task)));
    let variables = (0..program.variables.len()).map(|it| Constraint::Variable(VariableId::new(it)));
    let chance = 1 + random.below(4);
    let mut chosen: Vec<Constraint> = tasks.chain(variables).filter(|_| random.below(4) < chance).collect();
    if random.below(4) == 0 {
        chosen.push(Constraint::Context { name: "context".to_owned(), automaton: context });
    }
    chosen
}

fn check_problem(problem: &FlowProblem, seed: u64, tally: &mut Tally) {
    let assembly = Assembly::of(problem);
    let arena = Arena::new(&assembly);
    let Some(exact) = Exact::new(&arena, MOST_STATES) else { return };
    let known = exact.known();
    tally.graphs += 1;
    tally.states += exact.states.len() as u64;
    tally.prefixes += u64::from(problem.executions == Executions::Prefixes);
    tally.faithful += u64::from(problem.form == Form::FAITHFUL);
    tally.with_trap += u64::from(arena.has_trap);
    tally.safety += u64::from(problem.property.dfa.is_safety());
    let n_tasks = problem.constraints.iter().filter(|it| matches!(it, Constraint::Task(_))).count();
    tally.some_tasks += u64::from(n_tasks > 0 && n_tasks < problem.program.tasks.len());
    tally.longest = tally.longest.max(known.shortest.unwrap_or(0));
    tally.violated += u64::from(known.shortest.is_some());
    tally.exhausted += u64::from(known.shortest.is_none());
    exact.expect_traps_to_hold();
    exact.check_claims(&arena).iter().for_each(|claim| tally.add_claim(claim));

    for (index, text) in all_strategies().iter().enumerate() {
        let run_again = (index as u64 + seed).is_multiple_of(5);
        try_strategy(&arena, &known, text, run_again, tally);
    }
    for bound in bounds(&known) {
        judge_bounded(&arena, &known, bound);
        tally.searches += 1;
    }
    check_verdicts(problem, &exact, &assembly, &arena, tally);
}

/// Runs one strategy and names it when it fails.
fn try_strategy(arena: &Arena, known: &Known, text: &str, run_again: bool, tally: &mut Tally) {
    let choice = choice(text);
    // Two stages must be right even where no state is trapped.
    let mut strategies = vec![choice.resolve(true)];
    if choice.preset.is_some() && choice.resolve(false) != choice.resolve(true) {
        strategies.push(choice.resolve(false));
    }
    for strategy in strategies {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let run = arena.run(strategy);
            let length = judge(arena, known, strategy, &run);
            if run_again {
                expect_repeatable(arena, strategy, &run);
            }
            if let (End::Found(goal), Some(length)) = (run.end, length) {
                tally.longer += u64::from(known.shortest.is_some_and(|shortest| shortest < length));
                tally.untrapped += u64::from(!run.space.path(goal).iter().any(|&id| {
                    trapline::system::TransitionSystem::is_trapped(&arena.product, run.space.state(id))
                }));
            }
            tally.searches += 1;
            tally.expanded += run.counters.expanded;
            tally.reopened += run.counters.reopened;
            tally.dropped += run.counters.dropped;
        }));
        assert!(outcome.is_ok(), "`{text}`, which is `{strategy}`, where {known:?}");
    }
}

/// Bounds around the shortest path and around everything.
fn bounds(known: &Known) -> BTreeSet<u32> {
    let shortest = known.shortest.unwrap_or(4);
    [1, 2, 5, shortest.saturating_sub(1), shortest, shortest + 1, shortest * 2, 100_000]
        .into_iter()
        .filter(|&bound| bound > 0)
        .collect()
}

/// The verdict follows from the graph alone, whichever strategy is asked.
fn check_verdicts(
    problem: &FlowProblem,
    exact: &Exact,
    assembly: &Assembly,
    arena: &Arena,
    tally: &mut Tally,
) {
    // Something was shown if some execution meets all constraints: with
    // prefixes one that needs no continuation to be accepted.
    let prefixes = problem.executions == Executions::Prefixes;
    let is_witness = |state: &Vec<u64>| {
        let mut constraints = assembly.components.iter().zip(arena.product.tuple(state)).skip(1);
        constraints.all(|(component, state)| {
            let accepting = if prefixes { &component.complete } else { &component.accepting };
            accepting[state as usize]
        })
    };
    let ends = |number: usize| {
        let state = &exact.states[number];
        let is_final = number > 0 && arena.product.node(state).is_none();
        (prefixes || is_final) && is_witness(state)
    };
    let expected = match exact.known().shortest {
        Some(_) => Verdict::Violated,
        None if (0..exact.states.len()).any(ends) => Verdict::Holds,
        None => Verdict::HoldsVacuously,
    };
    tally.holds += u64::from(expected == Verdict::Holds);
    tally.vacuous += u64::from(expected == Verdict::HoldsVacuously);
    for text in ["bfs", "auto", "quick", "short", "two-stage", "astar(dend)", "bf(dtrap) / bf(dend)"] {
        let options = SearchOptions { strategy: choice(text), ..SearchOptions::default() };
        assert_eq!(solve(problem, &options, &mut |_| None).verdict, expected, "`{text}`");
        tally.searches += 1;
    }
}

/// What a strategy shows of itself, read again, is the same strategy.
#[test]
fn strategies_are_read_as_they_are_shown() {
    for text in all_strategies() {
        let choice = choice(&text);
        for has_trap in [true, false] {
            let strategy = choice.resolve(has_trap);
            assert_eq!(searching::choice(&strategy.to_string()).resolve(true), strategy, "{text}");
        }
    }
}

/// States that may be expanded for one shipped subject before it has met enough
/// strategies: small subjects meet all, large ones some of them. With the
/// variable `TRAPLINE_EFFORT` it is another number, and a subject that is
/// still not finished with all strategies is a failure.
const EFFORT: u64 = 100_000;

fn asked_effort() -> Option<u64> {
    let asked = std::env::var("TRAPLINE_EFFORT").ok()?;
    Some(asked.parse().expect("TRAPLINE_EFFORT is a number of states"))
}

/// Every so manieth subject, from which one on: `TRAPLINE_PART=2/10` is the
/// second of ten parts, for efforts that take hours.
fn asked_part() -> Option<(usize, usize)> {
    let asked = std::env::var("TRAPLINE_PART").ok()?;
    let numbers = asked.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    let (part, of): (usize, usize) = numbers.expect("TRAPLINE_PART is such as 2/10");
    assert!((1..=of).contains(&part), "TRAPLINE_PART is such as 2/10");
    Some((part - 1, of))
}

#[test]
fn strategies_agree_on_shipped_subjects() {
    let strategies = all_strategies();
    let (part, of) = asked_part().unwrap_or((0, 1));
    let work: Vec<(usize, Subject)> = subjects().into_iter().enumerate().skip(part).step_by(of).collect();
    let n_subjects = work.len();
    let met = in_parallel(work, |(index, subject)| {
        let outcome = catch_unwind(AssertUnwindSafe(|| check_subject(*index, subject, &strategies)));
        outcome.unwrap_or_else(|_| panic!("{}", subject.name()))
    });
    let mut tally = Tally::default();
    let mut by_system: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (system, strategies, one) in &met {
        by_system.entry(system).or_default().extend(strategies);
        tally.add(one);
    }
    println!(
        "{n_subjects} subjects and proofs, {} strategies, {} searches",
        strategies.len(),
        tally.searches
    );
    println!("{tally:#?}");
    if of > 1 {
        return;
    }
    for system in SYSTEMS {
        let missing = (0..strategies.len()).filter(|strategy| !by_system[system].contains(strategy));
        let missing: Vec<&str> = missing.map(|strategy| strategies[strategy].as_str()).collect();
        assert!(missing.is_empty(), "{system} has not met {missing:?}");
    }
    assert!(tally.violated >= 100 && tally.exhausted >= 50, "{tally:?}");
}

/// Gives the strategies that were tried.
fn check_subject(
    index: usize,
    subject: &Subject,
    strategies: &[String],
) -> (&'static str, Vec<usize>, Tally) {
    let mut tally = Tally::default();
    let constraints = subject.constraints();
    let problem = FlowProblem {
        program: &subject.case.program,
        property: &subject.case.property.automaton,
        constraints,
        executions: Executions::Complete,
        form: subject.form,
        adjacency: Adjacency::Never,
        graphs: GraphCache::default(),
        known: KnownSets::default(),
    };
    let assembly = Assembly::of(&problem);
    let arena = Arena::new(&assembly);
    let bfs = arena.run(&Strategy::bfs());
    let shortest = match bfs.end {
        End::Found(goal) => Some(arena.real_path(&bfs, goal).len() as u32 - 1),
        End::Exhausted => None,
        End::Stopped(_) | End::Aborted(_) => panic!("{:?}", bfs.end),
    };
    // In the reduced graph a proof may need adjacency constraints too.
    if subject.form == Form::FAITHFUL {
        assert_eq!(shortest.is_some(), subject.left_out.is_some(), "the verdict of breadth-first search");
    }
    tally.graphs += 1;
    tally.states += bfs.counters.stored;
    tally.violated += u64::from(shortest.is_some());
    tally.exhausted += u64::from(shortest.is_none());
    tally.longest = shortest.unwrap_or(0);
    let known = Known { shortest, shortest_prefix: None, size: None };
    for always in ["astar(ta)", "auto"] {
        try_strategy(&arena, &known, always, false, &mut tally);
    }
    // Subjects begin at different strategies, so that all have their turn.
    let mut tried = Vec::new();
    let before = tally.expanded;
    for turn in 0..strategies.len() {
        let strategy = (index * 7 + turn) % strategies.len();
        try_strategy(&arena, &known, &strategies[strategy], false, &mut tally);
        tried.push(strategy);
        if tally.expanded - before > asked_effort().unwrap_or(EFFORT) {
            break;
        }
    }
    let met_all = tried.len() == strategies.len();
    assert!(met_all || asked_effort().is_none(), "{} has not met all strategies", subject.name());
    (subject.system, tried, tally)
}
