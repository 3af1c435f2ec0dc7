//! A node-tuple graph written out, with exact distances.

use super::{Arena, Known};
use std::collections::{HashMap, VecDeque};
use trapline::flow::heuristics::HEURISTICS;
use trapline::system::{Arrived, StateId, Successors, TransitionSystem, Word};

/// All reachable states, numbered in breadth-first order.
pub struct Exact {
    pub states: Vec<Vec<Word>>,
    pub next: Vec<Vec<usize>>,
    pub is_goal: Vec<bool>,
    pub is_trapped: Vec<bool>,
    /// Steps from the initial state.
    pub from_start: Vec<u32>,
    /// Steps to a goal.
    pub to_goal: Vec<Option<u32>>,
}

impl Exact {
    /// `None` if there are more than `most` states.
    pub fn new(arena: &Arena, most: usize) -> Option<Self> {
        let mut product = arena.product.clone();
        let mut initial = vec![0; product.width()];
        product.initial(&mut initial);
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut exact = Self {
            states: vec![initial],
            next: Vec::new(),
            is_goal: Vec::new(),
            is_trapped: Vec::new(),
            from_start: vec![0],
            to_goal: Vec::new(),
        };
        let mut successors = Successors::new(product.width());
        while exact.next.len() < exact.states.len() {
            let number = exact.next.len();
            let state = exact.states[number].clone();
            exact.is_goal.push(product.is_goal(&state));
            exact.is_trapped.push(product.is_trapped(&state));
            successors.clear();
            product.successors(&state, &mut successors).expect("this system never aborts");
            let mut next = Vec::new();
            for successor in successors.iter() {
                let fresh = exact.states.len();
                let to = *numbers.entry(successor.to_vec()).or_insert(fresh);
                if to == fresh {
                    exact.states.push(successor.to_vec());
                    exact.from_start.push(exact.from_start[number] + 1);
                }
                next.push(to);
            }
            exact.next.push(next);
            if exact.states.len() > most {
                return None;
            }
        }
        exact.to_goal = exact.distances_to_goals();
        Some(exact)
    }

    /// Breadth first from the goals against the edges.
    fn distances_to_goals(&self) -> Vec<Option<u32>> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, next) in self.next.iter().enumerate() {
            next.iter().for_each(|&to| before[to].push(from));
        }
        let mut distances: Vec<Option<u32>> = self.is_goal.iter().map(|goal| goal.then_some(0)).collect();
        let mut pending: VecDeque<usize> = (0..self.states.len()).filter(|&it| self.is_goal[it]).collect();
        while let Some(state) = pending.pop_front() {
            for &earlier in &before[state] {
                if distances[earlier].is_none() {
                    distances[earlier] = distances[state].map(|distance| distance + 1);
                    pending.push_back(earlier);
                }
            }
        }
        distances
    }

    pub fn known(&self) -> Known {
        let goals = (0..self.states.len()).filter(|&state| self.is_goal[state]);
        let shortest = goals.clone().map(|state| self.from_start[state]).min();
        // The first trapped state of a path is reached through others that
        // are not, but once trapped is for ever: any shortest path will do.
        let trapped = (0..self.states.len()).filter(|&state| self.is_trapped[state]);
        let to_trap = trapped.filter(|&state| self.to_goal[state].is_some());
        let soonest = to_trap.map(|state| self.from_start[state]);
        let never = goals.filter(|&state| !self.is_trapped[state]).map(|state| self.from_start[state]);
        let n_edges = self.next.iter().map(|next| next.len() as u64).sum();
        Known {
            shortest,
            shortest_prefix: soonest.chain(never).min(),
            size: Some((self.states.len() as u64, n_edges)),
        }
    }

    /// Once trapped, always trapped: what the second stage rests on.
    pub fn expect_traps_to_hold(&self) {
        for (from, next) in self.next.iter().enumerate().filter(|&(from, _)| self.is_trapped[from]) {
            assert!(next.iter().all(|&to| self.is_trapped[to]), "{from} gets out of the trap");
        }
    }

    /// Holds what is claimed of each heuristic against the exact distances.
    pub fn check_claims(&self, arena: &Arena) -> Vec<ClaimTally> {
        HEURISTICS
            .iter()
            .map(|entry| {
                let guide = entry.guide;
                let mut heuristic = arena.heuristic(guide.name);
                let per_step = u64::from(heuristic.per_step());
                let mut estimate = |(number, state): (usize, &Vec<Word>)| {
                    let arrived = Arrived { id: StateId::new(number), state, g: 0, from: None };
                    heuristic.estimate(&arrived).map(u64::from)
                };
                let estimates: Vec<Option<u64>> = self.states.iter().enumerate().map(&mut estimate).collect();
                let mut tally = ClaimTally { heuristic: guide.name, ..ClaimTally::default() };
                for (state, estimate) in estimates.iter().enumerate() {
                    let exact = self.to_goal[state].map(|steps| u64::from(steps) * per_step);
                    tally.states += 1;
                    tally.positive += u64::from(estimate.is_some_and(|estimate| estimate > 0));
                    tally.hopeless += u64::from(exact.is_none());
                    tally.recognised += u64::from(estimate.is_none());
                    tally.perfect += u64::from(exact.is_some_and(|it| it > 0) && *estimate == exact);
                    assert!(
                        estimate.is_some() || exact.is_none(),
                        "`{}` gives up {exact:?} units before a goal: {:?}",
                        guide.name,
                        arena.product.tuple(&self.states[state])
                    );
                    let too_long = matches!((estimate, exact), (Some(estimate), Some(exact)) if *estimate > exact);
                    assert!(
                        !(guide.admissible && too_long),
                        "`{}` is claimed to be admissible but estimates {estimate:?} for {exact:?}",
                        guide.name
                    );
                    tally.too_long += u64::from(too_long);
                    for &next in &self.next[state] {
                        let falls = match (estimate, estimates[next]) {
                            (_, None) => false,
                            (None, Some(_)) => true,
                            (Some(here), Some(there)) => *here > per_step + there,
                        };
                        assert!(
                            !(guide.monotone && falls),
                            "`{}` is claimed to be monotone but falls from {estimate:?} to {:?}: {:?} to {:?}",
                            guide.name,
                            estimates[next],
                            (arena.product.node(&self.states[state]), arena.product.tuple(&self.states[state])),
                            (arena.product.node(&self.states[next]), arena.product.tuple(&self.states[next])),
                        );
                        tally.falls += u64::from(falls);
                        let tight = |here| estimates[next].is_some_and(|there| here == per_step + there);
                        tally.tight += u64::from(estimate.is_some_and(tight));
                    }
                }
                tally
            })
            .collect()
    }
}

/// How a heuristic did on some states.
#[derive(Clone, Debug, Default)]
pub struct ClaimTally {
    pub heuristic: &'static str,
    pub states: u64,
    /// States with an estimate that says something.
    pub positive: u64,
    /// States with an estimate that is exact, goals left out.
    pub perfect: u64,
    /// States from which no goal can be reached, and how many of them the
    /// heuristic knows.
    pub hopeless: u64,
    pub recognised: u64,
    /// Estimates that are not admissible.
    pub too_long: u64,
    /// Edges along which the estimate falls by more than a step.
    pub falls: u64,
    /// Edges along which it falls by exactly a step.
    pub tight: u64,
}

impl ClaimTally {
    pub fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.positive += other.positive;
        self.perfect += other.perfect;
        self.hopeless += other.hopeless;
        self.recognised += other.recognised;
        self.too_long += other.too_long;
        self.falls += other.falls;
        self.tight += other.tight;
    }
}
