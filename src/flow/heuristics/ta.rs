//! Distance of every task to its end, according to its automaton.

use super::HeuristicEntry;
use crate::flow::component::{Component, Kind, VIOLATION};
use crate::flow::product::{Field, Product};
use crate::system::{Arrived, Guide, Heuristic};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Entry of the table of heuristics.
pub(super) const TASKS: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "ta",
        brief: "steps that the tasks with an automaton need to end; a rendezvous counts once",
        admissible: true,
        monotone: true,
    },
    build: |product, components| Box::new(TaskDistance::new(product, components)),
};

/// Units per step. A rendezvous moves two tasks, so each counts half a step.
const PER_STEP: u32 = 2;

/// The sum of the distances of the task automata to acceptance.
///
/// A step to a node moves every automaton that reacts to it. If two react, each
/// counts half of the step, so the sum never decreases by more than one step
/// per step: it is monotone, and admissible because it is zero at a goal.
pub struct TaskDistance {
    /// Field of each task, with its row in `distances`.
    tasks: Vec<(Field, usize)>,
    /// Distance per state of a task; the rows are concatenated.
    distances: Vec<u64>,
}

/// More than the sum of the distances of all tasks.
const NEVER: u64 = 1 << 40;

impl TaskDistance {
    pub fn new(product: &Product, components: &[Component]) -> Self {
        let is_task = |component: &&(usize, &Component)| component.1.kind == Some(Kind::Task);
        let tasks: Vec<(usize, &Component)> = components.iter().enumerate().filter(|c| is_task(&c)).collect();
        let n_nodes = tasks.first().map_or(0, |(_, task)| task.column.len());
        let mut n_moved = vec![0; n_nodes];
        for (_, task) in &tasks {
            for (node, _) in task.column.iter().enumerate().filter(|(_, column)| column.is_some()) {
                n_moved[node] += 1;
            }
        }
        let cost = |node: usize| PER_STEP / n_moved[node];
        let mut estimate = Self { tasks: Vec::new(), distances: Vec::new() };
        for (index, task) in tasks {
            estimate.tasks.push((product.fields[index], estimate.distances.len()));
            let row = distances(task, cost).into_iter().map(|it| it.map_or(NEVER, u64::from));
            estimate.distances.extend(row);
        }
        estimate
    }
}

/// Returns the cost of the cheapest path from each state to an accepting one.
fn distances(task: &Component, cost: impl Fn(usize) -> u32) -> Vec<Option<u32>> {
    let n_states = task.n_states();
    let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_states];
    for (node, _) in task.column.iter().enumerate().filter(|(_, column)| column.is_some()) {
        for state in 0..n_states as u32 {
            let next = task.next(state, node);
            if next != VIOLATION {
                before[next as usize].push((state, cost(node)));
            }
        }
    }
    let mut distances = vec![None; n_states];
    let accepting = (0..n_states as u32).filter(|&state| task.accepting[state as usize]);
    let mut heap: BinaryHeap<Reverse<(u32, u32)>> = accepting.map(|state| Reverse((0, state))).collect();
    while let Some(Reverse((distance, state))) = heap.pop() {
        let known = &mut distances[state as usize];
        if known.is_none() {
            *known = Some(distance);
            heap.extend(
                before[state as usize].iter().map(|&(earlier, cost)| Reverse((distance + cost, earlier))),
            );
        }
    }
    distances
}

impl Heuristic for TaskDistance {
    fn per_step(&self) -> u32 {
        PER_STEP
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        let state = arrived.state;
        let distance = |(field, row): &(Field, usize)| self.distances[row + field.get(state) as usize];
        let sum: u64 = self.tasks.iter().map(distance).sum();
        (sum < NEVER).then_some(sum as u32)
    }
}
