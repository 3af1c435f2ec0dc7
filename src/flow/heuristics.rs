//! Heuristics that estimate the remaining distance in a node-tuple graph. Each
//! is one file with its entries and one line of the table below.

use super::component::Component;
use super::product::Product;
use crate::system::{Guide, Heuristic};

/// A heuristic and its constructor.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicEntry {
    /// Properties that are known before it is built.
    pub guide: Guide,
    build: fn(&Product, &[Component]) -> Box<dyn Heuristic>,
}

/// Declares the files of heuristics and the table of their entries.
macro_rules! heuristics {
    ($($file:ident: $($entry:ident),+;)+) => {
        $(mod $file;)+

        /// All heuristics of this engine, in the order of the manual.
        pub const HEURISTICS: &[HeuristicEntry] = &[$($($file::$entry),+),+];
    };
}

heuristics! {
    ta: TASKS;
    trap: PUBLISHED, REPAIRED;
    projection: TO_TRAP, TO_VIOLATION;
    reach: REACH;
}

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
