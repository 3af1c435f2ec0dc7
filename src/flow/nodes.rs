//! The nodes of a trace flow graph and the stations between them.
//!
//! A *station* is the position of a task between two nodes: its start, or the
//! control point after a node. A node is *enabled* at a station if it can be
//! reached from there through silent actions. Irrelevant actions become silent
//! before anything else is computed: a node that no automaton observes would be
//! a hub at which the graph loses the past of its task.

use crate::base::cancel::checkpoint;
use crate::define_id;
use crate::lang::task::program::{Action, EntryId, PointId, Program, SiteId, TaskId, VariableId};
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};

define_id!(
    /// A node of a trace flow graph.
    NodeId
);
define_id!(
    /// A station of a task.
    StationId
);

/// Actions that are relevant for a question.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// Labels of a property or a context constraint.
    pub labels: HashSet<String>,
    /// Variables with an automaton.
    pub variables: HashSet<VariableId>,
}

/// Identity of a node, which is the same in all graphs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKey {
    /// An edge of one task.
    Local {
        /// The task.
        task: TaskId,
        /// Index of the edge in the task.
        edge: u32,
    },
    /// A rendezvous, or its beginning or end.
    Rendezvous {
        /// Calling task and the index of its call.
        caller: (TaskId, u32),
        /// Accepting task and the index of its accept.
        acceptor: (TaskId, u32),
        /// Part of the rendezvous.
        part: RendezvousPart,
    },
    /// The end of a task.
    End(TaskId),
}

/// Which part of a rendezvous a communication node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RendezvousPart {
    /// The whole rendezvous: the accept has no body.
    Whole,
    /// The caller begins to wait and the body starts.
    Begin,
    /// The body has ended and the caller continues.
    End,
}

/// A node: one action of a task, or a rendezvous of two.
#[derive(Clone, Debug)]
pub struct Node {
    /// Identity across graphs.
    pub key: NodeKey,
    /// Event; `None` for the end of a task.
    pub label: Option<String>,
    /// Variable that it reads or writes.
    pub variable: Option<VariableId>,
    /// One side per task: caller first, acceptor second.
    pub sides: Vec<Side>,
    /// Whether it is part of an atomic block with other actions.
    pub atomic: bool,
}

/// Role of one task in a node.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The task.
    pub task: TaskId,
    /// Station of the task afterwards.
    pub to: StationId,
    /// Source location; `None` for the end of a task.
    pub site: Option<SiteId>,
}

/// A station and its enabled nodes.
#[derive(Clone, Debug)]
pub struct Station {
    /// The task.
    pub task: TaskId,
    /// Nodes enabled here, each with the side of this task.
    pub enabled: Vec<(NodeId, usize)>,
    /// Nodes enabled here only while the task is strictly inside an atomic
    /// block: no other task has moved since it arrived.
    pub held: Vec<NodeId>,
    /// Whether other tasks can move while this one is here: not if it is
    /// strictly inside an atomic block and cannot leave it without a node.
    pub open: bool,
    /// Whether the task can end from here without another node.
    pub ends: bool,
    /// Control point, for reports.
    pub point: u32,
}

/// All nodes of a program that are relevant for a question.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Indexed by [`NodeId`].
    pub nodes: Vec<Node>,
    /// Indexed by [`StationId`].
    pub stations: Vec<Station>,
    /// First station of each task.
    pub starts: Vec<StationId>,
}

impl Relevance {
    /// Returns whether the action of an edge becomes a node; otherwise it is
    /// silent.
    pub fn keeps(&self, program: &Program, task: TaskId, edge: usize) -> bool {
        match &program.tasks[task.index()].edges[edge].action {
            Action::Silent => false,
            Action::Call { .. } | Action::Accept { .. } => true,
            Action::Test { variable, .. }
            | Action::Assign { variable, .. }
            | Action::Shift { variable, .. }
                if self.variables.contains(variable) =>
            {
                true
            }
            _ if self.labels.is_empty() => false,
            _ => program.edge_label(task, edge).is_some_and(|label| self.labels.contains(label)),
        }
    }

    /// Returns the actions that are relevant for either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.labels.extend(other.labels.iter().cloned());
        both.variables.extend(&other.variables);
        both
    }
}

impl Nodes {
    /// Numbers the stations so that those of a task are contiguous: a set of
    /// stations of one task then needs few words of a row of bits.
    fn with_tasks_together(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.stations.len()).collect();
        order.sort_by_key(|&old| self.stations[old].task);
        let mut new_id = vec![StationId::default(); order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_id[old] = StationId::new(new);
        }
        for side in self.nodes.iter_mut().flat_map(|node| &mut node.sides) {
            side.to = new_id[side.to.index()];
        }
        self.starts.iter_mut().for_each(|start| *start = new_id[start.index()]);
        self.stations.sort_by_key(|station| station.task);
        self
    }

    /// Collects the nodes of a program, with a node for the end of each task if
    /// `end_nodes`.
    pub fn new(program: &Program, relevance: &Relevance, end_nodes: bool) -> Self {
        let mut builder = Builder::new(program, relevance);
        builder.local_nodes();
        builder.communication_nodes();
        if end_nodes {
            builder.end_nodes();
        }
        builder.finish()
    }
}

/// A node whose stations are still control points. Points beyond those of the
/// program are points at which a caller waits for a body to end.
struct Draft {
    key: NodeKey,
    label: Option<String>,
    variable: Option<VariableId>,
    sides: Vec<DraftSide>,
}

struct DraftSide {
    task: TaskId,
    from: u32,
    to: u32,
    site: Option<SiteId>,
}

struct Builder<'a> {
    program: &'a Program,
    relevance: &'a Relevance,
    drafts: Vec<Draft>,
    /// Number of points per task, including private waiting points.
    n_points: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, relevance: &'a Relevance) -> Self {
        let n_points = program.tasks.iter().map(|task| task.n_points as u32).collect();
        Self { program, relevance, drafts: Vec::new(), n_points }
    }

    fn task_ids(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.program.tasks.len()).map(TaskId::new)
    }

    fn fresh_point(&mut self, task: TaskId) -> u32 {
        let point = &mut self.n_points[task.index()];
        *point += 1;
        *point - 1
    }

    fn local_nodes(&mut self) {
        for task in self.task_ids() {
            for (index, edge) in self.program.tasks[task.index()].edges.iter().enumerate() {
                checkpoint();
                let variable = match edge.action {
                    Action::Test { variable, .. }
                    | Action::Assign { variable, .. }
                    | Action::Shift { variable, .. } => Some(variable),
                    Action::Event(_) => None,
                    Action::Silent | Action::Call { .. } | Action::Accept { .. } => continue,
                };
                if self.relevance.keeps(self.program, task, index) {
                    self.drafts.push(Draft {
                        key: NodeKey::Local { task, edge: index as u32 },
                        label: self.program.edge_label(task, index).map(str::to_string),
                        variable,
                        sides: vec![DraftSide {
                            task,
                            from: edge.from.0,
                            to: edge.to.0,
                            site: Some(edge.site),
                        }],
                    });
                }
            }
        }
    }

    fn communication_nodes(&mut self) {
        let mut calls: IndexMap<EntryId, Vec<(TaskId, u32)>> = IndexMap::new();
        let mut accepts: IndexMap<EntryId, Vec<(TaskId, u32)>> = IndexMap::new();
        for task in self.task_ids() {
            for (index, edge) in self.program.tasks[task.index()].edges.iter().enumerate() {
                checkpoint();
                match edge.action {
                    Action::Call { entry } => calls.entry(entry).or_default().push((task, index as u32)),
                    Action::Accept { entry, .. } => {
                        accepts.entry(entry).or_default().push((task, index as u32));
                    }
                    _ => {}
                }
            }
        }
        for (entry, callers) in calls {
            for &caller in &callers {
                checkpoint();
                for &acceptor in accepts.get(&entry).map_or(&[][..], Vec::as_slice) {
                    if caller.0 != acceptor.0 {
                        self.rendezvous(entry, caller, acceptor);
                    }
                }
            }
        }
    }

    fn rendezvous(&mut self, entry: EntryId, caller: (TaskId, u32), acceptor: (TaskId, u32)) {
        let program = self.program;
        let edge = |(task, index): (TaskId, u32)| &program.tasks[task.index()].edges[index as usize];
        let (call, accept) = (edge(caller), edge(acceptor));
        let label = &program.entries[entry.index()].label;
        let waiting = self.fresh_point(caller.0);
        let mut push = |part, label: String, (call_from, call_to), (accept_from, accept_to): (u32, u32)| {
            self.drafts.push(Draft {
                key: NodeKey::Rendezvous { caller, acceptor, part },
                label: Some(label),
                variable: None,
                sides: vec![
                    DraftSide { task: caller.0, from: call_from, to: call_to, site: Some(call.site) },
                    DraftSide { task: acceptor.0, from: accept_from, to: accept_to, site: Some(accept.site) },
                ],
            });
        };
        match accept.action {
            Action::Accept { body: Some((PointId(start), PointId(end))), .. } => {
                push(RendezvousPart::Begin, label.clone(), (call.from.0, waiting), (accept.from.0, start));
                push(RendezvousPart::End, format!("{label}.end"), (waiting, call.to.0), (end, accept.to.0));
            }
            _ => push(
                RendezvousPart::Whole,
                label.clone(),
                (call.from.0, call.to.0),
                (accept.from.0, accept.to.0),
            ),
        }
    }

    fn end_nodes(&mut self) {
        for task in self.task_ids() {
            let from = self.program.tasks[task.index()].end.0;
            let to = self.fresh_point(task);
            let side = DraftSide { task, from, to, site: None };
            self.drafts.push(Draft {
                key: NodeKey::End(task),
                label: None,
                variable: None,
                sides: vec![side],
            });
        }
    }

    fn finish(self) -> Nodes {
        let mut by_source: Vec<Vec<Vec<(NodeId, usize)>>> =
            self.n_points.iter().map(|&n| vec![Vec::new(); n as usize]).collect();
        for (index, draft) in self.drafts.iter().enumerate() {
            for (number, side) in draft.sides.iter().enumerate() {
                by_source[side.task.index()][side.from as usize].push((NodeId::new(index), number));
            }
        }
        let ends = self.ends();
        let atomic = self.task_ids().map(|task| self.atomic_points(task)).collect::<Vec<_>>();
        let silent = self.task_ids().map(|task| self.silent_edges(task)).collect();
        let mut table =
            StationTable { silent, by_source, ends, atomic, stations: Vec::new(), of_point: HashMap::new() };
        let starts =
            self.task_ids().map(|task| table.get(task, self.program.tasks[task.index()].start.0)).collect();
        let mut node = |draft: Draft| Node {
            atomic: draft.sides.iter().any(|side| {
                let is_inside = &table.atomic[side.task.index()];
                is_inside[side.from as usize] || is_inside[side.to as usize]
            }),
            key: draft.key,
            label: draft.label,
            variable: draft.variable,
            sides: draft
                .sides
                .iter()
                .map(|side| Side { task: side.task, to: table.get(side.task, side.to), site: side.site })
                .collect(),
        };
        let nodes = self.drafts.into_iter().map(&mut node).collect();
        Nodes { nodes, stations: table.stations, starts }.with_tasks_together()
    }

    /// Returns the point of each task at which it has ended.
    fn ends(&self) -> Vec<u32> {
        let mut ends: Vec<u32> = self.program.tasks.iter().map(|task| task.end.0).collect();
        for draft in &self.drafts {
            if let NodeKey::End(task) = draft.key {
                ends[task.index()] = draft.sides[0].to;
            }
        }
        ends
    }

    /// Returns, per point, whether it is strictly inside an atomic block.
    fn atomic_points(&self, task: TaskId) -> Vec<bool> {
        let mut atomic = self.program.tasks[task.index()].atomic.clone();
        atomic.resize(self.n_points[task.index()] as usize, false);
        atomic
    }

    /// Returns, per point, the targets of its silent actions.
    fn silent_edges(&self, task: TaskId) -> Vec<Vec<u32>> {
        let mut targets = vec![Vec::new(); self.n_points[task.index()] as usize];
        for (index, edge) in self.program.tasks[task.index()].edges.iter().enumerate() {
            if !self.relevance.keeps(self.program, task, index) {
                targets[edge.from.index()].push(edge.to.0);
            }
        }
        targets
    }
}

/// Creates stations for control points on first use.
struct StationTable {
    silent: Vec<Vec<Vec<u32>>>,
    by_source: Vec<Vec<Vec<(NodeId, usize)>>>,
    ends: Vec<u32>,
    /// Per task and point, whether it is strictly inside an atomic block.
    atomic: Vec<Vec<bool>>,
    stations: Vec<Station>,
    of_point: HashMap<(TaskId, u32), StationId>,
}

impl StationTable {
    fn get(&mut self, task: TaskId, point: u32) -> StationId {
        if let Some(&id) = self.of_point.get(&(task, point)) {
            return id;
        }
        let reach = self.closure(task, &[point]);
        let nodes_at = &self.by_source[task.index()];
        let mut enabled: Vec<_> =
            reach.iter().flat_map(|&point| nodes_at[point as usize].iter().copied()).collect();
        enabled.sort_unstable();
        let ends = reach.contains(&self.ends[task.index()]);
        let (held, open) = self.held(task, &reach, &enabled);
        let id = StationId::new(self.stations.len());
        self.stations.push(Station { task, enabled, held, open, ends, point });
        self.of_point.insert((task, point), id);
        id
    }

    /// Returns the nodes `enabled` at a station that are enabled only strictly
    /// inside an atomic block, and whether the task can stay at a point outside.
    fn held(&self, task: TaskId, reach: &[u32], enabled: &[(NodeId, usize)]) -> (Vec<NodeId>, bool) {
        let is_inside = &self.atomic[task.index()];
        let outside: Vec<u32> = reach.iter().copied().filter(|&point| !is_inside[point as usize]).collect();
        if outside.len() == reach.len() {
            return (Vec::new(), true);
        }
        let nodes_at = &self.by_source[task.index()];
        let free: HashSet<NodeId> = self
            .closure(task, &outside)
            .iter()
            .flat_map(|&point| nodes_at[point as usize].iter().map(|(node, _)| *node))
            .collect();
        let held = enabled.iter().map(|(node, _)| *node).filter(|node| !free.contains(node)).collect();
        (held, !outside.is_empty())
    }

    /// Returns the points reached from `points` without passing a node.
    fn closure(&self, task: TaskId, points: &[u32]) -> Vec<u32> {
        checkpoint();
        let silent = &self.silent[task.index()];
        let mut seen: HashSet<u32> = points.iter().copied().collect();
        let mut order = points.to_vec();
        let mut next = 0;
        while let Some(&current) = order.get(next) {
            next += 1;
            order.extend(silent[current as usize].iter().filter(|&&target| seen.insert(target)));
        }
        order
    }
}
