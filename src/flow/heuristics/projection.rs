//! Exact distances in projections of the node-tuple graph: its nodes, the
//! property and a few of the constraints.
//!
//! A path of the whole graph is a path of every projection, so the distance in
//! a projection never exceeds the real one, and neither does the maximum of
//! several. Each distance decreases by at most one per step: the estimate is
//! also monotone.

use super::HeuristicEntry;
use crate::base::bits::BitMatrix;
use crate::base::cancel::checkpoint;
use crate::flow::component::{Component, VIOLATION};
use crate::flow::product::{Field, Product};
use crate::system::{Arrived, Guide, Heuristic};

/// Entry of the table of heuristics.
pub(super) const TO_TRAP: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "dtrap",
        brief: "steps to the trap in projections onto a few constraints",
        admissible: false,
        monotone: false,
    },
    build: |product, components| Box::new(Projections::new(product, components, Target::Trap)),
};

/// Entry of the table of heuristics.
pub(super) const TO_VIOLATION: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "dend",
        brief: "steps to a violation in projections onto a few constraints",
        admissible: true,
        monotone: true,
    },
    build: |product, components| Box::new(Projections::new(product, components, Target::Violation)),
};

/// Maximum number of entries of all tables.
const BUDGET: usize = 1 << 16;

/// No goal of the projection is reachable.
const NEVER: u16 = u16::MAX;

/// The maximum of the distances in several projections.
pub struct Projections {
    tables: Vec<Table>,
    node: Field,
    /// Estimate for a state from which a projection has no path to the target;
    /// `None` if that proves that no goal is reachable.
    without_path: Option<u32>,
}

/// Distances in one projection.
struct Table {
    /// Field of each component, with the factor of its state in the index.
    fields: Vec<(Field, usize)>,
    n_nodes: usize,
    distances: Vec<u16>,
    /// Per tuple: whether the final node, which has no successors, is a target.
    final_is_target: Vec<bool>,
}

/// Target of the distances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The trap of the property.
    Trap,
    /// A violation.
    Violation,
}

impl Projections {
    /// Creates the projections of a product to its property and groups of
    /// constraints.
    pub fn new(product: &Product, components: &[Component], target: Target) -> Self {
        let groups = groups(product.n_nodes + 1, components);
        let tables: Vec<Table> =
            groups.iter().map(|group| Table::new(product, components, group, target)).collect();
        let property = &components[0];
        let trapped = property.dead_states();
        let is_safety = (0..property.n_states()).all(|state| property.accepting[state] || trapped[state]);
        let furthest = tables.iter().flat_map(|table| &table.distances).filter(|&&it| it != NEVER).max();
        let is_proof = target == Target::Violation || is_safety;
        let without_path = (!is_proof).then(|| furthest.map_or(0, |&furthest| u32::from(furthest) + 1));
        Self { tables, node: product.node_field, without_path }
    }
}

/// Returns groups of constraints: each constraint is in at least one group,
/// with as many others as the budget allows.
fn groups(n_rows: usize, components: &[Component]) -> Vec<Vec<usize>> {
    let n_constraints = components.len() - 1;
    if n_constraints == 0 {
        return vec![vec![0]];
    }
    let share = BUDGET / n_constraints;
    let of_property = n_rows * components[0].n_states();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for seed in 1..components.len() {
        let mut group = vec![0, seed];
        let mut size = of_property * components[seed].n_states();
        let mut others: Vec<usize> = (1..components.len()).filter(|&other| other != seed).collect();
        others.sort_by_key(|&other| std::cmp::Reverse(n_shared(&components[seed], &components[other])));
        for other in others {
            let larger = size.saturating_mul(components[other].n_states());
            if larger <= share {
                group.push(other);
                size = larger;
            }
        }
        group.sort_unstable();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// Returns the number of nodes to which both react.
fn n_shared(a: &Component, b: &Component) -> usize {
    a.column.iter().zip(&b.column).filter(|(a, b)| a.is_some() && b.is_some()).count()
}

impl Table {
    fn new(product: &Product, components: &[Component], group: &[usize], target: Target) -> Self {
        let n_nodes = product.n_nodes + 1;
        let mut n_tuples = 1;
        let mut fields = Vec::new();
        for &index in group {
            fields.push((product.fields[index], n_tuples));
            n_tuples *= components[index].n_states();
        }
        let group: Vec<&Component> = group.iter().map(|&index| &components[index]).collect();
        let distances = vec![NEVER; n_nodes * n_tuples];
        let mut table = Self { fields, n_nodes, distances, final_is_target: vec![true; n_tuples] };
        table.fill(product, &group, n_tuples, target);
        table
    }

    /// Searches breadth first from the targets against the edges. Every tuple
    /// has a row of the nodes that were not reached yet, so that all
    /// predecessors of a node are processed at once.
    fn fill(&mut self, product: &Product, group: &[&Component], n_tuples: usize, target: Target) {
        let n_real = self.n_nodes - 1;
        let mut before = BitMatrix::new(n_real, self.n_nodes);
        for node in 0..self.n_nodes {
            product.follows.ones(node).for_each(|next| {
                before.insert(next, node);
            });
        }
        let inverses: Vec<Inverse> = group.iter().map(|component| Inverse::new(component)).collect();
        let mut unreached = BitMatrix::new(n_tuples, self.n_nodes);
        let trapped = group[0].dead_states();
        let mut level: Vec<(usize, usize)> = Vec::new();
        for tuple in 0..n_tuples {
            checkpoint();
            let states = states_of(group, tuple);
            let mut constraints = group.iter().zip(&states).skip(1);
            let violates = !group[0].accepting[states[0]]
                && constraints.all(|(component, &state)| component.accepting[state]);
            self.final_is_target[tuple] = target == Target::Trap || violates;
            for node in 0..self.n_nodes {
                let is_target = match target {
                    Target::Trap => trapped[states[0]],
                    Target::Violation => violates && (product.is_prefixes() || product.is_last[node]),
                };
                if is_target {
                    self.distances[tuple * self.n_nodes + node] = 0;
                    level.push((node, tuple));
                } else {
                    unreached.insert(tuple, node);
                }
            }
        }
        let (mut earlier_tuples, mut next_level) = (Vec::new(), Vec::new());
        let mut distance = 0;
        while !level.is_empty() && distance < NEVER - 1 {
            distance += 1;
            for &(node, tuple) in level.iter().filter(|&&(node, _)| node < n_real) {
                checkpoint();
                earlier_tuples.clear();
                earlier_tuples.push(0);
                let (mut weight, mut rest) = (1, tuple);
                for (inverse, component) in inverses.iter().zip(group) {
                    let n_states = component.n_states();
                    inverse.extend(component, node, rest % n_states, weight, &mut earlier_tuples);
                    (weight, rest) = (weight * n_states, rest / n_states);
                }
                for &earlier in &earlier_tuples {
                    unreached.remove_common(earlier, before.row(node), |earlier_node| {
                        self.distances[earlier * self.n_nodes + earlier_node] = distance;
                        next_level.push((earlier_node, earlier));
                    });
                }
            }
            level.clear();
            std::mem::swap(&mut level, &mut next_level);
        }
        if !level.is_empty() {
            // Too far to be represented, or unreachable: which one is not
            // known.
            self.distances.iter_mut().filter(|it| **it == NEVER).for_each(|it| *it = NEVER - 1);
        }
    }
}

fn states_of(group: &[&Component], mut tuple: usize) -> Vec<usize> {
    let digit = |component: &&Component| {
        let state = tuple % component.n_states();
        tuple /= component.n_states();
        state
    };
    group.iter().map(digit).collect()
}

/// Predecessors of a state, for every node to which a component reacts.
struct Inverse {
    /// Per column and state.
    before: Vec<Vec<u32>>,
}

impl Inverse {
    fn new(component: &Component) -> Self {
        let n_states = component.n_states();
        let n_columns = component.column.iter().flatten().max().map_or(0, |&most| most as usize + 1);
        let mut before = vec![Vec::new(); n_columns * n_states];
        let mut done = vec![false; n_columns];
        for (node, column) in component.column.iter().enumerate() {
            let Some(column) = column.map(|column| column as usize) else { continue };
            if std::mem::replace(&mut done[column], true) {
                continue;
            }
            for state in 0..n_states as u32 {
                let next = component.next(state, node);
                if next != VIOLATION {
                    before[column * n_states + next as usize].push(state);
                }
            }
        }
        Self { before }
    }

    /// Extends every partial tuple by the predecessor states of this component.
    fn extend(
        &self,
        component: &Component,
        node: usize,
        state: usize,
        weight: usize,
        tuples: &mut Vec<usize>,
    ) {
        let Some(column) = component.column[node] else {
            return tuples.iter_mut().for_each(|tuple| *tuple += state * weight);
        };
        let earlier = &self.before[column as usize * component.n_states() + state];
        let n_partial = tuples.len();
        for index in 0..n_partial {
            let partial = tuples[index];
            tuples.extend(earlier.iter().map(|&state| partial + state as usize * weight));
        }
        tuples.drain(..n_partial);
    }
}

impl Heuristic for Projections {
    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        let state = arrived.state;
        let node = self.node.get(state) as usize;
        let mut longest = 0;
        for table in &self.tables {
            let tuple: usize =
                table.fields.iter().map(|(field, weight)| field.get(state) as usize * weight).sum();
            if node >= table.n_nodes {
                match table.final_is_target[tuple] {
                    true => continue,
                    false => return None,
                }
            }
            match table.distances[tuple * table.n_nodes + node] {
                NEVER => return self.without_path,
                distance => longest = longest.max(u32::from(distance)),
            }
        }
        Some(longest)
    }
}
