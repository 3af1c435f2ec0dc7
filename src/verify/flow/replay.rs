//! Checks a counterexample again, step by step over the graph and the automata,
//! without packed states, rows of bits or a visited set.

use super::solve::Assembly;
use crate::flow::component::VIOLATION;
use crate::flow::{NodeId, NodeKey};

/// A path of a trace flow graph without the initial and the final node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Nodes of the graph.
    pub nodes: Vec<NodeId>,
    /// Their keys, which are the same in all graphs of the program.
    pub keys: Vec<NodeKey>,
}

/// Returns the states of all automata along a path: one tuple before the first
/// node and one after each. An error says what is wrong with the path.
pub fn check(assembly: &Assembly, path: &Path) -> Result<Vec<Vec<u32>>, String> {
    let Assembly { graph, components, .. } = assembly;
    let mut tuple: Vec<u32> = components.iter().map(|component| component.start).collect();
    let mut tuples = vec![tuple.clone()];
    for (step, node) in path.nodes.iter().enumerate() {
        let follows = match step.checked_sub(1) {
            None => graph.initial.contains(0, node.index()),
            Some(before) => graph.has_edge(path.nodes[before], *node),
        };
        if !follows {
            return Err(format!("step {}: no edge of the graph leads to it", step + 1));
        }
        for (state, component) in tuple.iter_mut().zip(components) {
            *state = component.next(*state, node.index());
            if *state == VIOLATION {
                return Err(format!("step {}: {} forbids it", step + 1, component.name));
            }
        }
        tuples.push(tuple.clone());
    }
    let ends = path.nodes.last().map_or(graph.empty_execution, |last| graph.last.contains(0, last.index()));
    let accepts = |index: usize| components[index].accepting[tuple[index] as usize];
    match (ends, (1..components.len()).find(|&index| !accepts(index)), accepts(0)) {
        (false, _, _) => Err("it does not end an execution".to_owned()),
        (_, Some(index), _) => Err(format!("{} does not accept it", components[index].name)),
        (_, _, true) => Err("it satisfies the property".to_owned()),
        _ => Ok(tuples),
    }
}
