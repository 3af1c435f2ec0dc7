//! Reductions of a trace flow graph. They preserve every event sequence of the
//! program, as far as automata can distinguish them. Paths that are not
//! executions can disappear, so a smaller graph can only prove more.

use super::graph::{InUse, TraceFlowGraph};
use super::nodes::{Node, NodeKey, StationId};
use crate::base::bits::{BitMatrix, ones};
use crate::base::cancel::checkpoint;
use std::collections::HashMap;

/// Merges the stations of a task that have the same enabled nodes: they have
/// the same future. This is done after the edges are known, because the
/// parallel analysis is more precise with separate stations.
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

/// Removes edges between tasks from a node that some automaton observes to a
/// node that no automaton observes (except task automata).
///
/// The invisible node commutes with the visible one: their tasks differ and no
/// automaton reacts to both. So it can be moved back to directly after its last
/// predecessor within its tasks, from which a control edge leads to it. This
/// does not apply to nodes of atomic blocks: the other node can only be before
/// or after the whole block.
pub fn prune(graph: &mut TraceFlowGraph, in_use: &InUse) {
    let visible: Vec<bool> = graph.nodes.iter().map(|node| in_use.sees(node)).collect();
    let moves: Vec<bool> = graph.nodes.iter().map(|node| !node.atomic).collect();
    for from in (0..visible.len()).filter(|&node| visible[node] && moves[node]) {
        checkpoint();
        for to in (0..visible.len()).filter(|&node| !visible[node] && moves[node]) {
            graph.mip.remove(from, to);
        }
    }
}

/// Replaces nodes that no automaton observes by edges from each predecessor to
/// each successor, where that does not add edges.
pub fn eliminate(graph: &mut TraceFlowGraph, in_use: &InUse) {
    let n_nodes = graph.nodes.len();
    let mut kept = vec![true; n_nodes];
    let mut edges = graph.control.clone();
    for node in 0..n_nodes {
        edges.union_row(node, graph.mip.row(node));
    }
    for (node, kept) in kept.iter_mut().enumerate() {
        checkpoint();
        let is_end = matches!(graph.nodes[node].key, NodeKey::End(_));
        let is_free = !is_end && !in_use.uses(&graph.nodes[node]);
        *kept = !(is_free && eliminate_node(graph, &mut edges, node));
    }
    let n_dead = graph.dead.len();
    graph.keep(&kept);
    graph.dead.truncate(n_dead);
}

/// Eliminates a node if possible. `edges` are those of both kinds; an
/// eliminated node has none.
fn eliminate_node(graph: &mut TraceFlowGraph, edges: &mut BitMatrix, node: usize) -> bool {
    edges.remove(node, node);
    let n_nodes = graph.nodes.len();
    let before: Vec<usize> = (0..n_nodes).filter(|&other| edges.contains(other, node)).collect();
    let after = edges.row(node).to_vec();
    let n_after = count(&after);
    let (first, last) = (graph.initial.contains(0, node), graph.last.contains(0, node));
    let removed = before.len() + n_after + usize::from(first) + usize::from(last);
    let mut added = if first { n_missing(graph.initial.row(0), &after) } else { 0 };
    added += before.iter().filter(|&&from| last && !graph.last.contains(0, from)).count();
    for &from in &before {
        added += n_missing(edges.row(from), &after);
        if added > removed {
            return false;
        }
    }
    for &from in &before {
        for to in ones(&after).filter(|&to| !edges.contains(from, to)).collect::<Vec<_>>() {
            let within = share_a_task(&graph.nodes[from], &graph.nodes[to]);
            if within { &mut graph.control } else { &mut graph.mip }.insert(from, to);
            edges.insert(from, to);
        }
        edges.remove(from, node);
        if last {
            graph.last.insert(0, from);
        }
    }
    for to in ones(&after) {
        edges.remove(node, to);
        if first {
            graph.initial.insert(0, to);
        }
    }
    graph.empty_execution |= first && last;
    true
}

fn share_a_task(a: &Node, b: &Node) -> bool {
    a.sides.iter().any(|one| b.sides.iter().any(|other| one.task == other.task))
}

fn count(bits: &[u64]) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

/// Returns how many bits of `wanted` are not in `row`.
fn n_missing(row: &[u64], wanted: &[u64]) -> usize {
    row.iter().zip(wanted).map(|(row, wanted)| (wanted & !row).count_ones() as usize).sum()
}
