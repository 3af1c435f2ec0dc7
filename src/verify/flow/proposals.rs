//! Constraints that reject a counterexample of the flow engine.
//!
//! A constraint *rejects* a counterexample if, with it, no path of the graph is the counterexample
//! any more. A variable adds its reads and writes to the graph, so this is a small search: beside the
//! property and the constraints runs an automaton that allows only the nodes of the counterexample,
//! in their order, and any number of new nodes between them. If the search is exhausted, the first
//! step that it never reached is the one that cannot happen.
//!
//! Many variables reject nothing alone, because the tasks that access them are not followed. Such a
//! variable is tested together with these tasks, and tasks that are not needed are dropped.
//!
//! The first proposal should make a proof likely. A constraint that rejects a step before the
//! violation comes before one that rejects only the rest of the execution, and a task that takes
//! part in many events of the property comes before one that takes part in few; then the cost
//! decides.

use super::adjacency::is_final;
use super::attempt::path_to;
use super::problem::{Constraint, FlowProblem, relevance_of};
use super::replay::Path;
use super::solve::{Answer, component, kind_of};
use crate::base::cancel::{caught, checkpoint, enter};
use crate::base::control::Phase;
use crate::flow::{Component, Form, Node, NodeId, NodeKey, Product, Relevance, TraceFlowGraph};
use crate::lang::spec::property::EventAutomaton;
use crate::lang::task::program::{Action, Program, TaskId, VariableId};
use crate::search::{End, Limits, Strategy, Watcher, explore};
use crate::verify::report::{self, Kind, NamedProposal, Proposal, Proposals};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of steps of a counterexample for which constraints are tested.
const MAX_STEPS: usize = 2_000;

/// Maximum number of bytes of all graphs that are built for the tests.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of node-tuples of all tests.
const MAX_STATES: u64 = 200_000;

/// Maximum number of further counterexamples that are rejected in a round.
const MAX_FURTHER: usize = 10;

/// Maximum number of node-tuples of a search for a further counterexample.
const FURTHER_STATES: u64 = 2_000;

/// Maximum number of proposals.
const MAX_PROPOSALS: usize = 20;

/// Returns the constraints that reject `path`, a counterexample found in `graph`, the best
/// first.
pub(super) fn propose(
    problem: &FlowProblem,
    graph: &TraceFlowGraph,
    path: &Path,
    watch: Watcher,
) -> Option<Proposals> {
    proposals(problem, graph, path, Extent::All, watch)
}

/// Which constraints are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of them.
    All,
    /// The best first, until one rejects a step before the violation.
    Best,
}

fn proposals(
    problem: &FlowProblem,
    graph: &TraceFlowGraph,
    path: &Path,
    extent: Extent,
    watch: Watcher,
) -> Option<Proposals> {
    if path.keys.len() > MAX_STEPS {
        return None;
    }
    enter(Phase::Describing);
    let mut tester = Tester::new(problem, graph, path, watch);
    let mut proposals = Proposals::default();
    // A limit of the run ends the tests; what they found so far is reported.
    let ranking = Ranking::new(problem, graph, path);
    let found = &mut proposals.rejecting;
    let is_complete = caught(|| find(&mut tester, &ranking, extent, found).is_some()).unwrap_or(false);
    proposals.is_complete = is_complete;
    proposals.rejecting.sort_by_cached_key(|it| ranking.key(it));
    proposals.rejecting.truncate(MAX_PROPOSALS);
    proposals.witness = Some(Witness::new(graph, path));
    Some(proposals)
}

impl Answer {
    /// Adds the best constraints that reject the counterexample, and maybe others. Then it searches
    /// for further counterexamples with the first proposal, and adds what rejects them.
    pub fn propose_best(&mut self, problem: &FlowProblem, watch: Watcher) {
        if let (Some(found), Some(path)) = (&mut self.counterexample, &self.path) {
            found.proposals = proposals(problem, &self.assembly.graph, path, Extent::Best, watch);
            for it in found.proposals.iter_mut() {
                if let Some(first) = it.rejecting.first().filter(|_| it.is_complete) {
                    // A limit of the run ends this search; what it found so far is used.
                    let _ = caught(|| find_further(problem, first, &mut it.further, watch));
                }
            }
        }
    }

    /// Adds the constraint files and sets that reject the counterexample, given their names and
    /// constraints. Does nothing if [`propose`](Self::propose) has not been called.
    pub fn propose_named<'c>(
        &mut self,
        problem: &FlowProblem,
        candidates: impl Iterator<Item = (&'c str, Vec<Constraint<'c>>)>,
        watch: Watcher,
    ) {
        let (Some(found), Some(path)) = (&mut self.counterexample, &self.path) else { return };
        let Some(proposals) = &mut found.proposals else { return };
        let program = problem.program;
        let mut tester = Tester::new(problem, &self.assembly.graph, path, watch);
        let is_unused =
            |it: &Constraint| problem.constraints.iter().all(|used| used.name(program) != it.name(program));
        let mut test = |(name, mut constraints): (&str, Vec<Constraint>)| {
            constraints.retain(is_unused);
            if !constraints.is_empty()
                && let Some(proposal) = tester.rejection(&constraints)?
            {
                let is_assumption = constraints.iter().any(|it| matches!(it, Constraint::Context { .. }));
                let group = if is_assumption { &mut proposals.assumptions } else { &mut proposals.sets };
                group.push(NamedProposal { name: name.to_string(), proposal });
            }
            Some(())
        };
        let is_complete = caught(|| candidates.map(&mut test).all(|it| it.is_some())).unwrap_or(false);
        proposals.is_complete &= is_complete;
        let ranking = Ranking::new(problem, &self.assembly.graph, path);
        for group in [&mut proposals.sets, &mut proposals.assumptions] {
            group.sort_by_cached_key(|it| ranking.key(&it.proposal));
            // Sets with the same constraints reject alike: the first name is enough.
            group.dedup_by(|later, first| later.proposal.constraints == first.proposal.constraints);
            group.truncate(MAX_PROPOSALS);
        }
    }
}

/// What decides the order of proposals.
struct Ranking {
    /// Number of steps after which every continuation violates the property; that of all steps if
    /// only the end violates it.
    prefix: usize,
    /// Number of nodes of each task that are events of the property.
    n_events: HashMap<String, usize>,
}

impl Ranking {
    fn new(problem: &FlowProblem, graph: &TraceFlowGraph, path: &Path) -> Self {
        let EventAutomaton { events, dfa, .. } = problem.property;
        let labels = events.iter().enumerate();
        let labels =
            labels.flat_map(|(symbol, event)| event.labels.iter().map(move |it| (it.as_str(), symbol)));
        let symbols: HashMap<&str, usize> = labels.collect();
        let symbol = |node: &Node| node.label.as_deref().and_then(|it| symbols.get(it)).copied();
        let mut n_events: HashMap<String, usize> = HashMap::new();
        for node in graph.nodes.iter().filter(|it| symbol(it).is_some()) {
            for task in tasks_of(node.key) {
                *n_events.entry(Constraint::Task(task).name(problem.program)).or_default() += 1;
            }
        }
        let dead = dfa.dead_states();
        let mut state = dfa.start();
        let is_trapped = |id: &NodeId| {
            if let Some(symbol) = symbol(&graph.nodes[id.index()]) {
                state = dfa.next(state, symbol as u32);
            }
            dead.contains(state as usize)
        };
        let prefix = path.nodes.iter().position(is_trapped).map_or(path.nodes.len(), |it| it + 1);
        Self { prefix, n_events }
    }

    /// Returns the sort key: smaller is better.
    fn key(&self, proposal: &Proposal) -> impl Ord + use<> {
        let names: Vec<String> = proposal.constraints.iter().map(|it| it.name.clone()).collect();
        let n_events = names.iter().map(|it| self.n_events(it)).max().unwrap_or(0);
        let (n_states, step) = (proposal.n_states(), proposal.step);
        (names.len(), self.is_late(proposal), Reverse(n_events), n_states, step, names)
    }

    /// Returns whether a proposal with one constraint is better than every other constraint of the
    /// same rank as `other`, and than those after it.
    fn is_best(&self, proposal: &Proposal, other: &Constraint, program: &Program) -> bool {
        let n_events = proposal.constraints.iter().map(|it| self.n_events(&it.name)).max().unwrap_or(0);
        let is_before = match other {
            Constraint::Variable(id) => proposal.n_states() < program.variables[id.index()].domain.size(),
            task => n_events > self.n_events(&task.name(program)),
        };
        !self.is_late(proposal) && (n_events > 0 || is_before)
    }

    /// Returns the number of events of the property in which a task takes part.
    fn n_events(&self, task: &str) -> usize {
        self.n_events.get(task).copied().unwrap_or(0)
    }

    /// Returns whether a proposal rejects only what comes after the violation.
    fn is_late(&self, proposal: &Proposal) -> bool {
        proposal.step > self.prefix
    }
}

/// Returns the tasks that take part in a node.
fn tasks_of(key: NodeKey) -> impl Iterator<Item = TaskId> {
    let (one, other) = match key {
        NodeKey::Local { task, .. } | NodeKey::End(task) => (task, None),
        NodeKey::Rendezvous { caller, acceptor, .. } => (caller.0, Some(acceptor.0)),
    };
    std::iter::once(one).chain(other)
}

/// Appends the constraints that reject the counterexample. `None` if the budget ended.
fn find(tester: &mut Tester, ranking: &Ranking, extent: Extent, found: &mut Vec<Proposal>) -> Option<()> {
    let problem = tester.problem;
    let program = problem.program;
    let is_used = |it: &Constraint<'static>| {
        problem.constraints.iter().any(|used| used.name(program) == it.name(program))
    };
    let tasks = (0..program.tasks.len()).map(|index| Constraint::Task(TaskId::new(index)));
    let mut tasks: Vec<Constraint<'static>> = tasks.filter(|it| !is_used(it)).collect();
    let accesses = accesses(program);
    let variables = accesses.iter().enumerate().filter(|(_, tasks)| !tasks.is_empty());
    let variables = variables.map(|(index, _)| Constraint::Variable(VariableId::new(index)));
    let mut variables: Vec<Constraint<'static>> = variables.filter(|it| !is_used(it)).collect();
    let effort = |it: &Constraint| match it {
        Constraint::Variable(id) => program.variables[id.index()].domain.size(),
        task => usize::MAX - ranking.n_events(&task.name(program)),
    };
    for candidates in [&mut tasks, &mut variables] {
        let mut all = std::mem::take(candidates);
        all.sort_by_cached_key(effort);
        for group in all.chunk_by(|one, other| effort(one) == effort(other)) {
            if extent == Extent::Best && found.iter().any(|it| ranking.is_best(it, &group[0], program)) {
                return Some(());
            }
            for candidate in group {
                match tester.rejection(std::slice::from_ref(candidate))? {
                    Some(rejection) => found.push(rejection),
                    None => candidates.push(candidate.clone()),
                }
            }
        }
    }
    if extent == Extent::Best && !found.is_empty() {
        return Some(());
    }
    for variable in &variables {
        let Constraint::Variable(id) = variable else { continue };
        let is_partner =
            |it: &&Constraint| matches!(it, Constraint::Task(task) if accesses[id.index()].contains(task));
        let partners: Vec<Constraint> = tasks.iter().filter(is_partner).cloned().collect();
        if !partners.is_empty() {
            let proposal = tester.smallest([partners, vec![variable.clone()]].concat())?;
            found.extend(proposal.filter(|it| !found.contains(it)));
        }
    }
    if found.is_empty() {
        found.extend(tester.smallest(tasks.clone())?);
    }
    if found.is_empty() {
        found.extend(tester.smallest([variables, tasks].concat())?);
    }
    Some(())
}

/// Appends the constraints that reject further counterexamples, found with the first proposal and
/// those before it. `None` if there are no more or the budget ended.
fn find_further(
    problem: &FlowProblem,
    first: &Proposal,
    further: &mut Vec<(Proposal, Witness)>,
    watch: Watcher,
) -> Option<()> {
    let program = problem.program;
    let mut larger = problem.clone();
    let mut last = first.clone();
    let (mut bytes_left, mut states_left, mut same) = (MAX_BYTES, MAX_STATES, None);
    while further.len() < MAX_FURTHER {
        let is_last =
            |it: &Constraint<'static>| last.constraints.iter().any(|last| last.name == it.name(program));
        for constraint in all_constraints(program).filter(is_last) {
            larger.constraints.push(constraint);
        }
        let none = Path { nodes: Vec::new(), keys: Vec::new() };
        let builder = Tester::of(&larger, HashSet::new(), &none, watch);
        let mut builder = Tester { bytes_left, states_left, ..builder };
        let graph = match same.take() {
            Some(graph) => graph,
            None => builder.build(&Extension::default())?,
        };
        let path = builder.counterexample(&graph)?;
        (bytes_left, states_left) = (builder.bytes_left, builder.states_left);
        let ranking = Ranking::new(&larger, &graph, &path);
        let witness = Witness::new(&graph, &path);
        let tester = Tester::new(&larger, &graph, &path, watch);
        let graph = Some((Extension::default(), graph));
        let mut tester = Tester { bytes_left, states_left, graph, ..tester };
        let mut found = Vec::new();
        find(&mut tester, &ranking, Extent::Best, &mut found)?;
        (bytes_left, states_left) = (tester.bytes_left, tester.states_left);
        last = found.into_iter().min_by_key(|it| ranking.key(it))?;
        // Tasks add no nodes, so the next graph is the same.
        let adds_nodes = last.constraints.iter().any(|it| it.kind != Kind::Task);
        let graph = tester.graph.filter(|(added, _)| !adds_nodes && *added == Extension::default());
        same = graph.map(|(_, graph)| graph);
        further.push((last.clone(), witness));
    }
    Some(())
}

/// A counterexample on which constraints are tested later.
#[derive(Clone, Debug)]
pub struct Witness(Arc<(HashSet<NodeKey>, Path)>);

impl Witness {
    fn new(graph: &TraceFlowGraph, path: &Path) -> Self {
        Self(Arc::new((graph.nodes.iter().map(|node| node.key).collect(), path.clone())))
    }
}

impl Witness {
    /// Returns whether one more constraint rejects the counterexample of a problem; false if the
    /// budget ended.
    pub fn is_rejected(&self, problem: &FlowProblem, constraint: Constraint, watch: Watcher) -> bool {
        let (known, path) = &*self.0;
        let mut tester = Tester::of(problem, known.clone(), path, watch);
        path.keys.len() <= MAX_STEPS && matches!(tester.rejection(&[constraint]), Some(Some(_)))
    }
}

/// Returns for each trial whether a counterexample passes all constraints of a problem but the named
/// one, and no graph of fewer constraints rejects it. False if the budget ended.
pub fn passes(problem: &FlowProblem, trials: &[(Witness, String)], watch: Watcher) -> Vec<bool> {
    let none = FlowProblem { constraints: Vec::new(), ..problem.clone() };
    let (mut bytes_left, mut states_left, mut graph) = (MAX_BYTES, MAX_STATES, None);
    let mut pass = |(witness, left_out): &(Witness, String)| {
        let (known, path) = &*witness.0;
        let tester = Tester::of(&none, known.clone(), path, watch);
        let mut tester = Tester { bytes_left, states_left, graph: graph.take(), ..tester };
        let is_kept = |it: &&Constraint| it.name(problem.program) != *left_out;
        let kept: Vec<Constraint> = problem.constraints.iter().filter(is_kept).cloned().collect();
        let passing = match path.keys.len() <= MAX_STEPS {
            true => tester.walk(&kept),
            false => None,
        };
        (bytes_left, states_left, graph) = (tester.bytes_left, tester.states_left, tester.graph);
        let fewer = FlowProblem { constraints: kept, ..problem.clone() };
        matches!(passing, Some(Walk::Passes(path)) if is_final(&fewer, &path, watch))
    };
    trials.iter().map(|it| caught(|| pass(it)).unwrap_or(false)).collect()
}

/// Returns the constraints of all tasks and variables.
fn all_constraints(program: &Program) -> impl Iterator<Item = Constraint<'static>> + use<> {
    let tasks = (0..program.tasks.len()).map(|index| Constraint::Task(TaskId::new(index)));
    tasks.chain((0..program.variables.len()).map(|index| Constraint::Variable(VariableId::new(index))))
}

/// Returns the tasks that access each variable.
fn accesses(program: &Program) -> Vec<BTreeSet<TaskId>> {
    let mut all = vec![BTreeSet::new(); program.variables.len()];
    for (index, task) in program.tasks.iter().enumerate() {
        for edge in &task.edges {
            if let Action::Test { variable, .. }
            | Action::Assign { variable, .. }
            | Action::Shift { variable, .. } = &edge.action
            {
                all[variable.index()].insert(TaskId::new(index));
            }
        }
    }
    all
}

/// What becomes of a counterexample under additional constraints.
enum Walk {
    /// This path has its nodes in their order, and others between them.
    Passes(Path),
    /// There is no such path.
    Rejected(Proposal),
}

/// Tests constraints on one counterexample, within a budget that does not depend on the machine.
struct Tester<'q, 'a, 'w> {
    problem: &'q FlowProblem<'a>,
    /// The nodes of the graph of the counterexample.
    known: HashSet<NodeKey>,
    path: &'q [NodeKey],
    watch: Watcher<'w>,
    bytes_left: u64,
    states_left: u64,
    /// The last graph, with what was added to it.
    graph: Option<(Extension, Rc<TraceFlowGraph>)>,
}

/// Variables and labels that constraints add to a graph.
type Extension = (BTreeSet<VariableId>, BTreeSet<String>);

impl<'q, 'a, 'w> Tester<'q, 'a, 'w> {
    fn new(problem: &'q FlowProblem<'a>, graph: &TraceFlowGraph, path: &'q Path, watch: Watcher<'w>) -> Self {
        Self::of(problem, graph.nodes.iter().map(|node| node.key).collect(), path, watch)
    }

    fn of(problem: &'q FlowProblem<'a>, known: HashSet<NodeKey>, path: &'q Path, watch: Watcher<'w>) -> Self {
        Self {
            problem,
            known,
            path: &path.keys,
            watch,
            bytes_left: MAX_BYTES,
            states_left: MAX_STATES,
            graph: None,
        }
    }

    /// Returns how the additional constraints reject the counterexample, if they do. `None` if the
    /// budget ended.
    fn rejection(&mut self, added: &[Constraint]) -> Option<Option<Proposal>> {
        Some(match self.walk(added)? {
            Walk::Passes(_) => None,
            Walk::Rejected(proposal) => Some(proposal),
        })
    }

    /// Follows the counterexample under additional constraints. `None` if the budget ended.
    fn walk(&mut self, added: &[Constraint]) -> Option<Walk> {
        checkpoint();
        let mut extension = Extension::default();
        for Relevance { labels, variables } in added.iter().map(Constraint::relevance) {
            extension.0.extend(variables);
            extension.1.extend(labels);
        }
        let cached = self.graph.take().filter(|(known, _)| *known == extension);
        let (extension, graph) = match cached {
            Some(cached) => cached,
            None => {
                let graph = self.build(&extension)?;
                (extension, graph)
            }
        };
        let program = self.problem.program;
        let mut components = vec![Component::property(&graph, self.problem.property)];
        components.extend(self.problem.constraints.iter().map(|it| component(&graph, program, it)));
        let first_added = components.len();
        components.extend(added.iter().map(|it| component(&graph, program, it)));
        components.push(Component::along(&graph, &self.known, self.path));
        let mut product = Product::new(&graph, &components);
        let limits = Limits { max_states: Some(self.states_left), ..Limits::default() };
        let no_heuristic = |_: &str| -> Box<dyn crate::system::Heuristic> { unreachable!("bfs has none") };
        let run = explore(&mut product, &Strategy::bfs(), no_heuristic, limits, self.watch);
        self.states_left = self.states_left.saturating_sub(run.counters.stored);
        let found = match run.end {
            End::Found(goal) => Some(path_to(&graph, &product, &run, goal)),
            _ => None,
        };
        self.graph = Some((extension, graph));
        match run.end {
            End::Found(_) => found.map(Walk::Passes),
            End::Stopped(_) | End::Aborted(_) => None,
            End::Exhausted => {
                let states = (0..run.space.n_states()).map(crate::search::StateId::new);
                let reached = |id| product.tuple(run.space.state(id)).last().copied().unwrap_or(0);
                let step = states.map(reached).max().unwrap_or(0) as usize + 1;
                let constraint = |(it, built): (&Constraint, &Component)| report::Constraint {
                    name: it.name(program),
                    kind: kind_of(it),
                    n_states: built.n_states(),
                };
                let constraints = added.iter().zip(&components[first_added..]).map(constraint).collect();
                Some(Walk::Rejected(Proposal { constraints, step }))
            }
        }
    }

    /// Returns a shortest counterexample of the problem in a graph; `None` if there is none or the
    /// budget ended.
    fn counterexample(&mut self, graph: &TraceFlowGraph) -> Option<Path> {
        let program = self.problem.program;
        let mut components = vec![Component::property(graph, self.problem.property)];
        components.extend(self.problem.constraints.iter().map(|it| component(graph, program, it)));
        let mut product = Product::new(graph, &components);
        let limits = Limits { max_states: Some(self.states_left.min(FURTHER_STATES)), ..Limits::default() };
        let no_heuristic = |_: &str| -> Box<dyn crate::system::Heuristic> { unreachable!("bfs has none") };
        let run = explore(&mut product, &Strategy::bfs(), no_heuristic, limits, self.watch);
        self.states_left = self.states_left.saturating_sub(run.counters.stored);
        let End::Found(goal) = run.end else { return None };
        Some(path_to(graph, &product, &run, goal))
    }

    /// Returns the part of `all` that is left when constraints are dropped one by one, from the first
    /// on, as long as the others reject the counterexample.
    fn smallest(&mut self, all: Vec<Constraint<'static>>) -> Option<Option<Proposal>> {
        let Some(mut best) = self.rejection(&all)? else { return Some(None) };
        let mut kept = all;
        let mut index = 0;
        while index < kept.len() && kept.len() > 1 {
            let dropped = kept.remove(index);
            match self.rejection(&kept)? {
                // With a variable its nodes are gone, so an earlier constraint may be dropped now.
                Some(smaller) => (best, index) = (smaller, 0),
                None => {
                    kept.insert(index, dropped);
                    index += 1;
                }
            }
        }
        Some(Some(best))
    }

    /// Builds the graph for the constraints in use and more variables and labels. No node is left
    /// out, so that every path of the graph of the counterexample is one of its paths.
    fn build(&mut self, (variables, labels): &Extension) -> Option<Rc<TraceFlowGraph>> {
        let problem = self.problem;
        let mut relevance = relevance_of(problem.property);
        for constraint in &problem.constraints {
            relevance = relevance.union(&constraint.relevance());
        }
        relevance.variables.extend(variables);
        relevance.labels.extend(labels.iter().cloned());
        let form = Form { prune: false, eliminate: false, ..problem.form };
        let (left, mut bytes_used) = (self.bytes_left, 0);
        let stop = &mut |bytes| {
            checkpoint();
            bytes_used = bytes;
            bytes > left
        };
        let graph = problem.graphs.graph(problem.program, &relevance, form, problem.executions, stop)?;
        self.bytes_left -= bytes_used;
        Some(graph)
    }
}
