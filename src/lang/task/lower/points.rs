//! The moves of a task at each of its control points.

use super::select::{self, Alternative};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::lang::task::program::{Action, EntryId, PointId, Program, Role, SiteId, Task};
use std::collections::HashSet;

/// A control point.
#[derive(Debug, Default)]
pub(super) struct Point {
    /// Moves in the order of the text, `else` last.
    pub moves: Vec<Move>,
    /// Whether the task may stay here forever, because it has ended or waits at
    /// a `select!` with `terminate`.
    pub may_stay: bool,
}

/// A move between two points. Numbers are those of edges.
#[derive(Debug)]
pub(super) enum Move {
    /// Moves to another point, always enabled and without effect.
    Silent(usize),
    /// An action, after tests that are true in the same step.
    Action(Alternative),
    /// The `else` of a `select!`.
    Otherwise(usize),
    /// Ends the body of an accept.
    BodyEnd(usize),
    /// An error of the run, by its number, after tests that are true in the same
    /// step.
    Panic { tests: Vec<usize>, panic: usize },
}

/// Edges and panics that leave each point, by number.
pub(super) struct Exits {
    pub out: Vec<Vec<usize>>,
    pub panics: Vec<Vec<usize>>,
}

/// The points of one task.
#[derive(Debug)]
pub(super) struct Points<'a> {
    program: &'a Program,
    /// The task.
    pub task: &'a Task,
    points: Vec<Point>,
}

impl<'a> Points<'a> {
    /// Computes the moves of a task. Edges without an action are silent, and so
    /// are events that are not in `labels`, if it is given.
    pub fn new(
        program: &'a Program,
        task: &'a Task,
        labels: Option<&HashSet<String>>,
    ) -> Result<Self, Diagnostic> {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); task.n_points];
        for (index, edge) in task.edges.iter().enumerate() {
            out[edge.from.index()].push(index);
        }
        let mut panics: Vec<Vec<usize>> = vec![Vec::new(); task.n_points];
        for (index, panic) in task.panics.iter().enumerate() {
            panics[panic.from.index()].push(index);
        }
        let exits = Exits { out, panics };
        let plain = |index: usize, site: SiteId| match &task.edges[index].action {
            Action::Silent => Move::Silent(index),
            Action::Event(label) if labels.is_some_and(|it| !it.contains(label)) => Move::Silent(index),
            _ => Move::Action(Alternative { tests: Vec::new(), edge: index, site }),
        };
        let selects: HashSet<PointId> = task.selects.iter().copied().collect();
        let mut all = Self { program, task, points: Vec::new() };
        for point in (0..task.n_points).map(PointId::new) {
            checkpoint();
            let mut found = Point { may_stay: point == task.end, ..Point::default() };
            let mut otherwise = Vec::new();
            for &index in &exits.out[point.index()] {
                match task.edges[index].role {
                    Role::Otherwise => otherwise.push(Move::Otherwise(index)),
                    Role::Terminate => found.may_stay = true,
                    Role::Plain | Role::OutOfRange if selects.contains(&point) => {
                        let span = all.span_of(task.edges[index].site);
                        match select::alternatives(task, &exits, point, index, span)? {
                            Some(them) => found.moves.extend(them),
                            None => found.moves.push(plain(index, task.edges[index].site)),
                        }
                    }
                    Role::Plain | Role::OutOfRange => {
                        let site = select::statement(program, task, &exits, index);
                        match select::waits(task, &exits, (index, site), all.span_of(site))? {
                            Some(them) => found.moves.extend(them),
                            None => found.moves.push(plain(index, site)),
                        }
                    }
                }
            }
            let panics = exits.panics[point.index()].iter();
            found.moves.extend(panics.map(|&panic| Move::Panic { tests: Vec::new(), panic }));
            found.moves.extend(otherwise);
            all.points.push(found);
        }
        for (index, edge) in task.edges.iter().enumerate() {
            if let Action::Accept { body: Some((_, last)), .. } = &edge.action {
                all.points[last.index()].moves.push(Move::BodyEnd(index));
            }
        }
        Ok(all)
    }

    pub fn at(&self, point: PointId) -> &Point {
        &self.points[point.index()]
    }

    /// Returns the position of a statement.
    pub fn span_of(&self, site: SiteId) -> Span {
        self.program.sites[site.index()].span
    }

    /// Returns the position of the first statement at a point.
    pub fn span_at(&self, point: PointId) -> Span {
        let first = self.at(point).moves.first();
        let site = |it: &Move| match it {
            Move::Silent(edge) | Move::Otherwise(edge) | Move::BodyEnd(edge) => self.task.edges[*edge].site,
            Move::Action(alternative) => alternative.site,
            Move::Panic { panic, .. } => self.task.panics[*panic].site,
        };
        let blocked = || self.task.blocked.iter().find(|(it, _)| *it == point).map(|(_, site)| *site);
        let site = first.map(site).or_else(blocked);
        site.map_or(self.task.span, |it| self.span_of(it))
    }

    /// Returns the targets of the silent moves of a point.
    pub fn silent(&self, point: PointId) -> impl Iterator<Item = PointId> {
        self.silent_edges(point).map(|edge| self.task.edges[edge].to)
    }

    /// Returns the edges of the silent moves of a point.
    pub fn silent_edges(&self, point: PointId) -> impl Iterator<Item = usize> {
        self.at(point).moves.iter().filter_map(|it| match it {
            Move::Silent(edge) => Some(*edge),
            _ => None,
        })
    }

    /// Returns whether a point has an `else`.
    pub fn has_else(&self, point: PointId) -> bool {
        self.at(point).moves.iter().any(|it| matches!(it, Move::Otherwise(_)))
    }

    /// Returns whether a point is strictly inside an atomic block.
    pub fn is_atomic(&self, point: PointId) -> bool {
        self.task.atomic[point.index()]
    }

    /// Returns the calls and accepts that a task offers at a point.
    pub fn offers(&self, point: PointId) -> impl Iterator<Item = Offer> {
        self.at(point).moves.iter().filter_map(|it| match it {
            Move::Action(alternative) => match self.task.edges[alternative.edge].action {
                Action::Call { entry } => Some(Offer::Call(entry)),
                Action::Accept { entry, .. } => Some(Offer::Accept(entry)),
                _ => None,
            },
            _ => None,
        })
    }
}

/// One side of a rendezvous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Offer {
    Call(EntryId),
    Accept(EntryId),
}

impl Offer {
    fn counterpart(self) -> Self {
        match self {
            Self::Call(entry) => Self::Accept(entry),
            Self::Accept(entry) => Self::Call(entry),
        }
    }
}

/// Returns the offers that make an `else` impossible: it matters when a task
/// becomes ready for one of them.
pub(super) fn noticed(tasks: &[Points]) -> HashSet<Offer> {
    let points = |task: &Points| (0..task.points.len()).map(PointId::new).collect::<Vec<_>>();
    let with_else = tasks.iter().flat_map(|it| points(it).into_iter().map(move |point| (it, point)));
    with_else
        .filter(|(task, point)| task.has_else(*point))
        .flat_map(|(task, point)| task.offers(point).map(Offer::counterpart).collect::<Vec<_>>())
        .collect()
}
