//! Studies: comparisons of strategies on many subjects.
//!
//! A study file names subjects (a property of a model, with sizes and
//! constraints), strategies and limits. The data flow:
//!
//! - [`read`] parses the text into a [`Study`], or into errors with positions;
//! - the caller looks up models and constraints and creates a [`Plan`]:
//!   subjects × strategies × repetitions, each run with its arguments for
//!   `check` and the key of its record;
//! - each run becomes a [`Record`], one line of a file that is only appended
//!   to;
//! - [`Summary`] compares the records: medians, ratios to a baseline, geometric
//!   means and deviations, disagreements.
//!
//! This module starts no processes, uses no files and draws nothing: `report`
//! renders tables and figures.

pub mod measure;
pub mod plan;
pub mod read;
pub mod record;
pub mod schema;
pub mod statistics;
pub mod study;
pub mod summary;

pub use measure::{Measure, Measures};
pub use plan::{Plan, Run, Subject};
pub use record::{Outcome, Record};
pub use study::Study;
pub use summary::Summary;
