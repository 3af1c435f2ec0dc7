//! A plain interpreter of the control graphs of tasks: every edge is a step.

#![allow(missing_docs)]

pub mod graph;

use std::collections::{HashMap, HashSet, VecDeque};
use trapline::lang::task::program::{Action, Edge, EntryId, PointId, Program, Role, Task, Value, VariableId};

/// Larger models are left out.
pub const MOST_STATES: usize = 30_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub at: Vec<At>,
    pub values: Vec<Value>,
    /// Per accept with a body that runs, by task and edge, the caller.
    pub served: Vec<((usize, usize), usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    Point(PointId),
    /// Waits for the end of a body, then goes on.
    Served(EntryId, PointId),
}

/// What was found by walking through all states.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Walked {
    pub n_states: usize,
    /// Those in which no task goes on at once; `None` if silent edges go round in
    /// a circle.
    pub n_resting: Option<usize>,
    pub has_deadlock: bool,
    pub fails: bool,
}

pub struct Walker<'p> {
    pub program: &'p Program,
    /// Per task and point the edges that leave it.
    pub out: Vec<Vec<Vec<usize>>>,
    selects: Vec<HashSet<PointId>>,
}

/// One side of a rendezvous: tests, then the edge.
struct Side {
    task: usize,
    edge: usize,
}

/// What begins with an edge of a `select!`.
#[derive(Default)]
struct Begun {
    sides: Vec<Side>,
    /// Can the tests panic?
    fails: bool,
}

impl<'p> Walker<'p> {
    pub fn new(program: &'p Program) -> Self {
        let out = |task: &Task| {
            let mut out = vec![Vec::new(); task.n_points];
            task.edges.iter().enumerate().for_each(|(index, it)| out[it.from.index()].push(index));
            out
        };
        Self {
            program,
            out: program.tasks.iter().map(out).collect(),
            selects: program.tasks.iter().map(|it| it.selects.iter().copied().collect()).collect(),
        }
    }

    /// Can a task that is at a point panic there?
    fn panics(&self, state: &State, task: usize, point: PointId) -> bool {
        self.program.tasks[task].panics.iter().filter(|it| it.from == point).any(|it| match &it.test {
            Some((variable, values)) => self.passes(state, *variable, values),
            None => true,
        })
    }

    fn passes(&self, state: &State, variable: VariableId, values: &[Value]) -> bool {
        values.contains(&state.values[variable.index()])
    }

    /// The rendezvous that a task offers in a state, or in any, by the first edge
    /// they begin with; `None` for an edge that is not the beginning of any.
    fn sides(&self, state: Option<&State>, task: usize, point: PointId, first: usize) -> Option<Begun> {
        let mut begun = Begun::default();
        let mut open = vec![(first, true)];
        let edges = &self.program.tasks[task].edges;
        let mut n_looked_at = 0;
        while let Some((index, is_true)) = open.pop() {
            n_looked_at += 1;
            assert!(n_looked_at < 10_000, "a guard without end");
            let edge = &edges[index];
            match &edge.action {
                Action::Call { .. } | Action::Accept { .. } => {
                    if is_true {
                        begun.sides.push(Side { task, edge: index });
                    }
                }
                Action::Silent | Action::Test { .. } => {
                    let next = &self.out[task][edge.to.index()];
                    if edge.to == point || next.iter().any(|&it| edges[it].role != Role::Plain) {
                        return None;
                    }
                    let passes = match &edge.action {
                        Action::Test { variable, values } => {
                            state.is_none_or(|it| self.passes(it, *variable, values))
                        }
                        _ => true,
                    };
                    begun.fails |=
                        is_true && passes && state.is_some_and(|it| self.panics(it, task, edge.to));
                    open.extend(next.iter().map(|&it| (it, is_true && passes)));
                }
                _ => return None,
            }
        }
        Some(begun)
    }

    /// Where the tests of a `wait!` that begin with an edge lead together, and
    /// whether they can panic.
    fn waited(&self, state: &State, task: usize, first: usize) -> (Vec<PointId>, bool) {
        let it = &self.program.tasks[task];
        let (mut ends, mut fails, mut open) = (Vec::new(), false, vec![first]);
        while let Some(index) = open.pop() {
            let edge = &it.edges[index];
            if matches!(&edge.action, Action::Test { variable, values } if !self.passes(state, *variable, values))
            {
                continue;
            }
            if it.waiting[edge.to.index()].is_none() {
                ends.push(edge.to);
                continue;
            }
            fails |= self.panics(state, task, edge.to);
            open.extend(&self.out[task][edge.to.index()]);
        }
        (ends, fails)
    }

    /// All successors, and whether the run can end with an error: a value leaves its
    /// range, or a task panics.
    pub fn successors(&self, state: &State) -> (Vec<State>, bool) {
        let mut next = Vec::new();
        let mut fails = false;
        let mut offers: Vec<Side> = Vec::new();
        // Tasks that can take an alternative of their `select!`.
        let mut chooses = HashSet::new();
        let mut otherwise: Vec<(usize, usize)> = Vec::new();
        let holder = (0..state.at.len()).find(|&task| self.is_inside(state, task));
        for (task, at) in state.at.iter().enumerate() {
            let At::Point(point) = *at else { continue };
            if holder.is_some_and(|holder| holder != task) {
                continue;
            }
            if self.panics(state, task, point) {
                fails = true;
                chooses.insert(task);
            }
            let edges = &self.program.tasks[task].edges;
            for &index in &self.out[task][point.index()] {
                let edge = &edges[index];
                if self.selects[task].contains(&point) {
                    match edge.role {
                        Role::Otherwise => {
                            otherwise.push((task, index));
                            continue;
                        }
                        Role::Terminate => continue,
                        _ => {}
                    }
                    if let Some(begun) = self.sides(Some(state), task, point, index) {
                        offers.extend(begun.sides);
                        if begun.fails {
                            fails = true;
                            chooses.insert(task);
                        }
                        continue;
                    }
                }
                if matches!(edge.action, Action::Call { .. } | Action::Accept { .. }) {
                    offers.push(Side { task, edge: index });
                    continue;
                }
                if self.program.tasks[task].waiting[edge.to.index()].is_some() {
                    let (ends, can_fail) = self.waited(state, task, index);
                    fails |= can_fail;
                    for end in ends {
                        let mut to = state.clone();
                        to.at[task] = At::Point(end);
                        next.push(to);
                    }
                    continue;
                }
                let mut to = state.clone();
                to.at[task] = At::Point(edge.to);
                match &edge.action {
                    Action::Test { variable, values } if !self.passes(state, *variable, values) => continue,
                    Action::Assign { .. } if edge.role == Role::OutOfRange => {
                        fails = true;
                        continue;
                    }
                    Action::Assign { variable, value: Some(value) } => to.values[variable.index()] = *value,
                    Action::Assign { variable, value: None } => {
                        let size = self.program.variables[variable.index()].domain.size();
                        for value in 0..size as Value {
                            let mut one = to.clone();
                            one.values[variable.index()] = value;
                            next.push(one);
                        }
                        continue;
                    }
                    Action::Shift { variable, by } => {
                        let size = self.program.variables[variable.index()].domain.size() as i64;
                        let moved = i64::from(state.values[variable.index()]) + by;
                        if !(0..size).contains(&moved) {
                            fails = true;
                            continue;
                        }
                        to.values[variable.index()] = moved as Value;
                    }
                    _ => {}
                }
                // A guard that calls a function begins with a step of its own.
                chooses.insert(task);
                next.push(to);
            }
        }
        for call in &offers {
            let calling = &self.program.tasks[call.task].edges[call.edge];
            let Action::Call { entry } = calling.action else { continue };
            for accept in &offers {
                let accepting = &self.program.tasks[accept.task].edges[accept.edge];
                let Action::Accept { entry: accepted, body } = &accepting.action else { continue };
                if entry != *accepted || call.task == accept.task {
                    continue;
                }
                chooses.extend([call.task, accept.task]);
                let mut to = state.clone();
                match body {
                    None => {
                        to.at[call.task] = At::Point(calling.to);
                        to.at[accept.task] = At::Point(accepting.to);
                    }
                    Some((first, _)) => {
                        to.at[call.task] = At::Served(entry, calling.to);
                        to.at[accept.task] = At::Point(*first);
                        to.served.push(((accept.task, accept.edge), call.task));
                        to.served.sort_unstable();
                    }
                }
                next.push(to);
            }
        }
        // The end of a body.
        for (number, ((task, index), caller)) in state.served.iter().enumerate() {
            let edge = &self.program.tasks[*task].edges[*index];
            let Action::Accept { body: Some((_, last)), .. } = &edge.action else { continue };
            let At::Served(_, goes_on) = state.at[*caller] else { continue };
            if state.at[*task] == At::Point(*last) {
                let mut to = state.clone();
                to.at[*task] = At::Point(edge.to);
                to.at[*caller] = At::Point(goes_on);
                to.served.remove(number);
                next.push(to);
            }
        }
        for (task, index) in otherwise {
            if !chooses.contains(&task) {
                let mut to = state.clone();
                to.at[task] = At::Point(self.program.tasks[task].edges[index].to);
                next.push(to);
            }
        }
        (next, fails)
    }

    /// Per task and point, whether a task that is there goes on at once; `None`
    /// if silent edges go round in a circle, of which one point is kept.
    pub fn passed(&self) -> Option<Vec<Vec<bool>>> {
        let passed: Vec<Vec<bool>> = (0..self.program.tasks.len())
            .map(|task| {
                let points = 0..self.program.tasks[task].n_points;
                points.map(|it| self.is_passed(task, PointId::new(it))).collect()
            })
            .collect();
        for (task, passed) in passed.iter().enumerate() {
            // Points that lead only to points that were taken away are taken away.
            let mut is_left = passed.clone();
            while let Some(point) = (0..passed.len()).find(|&it| {
                let next =
                    || self.out[task][it].iter().map(|&it| self.program.tasks[task].edges[it].to.index());
                is_left[it] && next().all(|it| !is_left[it])
            }) {
                is_left[point] = false;
            }
            if is_left.contains(&true) {
                return None;
            }
        }
        Some(passed)
    }

    fn is_passed(&self, task: usize, point: PointId) -> bool {
        let it = &self.program.tasks[task];
        let mut out = self.out[task][point.index()].iter().map(|&edge| &it.edges[edge]);
        let is_last = |edge: &Edge| matches!(edge.action, Action::Accept { body: Some((_, last)), .. } if last == point);
        let is_free = |edge: &Edge| {
            edge.action == Action::Silent
                && edge.role == Role::Plain
                && (it.atomic[point.index()] || !it.atomic[edge.to.index()])
                && !self.is_looked_for(task, edge.to)
        };
        !self.selects[task].contains(&point)
            && ![it.start, it.end].contains(&point)
            && !it.edges.iter().any(is_last)
            && !it.panics.iter().any(|panic| panic.from == point)
            && out.len() > 0
            && out.all(is_free)
    }

    /// Would the `else` of another task notice that a task is at a point?
    fn is_looked_for(&self, task: usize, point: PointId) -> bool {
        let all = || (0..self.program.tasks.len()).filter(|it| *it != task);
        let own = self.talks(task, point);
        all().any(|other| {
            let edges = &self.program.tasks[other].edges;
            let has_else = |at: &PointId| {
                self.out[other][at.index()].iter().any(|&it| edges[it].role == Role::Otherwise)
            };
            let talks =
                self.selects[other].iter().filter(|at| has_else(at)).flat_map(|at| self.talks(other, *at));
            talks.into_iter().any(|(entry, calls)| own.contains(&(entry, !calls)))
        })
    }

    /// The entries that a task at a point calls (true) or accepts (false), whatever
    /// the guards.
    fn talks(&self, task: usize, point: PointId) -> Vec<(EntryId, bool)> {
        let edges = &self.program.tasks[task].edges;
        let edges_of = |&first: &usize| match self.selects[task].contains(&point) {
            true if edges[first].role != Role::Plain => Vec::new(),
            true => {
                let begun = self.sides(None, task, point, first).unwrap_or_default();
                begun.sides.iter().map(|it| it.edge).collect()
            }
            false => vec![first],
        };
        let talk = |edge: usize| match edges[edge].action {
            Action::Call { entry } => Some((entry, true)),
            Action::Accept { entry, .. } => Some((entry, false)),
            _ => None,
        };
        self.out[task][point.index()].iter().flat_map(edges_of).filter_map(talk).collect()
    }

    /// Can a run stay inside an atomic block for ever, by its control flow?
    pub fn has_endless_block(&self) -> bool {
        self.program.tasks.iter().any(|task| {
            let mut is_left = task.atomic.clone();
            let leads = |is_left: &[bool], point: usize| {
                task.edges.iter().any(|it| it.from.index() == point && is_left[it.to.index()])
            };
            while let Some(point) = (0..is_left.len()).find(|&it| is_left[it] && !leads(&is_left, it)) {
                is_left[point] = false;
            }
            is_left.contains(&true)
        })
    }

    /// Is a task strictly inside an atomic block?
    pub fn is_inside(&self, state: &State, task: usize) -> bool {
        matches!(state.at[task], At::Point(point) if self.program.tasks[task].atomic[point.index()])
    }

    fn may_stay(&self, task: usize, at: At) -> bool {
        let it = &self.program.tasks[task];
        let At::Point(point) = at else { return false };
        let terminates = |&index: &usize| it.edges[index].role == Role::Terminate;
        point == it.end
            || self.selects[task].contains(&point) && self.out[task][point.index()].iter().any(terminates)
    }

    pub fn walk(&self) -> Option<Walked> {
        let mut found = Walked::default();
        // States in which one task moves before all others.
        let mut n_inside = 0;
        let passed = self.passed();
        let is_passed = |(task, at): (usize, &At)| {
            let At::Point(point) = at else { return false };
            passed.as_ref().is_some_and(|it| it[task][point.index()])
        };
        let mut n_passed = 0;
        let mut seen: HashMap<State, ()> = HashMap::new();
        let mut open: VecDeque<State> = VecDeque::new();
        let unknown = self.program.variables.iter().any(|it| it.initial.is_none() && it.owner.is_none());
        for state in self.initial()? {
            if seen.insert(state.clone(), ()).is_none() {
                open.push_back(state);
            }
        }
        while let Some(state) = open.pop_front() {
            if seen.len() > MOST_STATES {
                return None;
            }
            let (next, fails) = self.successors(&state);
            found.fails |= fails;
            let is_stuck = next.is_empty() && !fails;
            let is_inside = !is_stuck && (0..state.at.len()).any(|task| self.is_inside(&state, task));
            n_inside += usize::from(is_inside);
            n_passed += usize::from(!is_inside && state.at.iter().enumerate().any(is_passed));
            found.has_deadlock |=
                is_stuck && state.at.iter().enumerate().any(|(task, at)| !self.may_stay(task, *at));
            for state in next {
                if seen.insert(state.clone(), ()).is_none() {
                    open.push_back(state);
                }
            }
        }
        // One more before unknown values are chosen.
        found.n_states = seen.len() - n_inside + usize::from(unknown);
        found.n_resting = passed.map(|_| found.n_states - n_passed);
        Some(found)
    }

    pub fn initial(&self) -> Option<Vec<State>> {
        let at = self.program.tasks.iter().map(|it| At::Point(it.start)).collect();
        let mut all = vec![State { at, values: Vec::new(), served: Vec::new() }];
        for variable in &self.program.variables {
            let values: Vec<Value> = match (variable.initial, variable.owner) {
                (Some(value), _) => vec![value],
                // Its declaration assigns to it before anything reads it.
                (None, Some(_)) => vec![0],
                (None, None) => (0..variable.domain.size() as Value).collect(),
            };
            if all.len() * values.len() > MOST_STATES {
                return None;
            }
            let with = |state: &State, value: Value| {
                let mut state = state.clone();
                state.values.push(value);
                state
            };
            all = all.iter().flat_map(|state| values.iter().map(move |value| with(state, *value))).collect();
        }
        Some(all)
    }
}
