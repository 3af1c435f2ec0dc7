//! Distance of the property to its trap.

use super::HeuristicEntry;
use crate::flow::component::Component;
use crate::flow::product::{Field, Product};
use crate::system::{Arrived, Guide, Heuristic};

/// Entry of the table of heuristics.
pub(super) const PUBLISHED: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "trap",
        brief: "events until the property is violated for good; 1 + 1/n where n events do it at once",
        admissible: false,
        monotone: false,
    },
    build: |product, components| Box::new(TrapDistance::published(product, &components[0])),
};

/// Entry of the table of heuristics.
pub(super) const REPAIRED: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "trap-fine",
        brief: "the same with 1 + 1/(n+1), so that one event is closer than two",
        admissible: false,
        monotone: false,
    },
    build: |product, components| Box::new(TrapDistance::repaired(product, &components[0])),
};

/// Units per step, chosen so that many fractions are whole numbers.
const PER_STEP: u32 = 840;

/// Number of events until the property automaton is in its trap. Where one
/// event suffices, a state with more such events has a smaller estimate.
///
/// The heuristic only orders states: a property without a reachable trap can
/// still be violated at the end of an execution.
pub struct TrapDistance {
    field: Field,
    /// Per state of the property.
    estimates: Vec<u32>,
}

impl TrapDistance {
    /// Estimates 1 + 1/n, where n events lead into the trap.
    pub fn published(product: &Product, property: &Component) -> Self {
        Self::new(product, property, |n| PER_STEP + PER_STEP / n)
    }

    /// Estimates 1 + 1/(n+1), which is always less than that of a state two
    /// events away.
    pub fn repaired(product: &Product, property: &Component) -> Self {
        Self::new(product, property, |n| PER_STEP + PER_STEP / (n + 1))
    }

    fn new(product: &Product, property: &Component, one_away: impl Fn(u32) -> u32) -> Self {
        let trapped = property.dead_states();
        let steps = property.distances_to(&trapped);
        let furthest = steps.iter().flatten().max().copied().unwrap_or(0);
        let estimate = |state: usize| match steps[state] {
            Some(1) => {
                let into = property.targets(state as u32).filter(|&next| trapped[next as usize]).count();
                one_away(into as u32)
            }
            Some(steps) => steps * PER_STEP,
            None => (furthest + 1) * PER_STEP,
        };
        Self { field: product.fields[0], estimates: (0..property.n_states()).map(estimate).collect() }
    }
}

impl Heuristic for TrapDistance {
    fn per_step(&self) -> u32 {
        PER_STEP
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        let state = arrived.state;
        Some(self.estimates[self.field.get(state) as usize])
    }
}
