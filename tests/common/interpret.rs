//! The reference interpreter: every interleaving of a model, by the book.
//!
//! A state is what is left to do in each task and the value of each variable.
//! There is no flow graph and no analysis here: a step is possible if the
//! tasks it needs are ready for it in this very state.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use super::machine::{Action, Cont, END, Machine, Move};
use super::model::Model;
use super::values::World;

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
    /// Per state: have all tasks ended?
    pub ended: Vec<bool>,
    /// Per state: the positions of its outgoing transitions.
    pub outgoing: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    /// `None` is a silent step.
    pub label: Option<Rc<str>>,
    /// Who takes part: one task, or caller and acceptor.
    pub tasks: Vec<usize>,
    pub to: usize,
}

/// Every state and step of the model, or `None` above the limits.
pub fn explore(model: &Model, limits: &Limits) -> Option<Graph> {
    Explorer::new(Machine::new(World::new(model)), *limits).run()
}

/// The calls that no accept matches; a valid model has none.
pub fn unmatched_calls(model: &Model) -> Vec<String> {
    Machine::unmatched_calls(World::new(model))
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    conts: Vec<Cont>,
    values: Vec<i64>,
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
        let initial = starts.into_iter().map(|values| self.arrive(State { conts: conts.clone(), values }));
        let initial = initial.collect();
        let mut state = 0;
        while state < self.states.len() {
            if self.states.len() > self.limits.states || self.transitions.len() > self.limits.transitions {
                return None;
            }
            self.steps(state);
            state += 1;
        }
        Some(Graph {
            tasks: {
                let objects = self.machine.world.objects.into_iter().map(|object| object.name);
                self.machine.tasks.into_iter().chain(objects).collect()
            },
            variables: self.machine.world.scalars.into_iter().map(|scalar| scalar.name).collect(),
            n_states: self.states.len(),
            initial,
            transitions: self.transitions,
            ended: self.states.iter().map(|state| state.conts.iter().all(|cont| *cont == END)).collect(),
            outgoing: self.outgoing,
        })
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

    fn step(&mut self, from: usize, label: Option<String>, tasks: Vec<usize>, to: State) {
        let to = self.arrive(to);
        let label =
            label.map(|label| self.labels.entry(label).or_insert_with_key(|key| key[..].into()).clone());
        let known = &self.outgoing[from];
        let same = |step: &Transition| step.to == to && step.label == label && step.tasks == tasks;
        if !known.iter().any(|position| same(&self.transitions[*position])) {
            self.outgoing[from].push(self.transitions.len());
            self.transitions.push(Transition { from, label, tasks, to });
        }
    }

    fn steps(&mut self, from: usize) {
        let state = self.states[from].clone();
        let inside: Vec<usize> =
            (0..state.conts.len()).filter(|task| self.machine.is_inside(state.conts[*task])).collect();
        assert!(inside.len() <= 1, "two tasks are inside their atomic blocks");
        for task in (0..state.conts.len()).filter(|task| inside.is_empty() || inside.contains(task)) {
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
                    Action::Operate(object, operation, message) => {
                        let slot = self.machine.world.scalars.len() + object;
                        let raw = message.map_or(0, |value| value.raw);
                        let object_kind = &self.machine.world.objects[*object];
                        let after = object_kind.after(state.values[slot], task, *operation, raw);
                        let Some(after) = after else { continue };
                        let mut to = state.clone();
                        to.conts[task] = step.next;
                        to.values[slot] = after;
                        let partner = state.conts.len() + object;
                        self.step(from, step.action.label(&self.machine), vec![task, partner], to);
                    }
                    _ => self.alone(from, &state, task, step),
                }
            }
        }
    }

    /// A step of one task.
    fn alone(&mut self, from: usize, state: &State, task: usize, step: &Move<'m>) {
        let label = step.action.label(&self.machine);
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

impl Graph {
    pub fn out(&self, state: usize) -> impl Iterator<Item = &Transition> {
        self.outgoing[state].iter().map(|position| &self.transitions[*position])
    }

    /// The labels that occur, sorted.
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> =
            self.transitions.iter().filter_map(|step| step.label.as_deref()).collect();
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
        (0..self.n_states).filter(|state| !self.ended[*state] && self.outgoing[*state].is_empty()).collect()
    }
}
