//! Graphs of fewer constraints as additional constraints, so that a proof with
//! some constraints is still found with more.
//!
//! Only constraints that add nodes to the graph matter: variables and contexts.
//! If the graph of every subset of them is an adjacency constraint, every path
//! under more constraints is also a path under fewer. Most subsets never
//! matter, so a subset is required only once a counterexample is not a path of
//! its graph; `attempt` decides when such a search is worth its price.

use super::problem::{Adjacency, Constraint, FlowProblem, relevance_of};
use super::replay::Path;
use super::solve::BuildBudget;
use crate::base::cancel::checkpoint;
use crate::flow::adjacency::AdjacencyMemory;
use crate::flow::graph::InUse;
use crate::flow::{Form, Node, NodeKey, Relevance, TraceFlowGraph};
use crate::search::Watcher;
use crate::verify::question::SearchOptions;
use std::collections::HashMap;
use std::rc::Rc;

/// Maximum number of constraints with nodes of their own for which all subsets
/// are considered; with more, those with none, one, all but one, and each
/// prefix of the list.
const MAX_EXHAUSTIVE: usize = 6;

/// The smaller graphs of a problem.
pub struct Family<'a> {
    problem: &'a FlowProblem<'a>,
    members: Vec<Member>,
}

struct Member {
    name: String,
    relevance: Relevance,
    /// Built when first needed.
    graph: Option<Rc<TraceFlowGraph>>,
    required: bool,
}

impl<'a> Family<'a> {
    /// Returns all smaller graphs; none of them is required yet.
    pub fn new(problem: &'a FlowProblem<'a>) -> Self {
        let bringing: Vec<(String, Relevance)> = bringing(problem)
            .map(|constraint| (constraint.name(problem.program), constraint.relevance()))
            .collect();
        let subsets = match problem.adjacency {
            Adjacency::Never => Vec::new(),
            _ => subsets(bringing.len()),
        };
        let members = subsets.iter().map(|subset| Member::new(problem, &bringing, subset)).collect();
        Self { problem, members }
    }

    /// Returns whether there are no smaller graphs.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Makes every member a constraint; `None` if a limit was reached.
    pub fn require_all(&mut self, budget: &mut BuildBudget) -> Option<()> {
        self.members.iter_mut().try_for_each(|member| {
            member.required = true;
            member.build(self.problem, budget).map(|_| ())
        })
    }

    /// Makes the first member that rejects `path` a constraint and returns
    /// whether there is one; `None` if a limit was reached.
    pub fn require_rejecting(&mut self, path: &Path, budget: &mut BuildBudget) -> Option<bool> {
        for member in self.members.iter_mut().filter(|member| !member.required) {
            if !has_path(member.build(self.problem, budget)?, &path.keys) {
                member.required = true;
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns what all members forbid on paths of `graph`; `None` if a limit
    /// was reached.
    pub fn memory(&mut self, graph: &TraceFlowGraph, budget: &mut BuildBudget) -> Option<AdjacencyMemory> {
        let n_nodes = graph.nodes.len() as u64;
        if budget.is_over(self.members.len() as u64 * n_nodes * n_nodes / 8) {
            return None;
        }
        for member in &mut self.members {
            member.build(self.problem, budget)?;
        }
        let graphs: Vec<&TraceFlowGraph> = self.members.iter().filter_map(|it| it.graph.as_deref()).collect();
        Some(AdjacencyMemory::new(graph, &graphs))
    }

    /// Returns the graphs that are constraints now.
    pub fn required(&self) -> impl Iterator<Item = (String, &TraceFlowGraph)> {
        let required = self.members.iter().filter(|member| member.required);
        required.filter_map(|member| Some((member.name.clone(), member.graph.as_deref()?)))
    }
}

impl Member {
    fn new(problem: &FlowProblem, bringing: &[(String, Relevance)], subset: &[usize]) -> Self {
        let brought = subset.iter().map(|&index| bringing[index].0.as_str());
        let names: Vec<&str> = ["property"].into_iter().chain(brought).collect();
        let property = relevance_of(problem.property);
        let relevance = subset.iter().fold(property, |sum, &index| sum.union(&bringing[index].1));
        let name = format!("adjacency({})", names.join(", "));
        Self { name, relevance, graph: None, required: false }
    }

    fn build(&mut self, problem: &FlowProblem, budget: &mut BuildBudget) -> Option<&TraceFlowGraph> {
        if self.graph.is_none() {
            let form = Form { prune: false, eliminate: false, ..problem.form };
            let stop = &mut |bytes| budget.is_over(bytes);
            let FlowProblem { program, executions, graphs, .. } = problem;
            self.graph = Some(graphs.graph(program, &self.relevance, form, *executions, stop)?);
        }
        self.graph.as_deref()
    }
}

/// Returns whether a counterexample stands against all graphs of fewer constraints,
/// so that the problem is violated. False if a limit was reached.
pub fn is_final(problem: &FlowProblem, path: &Path, watch: Watcher) -> bool {
    let mut budget = BuildBudget::new(&SearchOptions::default(), watch);
    let is_path = |problem: &FlowProblem| !problem.form.prune || has_reordered_path(problem, path);
    Family::new(problem).require_rejecting(path, &mut budget) == Some(false)
        && is_path(problem)
        && SmallerProblems::new(problem, path.clone()).next().is_none()
}

/// Returns the constraints that add nodes to the graph.
fn bringing<'q, 'a>(problem: &'q FlowProblem<'a>) -> impl Iterator<Item = &'q Constraint<'a>> {
    problem.constraints.iter().filter(|constraint| !matches!(constraint, Constraint::Task(_)))
}

/// The problems with fewer constraints that pruning may prove although there is
/// a counterexample with all of them.
///
/// Pruned graphs cannot be automata beside a larger graph, so these problems are
/// searched one by one, those with most constraints first. Most are dismissed at
/// once: if a counterexample with more constraints, with invisible nodes moved to
/// the front as far as possible, is a path of the smaller pruned graph, the
/// smaller problem has the same counterexample.
pub struct SmallerProblems<'q, 'a> {
    problem: &'q FlowProblem<'a>,
    /// Those that are left, by the constraints with nodes; the next one is last.
    subsets: Vec<Vec<usize>>,
    /// Counterexamples, and the constraints with nodes that they satisfy.
    known: Vec<(Vec<usize>, Path)>,
    /// The constraints of the current problem.
    current: Vec<usize>,
}

impl<'q, 'a> SmallerProblems<'q, 'a> {
    /// Starts with a counterexample of the whole problem.
    pub fn new(problem: &'q FlowProblem<'a>, path: Path) -> Self {
        let n_bringing = bringing(problem).count();
        let subsets = match problem.form.prune && problem.adjacency != Adjacency::Never {
            true => subsets(n_bringing),
            false => Vec::new(),
        };
        Self { problem, subsets, known: vec![((0..n_bringing).collect(), path)], current: Vec::new() }
    }

    /// Returns the next problem that has none of the known counterexamples.
    pub fn next(&mut self) -> Option<FlowProblem<'a>> {
        while let Some(subset) = self.subsets.pop() {
            let fewer = self.with(&subset);
            if fewer.known.are_refuted(&fewer.constraints, fewer.program) {
                continue;
            }
            let has_more = |more: &[usize]| subset.iter().all(|index| more.contains(index));
            let has = |(more, path): &(Vec<usize>, Path)| has_more(more) && has_reordered_path(&fewer, path);
            if !self.known.iter().any(has) {
                self.current = subset;
                return Some(fewer);
            }
        }
        None
    }

    /// Adds a counterexample of the problem that was returned last.
    pub fn violated(&mut self, path: Option<Path>) {
        self.known.extend(path.map(|path| (self.current.clone(), path)));
    }

    /// Returns the problem with some of the constraints that bring nodes.
    fn with(&self, subset: &[usize]) -> FlowProblem<'a> {
        let mut n_bringing = 0;
        let is_kept = |constraint: &&Constraint| match constraint {
            Constraint::Task(_) => true,
            _ => {
                n_bringing += 1;
                subset.contains(&(n_bringing - 1))
            }
        };
        let constraints = self.problem.constraints.iter().filter(is_kept).cloned().collect();
        FlowProblem { constraints, ..self.problem.clone() }
    }
}

fn has_reordered_path(fewer: &FlowProblem, path: &Path) -> bool {
    let relevance = fewer
        .constraints
        .iter()
        .fold(relevance_of(fewer.property), |sum, constraint| sum.union(&constraint.relevance()));
    let form = Form { eliminate: false, ..fewer.form };
    let FlowProblem { program, executions, graphs, .. } = fewer;
    let graph = graphs.graph(program, &relevance, form, *executions, &mut |_| {
        checkpoint();
        false
    });
    let graph = graph.expect("checkpoints unwind instead");
    let in_use = InUse { relevance, tasks: Vec::new() };
    if has_dead_node(&graph, &path.keys) {
        return false;
    }
    let node_of: HashMap<NodeKey, &Node> = graph.nodes.iter().map(|node| (node.key, node)).collect();
    let mut nodes: Vec<&Node> = path.keys.iter().filter_map(|key| node_of.get(key).copied()).collect();
    for end in 0..nodes.len() {
        let mut position = end;
        while position > 0 && !in_use.sees(nodes[position]) && in_use.sees(nodes[position - 1]) {
            let tasks = |node: &Node| node.sides.iter().map(|side| side.task).collect::<Vec<_>>();
            if tasks(nodes[position]).iter().any(|task| tasks(nodes[position - 1]).contains(task)) {
                break;
            }
            nodes.swap(position, position - 1);
            position -= 1;
        }
    }
    let keys: Vec<NodeKey> = nodes.iter().map(|node| node.key).collect();
    has_path(&graph, &keys)
}

/// Returns proper subsets of `0..n`, smallest first.
fn subsets(n: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = if n <= MAX_EXHAUSTIVE {
        let members = |bits: usize| (0..n).filter(|index| bits >> index & 1 == 1).collect();
        (0..(1_usize << n) - 1).map(members).collect()
    } else {
        let single = (0..n).map(|index| vec![index]);
        let beginning = (0..n).map(|end| (0..end).collect());
        let all_but_one = (0..n).map(|left_out| (0..n).filter(|&index| index != left_out).collect());
        single.chain(beginning).chain(all_but_one).collect()
    };
    all.sort_by_key(|subset| (subset.len(), subset.clone()));
    all.dedup();
    all
}

/// Returns whether a node of the path is dead in the graph.
fn has_dead_node(graph: &TraceFlowGraph, path: &[NodeKey]) -> bool {
    path.iter().any(|key| graph.dead.iter().any(|dead| dead.key == *key))
}

/// Returns whether the nodes of the path that the graph has are a path of it.
fn has_path(graph: &TraceFlowGraph, path: &[NodeKey]) -> bool {
    let position: HashMap<NodeKey, usize> =
        graph.nodes.iter().enumerate().map(|(index, node)| (node.key, index)).collect();
    if has_dead_node(graph, path) {
        return false;
    }
    let nodes: Vec<usize> = path.iter().filter_map(|key| position.get(key).copied()).collect();
    let edge =
        |pair: &[usize]| graph.control.contains(pair[0], pair[1]) || graph.mip.contains(pair[0], pair[1]);
    match (nodes.first(), nodes.last()) {
        (Some(&first), Some(&last)) => {
            graph.initial.contains(0, first) && graph.last.contains(0, last) && nodes.windows(2).all(edge)
        }
        _ => graph.empty_execution,
    }
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn few_constraints_have_all_proper_subsets() {
        assert_eq!(subsets(0), Vec::<Vec<usize>>::new());
        assert_eq!(subsets(1), [Vec::<usize>::new()]);
        assert_eq!(subsets(2), [vec![], vec![0], vec![1]]);
        assert_eq!(subsets(4).len(), 15);
    }

    #[test]
    fn many_constraints_have_a_few_of_them() {
        let some = subsets(8);
        assert!(some.contains(&vec![]) && some.contains(&vec![3]) && some.contains(&vec![0, 1, 2]));
        assert!(some.contains(&vec![0, 1, 2, 4, 5, 6, 7]) && !some.contains(&vec![0, 2]));
        assert!(some.len() < 30);
    }
}
