//! The reference interpreter: every interleaving of a model, by the book or in
//! the exact meaning.
//!
//! A state is what is left to do in each task and the value of each variable.
//! There is no flow graph and no analysis here: a step is possible if the
//! tasks it needs are ready for it in this very state.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use super::machine::{Action, Cont, END, Machine, Move, Test};
use super::model::Model;
use super::values::World;

pub use super::machine::Meaning;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub states: usize,
    pub transitions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 20_000, transitions: 200_000 }
    }
}

/// All reachable states, numbered, and the steps between them.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Names of the task instances.
    pub tasks: Vec<String>,
    /// Names of the scalar variables.
    pub variables: Vec<String>,
    pub n_states: usize,
    pub initial: Vec<usize>,
    pub transitions: Vec<Transition>,
    /// Per state: has the run ended properly? By the book: have all tasks
    /// ended?
    pub ended: Vec<bool>,
    pub status: Vec<Status>,
    /// Per state: the values of the variables.
    pub values: Vec<Vec<i64>>,
    /// Per state: the positions of its outgoing transitions.
    pub outgoing: Vec<Vec<usize>>,
}

/// How it goes on from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Some task can move.
    Running,
    /// No task can move, and each has ended or (in the exact meaning) waits at
    /// a `select!` with `terminate`.
    Ended,
    /// No task can move, and some task should.
    Deadlock,
    /// The step to this state was an assignment of a value outside the domain;
    /// only in the exact meaning.
    Error,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    /// None is a silent step; by the book there is at most one. The step to an
    /// error has none: it does not take place.
    pub labels: Vec<Rc<str>>,
    /// Who takes part: one task, or caller and acceptor.
    pub tasks: Vec<usize>,
    pub to: usize,
}

/// Every state and step of the model by the book, or `None` above the limits.
pub fn explore(model: &Model, limits: &Limits) -> Option<Graph> {
    explore_as(model, Meaning::Book, limits)
}

/// Every state and step of the model, or `None` above the limits.
pub fn explore_as(model: &Model, meaning: Meaning, limits: &Limits) -> Option<Graph> {
    Explorer::new(Machine::new(World::new(model), meaning), *limits).run()
}

/// The calls that no accept matches; a valid model has none.
pub fn unmatched_calls(model: &Model) -> Vec<String> {
    Machine::unmatched_calls(World::new(model))
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    conts: Vec<Cont>,
    values: Vec<i64>,
    is_error: bool,
}

struct Explorer<'m> {
    machine: Machine<'m>,
    limits: Limits,
    numbers: HashMap<State, usize>,
    states: Vec<State>,
    transitions: Vec<Transition>,
    outgoing: Vec<Vec<usize>>,
    labels: HashMap<String, Rc<str>>,
}

impl<'m> Explorer<'m> {
    fn new(machine: Machine<'m>, limits: Limits) -> Self {
        Self {
            machine,
            limits,
            numbers: HashMap::new(),
            states: Vec::new(),
            transitions: Vec::new(),
            outgoing: Vec::new(),
            labels: HashMap::new(),
        }
    }

    fn run(mut self) -> Option<Graph> {
        let conts = self.machine.starts.clone();
        let mut starts = vec![Vec::new()];
        for scalar in &self.machine.world.scalars {
            let with =
                |values: Vec<i64>| scalar.initial.iter().map(move |value| [&values[..], &[*value]].concat());
            starts = starts.into_iter().flat_map(with).collect();
        }
        for values in &mut starts {
            values.extend(self.machine.world.objects.iter().map(|object| object.initial()));
        }
        let start = |values| State { conts: conts.clone(), values, is_error: false };
        let initial = starts.into_iter().map(|values| self.arrive(start(values)));
        let initial = initial.collect();
        let mut state = 0;
        while state < self.states.len() {
            if self.states.len() > self.limits.states || self.transitions.len() > self.limits.transitions {
                return None;
            }
            match self.machine.meaning {
                Meaning::Book => self.steps(state),
                Meaning::Exact => self.exact_steps(state),
            }
            state += 1;
        }
        let status: Vec<Status> = (0..self.states.len()).map(|state| self.status(state)).collect();
        Some(Graph {
            tasks: {
                let objects = self.machine.world.objects.into_iter().map(|object| object.name);
                self.machine.tasks.into_iter().chain(objects).collect()
            },
            variables: self.machine.world.scalars.into_iter().map(|scalar| scalar.name).collect(),
            n_states: self.states.len(),
            initial,
            transitions: self.transitions,
            ended: status.iter().map(|status| *status == Status::Ended).collect(),
            status,
            values: self.states.into_iter().map(|state| state.values).collect(),
            outgoing: self.outgoing,
        })
    }

    fn status(&mut self, state: usize) -> Status {
        let State { conts, is_error, .. } = self.states[state].clone();
        let mut may_end = |cont: Cont| {
            let terminate = |step: &Move| step.action == Action::Terminate;
            cont == END || self.machine.moves(cont).iter().any(terminate)
        };
        match self.outgoing[state].is_empty() {
            _ if is_error => Status::Error,
            false => Status::Running,
            true if conts.into_iter().all(&mut may_end) => Status::Ended,
            true => Status::Deadlock,
        }
    }

    fn arrive(&mut self, mut state: State) -> usize {
        for cont in &mut state.conts {
            *cont = self.machine.settle(*cont);
        }
        match self.numbers.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(fresh) => {
                self.states.push(fresh.key().clone());
                self.outgoing.push(Vec::new());
                *fresh.insert(self.states.len() - 1)
            }
        }
    }

    fn step(&mut self, from: usize, labels: impl IntoIterator<Item = String>, tasks: Vec<usize>, to: State) {
        let to = self.arrive(to);
        let shared =
            |label| self.labels.entry(label).or_insert_with_key(|key: &String| key[..].into()).clone();
        let labels: Vec<Rc<str>> = labels.into_iter().map(shared).collect();
        let known = &self.outgoing[from];
        let same = |step: &Transition| step.to == to && step.labels == labels && step.tasks == tasks;
        if !known.iter().any(|position| same(&self.transitions[*position])) {
            self.outgoing[from].push(self.transitions.len());
            self.transitions.push(Transition { from, labels, tasks, to });
        }
    }

    fn steps(&mut self, from: usize) {
        let state = self.states[from].clone();
        for task in self.free_tasks(&state) {
            for step in self.machine.moves(state.conts[task]).iter() {
                match &step.action {
                    Action::Call(entry) => self.rendezvous(from, &state, task, *entry, step.next),
                    Action::Accept(..) => {}
                    Action::Finish(_, caller) => {
                        let mut to = state.clone();
                        to.conts[task] = step.next;
                        to.conts[*caller] = self.machine.woken(state.conts[*caller]);
                        self.step(from, step.action.label(&self.machine), vec![*caller, task], to);
                    }
                    Action::Operate(..) => self.operate(from, &state, task, step),
                    _ => self.alone(from, &state, task, step),
                }
            }
        }
    }

    /// The steps in the exact meaning. `else` comes last: it needs that its
    /// task has no other step.
    fn exact_steps(&mut self, from: usize) {
        let state = self.states[from].clone();
        if state.is_error {
            return;
        }
        let free = self.free_tasks(&state);
        for &task in &free {
            for step in self.machine.moves(state.conts[task]).iter() {
                match &step.action {
                    Action::Call(_) if holds(&step.tests, &state) => self.meet(from, &state, task, step),
                    Action::Call(_) | Action::Accept(..) | Action::Else | Action::Terminate => {}
                    Action::Finish(_, caller) => {
                        let mut to = state.clone();
                        to.conts[task] = step.next;
                        to.conts[*caller] = self.machine.woken(state.conts[*caller]);
                        self.step(from, step.action.label(&self.machine), vec![*caller, task], to);
                    }
                    Action::Operate(..) => self.operate(from, &state, task, step),
                    action if self.leaves_domain(&state, action) => {
                        let to = State { is_error: true, ..state.clone() };
                        self.step(from, None, vec![task], to);
                    }
                    _ => self.alone(from, &state, task, step),
                }
            }
        }
        let taken = self.outgoing[from].iter().flat_map(|position| self.transitions[*position].tasks.clone());
        let moved: Vec<usize> = taken.collect();
        for task in free.into_iter().filter(|task| !moved.contains(task)) {
            for step in self.machine.moves(state.conts[task]).iter().filter(|it| it.action == Action::Else) {
                let mut to = state.clone();
                to.conts[task] = step.next;
                self.step(from, None, vec![task], to);
            }
        }
    }

    /// The tasks that may move: only the one inside its atomic block, if there is one.
    fn free_tasks(&self, state: &State) -> Vec<usize> {
        let all = 0..state.conts.len();
        let inside: Vec<usize> =
            all.clone().filter(|task| self.machine.is_inside(state.conts[*task])).collect();
        assert!(inside.len() <= 1, "two tasks are inside their atomic blocks");
        if inside.is_empty() { all.collect() } else { inside }
    }

    /// An operation of a task on an object that is ready for it.
    fn operate(&mut self, from: usize, state: &State, task: usize, step: &Move<'m>) {
        let Action::Operate(object, operation, message) = &step.action else { panic!("no operation") };
        let slot = self.machine.world.scalars.len() + object;
        let raw = message.map_or(0, |value| value.raw);
        let object_kind = &self.machine.world.objects[*object];
        let Some(after) = object_kind.after(state.values[slot], task, *operation, raw) else { return };
        let mut to = state.clone();
        to.conts[task] = step.next;
        to.values[slot] = after;
        let partner = state.conts.len() + object;
        self.step(from, step.action.label(&self.machine), vec![task, partner], to);
    }

    fn leaves_domain(&self, state: &State, action: &Action) -> bool {
        match action {
            Action::Leave(..) | Action::Panic => true,
            Action::Shift(variable, by) => {
                let scalar = &self.machine.world.scalars[*variable];
                !(scalar.lo..=scalar.hi).contains(&(state.values[*variable] + by))
            }
            _ => false,
        }
    }

    /// A call whose tests hold meets every accept of its entry that is ready and
    /// whose tests hold, too: one step with the labels of all tests.
    fn meet(&mut self, from: usize, state: &State, caller: usize, call: &Move<'m>) {
        let Action::Call(entry) = call.action else { panic!("only a call meets an accept") };
        for acceptor in (0..state.conts.len()).filter(|task| *task != caller) {
            for accept in self.machine.moves(state.conts[acceptor]).iter() {
                let Action::Accept(offered, body) = &accept.action else { continue };
                if *offered != entry || !holds(&accept.tests, state) {
                    continue;
                }
                let mut to = state.clone();
                to.conts[acceptor] = self.machine.accepted(accept, caller);
                to.conts[caller] = if body.is_some() { self.machine.waiting(call.next) } else { call.next };
                let tests = call.tests.iter().chain(&accept.tests);
                let tests = tests.map(|(variable, values)| self.machine.world.test_label(*variable, values));
                let labels: Vec<String> = tests.chain(accept.action.label(&self.machine)).collect();
                self.step(from, labels, vec![caller, acceptor], to);
            }
        }
    }

    /// A step of one task.
    fn alone(&mut self, from: usize, state: &State, task: usize, step: &Move<'m>) {
        if !holds(&step.tests, state) {
            return;
        }
        let tests = step.tests.iter();
        let tests = tests.map(|(variable, values)| self.machine.world.test_label(*variable, values));
        let label: Vec<String> = tests.chain(step.action.label(&self.machine)).collect();
        let mut to = state.clone();
        to.conts[task] = step.next;
        let Some((variable, values)) = self.effect(state, &step.action) else {
            if !matches!(&step.action, Action::Test(variable, values) if !values.contains(&state.values[*variable]))
            {
                self.step(from, label, vec![task], to);
            }
            return;
        };
        for value in values {
            to.values[variable] = value;
            self.step(from, label.clone(), vec![task], to.clone());
        }
    }

    /// The variable an action writes and the values it may get.
    fn effect(&self, state: &State, action: &Action) -> Option<(usize, Vec<i64>)> {
        let domain = |variable: usize| {
            let scalar = &self.machine.world.scalars[variable];
            scalar.lo..=scalar.hi
        };
        match action {
            Action::Assign(variable, Some(value)) => Some((*variable, vec![*value])),
            Action::Assign(variable, None) | Action::Forget(variable) => {
                Some((*variable, domain(*variable).collect()))
            }
            Action::Shift(variable, by) => {
                let value = state.values[*variable] + by;
                let inside = domain(*variable).contains(&value);
                Some((*variable, if inside { vec![value] } else { domain(*variable).collect() }))
            }
            _ => None,
        }
    }

    /// A call meets every accept of its entry that is ready.
    fn rendezvous(&mut self, from: usize, state: &State, caller: usize, entry: usize, after: Cont) {
        for acceptor in (0..state.conts.len()).filter(|task| *task != caller) {
            for accept in self.machine.moves(state.conts[acceptor]).iter() {
                let Action::Accept(offered, body) = &accept.action else { continue };
                if *offered != entry {
                    continue;
                }
                let mut to = state.clone();
                to.conts[acceptor] = self.machine.accepted(accept, caller);
                to.conts[caller] = if body.is_some() { self.machine.waiting(after) } else { after };
                self.step(from, accept.action.label(&self.machine), vec![caller, acceptor], to);
            }
        }
    }
}

/// Are all tests true?
fn holds(tests: &[Test], state: &State) -> bool {
    tests.iter().all(|(variable, values)| values.contains(&state.values[*variable]))
}

impl Transition {
    /// The label of a step that has at most one.
    pub fn label(&self) -> Option<&str> {
        assert!(self.labels.len() < 2, "a step has several labels");
        self.labels.first().map(|label| &**label)
    }
}

impl Graph {
    pub fn out(&self, state: usize) -> impl Iterator<Item = &Transition> {
        self.outgoing[state].iter().map(|position| &self.transitions[*position])
    }

    /// The labels that occur, sorted.
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> =
            self.transitions.iter().flat_map(|step| &step.labels).map(|label| &**label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Can all tasks end?
    pub fn completes(&self) -> bool {
        self.ended.contains(&true)
    }

    /// States without a step in which some task has not ended.
    pub fn deadlocks(&self) -> Vec<usize> {
        self.with(Status::Deadlock)
    }

    /// States after an assignment of a value outside the domain.
    pub fn errors(&self) -> Vec<usize> {
        self.with(Status::Error)
    }

    fn with(&self, status: Status) -> Vec<usize> {
        (0..self.n_states).filter(|state| self.status[*state] == status).collect()
    }

    /// The same graph with one label per step, joined by `+`.
    pub fn joined(&self) -> Self {
        let mut joined = self.clone();
        for step in joined.transitions.iter_mut().filter(|step| step.labels.len() > 1) {
            step.labels = vec![step.labels.join("+").into()];
        }
        joined
    }
}
