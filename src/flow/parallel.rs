//! Which stations of different tasks may be current at the same time.
//!
//! The data-flow analysis computes a relation between stations that contains
//! the pairwise projections of every reachable configuration: the starts are
//! related; a local node takes its task on while the others stay where they
//! are; a rendezvous needs its two partners related and takes along every
//! third station related to both. Nodes that are never enabled on the way
//! are dead.

use super::nodes::{NodeId, Nodes, StationId};
use crate::base::bits::{BitMatrix, ones};

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// Symmetric; never relates two stations of one task.
    together: BitMatrix,
    /// Per node, the stations that enable it: one for a local node, caller's
    /// and acceptor's for a rendezvous. Empty for a dead node.
    pub enabling: Vec<Vec<[StationId; 2]>>,
}

impl Parallel {
    /// Runs the analysis.
    pub fn new(nodes: &Nodes) -> Self {
        let mut analysis = Analysis::new(nodes);
        analysis.run();
        Self { together: analysis.together, enabling: analysis.enabling }
    }

    /// May the two stations be current at the same time?
    pub fn together(&self, a: StationId, b: StationId) -> bool {
        self.together.contains(a.index(), b.index())
    }

    /// The stations that may be current while the node is enabled by `by`.
    pub fn beside(&self, by: [StationId; 2]) -> Vec<u64> {
        let other = self.together.row(by[1].index());
        self.together.row(by[0].index()).iter().zip(other).map(|(a, b)| a & b).collect()
    }

    /// Is the node never enabled?
    pub fn is_dead(&self, node: NodeId) -> bool {
        self.enabling[node.index()].is_empty()
    }
}

struct Analysis<'a> {
    nodes: &'a Nodes,
    together: BitMatrix,
    /// Stations of each side of each node.
    sources: Vec<[Vec<StationId>; 2]>,
    enabling: Vec<Vec<[StationId; 2]>>,
    pending: Vec<StationId>,
    is_pending: Vec<bool>,
    is_reached: Vec<bool>,
}

impl<'a> Analysis<'a> {
    fn new(nodes: &'a Nodes) -> Self {
        let n_stations = nodes.stations.len();
        let mut sources = vec![[Vec::new(), Vec::new()]; nodes.nodes.len()];
        for (index, station) in nodes.stations.iter().enumerate() {
            for &(node, side) in &station.enabled {
                let sides: &mut [Vec<StationId>; 2] = &mut sources[node.index()];
                sides[side].push(StationId::new(index));
            }
        }
        Self {
            nodes,
            together: BitMatrix::new(n_stations, n_stations),
            sources,
            enabling: vec![Vec::new(); nodes.nodes.len()],
            pending: Vec::new(),
            is_pending: vec![false; n_stations],
            is_reached: vec![false; n_stations],
        }
    }

    fn run(&mut self) {
        let starts = &self.nodes.starts;
        for (index, &start) in starts.iter().enumerate() {
            self.reach(start);
            for &other in &starts[..index] {
                self.relate(start, other);
            }
        }
        while let Some(station) = self.pending.pop() {
            self.is_pending[station.index()] = false;
            for &(node, side) in &self.nodes.stations[station.index()].enabled {
                if self.nodes.nodes[node.index()].sides.len() == 1 {
                    self.fire_local(node, station);
                } else {
                    self.fire_rendezvous(node, side, station);
                }
            }
        }
    }

    fn fire_local(&mut self, node: NodeId, from: StationId) {
        let enabling = &mut self.enabling[node.index()];
        if !enabling.contains(&[from, from]) {
            enabling.push([from, from]);
        }
        let to = self.nodes.nodes[node.index()].sides[0].to;
        self.reach(to);
        let others = self.together.row(from.index()).to_vec();
        self.relate_all(to, &others);
    }

    fn fire_rendezvous(&mut self, node: NodeId, side: usize, station: StationId) {
        let partners: Vec<StationId> = self.sources[node.index()][1 - side]
            .iter()
            .copied()
            .filter(|partner| self.together.contains(station.index(), partner.index()))
            .collect();
        let sides = &self.nodes.nodes[node.index()].sides;
        let (to, partner_to) = (sides[side].to, sides[1 - side].to);
        for partner in partners {
            let pair = if side == 0 { [station, partner] } else { [partner, station] };
            if !self.enabling[node.index()].contains(&pair) {
                self.enabling[node.index()].push(pair);
                self.reach(to);
                self.reach(partner_to);
                self.relate(to, partner_to);
            }
            let thirds: Vec<u64> = self
                .together
                .row(station.index())
                .iter()
                .zip(self.together.row(partner.index()))
                .map(|(a, b)| a & b)
                .collect();
            self.relate_all(to, &thirds);
            self.relate_all(partner_to, &thirds);
        }
    }

    fn reach(&mut self, station: StationId) {
        if !std::mem::replace(&mut self.is_reached[station.index()], true) {
            self.revisit(station);
        }
    }

    fn revisit(&mut self, station: StationId) {
        if !std::mem::replace(&mut self.is_pending[station.index()], true) {
            self.pending.push(station);
        }
    }

    fn relate(&mut self, a: StationId, b: StationId) {
        if self.together.insert(a.index(), b.index()) {
            self.together.insert(b.index(), a.index());
            self.revisit(a);
            self.revisit(b);
        }
    }

    fn relate_all(&mut self, station: StationId, others: &[u64]) {
        let known = self.together.row(station.index());
        let new: Vec<u64> = others.iter().zip(known).map(|(other, known)| other & !known).collect();
        if new.iter().all(|&word| word == 0) {
            return;
        }
        self.together.union_row(station.index(), &new);
        self.revisit(station);
        for other in ones(&new) {
            self.together.insert(other, station.index());
            self.revisit(StationId::new(other));
        }
    }
}
