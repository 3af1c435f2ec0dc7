//! Distance of the tasks to the events that violate the property.

use super::HeuristicEntry;
use crate::base::cancel::checkpoint;
use crate::flow::component::{Component, Kind, VIOLATION};
use crate::flow::product::{Field, Product};
use crate::system::{Arrived, Guide, Heuristic};
use std::collections::VecDeque;
use std::ops::Range;

/// Entry of the table of heuristics.
pub(super) const REACH: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "reach",
        brief: "steps that tasks need to reach events that violate the property",
        admissible: false,
        monotone: false,
    },
    build: |product, components| Box::new(Reach::new(product, components)),
};

/// Unreachable for the task, or too far for the distance to matter.
const NEVER: u32 = 1 << 12;

/// Maximum number of paths of the property to its trap, per state.
const MAX_PATHS: usize = 32;

/// Maximum number of words of events tried to find them.
const MAX_WORDS: usize = 4096;

/// The cheapest path of the property to its trap, where an event costs the
/// steps that the tasks of a node with that event need to reach it from their
/// current states, according to their automata.
///
/// Tasks without an automaton cost nothing, and restrictions by variables are
/// ignored; a task that makes two events is counted from the same state twice.
/// So the estimate can be too long or too short, but it decreases when a task
/// gets closer to a relevant event.
pub struct Reach {
    property: Field,
    /// Per state of the property.
    plans: Vec<Plan>,
    /// Per event, the range of its nodes in `nodes`.
    events: Vec<Range<usize>>,
    /// Per node with an event, or group of equivalent nodes, the range of its
    /// tasks in `lookups`.
    nodes: Vec<Range<usize>>,
    lookups: Vec<LookUp>,
    /// Steps per state of a task; the rows are concatenated.
    steps: Vec<u32>,
    /// Per event, its cost in the current state.
    costs: Vec<u32>,
}

/// Paths of the property from a state to its trap.
#[derive(Default)]
struct Plan {
    is_trapped: bool,
    /// Events that occur on the paths.
    events: Vec<usize>,
    ways: Vec<Vec<usize>>,
}

/// Number of steps of one task to one node.
struct LookUp {
    field: Field,
    /// Start of the row in `steps`.
    row: usize,
}

impl Reach {
    pub fn new(product: &Product, components: &[Component]) -> Self {
        let property = &components[0];
        let n_events = property.column.iter().flatten().max().map_or(0, |&most| most as usize + 1);
        let mut reach = Self {
            property: product.fields[0],
            plans: Vec::new(),
            events: Vec::new(),
            nodes: Vec::new(),
            lookups: Vec::new(),
            steps: Vec::new(),
            costs: vec![NEVER; n_events],
        };
        for event in 0..n_events {
            let start = reach.nodes.len();
            let mut needs: Vec<Need> = Vec::new();
            checkpoint();
            for (node, column) in property.column.iter().enumerate() {
                if *column == Some(event as u32) {
                    let need = Need::new(components, node);
                    if !needs.iter_mut().any(|other| other.merge(&need)) {
                        needs.push(need);
                    }
                }
            }
            needs.into_iter().for_each(|need| reach.add(product, need));
            reach.events.push(start..reach.nodes.len());
        }
        let trapped = property.dead_states();
        reach.plans =
            (0..property.n_states()).map(|state| Plan::new(property, &trapped, state as u32)).collect();
        reach
    }

    fn add(&mut self, product: &Product, need: Need) {
        let start = self.lookups.len();
        for (component, steps) in need.tasks {
            self.lookups.push(LookUp { field: product.fields[component], row: self.steps.len() });
            self.steps.extend(steps);
        }
        self.nodes.push(start..self.lookups.len());
    }
}

/// Tasks of a node, by component, and their steps to it from each state.
struct Need {
    tasks: Vec<(usize, Vec<u32>)>,
}

impl Need {
    fn new(components: &[Component], node: usize) -> Self {
        let moved = |it: &(usize, &Component)| it.1.kind == Some(Kind::Task) && it.1.column[node].is_some();
        let tasks = components.iter().enumerate().filter(moved);
        Self { tasks: tasks.map(|(index, task)| (index, steps_to(task, node))).collect() }
    }

    /// Merges another node into this one, so that it has the cost of the
    /// cheaper one. This is possible if one sum of look-ups can express it:
    /// both need the same tasks and at most one task has different distances.
    fn merge(&mut self, other: &Self) -> bool {
        let pairs = || self.tasks.iter().zip(&other.tasks);
        let same_tasks =
            self.tasks.len() == other.tasks.len() && pairs().all(|(one, other)| one.0 == other.0);
        if !same_tasks || pairs().filter(|(one, other)| one.1 != other.1).count() > 1 {
            return false;
        }
        for ((_, steps), (_, others)) in self.tasks.iter_mut().zip(&other.tasks) {
            steps.iter_mut().zip(others).for_each(|(steps, &other)| *steps = (*steps).min(other));
        }
        true
    }
}

impl Plan {
    /// Computes the words of events that lead into the trap, shortest first; no
    /// word contains all the events of another.
    fn new(property: &Component, trapped: &[bool], state: u32) -> Self {
        let moves = |state: u32| {
            let mut seen = Vec::new();
            checkpoint();
            for (node, column) in property.column.iter().enumerate() {
                let Some(event) = column.map(|column| column as usize) else { continue };
                if !seen.iter().any(|(known, _)| *known == event) {
                    seen.push((event, property.next(state, node)));
                }
            }
            seen
        };
        let mut ways: Vec<Vec<usize>> = Vec::new();
        let mut pending = VecDeque::from([(Vec::new(), vec![state])]);
        let mut n_words = 0;
        while let Some((word, path)) = pending.pop_front() {
            checkpoint();
            let last = path[path.len() - 1];
            if trapped[last as usize] {
                let mut way = word;
                way.sort_unstable();
                if !ways.iter().any(|other| is_part_of(other, &way)) {
                    ways.push(way);
                }
                continue;
            }
            n_words += 1;
            if ways.len() >= MAX_PATHS || n_words > MAX_WORDS {
                break;
            }
            for (event, next) in moves(last) {
                if !path.contains(&next) {
                    let longer = word.iter().copied().chain([event]).collect();
                    pending.push_back((longer, path.iter().copied().chain([next]).collect()));
                }
            }
        }
        let mut events = ways.concat();
        events.sort_unstable();
        events.dedup();
        Self { is_trapped: trapped[state as usize], events, ways }
    }
}

/// Returns whether `word` has every event of `part` as often. Both are sorted.
fn is_part_of(part: &[usize], word: &[usize]) -> bool {
    let mut rest = word.iter();
    part.iter().all(|event| rest.any(|other| other == event))
}

/// Returns the steps of a task from each state to just after a node.
fn steps_to(task: &Component, node: usize) -> Vec<u32> {
    let enables: Vec<bool> =
        (0..task.n_states() as u32).map(|state| task.next(state, node) != VIOLATION).collect();
    task.distances_to(&enables)
        .iter()
        .map(|steps| steps.map_or(NEVER, |steps| (steps + 1).min(NEVER)))
        .collect()
}

impl Heuristic for Reach {
    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        let state = arrived.state;
        let plan = &self.plans[self.property.get(state) as usize];
        if plan.is_trapped {
            return Some(0);
        }
        for &event in &plan.events {
            let mut cheapest = NEVER;
            for lookups in &self.nodes[self.events[event].clone()] {
                // The rendezvous is one step for both tasks.
                let mut cost = 1;
                for lookup in &self.lookups[lookups.clone()] {
                    cost += self.steps[lookup.row + lookup.field.get(state) as usize] - 1;
                }
                cheapest = cheapest.min(cost);
            }
            self.costs[event] = cheapest;
        }
        let cost = |way: &Vec<usize>| way.iter().map(|&event| self.costs[event]).sum::<u32>();
        Some(plan.ways.iter().map(cost).min().unwrap_or(NEVER).min(NEVER))
    }
}
