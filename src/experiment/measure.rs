//! Measures of a run.

use serde::{Deserialize, Serialize};

/// A measure by which strategies are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Seconds for the property, including the construction of graphs.
    Time,
    /// Seconds for the search alone.
    Search,
    /// Node-tuples or states generated.
    Generated,
    /// Different node-tuples or states stored.
    Stored,
    /// Bytes of the search.
    Memory,
    /// Steps until every continuation violates the property.
    Prefix,
    /// Steps of the whole counterexample.
    Length,
}

/// The measures of one run, or the medians of several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Seconds for the property, including the construction of graphs.
    pub time: f64,
    /// Seconds for the search alone.
    pub search: f64,
    /// Node-tuples or states generated.
    pub generated: u64,
    /// Different node-tuples or states stored.
    pub stored: u64,
    /// Bytes of the search.
    pub memory: u64,
    /// Steps of a violation to the trap, or to the end if there is none.
    pub prefix: Option<u64>,
    /// Steps of a violation to the end.
    pub length: Option<u64>,
}

impl Measure {
    /// All measures, in the order of tables.
    pub const ALL: [Self; 7] =
        [Self::Time, Self::Search, Self::Generated, Self::Stored, Self::Memory, Self::Prefix, Self::Length];

    /// Returns the name in study files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Search => "search",
            Self::Generated => "generated",
            Self::Stored => "stored",
            Self::Memory => "memory",
            Self::Prefix => "prefix",
            Self::Length => "length",
        }
    }

    /// Returns the title of an axis; `units` is the unit of the counters:
    /// "states".
    pub fn title(self, units: &str) -> String {
        match self {
            Self::Time => "time".to_string(),
            Self::Search => "search time".to_string(),
            Self::Generated => format!("{units} generated"),
            Self::Stored => format!("{units} stored"),
            Self::Memory => "search memory".to_string(),
            Self::Prefix => "prefix length".to_string(),
            Self::Length => "counterexample length".to_string(),
        }
    }

    /// Returns whether it is equal in every repetition, unlike times and
    /// memory.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Generated | Self::Stored | Self::Prefix | Self::Length)
    }
}

impl Measures {
    /// Returns one measure; a run without counterexample has no length.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Time => Some(self.time),
            Measure::Search => Some(self.search),
            Measure::Generated => Some(self.generated as f64),
            Measure::Stored => Some(self.stored as f64),
            Measure::Memory => Some(self.memory as f64),
            Measure::Prefix => self.prefix.map(|it| it as f64),
            Measure::Length => self.length.map(|it| it as f64),
        }
    }
}
