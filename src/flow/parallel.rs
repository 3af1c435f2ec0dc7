//! Which stations of different tasks may be current at the same time.
//!
//! The data-flow analysis computes a relation between stations that contains
//! the pairwise projections of every reachable configuration: the starts are
//! related; a local node takes its task on while the others stay where they
//! are; a rendezvous needs its two partners related and takes along every
//! third station related to both. A station that is not open represents
//! a task strictly inside an atomic block: the others do not move beside it.
//! Nodes that are never enabled on the way are dead.

use super::nodes::{NodeId, Nodes, StationId};
use crate::base::bits::{BitMatrix, ones};
use std::collections::VecDeque;

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
    /// Runs the analysis, unless `stop` ends it.
    pub fn new(nodes: &Nodes, stop: &mut dyn FnMut() -> bool) -> Option<Self> {
        let mut analysis = Analysis::new(nodes);
        analysis.run(stop)?;
        Some(Self { together: analysis.together, enabling: analysis.enabling })
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

/// What is known of one node.
#[derive(Clone, Default)]
struct Progress {
    /// Stations at which each side is enabled.
    sources: [Vec<StationId>; 2],
    /// Per pair of sources (or source of a local node): the sum of the
    /// versions of their rows when they last fired, or zero.
    fired: Vec<u32>,
}

struct Analysis<'a> {
    nodes: &'a Nodes,
    together: BitMatrix,
    /// One row: the stations beside which other tasks may move.
    open: BitMatrix,
    /// Per station: how often its row has grown. Starts at one, so that the
    /// version of what never fired differs.
    version: Vec<u32>,
    progress: Vec<Progress>,
    /// Per station and enabled node: its place among the node's sources.
    places: Vec<Vec<u32>>,
    enabling: Vec<Vec<[StationId; 2]>>,
    pending: VecDeque<StationId>,
    is_pending: Vec<bool>,
    is_reached: Vec<bool>,
}

impl<'a> Analysis<'a> {
    fn new(nodes: &'a Nodes) -> Self {
        let n_stations = nodes.stations.len();
        let mut progress = vec![Progress::default(); nodes.nodes.len()];
        let mut places = Vec::new();
        for (index, station) in nodes.stations.iter().enumerate() {
            let mut place = |&(node, side): &(NodeId, usize)| {
                let sources = &mut progress[node.index()].sources[side];
                sources.push(StationId::new(index));
                sources.len() as u32 - 1
            };
            places.push(station.enabled.iter().map(&mut place).collect());
        }
        for one in &mut progress {
            one.fired = vec![0; one.sources[0].len() * one.sources[1].len().max(1)];
        }
        let mut open = BitMatrix::new(1, n_stations);
        for (index, _) in nodes.stations.iter().enumerate().filter(|(_, station)| station.open) {
            open.insert(0, index);
        }
        Self {
            nodes,
            open,
            together: BitMatrix::new(n_stations, n_stations),
            version: vec![1; n_stations],
            progress,
            places,
            enabling: vec![Vec::new(); nodes.nodes.len()],
            pending: VecDeque::new(),
            is_pending: vec![false; n_stations],
            is_reached: vec![false; n_stations],
        }
    }

    fn run(&mut self, stop: &mut dyn FnMut() -> bool) -> Option<()> {
        let starts = &self.nodes.starts;
        for (index, &start) in starts.iter().enumerate() {
            self.reach(start);
            for &other in &starts[..index] {
                self.relate(start, other);
            }
        }
        while let Some(station) = self.pending.pop_front() {
            self.is_pending[station.index()] = false;
            if stop() {
                return None;
            }
            let enabled = &self.nodes.stations[station.index()].enabled;
            for (number, &(node, side)) in enabled.iter().enumerate() {
                let place = self.places[station.index()][number] as usize;
                if self.nodes.nodes[node.index()].sides.len() == 1 {
                    self.fire_local(node, station, place);
                } else {
                    self.fire_rendezvous(node, side, station, place);
                }
            }
        }
        Some(())
    }

    fn fire_local(&mut self, node: NodeId, from: StationId, place: usize) {
        let version = self.version[from.index()];
        let fired = std::mem::replace(&mut self.progress[node.index()].fired[place], version);
        if fired == version {
            return;
        }
        let to = self.nodes.nodes[node.index()].sides[0].to;
        if fired == 0 {
            self.enabling[node.index()].push([from, from]);
            self.reach(to);
        }
        let others: Vec<u64> =
            self.together.row(from.index()).iter().zip(self.open.row(0)).map(|(a, open)| a & open).collect();
        self.relate_all(to, &others);
    }

    fn fire_rendezvous(&mut self, node: NodeId, side: usize, station: StationId, place: usize) {
        for partner_place in 0..self.progress[node.index()].sources[1 - side].len() {
            let progress = &mut self.progress[node.index()];
            let partner = progress.sources[1 - side][partner_place];
            if !self.together.contains(station.index(), partner.index()) {
                continue;
            }
            let (first, second) = if side == 0 { (place, partner_place) } else { (partner_place, place) };
            let version = self.version[station.index()] + self.version[partner.index()];
            let pair = first * progress.sources[1].len() + second;
            let fired = std::mem::replace(&mut progress.fired[pair], version);
            if fired != version {
                let by = if side == 0 { [station, partner] } else { [partner, station] };
                self.fire_pair(node, by, fired == 0);
            }
        }
    }

    fn fire_pair(&mut self, node: NodeId, by: [StationId; 2], is_first: bool) {
        let sides = &self.nodes.nodes[node.index()].sides;
        let (to, partner_to) = (sides[0].to, sides[1].to);
        if is_first {
            self.enabling[node.index()].push(by);
            self.reach(to);
            self.reach(partner_to);
            self.relate(to, partner_to);
        }
        let other = self.together.row(by[1].index());
        let both = self.together.row(by[0].index()).iter().zip(other).map(|(a, b)| a & b);
        let thirds: Vec<u64> = both.zip(self.open.row(0)).map(|(both, open)| both & open).collect();
        self.relate_all(to, &thirds);
        self.relate_all(partner_to, &thirds);
    }

    fn reach(&mut self, station: StationId) {
        if !std::mem::replace(&mut self.is_reached[station.index()], true) {
            self.revisit(station);
        }
    }

    fn revisit(&mut self, station: StationId) {
        if !std::mem::replace(&mut self.is_pending[station.index()], true) {
            self.pending.push_back(station);
        }
    }

    fn grew(&mut self, station: StationId) {
        self.version[station.index()] += 1;
        self.revisit(station);
    }

    fn relate(&mut self, a: StationId, b: StationId) {
        if self.together.insert(a.index(), b.index()) {
            self.together.insert(b.index(), a.index());
            self.grew(a);
            self.grew(b);
        }
    }

    fn relate_all(&mut self, station: StationId, others: &[u64]) {
        let known = self.together.row(station.index());
        let new: Vec<u64> = others.iter().zip(known).map(|(other, known)| other & !known).collect();
        if new.iter().all(|&word| word == 0) {
            return;
        }
        self.together.union_row(station.index(), &new);
        self.grew(station);
        for other in ones(&new) {
            self.together.insert(other, station.index());
            self.grew(StationId::new(other));
        }
    }
}
