//! From a question to an answer.

use super::adjacency;
use super::counterexample;
use super::question::{Adjacency, Constraint, Question, relevance_of};
use super::replay::{self, Path};
use super::report::{Counterexample, GraphSize, SearchCost, Verdict};
use crate::flow::graph::InUse;
use crate::flow::{Component, Form, NodeId, NodeKey, Product, TraceFlowGraph};
use crate::search::{Counters, End, Run, Stop, explore};

/// What was found.
#[derive(Debug)]
pub struct Answer {
    /// The verdict, with an early stop as the search names it.
    pub verdict: Result<Verdict, Stop>,
    /// The graph and the automata it rests on.
    pub assembly: Assembly,
    /// Of all searches together.
    pub cost: SearchCost,
    /// The violating path, when there is one.
    pub path: Option<Path>,
    /// The same for people.
    pub counterexample: Option<Counterexample>,
}

/// A trace flow graph with the automata that run beside it.
#[derive(Debug)]
pub struct Assembly {
    /// The graph.
    pub graph: TraceFlowGraph,
    /// The property, then the constraints in the order of the question,
    /// then adjacency constraints.
    pub components: Vec<Component>,
    /// The form in which the graph was really built.
    pub form: Form,
}

/// Answers a question. `watch` is shown the counters now and then and ends
/// the search by answering `true`.
///
/// # Panics
///
/// If a counterexample does not replay, which would be a defect of this
/// crate; better no answer than a wrong one.
pub fn check(question: &Question, watch: &mut dyn FnMut(&Counters) -> bool) -> Answer {
    let mut family = adjacency::Family::new(question);
    if question.adjacency == Adjacency::Always {
        family.require_all();
    }
    let mut cost = SearchCost::default();
    loop {
        let assembly = Assembly::new(question, &family);
        let mut product = Product::new(&assembly.graph, &assembly.components);
        let run = explore(&mut product, question.strategy.order(), question.limits, watch);
        add(&mut cost, &run);
        let verdict = match run.end {
            End::Stopped(stop) => Err(stop),
            End::Exhausted if !product.witnessed => Ok(Verdict::HoldsVacuously),
            End::Exhausted => Ok(Verdict::Holds),
            End::Found(goal) => {
                let path = path_to(&assembly.graph, &product, &run, goal);
                if question.adjacency == Adjacency::Auto && family.require_rejecting(&path) {
                    continue;
                }
                replay::check(&assembly, &path).expect("a counterexample replays");
                let counterexample = Some(counterexample::describe(question, &assembly, &path));
                return Answer {
                    verdict: Ok(Verdict::Violated),
                    assembly,
                    cost,
                    path: Some(path),
                    counterexample,
                };
            }
        };
        return Answer { verdict, assembly, cost, path: None, counterexample: None };
    }
}

impl Assembly {
    /// The graph and automata of a question, without adjacency constraints.
    pub fn of(question: &Question) -> Self {
        let question = Question { adjacency: Adjacency::Never, ..question.clone() };
        Self::new(&question, &adjacency::Family::new(&question))
    }

    /// Builds graph and automata for a question.
    pub(super) fn new(question: &Question, family: &adjacency::Family) -> Self {
        let program = question.program;
        let mut in_use = InUse { relevance: relevance_of(question.property), tasks: Vec::new() };
        for constraint in &question.constraints {
            in_use.relevance = in_use.relevance.union(&constraint.relevance());
            if let Constraint::Task(task) = constraint {
                in_use.tasks.push(*task);
            }
        }
        // An adjacency constraint looks at every node of its graph, so none
        // of them may be eliminated.
        let form = Form { eliminate: question.form.eliminate && family.is_empty(), ..question.form };
        let graph = TraceFlowGraph::new(program, &in_use, form, question.executions);
        let mut components = vec![Component::property(&graph, question.property)];
        for constraint in &question.constraints {
            components.push(match constraint {
                Constraint::Task(task) => Component::task(&graph, program, *task),
                Constraint::Variable(variable) => Component::variable(&graph, program, *variable),
                Constraint::Context { name, automaton } => {
                    Component::context(&graph, name.clone(), automaton)
                }
            });
        }
        components.extend(family.required().map(|(name, old)| Component::adjacency(&graph, old, name)));
        if form.drop_dead {
            components[1..].iter_mut().for_each(Component::drop_dead);
        }
        Self { graph, components, form }
    }

    /// The size of the graph, as a report shows it.
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

fn path_to(graph: &TraceFlowGraph, product: &Product, run: &Run, goal: crate::search::StateId) -> Path {
    let ids = run.space.path(goal);
    let nodes: Vec<NodeId> =
        ids.iter().filter_map(|&id| product.node(run.space.state(id))).map(NodeId::new).collect();
    let keys = nodes.iter().map(|node| graph.nodes[node.index()].key).collect();
    Path { nodes, keys }
}

fn add(cost: &mut SearchCost, run: &Run) {
    let Counters { generated, stored, expanded, peak_frontier, depth, bytes, .. } = run.counters;
    cost.generated += generated;
    cost.stored += stored;
    cost.expanded += expanded;
    cost.depth = cost.depth.max(depth);
    cost.peak_frontier = cost.peak_frontier.max(peak_frontier);
    cost.bytes = cost.bytes.max(bytes);
    cost.elapsed += run.elapsed;
}
