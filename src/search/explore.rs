//! The main loop: take a state, compute its successors, store the new ones.
//!
//! A goal is reported as soon as it is generated; only A* waits until the goal
//! is taken from the frontier, because only then its path is known to be
//! shortest.

use super::deepening::iterative_deepening;
use super::depth_first::{Descent, depth_first};
use super::later::Later;
use super::layers::Layered;
use super::mixed::mixed;
use super::open::{BothEnds, ByRegion, Fifo, Frontier, Guided, Lifo};
use super::poll::PollInterval;
use super::space::{Arrival, Hash, Space, StateId};
use super::strategy::{Rule, Strategy};
use super::visited::Store;
pub use crate::base::control::{Counters, Stop};
use crate::system::{Abort, Arrived, Heuristic, Step, Successors, TransitionSystem, Word};
use fixedbitset::FixedBitSet;
use std::time::{Duration, Instant};

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum number of stored states.
    pub max_states: Option<u64>,
    /// Maximum number of bytes of visited set and frontier.
    pub max_bytes: Option<u64>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A goal was found.
    Found(StateId),
    /// All reachable states were visited and none is a goal.
    Exhausted,
    /// A limit was reached, or the user stopped the search.
    Stopped(Stop),
    /// The system could not compute all successors of a state.
    Aborted(Abort),
}

/// What ended a search before all states were visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A limit, or the user.
    Stopped(Stop),
    /// The system, which could not compute all successors of a state.
    Aborted(Abort),
}

impl Cut {
    /// Returns the limit that was reached: a step that is too long is reported
    /// as a depth limit.
    pub fn stop(self) -> Stop {
        match self {
            Self::Stopped(stop) => stop,
            Self::Aborted(_) => Stop::Depth,
        }
    }
}

impl From<Abort> for Cut {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Stopped(stop) => Self::Stopped(stop),
            Abort::Restart | Abort::TooLong => Self::Aborted(abort),
        }
    }
}

impl From<Cut> for End {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::Stopped(stop) => Self::Stopped(stop),
            Cut::Aborted(abort) => Self::Aborted(abort),
        }
    }
}

/// Result of a search.
#[derive(Debug)]
pub struct SearchRun {
    /// How the search ended.
    pub end: End,
    /// What ended the search after a goal was found, when a better goal was
    /// still possible.
    pub cut_short: Option<Cut>,
    /// Whether the path to the goal is known to be shortest, even if the
    /// strategy does not guarantee it.
    pub shortest: bool,
    /// States that were stored.
    pub space: Space,
    /// Total work.
    pub counters: Counters,
    /// Work of each stage.
    pub stages: Vec<StageCost>,
    /// Duration.
    pub elapsed: Duration,
}

impl From<Descent> for SearchRun {
    fn from(descent: Descent) -> Self {
        Self::along(descent.path, descent.cut, descent.counters, descent.elapsed)
    }
}

impl<S> From<Layered<S>> for SearchRun {
    fn from(layered: Layered<S>) -> Self {
        Self::along(layered.path, layered.cut, layered.counters, layered.elapsed)
    }
}

impl SearchRun {
    /// Creates a run that has only the states on the path to the goal.
    pub(super) fn along(
        path: Option<Vec<Vec<Word>>>,
        cut: Option<Cut>,
        counters: Counters,
        elapsed: Duration,
    ) -> Self {
        let path = path.unwrap_or_default();
        let mut space = Space::new(path.first().map_or(1, Vec::len));
        let mut last = None;
        for state in &path {
            if let Arrival::New(id) = space.insert(Space::hash(state), state, last) {
                last = Some(id);
            }
        }
        let end = match (last, cut) {
            (Some(goal), _) => End::Found(goal),
            (None, Some(cut)) => cut.into(),
            (None, None) => End::Exhausted,
        };
        let cut_short = cut.filter(|_| last.is_some());
        let stages = vec![StageCost { counters, elapsed }];
        Self { end, cut_short, shortest: false, space, counters, stages, elapsed }
    }
}

/// Work of a stage. Memory is that of the whole search while the stage ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCost {
    /// Counters of this stage.
    pub counters: Counters,
    /// Duration of this stage.
    pub elapsed: Duration,
}

/// Called at intervals with the progress of the search; can end it.
pub type Watcher<'w> = &'w mut dyn FnMut(&Counters) -> Option<Stop>;

/// Maximum number of states: ids have 32 bits, and one expansion can add many.
pub(super) const MAX_STATES: u64 = u32::MAX as u64 - (1 << 24);

/// Searches `system`. `build` creates the heuristics that the strategy names.
pub fn explore<'h, S: TransitionSystem>(
    system: &mut S,
    strategy: &Strategy,
    build: impl FnMut(&str) -> Box<dyn Heuristic + 'h>,
    limits: Limits,
    watch: Watcher,
) -> SearchRun {
    let mut build = build;
    if let Some(Rule::Deepening { heuristic, memory }) = strategy.only_rule() {
        return iterative_deepening(system, &mut *build(heuristic), *memory, limits, watch).into();
    }
    let search = Exploration::new(system, strategy, limits);
    match strategy.only_rule() {
        Some(Rule::Shorten(shorten)) => {
            depth_first(search.system, Store::Exact, Some(*shorten), limits, watch).into()
        }
        Some(Rule::Bfs) => search.run(Fifo::default(), watch),
        Some(Rule::Mixed) => mixed(search.system, None, limits, watch),
        Some(Rule::Dfs { .. }) => search.run(Lifo::default(), watch),
        Some(Rule::Propagate) => {
            let frontier = ByRegion::new(search.system.n_regions());
            search.run(frontier, watch)
        }
        _ => search.run(Guided::new(strategy, build), watch),
    }
}

/// Searches `system` breadth first, after `after` expansions depth first too.
pub(super) fn explore_both_ends<S: TransitionSystem>(
    system: &mut S,
    after: u64,
    limits: Limits,
    watch: Watcher,
) -> SearchRun {
    let mut search = Exploration::new(system, &Strategy::bfs(), limits);
    search.pause_at = after;
    let mut layers = Fifo::default();
    let end = search.search(&mut layers, watch);
    if !search.is_paused {
        return search.finish(end, &layers);
    }
    // Two loops instead of one that asks which phase it is in: breadth first,
    // a state takes as little time as without a second phase.
    search.pause_at = u64::MAX;
    search.end_layers(&mut layers);
    let mut both_ends = BothEnds::new(layers);
    let end = search.resume(&mut both_ends, watch);
    search.finish(end, &both_ends)
}

/// When a state is tested for being a goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoalTest {
    /// When it is generated.
    Generated,
    /// When it is expanded.
    Expanded,
    /// When all states have been visited.
    End,
}

struct Exploration<'a, S> {
    system: &'a mut S,
    limits: Limits,
    goal_test: GoalTest,
    depth_bound: Option<u32>,
    space: Space,
    /// States after steps that cost more than one statement, which wait for
    /// their layer.
    later: Option<Later>,
    /// Length of the shortest path to each state, if shorter paths reopen
    /// states.
    shortest: Option<Vec<u32>>,
    /// States that have been expanded, if a state can be in the frontier more
    /// than once.
    closed: Option<FixedBitSet>,
    stages: Vec<StageCost>,
    /// First goal that was stored.
    goal: Option<StateId>,
    /// Length of the shortest path whose last state has successors beyond the
    /// bound.
    cut_at: Option<u32>,
    /// What ended the search when a goal was known and a better one was still
    /// possible.
    cut_short: Option<Cut>,
    started: Instant,
    /// Time at which work was last assigned to a stage.
    time_added: Duration,
    /// Number of expansions after which the loop pauses, to be resumed with
    /// another open list; `u64::MAX` for never.
    pause_at: u64,
    /// Whether the loop has paused there.
    is_paused: bool,
}

impl<'a, S: TransitionSystem> Exploration<'a, S> {
    fn new(system: &'a mut S, strategy: &Strategy, limits: Limits) -> Self {
        let space = Space::new(system.width());
        // If breadth-first search is a rank, steps of several statements are
        // handled as in A*.
        let is_ranked = strategy.ranks_by_length() && !system.has_unit_costs();
        let goal_test = match strategy.only_rule() {
            Some(Rule::Propagate) => GoalTest::End,
            _ if strategy.waits_for_turn() || is_ranked => GoalTest::Expanded,
            _ => GoalTest::Generated,
        };
        let reopens = strategy.reopens() || is_ranked;
        let takes_turns = strategy.stages.iter().any(|stage| stage.queues.len() > 1);
        Self {
            system,
            limits,
            goal_test,
            depth_bound: strategy.depth_bound(),
            space,
            later: (strategy.only_rule() == Some(&Rule::Bfs)).then(Later::default),
            shortest: reopens.then(Vec::new),
            closed: (reopens || takes_turns).then(FixedBitSet::new),
            stages: vec![StageCost::default(); strategy.stages.len()],
            goal: None,
            cut_at: None,
            cut_short: None,
            started: Instant::now(),
            time_added: Duration::ZERO,
            pause_at: u64::MAX,
            is_paused: false,
        }
    }

    fn run<F: Frontier>(mut self, mut frontier: F, watch: Watcher) -> SearchRun {
        let end = self.search(&mut frontier, watch);
        self.finish(end, &frontier)
    }

    /// Returns the result of the search.
    fn finish<F: Frontier>(mut self, end: End, frontier: &F) -> SearchRun {
        self.measure(frontier);
        self.add_time(frontier.stage());
        let counters = self.total(frontier);
        let cut_short = self.cut_short;
        let shortest = frontier.is_in_layers() && cut_short.is_none() && matches!(end, End::Found(_));
        let elapsed = self.started.elapsed();
        SearchRun { end, cut_short, shortest, space: self.space, counters, stages: self.stages, elapsed }
    }

    fn search<F: Frontier>(&mut self, frontier: &mut F, watch: Watcher) -> End {
        let width = self.system.width();
        let mut state = vec![0; width];
        self.system.initial(&mut state);
        self.arrive(Space::hash(&state), &state, None, 0, 0, frontier);
        self.resume(frontier, watch)
    }

    /// Expands states until the frontier is empty, or something else ends the
    /// search.
    fn resume<F: Frontier>(&mut self, frontier: &mut F, watch: Watcher) -> End {
        let width = self.system.width();
        let mut state = vec![0; width];
        let mut successors = Successors::new(width);
        let mut hashes: Vec<Hash> = Vec::new();
        let mut interval = PollInterval::default();
        let mut stage = 0;
        loop {
            if self.later.is_some() {
                self.begin_layer(frontier);
            }
            if let Some(goal) = self.goal.filter(|_| self.goal_test == GoalTest::Generated) {
                return End::Found(goal);
            }
            if interval.is_due() {
                self.measure(frontier);
                let counters = self.total(frontier);
                if self.limits.max_bytes.is_some_and(|limit| counters.bytes > limit) {
                    return self.stop(Cut::Stopped(Stop::Memory));
                }
                if let Some(stop) = watch(&counters) {
                    return self.stop(Cut::Stopped(stop));
                }
            }
            if self.has_too_many_states() {
                return self.stop(Cut::Stopped(Stop::States));
            }
            if self.stages[0].counters.expanded == self.pause_at {
                self.is_paused = true;
                return End::Stopped(Stop::States);
            }
            let Some((id, g)) = frontier.pop() else { break };
            if !self.close(id, g) {
                frontier.give_another_turn();
                continue;
            }
            if frontier.stage() != stage {
                self.add_time(stage);
                stage = frontier.stage();
            }
            state.copy_from_slice(self.space.state(id));
            if self.goal_test == GoalTest::Expanded && self.system.is_goal(&state) {
                return End::Found(id);
            }
            if self.depth_bound == Some(g) {
                self.cut(g);
                continue;
            }
            successors.clear();
            let made = self.system.successors(&state, &mut successors);
            if made == Err(Abort::Restart) {
                return End::Aborted(Abort::Restart);
            }
            let counters = &mut self.stages[stage].counters;
            counters.expanded += 1;
            counters.depth = counters.depth.max(u64::from(g));
            counters.generated += successors.len() as u64;
            interval.count(&successors);
            hashes.clear();
            hashes.extend(successors.iter().map(Space::hash));
            hashes.iter().for_each(|&hash| self.space.prefetch(hash));
            if let Some(id) = frontier.upcoming() {
                self.space.prefetch_state(id);
            }
            for ((&hash, next), &step) in hashes.iter().zip(successors.iter()).zip(successors.steps()) {
                match &mut self.later {
                    Some(later) => {
                        if let Some(next) = later.reach(&mut self.space, g, (step.cost, hash, next), id) {
                            self.admit(next, Some((id, step)), g + 1, stage, frontier);
                        }
                    }
                    None => self.arrive(hash, next, Some((id, step)), g, stage, frontier),
                }
                if self.goal_test == GoalTest::Generated && self.goal.is_some() {
                    break;
                }
            }
            if let Err(abort) = made {
                self.end_layers(frontier);
                return self.stop(abort.into());
            }
            let counters = &mut self.stages[stage].counters;
            counters.peak_frontier = counters.peak_frontier.max(frontier.n_waiting() as u64);
        }
        match (self.goal, self.cut_at) {
            (Some(goal), _) => End::Found(goal),
            (None, Some(cut_at)) => self.look_beyond(cut_at, &mut successors, watch),
            (None, None) => End::Exhausted,
        }
    }

    fn has_too_many_states(&self) -> bool {
        let n_waiting = self.later.as_ref().map_or(0, Later::n_waiting);
        let n_arrived = (self.space.n_states() - n_waiting) as u64;
        self.space.n_states() as u64 > MAX_STATES
            || self.limits.max_states.is_some_and(|limit| n_arrived > limit)
    }

    /// Adds the states that waited for the next layer, if it begins.
    fn begin_layer<F: Frontier>(&mut self, frontier: &mut F) {
        if !frontier.is_in_layers() {
            return self.end_layers(frontier);
        }
        while let Some(depth) = frontier.ended_layer()
            && let Some(later) = &mut self.later
            && let Some(next) = later.next_layer()
            && (next == depth + 1 || frontier.n_waiting() == 0)
        {
            for id in later.take(next) {
                self.admit(id, None, next, 0, frontier);
            }
            if frontier.n_waiting() > 0 {
                frontier.skip_to_layer(next);
            }
        }
    }

    /// Admits all states that wait for a layer.
    fn end_layers<F: Frontier>(&mut self, frontier: &mut F) {
        let Some(mut later) = self.later.take() else { return };
        while let Some(layer) = later.next_layer() {
            for id in later.take(layer) {
                self.admit(id, None, layer, 0, frontier);
            }
        }
    }

    /// Records that successors of a state at distance `g` were left out.
    fn cut(&mut self, g: u32) {
        self.cut_at = Some(self.cut_at.map_or(g, |it| it.min(g)));
    }

    /// Determines the end of a search that left out successors. Every state
    /// within the bound was reached by a shortest path, and those with
    /// successors beyond it are at distance `cut_at` or more; if all their
    /// successors are known, no state was left out. The states expanded here
    /// are not counted.
    fn look_beyond(&mut self, cut_at: u32, successors: &mut Successors, watch: Watcher) -> End {
        let lengths = self.shortest.as_deref().unwrap_or_default();
        let cut = (0..lengths.len()).filter(|&index| lengths[index] >= cut_at).map(StateId::new);
        let mut interval = PollInterval::default();
        for id in cut {
            successors.clear();
            if let Err(abort) = self.system.successors(self.space.state(id), successors) {
                return Cut::from(abort).into();
            }
            if !successors.iter().all(|next| self.space.contains(next)) {
                return End::Stopped(Stop::Depth);
            }
            interval.count(successors);
            if interval.is_due()
                && let Some(stop) = watch(&self.stages[0].counters)
            {
                return End::Stopped(stop);
            }
        }
        End::Exhausted
    }

    /// Returns the end of a search that must stop. A known goal is reported
    /// even if it was not expanded yet.
    fn stop(&mut self, cut: Cut) -> End {
        match self.goal {
            Some(goal) => {
                self.cut_short = Some(cut);
                End::Found(goal)
            }
            None => cut.into(),
        }
    }

    /// Returns whether the state must be expanded now. It can be in several
    /// queues, and an entry with a longer path is obsolete.
    fn close(&mut self, id: StateId, g: u32) -> bool {
        if self.shortest.as_ref().is_some_and(|shortest| shortest[id.index()] < g) {
            return false;
        }
        let Some(closed) = &mut self.closed else { return true };
        if closed.len() <= id.index() {
            closed.grow((id.index() + 1) * 2);
        }
        !closed.put(id.index())
    }

    /// Stores a state reached by a step from a state at distance `g`.
    #[inline(always)]
    fn arrive<F: Frontier>(
        &mut self,
        hash: Hash,
        state: &[Word],
        from: Option<(StateId, Step)>,
        g: u32,
        stage: usize,
        frontier: &mut F,
    ) {
        let before = g;
        let g = from.map_or(g, |(_, step)| g.saturating_add(step.cost));
        if self.depth_bound.is_some_and(|bound| bound < g) {
            return self.cut(before);
        }
        match self.space.insert(hash, state, from.map(|(parent, _)| parent)) {
            Arrival::New(id) => {
                if let Some(shortest) = &mut self.shortest {
                    shortest.push(g);
                }
                self.admit(id, from, g, stage, frontier);
            }
            Arrival::Known(id) => {
                if self.shortest.as_ref().is_some_and(|shortest| g < shortest[id.index()]) {
                    self.improve(Arrived { id, state, g, from }, stage, frontier);
                }
            }
        }
    }

    /// Counts a stored state and adds it to the frontier.
    fn admit<F: Frontier>(
        &mut self,
        id: StateId,
        from: Option<(StateId, Step)>,
        g: u32,
        stage: usize,
        frontier: &mut F,
    ) {
        let state = self.space.state(id);
        self.stages[stage].counters.stored += 1;
        if self.goal.is_none() && self.system.is_goal(state) {
            self.goal = Some(id);
        }
        if !frontier.push(self.system, &Arrived { id, state, g, from }) {
            self.stages[stage].counters.dropped += 1;
        }
    }

    /// Updates a known state that was reached by a shorter path.
    fn improve<F: Frontier>(&mut self, arrived: Arrived, stage: usize, frontier: &mut F) {
        let id = arrived.id;
        if let Some(shortest) = &mut self.shortest {
            shortest[id.index()] = arrived.g;
        }
        self.space.set_parent(id, arrived.from.map(|(parent, _)| parent));
        if let Some(closed) = &mut self.closed
            && closed.contains(id.index())
        {
            closed.set(id.index(), false);
            self.stages[stage].counters.reopened += 1;
        }
        frontier.push(self.system, &arrived);
    }

    fn measure<F: Frontier>(&mut self, frontier: &F) {
        let tables = self.shortest.as_ref().map_or(0, |shortest| shortest.capacity() * 4)
            + self.closed.as_ref().map_or(0, |closed| closed.len() / 8)
            + self.later.as_ref().map_or(0, Later::bytes);
        let bytes = (self.space.bytes() + frontier.bytes() + tables) as u64;
        let counters = &mut self.stages[frontier.stage()].counters;
        counters.bytes = counters.bytes.max(bytes);
    }

    /// Adds the time since the last call to a stage.
    fn add_time(&mut self, stage: usize) {
        let now = self.started.elapsed();
        self.stages[stage].elapsed += now - self.time_added;
        self.time_added = now;
    }

    fn total<F: Frontier>(&self, frontier: &F) -> Counters {
        let mut total = Counters { frontier: frontier.n_waiting() as u64, ..Counters::default() };
        for StageCost { counters, .. } in &self.stages {
            total.generated += counters.generated;
            total.stored += counters.stored;
            total.expanded += counters.expanded;
            total.reopened += counters.reopened;
            total.dropped += counters.dropped;
            total.peak_frontier = total.peak_frontier.max(counters.peak_frontier);
            total.depth = total.depth.max(counters.depth);
            total.bytes = total.bytes.max(counters.bytes);
        }
        total
    }
}
