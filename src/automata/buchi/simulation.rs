//! Merging of states and removal of transitions by direct simulation.
//!
//! A state simulates another if it can answer each of its transitions, with at
//! least the same marks, by a transition to a state that simulates the target.
//! States that simulate each other are merged; a transition is removed if
//! others with at least its marks lead to simulating states. The same is done
//! backwards, with incoming transitions. Both preserve the language (Somenzi
//! and Bloem, *Efficient Büchi Automata from LTL Formulae*, 2000).

use super::generalised::{Edge, Generalised};
use super::guard::{self, Guard};
use crate::base::bits::BitMatrix;
use crate::base::cancel::checkpoint;
use std::collections::HashMap;

/// Maximum numbers of states and transitions for simulation, which compares all
/// pairs of them.
const MAX_SIZE: (usize, usize) = (400, 3000);

impl Generalised {
    /// Reduces the automaton until no step makes it smaller.
    pub fn reduce(&mut self) {
        self.tidy();
        self.merge_equal();
        loop {
            let before = self.size();
            if self.is_small() {
                self.reduce_forward();
                self.tidy();
                self.reduce_backward();
                self.tidy();
            }
            self.merge_passed_once();
            self.tidy();
            if before <= self.size() {
                return;
            }
        }
    }

    fn is_small(&self) -> bool {
        let (n_states, n_edges) = self.size();
        n_states <= MAX_SIZE.0 && n_edges <= MAX_SIZE.1
    }

    /// Merges states with the same transitions.
    fn merge_equal(&mut self) {
        loop {
            let mut leaders: HashMap<&[Edge], u32> = HashMap::new();
            let rows = self.edges.iter().enumerate();
            let leader: Vec<u32> =
                rows.map(|(state, row)| *leaders.entry(row).or_insert(state as u32)).collect();
            if leaders.len() == self.n_states() {
                return;
            }
            self.redirect(|state| leader[state as usize]);
            self.tidy();
        }
    }

    /// Merges states that are on no cycle with states that have the same
    /// transitions, ignoring marks: a run visits them at most once.
    fn merge_passed_once(&mut self) {
        let components = self.components();
        let unmarked = |state: usize| -> Vec<(u32, Guard)> {
            self.edges[state].iter().map(|edge| (edge.target, edge.guard)).collect()
        };
        let mut leaders: HashMap<Vec<(u32, Guard)>, u32> = HashMap::new();
        let is_cyclic = |state: usize| components.is_cyclic[components.of[state]];
        for cyclic in [true, false] {
            for state in (0..self.n_states()).filter(|&state| is_cyclic(state) == cyclic) {
                checkpoint();
                leaders.entry(unmarked(state)).or_insert(state as u32);
            }
        }
        let leader: Vec<u32> = (0..self.n_states())
            .map(|state| if is_cyclic(state) { state as u32 } else { leaders[&unmarked(state)] })
            .collect();
        self.redirect(|state| leader[state as usize]);
    }

    fn reduce_forward(&mut self) {
        let simulates = Simulation::forward(self);
        let leader = simulates.leaders();
        self.redirect(|state| leader[state as usize]);
        for row in &mut self.edges {
            leave_out(row, |better, worse| simulates.by(worse.target, better.target));
        }
    }

    fn reduce_backward(&mut self) {
        let simulates = Simulation::backward(self);
        let leader = simulates.leaders();
        for (state, &leader) in leader.iter().enumerate() {
            let row = std::mem::take(&mut self.edges[state]);
            self.edges[leader as usize].extend(row);
        }
        self.redirect(|state| leader[state as usize]);
        self.reverse();
        for row in &mut self.edges {
            leave_out(row, |better, worse| simulates.by(worse.target, better.target));
        }
        self.reverse();
    }

    /// Removes letters from a transition that a better one reads, where one
    /// additional literal suffices. This makes the automaton more deterministic
    /// and preserves the language.
    pub fn sharpen(&mut self) {
        if !self.is_small() {
            return;
        }
        let simulates = Simulation::forward(self);
        for row in &mut self.edges {
            for index in 0..row.len() {
                checkpoint();
                for better in row.clone() {
                    let edge = row[index];
                    let is_better = edge.marks & !better.marks == 0
                        && edge.target != better.target
                        && simulates.by(edge.target, better.target);
                    if let Some(guard) = edge.guard.minus(better.guard).filter(|_| is_better) {
                        row[index].guard = guard;
                    }
                }
            }
        }
    }

    /// Reverses every transition.
    fn reverse(&mut self) {
        let mut reversed = vec![Vec::new(); self.n_states()];
        for (source, row) in self.edges.iter().enumerate() {
            for &edge in row {
                reversed[edge.target as usize].push(Edge { target: source as u32, ..edge });
            }
        }
        self.edges = reversed;
    }
}

/// Removes transitions whose letters better ones cover. They are removed one at
/// a time, so that one of two equally good ones remains.
fn leave_out(row: &mut Vec<Edge>, is_better: impl Fn(&Edge, &Edge) -> bool) {
    let mut index = row.len();
    while 0 < index {
        index -= 1;
        let edge = row[index];
        let others = row.iter().enumerate().filter(|&(other, better)| {
            other != index && edge.marks & !better.marks == 0 && is_better(better, &edge)
        });
        let guards: Vec<Guard> = others.map(|(_, better)| better.guard).collect();
        if guard::is_covered(edge.guard, &guards) {
            row.remove(index);
        }
    }
}

/// For each state, the states that simulate it.
struct Simulation {
    simulators: BitMatrix,
    n_states: usize,
}

impl Simulation {
    fn forward(automaton: &Generalised) -> Self {
        Self::greatest(&automaton.edges, |_, _| true)
    }

    fn backward(automaton: &Generalised) -> Self {
        let mut reversed = automaton.clone();
        reversed.reverse();
        // Merging must not change whether a state accepts.
        let marks = |state: usize| match automaton.state_based {
            true => automaton.edges[state].first().map_or(0, |edge| edge.marks),
            false => 0,
        };
        Self::greatest(&reversed.edges, |state, other| {
            (state != automaton.start as usize || other == state) && marks(state) & !marks(other) == 0
        })
    }

    /// Returns the largest simulation among the permitted pairs.
    fn greatest(edges: &[Vec<Edge>], may_simulate: impl Fn(usize, usize) -> bool) -> Self {
        let n_states = edges.len();
        let mut simulation = Self { simulators: BitMatrix::new(n_states, n_states), n_states };
        for state in 0..n_states {
            for other in (0..n_states).filter(|&other| may_simulate(state, other)) {
                simulation.simulators.insert(state, other);
            }
        }
        while simulation.remove_failing(edges) {}
        simulation
    }

    fn remove_failing(&mut self, edges: &[Vec<Edge>]) -> bool {
        let mut removed = false;
        for state in 0..self.n_states {
            for other in (0..self.n_states).filter(|&other| other != state) {
                checkpoint();
                if self.simulators.contains(state, other) && !self.answers(&edges[other], &edges[state]) {
                    self.simulators.remove(state, other);
                    removed = true;
                }
            }
        }
        removed
    }

    /// Returns whether each letter of each challenge has an answer.
    fn answers(&self, answers: &[Edge], challenges: &[Edge]) -> bool {
        challenges.iter().all(|challenge| {
            let fits = |answer: &&Edge| {
                challenge.marks & !answer.marks == 0 && self.by(challenge.target, answer.target)
            };
            let guards: Vec<Guard> = answers.iter().filter(fits).map(|answer| answer.guard).collect();
            guard::is_covered(challenge.guard, &guards)
        })
    }

    /// Returns whether `other` simulates `state`.
    fn by(&self, state: u32, other: u32) -> bool {
        self.simulators.contains(state as usize, other as usize)
    }

    /// Returns, for each state, the lowest state that is equivalent to it.
    fn leaders(&self) -> Vec<u32> {
        let is_equal = |state, other| self.by(state, other) && self.by(other, state);
        (0..self.n_states as u32)
            .map(|state| (0..state).find(|&other| is_equal(state, other)).unwrap_or(state))
            .collect()
    }
}
