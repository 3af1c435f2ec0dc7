//! Which graphs of fewer constraints bind, so that a proof with some
//! constraints is still one with more.
//!
//! Only constraints that bring nodes into the graph matter: variables and
//! contexts. With every subset of them as an adjacency constraint the paths
//! under more constraints, seen from fewer, are paths under fewer. Most of
//! the subsets never matter, so a subset is required only once a
//! counterexample is no path of its graph.

use super::question::{Adjacency, Question, relevance_of};
use super::replay::Path;
use crate::flow::graph::InUse;
use crate::flow::{Form, NodeKey, Relevance, TraceFlowGraph};
use std::collections::HashMap;

/// Up to this many node-bringing constraints all subsets are considered;
/// with more, those with none, one, all but one, and each beginning of the
/// list.
const MAX_EXHAUSTIVE: usize = 4;

/// The smaller graphs of a question.
pub struct Family<'a> {
    question: &'a Question<'a>,
    members: Vec<Member>,
}

struct Member {
    name: String,
    relevance: Relevance,
    /// Built when first needed.
    graph: Option<TraceFlowGraph>,
    required: bool,
}

impl<'a> Family<'a> {
    /// All smaller graphs, none of them required yet.
    pub fn new(question: &'a Question<'a>) -> Self {
        let bringing: Vec<(String, Relevance)> = question
            .constraints
            .iter()
            .map(|constraint| (constraint.name(question.program), constraint.relevance()))
            .filter(|(_, relevance)| !relevance.labels.is_empty() || !relevance.variables.is_empty())
            .collect();
        let subsets = match question.adjacency {
            Adjacency::Never => Vec::new(),
            _ => subsets(bringing.len()),
        };
        let members = subsets.iter().map(|subset| Member::new(question, &bringing, subset)).collect();
        Self { question, members }
    }

    /// Is there no smaller graph to respect?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Makes every member a constraint.
    pub fn require_all(&mut self) {
        for member in &mut self.members {
            member.build(self.question);
            member.required = true;
        }
    }

    /// Makes the first member that rejects `path` a constraint; `false` if
    /// none does.
    pub fn require_rejecting(&mut self, path: &Path) -> bool {
        for member in self.members.iter_mut().filter(|member| !member.required) {
            if !has_path(member.build(self.question), path) {
                member.required = true;
                return true;
            }
        }
        false
    }

    /// The graphs that are constraints now.
    pub fn required(&self) -> impl Iterator<Item = (String, &TraceFlowGraph)> {
        let required = self.members.iter().filter(|member| member.required);
        required.filter_map(|member| Some((member.name.clone(), member.graph.as_ref()?)))
    }
}

impl Member {
    fn new(question: &Question, bringing: &[(String, Relevance)], subset: &[usize]) -> Self {
        let brought = subset.iter().map(|&index| bringing[index].0.as_str());
        let names: Vec<&str> = ["property"].into_iter().chain(brought).collect();
        let property = relevance_of(question.property);
        let relevance = subset.iter().fold(property, |sum, &index| sum.union(&bringing[index].1));
        let name = format!("adjacency({})", names.join(", "));
        Self { name, relevance, graph: None, required: false }
    }

    fn build(&mut self, question: &Question) -> &TraceFlowGraph {
        self.graph.get_or_insert_with(|| {
            let form = Form { prune: false, eliminate: false, ..question.form };
            let in_use = InUse { relevance: self.relevance.clone(), tasks: Vec::new() };
            TraceFlowGraph::new(question.program, &in_use, form, question.executions)
        })
    }
}

/// Proper subsets of `0..n`, smallest first.
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

/// Is the path, seen from the graph, one of its paths?
fn has_path(graph: &TraceFlowGraph, path: &Path) -> bool {
    let position: HashMap<NodeKey, usize> =
        graph.nodes.iter().enumerate().map(|(index, node)| (node.key, index)).collect();
    if path.keys.iter().any(|key| graph.dead.iter().any(|dead| dead.key == *key)) {
        return false;
    }
    let nodes: Vec<usize> = path.keys.iter().filter_map(|key| position.get(key).copied()).collect();
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
        let some = subsets(6);
        assert!(some.contains(&vec![]) && some.contains(&vec![3]) && some.contains(&vec![0, 1, 2]));
        assert!(some.contains(&vec![0, 1, 2, 4, 5]) && !some.contains(&vec![0, 1, 2, 3, 4, 5]));
        assert!(some.len() < 20);
    }
}
