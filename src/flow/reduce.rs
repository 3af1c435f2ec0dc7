//! Reductions of a trace flow graph that keep every event sequence an
//! automaton can tell apart.

use super::graph::{InUse, TraceFlowGraph};
use super::nodes::{NodeKey, StationId};
use std::collections::HashMap;

/// Makes one station of all those of a task at which the same is enabled:
/// they have the same future. This comes after the edges are known, for the
/// parallel analysis is more precise when it keeps them apart.
pub fn merge(graph: &mut TraceFlowGraph) {
    let mut first = HashMap::new();
    let mut same_as = Vec::new();
    for (index, station) in graph.stations.iter().enumerate() {
        let future = (station.task, station.enabled.clone(), station.ends);
        same_as.push(*first.entry(future).or_insert(StationId::new(index)));
    }
    for side in graph.nodes.iter_mut().flat_map(|node| &mut node.sides) {
        side.to = same_as[side.to.index()];
    }
    for start in &mut graph.starts {
        *start = same_as[start.index()];
    }
}

/// Removes edges between tasks that lead from a node some automaton sees to
/// one that none sees (task automata aside).
///
/// The invisible node commutes with the visible one: their tasks differ and
/// no automaton reacts to both. So it can be moved back to directly behind
/// its last predecessor within its tasks, where a control edge leads to it.
pub fn prune(graph: &mut TraceFlowGraph, in_use: &InUse) {
    let visible: Vec<bool> = graph.nodes.iter().map(|node| in_use.sees(node)).collect();
    for from in (0..visible.len()).filter(|&node| visible[node]) {
        for to in (0..visible.len()).filter(|&node| !visible[node]) {
            graph.mip.remove(from, to);
        }
    }
}

/// Replaces nodes that no automaton looks at by edges from each predecessor
/// to each successor, where that does not add edges.
pub fn eliminate(graph: &mut TraceFlowGraph, in_use: &InUse) {
    let n_nodes = graph.nodes.len();
    let mut kept = vec![true; n_nodes];
    for node in 0..n_nodes {
        let is_end = matches!(graph.nodes[node].key, NodeKey::End(_));
        if !is_end && !in_use.uses(&graph.nodes[node]) && eliminate_node(graph, &kept, node) {
            kept[node] = false;
        }
    }
    let n_dead = graph.dead.len();
    graph.keep(&kept);
    graph.dead.truncate(n_dead);
}

fn eliminate_node(graph: &mut TraceFlowGraph, kept: &[bool], node: usize) -> bool {
    let is_edge = |graph: &TraceFlowGraph, from: usize, to: usize| {
        graph.control.contains(from, to) || graph.mip.contains(from, to)
    };
    let others = || (0..kept.len()).filter(|&other| kept[other] && other != node);
    let before: Vec<usize> = others().filter(|&other| is_edge(graph, other, node)).collect();
    let after: Vec<usize> = others().filter(|&other| is_edge(graph, node, other)).collect();
    let (first, last) = (graph.initial.contains(0, node), graph.last.contains(0, node));
    let mut added = Vec::new();
    for &from in &before {
        added.extend(after.iter().map(|&to| (from, to)).filter(|&(from, to)| !is_edge(graph, from, to)));
    }
    let new_first = after.iter().filter(|&&to| first && !graph.initial.contains(0, to)).count();
    let new_last = before.iter().filter(|&&from| last && !graph.last.contains(0, from)).count();
    let removed = before.len() + after.len() + usize::from(first) + usize::from(last);
    if added.len() + new_first + new_last > removed {
        return false;
    }
    for (from, to) in added {
        let within = graph.control.contains(from, node) && graph.control.contains(node, to);
        if within { &mut graph.control } else { &mut graph.mip }.insert(from, to);
    }
    if first {
        after.iter().for_each(|&to| {
            graph.initial.insert(0, to);
        });
    }
    if last {
        before.iter().for_each(|&from| {
            graph.last.insert(0, from);
        });
    }
    graph.empty_execution |= first && last;
    true
}
