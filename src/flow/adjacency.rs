//! The adjacency constraint: the edges of the graph of fewer constraints still
//! restrict paths when more constraints are added.
//!
//! A variable automaton adds its reads and writes to the graph as nodes, and a
//! new node between two old ones can bypass a missing edge. So the old graph is
//! kept as an automaton: its state is the last old node, and an old node is
//! allowed only where the old graph has the edge. Every execution is also a
//! path of the old graph, so no execution is lost.

mod memory;

pub use memory::AdjacencyMemory;

use super::component::{Component, Kind};
use super::graph::TraceFlowGraph;
use super::nodes::{NodeId, NodeKey};
use crate::lang::spec::property::Executions;
use std::collections::HashMap;

impl Component {
    /// Returns the graph `old` as a constraint on paths of `graph`. `old` must
    /// be neither pruned nor reduced by elimination.
    pub fn adjacency(graph: &TraceFlowGraph, old: &TraceFlowGraph, name: String) -> Self {
        let position: HashMap<NodeKey, u32> =
            old.nodes.iter().enumerate().map(|(index, node)| (node.key, index as u32)).collect();
        let n_old = old.nodes.len() as u32;
        // A node of a relevant action that is dead in the old graph is never
        // executed: its column has no transitions.
        let known_dead: HashMap<NodeKey, u32> = old.dead.iter().map(|node| (node.key, n_old)).collect();
        let column = graph
            .nodes
            .iter()
            .map(|node| position.get(&node.key).or_else(|| known_dead.get(&node.key)).copied())
            .collect();
        let start = n_old;
        let state_names = (0..n_old)
            .map(|index| old.nodes[index as usize].label.clone().unwrap_or_else(|| "end".to_owned()))
            .chain(["start".to_owned()])
            .collect();
        let mut component =
            Component::blank(name, Some(Kind::Adjacency), state_names, column, n_old as usize + 1);
        component.start = start;
        for from in 0..n_old {
            for to in 0..n_old {
                if old.has_edge(NodeId(from), NodeId(to)) {
                    component.set(from, to, to);
                }
            }
        }
        for first in old.initial.ones(0) {
            component.set(start, first as u32, first as u32);
        }
        if old.executions == Executions::Complete {
            let last = (0..n_old as usize).map(|node| old.last.contains(0, node));
            component.accepting = last.chain([old.empty_execution]).collect();
        }
        component
    }
}
