//! Answers a problem of the flow engine.

use super::adjacency;
use super::counterexample;
use super::problem::{Adjacency, Constraint, FlowProblem, relevance_of};
use super::proposals;
use super::replay::{self, Path};
use crate::base::cancel::{caught, enter};
use crate::base::control::Phase;
use crate::flow::graph::InUse;
use crate::flow::heuristics;
use crate::flow::{Component, Form, Node, NodeId, NodeKey, Product, TraceFlowGraph};
use crate::lang::task::program::Program;
use crate::search::strategy::Rule;
use crate::search::{Counters, Cut, End, Limits, SearchRun, StageCost, Stop, Strategy, Watcher, explore};
use crate::verify::question::SearchOptions;
use crate::verify::report::{Counterexample, GraphSize, Kind, SearchCost, Verdict};
use std::collections::HashMap;

/// The result of a problem.
#[derive(Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The resolved strategy.
    pub strategy: Strategy,
    /// Whether the property can reach its trap.
    pub has_trap: bool,
    /// The limit that ended the search after a counterexample was found and
    /// before a shorter one was excluded.
    pub cut_short: Option<Stop>,
    /// The graph and the automata of the last search.
    pub assembly: Assembly,
    /// Cost of all searches.
    pub cost: SearchCost,
    /// The violating path, if there is one.
    pub path: Option<Path>,
    /// The described path.
    pub counterexample: Option<Counterexample>,
}

/// A trace flow graph with the automata that run beside it.
#[derive(Debug)]
pub struct Assembly {
    /// The graph.
    pub graph: TraceFlowGraph,
    /// The property, then the constraints in the order of the problem,
    /// then adjacency constraints.
    pub components: Vec<Component>,
    /// The form in which the graph was built.
    pub form: Form,
}

/// Answers a problem. `watch` regularly receives the counters and can stop the
/// work.
///
/// A proof with fewer constraints is a proof: if a counterexample is not a path
/// of a smaller graph, the problem with fewer constraints is searched too.
///
/// # Panics
///
/// If a counterexample does not replay, which would be a defect of this crate:
/// no answer is better than a wrong one.
pub fn solve(problem: &FlowProblem, options: &SearchOptions, watch: Watcher) -> Answer {
    let mut answer = match caught(|| attempt(problem, options, SearchCost::default(), watch)) {
        Ok(answer) => answer,
        Err(stop) => return Answer::stopped(problem, options, stop, SearchCost::default()),
    };
    let Some(path) = answer.path.clone() else { return answer };
    for fewer in caught(|| adjacency::smaller_problems(problem, &path)).unwrap_or_default() {
        let Ok(smaller) = caught(|| attempt(&fewer, options, answer.cost.clone(), watch)) else { break };
        if matches!(smaller.verdict, Verdict::Holds | Verdict::HoldsVacuously) {
            return smaller;
        }
        answer.cost = smaller.cost;
    }
    answer
}

/// Searches, and adds adjacency constraints that reject a counterexample, until
/// the verdict is final. The cost is added to `spent`.
fn attempt(problem: &FlowProblem, options: &SearchOptions, spent: SearchCost, watch: Watcher) -> Answer {
    let mut cost = spent;
    let mut budget = BuildBudget { max_bytes: options.limits.max_bytes, watch, stop: None };
    let mut family = adjacency::Family::new(problem);
    if problem.adjacency == Adjacency::Always && !family.require_all(&mut budget) {
        return budget.gave_up(problem, options, cost);
    }
    loop {
        enter(Phase::Building);
        let Some(assembly) = Assembly::new(problem, &family, &mut budget) else {
            return budget.gave_up(problem, options, cost);
        };
        let mut product = Product::new(&assembly.graph, &assembly.components);
        let has_trap = product.can_be_trapped(&assembly.components[0]);
        let strategy = problem.resolve(&options.strategy, has_trap);
        let mut search = |product: &mut Product, strategy: &Strategy, watch: Watcher| {
            let max_states = options.limits.max_states.map(|most| most.saturating_sub(cost.counters.stored));
            let limits = Limits { max_states, ..options.limits };
            let names = strategy.rules().filter_map(Rule::heuristic);
            let mut guides: HashMap<&str, _> =
                names.map(|name| (name, heuristics::build(name, product, &assembly.components))).collect();
            let build = |name: &str| guides.remove(name).expect("every heuristic was built");
            let run = explore(product, strategy, build, limits, watch);
            add(&mut cost, &run);
            run
        };
        let run = search(&mut product, &strategy, budget.watch);
        let verdict = match run.end {
            End::Stopped(stop) => Verdict::Undecided(stop),
            End::Aborted(abort) => Verdict::Undecided(Cut::Aborted(abort).stop()),
            End::Exhausted if product.witnessed => Verdict::Holds,
            End::Exhausted if run.counters.dropped == 0 => Verdict::HoldsVacuously,
            // States that cannot violate the property were dropped; maybe all.
            End::Exhausted => {
                product.look_for_witness();
                match search(&mut product, &Strategy::bfs(), budget.watch).end {
                    End::Found(_) => Verdict::Holds,
                    End::Exhausted => Verdict::HoldsVacuously,
                    End::Stopped(stop) => Verdict::Undecided(stop),
                    End::Aborted(abort) => Verdict::Undecided(Cut::Aborted(abort).stop()),
                }
            }
            End::Found(goal) => {
                let path = path_to(&assembly.graph, &product, &run, goal);
                if problem.adjacency == Adjacency::Auto {
                    match family.require_rejecting(&path, &mut budget) {
                        None => return budget.gave_up(problem, options, cost),
                        Some(true) => continue,
                        Some(false) => {}
                    }
                }
                enter(Phase::Describing);
                let tuples = replay::check(&assembly, &path).expect("a counterexample replays");
                let counterexample = Some(counterexample::describe(problem, &assembly, &path, &tuples));
                let verdict = Verdict::Violated;
                let (path, cut_short) = (Some(path), run.cut_short.map(Cut::stop));
                return Answer {
                    verdict,
                    strategy,
                    has_trap,
                    cut_short,
                    assembly,
                    cost,
                    path,
                    counterexample,
                };
            }
        };
        let (cut_short, path, counterexample) = (None, None, None);
        return Answer { verdict, strategy, has_trap, cut_short, assembly, cost, path, counterexample };
    }
}

/// Maximum memory for graphs and automata without another limit.
const MAX_BYTES: u64 = 8 << 30;

/// The limits while graphs and automata are built, and the limit that was
/// reached.
pub(super) struct BuildBudget<'w> {
    max_bytes: Option<u64>,
    watch: Watcher<'w>,
    stop: Option<Stop>,
}

impl BuildBudget<'_> {
    /// Returns whether a limit is reached if `bytes` are allocated.
    pub fn is_over(&mut self, bytes: u64) -> bool {
        if bytes > self.max_bytes.unwrap_or(MAX_BYTES) {
            self.stop = Some(Stop::Memory);
        } else if self.stop.is_none() {
            self.stop = (self.watch)(&Counters { bytes, ..Counters::default() });
        }
        self.stop.is_some()
    }

    fn gave_up(&self, problem: &FlowProblem, options: &SearchOptions, cost: SearchCost) -> Answer {
        Answer::stopped(problem, options, self.stop.expect("a limit was reached"), cost)
    }
}

impl Answer {
    /// Adds the constraints that reject the counterexample.
    pub fn propose(&mut self, problem: &FlowProblem, watch: Watcher) {
        if let (Some(found), Some(path)) = (&mut self.counterexample, &self.path) {
            found.proposals = proposals::propose(problem, &self.assembly.graph, path, watch);
        }
    }

    /// Returns the answer of a search that could not begin.
    fn stopped(problem: &FlowProblem, options: &SearchOptions, stop: Stop, cost: SearchCost) -> Self {
        let assembly = Assembly {
            graph: TraceFlowGraph::new(
                &Program::default(),
                &InUse::default(),
                problem.form,
                problem.executions,
            ),
            components: Vec::new(),
            form: problem.form,
        };
        let verdict = Verdict::Undecided(stop);
        let strategy = problem.resolve(&options.strategy, true);
        let (cut_short, path, counterexample) = (None, None, None);
        Self { verdict, strategy, has_trap: true, cut_short, assembly, cost, path, counterexample }
    }
}

impl Assembly {
    /// Builds graph and automata of a problem, without adjacency constraints.
    pub fn of(problem: &FlowProblem) -> Self {
        let problem = FlowProblem { adjacency: Adjacency::Never, ..problem.clone() };
        let mut budget = BuildBudget { max_bytes: Some(u64::MAX), watch: &mut |_| None, stop: None };
        let assembly = Self::new(&problem, &adjacency::Family::new(&problem), &mut budget);
        assembly.expect("there is no limit")
    }

    /// Builds graph and automata of a problem; `None` if a limit was reached.
    fn new(problem: &FlowProblem, family: &adjacency::Family, budget: &mut BuildBudget) -> Option<Self> {
        let program = problem.program;
        let mut in_use = InUse { relevance: relevance_of(problem.property), tasks: Vec::new() };
        for constraint in &problem.constraints {
            in_use.relevance = in_use.relevance.union(&constraint.relevance());
            if let Constraint::Task(task) = constraint {
                in_use.tasks.push(*task);
            }
        }
        // An adjacency constraint observes every node of its graph, so no node
        // can be eliminated.
        let form = Form { eliminate: problem.form.eliminate && family.is_empty(), ..problem.form };
        let graph =
            TraceFlowGraph::build(program, &in_use, form, problem.executions, &mut |b| budget.is_over(b))?;
        if budget.is_over(bytes_of_automata(problem, &graph)) {
            return None;
        }
        let mut components = vec![Component::property(&graph, problem.property)];
        for constraint in &problem.constraints {
            components.push(component(&graph, program, constraint));
        }
        components.extend(family.required().map(|(name, old)| Component::adjacency(&graph, old, name)));
        if form.drop_dead {
            components[1..].iter_mut().for_each(Component::drop_dead);
        }
        Some(Self { graph, components, form })
    }

    /// Returns the size of the graph for reports.
    pub fn graph_size(&self) -> GraphSize {
        let is_rendezvous = |key: &NodeKey| matches!(key, NodeKey::Rendezvous { .. });
        GraphSize {
            nodes: self.graph.nodes.len(),
            communication_nodes: self.graph.nodes.iter().filter(|node| is_rendezvous(&node.key)).count(),
            control_edges: self.graph.control.count(),
            mip_edges: self.graph.mip.count(),
        }
    }
}

/// Returns the automaton of a constraint.
pub(super) fn component(graph: &TraceFlowGraph, program: &Program, constraint: &Constraint) -> Component {
    match constraint {
        Constraint::Task(task) => Component::task(graph, program, *task),
        Constraint::Variable(variable) => Component::variable(graph, program, *variable),
        Constraint::Context { name, automaton } => Component::context(graph, name.clone(), automaton),
    }
}

/// Returns the kind of a constraint.
pub(super) fn kind_of(constraint: &Constraint) -> Kind {
    match constraint {
        Constraint::Task(_) => Kind::Task,
        Constraint::Variable(_) => Kind::Variable,
        Constraint::Context { .. } => Kind::Context,
    }
}

/// Returns the bytes of the tables of the task automata: states times nodes.
fn bytes_of_automata(problem: &FlowProblem, graph: &TraceFlowGraph) -> u64 {
    let of_task = |constraint: &Constraint| match constraint {
        Constraint::Task(task) => {
            let n_stations = graph.stations.iter().filter(|station| station.task == *task).count() as u64;
            let mine = |node: &&Node| node.sides.iter().any(|side| side.task == *task);
            n_stations.saturating_mul(graph.nodes.iter().filter(mine).count() as u64 * 4)
        }
        _ => 0,
    };
    problem.constraints.iter().map(of_task).fold(0, u64::saturating_add)
}

fn path_to(graph: &TraceFlowGraph, product: &Product, run: &SearchRun, goal: crate::search::StateId) -> Path {
    let ids = run.space.path(goal);
    let nodes: Vec<NodeId> =
        ids.iter().filter_map(|&id| product.node(run.space.state(id))).map(NodeId::new).collect();
    let keys = nodes.iter().map(|node| graph.nodes[node.index()].key).collect();
    Path { nodes, keys }
}

fn add(cost: &mut SearchCost, run: &SearchRun) {
    add_counters(&mut cost.counters, &run.counters);
    cost.elapsed += run.elapsed;
    cost.stages.resize(cost.stages.len().max(run.stages.len()), StageCost::default());
    for (sum, stage) in cost.stages.iter_mut().zip(&run.stages) {
        add_counters(&mut sum.counters, &stage.counters);
        sum.elapsed += stage.elapsed;
    }
}

fn add_counters(sum: &mut Counters, more: &Counters) {
    sum.generated += more.generated;
    sum.stored += more.stored;
    sum.expanded += more.expanded;
    sum.reopened += more.reopened;
    sum.dropped += more.dropped;
    sum.depth = sum.depth.max(more.depth);
    sum.peak_frontier = sum.peak_frontier.max(more.peak_frontier);
    sum.bytes = sum.bytes.max(more.bytes);
}
