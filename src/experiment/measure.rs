//! What is measured in a run.

use serde::{Deserialize, Serialize};

/// A quantity that strategies are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Seconds for the property, graphs included.
    Time,
    /// Seconds for the search alone.
    Search,
    /// Node-tuples or states generated.
    Generated,
    /// Different node-tuples or states kept.
    Stored,
    /// Bytes of the search.
    Memory,
    /// Steps until the property is broken whatever follows.
    Prefix,
    /// Steps of the whole counterexample.
    Length,
}

/// All that one run, or the median of several, has measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Seconds for the property, graphs included.
    pub time: f64,
    /// Seconds for the search alone.
    pub search: f64,
    /// Node-tuples or states generated.
    pub generated: u64,
    /// Different node-tuples or states kept.
    pub stored: u64,
    /// Bytes of the search.
    pub memory: u64,
    /// Steps to the trap, or to the end if there is none; of a violation.
    pub prefix: Option<u64>,
    /// Steps to the end; of a violation.
    pub length: Option<u64>,
}

impl Measure {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 7] =
        [Self::Time, Self::Search, Self::Generated, Self::Stored, Self::Memory, Self::Prefix, Self::Length];

    /// As study files and tables write it.
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

    /// For the axis of a picture; `units` are what searches count: "states".
    pub fn title(self, units: &str) -> String {
        match self {
            Self::Time => "time".to_string(),
            Self::Search => "search time".to_string(),
            Self::Generated => format!("{units} generated"),
            Self::Stored => format!("{units} stored"),
            Self::Memory => "memory of the search".to_string(),
            Self::Prefix => "prefix length".to_string(),
            Self::Length => "counterexample length".to_string(),
        }
    }

    /// Is it the same in every repetition? Times are not, and memory need
    /// not be.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Generated | Self::Stored | Self::Prefix | Self::Length)
    }
}

impl Measures {
    /// One of them; a run without counterexample has no length.
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
