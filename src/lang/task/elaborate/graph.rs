//! The control graph of one task during its construction.

use crate::lang::task::program::{Action, Edge, Panic, PointId, SiteId};
use std::collections::HashSet;

/// Points and edges. The end is point 0 until [`Graph::finish`] renumbers them.
pub struct Graph {
    edges: Vec<Edge>,
    /// Whether a point can be reached, by point.
    live: Vec<bool>,
    panics: Vec<Panic>,
    /// Statements that can never be executed.
    blocked: Vec<(PointId, SiteId)>,
    /// The points where a `select!` begins.
    selects: Vec<PointId>,
    /// The `wait!` between whose tests a point is, by point.
    waiting: Vec<Option<SiteId>>,
    /// Whether a point is strictly inside an atomic block, by point.
    atomic: Vec<bool>,
}

/// A finished control graph.
pub struct Finished {
    pub n_points: usize,
    pub start: PointId,
    pub end: PointId,
    pub edges: Vec<Edge>,
    pub panics: Vec<Panic>,
    pub blocked: Vec<(PointId, SiteId)>,
    pub selects: Vec<PointId>,
    /// The `wait!` between whose tests a point is, by point.
    pub waiting: Vec<Option<SiteId>>,
    /// Whether a point is strictly inside an atomic block, by point.
    pub atomic: Vec<bool>,
}

impl Graph {
    pub const END: PointId = PointId(0);
    pub const START: PointId = PointId(1);

    pub fn new() -> Self {
        Self {
            edges: Vec::new(),
            live: vec![false, true],
            panics: Vec::new(),
            blocked: Vec::new(),
            selects: Vec::new(),
            waiting: vec![None; 2],
            atomic: vec![false; 2],
        }
    }

    pub fn point(&mut self) -> PointId {
        self.live.push(false);
        self.waiting.push(None);
        self.atomic.push(false);
        PointId::new(self.live.len() - 1)
    }

    pub fn is_live(&self, point: PointId) -> bool {
        self.live[point.index()]
    }

    /// Returns all edges so far.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Marks points that are strictly inside an atomic block.
    pub fn mark_atomic(&mut self, points: &HashSet<PointId>) {
        for point in points {
            self.atomic[point.index()] = true;
        }
    }

    /// Marks the start of an accept body as reachable, since no edge leads to
    /// it.
    pub fn enliven(&mut self, point: PointId) {
        self.live[point.index()] = true;
    }

    pub fn edge(&mut self, edge: Edge) {
        self.live[edge.to.index()] = true;
        self.edges.push(edge);
    }

    pub fn panic(&mut self, panic: Panic) {
        self.panics.push(panic);
    }

    /// Records a statement that can never be executed.
    pub fn never(&mut self, point: PointId, site: SiteId) {
        self.blocked.push((point, site));
    }

    /// Records that a `select!` begins at a point.
    pub fn select(&mut self, point: PointId) {
        self.selects.push(point);
    }

    /// Returns the next point that is created.
    pub fn next_point(&self) -> PointId {
        PointId::new(self.live.len())
    }

    /// Marks the points since `first` as between the tests of a `wait!`.
    pub fn wait_since(&mut self, first: PointId, site: SiteId) {
        self.waiting[first.index()..].fill(Some(site));
    }

    /// Replaces each edge by the ones that `resolve` returns for it.
    pub fn expand(&mut self, mut resolve: impl FnMut(Edge) -> Vec<Edge>) {
        for edge in std::mem::take(&mut self.edges) {
            let (from, site, n_before) = (edge.from, edge.site, self.edges.len());
            self.edges.extend(resolve(edge));
            if self.edges.len() == n_before {
                self.never(from, site);
            }
        }
    }

    /// Contracts points with a single silent edge, removes unreachable points
    /// and numbers the others in the order of their creation, the end last.
    pub fn finish(mut self) -> Finished {
        let target = self.contracted();
        let root = |point: PointId| target[point.index()];
        // The only edge of a contracted point is removed with it. A silent
        // self-loop is kept: it is a loop without actions.
        self.edges.retain(|edge| root(edge.from) == edge.from);
        for edge in &mut self.edges {
            (edge.from, edge.to) = (root(edge.from), root(edge.to));
            if let Action::Accept { body: Some((start, end)), .. } = &mut edge.action {
                (*start, *end) = (root(*start), root(*end));
            }
        }
        self.selects.iter_mut().for_each(|it| *it = root(*it));
        self.panics.iter_mut().for_each(|it| it.from = root(it.from));
        self.blocked.iter_mut().for_each(|(point, _)| *point = root(*point));
        let start = root(Self::START);
        let reached = self.reached(start);
        let mut silent = HashSet::new();
        self.edges.retain(|edge| {
            let is_new = edge.action != Action::Silent || silent.insert((edge.from, edge.to, edge.role));
            reached[edge.from.index()] && is_new
        });
        self.renumbered(start, &reached)
    }

    /// Returns, for each point, the point that replaces it. A point whose only
    /// edge is silent is replaced by its successor, unless that edge leads into
    /// an atomic block, before which the other tasks may move.
    fn contracted(&self) -> Vec<PointId> {
        let n_points = self.live.len();
        let mut only: Vec<Option<PointId>> = vec![None; n_points];
        let mut n_out = vec![0u32; n_points];
        for edge in &self.edges {
            n_out[edge.from.index()] += 1;
            only[edge.from.index()] = (edge.action == Action::Silent).then_some(edge.to);
        }
        for panic in &self.panics {
            n_out[panic.from.index()] += 1;
            only[panic.from.index()] = None;
        }
        let next = |point: PointId| match n_out[point.index()] {
            1 => only[point.index()].filter(|to| self.atomic[point.index()] || !self.atomic[to.index()]),
            _ => None,
        };
        let mut target: Vec<Option<PointId>> = vec![None; n_points];
        for point in (0..n_points).map(PointId::new) {
            let mut path = vec![point];
            let mut last = point;
            let mut on_path = HashSet::from([point]);
            while let (None, Some(successor)) = (target[last.index()], next(last)) {
                if !on_path.insert(successor) {
                    break;
                }
                path.push(successor);
                last = successor;
            }
            let root = target[last.index()].unwrap_or(last);
            for passed in path {
                target[passed.index()] = Some(root);
            }
        }
        target.into_iter().map(|root| root.unwrap_or(Self::END)).collect()
    }

    fn reached(&self, start: PointId) -> Vec<bool> {
        let mut successors: Vec<Vec<PointId>> = vec![Vec::new(); self.live.len()];
        for edge in &self.edges {
            successors[edge.from.index()].push(edge.to);
            if let Action::Accept { body: Some((first, last)), .. } = edge.action {
                successors[edge.from.index()].extend([first, last]);
            }
        }
        let mut reached = vec![false; self.live.len()];
        let mut open = vec![start];
        while let Some(point) = open.pop() {
            if !std::mem::replace(&mut reached[point.index()], true) {
                open.extend(&successors[point.index()]);
            }
        }
        reached
    }

    fn renumbered(self, start: PointId, reached: &[bool]) -> Finished {
        let mut number = vec![PointId::default(); self.live.len()];
        let mut n_points = 0;
        let in_order = (1..self.live.len()).filter(|point| reached[*point]).chain([Self::END.index()]);
        for point in in_order {
            number[point] = PointId::new(n_points);
            n_points += 1;
        }
        let mut edges = self.edges;
        for edge in &mut edges {
            (edge.from, edge.to) = (number[edge.from.index()], number[edge.to.index()]);
            if let Action::Accept { body: Some((first, last)), .. } = &mut edge.action {
                (*first, *last) = (number[first.index()], number[last.index()]);
            }
        }
        let mut panics = self.panics;
        panics.retain(|it| reached[it.from.index()]);
        panics.iter_mut().for_each(|it| it.from = number[it.from.index()]);
        let mut blocked = self.blocked;
        blocked.retain(|(point, _)| reached[point.index()]);
        blocked.iter_mut().for_each(|(point, _)| *point = number[point.index()]);
        let mut selects: Vec<PointId> = self.selects.into_iter().filter(|it| reached[it.index()]).collect();
        selects.iter_mut().for_each(|it| *it = number[it.index()]);
        selects.sort_unstable();
        selects.dedup();
        let (mut waiting, mut atomic) = (vec![None; n_points], vec![false; n_points]);
        for point in (0..reached.len()).filter(|point| reached[*point]) {
            let number = number[point].index();
            (waiting[number], atomic[number]) = (self.waiting[point], self.atomic[point]);
        }
        let (start, end) = (number[start.index()], number[Self::END.index()]);
        Finished { n_points, start, end, edges, panics, blocked, selects, waiting, atomic }
    }
}
