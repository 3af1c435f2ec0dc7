//! Constraints that reject a counterexample, on random models.
//!
//! - A plain search over nodes and automata, without packed states, agrees on every single
//!   constraint and on every proposed set, and on the step at which they reject.
//! - No constraint of a proposed set can be left out, and where nothing is proposed, all tasks and
//!   variables together reject nothing.
//! - Adding the first proposal of every report proves the shipped properties.
//! - A counterexample whose labels are those of an execution is never rejected.

use crate::common;
use crate::common::share::Share;
use crate::conservative::{random_constraints, random_property};
use crate::loading::compile;
use common::generate::{Random, Shape, generate};
use common::interpret::{Graph, Limits as ExactLimits, explore};
use common::language::determinise;
use common::print::print;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use trapline::flow::component::VIOLATION;
use trapline::flow::{Form, NodeId, NodeKey};
use trapline::lang::spec::property::Executions;
use trapline::lang::task::program::{Program, TaskId, VariableId};
use trapline::verify::flow::{Answer, Assembly, GraphCache, KnownSets, solve};
use trapline::verify::report::{Proposal, Proposals};
use trapline::verify::{Adjacency, ConfirmOptions, Constraint, FlowProblem, SearchOptions};
use trapline::{CheckOptions, Texts, Verdict, Workspace};

const N_MODELS: u64 = 1_500;

#[derive(Clone, Debug, Default)]
struct Tally {
    counterexamples: u64,
    single: u64,
    sets: u64,
    without: u64,
    real: u64,
}

#[test]
fn proposals_reject_counterexamples_and_no_executions() {
    let share = Share::of(N_MODELS);
    let mut total = Tally::default();
    for one in share.in_parallel("proposals", check_model) {
        total.counterexamples += one.counterexamples;
        total.single += one.single;
        total.sets += one.sets;
        total.without += one.without;
        total.real += one.real;
    }
    println!("{total:?}");
    if share.is_whole {
        assert!(total.counterexamples > 1_000, "too few counterexamples: {total:?}");
        assert!(total.single > 300 && total.sets > 30 && total.without > 300, "one-sided: {total:?}");
        assert!(total.real > 200, "too few real executions: {total:?}");
    }
}

fn check_model(seed: u64) -> Tally {
    let mut tally = Tally::default();
    let shape = match seed % 4 {
        0 => Shape { objects: 45, ..Shape::tiny() },
        1 => Shape { atomic: 45, ..Shape::tiny() },
        2 => Shape { arrays: 35, ..Shape::tiny() },
        _ => Shape::default(),
    };
    let model = generate(seed, &shape);
    let Some(exact) = explore(&model, &ExactLimits { states: 2_000, transitions: 10_000 }) else {
        return tally;
    };
    let program = compile(&print(&model));
    let mut random = Random::new(seed ^ 0x9e11);
    for _ in 0..3 {
        let property = random_property(&mut random, &exact, &program);
        let mut constraints = random_constraints(&mut random, &program);
        constraints.truncate(random.below(4));
        let executions = match property.dfa.is_safety() && random.below(2) == 0 {
            true => Executions::Prefixes,
            false => Executions::Complete,
        };
        let form = if random.below(3) == 0 { Form::FAITHFUL } else { Form::REDUCED };
        let problem = FlowProblem {
            program: &program,
            property: &property,
            constraints,
            executions,
            form,
            adjacency: Adjacency::Never,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        let mut answer = solve(&problem, &SearchOptions::default(), &mut |_| None);
        answer.propose(&problem, &mut |_| None);
        let proposals = answer.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
        if let Some(proposals) = proposals.filter(|it| it.is_complete) {
            check(&problem, &answer, proposals, &exact, &mut tally);
        }
    }
    tally
}

fn check(problem: &FlowProblem, answer: &Answer, proposals: &Proposals, exact: &Graph, tally: &mut Tally) {
    let program = problem.program;
    tally.counterexamples += 1;
    let unused = unused(problem);
    let find = |name: &str| unused.iter().find(|it| it.name(program) == name).cloned();
    for candidate in &unused {
        let name = candidate.name(program);
        let is_single = |it: &&Proposal| it.constraints.len() == 1 && it.constraints[0].name == name;
        let step = proposals.rejecting.iter().find(is_single).map(|it| it.step);
        assert_eq!(step, rejecting_step(problem, answer, std::slice::from_ref(candidate)), "{name}");
        tally.single += u64::from(step.is_some());
    }
    for proposal in &proposals.rejecting {
        let set: Vec<Constraint> =
            proposal.constraints.iter().map(|it| find(&it.name).expect("it is not in use")).collect();
        assert_eq!(rejecting_step(problem, answer, &set), Some(proposal.step));
        for index in (0..set.len()).filter(|_| set.len() > 1) {
            let mut fewer = set.clone();
            fewer.remove(index);
            assert_eq!(rejecting_step(problem, answer, &fewer), None, "it can be left out");
        }
        tally.sets += u64::from(set.len() > 1);
    }
    if proposals.rejecting.is_empty() {
        tally.without += 1;
        assert_eq!(rejecting_step(problem, answer, &unused), None, "all together reject it");
    }
    if is_execution(answer, exact, problem.executions) {
        tally.real += 1;
        assert!(proposals.rejecting.is_empty(), "an execution is rejected: {proposals:?}");
    }
}

/// The tasks and variables that are not constraints yet.
fn unused(problem: &FlowProblem) -> Vec<Constraint<'static>> {
    let Program { tasks, variables, .. } = problem.program;
    let tasks = (0..tasks.len()).map(|index| Constraint::Task(TaskId::new(index)));
    let variables = (0..variables.len()).map(|index| Constraint::Variable(VariableId::new(index)));
    let used: HashSet<String> = problem.constraints.iter().map(|it| it.name(problem.program)).collect();
    tasks.chain(variables).filter(|it| !used.contains(&it.name(problem.program))).collect()
}

/// Follows the counterexample in the graph with more constraints. Returns the first step that cannot
/// happen; the number of steps plus one if only the end is not possible.
fn rejecting_step(problem: &FlowProblem, answer: &Answer, added: &[Constraint<'static>]) -> Option<usize> {
    let constraints = problem.constraints.iter().cloned().chain(added.iter().cloned()).collect();
    let form = Form { prune: false, eliminate: false, drop_dead: false, ..problem.form };
    let Assembly { graph, components, .. } =
        Assembly::of(&FlowProblem { constraints, form, ..problem.clone() });
    let known: HashSet<NodeKey> = answer.assembly.graph.nodes.iter().map(|node| node.key).collect();
    let path = &answer.path.as_ref().expect("a counterexample has a path").keys;
    let start: Vec<u32> = components.iter().map(|it| it.start).collect();
    let first = (None::<usize>, start, 0);
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut furthest = 0;
    while let Some((at, tuple, position)) = queue.pop_front() {
        furthest = furthest.max(position);
        let ends = at.map_or(graph.empty_execution, |node| graph.last.contains(0, node));
        let accepts = |index: usize| components[index].accepting[tuple[index] as usize];
        if position == path.len() && ends && !accepts(0) && (1..components.len()).all(accepts) {
            return None;
        }
        for (node, found) in graph.nodes.iter().enumerate() {
            let follows = match at {
                None => graph.initial.contains(0, node),
                Some(at) => graph.has_edge(NodeId::new(at), NodeId::new(node)),
            };
            let is_known = known.contains(&found.key);
            if !follows || is_known && path.get(position) != Some(&found.key) {
                continue;
            }
            let next: Vec<u32> =
                components.iter().zip(&tuple).map(|(it, state)| it.next(*state, node)).collect();
            let state = (Some(node), next, position + usize::from(is_known));
            if !state.1.contains(&VIOLATION) && seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
    }
    Some(furthest + 1)
}

/// Returns whether the counterexample is surely an execution: each node has a label of its own, and
/// an exact run has the same labels.
fn is_execution(answer: &Answer, exact: &Graph, executions: Executions) -> bool {
    let nodes = &answer.assembly.graph.nodes;
    let mut n_nodes: HashMap<&str, usize> = HashMap::new();
    for node in nodes.iter().chain(&answer.assembly.graph.dead) {
        let Some(label) = node.label.as_deref() else { return false };
        *n_nodes.entry(label).or_default() += 1;
    }
    if n_nodes.values().any(|n| *n > 1) {
        return false;
    }
    let path = answer.path.as_ref().expect("a counterexample has a path");
    let word = path.nodes.iter().filter_map(|node| nodes[node.index()].label.as_deref());
    let runs = determinise(exact, |label| n_nodes.contains_key(label));
    match runs.run(word) {
        Some(state) => executions == Executions::Prefixes || runs.complete[state],
        None => false,
    }
}

/// The shipped models, constraints and properties, for a workspace.
pub fn shipped_texts() -> Texts {
    let mut texts = Texts::new();
    let files = [files_of("examples", "rs"), files_of("constraints", "yaml"), shipped_specs()];
    for path in files.into_iter().flatten() {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        texts = texts.with(path, text);
    }
    texts
}

/// The shipped property files about task models.
pub fn shipped_specs() -> Vec<String> {
    files_of("specs", "yaml")
}

pub fn files_of(folder: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is shipped");
    let paths = entries.map(|it| it.expect("the folder is readable").path());
    let paths = paths.filter(|it| it.extension().is_some_and(|it| it == ending));
    let mut files: Vec<String> = paths.map(|it| it.display().to_string()).collect();
    files.sort();
    files
}

/// From no constraints on, adding the first proposal of every report proves every shipped property
/// that needs no assumption about the environment.
#[test]
fn following_the_first_proposal_proves_the_shipped_properties() {
    let mut workspace = Workspace::new(shipped_texts());
    let (mut n_proved, mut n_rounds, mut unproved) = (0, 0, Vec::new());
    for spec in shipped_specs() {
        let confirm = ConfirmOptions::NEVER;
        let mut options = CheckOptions { default_constraints: false, confirm, ..CheckOptions::default() };
        for subject in workspace.subjects(Path::new(&spec), &options).expect("the file is right") {
            options.constraints.clear();
            let report = loop {
                n_rounds += 1;
                let report = workspace.check(&subject, &options, &mut |_| None).expect("the file is right");
                let proposals = report.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
                let Some(first) = proposals.and_then(|it| it.rejecting.first()) else { break report };
                options.constraints.extend(first.constraints.iter().map(|it| it.name.clone()));
            };
            match report.verdict {
                Verdict::Holds => n_proved += 1,
                _ => unproved.push(report.property),
            }
        }
    }
    // It is proved only under the assumption of constraints/no-old-packets.yaml.
    assert_eq!(unproved, ["no-reset"]);
    assert!(n_proved >= 49 && n_rounds <= 5 * n_proved + 5, "{n_proved} proofs in {n_rounds} rounds");
}
