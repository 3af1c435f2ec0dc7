//! All smaller graphs at once, as a memory beside node-tuples.
//!
//! A smaller graph rejects a path that leads from one of its nodes to the next
//! where it has no such edge; between them are *new* nodes, which only the
//! larger graph has. So after each node it is enough to remember which nodes
//! must not come next, and because of which smaller graph. Most of this is
//! forgotten soon:
//!
//! - A node that cannot be reached through new nodes alone need not be
//!   remembered.
//! - If two smaller graphs forbid the same node and one has all nodes of the
//!   other, the other forbids it for as long or longer.
//!
//! So most node-tuples have few memories. A search that keeps only some of them
//! finds paths that no smaller graph rejects, but not all of these; one that
//! keeps all of them misses none.

use crate::base::bits::{BitMatrix, ones};
use crate::base::cancel::checkpoint;
use crate::flow::graph::TraceFlowGraph;
use crate::flow::nodes::{NodeId, NodeKey};
use crate::system::Word;
use foldhash::fast::FixedState;
use std::collections::{HashMap, HashSet};

/// A hash map for the hot loop.
type FastMap<K, V> = HashMap<K, V, FixedState>;

/// Number of a memory.
type MemoryId = u32;

/// A node that a smaller graph does not allow next. The number of nodes
/// represents the end of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Ban {
    node: u32,
    by: u32,
}

/// What smaller graphs forbid on paths of a graph.
#[derive(Clone, Debug)]
pub struct AdjacencyMemory {
    /// Per smaller graph and node, whether the smaller graph has the node.
    has: BitMatrix,
    /// Per smaller graph: for each node, the nodes of the smaller graph that
    /// can be the next one of it. The initial node comes after the others.
    next: Vec<BitMatrix>,
    /// Per two smaller graphs, whether the second has all nodes of the first.
    within: BitMatrix,
    /// Per node, what is forbidden after it by smaller graphs that have it; the
    /// initial node comes after the others.
    bans: Vec<Vec<Ban>>,
    /// Indexed by [`MemoryId`].
    memories: Vec<Memory>,
    numbers: FastMap<Box<[Ban]>, MemoryId>,
    /// Memories after a node that are known already.
    known: FastMap<(MemoryId, u32), MemoryId>,
    /// Per node-tuple, the memories that were admitted.
    admitted: FastMap<Box<[Word]>, Vec<MemoryId>>,
    /// Maximum number of memories per node-tuple: at most
    /// [`Self::MAX_COMPARED`], or `usize::MAX` for no limit.
    max_memories: usize,
    /// Number of times that a memory was not admitted.
    pub n_left_out: u64,
    /// Whether a memory was not admitted only because there were too many.
    pub has_lost: bool,
    /// Bytes of the tables that grow, approximately.
    n_bytes: u64,
    /// Bytes of those that later searches use too.
    n_kept_bytes: u64,
    /// Maximum of these bytes.
    max_bytes: u64,
}

#[derive(Clone, Debug)]
struct Memory {
    /// Sorted.
    bans: Box<[Ban]>,
    /// The banned nodes as a row of bits.
    forbidden: Box<[u64]>,
}

impl AdjacencyMemory {
    /// Maximum number of different memories.
    pub const MAX: usize = 1 << 32;

    /// Maximum number of memories of a node-tuple with which another one is
    /// compared.
    pub const MAX_COMPARED: usize = 64;

    /// Creates the memory for paths of `graph`. The smaller graphs must be
    /// neither pruned nor reduced by elimination.
    pub fn new(graph: &TraceFlowGraph, smaller: &[&TraceFlowGraph]) -> Self {
        let n_nodes = graph.nodes.len();
        let mut result = Self {
            has: BitMatrix::new(smaller.len(), n_nodes),
            next: Vec::new(),
            within: BitMatrix::new(smaller.len(), smaller.len()),
            bans: vec![Vec::new(); n_nodes + 1],
            memories: Vec::new(),
            numbers: FastMap::default(),
            known: FastMap::default(),
            admitted: FastMap::default(),
            max_memories: 1,
            n_left_out: 0,
            has_lost: false,
            n_bytes: 0,
            n_kept_bytes: 0,
            max_bytes: u64::MAX,
        };
        let successors: Vec<Vec<usize>> = (0..n_nodes)
            .map(|node| ones(&graph.successors(NodeId::new(node))).collect())
            .chain([graph.initial.ones(0).collect()])
            .collect();
        for (index, old) in smaller.iter().enumerate() {
            result.add(graph, &successors, index, old);
        }
        result.compare();
        for node in 0..=n_nodes {
            let bans = std::mem::take(&mut result.bans[node]);
            result.bans[node] = result.simplified(bans);
        }
        let first = result.bans[n_nodes].clone();
        result.number(first);
        result
    }

    /// Prepares a search that admits at most `max_memories` per node-tuple and
    /// needs at most about `max_bytes`. What is known about memories is kept.
    pub fn begin(&mut self, max_memories: usize, max_bytes: u64) {
        if self.n_kept_bytes > max_bytes / 2 {
            self.known = FastMap::default();
            self.numbers = FastMap::default();
            self.memories.truncate(1);
            let first = self.memories[0].bans.clone();
            self.numbers.insert(first, 0);
            self.n_kept_bytes = 0;
        }
        self.admitted = FastMap::default();
        self.n_bytes = self.n_kept_bytes;
        (self.n_left_out, self.has_lost) = (0, false);
        (self.max_memories, self.max_bytes) = (max_memories, max_bytes);
    }

    /// Returns whether the maximum number of bytes is exceeded.
    pub fn is_full(&self) -> bool {
        self.n_bytes > self.max_bytes
    }

    /// Counts bytes of tables that later searches use too.
    fn keep_bytes(&mut self, n_bytes: usize) {
        self.n_bytes += n_bytes as u64;
        self.n_kept_bytes += n_bytes as u64;
    }

    /// Adds the bans of a smaller graph.
    fn add(&mut self, graph: &TraceFlowGraph, successors: &[Vec<usize>], index: usize, old: &TraceFlowGraph) {
        let n_nodes = graph.nodes.len();
        let (initial, end) = (n_nodes, n_nodes);
        let position: HashMap<NodeKey, usize> =
            old.nodes.iter().enumerate().map(|(index, node)| (node.key, index)).collect();
        // A node that is dead in the smaller graph is never allowed.
        let dead: HashSet<NodeKey> = old.dead.iter().map(|node| node.key).collect();
        let old_of: Vec<Option<usize>> =
            graph.nodes.iter().map(|node| position.get(&node.key).copied()).collect();
        for (node, found) in graph.nodes.iter().enumerate() {
            if old_of[node].is_some() || dead.contains(&found.key) {
                self.has.insert(index, node);
            }
        }
        let next = self.next_nodes(graph, successors, index);
        let is_allowed = |from: usize, to: usize| {
            let (old_from, old_to) = (old_of.get(from).copied().flatten(), old_of.get(to).copied().flatten());
            match (from == initial, to == end) {
                (true, true) => old.empty_execution,
                (true, false) => old_to.is_some_and(|to| old.initial.contains(0, to)),
                (false, true) => old_from.is_some_and(|from| old.last.contains(0, from)),
                (false, false) => old_from
                    .zip(old_to)
                    .is_some_and(|(from, to)| old.has_edge(NodeId::new(from), NodeId::new(to))),
            }
        };
        for from in (0..=n_nodes).filter(|&from| from == initial || self.has.contains(index, from)) {
            let forbidden = next.ones(from).filter(|&to| !is_allowed(from, to));
            self.bans[from].extend(forbidden.map(|to| Ban { node: to as u32, by: index as u32 }));
        }
        self.next.push(next);
    }

    /// Returns, per node, the nodes of a smaller graph, and the end, that are
    /// reachable through new nodes alone.
    fn next_nodes(&self, graph: &TraceFlowGraph, successors: &[Vec<usize>], index: usize) -> BitMatrix {
        let n_nodes = graph.nodes.len();
        let mut next = BitMatrix::new(n_nodes + 1, n_nodes + 1);
        for (node, successors) in successors.iter().enumerate() {
            let ends = if node == n_nodes { graph.empty_execution } else { graph.last.contains(0, node) };
            let has = successors.iter().copied().filter(|&to| self.has.contains(index, to));
            for to in has.chain(ends.then_some(n_nodes)) {
                next.insert(node, to);
            }
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (node, successors) in successors.iter().enumerate() {
                checkpoint();
                for &new in successors.iter().filter(|&&to| !self.has.contains(index, to)) {
                    let row = next.row(new).to_vec();
                    is_changed |= next.union_row(node, &row);
                }
            }
        }
        next
    }

    /// Determines which smaller graphs have all nodes of another. If two have
    /// the same nodes, only the first is within the second.
    fn compare(&mut self) {
        let n_graphs = self.next.len();
        for first in 0..n_graphs {
            for second in (0..n_graphs).filter(|&second| second != first) {
                let (fewer, more) = (self.has.row(first), self.has.row(second));
                let is_within = fewer.iter().zip(more).all(|(fewer, more)| fewer & !more == 0);
                if is_within && (fewer != more || first < second) {
                    self.within.insert(first, second);
                }
            }
        }
    }

    /// Returns the bans, sorted, without those that another graph imposes for
    /// as long or longer.
    fn simplified(&self, mut bans: Vec<Ban>) -> Vec<Ban> {
        bans.sort_unstable();
        let mut needed = Vec::with_capacity(bans.len());
        for same in bans.chunk_by(|one, other| one.node == other.node) {
            let is_needed =
                |ban: &&Ban| !same.iter().any(|it| self.within.contains(it.by as usize, ban.by as usize));
            match same {
                [ban] => needed.push(*ban),
                _ => needed.extend(same.iter().filter(is_needed)),
            }
        }
        needed
    }

    /// Returns the number of a memory.
    fn number(&mut self, bans: Vec<Ban>) -> MemoryId {
        if let Some(&known) = self.numbers.get(bans.as_slice()) {
            return known;
        }
        let mut forbidden = vec![0; self.bans.len() / 64 + 1];
        for ban in &bans {
            forbidden[ban.node as usize / 64] |= 1 << (ban.node % 64);
        }
        // Two copies of the bans, the row, and entries of tables.
        self.keep_bytes(16 * bans.len() + 8 * forbidden.len() + 64);
        let id = self.memories.len() as MemoryId;
        let bans = bans.into_boxed_slice();
        self.memories.push(Memory { bans: bans.clone(), forbidden: forbidden.into() });
        self.numbers.insert(bans, id);
        id
    }

    /// Returns the memory at the beginning of a path.
    pub fn start(&self) -> u32 {
        0
    }

    /// Removes the nodes that must not come next from a row of bits.
    pub fn restrict(&self, id: u32, row: &mut [u64]) {
        let forbidden = &self.memories[id as usize].forbidden;
        row.iter_mut().zip(forbidden).for_each(|(row, forbidden)| *row &= !forbidden);
    }

    /// Returns whether the path may end.
    pub fn may_end(&self, id: u32) -> bool {
        let end = self.bans.len() - 1;
        self.memories[id as usize].forbidden[end / 64] >> (end % 64) & 1 == 0
    }

    /// Returns the memory after another node.
    pub fn after(&mut self, id: u32, node: usize) -> u32 {
        if let Some(&known) = self.known.get(&(id, node as u32)) {
            return known;
        }
        let remembered = self.memories[id as usize].bans.iter().copied().filter(|ban| {
            let by = ban.by as usize;
            !self.has.contains(by, node) && self.next[by].contains(node, ban.node as usize)
        });
        let bans = self.simplified(remembered.chain(self.bans[node].iter().copied()).collect());
        let next = self.number(bans);
        self.known.insert((id, node as u32), next);
        self.keep_bytes(16);
        next
    }

    /// Returns whether a search continues from a node-tuple with a memory: not
    /// if there are too many, or if one that forbids nothing else was admitted.
    pub fn admits(&mut self, tuple: &[Word], id: u32) -> bool {
        let Some(admitted) = self.admitted.get_mut(tuple) else {
            self.admitted.insert(tuple.into(), vec![id]);
            self.n_bytes += 8 * tuple.len() as u64 + 64;
            return true;
        };
        if admitted.contains(&id) {
            return true;
        }
        let new = &self.memories[id as usize].bans;
        let forbids_nothing_else = |&other: &MemoryId| {
            self.memories[other as usize].bans.iter().all(|ban| {
                let covers =
                    |it: &Ban| it.by == ban.by || self.within.contains(it.by as usize, ban.by as usize);
                of_node(new, ban.node).iter().any(covers)
            })
        };
        let is_needed = !admitted.iter().any(forbids_nothing_else);
        if is_needed && admitted.len() < self.max_memories {
            // Without a limit, the search itself knows the others again.
            if admitted.len() < Self::MAX_COMPARED {
                admitted.push(id);
                self.n_bytes += 4;
            }
            return true;
        }
        self.has_lost |= is_needed;
        self.n_left_out += 1;
        false
    }
}

/// Returns the bans of one node, of a sorted list.
fn of_node(bans: &[Ban], node: u32) -> &[Ban] {
    let start = bans.partition_point(|ban| ban.node < node);
    let end = bans.partition_point(|ban| ban.node <= node);
    &bans[start..end]
}
