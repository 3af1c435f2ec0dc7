//! From the control points of a task to the locations of its process.
//!
//! A silent edge is always enabled and changes nothing, so it need not be a
//! step. How many remain depends on [`Steps`]:
//!
//! - With [`Steps::Actions`] a task never stays at a point that it can only
//!   leave silently. An action leads to every point that the task can reach by
//!   the silent edges after it: the choice among them is part of the action.
//! - With [`Steps::Events`] no such choice is made. A location is the set of
//!   points that silent edges lead to, and has the actions of all of them.
//!
//! Some silent edges remain steps, since it matters when they are taken:
//!
//! - those that lead into an atomic block, where no other task moves any more;
//! - those that lead to a call or accept that some `else` depends on: before,
//!   the `else` is enabled, and afterwards it is not;
//! - with [`Steps::Actions`] one of every cycle, so that the infinite run
//!   remains;
//! - those that leave the first point, since a process begins at one location.

use super::Steps;
use super::points::{Move, Offer, Points};
use super::silent::{is_noticed, rested_at, resting};
use crate::base::cancel::checkpoint;
use crate::diag::Span;
use crate::lang::task::program::{EntryId, PointId, SiteId};
use crate::net::LocationId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The locations of one process; the first one is initial.
pub(super) struct Locations<'a> {
    points: &'a Points<'a>,
    rule: Rule<'a>,
    all: Vec<Place>,
    numbers: HashMap<Key, LocationId>,
    /// By point, the locations where a task can be after reaching it.
    arrivals: HashMap<PointId, Vec<LocationId>>,
}

/// Which points become locations.
enum Rule<'a> {
    /// All of them.
    Every,
    /// The marked points.
    Resting(Vec<bool>),
    /// Sets of points, and points that are separate locations: those that are
    /// noticed and, if `with_ends`, those where a task may stay.
    Sets { noticed: &'a HashSet<Offer>, with_ends: bool },
}

/// The key of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Point(PointId),
    /// The set that silent edges from a point lead to.
    Set(PointId),
    Wait(EntryId, PointId),
}

/// Kinds of locations.
enum Place {
    /// One point, with everything that leaves it.
    Point(PointId),
    /// Several points, with the actions of all of them.
    Set {
        members: BTreeSet<PointId>,
        /// Points that a silent step leads to, each with the edge of that step.
        later: BTreeMap<PointId, usize>,
        is_atomic: bool,
    },
    /// A caller waits for the end of a body, then continues at a point.
    Wait { entry: EntryId, to: PointId, site: SiteId },
}

/// The points reachable by silent edges. Points that are locations are stored
/// with the last edge of a shortest path to them.
#[derive(Default)]
struct Reach {
    /// Points with actions.
    members: BTreeSet<PointId>,
    /// Points for which it matters when a task reaches them.
    later: BTreeMap<PointId, usize>,
    /// Other points that are locations: a task goes there at once, or never.
    apart: BTreeMap<PointId, usize>,
}

/// A transition that leaves a location.
pub(super) enum Exit<'a> {
    /// A move of a point.
    Move(&'a Move),
    /// A silent step to a point. It is shown as its last edge, so that it is a
    /// step of the model.
    Silent { edge: usize, to: PointId },
    /// The body of an accept has ended, and its caller continues.
    Served { entry: EntryId, to: PointId, site: SiteId },
}

impl<'a> Locations<'a> {
    /// Creates the first location; others are added when they are reached.
    pub fn new(points: &'a Points<'a>, steps: &Steps, noticed: &'a HashSet<Offer>) -> Self {
        let rule = match steps {
            Steps::Edges => Rule::Every,
            Steps::Actions => Rule::Resting(resting(points, noticed)),
            Steps::Events { with_ends, .. } => Rule::Sets { noticed, with_ends: *with_ends },
        };
        let (all, numbers, arrivals) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut this = Self { points, rule, all, numbers, arrivals };
        let start = points.task.start;
        let first = match this.is_in_set(start) {
            true => {
                let Reach { members, mut later, apart } = this.reach(start);
                later.extend(apart);
                let place = Place::Set { members, later, is_atomic: false };
                this.number(Key::Set(start), place)
            }
            false => this.number(Key::Point(start), Place::Point(start)),
        };
        this.arrivals.insert(start, vec![first]);
        this
    }

    /// Returns the number of locations so far.
    pub fn n_locations(&self) -> usize {
        self.all.len()
    }

    /// Returns the locations of a task that reaches a point.
    pub fn arrive(&mut self, point: PointId) -> Vec<LocationId> {
        if let Some(known) = self.arrivals.get(&point) {
            return known.clone();
        }
        checkpoint();
        let found = match &self.rule {
            Rule::Every => vec![self.at(point)],
            Rule::Resting(resting) => {
                let points = rested_at(self.points, resting, point);
                points.into_iter().map(|it| self.at(it)).collect()
            }
            Rule::Sets { .. } if !self.is_in_set(point) => vec![self.at(point)],
            Rule::Sets { .. } if self.points.is_atomic(point) => self.arrive_inside(point),
            Rule::Sets { .. } => self.arrive_outside(point),
        };
        self.arrivals.insert(point, found.clone());
        found
    }

    /// Returns the location where a caller waits for the end of a body.
    pub fn wait(&mut self, entry: EntryId, to: PointId, site: SiteId) -> LocationId {
        self.number(Key::Wait(entry, to), Place::Wait { entry, to, site })
    }

    /// Returns everything that leaves a location.
    pub fn exits(&self, location: LocationId) -> Vec<Exit<'a>> {
        let points = self.points;
        match &self.all[location.index()] {
            Place::Point(point) => points.at(*point).moves.iter().map(Exit::Move).collect(),
            Place::Set { members, later, .. } => {
                let moves = members.iter().flat_map(|it| &points.at(*it).moves);
                let actions = moves.filter(|it| !matches!(it, Move::Silent(_))).map(Exit::Move);
                actions.chain(later.iter().map(|(&to, &edge)| Exit::Silent { edge, to })).collect()
            }
            Place::Wait { entry, to, site } => {
                vec![Exit::Served { entry: *entry, to: *to, site: *site }]
            }
        }
    }

    /// Returns the position of the first statement at a location.
    pub fn span(&self, location: LocationId) -> Span {
        let point = match &self.all[location.index()] {
            Place::Point(point) => Some(*point),
            Place::Set { members, later, .. } => members.iter().chain(later.keys()).next().copied(),
            Place::Wait { site, .. } => return self.points.span_of(*site),
        };
        point.map_or(self.points.task.span, |it| self.points.span_at(it))
    }

    /// Returns whether a location is strictly inside an atomic block.
    pub fn is_atomic(&self, location: LocationId) -> bool {
        match &self.all[location.index()] {
            Place::Point(point) => self.points.is_atomic(*point),
            Place::Set { is_atomic, .. } => *is_atomic,
            Place::Wait { .. } => false,
        }
    }

    /// Returns whether a task may stay at a location forever. Where that
    /// matters, no such point is in a set.
    pub fn may_stay(&self, location: LocationId) -> bool {
        matches!(self.all[location.index()], Place::Point(point) if self.points.at(point).may_stay)
    }

    /// Returns the location where the task has ended, if there is one.
    pub fn end(&self) -> Option<LocationId> {
        self.numbers.get(&Key::Point(self.points.task.end)).copied()
    }

    fn at(&mut self, point: PointId) -> LocationId {
        self.number(Key::Point(point), Place::Point(point))
    }

    fn number(&mut self, key: Key, place: Place) -> LocationId {
        let all = &mut self.all;
        *self.numbers.entry(key).or_insert_with(|| {
            all.push(place);
            LocationId::new(all.len() - 1)
        })
    }

    fn arrive_outside(&mut self, point: PointId) -> Vec<LocationId> {
        let Reach { members, later, apart } = self.reach(point);
        let mut found = Vec::new();
        // A task that can do nothing needs a location, too.
        if !members.is_empty() || !later.is_empty() || apart.is_empty() {
            found.push(self.number(Key::Set(point), Place::Set { members, later, is_atomic: false }));
        }
        found.extend(apart.into_keys().map(|it| self.at(it)));
        found
    }

    /// Returns the locations inside an atomic block, in which the task
    /// continues before any other task moves.
    fn arrive_inside(&mut self, point: PointId) -> Vec<LocationId> {
        let (mut members, mut outside) = (BTreeSet::new(), BTreeSet::new());
        let mut seen = HashSet::from([point]);
        let mut open = vec![point];
        while let Some(point) = open.pop() {
            if !self.points.is_atomic(point) {
                outside.insert(point);
                continue;
            }
            if self.has_actions(point) {
                members.insert(point);
            }
            open.extend(self.points.silent(point).filter(|it| seen.insert(*it)));
        }
        let mut found = BTreeSet::new();
        if !members.is_empty() || outside.is_empty() {
            let place = Place::Set { members, later: BTreeMap::new(), is_atomic: true };
            found.insert(self.number(Key::Set(point), place));
        }
        for point in outside {
            found.extend(self.arrive(point));
        }
        found.into_iter().collect()
    }

    /// Follows silent edges from a point, breadth first, up to points that are
    /// locations.
    fn reach(&self, start: PointId) -> Reach {
        let mut reach = Reach::default();
        if self.has_actions(start) {
            reach.members.insert(start);
        }
        let mut seen = HashSet::from([start]);
        let mut open = VecDeque::from([start]);
        while let Some(from) = open.pop_front() {
            for edge in self.points.silent_edges(from) {
                let point = self.points.task.edges[edge].to;
                if !seen.insert(point) {
                    continue;
                }
                if !self.is_in_set(point) {
                    let is_later = self.is_noticed(point);
                    let locations = if is_later { &mut reach.later } else { &mut reach.apart };
                    locations.insert(point, edge);
                    continue;
                }
                if self.has_actions(point) {
                    reach.members.insert(point);
                }
                open.push_back(point);
            }
        }
        reach
    }

    fn has_actions(&self, point: PointId) -> bool {
        self.points.at(point).moves.iter().any(|it| !matches!(it, Move::Silent(_)))
    }

    /// Returns whether a point can belong to a set.
    fn is_in_set(&self, point: PointId) -> bool {
        let Rule::Sets { with_ends, .. } = self.rule else { return false };
        let may_end = with_ends && self.points.at(point).may_stay;
        !may_end && !self.points.has_else(point) && !self.is_noticed(point)
    }

    fn is_noticed(&self, point: PointId) -> bool {
        matches!(self.rule, Rule::Sets { noticed, .. } if is_noticed(self.points, noticed, point))
    }
}
