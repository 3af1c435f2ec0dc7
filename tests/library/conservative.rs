//! The flow engine against an independent interpreter, on random models.
//!
//! The interpreter (`common::interpret`) enumerates every interleaving of a
//! model by the book. On each random model, for random properties, sets of
//! constraints, forms of the graph and both kinds of executions:
//!
//! - every event sequence of the exact semantics is a path of the graph that
//!   every constraint accepts;
//! - every exact adjacency of two nodes is an edge;
//! - a violation of the exact semantics is found; what is proved is true;
//! - breadth-first, depth-first and state propagation agree;
//! - counterexamples replay, and breadth-first's is a shortest one;
//! - reductions never lose a proof; a constraint more never loses a proof.

use crate::common;
use crate::common::share::Share;
use crate::loading;
use common::generate::{Random, Shape, generate};
use common::interpret::{Graph, Limits as ExactLimits, explore};
use common::print::print;
use loading::compile;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use trapline::automata::Dfa;
use trapline::flow::component::VIOLATION;
use trapline::flow::{Form, NodeId};
use trapline::lang::spec::property::{Event, EventAutomaton, Executions};
use trapline::lang::task::program::{Program, TaskId, VariableId};
use trapline::verify::engine::strategy_of;
use trapline::verify::flow::{Answer, Assembly, GraphCache, KnownSets, replay, solve};
use trapline::verify::{Adjacency, Constraint, FlowProblem, SearchOptions, Verdict};

/// Random models per run; a few are too large for the interpreter.
const N_MODELS: u64 = N_PLAIN + 4 * N_SPECIAL + N_RICH;

/// How many of them come first and have none of the special constructs.
const N_PLAIN: u64 = 2_060;

/// How many have one of the special constructs: arrays, lists and tuples;
/// locks, semaphores and channels; and, twice as many, atomic blocks.
const N_SPECIAL: u64 = 500;

/// How many come last and are rich; every third has atomic blocks, too.
const N_RICH: u64 = 500;

#[test]
fn the_flow_engine_agrees_with_the_interpreter() {
    let share = Share::of(N_MODELS);
    let mut total = Tally::default();
    share.in_parallel("conservative", check_model).iter().for_each(|one| total.add(one));
    println!("{total:?}");
    if share.is_whole {
        // The comparison is worth something only if both answers are common.
        assert!(total.models >= 3_500, "too many models were too large: {total:?}");
        assert!(total.violated > 1_000 && total.proved > 1_000, "one-sided: {total:?}");
        assert!(total.really_violated > 500 && total.sequences > 50_000, "too tame: {total:?}");
    }
}

#[derive(Clone, Debug, Default)]
struct Tally {
    models: u64,
    violated: u64,
    really_violated: u64,
    proved: u64,
    vacuous: u64,
    sequences: u64,
    adjacencies: u64,
    additions: u64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.models += other.models;
        self.violated += other.violated;
        self.really_violated += other.really_violated;
        self.proved += other.proved;
        self.vacuous += other.vacuous;
        self.sequences += other.sequences;
        self.adjacencies += other.adjacencies;
        self.additions += other.additions;
    }
}

fn check_model(seed: u64) -> Tally {
    let mut shape = if seed.is_multiple_of(3) { Shape::tiny() } else { Shape::default() };
    match seed.checked_sub(N_PLAIN).map(|seed| seed / N_SPECIAL) {
        None => {}
        Some(0) => shape.arrays = 35,
        // Each lock, semaphore or channel is one more task.
        Some(1) => shape = Shape { objects: 45, ..Shape::tiny() },
        Some(2 | 3) => shape.atomic = 45,
        Some(_) => {
            let atomic = if seed.is_multiple_of(3) { 30 } else { 0 };
            let Shape { instances, statements, depth, variables, .. } = Shape::tiny();
            shape = Shape { instances, statements, depth, variables, atomic, ..Shape::rich() };
        }
    }
    let model = generate(seed, &shape);
    let mut tally = Tally::default();
    let Some(exact) = explore(&model, &ExactLimits { states: 3_000, transitions: 15_000 }) else {
        return tally;
    };
    let source = print(&model);
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0x5eed);
    tally.models = 1;
    for _ in 0..2 {
        let property = random_property(&mut random, &exact, &program);
        let constraints = random_constraints(&mut random, &program);
        check_question(&mut random, &exact, &program, &property, &constraints, &source, &mut tally);
    }
    tally
}

/// Two or three events of the model, and an automaton over them that is
/// biased towards safety.
pub fn random_property(random: &mut Random, exact: &Graph, program: &Program) -> EventAutomaton {
    let mut labels = program.labels();
    labels.retain(|label| exact.labels().contains(&label.as_str()) || random.below(8) == 0);
    random_automaton(random, labels)
}

/// A random automaton over some of the labels.
pub fn random_automaton(random: &mut Random, mut labels: Vec<String>) -> EventAutomaton {
    let n_events = (1 + random.below(3)).min(labels.len());
    let mut events = Vec::new();
    for index in 0..n_events {
        let mut of_event = vec![labels.swap_remove(random.below(labels.len()))];
        if random.below(4) == 0 && labels.len() > n_events {
            of_event.push(labels.swap_remove(random.below(labels.len())));
        }
        events.push(Event { name: format!("e{index}"), labels: of_event });
    }
    let n_states = 2 + random.below(3);
    let safety = random.below(3) != 0;
    let trap = n_states - 1;
    let mut accepting = fixedbitset::FixedBitSet::with_capacity(n_states);
    let mut next = Vec::new();
    for state in 0..n_states {
        let accepts = if safety { state != trap } else { random.below(2) == 0 };
        accepting.set(state, accepts);
        for _ in 0..n_events {
            next.push(if safety && state == trap { trap } else { random.below(n_states) } as u32);
        }
    }
    let state_names = (0..n_states).map(|state| state.to_string()).collect();
    EventAutomaton { dfa: Dfa::new(n_events, 0, accepting, next), events, state_names }
}

pub fn random_constraints(random: &mut Random, program: &Program) -> Vec<Constraint<'static>> {
    let tasks = (0..program.tasks.len()).map(|task| Constraint::Task(TaskId::new(task)));
    let variables =
        (0..program.variables.len()).map(|variable| Constraint::Variable(VariableId::new(variable)));
    let chance = 1 + random.below(3);
    let mut chosen: Vec<_> = tasks.chain(variables).filter(|_| random.below(4) < chance).collect();
    // Few enough constraints with nodes of their own for a full guarantee.
    let mut n_variables = 0;
    chosen.retain(|constraint| {
        n_variables += usize::from(matches!(constraint, Constraint::Variable(_)));
        !matches!(constraint, Constraint::Variable(_)) || n_variables <= 4
    });
    chosen
}

fn check_question(
    random: &mut Random,
    exact: &Graph,
    program: &Program,
    property: &EventAutomaton,
    constraints: &[Constraint<'static>],
    source: &str,
    tally: &mut Tally,
) {
    let mut executions = vec![Executions::Complete];
    if property.dfa.is_safety() {
        executions.push(Executions::Prefixes);
    }
    for executions in executions {
        let problem = FlowProblem {
            program,
            property,
            constraints: constraints.to_vec(),
            executions,
            form: Form::REDUCED,
            adjacency: Adjacency::Auto,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        let about = || {
            let names: Vec<String> = constraints.iter().map(|constraint| constraint.name(program)).collect();
            format!("{executions:?} {names:?}\n{property:?}\n{source}")
        };
        let really_violated = violates(exact, property, executions);
        tally.really_violated += u64::from(really_violated);

        let answers: Vec<(Form, Answer)> = forms(random)
            .into_iter()
            .map(|form| (form, solved(&FlowProblem { form, ..problem.clone() })))
            .collect();
        for (form, answer) in &answers {
            let verdict = answer.verdict;
            assert!(
                !really_violated || verdict == Verdict::Violated,
                "{form}: a real violation was missed\n{}",
                about()
            );
            tally.sequences += contains_every_sequence(exact, program, property, &answer.assembly, &about);
            check_strategies(&FlowProblem { form: *form, ..problem.clone() }, answer, &about);
        }
        // The first form is the published one; the others are as precise.
        let proved = |answer: &Answer| answer.verdict != Verdict::Violated;
        let (faithful, reduced) = (&answers[0].1, &answers[1].1);
        assert!(!proved(faithful) || proved(reduced), "a reduction lost a proof\n{}", about());
        match reduced.verdict {
            Verdict::Violated => tally.violated += 1,
            Verdict::HoldsVacuously => tally.vacuous += 1,
            _ => tally.proved += 1,
        }
        if random.below(4) == 0 {
            let always = FlowProblem { adjacency: Adjacency::Always, ..problem.clone() };
            // More automata may see that no execution is left, but not more.
            let always = solved(&always);
            assert_eq!(proved(&always), proved(reduced), "adjacency decides otherwise\n{}", about());
        }
        tally.adjacencies += contains_every_adjacency(exact, program, &problem, &about);
        tally.additions += additions_keep_proofs(random, &problem, proved(reduced), &about);
    }
}

/// The published form, ours, and a random one.
fn forms(random: &mut Random) -> Vec<Form> {
    let mut any = Form::FAITHFUL;
    for (name, _) in Form::REDUCED.choices() {
        any.choose(name, random.below(2) == 0);
    }
    vec![Form::FAITHFUL, Form::REDUCED, any]
}

/// Is there an exact execution that the property rejects?
fn violates(exact: &Graph, property: &EventAutomaton, executions: Executions) -> bool {
    let symbol = symbols(property);
    let mut pending: VecDeque<(usize, u32)> =
        exact.initial.iter().map(|&state| (state, property.dfa.start())).collect();
    let mut seen: HashSet<(usize, u32)> = pending.iter().copied().collect();
    while let Some((state, automaton)) = pending.pop_front() {
        let counts = executions == Executions::Prefixes || exact.ended[state];
        if counts && !property.dfa.is_accepting(automaton) {
            return true;
        }
        for step in exact.out(state) {
            let next = match step.label().and_then(|label| symbol.get(label)) {
                Some(&symbol) => property.dfa.next(automaton, symbol),
                None => automaton,
            };
            if seen.insert((step.to, next)) {
                pending.push_back((step.to, next));
            }
        }
    }
    false
}

pub fn symbols(property: &EventAutomaton) -> HashMap<&str, u32> {
    let events = property.events.iter().enumerate();
    events
        .flat_map(|(symbol, event)| event.labels.iter().map(move |label| (label.as_str(), symbol as u32)))
        .collect()
}

/// A node and the states of the constraints.
type NodeTuple = (Option<usize>, Vec<u32>);

/// Walks the exact graph and, beside it, all node-tuples with the same
/// events so far: there must always be one. Returns the number of pairs
/// looked at.
fn contains_every_sequence(
    exact: &Graph,
    program: &Program,
    property: &EventAutomaton,
    assembly: &Assembly,
    about: &dyn Fn() -> String,
) -> u64 {
    let graph = &assembly.graph;
    let constraints = &assembly.components[1..];
    let relevant: HashSet<&str> = relevant_labels(program, property, assembly);
    let node_label =
        |node: usize| graph.nodes[node].label.as_deref().filter(|label| relevant.contains(label));
    let next_tuples = |(node, tuple): &NodeTuple| {
        let follows = match node {
            None => graph.initial.row(0).to_vec(),
            Some(node) => graph.successors(NodeId::new(*node)),
        };
        let mut result: Vec<NodeTuple> = Vec::new();
        for next in trapline::base::bits::ones(&follows) {
            let states: Vec<u32> = constraints
                .iter()
                .zip(tuple)
                .map(|(component, &state)| component.next(state, next))
                .collect();
            if !states.contains(&VIOLATION) {
                result.push((Some(next), states));
            }
        }
        result
    };
    let close = |mut set: BTreeSet<NodeTuple>| {
        let mut pending: Vec<NodeTuple> = set.iter().cloned().collect();
        while let Some(tuple) = pending.pop() {
            for next in next_tuples(&tuple) {
                if next.0.is_some_and(|node| node_label(node).is_none()) && set.insert(next.clone()) {
                    pending.push(next);
                }
            }
        }
        set
    };
    let ends = |(node, tuple): &NodeTuple| {
        let last = node.map_or(graph.empty_execution, |node| graph.last.contains(0, node));
        last && constraints.iter().zip(tuple).all(|(component, &state)| component.accepting[state as usize])
    };
    let start: NodeTuple = (None, constraints.iter().map(|component| component.start).collect());
    let start = close([start].into());
    let mut pending: VecDeque<(usize, BTreeSet<NodeTuple>)> =
        exact.initial.iter().map(|&state| (state, start.clone())).collect();
    let mut seen: HashSet<(usize, BTreeSet<NodeTuple>)> = pending.iter().cloned().collect();
    let mut n_pairs = 0;
    while let Some((state, set)) = pending.pop_front() {
        n_pairs += 1;
        if n_pairs > 500 {
            break;
        }
        if graph.executions == Executions::Prefixes || exact.ended[state] {
            assert!(set.iter().any(ends), "an execution is no path to the final node\n{}", about());
        }
        for step in exact.out(state) {
            let label = step.label().filter(|label| relevant.contains(label));
            let next = match label {
                None => set.clone(),
                Some(label) => {
                    let with_label = |tuple: &NodeTuple| tuple.0.and_then(node_label) == Some(label);
                    close(set.iter().flat_map(&next_tuples).filter(with_label).collect())
                }
            };
            assert!(
                !next.is_empty() || !matters(exact, step.to, graph.executions),
                "no path has {label:?} here\n{}",
                about()
            );
            if !next.is_empty() && seen.insert((step.to, next.clone())) {
                pending.push_back((step.to, next));
            }
        }
    }
    n_pairs
}

/// With complete executions only states from which all tasks can end count:
/// a constraint may drop what cannot.
fn matters(exact: &Graph, state: usize, executions: Executions) -> bool {
    if executions == Executions::Prefixes {
        return true;
    }
    let mut seen = HashSet::from([state]);
    let mut pending = vec![state];
    while let Some(state) = pending.pop() {
        if exact.ended[state] {
            return true;
        }
        pending.extend(exact.out(state).map(|step| step.to).filter(|&to| seen.insert(to)));
    }
    false
}

/// The labels that the property or a variable constraint sees.
fn relevant_labels<'a>(
    program: &Program,
    property: &'a EventAutomaton,
    assembly: &'a Assembly,
) -> HashSet<&'a str> {
    let mut relevant: HashSet<&str> = symbols(property).into_keys().collect();
    let names: HashSet<&str> = assembly.components[1..]
        .iter()
        .filter_map(|component| component.name.strip_prefix("variable:"))
        .collect();
    for node in &assembly.graph.nodes {
        let variable = node.variable.map(|variable| program.variables[variable.index()].name.as_str());
        if variable.is_some_and(|name| names.contains(name)) {
            relevant.extend(node.label.as_deref());
        }
    }
    relevant
}

/// Every two nodes that follow each other in an exact execution, with only
/// silent actions between, are joined by an edge of the unpruned graph.
fn contains_every_adjacency(
    exact: &Graph,
    program: &Program,
    problem: &FlowProblem,
    about: &dyn Fn() -> String,
) -> u64 {
    let form = Form { prune: false, eliminate: false, ..Form::REDUCED };
    let answer = solved(&FlowProblem { form, adjacency: Adjacency::Never, ..problem.clone() });
    let graph = &answer.assembly.graph;
    let task_name = |task: TaskId| program.tasks[task.index()].name.as_str();
    let mut nodes: HashMap<(String, Vec<&str>), Vec<usize>> = HashMap::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let tasks = node.sides.iter().map(|side| task_name(side.task)).collect();
        nodes.entry((node.label.clone().unwrap_or_default(), tasks)).or_default().push(index);
    }
    let retained: HashSet<&str> = relevant_labels(program, problem.property, &answer.assembly);
    // A step is a node if two tasks take part or its label counts.
    let key = |step: &common::interpret::Transition| {
        let label = step.label()?;
        (step.tasks.len() == 2 || retained.contains(label)).then(|| {
            let tasks = step.tasks.iter().map(|&task| exact.tasks[task].as_str()).collect::<Vec<_>>();
            (label.to_owned(), tasks)
        })
    };
    let mut checked = HashSet::new();
    for first in &exact.transitions {
        let Some(before) = key(first) else { continue };
        let mut seen = HashSet::from([first.to]);
        let mut pending = vec![first.to];
        while let Some(state) = pending.pop() {
            for second in exact.out(state) {
                match key(second) {
                    None if seen.insert(second.to) => pending.push(second.to),
                    None => {}
                    Some(after) => {
                        checked.insert((before.clone(), after));
                    }
                }
            }
        }
    }
    for (before, after) in &checked {
        let (before_nodes, after_nodes) = (nodes.get(before), nodes.get(after));
        let edge = before_nodes.into_iter().flatten().any(|&from| {
            after_nodes.into_iter().flatten().any(|&to| graph.has_edge(NodeId::new(from), NodeId::new(to)))
        });
        assert!(edge, "no edge from {before:?} to {after:?}\n{}", about());
    }
    checked.len() as u64
}

/// The answer by breadth-first search.
fn solved(problem: &FlowProblem) -> Answer {
    solve(problem, &SearchOptions::default(), &mut |_| None)
}

/// Depth-first search, state propagation and the default agree with breadth-first search,
/// counterexamples replay, and breadth-first's is a shortest one.
fn check_strategies(problem: &FlowProblem, answer: &Answer, about: &dyn Fn() -> String) {
    for name in ["dfs", "propagate", "auto"] {
        let strategy = strategy_of(name).expect("a strategy");
        let options = SearchOptions { strategy, ..SearchOptions::default() };
        let other = solve(problem, &options, &mut |_| None);
        assert_eq!(other.verdict, answer.verdict, "{name} disagrees\n{}", about());
        if let Some(path) = &other.path {
            replay::check(&other.assembly, path).unwrap_or_else(|why| panic!("{why}\n{}", about()));
        }
    }
    let length = answer.path.as_ref().map(|path| path.nodes.len());
    if !answer.is_scouted {
        assert_eq!(length, shortest(&answer.assembly), "not the shortest\n{}", about());
    }
}

/// The length of a shortest violating path, by a naive search over unpacked
/// node-tuples.
fn shortest(assembly: &Assembly) -> Option<usize> {
    let Assembly { graph, components, .. } = assembly;
    let start: NodeTuple = (None, components.iter().map(|component| component.start).collect());
    let mut seen = HashSet::from([start.clone()]);
    let mut pending = VecDeque::from([(start, 0)]);
    while let Some(((node, tuple), length)) = pending.pop_front() {
        let last = node.map_or(graph.empty_execution, |node| graph.last.contains(0, node));
        let accepts = |index: usize| components[index].accepting[tuple[index] as usize];
        if last && !accepts(0) && (1..components.len()).all(accepts) {
            return Some(length);
        }
        for next in 0..graph.nodes.len() {
            let follows = match node {
                None => graph.initial.contains(0, next),
                Some(node) => graph.has_edge(NodeId::new(node), NodeId::new(next)),
            };
            let states: Vec<u32> = components
                .iter()
                .zip(&tuple)
                .map(|(component, &state)| component.next(state, next))
                .collect();
            let tuple = (Some(next), states);
            if follows && !tuple.1.contains(&VIOLATION) && seen.insert(tuple.clone()) {
                pending.push_back((tuple, length + 1));
            }
        }
    }
    None
}

/// A safety automaton over one or two labels of the model.
pub fn random_context(random: &mut Random, program: &Program) -> EventAutomaton {
    let mut labels = program.labels();
    let n_events = (1 + random.below(2)).min(labels.len());
    let event = |index: usize, label: String| Event { name: format!("c{index}"), labels: vec![label] };
    let events = (0..n_events).map(|index| event(index, labels.swap_remove(random.below(labels.len()))));
    let events: Vec<Event> = events.collect();
    let n_states = 3;
    let mut accepting = fixedbitset::FixedBitSet::with_capacity(n_states);
    accepting.insert_range(..n_states - 1);
    let next = (0..n_states * n_events).map(|cell| match cell / n_events {
        trap if trap == n_states - 1 => trap as u32,
        _ => random.below(n_states + 2).min(n_states - 1) as u32 % n_states as u32,
    });
    let dfa = Dfa::new(n_events, 0, accepting, next.collect());
    EventAutomaton { dfa, events, state_names: ["0", "1", "trap"].map(String::from).into() }
}

/// Adds constraints one by one: what was proved stays proved.
fn additions_keep_proofs(
    random: &mut Random,
    problem: &FlowProblem,
    proved: bool,
    about: &dyn Fn() -> String,
) -> u64 {
    let contexts: Vec<EventAutomaton> = (0..2).map(|_| random_context(random, problem.program)).collect();
    let mut candidates: Vec<Constraint> = random_constraints(random, problem.program);
    for (index, automaton) in contexts.iter().enumerate() {
        let position = random.below(candidates.len() + 1);
        candidates.insert(position, Constraint::Context { name: format!("context {index}"), automaton });
    }
    let mut problem = problem.clone();
    let mut proved = proved;
    let mut n_added = 0;
    for more in candidates {
        let name = more.name(problem.program);
        let present = |constraint: &Constraint| constraint.name(problem.program) == name;
        if problem.constraints.iter().any(present) {
            continue;
        }
        let position = random.below(problem.constraints.len() + 1);
        problem.constraints.insert(position, more);
        // With more than six that bring nodes the guarantee is a partial one.
        if problem.constraints.iter().filter(|c| !matches!(c, Constraint::Task(_))).count() > 6 {
            break;
        }
        let now = solved(&problem).verdict != Verdict::Violated;
        assert!(!proved || now, "adding {name} lost a proof\n{}", about());
        proved = now;
        n_added += 1;
    }
    n_added
}
