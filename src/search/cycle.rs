//! Search for a cycle on which every mark occurs.
//!
//! The search is depth first, by strongly connected components: an open
//! component has the marks of the steps within it, and components merge when a
//! step leads back. As soon as a component has all marks there is a cycle; a
//! component that is left has none, so every state is expanded once, whatever
//! the number of marks. The counterexample is then shortened by breadth-first
//! search among the known states and those near the initial state.

mod near;
#[cfg(test)]
mod tests;

use super::explore::{Cut, End, Limits, MAX_STATES, Watcher};
use super::poll::PollInterval;
use super::space::{Arrival, Space, StateId};
use crate::base::control::{Counters, Stop};
use crate::system::{Abort, Marked, Successors, Word};
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Result of a search for cycles.
#[derive(Debug)]
pub struct CycleRun {
    /// How the search ended; a found state is a goal or a state of a cycle.
    pub end: End,
    /// Path from the initial state to a goal, or to the cycle and once around
    /// it; empty if the system did not return the same successors a second
    /// time, or if the search for the path was cut short.
    pub path: Vec<Waypoint>,
    /// Limit that was reached when a cycle was known but not yet a path around
    /// it.
    pub cut_short: Option<Stop>,
    /// Index in the path at which the cycle begins; the last state is the same.
    pub cycle: Option<usize>,
    /// States that were stored.
    pub space: Space,
    /// Total work.
    pub counters: Counters,
    /// Duration.
    pub elapsed: Duration,
}

/// A state on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// The state.
    pub state: StateId,
    /// Index of the step to this state among the steps of the state before;
    /// `None` if any step to this state will do.
    pub step: Option<usize>,
}

/// Searches `system` for a goal or a cycle with all its marks.
pub fn find_cycle<S: Marked>(system: &mut S, limits: Limits, watch: Watcher) -> CycleRun {
    let started = Instant::now();
    let mut walk = Walk::new(system);
    let outcome = walk.walk(limits, watch);
    walk.measure();
    let mut cut_short = None;
    let found = match outcome {
        Outcome::Goal(goal) => walk.path_to_goal(goal, watch).map(|path| (path, None)),
        Outcome::Component(first) => {
            let lasso = walk.lasso(|number| (first..CLOSED).contains(&number), watch);
            lasso.map(|(path, start)| (path, Some(start)))
        }
        Outcome::Exhausted | Outcome::Cut(_) => Ok((Vec::new(), None)),
    };
    let mut end = match outcome {
        Outcome::Cut(cut) => cut.into(),
        Outcome::Exhausted => End::Exhausted,
        Outcome::Goal(goal) => End::Found(goal),
        Outcome::Component(_) => End::Found(*walk.live.last().expect("a component has states")),
    };
    let (mut path, mut cycle) = found.unwrap_or_else(|why| {
        match why {
            NoPath::Changed => {}
            NoPath::Restart => end = End::Aborted(Abort::Restart),
            NoPath::Stopped(stop) => cut_short = Some(stop),
        }
        (Vec::new(), None)
    });
    let Walk { system, mut space, counters, .. } = walk;
    if cycle.is_some()
        && let Some(lasso) = near::shorter(system, path.len(), &counters, limits, watch)
    {
        end = End::Found(last(&lasso.path));
        (path, cycle, space) = (lasso.path, Some(lasso.start), lasso.space);
    }
    CycleRun { end, path, cut_short, cycle, space, counters, elapsed: started.elapsed() }
}

#[derive(Clone, Copy)]
enum Outcome {
    Goal(StateId),
    /// The states with at least this number form one component.
    Component(u32),
    Exhausted,
    Cut(Cut),
}

/// Why there is no path among the known states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoPath {
    /// The system did not return the same successors a second time.
    Changed,
    /// The system needs another start, also to find the path.
    Restart,
    /// The watcher ended the search for the path.
    Stopped(Stop),
}

/// Not yet visited.
const NEW: u32 = 0;
/// In a component that was left.
const CLOSED: u32 = u32::MAX;

struct Walk<'a, S> {
    system: &'a mut S,
    all_marks: u64,
    space: Space,
    /// Number of the visit of each state.
    numbers: Vec<u32>,
    /// States of open components, in the order of their numbers.
    live: Vec<StateId>,
    components: Vec<Component>,
    frames: Vec<Frame>,
    /// Steps that have not been followed, those of the last frame at the end.
    steps: Vec<StateId>,
    step_marks: Vec<u64>,
    n_visited: u32,
    counters: Counters,
    /// Work since the watcher was last polled.
    interval: PollInterval,
    goal: Option<StateId>,
    state: Vec<Word>,
    successors: Successors,
    marks: Vec<u64>,
}

/// An open component.
struct Component {
    /// Number of its first state.
    number: u32,
    /// Marks of the steps within the component.
    marks: u64,
    /// Marks of the step that led there.
    entrance: u64,
}

/// A state on the path.
struct Frame {
    id: StateId,
    /// Start of its steps.
    steps: usize,
}

impl<'a, S: Marked> Walk<'a, S> {
    fn new(system: &'a mut S) -> Self {
        let width = system.width();
        Self {
            all_marks: system.all_marks(),
            system,
            space: Space::new(width),
            numbers: Vec::new(),
            live: Vec::new(),
            components: Vec::new(),
            frames: Vec::new(),
            steps: Vec::new(),
            step_marks: Vec::new(),
            n_visited: 0,
            counters: Counters::default(),
            interval: PollInterval::default(),
            goal: None,
            state: vec![0; width],
            successors: Successors::new(width),
            marks: Vec::new(),
        }
    }

    fn walk(&mut self, limits: Limits, watch: Watcher) -> Outcome {
        let mut first = vec![0; self.system.width()];
        self.system.initial(&mut first);
        let first = self.arrive(&first, None);
        if let Err(abort) = self.visit(first, 0) {
            return self.aborted(abort);
        }
        while let Some(frame) = self.frames.last() {
            if let Some(goal) = self.goal {
                return Outcome::Goal(goal);
            }
            if self.steps.len() == frame.steps {
                self.leave();
                continue;
            }
            let (Some(to), Some(marks)) = (self.steps.pop(), self.step_marks.pop()) else { break };
            match self.numbers[to.index()] {
                CLOSED => {}
                NEW => {
                    if let Some(stop) = self.must_stop(limits, watch) {
                        return Outcome::Cut(Cut::Stopped(stop));
                    }
                    if let Err(abort) = self.visit(to, marks) {
                        return self.aborted(abort);
                    }
                }
                number => {
                    let (first, marks) = self.merge(number, marks);
                    if marks == self.all_marks {
                        return Outcome::Component(first);
                    }
                }
            }
        }
        Outcome::Exhausted
    }

    /// Returns the outcome of a search whose system cannot continue.
    fn aborted(&self, abort: Abort) -> Outcome {
        match self.goal {
            Some(goal) if abort == Abort::TooLong => Outcome::Goal(goal),
            _ => Outcome::Cut(abort.into()),
        }
    }

    fn must_stop(&mut self, limits: Limits, watch: Watcher) -> Option<Stop> {
        if self.space.n_states() as u64 > limits.max_states.unwrap_or(MAX_STATES).min(MAX_STATES) {
            return Some(Stop::States);
        }
        if !self.interval.is_due() {
            return None;
        }
        self.measure();
        if limits.max_bytes.is_some_and(|limit| self.counters.bytes > limit) {
            return Some(Stop::Memory);
        }
        watch(&self.counters)
    }

    fn measure(&mut self) {
        let bytes = self.space.bytes()
            + (self.numbers.capacity() + self.live.capacity() + self.steps.capacity()) * size_of::<u32>()
            + self.step_marks.capacity() * size_of::<u64>()
            + self.frames.capacity() * size_of::<Frame>();
        self.counters.bytes = self.counters.bytes.max(bytes as u64);
        self.counters.frontier = self.steps.len() as u64;
        self.counters.peak_frontier = self.counters.peak_frontier.max(self.counters.frontier);
    }

    fn arrive(&mut self, state: &[Word], parent: Option<StateId>) -> StateId {
        match self.space.insert(Space::hash(state), state, parent) {
            Arrival::Known(id) => id,
            Arrival::New(id) => {
                self.counters.stored += 1;
                self.numbers.push(NEW);
                if self.goal.is_none() && self.system.is_goal(state) {
                    self.goal = Some(id);
                }
                id
            }
        }
    }

    /// Expands a state that is reached for the first time.
    fn visit(&mut self, id: StateId, entrance: u64) -> Result<(), Abort> {
        self.n_visited += 1;
        self.numbers[id.index()] = self.n_visited;
        self.live.push(id);
        self.components.push(Component { number: self.n_visited, marks: 0, entrance });
        self.frames.push(Frame { id, steps: self.steps.len() });
        self.counters.expanded += 1;
        self.counters.depth = self.counters.depth.max(self.frames.len() as u64 - 1);
        let made = self.expand(id);
        let successors = std::mem::replace(&mut self.successors, Successors::new(self.state.len()));
        self.counters.generated += successors.len() as u64;
        let start = self.steps.len();
        for next in successors.iter() {
            let next = self.arrive(next, Some(id));
            self.steps.push(next);
        }
        // The last step is followed first.
        self.steps[start..].reverse();
        self.step_marks.extend(self.marks.iter().rev());
        self.successors = successors;
        made
    }

    fn expand(&mut self, id: StateId) -> Result<(), Abort> {
        self.state.copy_from_slice(self.space.state(id));
        self.successors.clear();
        self.marks.clear();
        let made = self.system.marked_successors(&self.state, &mut self.successors, &mut self.marks);
        if made == Err(Abort::Restart) {
            self.successors.clear();
            self.marks.clear();
        }
        self.interval.count(&self.successors);
        made
    }

    /// Merges the components from the state with this number on, to which a
    /// step leads back.
    fn merge(&mut self, number: u32, marks: u64) -> (u32, u64) {
        let mut gathered = marks;
        while let Some(component) = self.components.pop_if(|it| it.number > number) {
            gathered |= component.marks | component.entrance;
        }
        let component = self.components.last_mut().expect("an open state is in a component");
        component.marks |= gathered;
        (component.number, component.marks)
    }

    /// Leaves the last frame, all of whose steps have been followed.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let number = self.numbers[frame.id.index()];
        if self.components.pop_if(|it| it.number == number).is_none() {
            return;
        }
        while let Some(id) = self.live.pop_if(|id| self.numbers[id.index()] >= number) {
            self.numbers[id.index()] = CLOSED;
        }
    }

    /// Returns a short path from the initial state to a goal; if there is no
    /// time for it, the path by which the goal was found.
    fn path_to_goal(&mut self, goal: StateId, watch: Watcher) -> Result<Vec<Waypoint>, NoPath> {
        match self.path_to(|state| state == goal, watch) {
            // States that the search for a shorter path has reached have new
            // parents, the others their old ones: both lead to the initial
            // state.
            Err(NoPath::Stopped(_)) => {
                let states = self.space.path(goal).into_iter();
                Ok(states.map(|state| Waypoint { state, step: None }).collect())
            }
            found => found,
        }
    }

    /// Returns a short path from the initial state to a wanted one.
    fn path_to(
        &mut self,
        is_wanted: impl Fn(StateId) -> bool,
        watch: Watcher,
    ) -> Result<Vec<Waypoint>, NoPath> {
        let first = StateId::new(0);
        let mut path = vec![Waypoint { state: first, step: None }];
        if !is_wanted(first) {
            path.extend(self.nearest(first, |_| true, |to, _| is_wanted(to), watch)?);
        }
        Ok(path)
    }

    /// Returns the path from `from`, which is not included, to the end of the
    /// nearest step that `is_end`, among known states that are `within`. Only
    /// states that the walk has expanded are expanded again: the successors of
    /// others may be impossible to compute.
    fn nearest(
        &mut self,
        from: StateId,
        within: impl Fn(u32) -> bool,
        is_end: impl Fn(StateId, u64) -> bool,
        watch: Watcher,
    ) -> Result<Vec<Waypoint>, NoPath> {
        let mut seen = FixedBitSet::with_capacity(self.space.n_states());
        seen.insert(from.index());
        self.space.set_parent(from, None);
        let mut pending = VecDeque::from([from]);
        while let Some(id) = pending.pop_front() {
            if self.interval.is_due()
                && let Some(stop) = watch(&self.counters)
            {
                return Err(NoPath::Stopped(stop));
            }
            self.expand(id).map_err(|abort| match abort {
                Abort::Restart => NoPath::Restart,
                Abort::Stopped(stop) => NoPath::Stopped(stop),
                Abort::TooLong => NoPath::Changed,
            })?;
            for (index, (next, &marks)) in self.successors.iter().zip(&self.marks).enumerate() {
                let known = self.space.find(next).filter(|to| within(self.numbers[to.index()]));
                let Some(to) = known else { continue };
                if is_end(to, marks) {
                    let between = self.space.path(id).into_iter().skip(1);
                    let mut path: Vec<_> = between.map(|state| Waypoint { state, step: None }).collect();
                    path.push(Waypoint { state: to, step: Some(index) });
                    return Ok(path);
                }
                if self.numbers[to.index()] != NEW && !seen.put(to.index()) {
                    self.space.set_parent(to, Some(id));
                    pending.push_back(to);
                }
            }
        }
        Err(NoPath::Changed)
    }

    /// Returns a path into the component whose states have numbers that are
    /// `within`, and around it past all marks; and the index at which the cycle
    /// begins.
    fn lasso(
        &mut self,
        within: impl Fn(u32) -> bool,
        watch: Watcher,
    ) -> Result<(Vec<Waypoint>, usize), NoPath> {
        let inside: FixedBitSet =
            (0..self.numbers.len()).filter(|&index| within(self.numbers[index])).collect();
        let mut path = self.path_to(|state| inside.contains(state.index()), watch)?;
        // The cycle begins with the first step that has a mark.
        let mut start = None;
        let mut missing = self.all_marks;
        while missing != 0 {
            path.extend(self.nearest(last(&path), &within, |_, marks| marks & missing != 0, watch)?);
            start.get_or_insert(path.len() - 2);
            missing &= !self.marks_of_last(&path);
        }
        let start = start.ok_or(NoPath::Changed)?;
        let start_state = path[start].state;
        if last(&path) != start_state {
            path.extend(self.nearest(last(&path), &within, |to, _| to == start_state, watch)?);
        }
        Ok((path, start))
    }

    /// Returns the marks of the last step of a path.
    fn marks_of_last(&mut self, path: &[Waypoint]) -> u64 {
        let [.., before, Waypoint { step: Some(step), .. }] = path else { return 0 };
        let is_same = self.expand(before.state).is_ok();
        if is_same { self.marks[*step] } else { 0 }
    }
}

/// Returns the last state of a path.
fn last(path: &[Waypoint]) -> StateId {
    path.last().expect("a path has states").state
}
