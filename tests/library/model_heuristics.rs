//! Heuristics of the explicit engine against exact distances, on random models
//! of both languages.
//!
//! All states of a small model are computed, and the cost of reaching an error
//! from each of them. Then
//!
//! - what a heuristic claims is true of every state and every step;
//! - every strategy with every heuristic finds an error if and only if there is
//!   one, along a path of the model, and who claims a shortest path has one;
//! - counterexamples replay.

use crate::common::generate::{Random, Shape as TaskShape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::random_automaton;
use crate::generate;
use crate::loading::compile;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use trapline::diag::Sources;
use trapline::explicit::Engine;
use trapline::explicit::growing::{ProductViews, Stepper, SystemViews, Views};
use trapline::explicit::heuristics::{Aim, Estimates, Goal, TargetState, guides, refusal};
use trapline::explicit::layout::{MissingRoom, Shape, Widths};
use trapline::explicit::overflow::{SearchStart, SeparateStorage, Spent};
use trapline::explicit::view::Semantics;
use trapline::lang::promela::{Program, Reading, lower, parse, parse_expression};
use trapline::lang::spec::property::Executions;
use trapline::net::{Network, StepLabels, Type, Visibility};
use trapline::search::strategy::parse as parse_strategy;
use trapline::search::{End, Limits, SearchRun, Strategy, explore};
use trapline::system::{Arrived, Guide, Heuristic, StateId, Successors, Word};
use trapline::verify::explicit::{self, Marks, Sequence, invariant, occurrences};
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::{order, task_questions};
use trapline::verify::{ExplicitProblem, Question, Verdict};

/// Models with more states are left out.
const MOST_STATES: usize = 1_500;

/// What was looked at, per heuristic.
#[derive(Clone, Debug, Default)]
struct Claims {
    problems: u64,
    states: u64,
    /// States from which an error is reachable.
    finite: u64,
    /// Of these, states with an estimate above 0.
    positive: u64,
    /// Of these, states whose estimate is the distance.
    exact: u64,
    /// Of these, states whose estimate exceeds the distance.
    too_long: u64,
    steps: u64,
    /// Steps that lower the estimate by more than their cost.
    falls: u64,
}

#[derive(Clone, Debug, Default)]
struct Tally {
    problems: BTreeMap<&'static str, (u64, u64)>,
    claims: BTreeMap<&'static str, Claims>,
    searches: u64,
    violated: u64,
    /// Searches whose path is longer than the shortest.
    longer: u64,
    reopened: u64,
    /// Steps of several statements.
    long_steps: u64,
    stopped: u64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        for (name, (holds, violated)) in &other.problems {
            let own = self.problems.entry(name).or_default();
            (own.0, own.1) = (own.0 + holds, own.1 + violated);
        }
        for (name, it) in &other.claims {
            let own = self.claims.entry(name).or_default();
            own.problems += it.problems;
            own.states += it.states;
            own.finite += it.finite;
            own.positive += it.positive;
            own.exact += it.exact;
            own.too_long += it.too_long;
            own.steps += it.steps;
            own.falls += it.falls;
        }
        self.searches += other.searches;
        self.violated += other.violated;
        self.longer += other.longer;
        self.reopened += other.reopened;
        self.long_steps += other.long_steps;
        self.stopped += other.stopped;
    }
}

/// All states of a system.
struct Arena {
    states: Vec<Vec<Word>>,
    /// Per state, its successors and the costs of the steps.
    steps: Vec<Vec<(usize, u32)>>,
    is_goal: Vec<bool>,
}

enum Explored {
    All(Arena),
    Missing(MissingRoom),
    /// Too many states, or a step without an end.
    Left,
}

fn all_states<S: Stepper>(system: &mut S) -> Explored {
    let mut first = vec![0; system.width()];
    system.initial(&mut first);
    if let Some(room) = system.missing_room() {
        return Explored::Missing(room);
    }
    let mut ids: HashMap<Vec<Word>, usize> = HashMap::from([(first.clone(), 0)]);
    let mut arena = Arena { states: vec![first], steps: Vec::new(), is_goal: Vec::new() };
    while arena.steps.len() < arena.states.len() {
        let state = arena.states[arena.steps.len()].clone();
        arena.is_goal.push(system.is_goal(&state));
        let mut out = Successors::new(system.width());
        let is_whole = system.successors(&state, &mut out).is_ok();
        if let Some(room) = system.missing_room() {
            return Explored::Missing(room);
        }
        if !is_whole || arena.states.len() > MOST_STATES {
            return Explored::Left;
        }
        let mut steps = Vec::new();
        for (next, step) in out.iter().zip(out.steps()) {
            let id = *ids.entry(next.to_vec()).or_insert(arena.states.len());
            if id == arena.states.len() {
                arena.states.push(next.to_vec());
            }
            steps.push((id, step.cost));
        }
        arena.steps.push(steps);
    }
    Explored::All(arena)
}

impl Arena {
    /// The cost of the cheapest path from each state to a target.
    fn distances(&self, is_target: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|&(to, cost)| before[to].push((from, cost)));
        }
        let mut distances = vec![None; self.states.len()];
        let targets = (0..self.states.len()).filter(|&it| is_target(it));
        let mut queue: BinaryHeap<Reverse<(u32, usize)>> = targets.map(|it| Reverse((0, it))).collect();
        while let Some(Reverse((distance, state))) = queue.pop() {
            if distances[state].is_some() {
                continue;
            }
            distances[state] = Some(distance);
            let earlier = before[state].iter().map(|&(from, cost)| Reverse((distance + cost, from)));
            queue.extend(earlier.filter(|it| distances[it.0.1].is_none()));
        }
        distances
    }

    /// The cost of the path that a search has found, each step of which must be
    /// one of the system.
    fn cost(&self, run: &SearchRun, goal: StateId) -> u32 {
        let path: Vec<usize> = run
            .space
            .path(goal)
            .into_iter()
            .map(|id| self.states.iter().position(|it| it == run.space.state(id)).expect("it is a state"))
            .collect();
        assert!(path[0] == 0 && self.is_goal[path[path.len() - 1]]);
        let cost = |pair: &[usize]| {
            let steps = self.steps[pair[0]].iter().filter(|(to, _)| *to == pair[1]);
            steps.map(|(_, cost)| *cost).min().expect("a path follows steps")
        };
        path.windows(2).map(cost).sum()
    }
}

/// A property of a model.
struct Asked<'a> {
    network: &'a Network,
    aim: explicit::Aim,
    semantics: Semantics,
    steps: &'a [StepLabels],
    name: &'static str,
}

/// Compares everything on one property of one model.
fn compare(seed: u64, asked: &Asked, tally: &mut Tally) {
    let mut shape = Shape { widths: Widths::whole(), ..Shape::of(asked.network) };
    loop {
        let build = |shape: &Shape| match &asked.aim {
            explicit::Aim::Sequence(_, sequence) => Engine::following(sequence, asked.network, shape),
            explicit::Aim::Observer(observer) => Engine::with_observer(Some(observer), asked.network, shape),
            _ => Engine::new(asked.network, shape),
        };
        let start = SearchStart::new(build, shape.clone(), SeparateStorage::Always, Spent::default());
        let missing_room = match &asked.aim {
            explicit::Aim::Observer(_) => {
                let views = ProductViews { semantics: asked.semantics, is_fair: false };
                compare_in(seed, asked, &start, &shape, &views, tally)
            }
            explicit::Aim::Sequence(..) => {
                let semantics = Semantics { allows_blocked_end: true, ..asked.semantics };
                compare_in(seed, asked, &start, &shape, &SystemViews(semantics), tally)
            }
            _ => compare_in(seed, asked, &start, &shape, &SystemViews(asked.semantics), tally),
        };
        match missing_room {
            Some(room) => shape.grow(room),
            None => return,
        }
    }
}

fn compare_in<V: Views>(
    seed: u64,
    asked: &Asked,
    start: &SearchStart,
    shape: &Shape,
    views: &V,
    tally: &mut Tally,
) -> Option<MissingRoom> {
    let arena = match all_states(&mut views.view(start.engine())) {
        Explored::All(arena) => arena,
        Explored::Missing(room) => return Some(room),
        Explored::Left => return None,
    };
    let distances = arena.distances(|it| arena.is_goal[it]);
    let split = tally.problems.entry(asked.name).or_default();
    split.0 += u64::from(distances[0].is_none());
    split.1 += u64::from(distances[0].is_some());
    tally.long_steps += arena.steps.iter().flatten().filter(|(_, cost)| *cost > 1).count() as u64;
    let mut random = Random::new(seed);
    let chosen = random.below(arena.states.len());
    let target = TargetState::new(start.engine(), shape, &arena.states[chosen]);
    let labels = asked.network.templates.iter().flat_map(|it| &it.labels).map(|it| it.name.clone());
    let labels: Vec<String> = labels.chain(asked.steps.iter().flat_map(|it| it.labels.clone())).collect();
    let dangerous: Vec<String> =
        if labels.is_empty() { Vec::new() } else { vec![labels[random.below(labels.len())].clone()] };
    let (aim, executions) = match &asked.aim {
        explicit::Aim::Sequence(_, sequence) => (Aim::Sequence, Some(sequence.executions)),
        explicit::Aim::Observer(observer) => (Aim::Observer(observer.template), None),
        _ => (Aim::Errors, None),
    };
    let goal = Goal {
        aim,
        semantics: asked.semantics,
        executions,
        dangerous: &dangerous,
        steps: asked.steps,
        target: Some(&target),
    };
    let usable: Vec<Guide> =
        guides().into_iter().filter(|it| refusal(it.name, asked.network, &goal).is_none()).collect();
    for guide in &usable {
        let at = format!("`{}`, {}, seed {seed}", guide.name, asked.name);
        let mut heuristic = Estimates::new(guide.name, start, goal);
        check_claims(*guide, &mut heuristic, &arena, &distances, tally, &at);
        if guide.name == "fsm" {
            let to_target = arena.distances(|it| it == chosen);
            for (state, distance) in arena.states.iter().zip(&to_target) {
                let estimate = estimate(&mut heuristic, state);
                let limit = distance.map_or(u32::MAX, |it| it * heuristic.per_step());
                assert!(estimate <= limit, "{at}: {estimate} exceeds the distance to the target, {limit}");
            }
        }
    }
    let two_stages = matches!(&asked.aim, explicit::Aim::Sequence(_, it) if it.has_trap());
    let mut rng = Random::new(seed + 1);
    for guide in &usable {
        for text in strategies(guide.name, two_stages) {
            // Each strategy on a third of the models.
            if rng.below(3) == 0 || guide.name == "formula" {
                check_search(seed, &text, (&arena, &distances), start, views, goal, tally);
            }
        }
    }
    None
}

fn estimate(heuristic: &mut Estimates, state: &[Word]) -> u32 {
    let arrived = Arrived { id: StateId::new(0), state, g: 0, from: None };
    heuristic.estimate(&arrived).expect("no state is dropped")
}

fn check_claims(
    guide: Guide,
    heuristic: &mut Estimates,
    arena: &Arena,
    distances: &[Option<u32>],
    tally: &mut Tally,
    at: &str,
) {
    let per_step = heuristic.per_step();
    let estimates: Vec<u32> = arena.states.iter().map(|it| estimate(heuristic, it)).collect();
    let claims = tally.claims.entry(guide.name).or_default();
    claims.problems += 1;
    claims.states += estimates.len() as u64;
    for (state, distance) in distances.iter().enumerate() {
        let Some(distance) = distance else { continue };
        let limit = distance * per_step;
        claims.finite += 1;
        claims.positive += u64::from(estimates[state] > 0);
        claims.exact += u64::from(estimates[state] == limit);
        claims.too_long += u64::from(estimates[state] > limit);
        assert!(
            !guide.admissible || estimates[state] <= limit,
            "{at}: an estimate of {} for a distance of {limit}",
            estimates[state]
        );
    }
    for (from, steps) in arena.steps.iter().enumerate() {
        for &(to, cost) in steps {
            let falls = estimates[from] > estimates[to].saturating_add(cost * per_step);
            claims.steps += 1;
            claims.falls += u64::from(falls);
            assert!(
                !guide.monotone || !falls,
                "{at}: a step of cost {cost} lowers the estimate from {} to {}",
                estimates[from],
                estimates[to]
            );
        }
    }
}

fn strategies(heuristic: &str, two_stages: bool) -> Vec<String> {
    let forms = [
        "astar(H)",
        "wa(H, w=1)",
        "wa(H, w=3, g=best)",
        "bf(H)",
        "bf(H) + dfs",
        "bf(H) | bfs",
        "wa(H) | bfs(after=20)",
        "bf(H, turns=9) | wa(H, w=2) + bf(H)",
        "ida(H)",
        "ida(H, memory=table)",
        "ida(H, memory=bits)",
    ];
    let more = ["bf(H) + bfs / bf(H)", "bf(H) / bf(end)", "bfs / bf(H)"];
    let more = more.into_iter().filter(|it| two_stages && (!it.contains("end") || heuristic != "end"));
    forms.into_iter().chain(more).map(|it| it.replace('H', heuristic)).collect()
}

fn strategy(text: &str) -> Strategy {
    let mut sources = Sources::default();
    let source = sources.add("strategy", text);
    parse_strategy(source, &sources, &guides()).expect("the strategy is right").resolve(true).clone()
}

fn check_search<V: Views>(
    seed: u64,
    text: &str,
    (arena, distances): (&Arena, &[Option<u32>]),
    start: &SearchStart,
    views: &V,
    goal: Goal,
    tally: &mut Tally,
) {
    let strategy = strategy(text);
    let build = |name: &str| -> Box<dyn Heuristic + '_> { Box::new(Estimates::new(name, start, goal)) };
    // Following every path takes exponential time.
    let most = if text.contains("memory") || !text.contains("ida") { u64::MAX } else { 20_000 };
    let mut watch = |counters: &trapline::search::Counters| {
        (counters.expanded > most).then_some(trapline::search::Stop::Time)
    };
    let run = explore(&mut views.view(start.engine()), &strategy, build, Limits::default(), &mut watch);
    tally.searches += 1;
    tally.reopened += run.counters.reopened;
    let claims = strategy.claims(&guides());
    let at = format!("{text}, seed {seed}");
    match (run.end, distances[0]) {
        (End::Found(found), Some(shortest)) => {
            let cost = arena.cost(&run, found);
            tally.violated += 1;
            tally.longer += u64::from(cost > shortest);
            assert!(cost >= shortest, "{at}");
            if claims.shortest || run.shortest {
                assert_eq!(cost, shortest, "{at}");
            }
        }
        (End::Exhausted, None) => assert!(claims.complete, "{at}"),
        (End::Stopped(trapline::search::Stop::Omissions), None) => assert!(!claims.complete, "{at}"),
        (End::Stopped(trapline::search::Stop::Time), _) if most < u64::MAX => tally.stopped += 1,
        (end, shortest) => panic!("{at}: {end:?}, but the distance is {shortest:?}"),
    }
}

/// Checks that counterexamples of some strategies replay: a question panics
/// otherwise.
fn expect_replays(seed: u64, asked: &Asked, heuristics: &[&str]) {
    let ask = |text: &str| {
        let problem = ExplicitProblem {
            semantics: asked.semantics,
            marks: Marks { steps: asked.steps, ..Marks::default() },
            ..ExplicitProblem::new(asked.network, asked.aim.clone())
        };
        let limits = Limits { max_states: Some(20_000), max_bytes: None };
        let question = Question::from(problem).with_strategy(strategy(text)).with_limits(limits);
        question.check(&mut |_| None).unwrap_or_else(|why| panic!("{text}, seed {seed}: {why:?}"))
    };
    let bfs = ask("bfs");
    if matches!(bfs.verdict, Verdict::Undecided(_)) {
        return;
    }
    for heuristic in heuristics {
        for form in ["astar(H)", "bf(H)", "ida(H, memory=table)"] {
            let text = form.replace('H', heuristic);
            let report = ask(&text);
            assert_eq!(report.verdict, bfs.verdict, "{text}, seed {seed}, {}", asked.name);
            assert_eq!(report.trail().is_some(), bfs.trail().is_some());
        }
    }
}

fn program(text: &str, sources: &mut Sources) -> Option<Program> {
    let source = sources.add("model.pml", text);
    let mut load = |_: &str, _| Err("nothing is included".to_string());
    let parsed = parse(source, sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    lower(parsed.model?).ok()
}

/// A random condition over the global variables of a model and its labels.
fn random_condition(random: &mut Random, network: &Network, depth: usize) -> Option<String> {
    if depth > 0 && random.percent(60) {
        let left = random_condition(random, network, depth - 1)?;
        let right = random_condition(random, network, depth - 1)?;
        return Some(match random.below(5) {
            0 | 1 => format!("({left} && {right})"),
            2 => format!("({left} || {right})"),
            3 => format!("!({left})"),
            _ => format!("({left} -> {right} : {left})"),
        });
    }
    let mut atoms = Vec::new();
    for global in &network.globals {
        let is_shown = !matches!(global.visibility, Visibility::Hidden | Visibility::Internal);
        if matches!(global.ty, Type::Record(_)) || !is_shown {
            continue;
        }
        let name = match global.length {
            Some(length) => format!("{}[{}]", global.name, random.below(length as usize)),
            None => global.name.clone(),
        };
        let number = random.below(4);
        atoms.push(match (global.ty, random.below(6)) {
            (Type::Chan, 0) => format!("empty({name})"),
            (Type::Chan, 1) => format!("full({name})"),
            (Type::Chan, 2) => format!("nfull({name})"),
            (Type::Chan, 3) => format!("nempty({name})"),
            (Type::Chan, _) => format!("len({name}) < {number}"),
            (_, 0) => format!("{name} != {number}"),
            (_, 1) => format!("{name} < {number}"),
            (_, 2) => format!("{name} + 1 > {number}"),
            (_, 3) => name.to_string(),
            _ => format!("{name} == {number}"),
        });
    }
    for template in network.templates.iter().filter(|it| it.active > 0) {
        atoms.extend(
            template.labels.iter().map(|it| format!("{}[{}]@{}", template.name, random.below(3), it.name)),
        );
    }
    (!atoms.is_empty()).then(|| atoms.swap_remove(random.below(atoms.len())))
}

fn check_promela(seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut sources = Sources::default();
    let Some(mut program) = program(&generate::model(seed), &mut sources) else { return tally };
    let mut random = Random::new(seed + 7);
    let own = |allows_blocked_end| Semantics { allows_blocked_end, ..Semantics::default() };
    let aims = [("errors", own(false)), ("assertions", own(true))];
    for (name, semantics) in aims {
        let asked =
            Asked { network: &program.network, aim: explicit::Aim::Safety, semantics, steps: &[], name };
        compare(seed, &asked, &mut tally);
        if seed.is_multiple_of(5) {
            expect_replays(seed, &asked, &["formula", "formula-sum"]);
        }
    }
    if let Some(text) = random_condition(&mut random, &program.network, 3) {
        let source = sources.add("invariant", text.clone());
        if let Ok(expr) = parse_expression(source, &sources, &program.model) {
            let observer = program.add_formula("invariant", &invariant(expr)).expect("an invariant is small");
            let asked = Asked {
                network: &program.network,
                aim: explicit::Aim::Observer(observer),
                semantics: Semantics::default(),
                steps: &[],
                name: "invariant",
            };
            compare(seed, &asked, &mut tally);
            if seed.is_multiple_of(5) {
                expect_replays(seed, &asked, &["formula", "formula-sum"]);
            }
        }
    }
    let all = occurrences(&program.network, &sources);
    let mut labels: Vec<String> = all.iter().map(|it| it.label.clone()).collect();
    labels.sort();
    labels.dedup();
    if !labels.is_empty() {
        let automaton = random_automaton(&mut random, labels);
        let executions = if seed.is_multiple_of(2) { Executions::Prefixes } else { Executions::Complete };
        if let Ok(sequence) = Sequence::new(&all, &automaton, executions) {
            let asked = Asked {
                network: &program.network,
                aim: explicit::Aim::Sequence("order".to_string(), Box::new(sequence)),
                semantics: Semantics::default(),
                steps: &[],
                name: if executions == Executions::Prefixes { "prefixes" } else { "complete" },
            };
            compare(seed, &asked, &mut tally);
            if seed.is_multiple_of(5) {
                expect_replays(seed, &asked, &["reach", "trap"]);
            }
        }
    }
    tally
}

fn check_tasks(seed: u64) -> Tally {
    let mut tally = Tally::default();
    let shape = match seed % 3 {
        0 => TaskShape::tiny(),
        1 => TaskShape::exact(),
        _ => TaskShape::rich(),
    };
    let Ok(program) = std::panic::catch_unwind(|| compile(&print(&generate(seed, &shape)))) else {
        return tally;
    };
    let mut random = Random::new(seed + 7);
    let semantics = Semantics { allows_failed_assertions: true, ..Semantics::default() };
    let goals = ModelGoals::default();
    let loaded = task_questions(&program, &goals, &mut Sources::default());
    for question in loaded.map(|it| it.questions).unwrap_or_default() {
        for (name, allows_blocked_end) in [("errors", false), ("assertions", true)] {
            let semantics = Semantics { allows_blocked_end, ..semantics };
            let (network, steps) = (&question.network, &question.steps[..]);
            let asked = Asked { network, aim: question.aim.clone(), semantics, steps, name };
            compare(seed, &asked, &mut tally);
            if seed.is_multiple_of(5) {
                expect_replays(seed, &asked, &["formula", "formula-sum"]);
            }
        }
    }
    let labels = program.labels();
    if labels.is_empty() {
        return tally;
    }
    let automaton = random_automaton(&mut random, labels);
    for (name, executions) in [("prefixes", Executions::Prefixes), ("complete", Executions::Complete)] {
        let question = order(&program, ("order", &automaton), &[], executions);
        let Ok(Ok(question)) = question else { continue };
        let (network, steps) = (&question.network, &question.steps[..]);
        let asked = Asked { network, aim: question.aim.clone(), semantics, steps, name };
        compare(seed, &asked, &mut tally);
        if seed.is_multiple_of(5) {
            expect_replays(seed, &asked, &["reach", "trap"]);
        }
    }
    tally
}

/// The comparison is worth something only if everything occurs often.
fn expect_variety(tally: &Tally) {
    assert!(tally.searches > 3_000 && tally.violated > 1_000 && tally.longer > 50, "{tally:#?}");
    for (name, (holds, violated)) in &tally.problems {
        assert!(holds + violated > 20 && *violated > 0, "{name}: {tally:#?}");
    }
    for (name, claims) in &tally.claims {
        // Few runs of Promela models end.
        let least = if *name == "end" { 5 } else { 200 };
        assert!(claims.finite > least, "`{name}` was asked of few states: {claims:?}");
        assert!(claims.positive > claims.finite / 20, "`{name}` says nothing: {claims:?}");
    }
    for name in ["formula", "reach"] {
        assert!(tally.claims[name].exact > 100, "`{name}` could say more: {:?}", tally.claims[name]);
    }
    // Had one of these claimed more, it would have been seen.
    for name in ["hamming", "fsm"] {
        assert!(tally.claims[name].too_long > 100, "`{name}` could be admissible: {:?}", tally.claims[name]);
    }
    for name in ["active", "hamming"] {
        assert!(tally.claims[name].falls > 20, "`{name}` could be monotone: {:?}", tally.claims[name]);
    }
}

#[test]
fn claims_and_searches_of_promela_models() {
    let share = Share::of(150);
    let mut total = Tally::default();
    share.in_parallel("model_heuristics", check_promela).iter().for_each(|one| total.add(one));
    println!("{total:#?}");
    if share.is_whole {
        assert!(total.long_steps > 500, "{total:#?}");
        expect_variety(&total);
    }
}

#[test]
fn claims_and_searches_of_task_models() {
    let share = Share::of(100);
    let mut total = Tally::default();
    share.in_parallel("model_heuristics", check_tasks).iter().for_each(|one| total.add(one));
    println!("{total:#?}");
    if share.is_whole {
        expect_variety(&total);
    }
}
