//! The trace flow graph: nodes, and an edge wherever one node can follow
//! another.
//!
//! A *control* edge joins two nodes of a common task when the second is
//! enabled where the first leaves that task. A *may-immediately-precede*
//! edge joins two nodes of different tasks that may be enabled at the same
//! time; it goes both ways, unless an atomic block keeps one task from moving
//! after the other. Together they contain every pair of nodes that are
//! adjacent in an execution, so every execution is a path.

use super::nodes::{Node, NodeId, NodeKey, Nodes, Relevance, Side, Station, StationId};
use super::parallel::Parallel;
use super::reduce;
use crate::base::bits::BitMatrix;
use crate::base::cancel::checkpoint;
use crate::lang::spec::property::Executions;
use crate::lang::task::program::{Program, TaskId};
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// Options of the construction of a graph. [`Form::FAITHFUL`] is the published
/// construction, [`Form::REDUCED`] the smallest and most precise one we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Add an event-free node for the end of each task.
    pub end_nodes: bool,
    /// Use one state of a task automaton for all stations with the same enabled
    /// nodes.
    pub merge: bool,
    /// Omit edges from a visible node to an invisible node of another task.
    pub prune: bool,
    /// Replace nodes that no automaton observes by edges.
    pub eliminate: bool,
    /// Drop node-tuples from which a constraint can no longer accept.
    pub drop_dead: bool,
}

/// A trace flow graph of a program for a question.
#[derive(Clone, Debug)]
pub struct TraceFlowGraph {
    /// Indexed by [`NodeId`].
    pub nodes: Vec<Node>,
    /// Indexed by [`StationId`].
    pub stations: Vec<Station>,
    /// Start station of each task.
    pub starts: Vec<StationId>,
    /// Edges within tasks.
    pub control: BitMatrix,
    /// Edges between tasks.
    pub mip: BitMatrix,
    /// One row: the nodes that can be first.
    pub initial: BitMatrix,
    /// One row: the nodes that can be last.
    pub last: BitMatrix,
    /// Whether an execution can have no node.
    pub empty_execution: bool,
    /// Nodes that are never enabled, which were removed from the graph.
    pub dead: Vec<Node>,
    /// Executions that its paths to the final node represent.
    pub executions: Executions,
}

impl Form {
    /// As published: end nodes, nothing removed.
    pub const FAITHFUL: Self =
        Self { end_nodes: true, merge: false, prune: false, eliminate: false, drop_dead: false };
    /// All reductions of the number of node-tuples.
    pub const REDUCED: Self =
        Self { end_nodes: false, merge: true, prune: true, eliminate: true, drop_dead: true };

    /// Returns the names of the options, each with its value.
    pub fn choices(&self) -> [(&'static str, bool); 5] {
        [
            ("end-nodes", self.end_nodes),
            ("merge", self.merge),
            ("prune", self.prune),
            ("eliminate", self.eliminate),
            ("drop-dead", self.drop_dead),
        ]
    }

    /// Sets an option by its name; returns `false` if there is no such option.
    pub fn choose(&mut self, name: &str, on: bool) -> bool {
        match name {
            "end-nodes" => self.end_nodes = on,
            "merge" => self.merge = on,
            "prune" => self.prune = on,
            "eliminate" => self.eliminate = on,
            "drop-dead" => self.drop_dead = on,
            _ => return false,
        }
        true
    }
}

impl fmt::Display for Form {
    /// Writes the form in the syntax of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::FAITHFUL => return f.write_str("faithful"),
            Self::REDUCED => return f.write_str("reduced"),
            _ => {}
        }
        f.write_str("reduced")?;
        for ((name, on), (_, default)) in self.choices().iter().zip(Self::REDUCED.choices()) {
            if *on != default {
                write!(f, ",{}{name}", if *on { "" } else { "no-" })?;
            }
        }
        Ok(())
    }
}

/// Nodes that a reduction must preserve.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    /// Actions that an automaton other than a task automaton observes.
    pub relevance: Relevance,
    /// Tasks that have an automaton.
    pub tasks: Vec<TaskId>,
}

impl InUse {
    /// Returns whether an automaton other than a task automaton observes the
    /// node.
    pub fn sees(&self, node: &Node) -> bool {
        node.label.as_ref().is_some_and(|label| self.relevance.labels.contains(label))
            || node.variable.is_some_and(|variable| self.relevance.variables.contains(&variable))
    }

    /// Returns whether any automaton observes the node.
    pub fn uses(&self, node: &Node) -> bool {
        self.sees(node) || node.sides.iter().any(|side| self.tasks.contains(&side.task))
    }
}

impl TraceFlowGraph {
    /// Builds the graph of `program` for the automata in use.
    pub fn new(program: &Program, in_use: &InUse, form: Form, executions: Executions) -> Self {
        let mut stop = |_| {
            checkpoint();
            false
        };
        Self::build(program, in_use, form, executions, &mut stop).expect("checkpoints unwind instead")
    }

    /// Builds the graph like [`Self::new`], but can be stopped: `stop` is
    /// called at intervals with the number of bytes needed, and ends the work
    /// by returning `true`.
    pub fn build(
        program: &Program,
        in_use: &InUse,
        form: Form,
        executions: Executions,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Self> {
        let nodes = Nodes::new(program, &in_use.relevance, form.end_nodes);
        let square = |n: usize| (n as u64).saturating_mul(n as u64) / 8;
        // Bit matrices for parallel stations, for control edges, for edges
        // between tasks, for both in the product, and for one reduction.
        let bytes = square(nodes.stations.len()).saturating_add(square(nodes.nodes.len()).saturating_mul(4));
        if stop(bytes) {
            return None;
        }
        let parallel = Parallel::new(&nodes, &mut || stop(bytes))?;
        let mip = mip_edges(&nodes, &parallel, &mut || stop(bytes))?;
        let mut graph = Self::connect(nodes, &parallel, mip, form.end_nodes, executions);
        if form.merge {
            reduce::merge(&mut graph);
        }
        graph.reduce(in_use, form);
        Some(graph)
    }

    /// Removes the edges and nodes that the automata in use do not need, as far as
    /// the form says so.
    pub fn reduce(&mut self, in_use: &InUse, form: Form) {
        if form.prune {
            reduce::prune(self, in_use);
        }
        if form.eliminate {
            reduce::eliminate(self, in_use);
        }
    }

    fn connect(
        nodes: Nodes,
        parallel: &Parallel,
        mip: BitMatrix,
        end_nodes: bool,
        executions: Executions,
    ) -> Self {
        let n_nodes = nodes.nodes.len();
        let mut graph = Self {
            control: control_edges(&nodes, parallel),
            mip,
            initial: BitMatrix::new(1, n_nodes),
            last: BitMatrix::new(1, n_nodes),
            empty_execution: false,
            dead: Vec::new(),
            nodes: nodes.nodes,
            stations: nodes.stations,
            starts: nodes.starts,
            executions,
        };
        let prefixes = executions == Executions::Prefixes;
        let ends = |station: StationId| graph.stations[station.index()].ends;
        for (index, node) in graph.nodes.iter().enumerate() {
            let starts = |by: &[StationId; 2]| by.iter().all(|station| graph.starts.contains(station));
            if parallel.enabling[index].iter().any(starts) {
                graph.initial.insert(0, index);
            }
            let finishes = match end_nodes {
                true => matches!(node.key, NodeKey::End(_)),
                false => node.sides.iter().all(|side| ends(side.to)),
            };
            if prefixes || finishes {
                graph.last.insert(0, index);
            }
        }
        graph.empty_execution = prefixes || graph.starts.iter().all(|&start| ends(start));
        let alive: Vec<bool> = (0..n_nodes).map(|node| !parallel.is_dead(NodeId::new(node))).collect();
        graph.keep(&alive);
        graph
    }

    /// Removes the nodes that are not `kept`, and their edges.
    pub(super) fn keep(&mut self, kept: &[bool]) {
        if kept.iter().all(|&kept| kept) {
            return;
        }
        let mut position = vec![None; kept.len()];
        let mut n_kept = 0;
        for (old, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            position[old] = Some(n_kept);
            n_kept += 1;
        }
        let squeeze = |matrix: &BitMatrix, rows: &[Option<usize>], n_rows| {
            let mut result = BitMatrix::new(n_rows, n_kept);
            for (old, new) in rows.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))) {
                checkpoint();
                for column in matrix.ones(old).filter_map(|column| position[column]) {
                    result.insert(new, column);
                }
            }
            result
        };
        self.control = squeeze(&self.control, &position, n_kept);
        self.mip = squeeze(&self.mip, &position, n_kept);
        self.initial = squeeze(&self.initial, &[Some(0)], 1);
        self.last = squeeze(&self.last, &[Some(0)], 1);
        for station in &mut self.stations {
            station.enabled.retain_mut(|(node, _)| match position[node.index()] {
                Some(new) => {
                    *node = NodeId::new(new);
                    true
                }
                None => false,
            });
        }
        let nodes = std::mem::take(&mut self.nodes);
        for (node, kept) in nodes.into_iter().zip(kept) {
            if *kept { &mut self.nodes } else { &mut self.dead }.push(node);
        }
    }

    /// Returns the nodes that can follow `node`, as bits.
    pub fn successors(&self, node: NodeId) -> Vec<u64> {
        let mip = self.mip.row(node.index());
        self.control.row(node.index()).iter().zip(mip).map(|(control, mip)| control | mip).collect()
    }

    /// Returns whether `to` can follow `from`.
    pub fn has_edge(&self, from: NodeId, to: NodeId) -> bool {
        self.control.contains(from.index(), to.index()) || self.mip.contains(from.index(), to.index())
    }
}

/// Returns the edges `n → m` for a common task in which `m` is enabled at the
/// station to which `n` leads.
fn control_edges(nodes: &Nodes, parallel: &Parallel) -> BitMatrix {
    let n_nodes = nodes.nodes.len();
    let mut edges = BitMatrix::new(n_nodes, n_nodes);
    for (index, node) in nodes.nodes.iter().enumerate() {
        checkpoint();
        if parallel.is_dead(NodeId::new(index)) {
            continue;
        }
        for side in &node.sides {
            for &(next, _) in &nodes.stations[side.to.index()].enabled {
                // A partner strictly inside an atomic block moves first.
                let takes_part = |task| nodes.nodes[next.index()].sides.iter().any(|side| side.task == task);
                let is_free = |other: &Side| nodes.stations[other.to.index()].open || takes_part(other.task);
                if !parallel.is_dead(next) && node.sides.iter().all(is_free) {
                    edges.insert(index, next.index());
                }
            }
        }
    }
    edges
}

/// Returns the edges `n ⇄ m` for nodes of different tasks that can be enabled at
/// the same time: some stations that enable `m` can all be current together with
/// some that enable `n`.
///
/// Without atomic blocks the relation is symmetric, so each pair is examined
/// once, from the side of the node that fewer stations enable. With atomic
/// blocks, `m` follows `n` only if `n` does not leave its task strictly inside a
/// block and the task of `m` was not inside one when `n` happened.
fn mip_edges(nodes: &Nodes, parallel: &Parallel, stop: &mut dyn FnMut() -> bool) -> Option<BitMatrix> {
    let n_nodes = nodes.nodes.len();
    let mut edges = BitMatrix::new(n_nodes, n_nodes);
    let is_symmetric = nodes.stations.iter().all(|station| station.open && station.held.is_empty());
    let held =
        |node: usize, station: StationId| nodes.stations[station.index()].held.contains(&NodeId::new(node));
    let enabled: Vec<Enabled> = match is_symmetric {
        true => parallel.enabling.iter().map(|by| Enabled::new(by)).collect(),
        false => {
            let resting = |node: usize| {
                let pairs = parallel.enabling[node].iter().copied();
                pairs.filter(|by| !by.iter().any(|station| held(node, *station))).collect::<Vec<_>>()
            };
            (0..n_nodes).map(|node| Enabled::new(&resting(node))).collect()
        }
    };
    let mut order: Vec<usize> = (0..n_nodes).filter(|&node| !parallel.enabling[node].is_empty()).collect();
    order.sort_by_key(|&node| parallel.enabling[node].len());
    // Positions in the order, by the first task of the node.
    let mut by_task: BTreeMap<TaskId, Vec<usize>> = BTreeMap::new();
    for (position, &node) in order.iter().enumerate() {
        by_task.entry(nodes.nodes[node].sides[0].task).or_default().push(position);
    }
    for (position, &node) in order.iter().enumerate() {
        if stop() {
            return None;
        }
        let mut after = nodes.nodes[node].sides.iter().map(|side| &nodes.stations[side.to.index()]);
        if !after.all(|station| station.open) {
            continue;
        }
        let tasks = |node: usize| nodes.nodes[node].sides.iter().map(|side| side.task);
        let is_other = |task: TaskId| tasks(node).all(|mine| mine != task);
        let first = if is_symmetric { position + 1 } else { 0 };
        let mut others: Vec<usize> = by_task
            .iter()
            .filter(|(task, _)| is_other(**task))
            .flat_map(|(_, positions)| &positions[positions.partition_point(|&it| it < first)..])
            .map(|&position| order[position])
            .filter(|&other| tasks(other).all(is_other))
            .collect();
        if others.is_empty() {
            continue;
        }
        let mut seen: HashSet<Vec<u64>> = HashSet::new();
        for &by in &parallel.enabling[node] {
            let beside = parallel.beside(by);
            if seen.contains(&beside) {
                continue;
            }
            others.retain(|&other| {
                let together = enabled[other].within(&beside);
                if together {
                    edges.insert(node, other);
                    if is_symmetric {
                        edges.insert(other, node);
                    }
                }
                !together
            });
            seen.insert(beside);
        }
    }
    Some(edges)
}

/// Pairs of stations that enable a node, grouped by the first station.
struct Enabled {
    /// A station and the stations paired with it, as words from an offset.
    groups: Vec<(StationId, usize, Vec<u64>)>,
}

impl Enabled {
    fn new(pairs: &[[StationId; 2]]) -> Self {
        // Group by the side with fewer stations, so that there are few groups.
        let n_different = |side: usize| pairs.iter().map(|pair| pair[side]).collect::<HashSet<_>>().len();
        let lead = usize::from(n_different(1) < n_different(0));
        let mut by_lead: BTreeMap<StationId, Vec<StationId>> = BTreeMap::new();
        for pair in pairs {
            by_lead.entry(pair[lead]).or_default().push(pair[1 - lead]);
        }
        let group = |(station, partners): (StationId, Vec<StationId>)| {
            let words = || partners.iter().map(|partner| partner.index() / 64);
            let (low, high) = (words().min().unwrap_or(0), words().max().unwrap_or(0));
            let mut bits = vec![0; high - low + 1];
            for partner in &partners {
                bits[partner.index() / 64 - low] |= 1 << (partner.index() % 64);
            }
            (station, low, bits)
        };
        Self { groups: by_lead.into_iter().map(group).collect() }
    }

    /// Returns whether both stations of some pair are in the set.
    fn within(&self, set: &[u64]) -> bool {
        self.groups.iter().any(|(station, low, partners)| {
            set[station.index() / 64] >> (station.index() % 64) & 1 == 1
                && set[*low..].iter().zip(partners).any(|(set, partners)| set & partners != 0)
        })
    }
}
