//! All orders that use heuristics, stages or several queues.
//!
//! A stage can stop evaluating heuristics after a number of turns: estimates
//! and ranks cost time, and a search that has not found anything after millions
//! of steps usually has nothing to find.

use super::Frontier;
use super::shelf::{QueueEntry, Shelf};
use crate::search::StateId;
use crate::search::strategy::{Chain, Rule, Strategy, Weight};
use crate::system::{Arrived, Heuristic, TransitionSystem};

/// Queues in stages: trapped states wait in the second stage, if there is one,
/// and the second stage is served as long as it is not empty.
///
/// When it is empty the first stage continues with the same visited set: no
/// work is repeated, and no state is lost.
pub struct Guided<'h> {
    heuristics: Vec<Box<dyn Heuristic + 'h>>,
    /// Estimates of the state that is being added.
    estimates: Vec<u32>,
    keys: Vec<u64>,
    stages: Vec<Stage>,
    current: usize,
}

/// Queues that take turns.
struct Stage {
    queues: Vec<Queue>,
    /// Heuristics that the queues use.
    asked: Vec<usize>,
    /// Index of the queue that was served last.
    last: usize,
    /// Index of the queue that is served next.
    next: usize,
    /// Number of turns until the queues are replaced by a breadth-first queue
    /// without heuristics.
    until_bfs: Option<u32>,
}

struct Queue {
    ranks: Vec<Rank>,
    shelf: Shelf,
    /// Number of turns left before the queue is dropped, if it is dropped.
    turns: Option<u32>,
}

/// How a key is computed.
#[derive(Clone, Copy)]
enum Rank {
    /// Length of the path.
    Steps,
    /// Estimate of a heuristic.
    Estimate(usize),
    /// Weighted sum: `per_unit · g + weight · estimate`.
    Sum { heuristic: usize, per_unit: u64, weight: u64 },
}

impl<'h> Guided<'h> {
    /// Creates the queues of a strategy. `build` creates a heuristic from its
    /// name; it is called once per name, and each heuristic is evaluated once
    /// per state.
    pub fn new(strategy: &Strategy, mut build: impl FnMut(&str) -> Box<dyn Heuristic + 'h>) -> Self {
        let mut built = Built { names: Vec::new(), heuristics: Vec::new() };
        let mut stages = Vec::new();
        for stage in &strategy.stages {
            let mut asked = Vec::new();
            let mut queues = Vec::new();
            for chain in stage.queues.iter().filter(|chain| chain.after().is_none()) {
                let mut ranks = Vec::new();
                for rule in &chain.rules {
                    let heuristic = rule.heuristic().map(|name| built.index_of(name, &mut build));
                    if let Some(index) = heuristic.filter(|index| !asked.contains(index)) {
                        asked.push(index);
                    }
                    ranks.extend(rank(rule, heuristic, |index| built.heuristics[index].per_step()));
                }
                let shelf = Shelf::new(ranks.len() as u32, newest_first(chain));
                let turns = match chain.rules.first() {
                    Some(Rule::Best { turns, .. }) => *turns,
                    _ => None,
                };
                queues.push(Queue { ranks, shelf, turns });
            }
            let until_bfs = stage.queues.iter().find_map(Chain::after);
            stages.push(Stage { queues, asked, last: 0, next: 0, until_bfs });
        }
        let heuristics = built.heuristics;
        let estimates = vec![0; heuristics.len()];
        Self { heuristics, estimates, keys: Vec::new(), stages, current: 0 }
    }
}

/// Heuristics built so far.
struct Built<'s, 'h> {
    names: Vec<&'s str>,
    heuristics: Vec<Box<dyn Heuristic + 'h>>,
}

impl<'s, 'h> Built<'s, 'h> {
    fn index_of(&mut self, name: &'s str, build: &mut impl FnMut(&str) -> Box<dyn Heuristic + 'h>) -> usize {
        self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.heuristics.push(build(name));
            self.names.len() - 1
        })
    }
}

fn newest_first(chain: &Chain) -> bool {
    matches!(chain.rules.last(), Some(Rule::Dfs { .. }))
}

fn rank(rule: &Rule, heuristic: Option<usize>, per_step: impl Fn(usize) -> u32) -> Option<Rank> {
    let sum = |index: usize, weight: Weight| {
        let (numerator, denominator) = weight.fraction();
        let per_unit = u64::from(per_step(index)) * u64::from(denominator);
        Rank::Sum { heuristic: index, per_unit, weight: u64::from(numerator) }
    };
    match (rule, heuristic) {
        (Rule::Best { .. }, Some(index)) => Some(Rank::Estimate(index)),
        (Rule::AStar { .. }, Some(index)) => Some(sum(index, Weight::ONE)),
        (Rule::Weighted { weight, .. }, Some(index)) => Some(sum(index, *weight)),
        (Rule::Bfs, _) => Some(Rank::Steps),
        _ => None,
    }
}

impl Stage {
    fn pop(&mut self) -> Option<(StateId, u32)> {
        self.give_up_queues();
        if self.until_bfs == Some(0) {
            self.go_breadth_first();
        }
        for _ in 0..self.queues.len() {
            self.last = self.next;
            self.next = (self.last + 1) % self.queues.len();
            let queue = &mut self.queues[self.last];
            if let Some(entry) = queue.shelf.pop() {
                queue.turns = queue.turns.map(|turns| turns - 1);
                self.until_bfs = self.until_bfs.map(|turns| turns - 1);
                return Some(entry);
            }
        }
        None
    }

    /// Gives the queue that was served last another turn.
    fn give_another_turn(&mut self) {
        self.next = self.last;
        self.until_bfs = self.until_bfs.map(|turns| turns + 1);
    }

    /// Moves all waiting states to a queue that is ordered by path length.
    /// Every queue without a limit on turns contains all of them.
    fn go_breadth_first(&mut self) {
        self.until_bfs = None;
        let mut waiting: Vec<QueueEntry> = Vec::new();
        let mut shelf = Shelf::new(1, false);
        if let Some(queue) = self.queues.iter_mut().find(|queue| queue.turns.is_none()) {
            waiting.extend(std::iter::from_fn(|| queue.shelf.pop()));
        }
        waiting.sort_unstable_by_key(|&(id, _)| id);
        for entry in waiting {
            shelf.push(&[u64::from(entry.1)], entry);
        }
        self.queues = vec![Queue { ranks: vec![Rank::Steps], shelf, turns: None }];
        self.asked.clear();
        (self.last, self.next) = (0, 0);
    }

    /// Drops queues that have used all their turns: their states also wait in
    /// the others.
    fn give_up_queues(&mut self) {
        if self.queues.iter().all(|queue| queue.turns != Some(0)) {
            return;
        }
        self.queues.retain(|queue| queue.turns != Some(0));
        self.next = 0;
        let ranks: Vec<Rank> = self.queues.iter().flat_map(|queue| queue.ranks.iter().copied()).collect();
        self.asked.retain(|asked| ranks.iter().any(|rank| rank.heuristic() == Some(*asked)));
    }
}

impl Rank {
    fn heuristic(self) -> Option<usize> {
        match self {
            Self::Steps => None,
            Self::Estimate(heuristic) | Self::Sum { heuristic, .. } => Some(heuristic),
        }
    }
}

impl Frontier for Guided<'_> {
    fn push<S: TransitionSystem>(&mut self, system: &S, arrived: &Arrived) -> bool {
        let &Arrived { id, state, g, .. } = arrived;
        let last = self.stages.len() - 1;
        let stage = &mut self.stages[if last > 0 && system.is_trapped(state) { last } else { 0 }];
        for &index in &stage.asked {
            match self.heuristics[index].estimate(arrived) {
                Some(estimate) => self.estimates[index] = estimate,
                None => return false,
            }
        }
        for queue in &mut stage.queues {
            self.keys.clear();
            let estimates = &self.estimates;
            let key = |rank: &Rank| match *rank {
                Rank::Steps => u64::from(g),
                Rank::Estimate(index) => u64::from(estimates[index]),
                Rank::Sum { heuristic, per_unit, weight } => {
                    u64::from(g) * per_unit + u64::from(estimates[heuristic]) * weight
                }
            };
            self.keys.extend(queue.ranks.iter().map(key));
            queue.shelf.push(&self.keys, (id, g));
        }
        true
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        let taken = self.stages.iter_mut().enumerate().rev().find_map(|(index, stage)| {
            let entry = stage.pop()?;
            Some((index, entry))
        });
        let (stage, entry) = taken?;
        self.current = stage;
        Some(entry)
    }

    fn upcoming(&self) -> Option<StateId> {
        let stage = &self.stages[self.current];
        stage.queues[stage.next].shelf.peek().map(|(id, _)| id)
    }

    fn give_another_turn(&mut self) {
        self.stages[self.current].give_another_turn();
    }

    fn stage(&self) -> usize {
        self.current
    }

    fn n_waiting(&self) -> usize {
        let of_stage = |stage: &Stage| stage.queues.iter().map(|queue| queue.shelf.len()).max().unwrap_or(0);
        self.stages.iter().map(of_stage).sum()
    }

    fn bytes(&self) -> usize {
        let queues = self.stages.iter().flat_map(|stage| &stage.queues);
        queues.map(|queue| queue.shelf.bytes()).sum()
    }
}
