//! Answers a problem of the flow engine.

use super::adjacency;
use super::attempt::attempt;
use super::problem::{Adjacency, Constraint, FlowProblem, relevance_of};
use super::proposals;
use super::replay::Path;
use crate::base::cancel::caught;
use crate::flow::graph::InUse;
use crate::flow::{Component, Form, Node, NodeKey, TraceFlowGraph};
use crate::lang::task::program::Program;
use crate::search::{Counters, Stop, Strategy, Watcher};
use crate::verify::engine::strategy_of;
use crate::verify::question::SearchOptions;
use crate::verify::report::{Counterexample, GraphSize, Kind, SearchCost, Verdict};

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
    /// Whether a shorter counterexample may exist although the strategy
    /// guarantees a shortest one, because adjacency made that too expensive.
    pub is_scouted: bool,
    /// Whether the path is not an execution, since it is not a path of a graph of
    /// fewer constraints. The search for another one ended because the problem
    /// was decided by other means.
    pub is_spurious: bool,
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
    solve_unless(problem, options, &mut |_, _| false, watch)
}

/// Asked after each turn of expensive searches whether the problem is decided by
/// other means, with the number of node-tuples that were generated.
pub type IsDecided<'d> = &'d mut dyn FnMut(u64, Watcher) -> bool;

/// Answers a problem like [`solve`], unless it is decided by other means.
///
/// # Panics
///
/// As [`solve`].
pub fn solve_unless(
    problem: &FlowProblem,
    options: &SearchOptions,
    is_decided: IsDecided,
    watch: Watcher,
) -> Answer {
    let first = || attempt(problem, options, SearchCost::default(), is_decided, watch);
    let mut answer = match caught(first) {
        Ok(answer) => answer,
        Err(stop) => return Answer::stopped(problem, options, stop, SearchCost::default()),
    };
    if let Some(path) = answer.path.clone().filter(|_| !answer.is_spurious)
        && let Ok(Some(proof)) =
            caught(|| prove_with_fewer(problem, options, path, &mut answer.cost, is_decided, watch))
    {
        return proof;
    }
    answer
}

/// Factor by which searches with fewer constraints may be more expensive than
/// the one with all of them before it is asked whether they are needed.
const MUCH: u64 = 4;

/// Returns a proof with fewer constraints of a problem with a counterexample,
/// if there is one. Only a proof matters here, so the strategy is the one that
/// finds counterexamples soonest.
fn prove_with_fewer(
    problem: &FlowProblem,
    options: &SearchOptions,
    path: Path,
    cost: &mut SearchCost,
    is_decided: IsDecided,
    watch: Watcher,
) -> Option<Answer> {
    let strategy = strategy_of("auto").expect("the default is a strategy");
    let options = SearchOptions { strategy, ..options.clone() };
    let mut smaller = adjacency::SmallerProblems::new(problem, path);
    let first = cost.counters.generated;
    while let Some(fewer) = smaller.next() {
        let spent = cost.counters.generated;
        if spent / MUCH > first && is_decided(spent, watch) {
            return None;
        }
        let answer = attempt(&fewer, &options, cost.clone(), is_decided, watch);
        if matches!(answer.verdict, Verdict::Holds | Verdict::HoldsVacuously) {
            return Some(answer);
        }
        *cost = answer.cost;
        if answer.is_spurious {
            return None;
        }
        smaller.violated(answer.path);
    }
    None
}

/// Maximum memory for graphs and automata without another limit.
const MAX_BYTES: u64 = 8 << 30;

/// The limits while graphs and automata are built, and the limit that was
/// reached.
pub(super) struct BuildBudget<'w> {
    max_bytes: Option<u64>,
    pub watch: Watcher<'w>,
    stop: Option<Stop>,
}

impl<'w> BuildBudget<'w> {
    pub fn new(options: &SearchOptions, watch: Watcher<'w>) -> Self {
        Self { max_bytes: options.limits.max_bytes, watch, stop: None }
    }

    /// Returns the maximum number of bytes.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(MAX_BYTES)
    }

    /// Returns whether a limit is reached if `bytes` are allocated.
    pub fn is_over(&mut self, bytes: u64) -> bool {
        if bytes > self.max_bytes() {
            self.stop = Some(Stop::Memory);
        } else if self.stop.is_none() {
            self.stop = (self.watch)(&Counters { bytes, ..Counters::default() });
        }
        self.stop.is_some()
    }

    pub fn gave_up(&self, problem: &FlowProblem, options: &SearchOptions, cost: SearchCost) -> Answer {
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
        let (is_scouted, is_spurious) = (false, false);
        Self {
            verdict,
            strategy,
            has_trap: true,
            cut_short,
            is_scouted,
            is_spurious,
            assembly,
            cost,
            path,
            counterexample,
        }
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
    pub(super) fn new(
        problem: &FlowProblem,
        family: &adjacency::Family,
        budget: &mut BuildBudget,
    ) -> Option<Self> {
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
        let stop = &mut |bytes| budget.is_over(bytes);
        let graph = problem.graphs.graph_for(program, &in_use, form, problem.executions, stop)?;
        if budget.is_over(bytes_of_automata(&problem.constraints, &graph)) {
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
pub(super) fn bytes_of_automata(constraints: &[Constraint], graph: &TraceFlowGraph) -> u64 {
    let of_task = |constraint: &Constraint| match constraint {
        Constraint::Task(task) => {
            let n_stations = graph.stations.iter().filter(|station| station.task == *task).count() as u64;
            let mine = |node: &&Node| node.sides.iter().any(|side| side.task == *task);
            n_stations.saturating_mul(graph.nodes.iter().filter(mine).count() as u64 * 4)
        }
        _ => 0,
    };
    constraints.iter().map(of_task).fold(0, u64::saturating_add)
}
