//! Points that a task does not stay at, since it can only leave them silently.

use super::points::{Move, Offer, Points};
use crate::lang::task::program::PointId;
use std::collections::{BTreeSet, HashSet};

/// Returns whether a task at a point is ready for a rendezvous that an `else`
/// depends on.
pub(super) fn is_noticed(points: &Points, noticed: &HashSet<Offer>, point: PointId) -> bool {
    points.offers(point).any(|it| noticed.contains(&it))
}

/// Returns, for each point, whether a task stays there between two steps.
pub(super) fn resting(points: &Points, noticed: &HashSet<Offer>) -> Vec<bool> {
    let all = (0..points.task.n_points).map(PointId::new);
    let mut resting: Vec<bool> = all.map(|it| !is_passed(points, noticed, it)).collect();
    keep_one_per_cycle(points, &mut resting);
    resting
}

fn is_passed(points: &Points, noticed: &HashSet<Offer>, point: PointId) -> bool {
    let at = points.at(point);
    let matters =
        |to: PointId| is_noticed(points, noticed, to) || points.is_atomic(to) && !points.is_atomic(point);
    point != points.task.start
        && !at.may_stay
        && !at.moves.is_empty()
        && at.moves.iter().all(|it| matches!(it, Move::Silent(_)))
        && !points.silent(point).any(matters)
}

/// Marks a point of every cycle of points that are not marked, depth first.
fn keep_one_per_cycle(points: &Points, marked: &mut [bool]) {
    let mut is_open = vec![false; marked.len()];
    let mut is_done = vec![false; marked.len()];
    for root in (0..marked.len()).map(PointId::new) {
        let mut path = vec![(root, points.silent(root).collect::<Vec<_>>())];
        while let Some((point, next)) = path.last_mut() {
            let index = point.index();
            if marked[index] || is_done[index] {
                path.pop();
                continue;
            }
            is_open[index] = true;
            match next.pop() {
                Some(to) if is_open[to.index()] => marked[to.index()] = true,
                Some(to) => path.push((to, points.silent(to).collect())),
                None => {
                    is_open[index] = false;
                    is_done[index] = true;
                }
            }
        }
    }
}

/// Returns the points where a task stays after silent edges from a point.
pub(super) fn rested_at(points: &Points, resting: &[bool], start: PointId) -> BTreeSet<PointId> {
    let mut found = BTreeSet::new();
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(point) = open.pop() {
        match resting[point.index()] {
            true => _ = found.insert(point),
            false => open.extend(points.silent(point).filter(|it| seen.insert(*it))),
        }
    }
    found
}
