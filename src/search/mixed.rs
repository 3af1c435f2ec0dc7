//! Breadth-first search with a depth-first search beside it: the default of the
//! explicit engine.
//!
//! Breadth-first search finds shortest trails but may never reach a deep
//! violation; depth-first search finds deep ones, with long trails. Three
//! measures combine them. All are based on counts of work, so runs are
//! repeatable:
//!
//! 1. A *scout* searches depth first with a small share of the first million
//!    expansions. It stores only fingerprints of states, because it proves
//!    nothing.
//! 2. After a million expansions states are taken from
//!    [both ends](super::open::both_ends) of the frontier.
//! 3. A violation that was not found in the order of layers is a bound: a
//!    breadth-first search below it finds a shorter trail, shows that none
//!    exists, or exhausts its budget; in the last case the report says that a
//!    shorter trail may exist.
//!
//! A proof expands every state once, like breadth-first search.

use super::depth_first::{DepthFirst, Pause, ROOM};
use super::explore::{Counters, Cut, End, Limits, SearchRun, Stop, Watcher, explore, explore_both_ends};
use super::layers::breadth_first;
use super::strategy::Strategy;
use super::visited::Store;
use crate::system::{Abort, Successors, TransitionSystem, Word};

/// Division of work between the searches.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    /// Number of expansions in the order of layers.
    after: u64,
    /// Number of expansions before the scout starts, and the number it then
    /// makes at once.
    head_start: u64,
    /// Number of expansions of the main search per expansion of the scout.
    share: u64,
    /// Minimum number of expansions that the scout makes at a time, so that
    /// each search finds its states in the caches of the processor.
    batch: u64,
    /// Minimum budget of the search for a shorter trail, in units of [`work`].
    /// The budget is at least the work done before.
    shortening: u64,
}

const SCHEDULE: Schedule =
    Schedule { after: 1_000_000, head_start: 8192, share: 64, batch: 2048, shortening: 5_000_000 };

/// Maximum memory of the scout.
const SCOUT_BYTES: u64 = 256 << 20;

/// The scout can use one part in this number of the memory limit.
const SCOUT_PART: u64 = 16;

/// Searches `system`; `scout` is another view of it.
pub fn mixed<S: TransitionSystem>(
    system: &mut S,
    scout: Option<&mut S>,
    limits: Limits,
    watch: Watcher,
) -> SearchRun {
    scheduled(system, scout, SCHEDULE, limits, watch)
}

fn scheduled<S: TransitionSystem>(
    system: &mut S,
    scout: Option<&mut S>,
    schedule: Schedule,
    limits: Limits,
    watch: Watcher,
) -> SearchRun {
    let mut scout = scout.map(|it| Scout::new(it, schedule, limits));
    let run = explore_both_ends(system, schedule.after, limits, &mut |counters| match &mut scout {
        Some(scout) => scout.watch(counters, watch),
        None => watch(counters),
    });
    if let Some(abort) = scout.as_ref().and_then(|it| it.restart) {
        return SearchRun { end: End::Aborted(abort), ..run };
    }
    match scout.and_then(|it| it.found(&run)) {
        Some((run, false)) => run,
        Some((run, true)) => shortened(system, run, schedule, limits, watch),
        None if run.shortest || !matches!(run.end, End::Found(_)) => run,
        None => shortened(system, run, schedule, limits, watch),
    }
}

/// Searches breadth first with several threads and a scout beside them.
pub fn mixed_by_threads<S: TransitionSystem + Send>(
    systems: Vec<S>,
    scout: &mut S,
    limits: Limits,
    watch: Watcher,
) -> (SearchRun, Vec<S>) {
    // With threads, the whole search is in the order of layers.
    let schedule = Schedule { after: u64::MAX, ..SCHEDULE };
    let mut scout = Scout::new(scout, schedule, limits);
    let mut layered = breadth_first(systems, limits, &mut |counters| scout.watch(counters, watch));
    let systems = std::mem::take(&mut layered.systems);
    let run = SearchRun::from(layered);
    let run = match scout.restart {
        Some(abort) => SearchRun { end: End::Aborted(abort), ..run },
        None => scout.found(&run).map_or(run, |(found, _)| found),
    };
    (run, systems)
}

/// Returns the work of a search in successors of one word; wide states cost
/// more.
fn work(counters: &Counters, width: usize) -> u64 {
    counters.generated + counters.generated * width as u64 / 32
}

/// A depth-first search that runs beside another search.
struct Scout<'a, S> {
    search: DepthFirst<'a, S>,
    schedule: Schedule,
    width: usize,
    is_over: bool,
    trail: Option<ScoutTrail>,
    /// Set if both searches must start again.
    restart: Option<Abort>,
}

/// A trail that the scout found.
struct ScoutTrail {
    path: Vec<Vec<Word>>,
    /// Length in statements.
    length: u64,
    /// Work at which the main search stops searching for a shorter trail.
    budget: u64,
    /// Whether no trail is shorter.
    is_shortest: bool,
    /// Whether the main search left the order of layers, so that another search
    /// must look for a shorter trail.
    is_open: bool,
    /// Limit that ended the search for a shorter trail.
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

    /// Watches the main search and advances the scout.
    fn watch(&mut self, counters: &Counters, watch: Watcher) -> Option<Stop> {
        if let Some(stop) = watch(counters) {
            if let Some(trail) = &mut self.trail {
                trail.stop = Some(stop);
            }
            return Some(stop);
        }
        // After that, the main search itself goes deep.
        let is_its_time = (self.schedule.head_start..self.schedule.after).contains(&counters.expanded);
        if !self.is_over && is_its_time {
            self.advance(counters, watch);
            if self.restart.is_some() {
                return Some(Stop::States);
            }
        }
        let trail = self.trail.as_mut()?;
        let is_in_layers = counters.expanded <= self.schedule.after;
        // Every state of this layer was tested for being a goal when it was
        // stored.
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

    /// Returns the run with the trail of the scout, unless the main search
    /// found one; and whether to search for a shorter trail.
    fn found(self, run: &SearchRun) -> Option<(SearchRun, bool)> {
        let is_needed = !matches!(run.end, End::Found(_) | End::Aborted(Abort::Restart));
        let trail = self.trail.filter(|_| is_needed)?;
        let is_shortest = trail.is_shortest || run.end == End::Exhausted;
        let cut = trail.stop.map(Cut::Stopped);
        let found = SearchRun::along(Some(trail.path), cut, run.counters, run.elapsed);
        Some((SearchRun { shortest: is_shortest, ..found }, trail.is_open))
    }
}

/// Searches breadth first for a shorter trail than that of `found`.
fn shortened<S: TransitionSystem>(
    system: &mut S,
    mut found: SearchRun,
    schedule: Schedule,
    limits: Limits,
    watch: Watcher,
) -> SearchRun {
    let End::Found(goal) = found.end else { return found };
    let path: Vec<Vec<Word>> =
        found.space.path(goal).iter().map(|&id| found.space.state(id).to_vec()).collect();
    let length = length(system, &path);
    // Keep only the path: two spaces at once could exceed the memory limit.
    found = SearchRun {
        stages: found.stages,
        ..SearchRun::along(Some(path), None, found.counters, found.elapsed)
    };
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
        End::Found(_) => SearchRun { counters, elapsed, stages: found.stages, ..again },
        _ => {
            let shortest = is_shortest || again.end == End::Exhausted;
            SearchRun { counters, elapsed, shortest, cut_short: stop.map(Cut::Stopped), ..found }
        }
    }
}

/// Returns the total work of two consecutive searches.
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

/// Returns the length in statements of a path of the system.
fn length<S: TransitionSystem>(system: &mut S, path: &[Vec<Word>]) -> u64 {
    let mut successors = Successors::new(system.width());
    let mut total = 0;
    for pair in path.windows(2) {
        successors.clear();
        // These successors could be computed before, so there is no error.
        let _ = system.all_successors(&pair[0], &mut successors);
        let steps = successors.iter().zip(successors.steps()).filter(|(next, _)| **next == pair[1][..]);
        total += u64::from(steps.map(|(_, step)| step.cost).min().unwrap_or(1));
    }
    total
}

#[cfg(test)]
mod tests;
