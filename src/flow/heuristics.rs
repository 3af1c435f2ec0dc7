//! Heuristics that estimate the remaining distance in a node-tuple graph. Each
//! is one file and one entry of [`HEURISTICS`].

mod projection;
mod reach;
mod ta;
mod trap;

use super::component::Component;
use super::product::Product;
use crate::system::{Guide, Heuristic};
use projection::{Projections, Target};

/// A heuristic and its constructor.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Properties that are known before it is built.
    pub guide: Guide,
    build: fn(&Product, &[Component]) -> Box<dyn Heuristic>,
}

/// All heuristics of this engine, in the order of the manual.
pub const HEURISTICS: &[Entry] = &[
    Entry {
        guide: Guide {
            name: "ta",
            brief: "steps that the tasks with an automaton need to their ends, a rendezvous counted once",
            admissible: true,
            monotone: true,
        },
        build: |product, components| Box::new(ta::TaskDistance::new(product, components)),
    },
    Entry {
        guide: Guide {
            name: "trap",
            brief: "events until the property is beyond repair; 1 + 1/n where n events do it at once",
            admissible: false,
            monotone: false,
        },
        build: |product, components| Box::new(trap::TrapDistance::published(product, &components[0])),
    },
    Entry {
        guide: Guide {
            name: "trap-fine",
            brief: "the same with 1 + 1/(n+1), so that one event is nearer than two",
            admissible: false,
            monotone: false,
        },
        build: |product, components| Box::new(trap::TrapDistance::repaired(product, &components[0])),
    },
    Entry {
        guide: Guide {
            name: "dtrap",
            brief: "steps to the trap in projections to a few constraints at a time",
            admissible: false,
            monotone: false,
        },
        build: |product, components| Box::new(Projections::new(product, components, Target::Trap)),
    },
    Entry {
        guide: Guide {
            name: "dend",
            brief: "steps to a violation in projections to a few constraints at a time",
            admissible: true,
            monotone: true,
        },
        build: |product, components| Box::new(Projections::new(product, components, Target::Violation)),
    },
    Entry {
        guide: Guide {
            name: "reach",
            brief: "steps that tasks need to make the events that break the property",
            admissible: false,
            monotone: false,
        },
        build: |product, components| Box::new(reach::Reach::new(product, components)),
    },
];

/// Returns the properties of each heuristic.
pub fn guides() -> Vec<Guide> {
    HEURISTICS.iter().map(|entry| entry.guide).collect()
}

/// Builds a heuristic for the product of a graph with `components`.
///
/// # Panics
///
/// If there is no heuristic of that name.
pub fn build(name: &str, product: &Product, components: &[Component]) -> Box<dyn Heuristic> {
    let entry = HEURISTICS.iter().find(|entry| entry.guide.name == name);
    let entry = entry.unwrap_or_else(|| panic!("`{name}` was checked to be a heuristic"));
    (entry.build)(product, components)
}
