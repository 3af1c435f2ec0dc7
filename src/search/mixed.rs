//! Breadth first with depth first beside it: the default for models.
//!
//! Breadth-first search finds shortest trails but may never reach a deep
//! violation; depth-first search finds deep ones, with long trails. Three
//! measures combine them, all in counts of work, so that runs repeat:
//!
//! 1. A *scout* searches depth first for a small share of the first million
//!    expansions. It keeps fingerprints of states only, for it proves nothing.
//! 2. After a million expansions the frontier is served at
//!    [both ends](super::open::both_ends).
//! 3. A violation that was not found in the order of layers is a bound: a
//!    breadth-first search below it either finds a shorter trail, or shows that
//!    there is none, or ends with its budget, and then the trail is reported
//!    as one that may not be shortest.
//!
//! A proof expands every state once, as breadth-first search does.

use super::depth_first::{DepthFirst, Pause, ROOM};
use super::explore::{Counters, Cut, End, Limits, Run, Stop, Watcher, explore, explore_both_ends};
use super::layers::breadth_first;
use super::strategy::Strategy;
use super::visited::Store;
use crate::system::{Abort, Successors, TransitionSystem, Word};

/// How the searches share the work.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    /// Expansions in the order of layers.
    after: u64,
    /// Expansions before the scout begins, and how many it makes at once then.
    head_start: u64,
    /// The scout makes one expansion for this number of others.
    share: u64,
    /// It makes this number of expansions at a time: each of the searches finds
    /// its own states in the caches of the processor then.
    batch: u64,
    /// Work of the search for a shorter trail, as of [`work`]; at least as much
    /// as was spent before.
    shortening: u64,
}

const SCHEDULE: Schedule =
    Schedule { after: 1_000_000, head_start: 8192, share: 64, batch: 2048, shortening: 5_000_000 };

/// Memory of the scout.
const SCOUT_BYTES: u64 = 256 << 20;

/// Part of the memory limit that the scout may use.
const SCOUT_PART: u64 = 16;

/// Searches `system`; `scout` is another view of it.
pub fn mixed<S: TransitionSystem>(
    system: &mut S,
    scout: Option<&mut S>,
    limits: Limits,
    watch: Watcher,
) -> Run {
    scheduled(system, scout, SCHEDULE, limits, watch)
}

fn scheduled<S: TransitionSystem>(
    system: &mut S,
    scout: Option<&mut S>,
    schedule: Schedule,
    limits: Limits,
    watch: Watcher,
) -> Run {
    let mut scout = scout.map(|it| Scout::new(it, schedule, limits));
    let run = explore_both_ends(system, schedule.after, limits, &mut |counters| match &mut scout {
        Some(scout) => scout.watch(counters, watch),
        None => watch(counters),
    });
    if let Some(abort) = scout.as_ref().and_then(|it| it.restart) {
        return Run { end: End::Aborted(abort), ..run };
    }
    match scout.and_then(|it| it.found(&run)) {
        Some((run, false)) => run,
        Some((run, true)) => shortened(system, run, schedule, limits, watch),
        None if run.shortest || !matches!(run.end, End::Found(_)) => run,
        None => shortened(system, run, schedule, limits, watch),
    }
}

/// Searches breadth first by several threads with a scout beside them.
pub fn mixed_by_threads<S: TransitionSystem + Send>(
    systems: Vec<S>,
    scout: &mut S,
    limits: Limits,
    watch: Watcher,
) -> (Run, Vec<S>) {
    // Threads search in layers to the end.
    let schedule = Schedule { after: u64::MAX, ..SCHEDULE };
    let mut scout = Scout::new(scout, schedule, limits);
    let mut layered = breadth_first(systems, limits, &mut |counters| scout.watch(counters, watch));
    let systems = std::mem::take(&mut layered.systems);
    let run = Run::from(layered);
    let run = match scout.restart {
        Some(abort) => Run { end: End::Aborted(abort), ..run },
        None => scout.found(&run).map_or(run, |(found, _)| found),
    };
    (run, systems)
}

/// How much a search has done, in successors of one word: wide ones cost more.
fn work(counters: &Counters, width: usize) -> u64 {
    counters.generated + counters.generated * width as u64 / 32
}

/// A depth-first search beside another one.
struct Scout<'a, S> {
    search: DepthFirst<'a, S>,
    schedule: Schedule,
    width: usize,
    is_over: bool,
    trail: Option<ScoutTrail>,
    /// Set if both searches must begin again.
    restart: Option<Abort>,
}

/// What a scout has found.
struct ScoutTrail {
    path: Vec<Vec<Word>>,
    /// In statements.
    length: u64,
    /// How much the other search may do to find a shorter one.
    budget: u64,
    /// Is none shorter?
    is_shortest: bool,
    /// Has the search for a shorter one ended before its budget?
    is_open: bool,
    /// What else ended the search for a shorter one.
    stop: Option<Stop>,
}

impl<'a, S: TransitionSystem> Scout<'a, S> {
    fn new(system: &'a mut S, schedule: Schedule, limits: Limits) -> Self {
        let bytes = limits.max_bytes.map_or(SCOUT_BYTES, |it| SCOUT_BYTES.min(it / SCOUT_PART));
        let limits = Limits { max_states: None, max_bytes: Some(bytes) };
        let width = system.width();
        let search = DepthFirst::new(system, Store::Compact, None, limits, ROOM);
        Self { search, schedule, width, is_over: false, trail: None, restart: None }
    }

    /// Watches the other search and does its own part meanwhile.
    fn watch(&mut self, counters: &Counters, watch: Watcher) -> Option<Stop> {
        if let Some(stop) = watch(counters) {
            if let Some(trail) = &mut self.trail {
                trail.stop = Some(stop);
            }
            return Some(stop);
        }
        // Later the other search goes deep itself.
        let is_its_time = (self.schedule.head_start..self.schedule.after).contains(&counters.expanded);
        if !self.is_over && is_its_time {
            self.advance(counters, watch);
            if self.restart.is_some() {
                return Some(Stop::States);
            }
        }
        let trail = self.trail.as_mut()?;
        let is_in_layers = counters.expanded <= self.schedule.after;
        // Every state of this layer was looked at when it was stored.
        trail.is_shortest = is_in_layers && trail.length <= counters.depth + 1;
        trail.is_open = !is_in_layers;
        let is_over = trail.is_shortest || trail.is_open || work(counters, self.width) > trail.budget;
        is_over.then_some(Stop::States)
    }

    fn advance(&mut self, counters: &Counters, watch: Watcher) {
        let until = self.schedule.head_start + counters.expanded / self.schedule.share;
        if until < self.search.counters.expanded + self.schedule.batch {
            return;
        }
        match self.search.advance(until, &mut |_| watch(counters)) {
            Pause::Expansions => return,
            Pause::Cut(Cut::Aborted(Abort::Restart)) => {
                self.restart = Some(Abort::Restart);
                return;
            }
            Pause::Over | Pause::Cut(_) => self.is_over = true,
        }
        let Some(path) = self.search.path() else { return };
        let spent = work(counters, self.width);
        self.trail = Some(ScoutTrail {
            length: length(self.search.system, &path),
            path,
            budget: spent.saturating_add(spent.max(self.schedule.shortening)),
            is_shortest: false,
            is_open: false,
            stop: None,
        });
    }

    /// The search with the scout's trail, unless it has found another one; and
    /// whether a shorter one is still to be looked for.
    fn found(self, run: &Run) -> Option<(Run, bool)> {
        let is_needed = !matches!(run.end, End::Found(_) | End::Aborted(Abort::Restart));
        let trail = self.trail.filter(|_| is_needed)?;
        let is_shortest = trail.is_shortest || run.end == End::Exhausted;
        let cut = trail.stop.map(Cut::Stopped);
        let found = Run::along(Some(trail.path), cut, run.counters, run.elapsed);
        Some((Run { shortest: is_shortest, ..found }, trail.is_open))
    }
}

/// Looks for a shorter trail than that of a search, breadth first.
fn shortened<S: TransitionSystem>(
    system: &mut S,
    mut found: Run,
    schedule: Schedule,
    limits: Limits,
    watch: Watcher,
) -> Run {
    let End::Found(goal) = found.end else { return found };
    let path: Vec<Vec<Word>> =
        found.space.path(goal).iter().map(|&id| found.space.state(id).to_vec()).collect();
    let length = length(system, &path);
    // Two spaces at once would be more memory than was allowed for one.
    found = Run { stages: found.stages, ..Run::along(Some(path), None, found.counters, found.elapsed) };
    let width = system.width();
    let budget = schedule.shortening.max(work(&found.counters, width));
    let (mut is_shortest, mut stop) = (false, None);
    let again = explore(
        system,
        &Strategy::bfs(),
        |name| unreachable!("breadth-first search asks no heuristic {name}"),
        limits,
        &mut |counters| {
            stop = watch(counters);
            is_shortest = length <= counters.depth + 1;
            let is_over = is_shortest || work(counters, width) > budget;
            stop.or(is_over.then_some(Stop::States))
        },
    );
    let counters = both(&found.counters, &again.counters);
    let elapsed = found.elapsed + again.elapsed;
    match again.end {
        End::Found(_) => Run { counters, elapsed, stages: found.stages, ..again },
        _ => {
            let shortest = is_shortest || again.end == End::Exhausted;
            Run { counters, elapsed, shortest, cut_short: stop.map(Cut::Stopped), ..found }
        }
    }
}

/// What two searches have done one after the other.
fn both(first: &Counters, second: &Counters) -> Counters {
    Counters {
        generated: first.generated + second.generated,
        expanded: first.expanded + second.expanded,
        reopened: first.reopened + second.reopened,
        dropped: first.dropped + second.dropped,
        stored: first.stored.max(second.stored),
        frontier: second.frontier,
        peak_frontier: first.peak_frontier.max(second.peak_frontier),
        depth: first.depth.max(second.depth),
        bytes: first.bytes.max(second.bytes),
    }
}

/// The statements of a path, which is one of the system.
fn length<S: TransitionSystem>(system: &mut S, path: &[Vec<Word>]) -> u64 {
    let mut successors = Successors::new(system.width());
    let mut total = 0;
    for pair in path.windows(2) {
        successors.clear();
        // It could be made once, so it can be made again.
        let _ = system.successors(&pair[0], &mut successors);
        let steps = successors.iter().zip(successors.steps()).filter(|(next, _)| **next == pair[1][..]);
        total += u64::from(steps.map(|(_, step)| step.cost).min().unwrap_or(1));
    }
    total
}

#[cfg(test)]
mod tests;
