//! Studies: which strategy is how good on which subjects.
//!
//! A study file names subjects (a property of a model, with sizes and
//! constraints), strategies and limits. The way of the data:
//!
//! - [`read`] makes a [`Study`] of the text, with places for mistakes;
//! - whoever calls looks up models and constraints and makes a [`Plan`] of
//!   it: subjects × strategies × repetitions, each run with its arguments for
//!   `check` and a key under which its result is known;
//! - each run becomes a [`Record`], one line of a file that is only appended to;
//! - [`Summary`] compares the records: medians, ratios to a baseline,
//!   geometric means and deviations, disagreements.
//!
//! Nothing here starts a process or touches a file, and nothing is drawn:
//! tables and pictures are made by `report`.

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
